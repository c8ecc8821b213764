// Which function evaluates which operation on arrays.
#include "reference/operation.h"

hlo_operation_function *hlo_reference_array_function(hlo_opcode opcode) {
  static hlo_operation_function *const functions[HLO_OP_COUNT] = {
      [HLO_OP_MAP] = hlo_reference_map,
      [HLO_OP_BITCAST_CONVERT] = hlo_reference_bitcast_convert,
      [HLO_OP_BITCAST] = hlo_reference_bitcast,
      [HLO_OP_BROADCAST] = hlo_reference_broadcast,
      [HLO_OP_RESHAPE] = hlo_reference_reshape,
      [HLO_OP_TRANSPOSE] = hlo_reference_transpose,
      [HLO_OP_SLICE] = hlo_reference_slice,
      [HLO_OP_CONCATENATE] = hlo_reference_concatenate,
      [HLO_OP_PAD] = hlo_reference_pad,
      [HLO_OP_REVERSE] = hlo_reference_reverse,
      [HLO_OP_IOTA] = hlo_reference_iota,
      [HLO_OP_DYNAMIC_SLICE] = hlo_reference_dynamic_slice,
      [HLO_OP_DYNAMIC_UPDATE_SLICE] = hlo_reference_dynamic_update_slice,
      [HLO_OP_GATHER] = hlo_reference_gather,
      [HLO_OP_SCATTER] = hlo_reference_scatter,
      [HLO_OP_DOT] = hlo_reference_dot,
      [HLO_OP_RAGGED_DOT] = hlo_reference_dot,
      [HLO_OP_SCALED_DOT] = hlo_reference_scaled_dot,
      [HLO_OP_CONVOLUTION] = hlo_reference_convolution,
      [HLO_OP_REDUCE] = hlo_reference_reduce,
      [HLO_OP_REDUCE_WINDOW] = hlo_reference_reduce_window,
      [HLO_OP_SELECT_AND_SCATTER] = hlo_reference_select_and_scatter,
      [HLO_OP_SORT] = hlo_reference_sort,
      [HLO_OP_TOPK] = hlo_reference_topk,
      [HLO_OP_FFT] = hlo_reference_fft,
      [HLO_OP_CHOLESKY] = hlo_reference_cholesky,
      [HLO_OP_TRIANGULAR_SOLVE] = hlo_reference_triangular_solve,
      [HLO_OP_BATCH_NORM_TRAINING] = hlo_reference_batch_norm_training,
      [HLO_OP_BATCH_NORM_INFERENCE] = hlo_reference_batch_norm_inference,
      [HLO_OP_BATCH_NORM_GRAD] = hlo_reference_batch_norm_grad,
      [HLO_OP_RNG] = hlo_reference_rng,
      [HLO_OP_RNG_BIT_GENERATOR] = hlo_reference_rng_bit_generator,
      [HLO_OP_RNG_GET_AND_UPDATE_STATE] = hlo_reference_rng_get_and_update_state,
      [HLO_OP_GET_DIMENSION_SIZE] = hlo_reference_get_dimension_size,
      [HLO_OP_COPY_START] = hlo_reference_copy_array,
  };
  if (hlo_reference_scalar_function(opcode) != NULL) return hlo_reference_elementwise;
  return functions[opcode];
}

// A copy may be of a tuple: leaf by leaf.
static hlo_status copy_leaves(hlo_operation x, hlo_error *error) {
  int32_t leaves = hlo_shape_leaf_count(x.instruction->shape);
  for (int32_t i = 0; i < leaves; i++, x.operands++, x.results++)
    if (hlo_type_is_array(x.results->type)) HLO_TRY(hlo_reference_copy_array(&x, error));
  return HLO_OK;
}

hlo_status hlo_reference_evaluate(const hlo_reference *reference,
                                  const hlo_instruction *instruction, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error) {
  hlo_operation x = {reference, instruction, operands, results};
  if (instruction->opcode == HLO_OP_COPY) return copy_leaves(x, error);
  hlo_operation_function *function = hlo_reference_array_function(instruction->opcode);
  if (function != NULL) return function(&x, error);
  return hlo_instruction_fail(instruction, HLO_INVALID_ARGUMENT, error, "%s is not about arrays",
                              hlo_op_get(instruction->opcode)->name);
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
