// Names of values and their scopes, the regions. Also collects the values that a region captures.
// See parser.h.
#include "hlo/name_hash.h"
#include "text/mlir/parser.h"

#include <string.h>

// A name and its values[count]. Entries form a stack in order of definition; each bucket of the
// hash table links its entries, the newest first.
typedef struct entry {
  const char *name;
  uint32_t hash;
  int32_t count;
  mlir_value *values;
  int32_t older; // in the same bucket, -1 at the end
} entry;

struct mlir_scope {
  int32_t count, capacity;
  entry *entries;
  int32_t bucket_count; // a power of two
  int32_t *buckets;
  int32_t visible; // entries before this one cannot be seen: the region is isolated
  mlir_list marks; // one frame per open region
};

typedef struct frame {
  int32_t count, visible;
} frame;

// Enters all entries into other buckets, which hash with another key.
static hlo_status move(mlir_parser *p, int32_t bucket_count, hlo_error *error) {
  mlir_scope *scope = p->scope;
  int32_t *buckets;
  HLO_ALLOC(buckets, &p->tree, bucket_count, error);
  scope->buckets = buckets;
  scope->bucket_count = bucket_count;
  for (int32_t i = 0; i < bucket_count; i++) buckets[i] = -1;
  for (int32_t i = 0; i < scope->count; i++) {
    entry *e = &scope->entries[i];
    e->hash = hlo_name_hash_at(buckets, e->name, strlen(e->name));
    uint32_t bucket = e->hash % (uint32_t)bucket_count;
    e->older = buckets[bucket];
    buckets[bucket] = i;
  }
  return HLO_OK;
}

static hlo_status grow(mlir_parser *p, hlo_error *error) {
  mlir_scope *scope = p->scope;
  if (scope->capacity > INT32_MAX / 4) return hlo_fail_out_of_memory(error);
  int32_t capacity = scope->capacity == 0 ? 64 : scope->capacity * 2;
  entry *entries;
  HLO_ALLOC(entries, &p->tree, capacity, error);
  HLO_TRY(move(p, capacity, error));
  if (scope->count > 0) memcpy(entries, scope->entries, (size_t)scope->count * sizeof *entries);
  scope->entries = entries;
  scope->capacity = capacity;
  return HLO_OK;
}

// NULL when the name is not known here. The bucket's newest entries come first, so the search ends
// at the first one that is hidden. *probes: how many it looked at.
static entry *find_entry(const mlir_scope *scope, const char *name, size_t length,
                         int32_t *probes) {
  *probes = 0;
  if (scope == NULL || scope->capacity == 0) return NULL;
  uint32_t hash = hlo_name_hash_at(scope->buckets, name, length);
  int32_t i = scope->buckets[hash % (uint32_t)scope->bucket_count];
  for (; i >= scope->visible; i = scope->entries[i].older) {
    entry *e = &scope->entries[i];
    ++*probes;
    if (e->hash == hash && strlen(e->name) == length && memcmp(e->name, name, length) == 0)
      return e;
  }
  return NULL;
}

hlo_status hlo_mlir_define(mlir_parser *p, mlir_value *values, int32_t count, hlo_error *error) {
  mlir_scope *scope = p->scope;
  const char *name = values[0].name;
  size_t length = strlen(name);
  int32_t probes;
  if (find_entry(scope, name, length, &probes) != NULL) {
    return hlo_mlir_fail_at(p, values[0].at, HLO_PARSE_ERROR, error,
                            "%%%.*s is defined a second time", (int)(length < 200 ? length : 200),
                            name);
  }
  if (scope->count == scope->capacity) HLO_TRY(grow(p, error));
  if (probes >= HLO_NAME_MOST_PROBES) HLO_TRY(move(p, scope->bucket_count, error));
  uint32_t hash = hlo_name_hash_at(scope->buckets, name, length);
  int32_t *bucket = &scope->buckets[hash % (uint32_t)scope->bucket_count];
  scope->entries[scope->count] = (entry){name, hash, count, values, *bucket};
  *bucket = scope->count++;
  return HLO_OK;
}

