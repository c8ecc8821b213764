// Operations among devices, where there is one: a group is that process alone. Source of
// semantics: "AllGather", "AllReduce", … of the operation semantics.
#include "hlo/alias_form.h"
#include "reference/values.h"

// Infeed, Outfeed, Send and Recv.
hlo_status hlo_reference_unreachable_process(const hlo_value_operation *x, hlo_error *error) {
  return hlo_instruction_fail(x->instruction, HLO_UNSUPPORTED, error,
                              "needs other processes or a host: there is one process here");
}

// AllGather, AllReduce, ReduceScatter, AllToAll, CollectiveBroadcast and CollectiveReduce of one
// process are what it has; it is the root, whatever number that has.
static hlo_status own_operands(const hlo_value_operation *x, const hlo_shape *shape,
                               hlo_value *result, hlo_error *error) {
  int32_t count = hlo_collective_data_count(x->instruction);
  bool is_tuple = count != 1 || hlo_shape_is_tuple(shape);
  *result = (hlo_value){.shape = shape};
  if (is_tuple && shape->element_count != count) return hlo_reference_unreachable_process(x, error);
  if (is_tuple) HLO_ALLOC(result->elements, x->reference->arena, count, error);
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *part = is_tuple ? shape->elements[i] : shape;
    hlo_value *to = is_tuple ? &result->elements[i] : result;
    if (!hlo_shape_compatible(part, x->operands[i].shape))
      return hlo_reference_unreachable_process(x, error);
    HLO_TRY(hlo_value_as(x->reference->arena, &x->operands[i], part, to, error));
  }
  return HLO_OK;
}

// CollectivePermute: what the process that is paired with this one has; zeros where none is.
static hlo_status communicate(const hlo_value_operation *x, const hlo_shape *shape,
                              hlo_value *result, hlo_error *error) {
  const hlo_instruction *instruction = x->instruction;
  const hlo_attribute *pairs = hlo_find_attribute(instruction, HLO_ATTRIBUTE_SOURCE_TARGET_PAIRS);
  bool is_paired = instruction->opcode != HLO_OP_COLLECTIVE_PERMUTE &&
                   instruction->opcode != HLO_OP_COLLECTIVE_PERMUTE_START;
  if (!is_paired && hlo_find_attribute(instruction, HLO_ATTRIBUTE_SLICE_SIZES) != NULL)
    return hlo_reference_unreachable_process(x, error);
  for (int32_t i = 0; pairs != NULL && i + 1 < pairs->count; i += 2)
    is_paired = is_paired || (pairs->ints[i] == 0 && pairs->ints[i + 1] == 0);
  if (is_paired) return own_operands(x, shape, result, error);
  return hlo_value_create(x->reference->arena, shape, result, error);
}

hlo_status hlo_reference_collective(const hlo_value_operation *x, hlo_error *error) {
  return communicate(x, x->instruction->shape, x->result, error);
}

hlo_status hlo_reference_collective_start(const hlo_value_operation *x, hlo_error *error) {
  hlo_value outcome;
  int32_t results = hlo_start_form_of(x->instruction->opcode)->results;
  HLO_TRY(communicate(x, x->instruction->shape->elements[results], &outcome, error));
  return hlo_reference_start(x, &outcome, error);
}

// RaggedAllToAll: the result is operand 3 with rows of operand 0, which go from and to the offsets.
hlo_status hlo_reference_ragged_all_to_all(const hlo_value_operation *x, hlo_error *error) {
  enum { INPUT, INPUT_OFFSETS, SIZES, OUTPUT, OUTPUT_OFFSETS };
  hlo_view input, output, lists[OUTPUT_OFFSETS + 1];
  HLO_TRY(hlo_value_copy(x->reference->arena, &x->operands[OUTPUT], x->instruction->shape,
                         x->result, error));
  hlo_value_view(&x->operands[INPUT], &input);
  hlo_value_view(x->result, &output);
  for (int k = INPUT_OFFSETS; k <= OUTPUT_OFFSETS; k++) hlo_value_view(&x->operands[k], &lists[k]);
  for (hlo_index i = hlo_index_over(&lists[SIZES]); hlo_index_next(&i);) {
    int64_t from = hlo_integer_of(hlo_number_at(&lists[INPUT_OFFSETS], i.at));
    int64_t to = hlo_integer_of(hlo_number_at(&lists[OUTPUT_OFFSETS], i.at));
    int64_t size = hlo_integer_of(hlo_number_at(&lists[SIZES], i.at));
    if (size < 0 || from < 0 || to < 0 || from > input.dims[0] - size || to > output.dims[0] - size)
      return hlo_instruction_fail(x->instruction, HLO_RUNTIME_ERROR, error,
                                  "rows lie outside of an operand");
    hlo_index e = hlo_index_over(&input);
    e.first[0] = from, e.end[0] = from + size;
    while (hlo_index_next(&e)) {
      hlo_scalar scalar = hlo_scalar_at(&input, e.at);
      e.at[0] += to - from;
      hlo_store_scalar(&output, e.at, scalar);
      e.at[0] -= to - from;
    }
  }
  return HLO_OK;
}
