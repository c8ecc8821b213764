// Reduce: any number of operands, any computation. Source of semantics: "Reduce" of the operation
// semantics. Lanes are elements of the results, and each step applies the computation to all of
// them, so values are combined in the logical order of the reduced dimensions under every layout.
// Over no dimensions each element is still combined with the start value, as StableHLO's
// interpreter does; XLA's CPU backend takes the start value for neutral there and drops it.
#include "kernels/reduce/reduce.h"
#include "kernels/elementwise/apply.h"
#include "kernels/machine.h"
#include "kernels/reduce/in_order.h"

#include <string.h>

// One operand by one op in XLA's order; only narrow floats get long dimensions here.
static hlo_status reduce_in_order(const hlo_evaluator *evaluator,
                                  const hlo_computation *computation, hlo_opcode opcode,
                                  const hlo_reduce_views *views, int32_t count,
                                  const int64_t *dimensions, hlo_error *error) {
  hlo_view operand;
  HLO_TRY(hlo_reduce_long_dimensions(evaluator, opcode, views->operands, count, dimensions,
                                     &operand, error));
  hlo_reduction reduction = hlo_reduction_of(&operand, count, dimensions);
  const hlo_reduce_views shorter = {1, &operand, views->initial, views->results};
  return hlo_reduce_by_steps(evaluator, computation, &reduction, &shorter, error);
}

hlo_status hlo_eval_reduce(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY);
  int32_t dimension_count, count = instruction->operand_count / 2;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &dimension_count);
  hlo_reduction reduction = hlo_reduction_of(&operands[0], dimension_count, dimensions);
  hlo_reduce_views views = {count, operands, operands + count, results};
  if (reduction.lanes == 0) return HLO_OK;
  if (reduction.steps == 0) {
    for (int32_t i = 0; i < count; i++) hlo_view_fill(&results[i], views.initial[i].data);
    return HLO_OK;
  }
  bool same_type = count == 1 && operands[0].type == results[0].type;
  hlo_opcode opcode = same_type ? hlo_applied_op(computation, operands[0].type) : HLO_OP_COUNT;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status;
  bool loses = opcode == HLO_OP_ADD && reduction.steps > HLO_REDUCE_IN_ORDER &&
               hlo_has_long_windows(&operands[0], dimension_count, dimensions);
  if (!loses &&
      hlo_reduces_in_order(opcode, operands[0].type, reduction.steps, HLO_REDUCE_IN_ORDER)) {
    status =
        reduce_in_order(evaluator, computation, opcode, &views, dimension_count, dimensions, error);
  } else if (opcode == HLO_OP_COUNT) {
    status = hlo_reduce_by_segments(evaluator, computation, &reduction, &views, error);
  } else {
    status =
        hlo_reduce_by_op(evaluator, &reduction, opcode, operands, views.initial, results, error);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
