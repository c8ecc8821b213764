// Dots and convolutions in the forms that suit kernels: transposes around a dot become other
// dimension numbers, contracting dimensions are in memory order, and a convolution with a window of
// one element and the features last is a dot. See passes.h.
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

#include <string.h>

// --- dots ---

typedef struct dimension_lists {
  int32_t batch_count, contracting_count;
  int64_t batch[HLO_MAX_RANK], contracting[HLO_MAX_RANK];
} dimension_lists;

static const hlo_attribute_id batch_ids[2] = {HLO_ATTRIBUTE_LHS_BATCH_DIMS,
                                              HLO_ATTRIBUTE_RHS_BATCH_DIMS};
static const hlo_attribute_id contracting_ids[2] = {HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS,
                                                    HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS};

static dimension_lists lists_of(const hlo_instruction *x, int side) {
  dimension_lists out;
  const int64_t *batch = hlo_get_ints(x, batch_ids[side], &out.batch_count);
  for (int32_t i = 0; i < out.batch_count; i++) out.batch[i] = batch[i];
  const int64_t *contracting = hlo_get_ints(x, contracting_ids[side], &out.contracting_count);
  for (int32_t i = 0; i < out.contracting_count; i++) out.contracting[i] = contracting[i];
  return out;
}

static bool contains(int32_t count, const int64_t *list, int64_t value) {
  for (int32_t i = 0; i < count; i++) {
    if (list[i] == value) return true;
  }
  return false;
}

// Maps the dimension numbers through a transpose to those of its operand. False if that would
// change the order of the free dimensions.
static bool map_through_transpose(const hlo_instruction *transpose, dimension_lists *lists) {
  int32_t rank;
  int64_t last = -1;
  const int64_t *order = hlo_get_ints(transpose, HLO_ATTRIBUTE_DIMENSIONS, &rank);
  for (int32_t d = 0; d < rank; d++) {
    if (contains(lists->batch_count, lists->batch, d)) continue;
    if (contains(lists->contracting_count, lists->contracting, d)) continue;
    if (order[d] < last) return false;
    last = order[d];
  }
  for (int32_t i = 0; i < lists->batch_count; i++) lists->batch[i] = order[lists->batch[i]];
  for (int32_t i = 0; i < lists->contracting_count; i++) {
    lists->contracting[i] = order[lists->contracting[i]];
  }
  return true;
}

// Pairs of contracting dimensions in ascending order of the right operand's.
static bool sort_contracting(dimension_lists *left, dimension_lists *right) {
  bool changed = false;
  for (int32_t i = 1; i < right->contracting_count; i++) {
    for (int32_t k = i; k > 0 && right->contracting[k - 1] > right->contracting[k]; k--) {
      int64_t r = right->contracting[k], l = left->contracting[k];
      right->contracting[k] = right->contracting[k - 1];
      left->contracting[k] = left->contracting[k - 1];
      right->contracting[k - 1] = r;
      left->contracting[k - 1] = l;
      changed = true;
    }
  }
  return changed;
}

static bool is_dimension_list(hlo_attribute_id id) {
  return id == batch_ids[0] || id == batch_ids[1] || id == contracting_ids[0] ||
         id == contracting_ids[1];
}

// A dot like x but for operands and dimension numbers.
static hlo_status build_dot(const hlo_instruction *x, const hlo_shape *shape,
                            hlo_instruction *const *operands, const dimension_lists *lists,
                            hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &x->computation->module->arena;
  hlo_attribute *attributes;
  int32_t count = 0;
  HLO_ALLOC(attributes, arena, x->attribute_count + 4, error);
  for (int32_t i = 0; i < x->attribute_count; i++) {
    if (!is_dimension_list(x->attributes[i].id)) attributes[count++] = x->attributes[i];
  }
  for (int side = 0; side < 2; side++) {
    if (lists[side].batch_count > 0) {
      HLO_TRY(hlo_attribute_make_ints(arena, batch_ids[side], lists[side].batch_count,
                                      lists[side].batch, &attributes[count++], error));
    }
    HLO_TRY(hlo_attribute_make_ints(arena, contracting_ids[side], lists[side].contracting_count,
                                    lists[side].contracting, &attributes[count++], error));
  }
  return hlo_simplify_build(x, HLO_OP_DOT, shape, 2, operands, count, attributes, out, error);
}

