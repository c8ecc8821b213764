// Collectives that combine what all participants have: all-reduce, reduce-scatter and
// collective-reduce. Values are combined in the order of the group. See collective.h.
// Source: "AllReduce" and "ReduceScatter" of the operation semantics.
#include "reference/reference.h"
#include "run/devices/collective.h"

#include "kernels/elementwise/apply.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/structural.h"

#include <string.h>

// Dense elements of a view: its own memory, or a copy in `memory`.
static void *dense(const hlo_view *view, void *memory) {
  hlo_view copy = *view;
  copy.data = memory;
  hlo_view_set_row_major(&copy);
  hlo_view_copy(&copy, view);
  return memory;
}

// The op of a computation whose sums and products are carried in f32 and rounded once at the end:
// floats of 8 bits and bf16. f16 is rounded at every step, as XLA's CPU backend was seen to do
// (tests/c/data/collectives.py). HLO_OP_COUNT for any other.
static hlo_opcode widened_op(const hlo_computation *computation, hlo_type type) {
  if (type == HLO_F16 || !hlo_type_is_narrow_float(type)) return HLO_OP_COUNT;
  hlo_opcode op = hlo_applied_op(computation, type);
  return op == HLO_OP_ADD || op == HLO_OP_MULTIPLY ? op : HLO_OP_COUNT;
}

static hlo_status combine_widened(const hlo_evaluator *evaluator, hlo_opcode op, int32_t count,
                                  const hlo_view *parts, const hlo_view *result, void *elements,
                                  hlo_error *error) {
  int64_t n = hlo_view_elements(result);
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(op, HLO_F32);
  float *sum, *value;
  HLO_ALLOC(sum, evaluator->scratch, n, error);
  HLO_ALLOC(value, evaluator->scratch, n, error);
  for (int32_t i = 0; i < count; i++) {
    hlo_narrow_to_f32(result->type, i == 0 ? sum : value, dense(&parts[i], elements), n);
    const void *both[2] = {sum, value};
    if (i > 0) kernel(sum, both, n);
  }
  hlo_narrow_from_f32(result->type, elements, sum, n);
  return HLO_OK;
}

static hlo_status combine_applied(const hlo_evaluator *evaluator,
                                  const hlo_computation *computation, int32_t count,
                                  const hlo_view *parts, const hlo_view *result, void *elements,
                                  hlo_error *error) {
  int64_t n = hlo_view_elements(result);
  void *value =
      hlo_arena_array(evaluator->scratch, (size_t)n, (size_t)hlo_type_bytes(result->type));
  if (value == NULL) return hlo_fail_out_of_memory(error);
  dense(&parts[0], elements);
  hlo_applier *applier;
  HLO_TRY(hlo_applier_create(evaluator, computation, n, &applier, error));
  for (int32_t i = 1; i < count; i++) {
    const void *both[2] = {elements, dense(&parts[i], value)};
    HLO_TRY(hlo_applier_run(applier, n, both, &elements, error));
  }
  return HLO_OK;
}

// Combines views of the same dims into the result.
static hlo_status combine(const hlo_collective *c, const hlo_view *parts, const hlo_view *result,
                          hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(c->instruction, HLO_ATTRIBUTE_TO_APPLY);
  if (c->reference != NULL)
    return hlo_reference_combine(c->reference, computation, c->count, parts, result, error);
  int64_t n = hlo_view_elements(result);
  if (n == 0) return HLO_OK;
  hlo_arena *scratch = c->evaluator->scratch;
  hlo_arena_mark mark = hlo_arena_get_mark(scratch);
  hlo_view from = *result;
  from.data = hlo_arena_array(scratch, (size_t)n, (size_t)hlo_type_bytes(result->type));
  if (from.data == NULL) return hlo_fail_out_of_memory(error);
  hlo_view_set_row_major(&from);
  hlo_opcode op = widened_op(computation, result->type);
  if (op != HLO_OP_COUNT) {
    HLO_TRY(combine_widened(c->evaluator, op, c->count, parts, result, from.data, error));
  } else {
    HLO_TRY(combine_applied(c->evaluator, computation, c->count, parts, result, from.data, error));
  }
  hlo_view_copy(result, &from);
  hlo_arena_rewind(scratch, mark);
  return HLO_OK;
}

// What everyone has of operand k, combined, as result k of participant `to`.
static hlo_status combine_all(const hlo_collective *c, int32_t k, int32_t to, hlo_error *error) {
  hlo_view *parts;
  HLO_ALLOC(parts, c->evaluator->scratch, c->count, error);
  for (int32_t i = 0; i < c->count; i++) parts[i] = c->participants[i].operands[k];
  return combine(c, parts, &c->participants[to].results[k], error);
}

hlo_status hlo_collective_all_reduce(const hlo_collective *c, hlo_error *error) {
  for (int32_t k = 0; k < c->operand_count; k++) {
    HLO_TRY(combine_all(c, k, 0, error));
    for (int32_t i = 1; i < c->count; i++)
      hlo_view_copy(&c->participants[i].results[k], &c->participants[0].results[k]);
  }
  return HLO_OK;
}

// The root of the group gets what all-reduce would give, the others zeros.
hlo_status hlo_collective_reduce(const hlo_collective *c, hlo_error *error) {
  for (int32_t k = 0; k < c->result_count; k++) {
    int32_t root;
    HLO_TRY(hlo_collective_root(c, k, &root, error));
    HLO_TRY(combine_all(c, k, root, error));
    for (int32_t i = 0; i < c->count; i++)
      if (i != root) hlo_collective_fill_zeros(&c->participants[i].results[k]);
  }
  return HLO_OK;
}

// Participant i gets part i of what all-reduce would give.
hlo_status hlo_collective_reduce_scatter(const hlo_collective *c, hlo_error *error) {
  int32_t dimension = hlo_collective_dimension(c);
  hlo_view *parts;
  HLO_ALLOC(parts, c->evaluator->scratch, c->count, error);
  for (int32_t k = 0; k < c->operand_count; k++) {
    const hlo_view *whole = &c->participants[0].operands[k];
    int64_t size = c->participants[0].results[k].dims[dimension];
    HLO_TRY(
        hlo_collective_require_parts(c, dimension, whole, &c->participants[0].results[k], error));
    for (int32_t to = 0; to < c->count; to++) {
      for (int32_t i = 0; i < c->count; i++) {
        parts[i] = hlo_collective_part(&c->participants[i].operands[k], dimension, to * size, size);
      }
      HLO_TRY(combine(c, parts, &c->participants[to].results[k], error));
    }
  }
  return HLO_OK;
}
