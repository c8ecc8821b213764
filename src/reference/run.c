// Runs computations: an environment with one value for each instruction, evaluated in order.
#include "reference/values.h"

// Recursion follows the call graph, which the verifier bounds.
hlo_status hlo_reference_run(const hlo_reference *reference, const hlo_computation *computation,
                             const hlo_value *arguments, hlo_value *result, hlo_error *error) {
  hlo_value *values;
  HLO_ALLOC(values, reference->arena, computation->instruction_count, error);
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (x->opcode == HLO_OP_PARAMETER) {
      HLO_TRY(hlo_value_as(reference->arena, &arguments[x->parameter_number], x->shape, &values[i],
                           error));
      continue;
    }
    hlo_value *operands;
    HLO_ALLOC(operands, reference->arena, x->operand_count, error);
    for (int32_t k = 0; k < x->operand_count; k++) operands[k] = values[x->operands[k]->id];
    hlo_value_operation operation = {reference, x, operands, &values[i]};
    HLO_TRY(hlo_reference_evaluate_value(&operation, error));
  }
  *result = values[computation->root->id];
  return HLO_OK;
}
