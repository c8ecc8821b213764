// The custom call that JAX makes of approx_max_k and approx_min_k. An exact answer is the best
// approximation: the first elements of the sorted rows. Must not know about plans or frames.
#include "run/custom_call.h"

#include <string.h>

static bool is_scalar(const hlo_instruction *x, hlo_type type) {
  return hlo_shape_is_scalar(x->shape) && x->shape->type == type;
}

// Operands: arrays of one shape, then a start value for each. Results: as many arrays, shorter
// along the dimension that the search runs over. The called computation compares as Sort's does.
static hlo_status find_forms(const hlo_custom_call *call, int32_t *dimension, hlo_error *error) {
  int32_t count = call->result_count;
  const hlo_attribute *called =
      hlo_find_attribute(call->instruction, HLO_ATTRIBUTE_CALLED_COMPUTATIONS);
  double stated = hlo_custom_call_number(call->instruction, "reduction_dim", -1);
  bool fits = count > 0 && call->operand_count == 2 * count && called != NULL &&
              called->count == 1 && called->computations[0]->parameter_count == 2 * count &&
              is_scalar(called->computations[0]->root, HLO_PRED);
  fits = fits && stated >= 0 && stated < call->operands[0].rank;
  *dimension = fits ? (int32_t)stated : 0;
  for (int32_t k = 0; fits && k < count; k++) {
    const hlo_view *from = &call->operands[k], *to = &call->results[k], *first = call->operands;
    hlo_instruction *const *compared = called->computations[0]->parameters + 2 * k;
    fits = is_scalar(compared[0], from->type) && is_scalar(compared[1], from->type) &&
           from->type == to->type && from->rank == first->rank && to->rank == first->rank;
    for (int32_t d = 0; fits && d < first->rank; d++) {
      fits = from->dims[d] == first->dims[d] &&
             (d == *dimension ? to->dims[d] <= from->dims[d] : to->dims[d] == from->dims[d]);
    }
  }
  if (fits) return HLO_OK;
  return hlo_instruction_fail(
      call->instruction, HLO_SHAPE_ERROR, error,
      "takes n arrays of one shape and n start values, a reduction_dim, and "
      "a comparison of 2 n values; gives n arrays that are not longer");
}

hlo_status hlo_approximate_top_k(const hlo_custom_call *call, hlo_error *error) {
  const hlo_evaluator *evaluator = call->evaluator;
  int32_t dimension, count = call->result_count;
  HLO_TRY(find_forms(call, &dimension, error));
  int64_t dimensions[1] = {dimension};
  hlo_attribute attributes[2] = {
      {.id = HLO_ATTRIBUTE_DIMENSIONS, .count = 1, .ints = dimensions},
      *hlo_find_attribute(call->instruction, HLO_ATTRIBUTE_CALLED_COMPUTATIONS)};
  attributes[1].id = HLO_ATTRIBUTE_TO_APPLY;
  hlo_instruction sort = *call->instruction;
  sort.opcode = HLO_OP_SORT;
  sort.operand_count = count;
  sort.attribute_count = 2;
  sort.attributes = attributes;
  hlo_view *sorted;
  HLO_ALLOC(sorted, evaluator->scratch, count, error);
  for (int32_t k = 0; k < count; k++) {
    sorted[k] = call->operands[k];
    size_t elements = (size_t)hlo_view_elements(&sorted[k]);
    sorted[k].data =
        hlo_arena_array(evaluator->scratch, elements, (size_t)hlo_type_bytes(sorted[k].type));
    if (sorted[k].data == NULL) return hlo_fail_out_of_memory(error);
    int64_t stride = 1;
    for (int32_t d = sorted[k].rank - 1; d >= 0; d--) {
      sorted[k].strides[d] = stride;
      stride *= sorted[k].dims[d];
    }
  }
  HLO_TRY(hlo_evaluate(evaluator, &sort, call->operands, sorted, error));
  for (int32_t k = 0; k < count; k++) {
    memcpy(sorted[k].dims, call->results[k].dims, sizeof sorted[k].dims);
    hlo_view_copy(&call->results[k], &sorted[k]);
  }
  return HLO_OK;
}
