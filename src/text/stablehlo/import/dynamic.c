// Imports operations whose operands give sizes: dynamic_broadcast_in_dim, real_dynamic_slice and so
// on. See dynamic.h.
//
// How '?' goes away. HLO has no sizes without a bound, so a program with '?' in its types is
// refined while it is read, and no instruction ever has such a shape:
// * Every instruction's operands have shapes already, so its own follows: by shape inference, or
//   from the values of operands that say sizes (dynamic_shapes.c).
// * Such values are computed from constants, from sizes and, where the parser's caller knows them,
//   from elements of the entry's arguments, on demand (dynamic_values.c). What
//   depends on other data is an error that names it.
// * Functions are imported anew for each kind of arguments (dynamic_functions.c);
//   the entry's shapes come from the parser's caller.
// Then dynamic operations are their static counterparts with attributes in place of operands.
// Source of the semantics: "StableHLO Specification".
#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/attributes.h"

#include <string.h>

// The shape before its sizes are set: dynamic only in the dimensions that are the operand's.
static hlo_status at_bounds(stablehlo_importer *im, const hlo_shape *shape,
                            const hlo_instruction *x, int32_t count, const int64_t *dimensions,
                            const hlo_shape **out, hlo_error *error) {
  bool dynamic[HLO_MAX_RANK] = {false};
  *out = shape;
  if (!hlo_shape_is_dynamic(shape)) return HLO_OK;
  for (int32_t d = 0; x != NULL && d < count && d < x->shape->rank; d++)
    if (x->shape->dynamic != NULL && x->shape->dynamic[d] && dimensions[d] >= 0 &&
        dimensions[d] < shape->rank)
      dynamic[dimensions[d]] = true;
  return hlo_shape_make_dynamic(&im->module->arena, shape->type, shape->rank, shape->dims, dynamic,
                                out, error);
}

// Bounds in the type leave sizes to the running program: operand `index` says them.
static hlo_status set_sizes(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                            const hlo_shape *shape, hlo_instruction **x, hlo_error *error) {
  if (!hlo_shape_is_dynamic(shape)) return HLO_OK;
  hlo_instruction *sizes, *size;
  HLO_TRY(hlo_import_operand(im, op, index, &sizes, error));
  for (int64_t d = 0; d < shape->rank; d++) {
    if (!shape->dynamic[d]) continue;
    HLO_TRY(hlo_import_list_element(im, sizes, d, &size, error));
    HLO_TRY(hlo_import_set_size(im, d, size, shape, x, error));
  }
  return HLO_OK;
}

