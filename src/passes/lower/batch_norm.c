// BatchNormTraining, BatchNormInference and BatchNormGrad as elementwise operations and sums, which
// fuse with their producers and users. Source of semantics: their sections of the operation
// semantics, whose names are cited below. See passes.h.
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Arrays have the shape of the operand, vectors an element for each feature.
typedef struct batch_norm {
  const hlo_instruction *x;
  hlo_computation *computation; // its own
  hlo_type type;                // computed in
  int64_t feature_index;
  int32_t rank;
  int64_t count; // elements of each feature
  float epsilon;
} batch_norm;

typedef hlo_instruction node;

static hlo_status apply(const batch_norm *n, hlo_opcode opcode, node *a, node *b, node **out,
                        hlo_error *error) {
  node *operands[2] = {a, b};
  bool stretches = a->shape->rank != b->shape->rank && b->shape->rank > 0;
  return hlo_build_elementwise(n->computation, opcode, 2, operands, stretches ? 1 : 0,
                               &n->feature_index, 0, NULL, out, error);
}

static hlo_status number(const batch_norm *n, double value, node **out, hlo_error *error) {
  char element[8];
  const hlo_literal literal = {.shape = hlo_shape_scalar(n->type), .data = element};
  hlo_element_set(n->type, element, (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = value});
  return hlo_build_constant(n->computation, &literal, out, error);
}

// An array's sum of each feature.
static hlo_status sum(const batch_norm *n, node *array, node **out, hlo_error *error) {
  int64_t summed[HLO_MAX_RANK];
  int32_t count = 0;
  const hlo_shape *shape;
  for (int32_t d = 0; d < n->rank; d++) {
    if (d != n->feature_index) summed[count++] = d;
  }
  HLO_TRY(hlo_shape_make(&n->computation->module->arena, n->type, 1,
                         &array->shape->dims[n->feature_index], &shape, error));
  return hlo_simplify_sum(n->x, array, shape, count, summed, out, error);
}

// A sum divided by the number of elements.
static hlo_status average(const batch_norm *n, node *total, node **out, hlo_error *error) {
  node *count;
  HLO_TRY(number(n, (double)n->count, &count, error));
  return apply(n, HLO_OP_DIVIDE, total, count, out, error);
}

// σ² + ε, and γ / sqrt(σ² + ε).
static hlo_status build_deviation(const batch_norm *n, node *scale, node *variance, node **square,
                                  node **deviation, node **factor, hlo_error *error) {
  node *epsilon;
  HLO_TRY(number(n, (double)n->epsilon, &epsilon, error));
  HLO_TRY(apply(n, HLO_OP_ADD, variance, epsilon, square, error));
  HLO_TRY(hlo_build_elementwise(n->computation, HLO_OP_SQRT, 1, square, 0, NULL, 0, NULL, deviation,
                                error));
  return apply(n, HLO_OP_DIVIDE, scale, *deviation, factor, error);
}

// γ (x - μ) / sqrt(σ² + ε) + β, from x - μ.
static hlo_status normalize(const batch_norm *n, node *difference, node *scale, node *offset,
                            node *variance, node **out, hlo_error *error) {
  node *square, *deviation, *factor;
  HLO_TRY(build_deviation(n, scale, variance, &square, &deviation, &factor, error));
  HLO_TRY(apply(n, HLO_OP_MULTIPLY, difference, factor, out, error));
  return apply(n, HLO_OP_ADD, *out, offset, out, error);
}

// Operands x, γ, β, μ, σ².
static hlo_status infer(const batch_norm *n, node *const *operands, node **results,
                        hlo_error *error) {
  node *difference;
  HLO_TRY(apply(n, HLO_OP_SUBTRACT, operands[0], operands[3], &difference, error));
  return normalize(n, difference, operands[1], operands[2], operands[4], &results[0], error);
}

// Operands x, γ, β; results y, μ, σ².
static hlo_status train(const batch_norm *n, node *const *operands, node **results,
                        hlo_error *error) {
  node *difference, *square;
  HLO_TRY(sum(n, operands[0], &results[1], error));
  HLO_TRY(average(n, results[1], &results[1], error));
  HLO_TRY(apply(n, HLO_OP_SUBTRACT, operands[0], results[1], &difference, error));
  HLO_TRY(apply(n, HLO_OP_MULTIPLY, difference, difference, &square, error));
  HLO_TRY(sum(n, square, &results[2], error));
  HLO_TRY(average(n, results[2], &results[2], error));
  return normalize(n, difference, operands[1], operands[2], results[2], &results[0], error);
}

