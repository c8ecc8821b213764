// Imports single operations whose HLO form differs from StableHLO's: constants, broadcasts, slices,
// padding, dots and random numbers.
// See import.h.
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

// --- pieces that other files use, too ---

hlo_status hlo_import_constant(stablehlo_importer *im, const hlo_literal *literal,
                               const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  const char *name = im->name;
  bool is_splat = !hlo_shape_same_dimensions(literal->shape, shape);
  if (is_splat) im->name = NULL;
  HLO_TRY(hlo_import_emit(im, HLO_OP_CONSTANT, literal->shape, 0, NULL, 0, NULL, out, error));
  (*out)->literal = literal;
  if (!is_splat) return HLO_OK;
  hlo_attribute none = {.id = HLO_ATTRIBUTE_DIMENSIONS};
  hlo_instruction *scalar = *out;
  im->name = name;
  return hlo_import_emit(im, HLO_OP_BROADCAST, shape, 1, &scalar, 1, &none, out, error);
}

hlo_status hlo_import_number(stablehlo_importer *im, const hlo_shape *shape, double value,
                             hlo_instruction **out, hlo_error *error) {
  hlo_literal *literal;
  HLO_ALLOC(literal, &im->module->arena, 1, error);
  HLO_TRY(hlo_literal_make(&im->module->arena, hlo_shape_scalar(shape->type), literal, error));
  hlo_number number = {HLO_CLASS_FLOAT, 0, 0, value, 0};
  hlo_element_set(shape->type, literal->data, number);
  return hlo_import_constant(im, literal, shape, out, error);
}

hlo_status hlo_import_compare(stablehlo_importer *im, const char *direction, hlo_instruction *a,
                              hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_attribute attribute = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, direction);
  hlo_instruction *operands[] = {a, b};
  const hlo_shape *shape;
  HLO_TRY(hlo_import_shape_like(im, a->shape, HLO_PRED, &shape, error));
  return hlo_import_emit(im, HLO_OP_COMPARE, shape, 2, operands, 1, &attribute, out, error);
}

static hlo_status emit_with_ints(stablehlo_importer *im, hlo_opcode opcode, const hlo_shape *shape,
                                 int32_t operand_count, hlo_instruction *const *operands,
                                 hlo_attribute_id id, int32_t count, const int64_t *ints,
                                 hlo_instruction **out, hlo_error *error) {
  hlo_attribute attribute;
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, id, count, ints, &attribute, error));
  return hlo_import_emit(im, opcode, shape, operand_count, operands, 1, &attribute, out, error);
}

// Without the dimensions of size 1 that the result repeats: HLO's broadcast only adds dimensions.
static hlo_status drop_repeated(stablehlo_importer *im, hlo_instruction *x, const hlo_shape *to,
                                int64_t *dimensions, hlo_instruction **out, hlo_error *error) {
  int64_t kept[HLO_MAX_RANK];
  const hlo_shape *from = x->shape, *shape;
  int32_t count = 0;
  for (int32_t i = 0; i < from->rank; i++) {
    if (from->dims[i] == 1 && to->dims[dimensions[i]] != 1) continue;
    kept[count] = from->dims[i];
    dimensions[count++] = dimensions[i];
  }
  *out = x;
  if (count == from->rank) return HLO_OK;
  HLO_TRY(hlo_shape_make(&im->module->arena, from->type, count, kept, &shape, error));
  return hlo_import_emit(im, HLO_OP_RESHAPE, shape, 1, &x, 0, NULL, out, error);
}

// Transposes so that `dimensions` rise.
static hlo_status sort_dimensions(stablehlo_importer *im, hlo_instruction *x, int64_t *dimensions,
                                  hlo_instruction **out, hlo_error *error) {
  int64_t order[HLO_MAX_RANK], dims[HLO_MAX_RANK];
  const hlo_shape *from = x->shape, *shape;
  bool sorted = true;
  for (int32_t i = 0; i < from->rank; i++) {
    int32_t k = i;
    int64_t dimension = dimensions[i];
    for (; k > 0 && dimensions[k - 1] > dimension; k--) {
      dimensions[k] = dimensions[k - 1];
      order[k] = order[k - 1];
    }
    sorted = sorted && k == i;
    dimensions[k] = dimension;
    order[k] = i;
  }
  *out = x;
  if (sorted) return HLO_OK;
  for (int32_t i = 0; i < from->rank; i++) dims[i] = from->dims[order[i]];
  HLO_TRY(hlo_shape_make(&im->module->arena, from->type, from->rank, dims, &shape, error));
  return emit_with_ints(im, HLO_OP_TRANSPOSE, shape, 1, &x, HLO_ATTRIBUTE_DIMENSIONS, from->rank,
                        order, out, error);
}