static hlo_status import_dynamic_broadcast(stablehlo_importer *im, const mlir_operation *op,
                                           hlo_error *error) {
  hlo_instruction *x, *result;
  const hlo_shape *shape, *full;
  int32_t count;
  const int64_t *dimensions;
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  HLO_TRY(hlo_import_shape_from_operand(im, op, 1, &shape, error));
  HLO_TRY(hlo_import_named_ints(im, op, "broadcast_dimensions", &count, &dimensions, error));
  hlo_import_name_next(im, op);
  HLO_TRY(at_bounds(im, shape, x, count, dimensions, &full, error));
  HLO_TRY(hlo_import_broadcast_to(im, x, full, count, dimensions, &result, error));
  HLO_TRY(set_sizes(im, op, 1, shape, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status import_dynamic_iota(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  hlo_instruction *result;
  const hlo_shape *shape, *full;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_shape_from_operand(im, op, 0, &shape, error));
  HLO_TRY(hlo_import_attributes(im, HLO_OP_IOTA, op, attributes, &count, error));
  hlo_import_name_next(im, op);
  HLO_TRY(at_bounds(im, shape, NULL, 0, NULL, &full, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_IOTA, full, 0, NULL, count, attributes, &result, error));
  HLO_TRY(set_sizes(im, op, 0, shape, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status reshape_to_bounds(stablehlo_importer *im, const mlir_operation *op,
                                    hlo_instruction *x, const hlo_shape *shape,
                                    hlo_instruction **out, hlo_error *error) {
  hlo_instruction *sizes, *operands[HLO_MAX_RANK + 1] = {x};
  HLO_TRY(hlo_import_operand(im, op, 1, &sizes, error));
  for (int32_t d = 0; d < shape->rank; d++)
    HLO_TRY(hlo_import_list_element(im, sizes, d, &operands[d + 1], error));
  return hlo_import_emit(im, HLO_OP_DYNAMIC_RESHAPE, shape, shape->rank + 1, operands, 0, NULL, out,
                         error);
}

static hlo_status import_dynamic_reshape(stablehlo_importer *im, const mlir_operation *op,
                                         hlo_error *error) {
  hlo_instruction *x, *result;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  HLO_TRY(hlo_import_shape_from_operand(im, op, 1, &shape, error));
  hlo_import_name_next(im, op);
  if (hlo_shape_is_dynamic(shape)) HLO_TRY(reshape_to_bounds(im, op, x, shape, &result, error));
  else HLO_TRY(hlo_import_emit(im, HLO_OP_RESHAPE, shape, 1, &x, 0, NULL, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- operations that become others, with attributes in place of the operands from `first` on ---

// Any of the operands [first, first + count) is known as late as when the program runs.
static hlo_status is_late(stablehlo_importer *im, const mlir_operation *op, int32_t first,
                          int32_t count, bool *out, hlo_error *error) {
  int32_t ignored;
  const int64_t *known;
  HLO_TRY(hlo_import_operand_count(op, first + count, error));
  *out = false;
  for (int32_t i = 0; i < count; i++) {
    HLO_TRY(hlo_import_maybe_known_ints(im, op, first + i, &ignored, &known, error));
    *out = *out || known == NULL;
  }
  return HLO_OK;
}

// low + high + elements + gaps * interior: the size that a padded dimension has now.
static hlo_status padded_size(stablehlo_importer *im, hlo_instruction *const *operands, int64_t d,
                              hlo_instruction **out, hlo_error *error) {
  hlo_instruction *one, *gaps, *amount;
  HLO_TRY(hlo_import_size_now(im, operands[0], d, out, error));
  HLO_TRY(hlo_import_integer(im, 1, &one, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_MAXIMUM, *out, one, &gaps, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_SUBTRACT, gaps, one, &gaps, error));
  for (int i = 2; i < 5; i++) {
    HLO_TRY(hlo_import_list_integer(im, operands[i], d, &amount, error));
    if (i == 4) HLO_TRY(hlo_import_binary(im, HLO_OP_MULTIPLY, amount, gaps, &amount, error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_ADD, *out, amount, out, error));
  }
  return HLO_OK;
}

// To a type that states sizes, or bounds of them.
static hlo_status pad_late(stablehlo_importer *im, const mlir_operation *op, const hlo_shape *shape,
                           hlo_instruction **operands, hlo_error *error) {
  const hlo_shape *from = operands[0]->shape, *full;
  hlo_instruction *result, *size;
  bool fits = hlo_shape_is_array(from) && hlo_shape_is_array(shape) && from->rank == shape->rank &&
              from->type == shape->type && hlo_shape_is_scalar(operands[1]->shape) &&
              operands[1]->shape->type == from->type;
  for (int32_t i = 2; fits && i < 5; i++) {
    const hlo_shape *list = operands[i]->shape;
    fits = list->rank == 1 && list->dims[0] == from->rank;
  }
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "takes an array, a scalar of its type and three lists with an amount "
                           "for each of its dimensions, and gives an array of that rank");
  hlo_padding_lists lists = {.low = operands[2], .interior = operands[4]};
  HLO_TRY(hlo_shape_make(&im->module->arena, shape->type, shape->rank, shape->dims, &full, error));
  HLO_TRY(hlo_import_pad_late(im, operands[0], operands[1], &lists, full, &result, error));
  for (int32_t d = 0; d < shape->rank; d++) {
    if (!hlo_shape_is_dynamic_in(shape, d)) continue;
    HLO_TRY(padded_size(im, operands, d, &size, error));
    HLO_TRY(hlo_import_set_size(im, d, size, shape, &result, error));
  }
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status import_dynamic_pad(stablehlo_importer *im, const mlir_operation *op,
                                     hlo_error *error) {
  static const char *const names[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  mlir_operation pad;
  hlo_instruction **operands;
  const hlo_shape *shape;
  bool late;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(is_late(im, op, 2, 3, &late, error));
  if (late && !hlo_shape_is_unbounded(shape)) {
    HLO_TRY(hlo_import_operands(im, op, &operands, error));
    return pad_late(im, op, shape, operands, error);
  }
  HLO_TRY(hlo_import_with_attributes(im, op, 2, 3, names, &pad, error));
  return hlo_import_pad(im, &pad, error);
}

static hlo_status import_dynamic_conv(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  static const char *const names[] = {"padding"};
  mlir_operation convolution;
  const hlo_shape *shape;
  bool late;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(is_late(im, op, 2, 1, &late, error));
  if (late && !hlo_shape_is_unbounded(shape)) return hlo_import_convolution(im, op, error);
  HLO_TRY(hlo_import_with_attributes(im, op, 2, 1, names, &convolution, error));
  return hlo_import_convolution(im, &convolution, error);
}

static hlo_status import_dynamic_gather(stablehlo_importer *im, const mlir_operation *op,
                                        hlo_error *error) {
  static const char *const names[] = {"slice_sizes"};
  mlir_operation gather;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  int32_t count = 0;
  bool late;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(is_late(im, op, 2, 1, &late, error));
  if (late && !hlo_shape_is_unbounded(shape)) return hlo_import_gather_late(im, op, shape, error);
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_with_attributes(im, op, 2, 1, names, &gather, error));
  HLO_TRY(hlo_import_attributes(im, HLO_OP_GATHER, &gather, attributes, &count, error));
  hlo_import_name_next(im, op);
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_GATHER, shape, 2, operands, count, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

static const struct {
  const char *name;
  hlo_import_function *import;
} operations[] = {
    {"dynamic_broadcast_in_dim", import_dynamic_broadcast},
    {"dynamic_conv", import_dynamic_conv},
    {"dynamic_gather", import_dynamic_gather},
    {"dynamic_iota", import_dynamic_iota},
    {"dynamic_pad", import_dynamic_pad},
    {"dynamic_reshape", import_dynamic_reshape},
    {"real_dynamic_slice", hlo_import_real_dynamic_slice},
};

hlo_status hlo_import_dynamic(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  const char *dot = strchr(op->name, '.');
  for (size_t i = 0; dot != NULL && i < sizeof operations / sizeof *operations; i++)
    if (strcmp(operations[i].name, dot + 1) == 0) return operations[i].import(im, op, error);
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "this operation is not supported");
}
