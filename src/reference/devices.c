// Operations among devices, where there is one: a group is that process alone. Source of
// semantics: "AllGather", "AllReduce", … of the operation semantics.
#include "reference/index.h"
#include "reference/values.h"

static hlo_status number(const hlo_reference *reference, const hlo_instruction *x,
                         const hlo_value *operands, hlo_value *result, hlo_error *error) {
  (void)operands;
  return hlo_value_create(reference->arena, x->shape, result, error); // 0
}

static hlo_status fail_alone(const hlo_instruction *x, hlo_error *error) {
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                              "needs other processes or a host: there is one process here");
}

// AllGather, AllReduce, ReduceScatter, AllToAll, CollectiveBroadcast and CollectiveReduce of one
// process are what it has; it is the root, whatever number that has.
static hlo_status own_operands(const hlo_reference *reference, const hlo_instruction *x,
                               const hlo_shape *shape, const hlo_value *operands, hlo_value *result,
                               hlo_error *error) {
  int32_t count = hlo_collective_data_count(x);
  if (count == 1 && !hlo_shape_is_tuple(shape)) {
    if (!hlo_shape_compatible(shape, operands[0].shape)) return fail_alone(x, error);
    return hlo_value_as(reference->arena, &operands[0], shape, result, error);
  }
  *result = (hlo_value){.shape = shape};
  if (shape->element_count != count) return fail_alone(x, error);
  HLO_ALLOC(result->elements, reference->arena, count, error);
  for (int32_t i = 0; i < count; i++) {
    if (!hlo_shape_compatible(shape->elements[i], operands[i].shape)) return fail_alone(x, error);
    HLO_TRY(hlo_value_as(reference->arena, &operands[i], shape->elements[i], &result->elements[i],
                         error));
  }
  return HLO_OK;
}

static hlo_status collective(const hlo_reference *reference, const hlo_instruction *x,
                             const hlo_value *operands, hlo_value *result, hlo_error *error) {
  return own_operands(reference, x, x->shape, operands, result, error);
}

// CollectivePermute: what the process that is paired with this one has; zeros where none is.
static hlo_status permuted(const hlo_reference *reference, const hlo_instruction *x,
                           const hlo_shape *shape, const hlo_value *operands, hlo_value *result,
                           hlo_error *error) {
  const hlo_attribute *pairs = hlo_find_attribute(x, HLO_ATTRIBUTE_SOURCE_TARGET_PAIRS);
  bool is_paired = false;
  if (hlo_find_attribute(x, HLO_ATTRIBUTE_SLICE_SIZES) != NULL) return fail_alone(x, error);
  for (int32_t i = 0; pairs != NULL && i + 1 < pairs->count; i += 2)
    is_paired = is_paired || (pairs->ints[i] == 0 && pairs->ints[i + 1] == 0);
  if (is_paired) return own_operands(reference, x, shape, operands, result, error);
  return hlo_value_create(reference->arena, shape, result, error);
}

static hlo_status collective_permute(const hlo_reference *reference, const hlo_instruction *x,
                                     const hlo_value *operands, hlo_value *result,
                                     hlo_error *error) {
  return permuted(reference, x, x->shape, operands, result, error);
}

// A start gives (operands, results, contexts…).
static hlo_status collective_start(const hlo_reference *reference, const hlo_instruction *x,
                                   const hlo_value *operands, hlo_value *result, hlo_error *error) {
  bool permutes = x->opcode == HLO_OP_COLLECTIVE_PERMUTE_START;
  HLO_TRY(hlo_value_create(reference->arena, x->shape, result, error));
  HLO_TRY(own_operands(reference, x, x->shape->elements[0], operands, &result->elements[0], error));
  return (permutes ? permuted : own_operands)(reference, x, x->shape->elements[1], operands,
                                              &result->elements[1], error);
}

