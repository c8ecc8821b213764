// Evaluates an instruction on values: those of arrays as a whole, and all others.
#include "reference/operation.h"
#include "reference/values.h"

bool hlo_reference_has(hlo_opcode opcode) {
  return hlo_reference_has_arrays(opcode) || hlo_reference_control_function(opcode) != NULL ||
         hlo_reference_device_function(opcode) != NULL || opcode == HLO_OP_PARAMETER ||
         opcode == HLO_OP_SET_DIMENSION_SIZE || opcode == HLO_OP_DYNAMIC_RESHAPE;
}

// Memory for the result in the layout that the instruction states, and views of all leaves.
hlo_status hlo_reference_evaluate_values(const hlo_reference *reference,
                                         const hlo_instruction *instruction,
                                         const hlo_value *operands, hlo_value *result,
                                         hlo_error *error) {
  bool is_sized = (hlo_op_get(instruction->opcode)->properties & HLO_PROPERTY_SIZES) != 0;
  int32_t count = 0, leaf = 0;
  for (int32_t k = 0; k < instruction->operand_count; k++) {
    is_sized = is_sized || hlo_value_is_sized(&operands[k]);
    count += hlo_value_leaves(&operands[k], NULL);
  }
  if (is_sized)
    return hlo_reference_evaluate_sized(reference, instruction, operands, result, error);
  HLO_TRY(hlo_value_create(reference->arena, instruction->shape, result, error));
  count += hlo_value_leaves(result, NULL);
  const hlo_value **leaves;
  hlo_view *views;
  HLO_ALLOC(leaves, reference->arena, count, error);
  HLO_ALLOC(views, reference->arena, count, error);
  for (int32_t k = 0; k < instruction->operand_count; k++)
    leaf += hlo_value_leaves(&operands[k], leaves + leaf);
  hlo_value_leaves(result, leaves + leaf);
  for (int32_t i = 0; i < count; i++) hlo_value_view_leaf(leaves[i], &views[i]);
  return hlo_reference_evaluate(reference, instruction, views, views + leaf, error);
}

hlo_status hlo_reference_evaluate_value(const hlo_reference *reference, const hlo_instruction *x,
                                        const hlo_value *operands, hlo_value *result,
                                        hlo_error *error) {
  hlo_value_function *function = hlo_reference_control_function(x->opcode);
  if (function == NULL) function = hlo_reference_device_function(x->opcode);
  if (function == NULL) function = hlo_reference_evaluate_values;
  return function(reference, x, operands, result, error);
}
