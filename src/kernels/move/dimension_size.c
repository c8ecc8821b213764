// GetDimensionSize. Source of semantics: its section of the operation semantics. A view has the
// actual sizes.
#include "kernels/structural.h"
#include "shape/literal.h"

// The result is s32, so a size beyond that saturates.
hlo_status hlo_eval_get_dimension_size(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const hlo_view *operands,
                                       const hlo_view *results, hlo_error *error) {
  (void)evaluator, (void)error;
  int32_t count;
  int64_t size = operands[0].dims[*hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count)];
  hlo_number number = {.type_class = HLO_CLASS_SIGNED, .i = size > INT32_MAX ? INT32_MAX : size};
  hlo_element_set(results[0].type, results[0].data, number);
  return HLO_OK;
}
