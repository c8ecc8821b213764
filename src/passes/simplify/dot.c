// Dots whose sums have one product each become multiplications of broadcasts, with the same bits as
// kernels/product/outer_product.c; large arrays times short vectors become sums of those, and rows
// times rows reductions. All of these can be fused. Large arrays of bf16 are not converted to f32
// beforehand. See simplify.h.
#include "passes/simplify/simplify.h"

#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "kernels/product/other_types/dot_converted.h"
#include "passes/passes.h"

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

typedef struct dot_side {
  hlo_attribute_id batch, contracting;
} dot_side;
static const dot_side sides[2] = {
    {HLO_ATTRIBUTE_LHS_BATCH_DIMS, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS},
    {HLO_ATTRIBUTE_RHS_BATCH_DIMS, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS}};

static int32_t index_of(const int64_t *list, int32_t count, int64_t value) {
  for (int32_t i = 0; i < count; i++) {
    if (list[i] == value) return i;
  }
  return -1;
}

// The operand converted to `type` and broadcast to the result's dimensions; *next_free: the next
// free (non-batch) one of them.
static hlo_status broadcast_operand(const hlo_instruction *dot, int side, hlo_type type,
                                    int32_t *next_free, hlo_instruction **out, hlo_error *error) {
  int32_t batch_count, contracting_count, rank = 0;
  const int64_t *batch = hlo_get_ints(dot, sides[side].batch, &batch_count);
  const int64_t *contracting = hlo_get_ints(dot, sides[side].contracting, &contracting_count);
  hlo_instruction *x = dot->operands[side];
  int64_t dims[HLO_MAX_RANK], places[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->shape->rank; d++) {
    if (index_of(contracting, contracting_count, d) >= 0) continue;
    int32_t at = index_of(batch, batch_count, d);
    dims[rank] = x->shape->dims[d];
    places[rank++] = at >= 0 ? at : (*next_free)++;
  }
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(arena_of(dot), x->shape->type, rank, dims, &shape, error));
  HLO_TRY(hlo_simplify_build(dot, HLO_OP_RESHAPE, shape, 1, &x, 0, NULL, &x, error));
  HLO_TRY(hlo_shape_with_type(arena_of(dot), shape, type, true, &shape, error));
  HLO_TRY(hlo_simplify_build(dot, HLO_OP_CONVERT, shape, 1, &x, 0, NULL, &x, error));
  HLO_TRY(hlo_shape_make(arena_of(dot), type, dot->shape->rank, dot->shape->dims, &shape, error));
  return hlo_simplify_build_with_ints(dot, HLO_OP_BROADCAST, shape, 1, &x, HLO_ATTRIBUTE_DIMENSIONS,
                                      rank, places, out, error);
}

// Slice k of an operand along the contracting dimension, of size 1.
static hlo_status slice_operand(const hlo_instruction *dot, int side, int64_t k,
                                hlo_instruction **out, hlo_error *error) {
  int32_t count;
  int64_t along = hlo_get_ints(dot, sides[side].contracting, &count)[0];
  return hlo_simplify_slice_one(dot, dot->operands[side], along, k, out, error);
}

// The dot as a sum, in order, of outer products.
static hlo_status sum_outer_products(const hlo_instruction *x, int64_t products, hlo_type type,
                                     hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape;
  hlo_instruction *sum, *parts[2], *terms[2];
  HLO_TRY(hlo_shape_with_type(arena_of(x), x->shape, type, true, &shape, error));
  for (int64_t k = 0; k < products; k++) {
    for (int side = 0; side < 2; side++) HLO_TRY(slice_operand(x, side, k, &parts[side], error));
    HLO_TRY(hlo_simplify_build(x, HLO_OP_DOT, shape, 2, parts, x->attribute_count, x->attributes,
                               &terms[1], error));
    if (k == 0) HLO_TRY(hlo_simplify_integer(terms[1], 0, &sum, error));
    terms[0] = sum;
    HLO_TRY(hlo_simplify_build(x, HLO_OP_ADD, shape, 2, terms, 0, NULL, &sum, error));
  }
  return hlo_simplify_build(x, HLO_OP_CONVERT, x->shape, 1, &sum, 0, NULL, out, error);
}

// The operand converted to `type`, batch dimensions before contracting ones.
static hlo_status move_batches_first(const hlo_instruction *dot, int side, hlo_type type,
                                     hlo_instruction **out, hlo_error *error) {
  int32_t batch_count, contracting_count, rank;
  const int64_t *batch = hlo_get_ints(dot, sides[side].batch, &batch_count);
  const int64_t *contracting = hlo_get_ints(dot, sides[side].contracting, &contracting_count);
  hlo_instruction *x = dot->operands[side];
  int64_t order[HLO_MAX_RANK], dims[HLO_MAX_RANK];
  for (rank = 0; rank < x->shape->rank; rank++) {
    order[rank] = rank < batch_count ? batch[rank] : contracting[rank - batch_count];
    dims[rank] = x->shape->dims[order[rank]];
  }
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(arena_of(dot), x->shape->type, rank, dims, &shape, error));
  HLO_TRY(hlo_simplify_build_with_ints(dot, HLO_OP_TRANSPOSE, shape, 1, &x,
                                       HLO_ATTRIBUTE_DIMENSIONS, rank, order, &x, error));
  HLO_TRY(hlo_shape_make(arena_of(dot), type, rank, dims, &shape, error));
  return hlo_simplify_build(dot, HLO_OP_CONVERT, shape, 1, &x, 0, NULL, out, error);
}

