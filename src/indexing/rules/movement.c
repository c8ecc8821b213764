// Indexing rules of ops that move elements: transpose, reverse, slice, pad, concatenate, reshape,
// bitcast. Source: "Operation Semantics" of XLA's documentation.
#include "indexing/rules/rules.h"

static hlo_status start_from(hlo_rule_request *r, hlo_map_builder *b, const hlo_shape *from,
                             const hlo_affine **dims, hlo_error *error) {
  HLO_TRY(hlo_map_start(r, b, error));
  hlo_map_add_variables(b, HLO_AFFINE_DIM, from, dims);
  return HLO_OK;
}

// --- transpose: dimension i of the result is dimension dimensions[i] of the operand ---

hlo_status hlo_transpose_to_operands(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(r->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, r->x->shape, dims, error));
  for (int32_t i = 0; i < count; i++) hlo_map_set_result(&b, (int32_t)dimensions[i], dims[i]);
  return hlo_map_finish(r, &b, 0, error);
}

hlo_status hlo_transpose_to_results(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(r->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, hlo_rule_operand_shape(r, 0), dims, error));
  for (int32_t i = 0; i < count; i++) hlo_map_set_result(&b, i, dims[dimensions[i]]);
  return hlo_map_finish(r, &b, 0, error);
}

// --- reverse ---

hlo_status hlo_reverse_either_way(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(r->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_shape *shape = r->x->shape;
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, shape, dims, error));
  for (int32_t d = 0; d < shape->rank; d++) hlo_map_set_result(&b, d, dims[d]);
  for (int32_t i = 0; i < count; i++) {
    int32_t d = (int32_t)dimensions[i];
    const hlo_affine *last = hlo_affine_constant(r->context, shape->dims[d] - 1);
    hlo_map_set_result(&b, d, hlo_affine_add_scaled(r->context, last, dims[d], -1));
  }
  return hlo_map_finish(r, &b, 0, error);
}

// --- slice: slice has start, limit, stride for each dimension ---

hlo_status hlo_slice_to_operands(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *slice = hlo_get_ints(r->x, HLO_ATTRIBUTE_SLICE, &count);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, r->x->shape, dims, error));
  for (int32_t d = 0; d < r->x->shape->rank; d++) {
    const hlo_affine *scaled = hlo_affine_scale(r->context, dims[d], slice[3 * d + 2]);
    hlo_map_set_result(&b, d, hlo_affine_shift(r->context, scaled, slice[3 * d]));
  }
  return hlo_map_finish(r, &b, 0, error);
}

hlo_status hlo_slice_to_results(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *slice = hlo_get_ints(r->x, HLO_ATTRIBUTE_SLICE, &count);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, hlo_rule_operand_shape(r, 0), dims, error));
  for (int32_t d = 0; d < r->x->shape->rank; d++) {
    const hlo_affine *position = hlo_affine_shift(r->context, dims[d], -slice[3 * d]);
    hlo_map_set_result(&b, d,
                       hlo_map_add_strided(&b, position, slice[3 * d + 2], r->x->shape->dims[d]));
  }
  return hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error);
}

// --- pad: padding has low, high, interior for each dimension ---

hlo_status hlo_pad_to_operands(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *padding = hlo_get_ints(r->x, HLO_ATTRIBUTE_PADDING, &count);
  const hlo_shape *to = hlo_rule_operand_shape(r, 0);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, r->x->shape, dims, error));
  for (int32_t d = 0; d < to->rank; d++) {
    const hlo_affine *position =
        hlo_affine_shift(r->context, dims[d], hlo_bound_negate(padding[3 * d]));
    hlo_map_set_result(&b, d,
                       hlo_map_add_strided(&b, position, padding[3 * d + 2] + 1, to->dims[d]));
  }
  HLO_TRY(hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error));
  return hlo_add_to_scalar(r, r->x->shape, 1, error);
}

hlo_status hlo_pad_to_results(hlo_rule_request *r, hlo_error *error) {
  if (r->leaf == 1)
    return hlo_add_to_everything(r, hlo_rule_operand_shape(r, 1), r->x->shape, 0, error);
  int32_t count;
  const int64_t *padding = hlo_get_ints(r->x, HLO_ATTRIBUTE_PADDING, &count);
  const hlo_shape *from = hlo_rule_operand_shape(r, 0);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, from, dims, error));
  for (int32_t d = 0; d < from->rank; d++) {
    const hlo_affine *scaled = hlo_affine_scale(r->context, dims[d], padding[3 * d + 2] + 1);
    const hlo_affine *result = hlo_affine_shift(r->context, scaled, padding[3 * d]);
    hlo_map_set_result(&b, d, result);
    hlo_map_limit(&b, result, r->x->shape->dims[d]);
  }
  return hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error);
}

// --- concatenate ---

// Where the elements of an operand start in the result.
static int64_t concatenate_offset(const hlo_rule_request *r, int32_t operand, int32_t dimension) {
  int64_t offset = 0;
  for (int32_t k = 0; k < operand; k++) offset += hlo_rule_operand_shape(r, k)->dims[dimension];
  return offset;
}

