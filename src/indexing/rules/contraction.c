// Indexing rules of dot, scaled-dot and reduce. Source: "Operation Semantics" of XLA's
// documentation.
#include "indexing/rules/rules.h"

#include <string.h>

// --- dot: dimensions of the result are batch, free of the left side, free of the right side ---

typedef struct dot_side {
  const hlo_shape *shape;
  const int64_t *batch, *contracting;
  int32_t batch_count, contracting_count;
  const hlo_affine *index[HLO_MAX_RANK]; // of this operand, filled dimension by dimension
} dot_side;

static void read_sides(const hlo_rule_request *r, dot_side *sides) {
  const hlo_instruction *x = r->x;
  memset(sides, 0, 2 * sizeof *sides);
  for (int k = 0; k < 2; k++) {
    dot_side *side = &sides[k];
    side->shape = hlo_rule_operand_shape(r, k);
    side->batch =
        hlo_get_ints(x, k == 0 ? HLO_ATTRIBUTE_LHS_BATCH_DIMS : HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                     &side->batch_count);
    side->contracting = hlo_get_ints(
        x, k == 0 ? HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS : HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS,
        &side->contracting_count);
  }
}

static bool is_batch(const dot_side *side, int32_t dimension) {
  for (int32_t i = 0; i < side->batch_count; i++)
    if (side->batch[i] == dimension) return true;
  return false;
}

static bool is_free(const dot_side *side, int32_t dimension) {
  if (is_batch(side, dimension)) return false;
  for (int32_t i = 0; i < side->contracting_count; i++)
    if (side->contracting[i] == dimension) return false;
  return true;
}

// The indices of an operand for the result's dims; those along contracting dimensions are ranges.
static void index_side(const hlo_rule_request *r, hlo_map_builder *b, dot_side *sides, int32_t k) {
  dot_side *side = &sides[k];
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_add_variables(b, HLO_AFFINE_DIM, r->x->shape, dims);
  for (int32_t i = 0; i < side->batch_count; i++) side->index[side->batch[i]] = dims[i];
  int32_t next = side->batch_count;
  for (int32_t d = 0; k == 1 && d < sides[0].shape->rank; d++) next += is_free(&sides[0], d);
  for (int32_t d = 0; d < side->shape->rank; d++)
    if (is_free(side, d)) side->index[d] = dims[next++];
  for (int32_t i = 0; i < side->contracting_count; i++) {
    int64_t d = side->contracting[i];
    side->index[d] = hlo_map_add_range(b, side->shape->dims[d]);
  }
}

hlo_status hlo_dot_to_operands(hlo_rule_request *r, hlo_error *error) {
  dot_side sides[2];
  read_sides(r, sides);
  for (int32_t k = 0; k < 2; k++) {
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    index_side(r, &b, sides, k);
    for (int32_t d = 0; d < sides[k].shape->rank; d++) hlo_map_set_result(&b, d, sides[k].index[d]);
    HLO_TRY(hlo_map_finish(r, &b, k, error));
  }
  return HLO_OK;
}

// The result's elements for one side's index, of which only batch and free dimensions count.
static hlo_status finish_to_results(hlo_rule_request *r, hlo_map_builder *b, const dot_side *sides,
                                    int32_t from, hlo_error *error) {
  const dot_side *side = &sides[from];
  for (int32_t i = 0; i < side->batch_count; i++)
    hlo_map_set_result(b, i, side->index[side->batch[i]]);
  int32_t next = side->batch_count;
  for (int32_t k = 0; k < 2; k++) {
    for (int32_t d = 0; d < sides[k].shape->rank; d++) {
      if (!is_free(&sides[k], d)) continue;
      hlo_map_set_result(
          b, next++, k == from ? side->index[d] : hlo_map_add_range(b, sides[k].shape->dims[d]));
    }
  }
  return hlo_map_finish(r, b, 0, error);
}

hlo_status hlo_dot_to_results(hlo_rule_request *r, hlo_error *error) {
  dot_side sides[2];
  hlo_map_builder b;
  read_sides(r, sides);
  dot_side *from = &sides[r->leaf];
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, from->shape, from->index);
  return finish_to_results(r, &b, sides, r->leaf, error);
}

