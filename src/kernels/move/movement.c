// Data movement ops: each is one strided copy between a view of the operand and the result.
#include "kernels/structural.h"

#include <string.h>

hlo_status hlo_scratch_view(const hlo_evaluator *evaluator, hlo_type type, int32_t rank,
                            const int64_t *dims, hlo_view *out, hlo_error *error) {
  out->type = type;
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++) out->dims[i] = dims[i];
  hlo_view_set_row_major(out);
  out->data = hlo_arena_array_raw(evaluator->scratch, (size_t)hlo_view_elements(out),
                                  (size_t)hlo_type_bytes(type));
  return out->data == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// Dense row-major memory with the dims of a view.
static hlo_view reshaped(const hlo_view *dims, void *data) {
  hlo_view view = *dims;
  view.data = data;
  hlo_view_set_row_major(&view);
  return view;
}

hlo_status hlo_view_reshape_copy(const hlo_evaluator *evaluator, const hlo_view *to,
                                 const hlo_view *from, hlo_error *error) {
  hlo_view between;
  if (hlo_view_is_row_major(from)) {
    between = reshaped(to, from->data);
    hlo_copy_view(evaluator, to, &between);
    return HLO_OK;
  }
  if (hlo_view_is_row_major(to)) {
    between = reshaped(from, to->data);
    hlo_copy_view(evaluator, &between, from);
    return HLO_OK;
  }
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(hlo_scratch_view(evaluator, from->type, from->rank, from->dims, &between, error));
  hlo_copy_view(evaluator, &between, from);
  between = reshaped(to, between.data);
  hlo_copy_view(evaluator, to, &between);
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

// Tuples are copied leaf by leaf.
hlo_status hlo_eval_copy(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                         const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)error;
  int32_t leaves = hlo_shape_leaf_count(instruction->shape);
  for (int32_t i = 0; i < leaves; i++) {
    if (hlo_type_is_array(results[i].type)) hlo_copy_view(evaluator, &results[i], &operands[i]);
  }
  return HLO_OK;
}

// Only the copied value; the other elements of copy-start's tuple belong to the executor.
hlo_status hlo_eval_copy_start(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                               const hlo_view *operands, const hlo_view *results,
                               hlo_error *error) {
  (void)instruction, (void)error;
  hlo_copy_view(evaluator, &results[0], &operands[0]);
  return HLO_OK;
}

hlo_status hlo_eval_reshape(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)instruction;
  return hlo_view_reshape_copy(evaluator, &results[0], &operands[0], error);
}

// Dimension d of the operand becomes dimension dimensions[d] of the result; all others repeat it,
// and so does a size-1 dimension that grows.
hlo_status hlo_eval_broadcast(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                              const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)error;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  hlo_view from = results[0];
  from.data = operands[0].data;
  for (int32_t i = 0; i < from.rank; i++) from.strides[i] = 0;
  for (int32_t i = 0; i < operands[0].rank; i++) {
    if (operands[0].dims[i] != 1) from.strides[dimensions[i]] = operands[0].strides[i];
  }
  hlo_copy_view(evaluator, &results[0], &from);
  return HLO_OK;
}

// Dimension i of the result is dimension dimensions[i] of the operand.
hlo_status hlo_eval_transpose(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                              const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)error;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  hlo_view from = results[0];
  from.data = operands[0].data;
  for (int32_t i = 0; i < from.rank; i++) from.strides[i] = operands[0].strides[dimensions[i]];
  hlo_copy_view(evaluator, &results[0], &from);
  return HLO_OK;
}

hlo_status hlo_eval_reverse(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)error;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_view from = operands[0];
  for (int32_t i = 0; i < count; i++) {
    int64_t d = dimensions[i];
    from.data = hlo_view_at(&from, (from.dims[d] - 1) * from.strides[d]);
    from.strides[d] = -from.strides[d];
  }
  hlo_copy_view(evaluator, &results[0], &from);
  return HLO_OK;
}

hlo_status hlo_eval_slice(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                          const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  enum { START, LIMIT, STRIDE, FIELDS };
  (void)error;
  int32_t count;
  const int64_t *slice = hlo_get_ints(instruction, HLO_ATTRIBUTE_SLICE, &count);
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_view from = operands[0];
  for (int32_t i = 0; i < from.rank; i++, slice += FIELDS) {
    from.data = hlo_view_at(&from, slice[START] * from.strides[i]);
    from.dims[i] = results[0].dims[i];
    if (from.dims[i] > 1) from.strides[i] *= slice[STRIDE];
  }
  hlo_copy_view(evaluator, &results[0], &from);
  return HLO_OK;
}

hlo_status hlo_eval_concatenate(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                                const hlo_view *operands, const hlo_view *results,
                                hlo_error *error) {
  (void)error;
  int32_t count;
  int64_t d = *hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  hlo_view part = results[0];
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    part.dims[d] = operands[i].dims[d];
    hlo_copy_view(evaluator, &part, &operands[i]);
    part.data = hlo_view_at(&part, part.dims[d] * part.strides[d]);
  }
  return HLO_OK;
}

// The elements in memory order without padding; split into bytes if bytes_apart is more than 1.
static hlo_view in_memory_order(const hlo_view *view, int32_t bytes_apart) {
  hlo_view out = {.type = view->type, .data = view->data};
  int64_t scale = 1;
  if (bytes_apart > 1) {
    scale = bytes_apart;
    out.type = HLO_U8;
  }
  for (int32_t i = 0; i < view->rank; i++) {
    if (view->dims[i] == 1) continue;
    int64_t stride = view->strides[i] * scale;
    int32_t at = out.rank++;
    for (; at > 0 && out.strides[at - 1] < stride; at--) {
      out.strides[at] = out.strides[at - 1];
      out.dims[at] = out.dims[at - 1];
    }
    out.strides[at] = stride;
    out.dims[at] = view->dims[i];
  }
  return out;
}

// The same memory under the result's type and layout.
hlo_status hlo_eval_bitcast(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  int32_t from_size = hlo_type_bytes(operands[0].type), to_size = hlo_type_bytes(results[0].type);
  int64_t from_count = hlo_view_elements(&operands[0]), to_count = hlo_view_elements(&results[0]);
  if (from_count * from_size != to_count * to_size) {
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error,
                                "a bitcast that shows padding or packed bits as elements");
  }
  if (from_size == to_size) {
    hlo_view from = in_memory_order(&operands[0], 1), to = in_memory_order(&results[0], 1);
    return hlo_view_reshape_copy(evaluator, &to, &from, error);
  }
  hlo_view from = in_memory_order(&operands[0], from_size);
  hlo_view to = in_memory_order(&results[0], to_size);
  if (from.rank == HLO_MAX_RANK || to.rank == HLO_MAX_RANK) {
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error,
                                "a bitcast between element sizes of so many dimensions");
  }
  from.dims[from.rank] = from_size;
  to.dims[to.rank] = to_size;
  from.strides[from.rank++] = to.strides[to.rank++] = 1;
  return hlo_view_reshape_copy(evaluator, &to, &from, error);
}
