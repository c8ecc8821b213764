// Inference rules of dot, scaled-dot, ragged-dot and reduce. Source: "Operation Semantics" of XLA's
// documentation; of ragged-dot also StableHLO's chlo.ragged_dot.
#include "hlo/constraint.h"
#include "hlo/dot_algorithm.h"
#include "hlo/infer_rules.h"
#include "hlo/ragged_dot.h"

// Which dimensions of one side of a dot are contracted, and which are batch dimensions.
typedef struct dot_side {
  const hlo_shape *shape;
  int32_t contracting_count, batch_count;
  const int64_t *contracting, *batch;
  uint64_t used; // bit set of both
} dot_side;

static hlo_status mark_used(const hlo_instruction *x, hlo_attribute_id id, int32_t count,
                            const int64_t *dimensions, dot_side *side, hlo_error *error) {
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
                            hlo_attribute_id contracting, dot_side *side, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  *side = (dot_side){.shape = hlo_operand_shape(x, k)};
  side->batch = hlo_get_ints(x, batch, &side->batch_count);
  side->contracting = hlo_get_ints(x, contracting, &side->contracting_count);
  HLO_TRY(mark_used(x, batch, side->batch_count, side->batch, side, error));
  return mark_used(x, contracting, side->contracting_count, side->contracting, side, error);
}

static hlo_status check_pairs(const hlo_instruction *x, const char *kind, const dot_side *lhs,
                              int32_t lhs_count, const int64_t *lhs_dimensions, const dot_side *rhs,
                              int32_t rhs_count, const int64_t *rhs_dimensions, hlo_error *error) {
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

static int32_t add_free_dimensions(const dot_side *side, int32_t rank, int64_t *dims,
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

// The left side is operand 0, the right one operand `k`.
static hlo_status read_sides(const hlo_instruction *x, int32_t k, dot_side *lhs, dot_side *rhs,
                             hlo_error *error) {
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

// `groups` leading groups unless -1, batch dimensions, then what is left of the left side, then of
// the right side.
static hlo_status dot_result(const hlo_instruction *x, const dot_side *lhs, const dot_side *rhs,
                             int64_t groups, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
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
  return hlo_make_result(x, arena, type, rank, dims, dynamic, out, error);
}

hlo_status hlo_infer_dot(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                         const hlo_shape **out, hlo_error *error) {
  dot_side lhs, rhs;
  HLO_TRY(read_sides(x, 1, &lhs, &rhs, error));
  return dot_result(x, &lhs, &rhs, -1, declared, arena, out, error);
}

// --- scaled-dot ---

// Operands: the left side and its scale, the right side and its scale.

// A scale holds one factor for each block of its operand; a scalar is one factor for all.
static hlo_status check_scale(const hlo_instruction *x, int32_t operand, int32_t scale,
                              hlo_error *error) {
  HLO_TRY(hlo_require_array(x, scale, HLO_CLASS_FLOAT, error));
  const hlo_shape *a = hlo_operand_shape(x, operand), *s = hlo_operand_shape(x, scale);
  bool fits = s->rank == 0 || s->rank == a->rank;
  for (int32_t d = 0; fits && d < s->rank; d++)
    fits = s->dims[d] == a->dims[d] || (s->dims[d] > 0 && a->dims[d] % s->dims[d] == 0);
  if (fits) return HLO_OK;
  return hlo_fail_about(x, "the sizes of a scale must divide those of its operand", s, a, error);
}

hlo_status hlo_infer_scaled_dot(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  dot_side lhs, rhs;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_FLOAT, error));
  HLO_TRY(hlo_require_array(x, 2, HLO_CLASS_FLOAT, error));
  HLO_TRY(read_sides(x, 2, &lhs, &rhs, error));
  HLO_TRY(check_scale(x, 0, 1, error));
  HLO_TRY(check_scale(x, 2, 3, error));
  return dot_result(x, &lhs, &rhs, -1, declared, arena, out, error);
}

// --- ragged-dot ---

static bool holds(const int64_t *list, int32_t count, int64_t dimension) {
  for (int32_t i = 0; i < count; i++)
    if (list[i] == dimension) return true;
  return false;
}

// The entries of a list before the dimension.
static void add_before(hlo_ragged_dot *ragged, const int64_t *list, int32_t count) {
  for (int32_t i = 0; i < count && list[i] != ragged->ragged; i++)
    ragged->prefix[ragged->prefix_count++] = list[i];
}

hlo_ragged_dot hlo_ragged_dot_of(const hlo_instruction *x) {
  int32_t count, batch_count, contracting_count;
  const int64_t *batch = hlo_get_ints(x, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &batch_count);
  const int64_t *contracting =
      hlo_get_ints(x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &contracting_count);
  hlo_ragged_dot out = {.ragged = hlo_get_ints(x, HLO_ATTRIBUTE_LHS_RAGGED_DIMS, &count)[0]};
  add_before(&out, batch, batch_count);
  if (holds(batch, batch_count, out.ragged)) {
    out.mode = HLO_RAGGED_BATCH;
  } else if (holds(contracting, contracting_count, out.ragged)) {
    out.mode = HLO_RAGGED_CONTRACTING;
    add_before(&out, contracting, contracting_count);
  } else {
    for (int64_t d = 0; d < out.ragged; d++) {
      if (!holds(batch, batch_count, d) && !holds(contracting, contracting_count, d))
        out.prefix[out.prefix_count++] = d;
    }
  }
  return out;
}

static hlo_status check_group_sizes(const hlo_instruction *x, const hlo_ragged_dot *ragged,
                                    hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 2, HLO_CLASSES_INTEGER, error));
  const hlo_shape *lhs = hlo_operand_shape(x, 0), *sizes = hlo_operand_shape(x, 2);
  bool fits = sizes->rank == 1 || sizes->rank == 1 + ragged->prefix_count;
  for (int32_t i = 0; fits && i < sizes->rank - 1; i++)
    fits = sizes->dims[i] == lhs->dims[ragged->prefix[i]];
  if (fits) return HLO_OK;
  return hlo_fail_about(x,
                        "group sizes must be one list, or one for each index of the dimensions "
                        "before the ragged one",
                        sizes, lhs, error);
}