static hlo_status add_capture(mlir_parser *p, mlir_region *region, mlir_value *value,
                              hlo_error *error) {
  mlir_list list = {region->capture_count, region->capture_capacity, (void **)region->captures};
  HLO_TRY(hlo_mlir_list_add(p, &list, value, error));
  region->capture_count = list.count;
  region->capture_capacity = list.capacity;
  region->captures = (mlir_value **)list.items;
  return HLO_OK;
}

// Enters the value into every region between its own and the innermost. A region that has it has
// it in all regions around, too; so what is left to do ends at the first open region that has it.
static hlo_status note_use(mlir_parser *p, mlir_value *value, hlo_error *error) {
  if (value->region == p->region) return HLO_OK;
  mlir_region *has = value->last_capture;
  while (has != NULL && !has->is_open) has = has->parent;
  if (has != NULL && has->depth <= value->region->depth) has = NULL;
  for (mlir_region *r = p->region; r != value->region && r != has; r = r->parent) {
    HLO_TRY(add_capture(p, r, value, error));
  }
  value->last_capture = p->region;
  return HLO_OK;
}

hlo_status hlo_mlir_operand(mlir_parser *p, mlir_value **out, hlo_error *error) {
  const mlir_token name = p->token;
  if (name.kind != MLIR_TOKEN_VALUE) return hlo_mlir_expected(p, "a value (%name)", error);
  int shown = (int)(name.length < 200 ? name.length : 200);
  int32_t probes;
  entry *e = find_entry(p->scope, name.text, name.length, &probes);
  if (e == NULL) {
    return hlo_mlir_fail_at(p, name.at, HLO_PARSE_ERROR, error, "%%%.*s is not defined here", shown,
                            name.text);
  }
  HLO_TRY(hlo_mlir_advance(p, error));
  int32_t number = 0;
  // "%1#2" without a blank; a name after '#' that is no number belongs to what follows.
  if (p->token.kind == MLIR_TOKEN_HASH && p->token.text[0] >= '0' && p->token.text[0] <= '9') {
    int64_t wanted = 0;
    for (size_t i = 0; i < p->token.length && wanted < e->count; i++)
      wanted = wanted * 10 + (p->token.text[i] - '0');
    if (wanted >= e->count) {
      return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error,
                              "%%%.*s has %d results, counted from 0", shown, name.text, e->count);
    }
    number = (int32_t)wanted;
    HLO_TRY(hlo_mlir_advance(p, error));
  }
  if (e->count == 0) {
    return hlo_mlir_fail_at(p, name.at, HLO_PARSE_ERROR, error, "%%%.*s has no results", shown,
                            name.text);
  }
  *out = &e->values[number];
  return note_use(p, *out, error);
}

hlo_status hlo_mlir_open_region(mlir_parser *p, bool is_isolated, mlir_region **out,
                                hlo_error *error) {
  if (p->scope == NULL) HLO_ALLOC(p->scope, &p->tree, 1, error);
  mlir_scope *scope = p->scope;
  mlir_region *region;
  frame *f;
  HLO_ALLOC(region, &p->tree, 1, error);
  HLO_ALLOC(f, &p->tree, 1, error);
  *f = (frame){scope->count, scope->visible};
  HLO_TRY(hlo_mlir_list_add(p, &scope->marks, f, error));
  if (is_isolated) scope->visible = scope->count;
  region->parent = p->region;
  region->depth = p->region == NULL ? 0 : p->region->depth + 1;
  region->is_isolated = is_isolated;
  region->is_open = true;
  p->region = region;
  *out = region;
  return HLO_OK;
}

void hlo_mlir_close_region(mlir_parser *p) {
  mlir_scope *scope = p->scope;
  const frame *f = scope->marks.items[--scope->marks.count];
  while (scope->count > f->count) {
    const entry *e = &scope->entries[--scope->count];
    scope->buckets[e->hash % (uint32_t)scope->bucket_count] = e->older;
  }
  scope->visible = f->visible;
  p->region->is_open = false;
  p->region = p->region->parent;
}

void hlo_mlir_close_regions_to(mlir_parser *p, const mlir_region *open) {
  while (p->region != open) hlo_mlir_close_region(p);
}