// RaggedAllToAll: the result is operand 3 with rows of operand 0, which go from and to the offsets.
static hlo_status ragged_all_to_all(const hlo_reference *reference, const hlo_instruction *x,
                                    const hlo_value *operands, hlo_value *result,
                                    hlo_error *error) {
  enum { INPUT, INPUT_OFFSETS, SIZES, OUTPUT, OUTPUT_OFFSETS };
  hlo_view input, output, lists[OUTPUT_OFFSETS + 1];
  HLO_TRY(hlo_value_copy(reference->arena, &operands[OUTPUT], x->shape, result, error));
  hlo_value_view(&operands[INPUT], &input);
  hlo_value_view(result, &output);
  for (int k = INPUT_OFFSETS; k <= OUTPUT_OFFSETS; k++) hlo_value_view(&operands[k], &lists[k]);
  for (hlo_index i = hlo_index_over(&lists[SIZES]); hlo_index_next(&i);) {
    int64_t from = hlo_integer_of(hlo_number_at(&lists[INPUT_OFFSETS], i.at));
    int64_t to = hlo_integer_of(hlo_number_at(&lists[OUTPUT_OFFSETS], i.at));
    int64_t size = hlo_integer_of(hlo_number_at(&lists[SIZES], i.at));
    if (size < 0 || from < 0 || to < 0 || from > input.dims[0] - size || to > output.dims[0] - size)
      return hlo_instruction_fail(x, HLO_RUNTIME_ERROR, error, "rows lie outside of an operand");
    for (hlo_index e = hlo_index_over(&input); hlo_index_next(&e);) {
      int64_t row = e.at[0];
      if (row < from || row >= from + size) continue;
      hlo_scalar scalar = hlo_scalar_at(&input, e.at);
      e.at[0] = row - from + to;
      hlo_store_scalar(&output, e.at, scalar);
      e.at[0] = row;
    }
  }
  return HLO_OK;
}

static hlo_status first_operand(const hlo_reference *reference, const hlo_instruction *x,
                                const hlo_value *operands, hlo_value *result, hlo_error *error) {
  return hlo_value_as(reference->arena, &operands[0], x->shape, result, error);
}

static hlo_status second_element(const hlo_reference *reference, const hlo_instruction *x,
                                 const hlo_value *operands, hlo_value *result, hlo_error *error) {
  return hlo_value_as(reference->arena, &operands[0].elements[1], x->shape, result, error);
}

// Infeed, Outfeed, Send and Recv.
static hlo_status talk(const hlo_reference *reference, const hlo_instruction *x,
                       const hlo_value *operands, hlo_value *result, hlo_error *error) {
  (void)reference, (void)operands, (void)result;
  return fail_alone(x, error);
}

hlo_value_function *hlo_reference_device_function(hlo_opcode opcode) {
  static hlo_value_function *const functions[HLO_OP_COUNT] = {
      [HLO_OP_REPLICA_ID] = number,
      [HLO_OP_PARTITION_ID] = number,
      [HLO_OP_ALL_GATHER] = collective,
      [HLO_OP_ALL_GATHER_START] = collective_start,
      [HLO_OP_ALL_GATHER_DONE] = second_element,
      [HLO_OP_ALL_REDUCE] = collective,
      [HLO_OP_ALL_REDUCE_START] = collective,
      [HLO_OP_ALL_REDUCE_DONE] = first_operand,
      [HLO_OP_REDUCE_SCATTER] = collective,
      [HLO_OP_ALL_TO_ALL] = collective,
      [HLO_OP_RAGGED_ALL_TO_ALL] = ragged_all_to_all,
      [HLO_OP_COLLECTIVE_BROADCAST] = collective,
      [HLO_OP_COLLECTIVE_REDUCE] = collective,
      [HLO_OP_COLLECTIVE_PERMUTE] = collective_permute,
      [HLO_OP_COLLECTIVE_PERMUTE_START] = collective_start,
      [HLO_OP_COLLECTIVE_PERMUTE_DONE] = second_element,
      [HLO_OP_INFEED] = talk,
      [HLO_OP_OUTFEED] = talk,
      [HLO_OP_SEND] = talk,
      [HLO_OP_SEND_DONE] = talk,
      [HLO_OP_RECV] = talk,
      [HLO_OP_RECV_DONE] = talk,
  };
  return functions[opcode];
}
