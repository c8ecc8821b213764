// Inference rules of dot and reduce, and helpers that the variants of dot share. Source: "Operation
// Semantics" of XLA's documentation.
#include "hlo/attributes/dot_algorithm.h"
#include "hlo/attributes/dot_sides.h"
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

hlo_status hlo_dot_mark_used(const hlo_instruction *x, hlo_attribute_id id, int32_t count,
                             const int64_t *dimensions, hlo_dot_side *side, hlo_error *error) {
  HLO_TRY(hlo_require_distinct(x, id, side->shape, error));
  for (int32_t i = 0; i < count; i++) {
    uint64_t bit = (uint64_t)1 << dimensions[i];
    if (side->used & bit)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "dimension %lld in %s is a batch dimension already",
                                  (long long)dimensions[i], hlo_attribute_name(id));
    side->used |= bit;
  }
  return HLO_OK;
}

static hlo_status read_side(const hlo_instruction *x, int32_t k, hlo_attribute_id batch,
                            hlo_attribute_id contracting, hlo_dot_side *side, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  *side = (hlo_dot_side){.shape = hlo_operand_shape(x, k)};
  side->batch = hlo_get_ints(x, batch, &side->batch_count);
  side->contracting = hlo_get_ints(x, contracting, &side->contracting_count);
  HLO_TRY(hlo_dot_mark_used(x, batch, side->batch_count, side->batch, side, error));
  return hlo_dot_mark_used(x, contracting, side->contracting_count, side->contracting, side, error);
}

static hlo_status check_pairs(const hlo_instruction *x, const char *kind, const hlo_dot_side *lhs,
                              int32_t lhs_count, const int64_t *lhs_dimensions,
                              const hlo_dot_side *rhs, int32_t rhs_count,
                              const int64_t *rhs_dimensions, hlo_error *error) {
  if (lhs_count != rhs_count)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "both sides must have the same number of %s dimensions: %d and %d",
                                kind, lhs_count, rhs_count);
  for (int32_t i = 0; i < lhs_count; i++) {
    char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
    if (lhs->shape->dims[lhs_dimensions[i]] == rhs->shape->dims[rhs_dimensions[i]]) continue;
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error, "%s dimensions %lld and %lld must have the same size: %s and %s",
        kind, (long long)lhs_dimensions[i], (long long)rhs_dimensions[i],
        hlo_shape_to_text(text_a, lhs->shape), hlo_shape_to_text(text_b, rhs->shape));
  }
  return HLO_OK;
}

static int32_t add_free_dimensions(const hlo_dot_side *side, int32_t rank, int64_t *dims,
                                   bool *dynamic) {
  for (int32_t d = 0; d < side->shape->rank; d++) {
    if (side->used >> d & 1) continue;
    if (rank < HLO_MAX_RANK) {
      dims[rank] = side->shape->dims[d];
      dynamic[rank] = hlo_shape_is_dynamic_in(side->shape, d);
    }
    rank++;
  }
  return rank;
}

hlo_status hlo_dot_read_sides(const hlo_instruction *x, int32_t k, hlo_dot_side *lhs,
                              hlo_dot_side *rhs, hlo_error *error) {
  HLO_TRY(read_side(x, 0, HLO_ATTRIBUTE_LHS_BATCH_DIMS, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, lhs,
                    error));
  HLO_TRY(read_side(x, k, HLO_ATTRIBUTE_RHS_BATCH_DIMS, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, rhs,
                    error));
  HLO_TRY(check_pairs(x, "batch", lhs, lhs->batch_count, lhs->batch, rhs, rhs->batch_count,
                      rhs->batch, error));
  HLO_TRY(check_pairs(x, "contracting", lhs, lhs->contracting_count, lhs->contracting, rhs,
                      rhs->contracting_count, rhs->contracting, error));
  HLO_TRY(hlo_require_precision(x, error));
  return hlo_require_dot_algorithm(x, error);
}

hlo_status hlo_dot_result(const hlo_instruction *x, const hlo_dot_side *lhs,
                          const hlo_dot_side *rhs, int64_t groups, const hlo_shape *declared,
                          hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  hlo_type type;
  HLO_TRY(hlo_product_type(x, lhs->shape, rhs->shape, declared, &type, error));
  int64_t dims[HLO_MAX_RANK + 1];
  bool dynamic[HLO_MAX_RANK + 1];
  int32_t rank = 0;
  if (groups >= 0) {
    dims[rank] = groups;
    dynamic[rank++] = false;
  }
  for (int32_t i = 0; i < lhs->batch_count; i++) {
    dims[rank] = lhs->shape->dims[lhs->batch[i]];
    dynamic[rank++] = hlo_shape_is_dynamic_in(lhs->shape, (int32_t)lhs->batch[i]) ||
                      hlo_shape_is_dynamic_in(rhs->shape, (int32_t)rhs->batch[i]);
  }
  rank = add_free_dimensions(lhs, rank, dims, dynamic);
  rank = add_free_dimensions(rhs, rank, dims, dynamic);
  return hlo_result_shape(x, arena, type, rank, dims, dynamic, out, error);
}

hlo_status hlo_infer_dot(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                         const hlo_shape **out, hlo_error *error) {
  hlo_dot_side lhs, rhs;
  HLO_TRY(hlo_dot_read_sides(x, 1, &lhs, &rhs, error));
  return hlo_dot_result(x, &lhs, &rhs, -1, declared, arena, out, error);
}

// --- reduce ---

static hlo_status reduced_shape(const hlo_instruction *x, int32_t k, uint64_t reduced,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, k);
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  int32_t rank = 0;
  for (int32_t d = 0; d < shape->rank; d++) {
    if (reduced >> d & 1) continue;
    dims[rank] = shape->dims[d];
    dynamic[rank++] = hlo_shape_is_dynamic_in(shape, d);
  }
  return hlo_result_shape(x, arena, shape->type, rank, dims, dynamic, out, error);
}

// N arrays and N start values give N arrays without the reduced dimensions: a tuple if N > 1.
hlo_status hlo_infer_reduce(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                            const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_arrays_and_starts(x, error));
  int32_t count = x->operand_count / 2;
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_DIMENSIONS, hlo_operand_shape(x, 0), error));
  HLO_TRY(hlo_require_reducer(x, HLO_ATTRIBUTE_TO_APPLY, count, arena, error));
  int32_t reduced_count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &reduced_count);
  uint64_t reduced = 0;
  for (int32_t i = 0; i < reduced_count; i++) reduced |= (uint64_t)1 << dimensions[i];
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, count, error);
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(reduced_shape(x, k, reduced, arena, &elements[k], error));
  return hlo_result_shapes(x, arena, count, elements, out, error);
}
