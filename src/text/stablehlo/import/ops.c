// Imports single operations whose HLO form differs from StableHLO's: constants, broadcasts, slices,
// padding, dots and random numbers.
// See import.h.
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

// --- operations ---

hlo_status hlo_import_constant_operation(stablehlo_importer *im, const mlir_operation *op,
                                         hlo_error *error) {
  const mlir_attribute *value = hlo_mlir_find_attribute(op, "value");
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

hlo_status hlo_import_broadcast_in_dim(stablehlo_importer *im, const mlir_operation *op,
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
hlo_status hlo_import_broadcast(stablehlo_importer *im, const mlir_operation *op,
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

hlo_status hlo_import_slice(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"start_indices", "limit_indices", "strides"};
  return import_interleaved(im, op, HLO_OP_SLICE, names, HLO_ATTRIBUTE_SLICE, error);
}

hlo_status hlo_import_pad(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  return import_interleaved(im, op, HLO_OP_PAD, names, HLO_ATTRIBUTE_PADDING, error);
}

// select and clamp may have scalars where HLO wants arrays of the result's dimensions.
hlo_status hlo_import_with_scalars(stablehlo_importer *im, const mlir_operation *op,
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
hlo_status hlo_import_plain_dot(stablehlo_importer *im, const mlir_operation *op,
                                hlo_error *error) {
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
hlo_status hlo_import_rng(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
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

hlo_status hlo_import_create_token(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  hlo_instruction *result;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operand_count(op, 0, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_AFTER_ALL, shape, 0, NULL, 0, NULL, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// Sharding: the value itself.
hlo_status hlo_import_identity(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction *x;
  const hlo_shape *shape;
  HLO_TRY(unary(im, op, &x, &shape, error));
  im->name = NULL;
  return hlo_import_set_results(im, op, x, error);
}

hlo_status hlo_import_nothing(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  (void)im, (void)op, (void)error;
  return HLO_OK;
}
