// Map: a scalar computation over the elements of arrays. Source of semantics: "Map" of the
// operation semantics.
#include "kernels/elementwise/apply.h"
#include "kernels/structural.h"

static hlo_status run_block(void *context, void *result, const void *const *operands, int64_t n,
                            hlo_error *error) {
  return hlo_applier_run(context, n, operands, &result, error);
}

hlo_status hlo_eval_map(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY);
  int64_t lanes = hlo_view_elements(&results[0]);
  hlo_applier *applier;
  if (lanes == 0) return HLO_OK;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = hlo_applier_create(evaluator, computation, lanes, &applier, error);
  if (status == HLO_OK) {
    status = hlo_run_over_views(evaluator, run_block, applier, instruction->operand_count, operands,
                                results, error);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
