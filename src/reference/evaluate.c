// Evaluates an instruction on values: those of arrays as a whole, and all others.
#include "reference/operation.h"
#include "reference/values.h"

#define VALUE(opcode, name) [HLO_OP_##opcode] = hlo_reference_##name,
static hlo_value_function *const value_functions[HLO_OP_COUNT] = {
#include "reference/operations.def"
};

bool hlo_reference_has(hlo_opcode opcode) {
  return hlo_reference_has_arrays(opcode) || value_functions[opcode] != NULL ||
         opcode == HLO_OP_PARAMETER;
}

hlo_status hlo_reference_evaluate_value(const hlo_value_operation *x, hlo_error *error) {
  const hlo_instruction *instruction = x->instruction;
  if (value_functions[instruction->opcode] != NULL)
    return value_functions[instruction->opcode](x, error);
  bool is_sized = (hlo_op_get(instruction->opcode)->properties & HLO_PROPERTY_SIZES) != 0;
  for (int32_t k = 0; k < instruction->operand_count; k++)
    is_sized = is_sized || x->operands[k].sizes != NULL;
  if (is_sized) return hlo_reference_evaluate_sized(x, error);
  int32_t operands, results;
  hlo_view *views;
  HLO_TRY(hlo_value_operation_begin(x, &operands, &results, &views, error));
  return hlo_reference_evaluate(x->reference, instruction, views, views + operands, error);
}
