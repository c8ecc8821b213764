// Indexing rules of dot and reduce. Source: "Operation Semantics" of XLA's documentation.
#include "indexing/rules/rules.h"

#include <string.h>

// --- dot: dimensions of the result are batch, free of the left side, free of the right side ---

typedef struct dot_side {
  const hlo_shape *shape;
  const int64_t *batch, *contracting;
  int32_t batch_count, contracting_count;
  const hlo_affine *index[HLO_MAX_RANK]; // of this operand, filled dimension by dimension
} dot_side;

static void read_sides(const rule_request *r, dot_side *sides) {
  const hlo_instruction *x = r->x;
  memset(sides, 0, 2 * sizeof *sides);
  for (int k = 0; k < 2; k++) {
    dot_side *side = &sides[k];
    side->shape = rule_operand_shape(r, k);
    side->batch =
        hlo_get_ints(x, k == 0 ? HLO_ATTRIBUTE_LHS_BATCH_DIMS : HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                     &side->batch_count);
    side->contracting = hlo_get_ints(
        x, k == 0 ? HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS : HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS,
        &side->contracting_count);
  }
}

static bool is_free(const dot_side *side, int32_t dimension) {
  for (int32_t i = 0; i < side->batch_count; i++)
    if (side->batch[i] == dimension) return false;
  for (int32_t i = 0; i < side->contracting_count; i++)
    if (side->contracting[i] == dimension) return false;
  return true;
}

hlo_status dot_to_operands(rule_request *r, hlo_error *error) {
  dot_side sides[2];
  const hlo_affine *dims[HLO_MAX_RANK];
  for (int32_t k = 0; k < 2; k++) {
    read_sides(r, sides);
    dot_side *side = &sides[k];
    map_builder b;
    HLO_TRY(map_start(r, &b, error));
    map_add_variables(&b, HLO_AFFINE_DIM, r->x->shape, dims);
    for (int32_t i = 0; i < side->batch_count; i++) side->index[side->batch[i]] = dims[i];
    int32_t next = side->batch_count;
    for (int32_t d = 0; k == 1 && d < sides[0].shape->rank; d++) next += is_free(&sides[0], d);
    for (int32_t d = 0; d < side->shape->rank; d++)
      if (is_free(side, d)) side->index[d] = dims[next++];
    for (int32_t i = 0; i < side->contracting_count; i++) {
      int64_t d = side->contracting[i];
      side->index[d] = map_add_range(&b, side->shape->dims[d]);
    }
    for (int32_t d = 0; d < side->shape->rank; d++) map_set_result(&b, d, side->index[d]);
    HLO_TRY(map_finish(r, &b, k, error));
  }
  return HLO_OK;
}

hlo_status dot_to_results(rule_request *r, hlo_error *error) {
  dot_side sides[2];
  map_builder b;
  read_sides(r, sides);
  dot_side *from = &sides[r->leaf];
  HLO_TRY(map_start(r, &b, error));
  map_add_variables(&b, HLO_AFFINE_DIM, from->shape, from->index);
  for (int32_t i = 0; i < from->batch_count; i++)
    map_set_result(&b, i, from->index[from->batch[i]]);
  int32_t next = from->batch_count;
  for (int32_t k = 0; k < 2; k++) {
    for (int32_t d = 0; d < sides[k].shape->rank; d++) {
      if (!is_free(&sides[k], d)) continue;
      map_set_result(&b, next++,
                     k == r->leaf ? from->index[d] : map_add_range(&b, sides[k].shape->dims[d]));
    }
  }
  return map_finish(r, &b, 0, error);
}

// --- reduce: operands are the arrays, then their start values; every result depends on all ---

static bool is_reduced(const hlo_instruction *x, int32_t dimension) {
  return hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, dimension);
}

hlo_status reduce_to_operands(rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_shape_leaf(r->x->shape, r->leaf), *to = rule_operand_shape(r, 0);
  const hlo_affine *dims[HLO_MAX_RANK];
  for (int32_t k = 0; k < r->x->operand_count / 2; k++) {
    map_builder b;
    HLO_TRY(map_start(r, &b, error));
    map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
    for (int32_t d = 0, next = 0; d < to->rank; d++)
      map_set_result(&b, d, is_reduced(r->x, d) ? map_add_range(&b, to->dims[d]) : dims[next++]);
    HLO_TRY(map_finish(r, &b, k, error));
  }
  for (int32_t k = r->x->operand_count / 2; k < r->x->operand_count; k++)
    HLO_TRY(add_to_scalar(r, from, k, error));
  return HLO_OK;
}

hlo_status reduce_to_results(rule_request *r, hlo_error *error) {
  const hlo_shape *from = rule_operand_shape(r, r->leaf);
  for (int32_t leaf = 0; leaf < r->x->operand_count / 2; leaf++) {
    const hlo_shape *to = hlo_shape_leaf(r->x->shape, leaf);
    if (r->leaf >= r->x->operand_count / 2) {
      HLO_TRY(add_to_everything(r, from, to, leaf, error));
      continue;
    }
    const hlo_affine *dims[HLO_MAX_RANK];
    map_builder b;
    HLO_TRY(map_start(r, &b, error));
    map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
    for (int32_t d = 0, next = 0; d < from->rank; d++)
      if (!is_reduced(r->x, d)) map_set_result(&b, next++, dims[d]);
    HLO_TRY(map_finish(r, &b, leaf, error));
  }
  return HLO_OK;
}