static hlo_status contract_dot(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[2] = {x->operands[0], x->operands[1]};
  dimension_lists lists[2] = {lists_of(x, 0), lists_of(x, 1)};
  bool changed = false;
  for (int side = 0; side < 2; side++) {
    if (operands[side]->opcode != HLO_OP_TRANSPOSE) continue;
    if (!map_through_transpose(operands[side], &lists[side])) continue;
    operands[side] = operands[side]->operands[0];
    changed = true;
  }
  changed = sort_contracting(&lists[0], &lists[1]) || changed;
  return changed ? build_dot(x, x->shape, operands, lists, out, error) : HLO_OK;
}

// Absorbing a transpose pays only where the dot has no other user.
static bool is_free_to_move(const hlo_instruction *dot) {
  return dot->opcode == HLO_OP_DOT && dot->use_count == 1 &&
         hlo_layout_is_default(dot->shape->layout);
}

// The dot with its operands exchanged, so that the left operand's free dimensions are the last of
// the result; adapts `order`, the permutation of a transpose of it.
static hlo_status exchange_operands(const hlo_instruction *dot, int64_t *order,
                                    hlo_instruction **out, hlo_error *error) {
  const hlo_attribute_id precision = HLO_ATTRIBUTE_OPERAND_PRECISION;
  dimension_lists lists[2] = {lists_of(dot, 1), lists_of(dot, 0)};
  int32_t batch = lists[0].batch_count, rank = dot->shape->rank;
  int32_t left = dot->operands[0]->shape->rank - batch - lists[1].contracting_count;
  int32_t right = rank - batch - left;
  int64_t dims[HLO_MAX_RANK];
  const hlo_shape *shape;
  if (hlo_find_attribute(dot, precision) != NULL) return HLO_OK;
  for (int32_t i = 0; i < rank; i++) {
    int32_t d = (int32_t)order[i];
    if (d >= batch) order[i] = d < batch + left ? d + right : d - left;
    dims[i] = dot->shape->dims[i < batch ? i : i < batch + right ? i + left : i - right];
  }
  HLO_TRY(hlo_shape_make(&dot->computation->module->arena, dot->shape->type, rank, dims, &shape,
                         error));
  hlo_instruction *operands[2] = {dot->operands[1], dot->operands[0]};
  return build_dot(dot, shape, operands, lists, out, error);
}

// A transpose of a dot becomes a dot with the transposed result, whose last dimension must be a
// free one of the right operand.
static hlo_status contract_transpose(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *dot = x->operands[0];
  int32_t rank;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &rank);
  if (!is_free_to_move(dot) || !hlo_layout_is_default(x->shape->layout)) return HLO_OK;
  int64_t order[HLO_MAX_RANK], minor_to_major[HLO_MAX_RANK];
  for (int32_t i = 0; i < rank; i++) order[i] = dimensions[i];
  dimension_lists right = lists_of(dot, 1);
  int32_t right_free = dot->operands[1]->shape->rank - right.batch_count - right.contracting_count;
  if (order[rank - 1] < right.batch_count) return HLO_OK;
  hlo_instruction *moved = dot;
  if (order[rank - 1] < rank - right_free) {
    HLO_TRY(exchange_operands(dot, order, &moved, error));
    if (moved == dot) return HLO_OK;
  }
  // Within a row of the result, the columns must lie in the dot's order.
  for (int32_t i = 0; i < rank; i++) minor_to_major[i] = order[rank - 1 - i];
  hlo_layout layout = {.rank = rank, .minor_to_major = minor_to_major};
  const hlo_shape *shape;
  HLO_TRY(
      hlo_shape_with_layout(&x->computation->module->arena, moved->shape, &layout, &shape, error));
  if (moved == dot) {
    HLO_TRY(hlo_simplify_build(dot, HLO_OP_DOT, shape, 2, dot->operands, dot->attribute_count,
                               dot->attributes, &moved, error));
  } else {
    moved->shape = shape;
  }
  if (hlo_shape_same_dimensions(x->shape, shape) && hlo_layout_is_default(shape->layout)) {
    return hlo_simplify_use(x, moved, out, error);
  }
  return hlo_simplify_build(x, HLO_OP_BITCAST, x->shape, 1, &moved, 0, NULL, out, error);
}

