// Runs computations: an environment with one value for each instruction, evaluated in order.
#include "reference/values.h"

static hlo_status evaluate(const hlo_value_operation *x, hlo_error *error) {
  const hlo_instruction *instruction = x->instruction;
  hlo_value_function *function = hlo_reference_functions(instruction->opcode)->value;
  if (function != NULL) return function(x, error);
  bool is_sized = (hlo_op_get(instruction->opcode)->properties & HLO_PROPERTY_SIZES) != 0;
  for (int32_t k = 0; k < instruction->operand_count; k++)
    is_sized = is_sized || x->operands[k].sizes != NULL;
  if (is_sized) return hlo_reference_evaluate_sized(x, error);
  int32_t operands, results;
  hlo_view *views;
  HLO_TRY(hlo_value_operation_begin(x, &operands, &results, &views, error));
  return hlo_reference_evaluate(x->reference, instruction, views, views + operands, error);
}

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
    hlo_status status = evaluate(&(hlo_value_operation){reference, x, operands, &values[i]}, error);
    if (status != HLO_OK) hlo_error_locate(error, x->line, x->column);
    HLO_TRY(status);
  }
  *result = values[computation->root->id];
  return HLO_OK;
}