// The elementwise product of two factors, computed in `type` and summed over the listed dimensions.
static hlo_status sum_products(const hlo_instruction *dot, hlo_type type,
                               hlo_instruction *const *factors, int32_t count,
                               const int64_t *summed, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *products;
  const hlo_shape *shape;
  HLO_TRY(hlo_simplify_build(dot, HLO_OP_MULTIPLY, factors[0]->shape, 2, factors, 0, NULL,
                             &products, error));
  HLO_TRY(hlo_shape_with_type(arena_of(dot), dot->shape, type, true, &shape, error));
  HLO_TRY(hlo_simplify_sum(dot, products, shape, count, summed, out, error));
  if (dot->shape->type == type) return HLO_OK;
  return hlo_simplify_build(dot, HLO_OP_CONVERT, dot->shape, 1, out, 0, NULL, out, error);
}

static hlo_status build_inner_product(const hlo_instruction *dot, hlo_type type,
                                      hlo_instruction **out, hlo_error *error) {
  int32_t batches;
  int64_t summed[HLO_MAX_RANK];
  hlo_instruction *rows[2];
  hlo_get_ints(dot, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &batches);
  for (int side = 0; side < 2; side++)
    HLO_TRY(move_batches_first(dot, side, type, &rows[side], error));
  int32_t rank = rows[0]->shape->rank;
  for (int32_t d = batches; d < rank; d++) summed[d - batches] = d;
  return sum_products(dot, type, rows, rank - batches, summed, out, error);
}

// Whether each batch is an inner product of two vectors, which leaves a GEMM no reuse.
static bool is_inner_product(const hlo_instruction *x, int64_t products, hlo_type type) {
  int32_t batches, count;
  hlo_get_ints(x, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &batches);
  hlo_get_ints(x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &count);
  return batches > 0 && x->shape->rank == batches &&
         x->operands[0]->shape->rank == batches + count &&
         x->operands[1]->shape->rank == batches + count && (type == HLO_F32 || type == HLO_F64) &&
         products > 1 && hlo_shape_elements(x->shape) >= HLO_SMALL_DOT / products;
}

static bool is_short_sum(const hlo_instruction *x, int32_t count, int64_t products, hlo_type type) {
  bool has_vector = x->operands[0]->shape->rank == 1 || x->operands[1]->shape->rank == 1 ||
                    is_inner_product(x, products, type);
  return has_vector && count == 1 && type == HLO_F32 && products > 1 &&
         products <= HLO_DOT_SHORT_SUM && hlo_shape_elements(x->shape) >= HLO_SMALL_DOT / products;
}

// Whether an operand is a large array converted from bf16 to f32 and the other one is skinny: the
// kernel converts such operands itself (kernels/product/other_types/dot_converted.h).
static bool is_widened(const hlo_instruction *x, int side, int64_t products) {
  const hlo_instruction *operand = x->operands[side];
  if (operand->opcode != HLO_OP_CONVERT || operand->shape->type != HLO_F32 ||
      operand->operands[0]->shape->type != HLO_BF16 || x->shape->type != HLO_F32) {
    return false;
  }
  int64_t elements = hlo_shape_elements(operand->shape);
  return operand->operands[0]->opcode != HLO_OP_CONSTANT && hlo_is_large_to_convert(elements) &&
         (double)hlo_shape_elements(x->shape) * (double)products <=
             HLO_FEW_FOR_LARGE * (double)elements;
}

hlo_status hlo_simplify_dot(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int32_t count, next_free;
  const int64_t *contracting = hlo_get_ints(x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &count);
  hlo_type type =
      hlo_dot_work_type(x->operands[0]->shape->type, x->operands[1]->shape->type, x->shape->type);
  int64_t products = 1;
  for (int32_t i = 0; i < count; i++) products *= x->operands[0]->shape->dims[contracting[i]];
  if (is_short_sum(x, count, products, type))
    return sum_outer_products(x, products, type, out, error);
  if (is_inner_product(x, products, type)) return build_inner_product(x, type, out, error);
  for (int side = 0; side < 2; side++) {
    if (!is_widened(x, side, products)) continue;
    hlo_instruction *operands[2] = {x->operands[0], x->operands[1]};
    operands[side] = operands[side]->operands[0];
    return hlo_simplify_build(x, HLO_OP_DOT, x->shape, 2, operands, x->attribute_count,
                              x->attributes, out, error);
  }
  if (products != 1) return HLO_OK;
  hlo_instruction *factors[2], *product;
  const hlo_shape *shape;
  hlo_get_ints(x, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &next_free);
  for (int side = 0; side < 2; side++)
    HLO_TRY(broadcast_operand(x, side, type, &next_free, &factors[side], error));
  HLO_TRY(hlo_shape_with_type(arena_of(x), x->shape, type, true, &shape, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_MULTIPLY, shape, 2, factors, 0, NULL, &product, error));
  return hlo_simplify_build(x, HLO_OP_CONVERT, x->shape, 1, &product, 0, NULL, out, error);
}