static int32_t concatenate_dimension(const hlo_rule_request *r) {
  int32_t count;
  return (int32_t)hlo_get_ints(r->x, HLO_ATTRIBUTE_DIMENSIONS, &count)[0];
}

hlo_status hlo_concatenate_to_operands(hlo_rule_request *r, hlo_error *error) {
  int32_t dimension = concatenate_dimension(r);
  int64_t offset = 0;
  for (int32_t k = 0; k < r->x->operand_count; k++) {
    int64_t size = hlo_rule_operand_shape(r, k)->dims[dimension];
    const hlo_affine *dims[HLO_MAX_RANK];
    hlo_map_builder b;
    HLO_TRY(start_from(r, &b, r->x->shape, dims, error));
    hlo_map_add_constraint(&b, dims[dimension], hlo_interval_make(offset, offset + size - 1));
    for (int32_t d = 0; d < r->x->shape->rank; d++) hlo_map_set_result(&b, d, dims[d]);
    hlo_map_set_result(&b, dimension, hlo_affine_shift(r->context, dims[dimension], -offset));
    HLO_TRY(hlo_map_finish(r, &b, k, error));
    offset += size;
  }
  return HLO_OK;
}

hlo_status hlo_concatenate_to_results(hlo_rule_request *r, hlo_error *error) {
  int32_t dimension = concatenate_dimension(r);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, hlo_rule_operand_shape(r, r->leaf), dims, error));
  for (int32_t d = 0; d < r->x->shape->rank; d++) hlo_map_set_result(&b, d, dims[d]);
  hlo_map_set_result(
      &b, dimension,
      hlo_affine_shift(r->context, dims[dimension], concatenate_offset(r, r->leaf, dimension)));
  return hlo_map_finish(r, &b, 0, error);
}

// --- reshape and bitcast: the same position in memory ---

// linear = Σ index · stride; then back from the strides on the other side. Sizes with padding are
// those of memory; an index in the padding is outside of the domain.
static hlo_status same_position(hlo_rule_request *r, const hlo_shape *from, const hlo_shape *to,
                                hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK], *position = hlo_affine_constant(r->context, 0);
  int64_t from_strides[HLO_MAX_RANK], to_strides[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(start_from(r, &b, from, dims, error));
  hlo_shape_strides(from, from_strides);
  hlo_shape_strides(to, to_strides);
  for (int32_t d = 0; d < from->rank; d++)
    position = hlo_affine_add_scaled(r->context, position, dims[d], from_strides[d]);
  bool is_padded = to->layout != NULL && to->layout->padded_dims != NULL;
  for (int32_t d = 0; d < to->rank; d++) {
    int64_t width = is_padded ? to->layout->padded_dims[d] : to->dims[d];
    const hlo_affine *stride = hlo_affine_constant(r->context, to_strides[d]);
    const hlo_affine *index = hlo_affine_floordiv(r->context, position, stride);
    if (width > 0)
      index = hlo_affine_mod(r->context, index, hlo_affine_constant(r->context, width));
    hlo_map_set_result(&b, d, index);
    if (width != to->dims[d]) hlo_map_limit(&b, index, to->dims[d]);
  }
  return hlo_map_finish_simplified(r, &b, 0, 0, error);
}

// Reshape keeps the row-major order, whatever the layouts.
static hlo_shape without_layout(const hlo_shape *shape) {
  hlo_shape plain = *shape;
  plain.layout = NULL;
  return plain;
}

hlo_status hlo_reshape_to_operands(hlo_rule_request *r, hlo_error *error) {
  hlo_shape from = without_layout(r->x->shape), to = without_layout(hlo_rule_operand_shape(r, 0));
  return same_position(r, &from, &to, error);
}

hlo_status hlo_reshape_to_results(hlo_rule_request *r, hlo_error *error) {
  hlo_shape from = without_layout(hlo_rule_operand_shape(r, 0)), to = without_layout(r->x->shape);
  return same_position(r, &from, &to, error);
}

// Elements of different sizes share memory in a way that no map between indices says.
static hlo_status bitcast(hlo_rule_request *r, const hlo_shape *from, const hlo_shape *to,
                          hlo_error *error) {
  if (hlo_type_bits(from->type) == hlo_type_bits(to->type) &&
      hlo_shape_memory_elements(from) == hlo_shape_memory_elements(to))
    return same_position(r, from, to, error);
  hlo_indexing_set_to_unknown(&r->sets[0]);
  return HLO_OK;
}

hlo_status hlo_bitcast_to_operands(hlo_rule_request *r, hlo_error *error) {
  return bitcast(r, r->x->shape, hlo_rule_operand_shape(r, 0), error);
}

hlo_status hlo_bitcast_to_results(hlo_rule_request *r, hlo_error *error) {
  return bitcast(r, hlo_rule_operand_shape(r, 0), r->x->shape, error);
}
