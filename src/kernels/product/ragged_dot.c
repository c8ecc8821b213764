// Dot whose left operand is cut into groups along one dimension: a dot for each group. Elements
// after the last group are ignored; where the ragged dimension is a batch dimension, the groups do
// not affect the result. Source of semantics: StableHLO's chlo.ragged_dot; documentation of
// jax.lax.ragged_dot_general.
#include "hlo/attributes/ragged_dot.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"
#include "shape/literal.h"

typedef struct dimension_list {
  int32_t count;
  const int64_t *dims;
} dimension_list;

typedef struct ragged_operation {
  const hlo_evaluator *evaluator;
  hlo_instruction dot; // of one group
  hlo_ragged_dot ragged;
  dimension_list lhs_batch, lhs_contracting, rhs_batch, rhs_contracting;
  int64_t group_dimension; // of the right operand
  const hlo_view *operands, *result;
  int64_t index[HLO_MAX_RANK]; // of the prefix
} ragged_operation;

static void narrow(hlo_view *view, int64_t dimension, int64_t start, int64_t size) {
  view->data = hlo_view_at(view, start * view->strides[dimension]);
  view->dims[dimension] = size;
}

static int32_t position_in(const dimension_list *list, int64_t dimension) {
  for (int32_t i = 0; i < list->count; i++)
    if (list->dims[i] == dimension) return i;
  return -1;
}

// Restricts dimension `dimension` of the left operand, and the dimensions of the right operand and
// the result that correspond to it, to one group.
static void narrow_all(const ragged_operation *x, int64_t dimension, int64_t start, int64_t size,
                       hlo_view *lhs, hlo_view *rhs, hlo_view *result) {
  int32_t batch = position_in(&x->lhs_batch, dimension);
  int32_t contracting = position_in(&x->lhs_contracting, dimension);
  narrow(lhs, dimension, start, size);
  if (batch >= 0) {
    narrow(rhs, x->rhs_batch.dims[batch], start, size);
    narrow(result, batch, start, size);
  } else if (contracting >= 0) {
    narrow(rhs, x->rhs_contracting.dims[contracting], start, size);
  } else {
    int64_t position = x->lhs_batch.count;
    for (int64_t d = 0; d < dimension; d++)
      position += position_in(&x->lhs_batch, d) < 0 && position_in(&x->lhs_contracting, d) < 0;
    narrow(result, position, start, size);
  }
}

// The slice of the result for one group, where groups are its first dimension.
static hlo_view group_result(const hlo_view *result, int64_t group) {
  hlo_view out = *result;
  out.data = hlo_view_at(result, group * result->strides[0]);
  out.rank--;
  for (int32_t d = 0; d < out.rank; d++) {
    out.dims[d] = result->dims[d + 1];
    out.strides[d] = result->strides[d + 1];
  }
  return out;
}

static hlo_status add_lanes(void *context, void *result, const void *const *operands, int64_t n,
                            hlo_error *error) {
  (void)error;
  (*(hlo_pointwise_kernel *const *)context)(result, operands, n);
  return HLO_OK;
}

// Accumulates the group's dot into the result.
static hlo_status multiply_add(const ragged_operation *x, const hlo_view *pair,
                               const hlo_view *result, hlo_error *error) {
  hlo_view part;
  hlo_pointwise_kernel *add = hlo_pointwise_get(HLO_OP_ADD, result->type);
  HLO_TRY(hlo_scratch_view(x->evaluator, result->type, result->rank, result->dims, &part, error));
  HLO_TRY(hlo_eval_dot(x->evaluator, &x->dot, pair, &part, error));
  const hlo_view both[] = {*result, part};
  return hlo_run_over_views(x->evaluator, add_lanes, &add, 2, both, result, error);
}