// Operands x, γ, μ, σ², ∇y; results ∇x = γ / sqrt(σ² + ε) (∇y - mean(∇y) - c (x - μ)) with
// c = mean(∇y (x - μ)) / (σ² + ε), ∇γ = Σ ∇y (x - μ) / sqrt(σ² + ε), ∇β = Σ ∇y.
static hlo_status differentiate(const batch_norm *n, node *const *operands, node **results,
                                hlo_error *error) {
  node *difference, *product, *square, *deviation, *factor, *mean, *c, *gradient = operands[4];
  HLO_TRY(build_deviation(n, operands[1], operands[3], &square, &deviation, &factor, error));
  HLO_TRY(apply(n, HLO_OP_SUBTRACT, operands[0], operands[2], &difference, error));
  HLO_TRY(apply(n, HLO_OP_MULTIPLY, gradient, difference, &product, error));
  HLO_TRY(sum(n, product, &product, error));
  HLO_TRY(sum(n, gradient, &results[2], error));
  HLO_TRY(apply(n, HLO_OP_DIVIDE, product, deviation, &results[1], error));
  HLO_TRY(apply(n, HLO_OP_DIVIDE, product, square, &c, error));
  HLO_TRY(average(n, c, &c, error));
  HLO_TRY(average(n, results[2], &mean, error));
  HLO_TRY(apply(n, HLO_OP_MULTIPLY, difference, c, &difference, error));
  HLO_TRY(apply(n, HLO_OP_SUBTRACT, gradient, mean, &gradient, error));
  HLO_TRY(apply(n, HLO_OP_SUBTRACT, gradient, difference, &gradient, error));
  return apply(n, HLO_OP_MULTIPLY, gradient, factor, &results[0], error);
}

static bool is_expressible(const hlo_instruction *x) {
  hlo_type type = x->operands[0]->shape->type;
  if (type != HLO_F32 && type != HLO_F64 && type != HLO_BF16 && type != HLO_F16) return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!hlo_layout_is_default(x->operands[k]->shape->layout)) return false;
  }
  for (int32_t k = 0; k < hlo_shape_leaf_count(x->shape); k++) {
    if (!hlo_layout_is_default(hlo_shape_leaf(x->shape, k)->layout)) return false;
  }
  return !hlo_simplify_is_dynamic(x);
}

// As arrays of another type.
static hlo_status convert(const batch_norm *n, hlo_type type, int32_t count, node **arrays,
                          hlo_error *error) {
  hlo_arena *arena = &n->computation->module->arena;
  for (int32_t k = 0; k < count; k++) {
    const hlo_shape *shape;
    if (arrays[k]->shape->type == type) continue;
    HLO_TRY(hlo_shape_with_type(arena, arrays[k]->shape, type, true, &shape, error));
    HLO_TRY(hlo_build(n->computation, HLO_OP_CONVERT, shape, 1, &arrays[k], 0, NULL, &arrays[k],
                      error));
  }
  return HLO_OK;
}

static hlo_status expand(void *context, hlo_instruction *x, hlo_instruction **replacement,
                         hlo_error *error) {
  (void)context;
  if (!hlo_is_large_batch_norm(x) || !is_expressible(x)) return HLO_OK;
  const hlo_shape *shape = x->operands[0]->shape;
  const hlo_attribute *epsilon = hlo_find_attribute(x, HLO_ATTRIBUTE_EPSILON);
  batch_norm n = {.x = x,
                  .computation = x->computation,
                  .type = shape->type == HLO_F64 ? HLO_F64 : HLO_F32,
                  .feature_index = hlo_get_int(x, HLO_ATTRIBUTE_FEATURE_INDEX, 0),
                  .rank = shape->rank,
                  .count = 1,
                  .epsilon = epsilon == NULL ? 0 : (float)epsilon->real};
  for (int32_t d = 0; d < n.rank; d++) {
    if (d != n.feature_index) n.count *= shape->dims[d];
  }
  node *operands[5], *results[3];
  for (int32_t k = 0; k < x->operand_count; k++) operands[k] = x->operands[k];
  HLO_TRY(convert(&n, n.type, x->operand_count, operands, error));
  bool infers = x->opcode == HLO_OP_BATCH_NORM_INFERENCE;
  if (infers) HLO_TRY(infer(&n, operands, results, error));
  else if (x->opcode == HLO_OP_BATCH_NORM_TRAINING) HLO_TRY(train(&n, operands, results, error));
  else HLO_TRY(differentiate(&n, operands, results, error));
  HLO_TRY(convert(&n, shape->type, infers ? 1 : 3, results, error));
  if (!infers)
    return hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, 3, results, 0, NULL, replacement, error);
  *replacement = results[0];
  return HLO_OK;
}

hlo_status hlo_pass_batch_norm(hlo_module *module, hlo_error *error) {
  HLO_TRY(hlo_module_rewrite(module, expand, NULL, error));
  return hlo_module_remove_dead(module, error); // restores the order, callees first
}
