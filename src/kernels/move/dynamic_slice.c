// DynamicSlice and DynamicUpdateSlice. Source of semantics: their sections of the operation
// semantics: start indices are clamped so that the slice lies inside of the operand.
#include "kernels/structural.h"
#include "shape/literal.h"

// An index of any integer type, clamped to 0 … limit.
static int64_t clamped_index(hlo_type type, const void *element, int64_t limit) {
  hlo_number number = hlo_element_get(type, element);
  if (number.type_class == HLO_CLASS_UNSIGNED) {
    return number.u > (uint64_t)limit ? limit : (int64_t)number.u;
  }
  return number.i < 0 ? 0 : number.i > limit ? limit : number.i;
}

// A view of the slice of `whole` with the dims of `part` that starts at the indices: one scalar
// operand per dimension, or one vector operand.
static void view_of_slice(const hlo_view *whole, const hlo_view *part, int32_t index_count,
                          const hlo_view *indices, hlo_view *out) {
  out->type = whole->type;
  out->rank = whole->rank;
  out->data = whole->data;
  bool is_vector = index_count == 1 && indices[0].rank == 1;
  for (int32_t i = 0; i < whole->rank; i++) {
    const hlo_view *index = is_vector ? &indices[0] : &indices[i];
    const void *element = hlo_view_at(index, is_vector ? i * index->strides[0] : 0);
    int64_t start = clamped_index(index->type, element, whole->dims[i] - part->dims[i]);
    out->data = hlo_view_at(out, start * whole->strides[i]);
    out->dims[i] = part->dims[i];
    out->strides[i] = whole->strides[i];
  }
}

hlo_status hlo_eval_dynamic_slice(const hlo_evaluator *evaluator,
                                  const hlo_instruction *instruction, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error) {
  (void)evaluator, (void)error;
  hlo_view from;
  view_of_slice(&operands[0], &results[0], instruction->operand_count - 1, operands + 1, &from);
  hlo_view_copy(&results[0], &from);
  return HLO_OK;
}

// The result may be the first operand's memory: then only the update moves.
hlo_status hlo_eval_dynamic_update_slice(const hlo_evaluator *evaluator,
                                         const hlo_instruction *instruction,
                                         const hlo_view *operands, const hlo_view *results,
                                         hlo_error *error) {
  (void)evaluator, (void)error;
  const hlo_view *update = &operands[1];
  if (results[0].data != operands[0].data) hlo_view_copy(&results[0], &operands[0]);
  hlo_view to;
  view_of_slice(&results[0], update, instruction->operand_count - 2, operands + 2, &to);
  hlo_view_copy(&to, update);
  return HLO_OK;
}