hlo_status hlo_import_broadcast_to(stablehlo_importer *im, hlo_instruction *x, const hlo_shape *to,
                                   int32_t count, const int64_t *dimensions, hlo_instruction **out,
                                   hlo_error *error) {
  int64_t copy[HLO_MAX_RANK];
  const mlir_operation *op = im->operation;
  if (!hlo_shape_is_array(x->shape) || !hlo_shape_is_array(to) || count != x->shape->rank) {
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "needs one broadcast dimension for each dimension of the operand");
  }
  for (int32_t i = 0; i < count; i++) {
    bool fits = dimensions[i] >= 0 && dimensions[i] < to->rank;
    for (int32_t k = 0; fits && k < i; k++) fits = dimensions[k] != dimensions[i];
    int64_t size = x->shape->dims[i];
    if (!fits || (size != 1 && size != to->dims[dimensions[i]])) {
      char from_text[HLO_SHAPE_TEXT_SIZE], to_text[HLO_SHAPE_TEXT_SIZE];
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "dimension %d of %s cannot be broadcast to dimension %lld of %s", i,
                             hlo_shape_to_text(from_text, x->shape), (long long)dimensions[i],
                             hlo_shape_to_text(to_text, to));
    }
    copy[i] = dimensions[i];
  }
  const char *name = im->name;
  im->name = NULL;
  HLO_TRY(drop_repeated(im, x, to, copy, &x, error));
  HLO_TRY(sort_dimensions(im, x, copy, out, error));
  im->name = name;
  if (*out != x && hlo_shape_same_dimensions((*out)->shape, to)) return HLO_OK; // a transpose
  x = *out;
  return emit_with_ints(im, HLO_OP_BROADCAST, to, 1, &x, HLO_ATTRIBUTE_DIMENSIONS, x->shape->rank,
                        copy, out, error);
}

// --- operations ---

static hlo_status import_constant(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  const mlir_attribute *value = hlo_mlir_find(op, "value");
  hlo_instruction *constant;
  if (value == NULL || value->kind != MLIR_DENSE || op->result_count != 1)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no dense value");
  const mlir_type *type = op->results[0].type;
  const mlir_quantization *q = type->quantization;
  const hlo_shape *written = value->type->shape, *stored = type->shape;
  // i8 is what MLIR's attributes know for u8 in storage, too.
  bool is_signless = q != NULL && written != NULL && stored != NULL &&
                     hlo_type_get_class(stored->type) == HLO_CLASS_UNSIGNED &&
                     hlo_type_get_class(written->type) == HLO_CLASS_SIGNED &&
                     hlo_type_bits(written->type) == hlo_type_bits(stored->type);
  if (is_signless) HLO_TRY(hlo_import_shape_like(im, stored, written->type, &stored, error));
  if (q != NULL ? written == NULL || !hlo_shape_equal(written, stored)
                : !hlo_mlir_same_type(value->type, type))
    return hlo_import_fail(op, HLO_PARSE_ERROR, error,
                           "the value has another type than the result");
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_constant(im, value->literal, written, &constant, error));
  if (is_signless)
    HLO_TRY(hlo_import_emit(im, HLO_OP_BITCAST_CONVERT, type->shape, 1, &constant, 0, NULL,
                            &constant, error));
  return hlo_import_set_results(im, op, constant, error);
}

// One operand, one result: what most of the following have.
static hlo_status unary(stablehlo_importer *im, const mlir_operation *op, hlo_instruction **operand,
                        const hlo_shape **shape, hlo_error *error) {
  if (op->operand_count < 1 || op->result_count != 1)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "takes an operand and has one result");
  HLO_TRY(hlo_import_operand(im, op, 0, operand, error));
  HLO_TRY(hlo_import_result_shape(im, op, shape, error));
  hlo_import_name_next(im, op);
  return HLO_OK;
}

