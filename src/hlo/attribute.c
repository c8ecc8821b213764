// Attributes of instructions: their list, finding them, making them. See hlo.h.
#include "hlo/hlo.h"
#include "hlo/name_index.h"

#include <string.h>

static const struct {
  const char *name;
  hlo_attribute_kind kind;
} attributes[HLO_ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(id, name, kind) {name, HLO_KIND_##kind},
#include "hlo/attributes.def"
#undef ATTRIBUTE
};

const char *hlo_attribute_name(hlo_attribute_id id) { return attributes[id].name; }
hlo_attribute_kind hlo_attribute_get_kind(hlo_attribute_id id) { return attributes[id].kind; }

static const char *name_of(int row) { return attributes[row].name; }

hlo_attribute_id hlo_attribute_from_name(const char *text, size_t length) {
  static hlo_name_index names;
  return (hlo_attribute_id)hlo_name_index_find(&names, name_of, HLO_ATTRIBUTE_COUNT, text, length);
}

bool hlo_attribute_is_universal(hlo_attribute_id id) {
  return id == HLO_ATTRIBUTE_SHARDING || id == HLO_ATTRIBUTE_METADATA ||
         id == HLO_ATTRIBUTE_BACKEND_CONFIG || id == HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES ||
         id == HLO_ATTRIBUTE_STATISTICS || id == HLO_ATTRIBUTE_ORIGIN ||
         id == HLO_ATTRIBUTE_CONTROL_PREDECESSORS;
}

const hlo_attribute *hlo_find_attribute(const hlo_instruction *instruction, hlo_attribute_id id) {
  for (int32_t i = 0; i < instruction->attribute_count; i++)
    if (instruction->attributes[i].id == id) return &instruction->attributes[i];
  return NULL;
}

int64_t hlo_get_int(const hlo_instruction *instruction, hlo_attribute_id id, int64_t otherwise) {
  const hlo_attribute *attribute = hlo_find_attribute(instruction, id);
  return attribute == NULL ? otherwise : attribute->integer;
}

int32_t hlo_collective_data_count(const hlo_instruction *collective) {
  bool has_roots = hlo_get_int(collective, HLO_ATTRIBUTE_HAS_DYNAMIC_ROOT, 0) != 0;
  return collective->operand_count - has_roots;
}

const int64_t *hlo_get_ints(const hlo_instruction *instruction, hlo_attribute_id id,
                            int32_t *count) {
  const hlo_attribute *attribute = hlo_find_attribute(instruction, id);
  *count = attribute == NULL ? 0 : attribute->count;
  return attribute == NULL ? NULL : attribute->ints;
}

bool hlo_lists(const hlo_instruction *instruction, hlo_attribute_id id, int64_t number) {
  int32_t count;
  const int64_t *ints = hlo_get_ints(instruction, id, &count);
  for (int32_t i = 0; i < count; i++) {
    if (ints[i] == number) return true;
  }
  return false;
}

const char *hlo_get_text(const hlo_instruction *instruction, hlo_attribute_id id) {
  const hlo_attribute *attribute = hlo_find_attribute(instruction, id);
  return attribute == NULL ? NULL : attribute->text;
}

hlo_computation *hlo_get_computation(const hlo_instruction *instruction, hlo_attribute_id id) {
  const hlo_attribute *attribute = hlo_find_attribute(instruction, id);
  return attribute == NULL || attribute->count < 1 ? NULL : attribute->computations[0];
}

hlo_status hlo_attribute_make_ints(hlo_arena *arena, hlo_attribute_id id, int32_t count,
                                   const int64_t *ints, hlo_attribute *out, hlo_error *error) {
  int64_t *copy;
  HLO_ALLOC(copy, arena, count, error);
  if (count > 0) memcpy(copy, ints, (size_t)count * sizeof *copy);
  *out = (hlo_attribute){.id = id, .count = count, .ints = copy};
  return HLO_OK;
}

hlo_attribute hlo_attribute_make_int(hlo_attribute_id id, int64_t value) {
  return (hlo_attribute){.id = id, .integer = value};
}

hlo_attribute hlo_attribute_make_text(hlo_attribute_id id, const char *text_in_arena) {
  return (hlo_attribute){.id = id, .text = text_in_arena};
}

hlo_status hlo_attribute_make_computations(hlo_arena *arena, hlo_attribute_id id, int32_t count,
                                           hlo_computation *const *computations, hlo_attribute *out,
                                           hlo_error *error) {
  hlo_computation **copy;
  HLO_ALLOC(copy, arena, count, error);
  for (int32_t i = 0; i < count; i++) copy[i] = computations[i];
  *out = (hlo_attribute){.id = id, .count = count, .computations = copy};
  return HLO_OK;
}

hlo_status hlo_attribute_make_computation(hlo_arena *arena, hlo_attribute_id id,
                                          hlo_computation *computation, hlo_attribute *out,
                                          hlo_error *error) {
  return hlo_attribute_make_computations(arena, id, 1, &computation, out, error);
}
