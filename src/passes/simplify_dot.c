// Dots whose sums have one product each are multiplications of broadcasts, with the same bits as
// eval/outer_product.c, and can be fused. See simplify.h.
#include "passes/simplify.h"

#include "eval/dot_kernel.h"
#include "hlo/builder.h"

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

typedef struct dot_side {
  hlo_attribute_id batch, contracting;
} dot_side;
static const dot_side sides[2] = {
    {HLO_ATTRIBUTE_LHS_BATCH_DIMS, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS},
    {HLO_ATTRIBUTE_RHS_BATCH_DIMS, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS}};

static int32_t find(const int64_t *list, int32_t count, int64_t value) {
  for (int32_t i = 0; i < count; i++) {
    if (list[i] == value) return i;
  }
  return -1;
}

// The operand in the type given with the result's dimensions; *next_free: of those the next that is
// not of batches.
static hlo_status spread(const hlo_instruction *dot, int side, hlo_type type, int32_t *next_free,
                         hlo_instruction **out, hlo_error *error) {
  int32_t batch_count, contracting_count, rank = 0;
  const int64_t *batch = hlo_get_ints(dot, sides[side].batch, &batch_count);
  const int64_t *contracting = hlo_get_ints(dot, sides[side].contracting, &contracting_count);
  hlo_instruction *x = dot->operands[side];
  int64_t dims[HLO_MAX_RANK], places[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->shape->rank; d++) {
    if (find(contracting, contracting_count, d) >= 0) continue;
    int32_t at = find(batch, batch_count, d);
    dims[rank] = x->shape->dims[d];
    places[rank++] = at >= 0 ? at : (*next_free)++;
  }
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(arena_of(dot), x->shape->type, rank, dims, &shape, error));
  HLO_TRY(hlo_simplify_make(dot, HLO_OP_RESHAPE, shape, 1, &x, 0, NULL, &x, error));
  HLO_TRY(hlo_shape_with_type(arena_of(dot), shape, type, true, &shape, error));
  HLO_TRY(hlo_simplify_make(dot, HLO_OP_CONVERT, shape, 1, &x, 0, NULL, &x, error));
  HLO_TRY(hlo_shape_make(arena_of(dot), type, dot->shape->rank, dot->shape->dims, &shape, error));
  return hlo_simplify_make_with_ints(dot, HLO_OP_BROADCAST, shape, 1, &x, HLO_ATTRIBUTE_DIMENSIONS,
                                     rank, places, out, error);
}

hlo_status hlo_simplify_dot(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int32_t count, next_free;
  const int64_t *contracting = hlo_get_ints(x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &count);
  for (int32_t i = 0; i < count; i++) {
    if (x->operands[0]->shape->dims[contracting[i]] != 1) return HLO_OK;
  }
  hlo_instruction *factors[2], *product;
  hlo_type type =
      hlo_dot_work_type(x->operands[0]->shape->type, x->operands[1]->shape->type, x->shape->type);
  const hlo_shape *shape;
  hlo_get_ints(x, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &next_free);
  for (int side = 0; side < 2; side++)
    HLO_TRY(spread(x, side, type, &next_free, &factors[side], error));
  HLO_TRY(hlo_shape_with_type(arena_of(x), x->shape, type, true, &shape, error));
  HLO_TRY(hlo_simplify_make(x, HLO_OP_MULTIPLY, shape, 2, factors, 0, NULL, &product, error));
  return hlo_simplify_make(x, HLO_OP_CONVERT, x->shape, 1, &product, 0, NULL, out, error);
}