static hlo_status import_broadcast_in_dim(stablehlo_importer *im, const mlir_operation *op,
                                          hlo_error *error) {
  hlo_instruction *x, *result;
  const hlo_shape *shape;
  int32_t count;
  const int64_t *dimensions;
  HLO_TRY(unary(im, op, &x, &shape, error));
  HLO_TRY(hlo_import_named_ints(im, op, "broadcast_dimensions", &count, &dimensions, error));
  HLO_TRY(hlo_import_broadcast_to(im, x, shape, count, dimensions, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// broadcast %x, sizes = [2, 3]: new dimensions in front.
static hlo_status import_broadcast(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  hlo_instruction *x, *result;
  const hlo_shape *shape;
  int32_t count;
  const int64_t *sizes;
  int64_t dimensions[HLO_MAX_RANK];
  HLO_TRY(unary(im, op, &x, &shape, error));
  HLO_TRY(hlo_import_named_ints(im, op, "broadcast_sizes", &count, &sizes, error));
  bool fits = hlo_shape_is_array(x->shape) && hlo_shape_is_array(shape) &&
              shape->rank == count + x->shape->rank;
  for (int32_t i = 0; fits && i < count; i++) fits = shape->dims[i] == sizes[i];
  for (int32_t i = 0; fits && i < x->shape->rank; i++)
    fits = shape->dims[count + i] == x->shape->dims[i];
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "the result's shape is not the sizes before the operand's");
  for (int32_t i = 0; i < x->shape->rank; i++) dimensions[i] = count + i;
  HLO_TRY(hlo_import_broadcast_to(im, x, shape, x->shape->rank, dimensions, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// Weaves lists of the same length into one: a0 b0 c0 a1 b1 c1 ….
static hlo_status interleave(stablehlo_importer *im, const mlir_operation *op,
                             const char *const names[3], hlo_attribute_id id, hlo_attribute *out,
                             hlo_error *error) {
  const int64_t *lists[3];
  int32_t counts[3];
  int64_t *ints;
  for (int i = 0; i < 3; i++)
    HLO_TRY(hlo_import_named_ints(im, op, names[i], &counts[i], &lists[i], error));
  if (counts[0] != counts[1] || counts[0] != counts[2])
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%s, %s and %s differ in length", names[0],
                           names[1], names[2]);
  if (counts[0] > HLO_MAX_RANK)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%s has more than %d entries", names[0],
                           (int)HLO_MAX_RANK);
  HLO_ALLOC(ints, &im->parser->tree, 3 * counts[0], error);
  for (int32_t i = 0; i < 3 * counts[0]; i++) ints[i] = lists[i % 3][i / 3];
  return hlo_attribute_make_ints(&im->module->arena, id, 3 * counts[0], ints, out, error);
}

static hlo_status import_interleaved(stablehlo_importer *im, const mlir_operation *op,
                                     hlo_opcode opcode, const char *const names[3],
                                     hlo_attribute_id id, hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  hlo_attribute attribute;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(interleave(im, op, names, id, &attribute, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, opcode, shape, op->operand_count, operands, 1, &attribute, &result,
                          error));
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status import_slice(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"start_indices", "limit_indices", "strides"};
  return import_interleaved(im, op, HLO_OP_SLICE, names, HLO_ATTRIBUTE_SLICE, error);
}

static hlo_status import_pad(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  return import_interleaved(im, op, HLO_OP_PAD, names, HLO_ATTRIBUTE_PADDING, error);
}

// select and clamp may have scalars where HLO wants arrays of the result's dimensions.
static hlo_status import_with_scalars(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  hlo_opcode opcode = strcmp(op->name, "stablehlo.select") == 0 ? HLO_OP_SELECT : HLO_OP_CLAMP;
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operand_count(op, 3, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  for (int32_t i = 0; i < 3 && hlo_shape_is_array(shape); i++) {
    const hlo_shape *from = operands[i]->shape, *to;
    bool may_be_scalar = opcode == HLO_OP_SELECT ? i == 0 : i != 1;
    if (!may_be_scalar || !hlo_shape_is_scalar(from) || shape->rank == 0) continue;
    HLO_TRY(hlo_import_shape_like(im, shape, from->type, &to, error));
    HLO_TRY(hlo_import_broadcast_to(im, operands[i], to, 0, NULL, &operands[i], error));
  }
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, opcode, shape, 3, operands, 0, NULL, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// dot contracts the last dimension of the left with the first of the right operand.
static hlo_status import_dot(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  if (operands[0]->shape->rank < 1 || operands[0]->shape->rank > 2 ||
      operands[1]->shape->rank < 1 || operands[1]->shape->rank > 2)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes vectors and matrices");
  int64_t left = operands[0]->shape->rank - 1, right = 0;
  hlo_arena *arena = &im->module->arena;
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, 1, &left,
                                  &attributes[count++], error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, 1, &right,
                                  &attributes[count++], error));
  HLO_TRY(hlo_import_attributes(im, HLO_OP_DOT, op, attributes, &count, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_DOT, shape, 2, operands, count, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// The third operand says the result's shape.
static hlo_status import_rng(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  HLO_TRY(hlo_import_operand_count(op, 3, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_shape_from_operand(im, op, 2, &shape, error));
  HLO_TRY(hlo_import_attributes(im, HLO_OP_RNG, op, attributes, &count, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_RNG, shape, 2, operands, count, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status import_create_token(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  hlo_instruction *result;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operand_count(op, 0, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_AFTER_ALL, shape, 0, NULL, 0, NULL, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// Sharding: the value itself.
static hlo_status import_identity(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  hlo_instruction *x;
  const hlo_shape *shape;
  HLO_TRY(unary(im, op, &x, &shape, error));
  im->name = NULL;
  return hlo_import_set_results(im, op, x, error);
}

static hlo_status import_nothing(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_error *error) {
  (void)im, (void)op, (void)error;
  return HLO_OK;
}

static const struct {
  const char *name;
  hlo_import_function *import;
} special[] = {
    {"func.call", hlo_import_call},
    {"stablehlo.constant", import_constant},
    {"chlo.constant", import_constant},
    {"stablehlo.broadcast_in_dim", import_broadcast_in_dim},
    {"stablehlo.broadcast", import_broadcast},
    {"stablehlo.slice", import_slice},
    {"stablehlo.pad", import_pad},
    {"stablehlo.select", import_with_scalars},
    {"stablehlo.clamp", import_with_scalars},
    {"stablehlo.dot", import_dot},
    {"stablehlo.einsum", hlo_import_einsum},
    {"stablehlo.unary_einsum", hlo_import_einsum},
    {"stablehlo.torch_index_select", hlo_import_index_select},
    {"stablehlo.rng", import_rng},
    {"stablehlo.create_token", import_create_token},
    {"chlo.dynamic_reshape", hlo_import_dynamic},
    {"stablehlo.dynamic_broadcast_in_dim", hlo_import_dynamic},
    {"stablehlo.dynamic_conv", hlo_import_dynamic},
    {"stablehlo.dynamic_gather", hlo_import_dynamic},
    {"stablehlo.dynamic_iota", hlo_import_dynamic},
    {"stablehlo.dynamic_pad", hlo_import_dynamic},
    {"stablehlo.dynamic_reshape", hlo_import_dynamic},
    {"stablehlo.real_dynamic_slice", hlo_import_dynamic},
    {"stablehlo.optimization_barrier", hlo_import_barrier},
    {"stablehlo.async_start", hlo_import_async_start},
    {"stablehlo.async_done", hlo_import_async_done},
    {"stablehlo.while", hlo_import_while},
    {"chlo.scan", hlo_import_scan},
    {"stablehlo.if", hlo_import_if},
    {"stablehlo.case", hlo_import_case},
    {"stablehlo.composite", hlo_import_composite},
    {"stablehlo.custom_call", hlo_import_custom_call},
    {"stablehlo.convolution", hlo_import_convolution},
    {"stablehlo.reduce_window", hlo_import_window},
    {"stablehlo.select_and_scatter", hlo_import_window},
    {"stablehlo.all_to_all", hlo_import_collective},
    {"stablehlo.collective_broadcast", hlo_import_collective_broadcast},
    {"stablehlo.collective_reduce", hlo_import_collective_reduce},
    {"stablehlo.infeed", hlo_import_transfer},
    {"stablehlo.outfeed", hlo_import_transfer},
    {"stablehlo.send", hlo_import_transfer},
    {"stablehlo.recv", hlo_import_transfer},
    {"stablehlo.cross-replica-sum", hlo_import_cross_replica_sum},
    {"interpreter.run_parallel", hlo_import_run_parallel},
    {"sdy.manual_computation", hlo_import_manual_computation},
    {"sdy.named_computation", hlo_import_named_computation},
    {"sdy.constant", import_constant},
    {"sdy.sharding_constraint", hlo_import_resharding},
    {"sdy.reshard", hlo_import_resharding},
    {"sdy.all_gather", hlo_import_resharding},
    {"sdy.all_reduce", hlo_import_resharding},
    {"sdy.all_slice", hlo_import_resharding},
    {"sdy.all_to_all", hlo_import_resharding},
    {"sdy.collective_permute", hlo_import_resharding},
    {"sdy.reduce_scatter", hlo_import_resharding},
    {"sdy.replicated_to_unreduced", hlo_import_resharding},
    {"sdy.sharded_to_unreduced", hlo_import_resharding},
    {"sdy.data_flow_edge", hlo_import_resharding},
    {"sdy.func_data_flow_edge", hlo_import_resharding},
    {"sdy.propagation_barrier", import_identity},
    {"sdy.sharding_group", import_nothing},
};

hlo_import_function *hlo_import_special(const char *name) {
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (strcmp(special[i].name, name) == 0) return special[i].import;
  return NULL;
}
