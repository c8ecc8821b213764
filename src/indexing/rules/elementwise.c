// Indexing rules of ops that keep or repeat the index: elementwise ops, broadcast, bitcast-convert,
// and those that only rename leaves of tuples. Source: "Operation Semantics" of XLA's
// documentation.
#include "indexing/rules/rules.h"

// --- elementwise: scalars among the operands serve every element ---

hlo_status hlo_elementwise_to_operands(hlo_rule_request *r, hlo_error *error) {
  for (int32_t k = 0; k < r->x->operand_count; k++) {
    if (hlo_shape_same_dimensions(hlo_rule_operand_shape(r, k), r->x->shape))
      HLO_TRY(hlo_add_identity(r, r->x->shape, k, error));
    else HLO_TRY(hlo_add_to_scalar(r, r->x->shape, k, error));
  }
  return HLO_OK;
}

hlo_status hlo_elementwise_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_rule_operand_shape(r, r->leaf);
  if (hlo_shape_same_dimensions(from, r->x->shape)) return hlo_add_identity(r, from, 0, error);
  return hlo_add_to_everything(r, from, r->x->shape, 0, error);
}

// --- broadcast: operand dimension i is dimension dimensions[i] of the result ---

hlo_status hlo_broadcast_to_operands(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(r->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, r->x->shape, dims);
  for (int32_t i = 0; i < count; i++) hlo_map_set_result(&b, i, dims[dimensions[i]]);
  return hlo_map_finish(r, &b, 0, error);
}

hlo_status hlo_broadcast_to_results(hlo_rule_request *r, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(r->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_affine *dims[HLO_MAX_RANK], *results[HLO_MAX_RANK] = {NULL};
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, hlo_rule_operand_shape(r, 0), dims);
  for (int32_t i = 0; i < count; i++) results[dimensions[i]] = dims[i];
  for (int32_t d = 0; d < r->x->shape->rank; d++)
    hlo_map_set_result(
        &b, d, results[d] != NULL ? results[d] : hlo_map_add_range(&b, r->x->shape->dims[d]));
  return hlo_map_finish(r, &b, 0, error);
}

// --- bitcast-convert: the wider type's elements have an extra last dimension on the other side ---

static hlo_status between_widths(hlo_rule_request *r, const hlo_shape *from, const hlo_shape *to,
                                 hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
  for (int32_t d = 0; d < to->rank; d++)
    hlo_map_set_result(&b, d, d < from->rank ? dims[d] : hlo_map_add_range(&b, to->dims[d]));
  return hlo_map_finish(r, &b, 0, error);
}

hlo_status hlo_bitcast_convert_to_operands(hlo_rule_request *r, hlo_error *error) {
  return between_widths(r, r->x->shape, hlo_rule_operand_shape(r, 0), error);
}

hlo_status hlo_bitcast_convert_to_results(hlo_rule_request *r, hlo_error *error) {
  return between_widths(r, hlo_rule_operand_shape(r, 0), r->x->shape, error);
}

// --- renaming: tuple, get-tuple-element, opt-barrier. Leaf i of the result is operand leaf
//     first + i. ---

static int32_t first_leaf(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_GET_TUPLE_ELEMENT) return 0;
  int32_t index = (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0);
  return hlo_shape_leaves_before(x->operands[0]->shape, index);
}

bool hlo_rule_is_alias(const hlo_instruction *x) {
  return x->opcode == HLO_OP_TUPLE || x->opcode == HLO_OP_GET_TUPLE_ELEMENT ||
         x->opcode == HLO_OP_OPTIMIZATION_BARRIER;
}

int32_t hlo_rule_alias_operand(const hlo_instruction *x, int32_t *leaf) {
  *leaf += first_leaf(x);
  if (x->opcode != HLO_OP_TUPLE) return 0;
  int32_t operand = hlo_shape_element_at(x->shape, *leaf);
  *leaf -= hlo_shape_leaves_before(x->shape, operand);
  return operand;
}

hlo_status hlo_alias_to_operands(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *shape = hlo_shape_leaf(r->x->shape, r->leaf);
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  return hlo_add_identity(r, shape, first_leaf(r->x) + r->leaf, error);
}

hlo_status hlo_alias_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_leaf_shape(r->x, r->leaf);
  int32_t leaf = r->leaf - first_leaf(r->x);
  if (!hlo_shape_is_array(shape) || leaf < 0 || leaf >= hlo_shape_leaf_count(r->x->shape))
    return HLO_OK;
  return hlo_add_identity(r, shape, leaf, error);
}
