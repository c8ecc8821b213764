// Dispatches instructions to the functions that ops.def names.
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"

static hlo_status run_lanes(void *context, void *result, const void *const *operands, int64_t n,
                            hlo_error *error) {
  (void)error;
  const hlo_lane_op *op = context;
  op->run(op, result, operands, n);
  return HLO_OK;
}

static hlo_status eval_elementwise(const hlo_evaluator *evaluator,
                                   const hlo_instruction *instruction, const hlo_view *operands,
                                   const hlo_view *results, hlo_error *error) {
  hlo_lane_op op;
  HLO_TRY(hlo_lane_op_require(instruction, &op, error));
  return hlo_run_over_views(evaluator, run_lanes, &op, instruction->operand_count, operands,
                            results, error);
}

hlo_status hlo_eval_compare(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  return eval_elementwise(evaluator, instruction, operands, results, error);
}
hlo_status hlo_eval_convert(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  return eval_elementwise(evaluator, instruction, operands, results, error);
}
hlo_status hlo_eval_select(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  return eval_elementwise(evaluator, instruction, operands, results, error);
}
hlo_status hlo_eval_clamp(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                          const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  return eval_elementwise(evaluator, instruction, operands, results, error);
}
hlo_status hlo_eval_reduce_precision(const hlo_evaluator *evaluator,
                                     const hlo_instruction *instruction, const hlo_view *operands,
                                     const hlo_view *results, hlo_error *error) {
  return eval_elementwise(evaluator, instruction, operands, results, error);
}
hlo_status hlo_eval_stochastic_convert(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const hlo_view *operands,
                                       const hlo_view *results, hlo_error *error) {
  return eval_elementwise(evaluator, instruction, operands, results, error);
}

hlo_status hlo_eval_executor(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                             const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)evaluator, (void)operands, (void)results;
  return hlo_instruction_fail(instruction, HLO_INVALID_ARGUMENT, error, "%s is the executor's",
                              hlo_op_get(instruction->opcode)->name);
}
hlo_status hlo_eval_unsupported(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                                const hlo_view *operands, const hlo_view *results,
                                hlo_error *error) {
  (void)evaluator, (void)operands, (void)results;
  return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "%s cannot be run",
                              hlo_op_get(instruction->opcode)->name);
}

static hlo_eval_function *const functions[HLO_OP_COUNT] = {
#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)                   \
  [HLO_OP_##id] = eval_elementwise,
#define STRUCTURAL(id, name, stablehlo, low, high, attributes, properties, infer, eval)            \
  [HLO_OP_##id] = hlo_eval_##eval,
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL
};

hlo_status hlo_evaluate(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  return functions[instruction->opcode](evaluator, instruction, operands, results, error);
}

bool hlo_evaluator_supports(hlo_opcode opcode) { return functions[opcode] != hlo_eval_unsupported; }

bool hlo_evaluator_leaves_to_executor(hlo_opcode opcode) {
  return functions[opcode] == hlo_eval_executor;
}
