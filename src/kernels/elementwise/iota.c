// Iota: the index along one dimension as a value. Source of semantics: "Iota" of the operation
// semantics.
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

hlo_status hlo_eval_iota(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                         const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)operands;
  const hlo_view *result = &results[0];
  int64_t d = hlo_get_int(instruction, HLO_ATTRIBUTE_IOTA_DIMENSION, 0);
  if (hlo_view_elements(result) == 0) return HLO_OK;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  int64_t block = result->dims[d] < HLO_LANE_BLOCK ? result->dims[d] : HLO_LANE_BLOCK;
  int64_t *numbers;
  hlo_view values, to = *result;
  HLO_ALLOC(numbers, evaluator->scratch, block, error);
  HLO_TRY(hlo_scratch_view(evaluator, result->type, 1, &block, &values, error));
  for (int64_t start = 0; start < result->dims[d]; start += block) {
    int64_t count = result->dims[d] - start < block ? result->dims[d] - start : block;
    for (int64_t i = 0; i < count; i++) numbers[i] = start + i;
    hlo_convert_lanes(result->type, values.data, HLO_S64, numbers, count);
    to.data = hlo_view_at(result, start * result->strides[d]);
    to.dims[d] = count;
    hlo_view from = to; // the values, repeated along all other dimensions
    from.data = values.data;
    for (int32_t i = 0; i < to.rank; i++) from.strides[i] = i == d;
    hlo_view_copy(&to, &from);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}
