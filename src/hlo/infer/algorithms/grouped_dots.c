// Inference rules of scaled-dot and ragged-dot. Source: "Operation Semantics" of XLA's
// documentation; of ragged-dot also StableHLO's chlo.ragged_dot.
#include "hlo/attributes/dot_sides.h"
#include "hlo/attributes/ragged_dot.h"
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

// --- scaled-dot ---

// Operands: the left side, the right side, the scale of the left one, that of the right one.

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
  hlo_dot_side lhs, rhs;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_FLOAT, error));
  HLO_TRY(hlo_require_array(x, 1, HLO_CLASS_FLOAT, error));
  HLO_TRY(hlo_dot_read_sides(x, 1, &lhs, &rhs, error));
  HLO_TRY(check_scale(x, 0, 2, error));
  HLO_TRY(check_scale(x, 1, 3, error));
  return hlo_dot_result(x, &lhs, &rhs, -1, declared, arena, out, error);
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
  hlo_dot_side lhs, rhs;
  HLO_TRY(hlo_dot_read_sides(x, 1, &lhs, &rhs, error));
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
    HLO_TRY(hlo_dot_mark_used(x, HLO_ATTRIBUTE_RHS_GROUP_DIMS, count, group_dims, &rhs, error));
    if (rhs.shape->dims[group_dims[0]] != groups)
      return hlo_fail_about(x, "there must be as many group sizes as right matrices", sizes,
                            rhs.shape, error);
  }
  return hlo_dot_result(x, &lhs, &rhs, ragged.mode == HLO_RAGGED_CONTRACTING ? groups : -1,
                        declared, arena, out, error);
}