// --- inside loops ---

static bool has_free(const hlo_instruction *x, int side) {
  int32_t batches;
  hlo_get_ints(x, sides[side].batch, &batches);
  return x->operands[side]->shape->rank > batches + 1;
}

// Whether the contracting dimension comes before a free one of the operand.
static bool contracts_outer(const hlo_instruction *x, int side) {
  int32_t batches, count, rank = x->operands[side]->shape->rank;
  const int64_t *batch = hlo_get_ints(x, sides[side].batch, &batches);
  int64_t along = hlo_get_ints(x, sides[side].contracting, &count)[0];
  for (int32_t d = (int32_t)along + 1; d < rank; d++)
    if (index_of(batch, batches, d) < 0) return true;
  return false;
}

// Whether calling a kernel takes longer than the sums: products of vectors with small vectors or
// matrices.
static bool is_tiny(const hlo_instruction *x) {
  int32_t batches, count;
  hlo_type type = x->shape->type;
  hlo_get_ints(x, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &batches);
  const int64_t *along = hlo_get_ints(x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &count);
  if (count != 1 || (type != HLO_F32 && type != HLO_F64) || x->operands[0]->shape->type != type ||
      x->operands[1]->shape->type != type)
    return false;
  int64_t length = x->operands[0]->shape->dims[along[0]];
  int64_t most = HLO_DOT_TINY_BY_COLUMNS, sums = hlo_shape_elements(x->shape);
  if (has_free(x, 0) && has_free(x, 1)) return false;
  int side = has_free(x, 0) ? 0 : 1;
  if (batches == 0 && has_free(x, side) && !contracts_outer(x, side)) most = HLO_DOT_TINY_BY_ROWS;
  return length <= HLO_DOT_TINY_SUM && sums <= most && sums * length <= most;
}

// The dimensions of the array of all products: batch, left free and right free ones, with the
// contracting one before the free ones of the operand in which it is the outer.
typedef struct product_dimensions {
  int32_t rank;
  int64_t sizes[HLO_MAX_RANK], places[2][HLO_MAX_RANK]; // by dimension of an operand
  int64_t along;
} product_dimensions;

static bool match_product_dimensions(const hlo_instruction *x, product_dimensions *out) {
  int32_t batches, count;
  int64_t along[2];
  const int64_t *batch[2];
  for (int side = 0; side < 2; side++) {
    batch[side] = hlo_get_ints(x, sides[side].batch, &batches);
    along[side] = hlo_get_ints(x, sides[side].contracting, &count)[0];
  }
  if (x->shape->rank == HLO_MAX_RANK) return false;
  int inner = has_free(x, 1) ? 1 : 0, first = contracts_outer(x, inner) ? inner : 2;
  out->rank = batches;
  for (int side = 0; side <= 2; side++) {
    if (side == first) {
      out->along = out->rank;
      out->sizes[out->rank++] = x->operands[0]->shape->dims[along[0]];
    }
    for (int32_t d = 0; side < 2 && d < x->operands[side]->shape->rank; d++) {
      int32_t at = index_of(batch[side], batches, d);
      if (d == along[side]) continue;
      out->places[side][d] = at >= 0 ? at : out->rank++;
      out->sizes[out->places[side][d]] = x->operands[side]->shape->dims[d];
    }
  }
  for (int side = 0; side < 2; side++) out->places[side][along[side]] = out->along;
  return true;
}

hlo_status hlo_simplify_tiny_dot(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  product_dimensions products;
  hlo_instruction *factors[2];
  const hlo_shape *shape;
  if (!is_tiny(x) || !match_product_dimensions(x, &products)) return HLO_OK;
  HLO_TRY(
      hlo_shape_make(arena_of(x), x->shape->type, products.rank, products.sizes, &shape, error));
  for (int side = 0; side < 2; side++) {
    factors[side] = x->operands[side];
    HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_BROADCAST, shape, 1, &factors[side],
                                         HLO_ATTRIBUTE_DIMENSIONS, factors[side]->shape->rank,
                                         products.places[side], &factors[side], error));
  }
  return sum_products(x, x->shape->type, factors, 1, &products.along, out, error);
}
