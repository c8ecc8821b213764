// GetDimensionSize and SetDimensionSize where every dimension is as large as its bound. Source of
// semantics: their sections of the operation semantics. Must not know what elements mean.
#include "eval/structural.h"
#include "shape/literal.h"

static int64_t bound_of(const hlo_instruction *instruction, const hlo_view *operand) {
  int32_t count;
  return operand->dims[*hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count)];
}

// The result is s32, so a size beyond that saturates.
hlo_status hlo_eval_get_dimension_size(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const hlo_view *operands,
                                       const hlo_view *results, hlo_error *error) {
  (void)evaluator, (void)error;
  int64_t size = bound_of(instruction, &operands[0]);
  hlo_number number = {.type_class = HLO_CLASS_SIGNED, .i = size > INT32_MAX ? INT32_MAX : size};
  hlo_element_set(results[0].type, results[0].data, number);
  return HLO_OK;
}

hlo_status hlo_eval_set_dimension_size(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const hlo_view *operands,
                                       const hlo_view *results, hlo_error *error) {
  (void)evaluator;
  int64_t size = hlo_element_get(operands[1].type, operands[1].data).i;
  int64_t bound = bound_of(instruction, &operands[0]);
  if (size != bound) {
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error,
                                "the size %lld of a dimension with room for %lld", (long long)size,
                                (long long)bound);
  }
  hlo_view_copy(&results[0], &operands[0]);
  return HLO_OK;
}
