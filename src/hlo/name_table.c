// Open addressing with linear probing, at most half full. See name_table.h.
#include "hlo/name_table.h"

#include "hlo/name_hash.h"

#include <string.h>

enum { FIRST_CAPACITY = 16, LONGEST_SUFFIX = 12 };

uint32_t hlo_name_hash(const char *text, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

static uint32_t hash_of(const hlo_name_table *table, const char *text, size_t length) {
  return hlo_name_hash_at(table->entries, text, length);
}

// The entry of that name, or the free slot where it would stand. The table has a free slot.
static hlo_name_entry *find_slot(const hlo_name_table *table, const char *text, size_t length,
                                 uint32_t hash) {
  uint32_t mask = (uint32_t)table->capacity - 1;
  for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
    hlo_name_entry *entry = &table->entries[i];
    if (entry->name == NULL) return entry;
    if (entry->hash == hash && strncmp(entry->name, text, length) == 0 &&
        entry->name[length] == '\0')
      return entry;
  }
}

void *hlo_name_table_find(const hlo_name_table *table, const char *text, size_t length) {
  if (table->capacity == 0 || memchr(text, '\0', length) != NULL) return NULL;
  const hlo_name_entry *entry = find_slot(table, text, length, hash_of(table, text, length));
  return entry->name == NULL ? NULL : entry->value;
}

// Moves all entries to other memory, and so to other places.
static hlo_status move(hlo_name_table *table, hlo_arena *arena, int32_t capacity,
                       hlo_error *error) {
  hlo_name_table moved = {table->count, capacity, NULL};
  HLO_ALLOC(moved.entries, arena, capacity, error);
  uint32_t mask = (uint32_t)capacity - 1;
  for (int32_t i = 0; i < table->capacity; i++) {
    hlo_name_entry entry = table->entries[i];
    if (entry.name == NULL) continue;
    entry.hash = hash_of(&moved, entry.name, strlen(entry.name));
    uint32_t j = entry.hash & mask;
    while (moved.entries[j].name != NULL) j = (j + 1) & mask;
    moved.entries[j] = entry;
  }
  *table = moved;
  return HLO_OK;
}

static hlo_status grow(hlo_name_table *table, hlo_arena *arena, hlo_error *error) {
  if (table->count < table->capacity / 2) return HLO_OK;
  if (table->capacity > INT32_MAX / 2) return hlo_fail_out_of_memory(error);
  int32_t capacity = table->capacity == 0 ? FIRST_CAPACITY : table->capacity * 2;
  return move(table, arena, capacity, error);
}

// Moves the table when the entry at `slot` is far from where its hash points to. Without memory for
// that it stays as it is, which is right, only slower.
static void spread(hlo_name_table *table, hlo_arena *arena, const hlo_name_entry *slot) {
  uint32_t mask = (uint32_t)table->capacity - 1;
  uint32_t probes = ((uint32_t)(slot - table->entries) - slot->hash) & mask;
  hlo_error ignored = {0};
  if (probes >= HLO_NAME_MOST_PROBES) (void)move(table, arena, table->capacity, &ignored);
}

// Writes ".n" and returns its length.
static size_t write_suffix(char *out, int32_t n) {
  char digits[LONGEST_SUFFIX];
  size_t count = 0, length = 0;
  do {
    digits[count++] = (char)('0' + n % 10);
    n /= 10;
  } while (n > 0);
  out[length++] = '.';
  while (count > 0) out[length++] = digits[--count];
  out[length] = '\0';
  return length;
}

hlo_status hlo_name_table_add(hlo_name_table *table, hlo_arena *arena, const char *wanted,
                              void *value, const char **name, hlo_error *error) {
  HLO_TRY(grow(table, arena, error));
  size_t length = strlen(wanted);
  if (length > SIZE_MAX - LONGEST_SUFFIX) return hlo_fail_out_of_memory(error);
  uint32_t hash = hash_of(table, wanted, length);
  hlo_name_entry *taken = find_slot(table, wanted, length, hash);
  hlo_name_entry *slot = taken;
  char *text = hlo_arena_alloc(arena, length + (slot->name == NULL ? 1 : LONGEST_SUFFIX));
  if (text == NULL) return hlo_fail_out_of_memory(error);
  memcpy(text, wanted, length + 1);
  // The suffix goes on from where the last search of this name ended, so that n equal names take n
  // steps and not n².
  int32_t suffix = taken->next_suffix == 0 ? 1 : taken->next_suffix;
  while (slot->name != NULL) {
    if (suffix == INT32_MAX) return hlo_fail_out_of_memory(error);
    size_t whole = length + write_suffix(text + length, suffix++);
    hash = hash_of(table, text, whole);
    slot = find_slot(table, text, whole, hash);
  }
  if (slot != taken) taken->next_suffix = suffix;
  *slot = (hlo_name_entry){text, hash, 0, value};
  table->count++;
  *name = text;
  spread(table, arena, slot);
  return HLO_OK;
}
