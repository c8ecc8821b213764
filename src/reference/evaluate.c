// Evaluates instructions on arrays.
#include "reference/operation.h"

bool hlo_reference_has(hlo_opcode opcode) {
  const hlo_functions *functions = hlo_reference_functions(opcode);
  return functions->element != NULL || functions->array != NULL || functions->value != NULL ||
         opcode == HLO_OP_PARAMETER;
}

hlo_status hlo_reference_evaluate(const hlo_reference *reference,
                                  const hlo_instruction *instruction, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error) {
  hlo_operation x = {reference, instruction, operands, results};
  hlo_opcode opcode = instruction->opcode;
  const hlo_functions *functions = hlo_reference_functions(opcode);
  if (functions->array != NULL) return functions->array(&x, error);
  if (functions->element == NULL)
    return hlo_instruction_fail(instruction, HLO_INVALID_ARGUMENT, error, "%s is not about arrays",
                                hlo_op_get(opcode)->name);
  int32_t leaves = opcode == HLO_OP_COPY ? hlo_shape_leaf_count(instruction->shape) : 1;
  for (; leaves > 0; leaves--, x.operands++, x.results++) { // a copy may be of a tuple
    if (!hlo_type_is_array(x.results->type)) continue;
    for (hlo_index i = hlo_index_over(x.results); hlo_index_next(&i);)
      hlo_store_scalar(x.results, i.at, functions->element(&x, i.at));
  }
  return HLO_OK;
}

hlo_status hlo_reference_fold(const hlo_instruction *instruction, const void *const *operands,
                              void *const *results, hlo_error *error) {
  hlo_arena arena = {0};
  hlo_reference reference = {.arena = &arena};
  int32_t leaves = hlo_shape_leaf_count(instruction->shape), count = instruction->operand_count;
  hlo_view *views = hlo_arena_array(&arena, (size_t)(count + leaves), sizeof *views);
  if (views == NULL) return hlo_fail_out_of_memory(error);
  for (int32_t k = 0; k < count; k++) // only read
    views[k] = hlo_view_of(instruction->operands[k]->shape, (void *)(uintptr_t)operands[k]);
  for (int32_t i = 0; i < leaves; i++)
    views[count + i] = hlo_view_of(hlo_shape_leaf(instruction->shape, i), results[i]);
  hlo_status status = hlo_reference_evaluate(&reference, instruction, views, views + count, error);
  hlo_arena_free(&arena);
  return status;
}