hlo_status hlo_infer_ragged_dot(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  dot_side lhs, rhs;
  HLO_TRY(read_sides(x, 1, &lhs, &rhs, error));
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_LHS_RAGGED_DIMS, 1, error));
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_LHS_RAGGED_DIMS, lhs.shape, error));
  hlo_ragged_dot ragged = hlo_ragged_dot_of(x);
  HLO_TRY(check_group_sizes(x, &ragged, error));
  const hlo_shape *sizes = hlo_operand_shape(x, 2);
  int64_t groups = sizes->dims[sizes->rank - 1];
  bool is_free = ragged.mode == HLO_RAGGED_FREE;
  int32_t count;
  const int64_t *group_dims = hlo_get_ints(x, HLO_ATTRIBUTE_RHS_GROUP_DIMS, &count);
  if (count != (is_free ? 1 : 0))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                is_free ? "the right operand must have one group dimension, since "
                                          "the ragged one is neither batch nor contracting"
                                        : "the right operand must have no group dimension, since "
                                          "the ragged one is a batch or contracting dimension");
  if (is_free) {
    HLO_TRY(mark_used(x, HLO_ATTRIBUTE_RHS_GROUP_DIMS, count, group_dims, &rhs, error));
    if (rhs.shape->dims[group_dims[0]] != groups)
      return hlo_fail_about(x, "there must be as many group sizes as right matrices", sizes,
                            rhs.shape, error);
  }
  return dot_result(x, &lhs, &rhs, ragged.mode == HLO_RAGGED_CONTRACTING ? groups : -1, declared,
                    arena, out, error);
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
  return hlo_make_result(x, arena, shape->type, rank, dims, dynamic, out, error);
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
  return hlo_make_results(x, arena, count, elements, out, error);
}
