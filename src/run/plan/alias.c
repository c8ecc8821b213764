// Plans operations that cost nothing at run time: tuples and their elements, barriers,
// dependencies, and the pairs of start and done, whose tuples only rename leaves. See planner.h.
#include "hlo/alias_form.h"
#include "run/plan/planner.h"

#include <string.h>

// The slots of all operands in a row, as far as there is room: of add-dependency and send the token
// after the value is dropped.
static void copy_operand_slots(const hlo_planner *p, const hlo_instruction *instruction,
                               int32_t leaves, int32_t *slots) {
  int32_t filled = 0;
  for (int32_t i = 0; i < instruction->operand_count && filled < leaves; i++) {
    const hlo_instruction *operand = instruction->operands[i];
    int32_t count = hlo_leaves_of(operand);
    if (count > leaves - filled) count = leaves - filled;
    if (count > 0) memcpy(slots + filled, p->slots[operand->id], (size_t)count * sizeof *slots);
    filled += count;
  }
}

hlo_status hlo_planner_add_alias(hlo_planner *p, const hlo_instruction *instruction,
                                 hlo_error *error) {
  int32_t leaves = hlo_leaves_of(instruction), *slots;
  int32_t element = hlo_alias_element(instruction);
  HLO_ALLOC(slots, &p->set->arena, leaves, error);
  p->slots[instruction->id] = slots;
  if (element >= 0) {
    const hlo_instruction *tuple = instruction->operands[0];
    int32_t skipped = hlo_shape_leaves_before(tuple->shape, element);
    if (leaves > 0) {
      memcpy(slots, p->slots[tuple->id] + skipped, (size_t)leaves * sizeof *slots);
    }
    return HLO_OK;
  }
  copy_operand_slots(p, instruction, leaves, slots);
  return HLO_OK;
}

// --- starts ---

bool hlo_planner_is_start(hlo_opcode opcode) { return hlo_start_form_of(opcode) != NULL; }

static hlo_status add_contexts(hlo_planner *p, const hlo_shape *shape, int32_t *slots,
                               hlo_error *error) {
  int32_t leaves = hlo_shape_leaf_count(shape);
  for (int32_t i = 0; i < leaves; i++) {
    HLO_TRY(hlo_planner_add_zeros(p, hlo_shape_leaf(shape, i), &slots[i], error));
  }
  return HLO_OK;
}

hlo_status hlo_planner_add_start(hlo_planner *p, const hlo_instruction *instruction,
                                 const int32_t **first, int32_t *results, hlo_error *error) {
  const hlo_start_form *form = hlo_start_form_of(instruction->opcode);
  const hlo_shape *tuple = instruction->shape;
  int32_t *slots, at = 0;
  HLO_ALLOC(slots, &p->set->arena, hlo_leaves_of(instruction), error);
  p->slots[instruction->id] = slots;
  *first = slots;
  *results = 0;
  for (int32_t e = 0; e < tuple->element_count; e++) {
    const hlo_shape *element = tuple->elements[e];
    int32_t leaves = hlo_shape_leaf_count(element);
    if (e == form->operands) {
      copy_operand_slots(p, instruction, leaves, slots + at);
    } else if (e == form->results) {
      HLO_TRY(hlo_planner_add_slots(p, element, slots + at, error));
      *first = slots + at;
      *results = leaves;
    } else {
      HLO_TRY(add_contexts(p, element, slots + at, error));
    }
    at += leaves;
  }
  return HLO_OK;
}
