// Dot of arrays whose shapes are seen at the call: plans the contraction and runs it. Programs plan
// theirs once (run/plan/products.c).
#include "kernels/product/strategies.h"
#include "kernels/structural.h"

hlo_status hlo_eval_dot(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  hlo_contraction_plan plan;
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_contraction_describe(instruction, &operands[0], &operands[1], &results[0], &plan.contraction);
  hlo_contraction_plan_make(evaluator->backend, &plan);
  return hlo_contraction_run(&plan, evaluator, operands[0].data, operands[1].data, results[0].data,
                             error);
}
