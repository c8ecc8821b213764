// Common subexpressions: of equal instructions of a computation the first is kept, and likewise of
// equal computations. See passes.h.
#include "hlo/name_hash.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"

#include <string.h>

enum { MOST_CONSTANT_BYTES = 4096 }; // larger constants are equal only if they are the same memory

static bool is_same_list(int32_t count, size_t size, const void *a, const void *b) {
  return count == 0 || (a != NULL && b != NULL && memcmp(a, b, (size_t)count * size) == 0);
}

// Attributes that do not affect the value.
static bool is_remark(hlo_attribute_id id) {
  return id == HLO_ATTRIBUTE_METADATA || id == HLO_ATTRIBUTE_STATISTICS ||
         id == HLO_ATTRIBUTE_ORIGIN || id == HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES ||
         id == HLO_ATTRIBUTE_SHARDING;
}

static bool same_computation(const hlo_computation *a, const hlo_computation *b);

// looks_inside: compare computations by their instructions, not by identity.
static bool same_computations(int32_t count, hlo_computation *const *a, hlo_computation *const *b,
                              bool looks_inside) {
  for (int32_t i = 0; i < count; i++) {
    if (a[i] != b[i] && !(looks_inside && same_computation(a[i], b[i]))) return false;
  }
  return true;
}

static bool same_attribute(const hlo_attribute *a, const hlo_attribute *b, bool looks_inside) {
  bool same_text =
      a->text == b->text || (a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0);
  bool same_shape = a->shape == b->shape ||
                    (a->shape != NULL && b->shape != NULL && hlo_shape_equal(a->shape, b->shape));
  return a->count == b->count && a->integer == b->integer && a->row_count == b->row_count &&
         memcmp(&a->real, &b->real, sizeof a->real) == 0 && same_text && same_shape &&
         (a->ints == b->ints || is_same_list(a->count, sizeof *a->ints, a->ints, b->ints)) &&
         (a->computations == b->computations ||
          (a->computations != NULL && b->computations != NULL &&
           same_computations(a->count, a->computations, b->computations, looks_inside))) &&
         is_same_list(a->row_count, sizeof *a->row_lengths, a->row_lengths, b->row_lengths);
}

static bool has_attributes_of(const hlo_instruction *a, const hlo_instruction *b,
                              bool looks_inside) {
  for (int32_t i = 0; i < a->attribute_count; i++) {
    if (is_remark(a->attributes[i].id)) continue;
    const hlo_attribute *other = hlo_find_attribute(b, a->attributes[i].id);
    if (other == NULL || !same_attribute(&a->attributes[i], other, looks_inside)) return false;
  }
  return true;
}

static bool same_literal(const hlo_literal *a, const hlo_literal *b) {
  if (a == b) return true;
  if (a == NULL || b == NULL || a->data == NULL || b->data == NULL) return false;
  if (!hlo_shape_equal(a->shape, b->shape)) return false;
  int64_t size = hlo_shape_bytes(a->shape);
  return size <= MOST_CONSTANT_BYTES && memcmp(a->data, b->data, (size_t)size) == 0;
}

// Equal in everything except operands.
static bool same_operation(const hlo_instruction *a, const hlo_instruction *b, bool looks_inside) {
  return a->opcode == b->opcode && a->operand_count == b->operand_count &&
         a->parameter_number == b->parameter_number && hlo_shape_equal(a->shape, b->shape) &&
         same_literal(a->literal, b->literal) && has_attributes_of(a, b, looks_inside) &&
         has_attributes_of(b, a, looks_inside);
}

// --- computations: instruction by instruction in order ---

// Their callees are compared by identity: recursion would take exponential time.
static bool same_computation(const hlo_computation *a, const hlo_computation *b) {
  if (a->instruction_count != b->instruction_count || a->root->id != b->root->id) return false;
  for (int32_t i = 0; i < a->instruction_count; i++) {
    const hlo_instruction *x = a->instructions[i], *y = b->instructions[i];
    if (!same_operation(x, y, false)) return false;
    for (int32_t k = 0; k < x->operand_count; k++) {
      if (x->operands[k]->id != y->operands[k]->id) return false;
    }
  }
  return true;
}

enum { LARGEST_COMPARED = 16, MOST_COMPARED = 256 };