// --- convolutions ---

static int64_t position_of(const char *labels, size_t length, char label) {
  for (size_t i = 0; i < length; i++) {
    if (labels[i] == label) return (int64_t)i;
  }
  return -1;
}

static bool has_plain_window(const hlo_instruction *x) {
  int32_t count;
  const int64_t *window = hlo_get_ints(x, HLO_ATTRIBUTE_WINDOW, &count);
  for (int32_t i = 0; i < count / HLO_WINDOW_FIELDS; i++) {
    const int64_t *w = window + i * HLO_WINDOW_FIELDS;
    if (w[HLO_WINDOW_SIZE] != 1 || w[HLO_WINDOW_STRIDE] != 1 || w[HLO_WINDOW_PAD_LOW] != 0 ||
        w[HLO_WINDOW_PAD_HIGH] != 0 || w[HLO_WINDOW_LHS_DILATION] != 1) {
      return false;
    }
  }
  return hlo_get_int(x, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1) == 1 &&
         hlo_get_int(x, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1) == 1;
}

// out[b, spatial…, o] = sum over f of in[b, spatial…, f] * kernel[1, …, f, o]
static hlo_status contract_convolution(hlo_instruction *x, hlo_instruction **out,
                                       hlo_error *error) {
  hlo_instruction *operands[2] = {x->operands[0], x->operands[1]};
  const char *labels = hlo_get_text(x, HLO_ATTRIBUTE_DIM_LABELS);
  const char *kernel = labels == NULL ? NULL : strchr(labels, '_');
  size_t rank = (size_t)x->shape->rank;
  if (kernel == NULL || strlen(labels) != 3 * rank + 3 || !has_plain_window(x)) return HLO_OK;
  const char *result = kernel + rank + 3;
  int64_t feature = position_of(labels, rank, 'f');
  int64_t input = position_of(++kernel, rank, 'i'), output = position_of(kernel, rank, 'o');
  if (position_of(result, rank, 'f') != (int64_t)rank - 1 || input < 0 || output < 0) return HLO_OK;
  // A sum of one product is never -0, but a dot without sums is.
  if (operands[1]->shape->dims[input] == 1) return HLO_OK;
  // What is left of the input must come in the order of the result.
  size_t at = 0;
  for (size_t i = 0; i < rank; i++) {
    if ((int64_t)i == feature) continue;
    char label = labels[i];
    if (label != result[at++]) return HLO_OK;
  }
  hlo_arena *arena = &x->computation->module->arena;
  const hlo_shape *shape;
  int64_t dims[2] = {operands[1]->shape->dims[input], operands[1]->shape->dims[output]};
  dimension_lists lists[2] = {{.contracting_count = 1, .contracting = {feature}},
                              {.contracting_count = 1, .contracting = {input < output ? 0 : 1}}};
  int64_t swapped[2] = {dims[1], dims[0]};
  HLO_TRY(hlo_shape_make(arena, operands[1]->shape->type, 2, input < output ? dims : swapped,
                         &shape, error));
  HLO_TRY(
      hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, &operands[1], 0, NULL, &operands[1], error));
  hlo_instruction like = *x; // only the fields that both opcodes share
  hlo_attribute kept[1];
  const hlo_attribute *precision = hlo_find_attribute(x, HLO_ATTRIBUTE_OPERAND_PRECISION);
  like.attribute_count = precision == NULL ? 0 : 1;
  like.attributes = kept;
  if (precision != NULL) kept[0] = *precision;
  return build_dot(&like, x->shape, operands, lists, out, error);
}

static hlo_status contract(void *context, hlo_instruction *x, hlo_instruction **replacement,
                           hlo_error *error) {
  (void)context;
  if (x->opcode != HLO_OP_DOT && x->opcode != HLO_OP_CONVOLUTION && x->opcode != HLO_OP_TRANSPOSE) {
    return HLO_OK;
  }
  if (hlo_simplify_is_dynamic(x) || hlo_shape_elements(x->shape) == 0) return HLO_OK;
  if (x->opcode == HLO_OP_DOT) return contract_dot(x, replacement, error);
  if (x->opcode == HLO_OP_TRANSPOSE) return contract_transpose(x, replacement, error);
  return contract_convolution(x, replacement, error);
}

hlo_status hlo_pass_contract(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, contract, NULL, error);
}
