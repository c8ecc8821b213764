// Dot whose left operand is cut into groups along one dimension: a dot for each group. Elements
// behind the last group count for nothing; where the ragged dimension is a batch dimension, the
// groups make no difference at all.
// Source of semantics: StableHLO's chlo.ragged_dot; documentation of jax.lax.ragged_dot_general.
#include "hlo/ragged_dot.h"
#include "eval/dot.h"
#include "eval/lanes.h"
#include "shape/literal.h"

typedef struct ragged_operation {
  const hlo_evaluator *evaluator;
  hlo_ragged_dot ragged;
  hlo_dot_dimensions left, right;
  int64_t right_contracting[HLO_MAX_RANK];
  int64_t group_dimension; // of the right operand
  const hlo_view *operands, *result;
  int64_t index[HLO_MAX_RANK]; // of the prefix
} ragged_operation;

static void narrow(hlo_view *view, int64_t dimension, int64_t start, int64_t size) {
  view->data = hlo_view_at(view, start * view->strides[dimension]);
  view->dims[dimension] = size;
}

static int32_t position_in(const int64_t *list, int32_t count, int64_t dimension) {
  for (int32_t i = 0; i < count; i++)
    if (list[i] == dimension) return i;
  return -1;
}

// The same part of dimension `dimension` of the left operand, and of what goes along with it.
static void narrow_all(const ragged_operation *dot, int64_t dimension, int64_t start, int64_t size,
                       hlo_view *lhs, hlo_view *rhs, hlo_view *result) {
  const hlo_dot_dimensions *left = &dot->left, *right = &dot->right;
  int32_t batch = position_in(left->batch, left->batch_count, dimension);
  int32_t contracting = position_in(left->contracting, left->contracting_count, dimension);
  int32_t free = position_in(left->free, left->free_count, dimension);
  narrow(lhs, dimension, start, size);
  if (batch >= 0) {
    narrow(rhs, right->batch[batch], start, size);
    narrow(result, batch, start, size);
  } else if (contracting >= 0) {
    narrow(rhs, right->contracting[contracting], start, size);
  } else {
    narrow(result, left->batch_count + free, start, size);
  }
}

// The result of one group, when those stand along its first dimension.
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

// Adds the dot to the result.
static hlo_status multiply_add(const ragged_operation *dot, const hlo_view *lhs,
                               const hlo_view *rhs, const hlo_view *result, hlo_error *error) {
  hlo_view part;
  hlo_pointwise_kernel *add = hlo_pointwise_get(HLO_OP_ADD, result->type);
  HLO_TRY(hlo_scratch_view(dot->evaluator, result->type, result->rank, result->dims, &part, error));
  HLO_TRY(hlo_dot_multiply(dot->evaluator, &dot->left, &dot->right, lhs, rhs, &part, error));
  const hlo_view pair[] = {*result, part};
  return hlo_run_over_views(dot->evaluator, add_lanes, &add, 2, pair, result, error);
}

static hlo_status multiply_group(const ragged_operation *dot, int32_t prefix_count, int64_t group,
                                 int64_t start, int64_t size, hlo_error *error) {
  const hlo_ragged_dot *ragged = &dot->ragged;
  hlo_view lhs = dot->operands[0], rhs = dot->operands[1], result = *dot->result;
  if (ragged->mode == HLO_RAGGED_CONTRACTING) result = group_result(&result, group);
  else narrow(&rhs, dot->group_dimension, group, 1);
  for (int32_t i = 0; i < prefix_count; i++)
    narrow_all(dot, ragged->prefix[i], dot->index[i], 1, &lhs, &rhs, &result);
  narrow_all(dot, ragged->ragged, start, size, &lhs, &rhs, &result);
  // A prefix of contracting dimensions goes to one result.
  if (ragged->mode != HLO_RAGGED_CONTRACTING || prefix_count <= dot->left.batch_count)
    return hlo_dot_multiply(dot->evaluator, &dot->left, &dot->right, &lhs, &rhs, &result, error);
  hlo_arena_mark mark = hlo_arena_get_mark(dot->evaluator->scratch);
  hlo_status status = multiply_add(dot, &lhs, &rhs, &result, error);
  hlo_arena_rewind(dot->evaluator->scratch, mark);
  return status;
}

static int64_t group_size(const hlo_view *sizes, const int64_t *index, int64_t group) {
  int64_t offset = group * sizes->strides[sizes->rank - 1];
  for (int32_t i = 0; i < sizes->rank - 1; i++) offset += index[i] * sizes->strides[i];
  hlo_number number = hlo_element_get(sizes->type, hlo_view_at(sizes, offset));
  if (number.type_class == HLO_CLASS_SIGNED) return number.i;
  return number.u > INT64_MAX ? INT64_MAX : (int64_t)number.u;
}

static hlo_status multiply_groups(ragged_operation *dot, hlo_error *error) {
  const hlo_view *sizes = &dot->operands[2];
  int32_t prefix_count = sizes->rank - 1;
  int64_t length = dot->operands[0].dims[dot->ragged.ragged];
  if (hlo_view_elements(sizes) == 0) return HLO_OK;
  do {
    int64_t start = 0;
    for (int64_t group = 0; group < sizes->dims[prefix_count]; group++) {
      int64_t size = group_size(sizes, dot->index, group);
      if (size > length - start) size = length - start;
      if (size <= 0) continue;
      HLO_TRY(multiply_group(dot, prefix_count, group, start, size, error));
      start += size;
    }
  } while (hlo_next_index(prefix_count, sizes->dims, dot->index));
  return HLO_OK;
}

hlo_status hlo_eval_ragged_dot(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                               const hlo_view *operands, const hlo_view *results,
                               hlo_error *error) {
  static const char zeros[16] = {0};
  ragged_operation dot = {.evaluator = evaluator,
                          .ragged = hlo_ragged_dot_of(instruction),
                          .operands = operands,
                          .result = results};
  dot.left = hlo_dot_dimensions_of(instruction, &operands[0], HLO_ATTRIBUTE_LHS_BATCH_DIMS,
                                   HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS);
  dot.right = hlo_dot_dimensions_of(instruction, &operands[1], HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                                    HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS);
  if (dot.ragged.mode == HLO_RAGGED_BATCH)
    return hlo_dot_multiply(evaluator, &dot.left, &dot.right, &operands[0], &operands[1],
                            &results[0], error);
  int32_t count;
  if (dot.ragged.mode == HLO_RAGGED_FREE) {
    // A group's matrix is one of the right operand's: its group dimension, of size 1, is summed up.
    hlo_dot_dimensions *right = &dot.right;
    dot.group_dimension = hlo_get_ints(instruction, HLO_ATTRIBUTE_RHS_GROUP_DIMS, &count)[0];
    for (int32_t i = 0; i < right->contracting_count; i++)
      dot.right_contracting[i] = right->contracting[i];
    dot.right_contracting[right->contracting_count++] = dot.group_dimension;
    right->contracting = dot.right_contracting;
    int32_t at = position_in(right->free, right->free_count--, dot.group_dimension);
    for (int32_t i = at; i < right->free_count; i++) right->free[i] = right->free[i + 1];
  }
  hlo_view_fill(&results[0], zeros);
  return multiply_groups(&dot, error);
}