// Only small ones such as reducers: computations of loops are rarely equal.
static hlo_status merge_computations(hlo_module *module, hlo_error *error) {
  hlo_computation **same, *seen[MOST_COMPARED];
  int32_t count = 0;
  HLO_ALLOC(same, &module->arena, module->computation_count, error);
  for (int32_t i = 0; i < module->computation_count; i++) {
    hlo_computation *computation = module->computations[i];
    same[i] = computation;
    if (computation->instruction_count > LARGEST_COMPARED || computation->has_side_effect) continue;
    for (int32_t s = 0; s < count && same[i] == computation; s++) {
      if (same_computation(seen[s], computation)) same[i] = seen[s];
    }
    if (same[i] == computation && count < MOST_COMPARED) seen[count++] = computation;
  }
  for (int32_t i = 0; i < module->computation_count; i++) {
    hlo_computation *computation = module->computations[i];
    for (int32_t j = 0; j < computation->instruction_count; j++) {
      hlo_instruction *x = computation->instructions[j];
      if (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_CALLS) continue;
      for (int32_t a = 0; a < x->attribute_count; a++) {
        if (hlo_attribute_get_kind(x->attributes[a].id) != HLO_KIND_COMPUTATION) continue;
        hlo_computation *old = x->attributes[a].computations[0];
        if (same[old->index] == old) continue;
        HLO_TRY(hlo_instruction_set_computation(x, x->attributes[a].id, same[old->index], error));
      }
    }
  }
  return HLO_OK;
}

// --- instructions ---

typedef struct table {
  uint32_t capacity; // a power of two, twice the number of instructions or more
  hlo_instruction **entries;
} table;

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

// Many instructions may differ in their attributes alone, as slices of one array do, or in their
// shapes, as broadcasts of a number do. The key is the table's, as in name_hash.h: constants can be
// chosen to collide under any function that is known.
static uint32_t hash_of(const table *t, const hlo_instruction *x) {
  const uint64_t key = (uint64_t)(uintptr_t)t->entries * 0x9e3779b97f4a7c15u;
  uint64_t hash = mix(key, (uint64_t)x->opcode);
  if (hlo_shape_is_array(x->shape)) hash = mix(hash, (uint64_t)hlo_shape_elements(x->shape));
  for (int32_t k = 0; k < x->operand_count; k++) hash = mix(hash, (uint64_t)x->operands[k]->id);
  for (int32_t a = 0; a < x->attribute_count; a++) {
    const hlo_attribute *attribute = &x->attributes[a];
    if (is_remark(attribute->id)) continue;
    uint64_t own = mix(mix(key, (uint64_t)attribute->id), (uint64_t)attribute->integer);
    for (int32_t i = 0; attribute->ints != NULL && i < attribute->count; i++)
      own = mix(own, (uint64_t)attribute->ints[i]);
    hash += own; // in any order
  }
  const hlo_literal *literal = x->literal;
  if (literal != NULL && literal->data != NULL) {
    int64_t size = hlo_shape_bytes(literal->shape);
    hash = mix(hash, size > MOST_CONSTANT_BYTES
                         ? (uint64_t)(uintptr_t)literal
                         : hlo_name_hash_at(t->entries, literal->data, (size_t)size));
  }
  return (uint32_t)(hash ^ hash >> 29);
}

static bool may_be_shared(const hlo_instruction *x) {
  bool calls = hlo_op_get(x->opcode)->properties & HLO_PROPERTY_CALLS;
  return (!calls || x->opcode == HLO_OP_WHILE) && !hlo_has_side_effect(x);
}

static bool same_instruction(const hlo_instruction *a, const hlo_instruction *b) {
  if (a->opcode != b->opcode || a->operand_count != b->operand_count) return false;
  for (int32_t k = 0; k < a->operand_count; k++) {
    if (a->operands[k] != b->operands[k]) return false;
  }
  return same_operation(a, b, true);
}

static hlo_status replace_duplicate(void *context, hlo_instruction *x,
                                    hlo_instruction **replacement, hlo_error *error) {
  (void)error;
  table *t = context;
  if (!may_be_shared(x)) return HLO_OK;
  for (uint32_t i = hash_of(t, x);; i++) {
    hlo_instruction **entry = &t->entries[i & (t->capacity - 1)];
    if (*entry == NULL) {
      *entry = x;
      return HLO_OK;
    }
    if (same_instruction(*entry, x)) {
      *replacement = *entry;
      return HLO_OK;
    }
  }
}

static hlo_status share_instructions(hlo_computation *computation, hlo_error *error) {
  hlo_arena scratch = {0};
  table t = {.capacity = 16};
  while (t.capacity < 2 * (uint32_t)computation->instruction_count) t.capacity *= 2;
  t.entries = hlo_arena_array(&scratch, t.capacity, sizeof *t.entries);
  hlo_status status = t.entries == NULL
                          ? hlo_fail_out_of_memory(error)
                          : hlo_computation_rewrite(computation, replace_duplicate, &t, error);
  hlo_arena_free(&scratch);
  return status;
}

hlo_status hlo_pass_cse(hlo_module *module, hlo_error *error) {
  HLO_TRY(merge_computations(module, error));
  for (int32_t i = 0; i < module->computation_count; i++) {
    HLO_TRY(share_instructions(module->computations[i], error));
  }
  return HLO_OK;
}