static hlo_status multiply_group(const ragged_operation *x, int32_t prefix_count, int64_t group,
                                 int64_t start, int64_t size, hlo_error *error) {
  const hlo_ragged_dot *ragged = &x->ragged;
  hlo_view pair[] = {x->operands[0], x->operands[1]}, result = *x->result;
  if (ragged->mode == HLO_RAGGED_CONTRACTING) result = group_result(&result, group);
  else narrow(&pair[1], x->group_dimension, group, 1);
  for (int32_t i = 0; i < prefix_count; i++)
    narrow_all(x, ragged->prefix[i], x->index[i], 1, &pair[0], &pair[1], &result);
  narrow_all(x, ragged->ragged, start, size, &pair[0], &pair[1], &result);
  // A prefix of contracting dimensions goes to one result.
  bool adds = ragged->mode == HLO_RAGGED_CONTRACTING && prefix_count > x->lhs_batch.count;
  hlo_arena_mark mark = hlo_arena_get_mark(x->evaluator->scratch);
  hlo_status status = adds ? multiply_add(x, pair, &result, error)
                           : hlo_eval_dot(x->evaluator, &x->dot, pair, &result, error);
  hlo_arena_rewind(x->evaluator->scratch, mark);
  return status;
}

static int64_t group_size(const hlo_view *sizes, const int64_t *index, int64_t group) {
  int64_t offset = group * sizes->strides[sizes->rank - 1];
  for (int32_t i = 0; i < sizes->rank - 1; i++) offset += index[i] * sizes->strides[i];
  hlo_number number = hlo_element_get(sizes->type, hlo_view_at(sizes, offset));
  if (number.type_class == HLO_CLASS_SIGNED) return number.i;
  return number.u > INT64_MAX ? INT64_MAX : (int64_t)number.u;
}

static hlo_status multiply_groups(ragged_operation *x, hlo_error *error) {
  const hlo_view *sizes = &x->operands[2];
  int32_t prefix_count = sizes->rank - 1;
  int64_t length = x->operands[0].dims[x->ragged.ragged];
  if (hlo_view_elements(sizes) == 0) return HLO_OK;
  do {
    int64_t start = 0;
    for (int64_t group = 0; group < sizes->dims[prefix_count]; group++) {
      int64_t size = group_size(sizes, x->index, group);
      if (size > length - start) size = length - start;
      if (size <= 0) continue;
      HLO_TRY(multiply_group(x, prefix_count, group, start, size, error));
      start += size;
    }
  } while (hlo_next_index(prefix_count, sizes->dims, x->index));
  return HLO_OK;
}

static dimension_list list_of(const hlo_instruction *x, hlo_attribute_id id) {
  dimension_list out;
  out.dims = hlo_get_ints(x, id, &out.count);
  return out;
}

hlo_status hlo_eval_ragged_dot(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                               const hlo_view *operands, const hlo_view *results,
                               hlo_error *error) {
  static const char zeros[16] = {0};
  ragged_operation x = {.evaluator = evaluator,
                        .dot = *instruction,
                        .ragged = hlo_ragged_dot_of(instruction),
                        .lhs_batch = list_of(instruction, HLO_ATTRIBUTE_LHS_BATCH_DIMS),
                        .lhs_contracting = list_of(instruction, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS),
                        .rhs_batch = list_of(instruction, HLO_ATTRIBUTE_RHS_BATCH_DIMS),
                        .rhs_contracting = list_of(instruction, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS),
                        .operands = operands,
                        .result = results};
  if (x.ragged.mode == HLO_RAGGED_BATCH)
    return hlo_eval_dot(evaluator, instruction, operands, results, error);
  int64_t contracting[HLO_MAX_RANK];
  hlo_attribute attributes[] = {
      {.id = HLO_ATTRIBUTE_LHS_BATCH_DIMS, .count = x.lhs_batch.count, .ints = x.lhs_batch.dims},
      {.id = HLO_ATTRIBUTE_RHS_BATCH_DIMS, .count = x.rhs_batch.count, .ints = x.rhs_batch.dims},
      {.id = HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS,
       .count = x.lhs_contracting.count,
       .ints = x.lhs_contracting.dims},
      {.id = HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, .ints = contracting}};
  hlo_attribute *right = &attributes[3];
  // A group's matrix is one of the right operand's: its group dimension, of size 1, is summed up.
  if (x.ragged.mode == HLO_RAGGED_FREE) {
    x.group_dimension = list_of(instruction, HLO_ATTRIBUTE_RHS_GROUP_DIMS).dims[0];
    contracting[right->count++] = x.group_dimension;
  }
  for (int32_t i = 0; i < x.rhs_contracting.count; i++)
    contracting[right->count++] = x.rhs_contracting.dims[i];
  x.dot.attributes = attributes;
  x.dot.attribute_count = 4;
  hlo_view_fill(&results[0], zeros);
  return multiply_groups(&x, error);
}
