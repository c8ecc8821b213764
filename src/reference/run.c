// Runs computations: an environment with one value for each instruction, evaluated in order. Which
// function evaluates which operation stands here.
#include "reference/operation.h"
#include "reference/values.h"

static hlo_operation_function *function_of(hlo_opcode opcode) {
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

bool hlo_reference_has(hlo_opcode opcode) {
  return function_of(opcode) != NULL || hlo_reference_control_function(opcode) != NULL ||
         hlo_reference_device_function(opcode) != NULL || opcode == HLO_OP_PARAMETER ||
         opcode == HLO_OP_SET_DIMENSION_SIZE || opcode == HLO_OP_DYNAMIC_RESHAPE;
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
  hlo_operation_function *function = function_of(instruction->opcode);
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

// --- computations of scalars ---

// A computation whose instructions are all scalars that have a scalar function: *done says whether
// it is one.
static hlo_status apply_scalars(const hlo_reference *reference, const hlo_computation *computation,
                                const hlo_scalar *arguments, hlo_scalar *results, bool *done,
                                hlo_error *error) {
  enum { MOST_OPERANDS = 3 };
  const hlo_instruction *root = computation->root;
  hlo_scalar *values, operands[MOST_OPERANDS];
  *done = false;
  HLO_ALLOC(values, reference->arena, computation->instruction_count, error);
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    hlo_scalar_function *function = hlo_reference_scalar_function(x->opcode);
    if (x == root && x->opcode == HLO_OP_TUPLE) continue;
    if (!hlo_shape_is_scalar(x->shape)) return HLO_OK;
    for (int32_t k = 0; function != NULL && k < x->operand_count; k++)
      operands[k] = values[x->operands[k]->id];
    values[i].type = x->shape->type;
    if (x->opcode == HLO_OP_PARAMETER) values[i] = arguments[x->parameter_number];
    else if (x->opcode == HLO_OP_CONSTANT && x->literal != NULL)
      memcpy(values[i].bytes, x->literal->data, (size_t)hlo_type_bytes(x->shape->type));
    else if (function != NULL) values[i] = function(x, operands);
    else return HLO_OK;
  }
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  for (int32_t i = 0; is_tuple && i < root->operand_count; i++)
    results[i] = values[root->operands[i]->id];
  if (!is_tuple) results[0] = values[root->id];
  *done = true;
  return HLO_OK;
}

static hlo_status apply_values(const hlo_reference *reference, const hlo_computation *computation,
                               const hlo_scalar *arguments, hlo_scalar *results, hlo_error *error) {
  enum { MAX_NESTING = 16 };
  hlo_value *values, result;
  hlo_reference inner = *reference;
  if (inner.nesting++ >= MAX_NESTING)
    return hlo_fail(error, HLO_UNSUPPORTED, "computation %s: applied more than %d levels deep",
                    computation->name, (int)MAX_NESTING);
  HLO_ALLOC(values, reference->arena, computation->parameter_count, error);
  for (int32_t i = 0; i < computation->parameter_count; i++)
    values[i] = (hlo_value){.shape = hlo_shape_scalar(arguments[i].type),
                            .data = (void *)(uintptr_t)arguments[i].bytes};
  HLO_TRY(hlo_reference_run(&inner, computation, values, &result, error));
  const hlo_value **leaves;
  int32_t count = hlo_value_leaves(&result, NULL);
  HLO_ALLOC(leaves, reference->arena, count, error);
  hlo_value_leaves(&result, leaves);
  for (int32_t i = 0; i < count; i++) {
    results[i].type = leaves[i]->shape->type;
    memcpy(results[i].bytes, leaves[i]->data, (size_t)hlo_type_bytes(results[i].type));
  }
  return HLO_OK;
}

hlo_status hlo_reference_apply(const hlo_reference *reference, const hlo_computation *computation,
                               const hlo_scalar *arguments, hlo_scalar *results, hlo_error *error) {
  bool done;
  hlo_arena_mark mark = hlo_arena_get_mark(reference->arena);
  hlo_status status = apply_scalars(reference, computation, arguments, results, &done, error);
  if (status == HLO_OK && !done)
    status = apply_values(reference, computation, arguments, results, error);
  hlo_arena_rewind(reference->arena, mark);
  return status;
}

// --- environments ---

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
  HLO_TRY(hlo_value_make(reference->arena, instruction->shape, result, error));
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

static hlo_status evaluate(const hlo_reference *reference, const hlo_instruction *x,
                           const hlo_value *operands, hlo_value *result, hlo_error *error) {
  hlo_value_function *function = hlo_reference_control_function(x->opcode);
  if (function == NULL) function = hlo_reference_device_function(x->opcode);
  if (function == NULL) function = hlo_reference_evaluate_values;
  return function(reference, x, operands, result, error);
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
    HLO_TRY(evaluate(reference, x, operands, &values[i], error));
  }
  *result = values[computation->root->id];
  return HLO_OK;
}