// --- scaled-dot: a dot's operands, then their scales, each with an element for every block ---

// How many elements of an operand share one of its scale along a dimension.
static int64_t block_size(const hlo_shape *operand, const hlo_shape *scale, int32_t d) {
  return scale->dims[d] == 0 ? 1 : operand->dims[d] / scale->dims[d];
}

hlo_status hlo_scaled_dot_to_operands(hlo_rule_request *r, hlo_error *error) {
  dot_side sides[2];
  HLO_TRY(hlo_dot_to_operands(r, error));
  read_sides(r, sides);
  for (int32_t k = 0; k < 2; k++) {
    const hlo_shape *scale = hlo_rule_operand_shape(r, k + 2);
    if (scale->rank == 0) {
      HLO_TRY(hlo_add_to_scalar(r, r->x->shape, k + 2, error));
      continue;
    }
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    index_side(r, &b, sides, k);
    for (int32_t d = 0; d < scale->rank; d++) {
      int64_t size = block_size(sides[k].shape, scale, d);
      const hlo_affine *block = hlo_affine_constant(r->context, size > 0 ? size : 1);
      hlo_map_set_result(&b, d, hlo_affine_floordiv(r->context, sides[k].index[d], block));
    }
    HLO_TRY(hlo_map_finish_simplified(r, &b, k + 2, HLO_SIMPLIFY_KEEP_POINTS, error));
  }
  return HLO_OK;
}

hlo_status hlo_scaled_dot_to_results(hlo_rule_request *r, hlo_error *error) {
  if (r->leaf < 2) return hlo_dot_to_results(r, error);
  const hlo_shape *scale = hlo_rule_operand_shape(r, r->leaf);
  if (scale->rank == 0) return hlo_add_to_everything(r, scale, r->x->shape, 0, error);
  dot_side sides[2];
  hlo_map_builder b;
  read_sides(r, sides);
  dot_side *from = &sides[r->leaf - 2];
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, scale, from->index);
  for (int32_t d = 0; d < scale->rank; d++) {
    int64_t size = block_size(from->shape, scale, d);
    bool is_contracting = !is_free(from, d) && !is_batch(from, d);
    if (size == 1 || is_contracting) continue;
    from->index[d] =
        hlo_affine_add_scaled(r->context, hlo_map_add_range(&b, size), from->index[d], size);
  }
  return finish_to_results(r, &b, sides, r->leaf - 2, error);
}

// --- reduce: operands are the arrays, then their start values; every result depends on all ---

static bool is_reduced(const hlo_instruction *x, int32_t dimension) {
  return hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, dimension);
}

hlo_status hlo_reduce_to_operands(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_shape_leaf(r->x->shape, r->leaf), *to = hlo_rule_operand_shape(r, 0);
  const hlo_affine *dims[HLO_MAX_RANK];
  for (int32_t k = 0; k < r->x->operand_count / 2; k++) {
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
    for (int32_t d = 0, next = 0; d < to->rank; d++)
      hlo_map_set_result(&b, d,
                         is_reduced(r->x, d) ? hlo_map_add_range(&b, to->dims[d]) : dims[next++]);
    HLO_TRY(hlo_map_finish(r, &b, k, error));
  }
  for (int32_t k = r->x->operand_count / 2; k < r->x->operand_count; k++)
    HLO_TRY(hlo_add_to_scalar(r, from, k, error));
  return HLO_OK;
}

hlo_status hlo_reduce_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_rule_operand_shape(r, r->leaf);
  for (int32_t leaf = 0; leaf < r->x->operand_count / 2; leaf++) {
    const hlo_shape *to = hlo_shape_leaf(r->x->shape, leaf);
    if (r->leaf >= r->x->operand_count / 2) {
      HLO_TRY(hlo_add_to_everything(r, from, to, leaf, error));
      continue;
    }
    const hlo_affine *dims[HLO_MAX_RANK];
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
    for (int32_t d = 0, next = 0; d < from->rank; d++)
      if (!is_reduced(r->x, d)) hlo_map_set_result(&b, next++, dims[d]);
    HLO_TRY(hlo_map_finish(r, &b, leaf, error));
  }
  return HLO_OK;
}
