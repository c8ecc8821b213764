// Inference rules of sort and topk. Source: "Operation Semantics" of XLA's documentation.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

// The comparator gets, for each operand, the element on the left and the element on the right.
static hlo_status check_comparator(const hlo_instruction *x, hlo_error *error) {
  const hlo_computation *comparator = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (x->operand_count > INT32_MAX / 2) return hlo_fail_out_of_memory(error);
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_TO_APPLY, comparator, 2 * x->operand_count, error));
  for (int32_t i = 0; i < 2 * x->operand_count; i++)
    HLO_TRY(hlo_require_parameter(x, HLO_ATTRIBUTE_TO_APPLY, comparator, i,
                                  hlo_shape_scalar(hlo_operand_shape(x, i / 2)->type), error));
  return hlo_require_result(x, HLO_ATTRIBUTE_TO_APPLY, comparator, hlo_shape_scalar(HLO_PRED),
                            error);
}

hlo_status hlo_infer_sort(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
    HLO_TRY(hlo_require_same_dimensions(x, 0, k, error));
    HLO_TRY(hlo_result_shape_like(x, arena, hlo_operand_shape(x, k), hlo_operand_shape(x, k)->type,
                                  &elements[k], error));
  }
  int32_t count;
  hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (count != 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "dimensions must name one dimension: it has %d", count);
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_DIMENSIONS, hlo_operand_shape(x, 0), error));
  HLO_TRY(check_comparator(x, error));
  return hlo_result_shapes(x, arena, x->operand_count, elements, out, error);
}

// The k largest or smallest along the last dimension, and where they were.
hlo_status hlo_infer_topk(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY & ~(uint32_t)HLO_CLASS_COMPLEX, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0), *elements[2];
  int64_t k = hlo_get_int(x, HLO_ATTRIBUTE_K, -1), dims[HLO_MAX_RANK];
  char text[HLO_SHAPE_TEXT_SIZE];
  if (shape->rank == 0 || k < 0 || k > shape->dims[shape->rank - 1])
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "the last dimension must have at least k=%lld elements: %s",
                                (long long)k, hlo_shape_to_text(text, shape));
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++) {
    dims[d] = shape->dims[d];
    dynamic[d] = hlo_shape_is_dynamic_in(shape, d) && d != shape->rank - 1;
  }
  dims[shape->rank - 1] = k;
  HLO_TRY(hlo_result_shape(x, arena, shape->type, shape->rank, dims, dynamic, &elements[0], error));
  HLO_TRY(hlo_result_shape(x, arena, HLO_S32, shape->rank, dims, dynamic, &elements[1], error));
  return hlo_result_shapes(x, arena, 2, elements, out, error);
}
