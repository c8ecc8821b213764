// Imports operations whose operands say sizes: dynamic_broadcast_in_dim, real_dynamic_slice and so
// on. See stablehlo_import_dynamic.h. Must not know how text is written.
//
// How '?' goes away. HLO has no sizes without a bound, so a program with '?' in its types is
// refined while it is read, and no instruction ever has such a shape:
// * Every instruction's operands have shapes already, so its own follows: by shape inference, or
//   from the values of operands that say sizes (stablehlo_import_dynamic_shapes.c).
// * Such values are computed from constants, from sizes and, where the parser's caller knows them,
//   from elements of the entry's arguments, on demand (stablehlo_import_dynamic_values.c). What
//   depends on other data is an error that names it.
// * Functions are imported anew for each kind of arguments (stablehlo_import_dynamic_functions.c);
//   the entry's shapes come from the parser's caller.
// Then dynamic operations are their static counterparts with attributes in place of operands.
// Source of the semantics: "StableHLO Specification".
#include "text/stablehlo_import_dynamic.h"
#include "text/stablehlo_attributes.h"

#include <string.h>

// A type that states all sizes is enough.
hlo_status hlo_import_shape_from_operand(stablehlo_importer *im, const mlir_operation *op,
                                         int32_t index, const hlo_shape **out, hlo_error *error) {
  int32_t count;
  const int64_t *sizes;
  const hlo_shape *list;
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (op->result_count != 1)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has one result, not %d", op->result_count);
  HLO_TRY(hlo_import_result_shape(im, op, out, error));
  HLO_TRY(hlo_import_value_shape(op, op->operands[index], &list, error));
  bool fits = list->rank == 1 && (hlo_shape_is_unbounded(list) || list->dims[0] == (*out)->rank);
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "operand %d must have a size for each dimension of the result: %s for "
                           "%s",
                           index, hlo_shape_to_text(text_a, list), hlo_shape_to_text(text_b, *out));
  if (hlo_shape_is_unbounded(*out))
    HLO_TRY(hlo_import_known_ints(im, op, index, -1, &count, &sizes, error));
  else HLO_TRY(hlo_import_maybe_known_ints(im, op, index, &count, &sizes, error));
  if (sizes == NULL) return HLO_OK;
  return hlo_import_with_sizes(im, op, *out, count, sizes, out, error);
}

// Among the last instructions of the computation: list[index] as a scalar; NULL when nothing there
// is.
static hlo_instruction *find_list_element(const stablehlo_importer *im, const hlo_instruction *list,
                                          int64_t index) {
  const hlo_computation *computation = im->computation;
  int32_t count = computation->instruction_count;
  for (int32_t i = count; i > 0 && i > count - 3 * HLO_MAX_RANK; i--) {
    hlo_instruction *x = computation->instructions[i - 1];
    if (hlo_stablehlo_list_of(x, index) == list) return x;
  }
  return NULL;
}

// One that is there already is not made again, so that a text that was printed reads as what it was
// printed from.
hlo_status hlo_import_list_element(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                                   hlo_instruction **out, hlo_error *error) {
  int64_t range[3] = {index, index + 1, 1}, one = 1;
  const hlo_shape *shape;
  hlo_attribute attribute;
  hlo_type type = list->shape->type;
  hlo_arena *arena = &im->module->arena;
  *out = find_list_element(im, list, index);
  if (*out != NULL) return HLO_OK;
  HLO_TRY(hlo_shape_make(arena, type, 1, &one, &shape, error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_SLICE, 3, range, &attribute, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_SLICE, shape, 1, &list, 1, &attribute, out, error));
  list = *out;
  return hlo_import_emit(im, HLO_OP_RESHAPE, hlo_shape_scalar(type), 1, &list, 0, NULL, out, error);
}

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
  hlo_instruction *sizes, *operands[2] = {*x};
  HLO_TRY(hlo_import_operand(im, op, index, &sizes, error));
  for (int64_t d = 0; d < shape->rank; d++) {
    hlo_attribute attribute;
    if (!shape->dynamic[d]) continue;
    HLO_TRY(hlo_import_list_element(im, sizes, d, &operands[1], error));
    if (operands[1]->shape->type != HLO_S32)
      HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, hlo_shape_scalar(HLO_S32), 1, &operands[1], 0,
                              NULL, &operands[1], error));
    HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &attribute,
                                    error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_SET_DIMENSION_SIZE, shape, 2, operands, 1, &attribute, x,
                            error));
    operands[0] = *x;
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

hlo_status hlo_import_with_attributes(stablehlo_importer *im, const mlir_operation *op,
                                      int32_t first, int32_t count, const char *const *names,
                                      mlir_operation *out, hlo_error *error) {
  mlir_entry *entries;
  HLO_TRY(hlo_import_operand_count(op, first + count, error));
  HLO_ALLOC(entries, &im->parser->tree, (int64_t)count + op->attribute_count, error);
  for (int32_t i = 0; i < count; i++) {
    mlir_attribute *value;
    HLO_ALLOC(value, &im->parser->tree, 1, error);
    *value = (mlir_attribute){.kind = MLIR_DENSE_ARRAY, .at = op->at};
    HLO_TRY(hlo_import_known_ints(im, op, first + i, -1, &value->count, &value->ints, error));
    entries[i] = (mlir_entry){names[i], value};
  }
  for (int32_t i = 0; i < op->attribute_count; i++) entries[count + i] = op->attributes[i];
  *out = *op;
  out->operand_count = first;
  out->attributes = entries;
  out->attribute_count = out->attribute_capacity = count + op->attribute_count;
  return HLO_OK;
}

// Any of the operands [first, first + count) is known as late as when the program runs.
static hlo_status is_late(stablehlo_importer *im, const mlir_operation *op, int32_t first,
                          int32_t count, bool *out, hlo_error *error) {
  int32_t ignored;
  const int64_t *known;
  HLO_TRY(hlo_import_operand_count(op, first + count, error));
  *out = false;
  for (int32_t i = 0; i < count && !*out; i++) {
    HLO_TRY(hlo_import_maybe_known_ints(im, op, first + i, &ignored, &known, error));
    *out = known == NULL;
  }
  return HLO_OK;
}

// low + high + elements + gaps * interior, as s32: the size that a padded dimension has now.
static hlo_status padded_size(stablehlo_importer *im, hlo_instruction *const *lists, int64_t d,
                              int64_t elements, hlo_instruction **out, hlo_error *error) {
  const hlo_shape *scalar = hlo_shape_scalar(HLO_S32);
  double factors[] = {1, 1, elements > 0 ? (double)(elements - 1) : 0};
  HLO_TRY(hlo_import_number(im, scalar, (double)elements, out, error));
  for (int i = 0; i < 3; i++) {
    hlo_instruction *factor[2], *sum[2] = {*out};
    HLO_TRY(hlo_import_list_element(im, lists[i], d, &factor[0], error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, scalar, 1, factor, 0, NULL, &factor[0], error));
    HLO_TRY(hlo_import_number(im, scalar, factors[i], &factor[1], error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_MULTIPLY, scalar, 2, factor, 0, NULL, &sum[1], error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_ADD, scalar, 2, sum, 0, NULL, out, error));
  }
  return HLO_OK;
}

static hlo_status set_padded_sizes(stablehlo_importer *im, hlo_instruction *const *operands,
                                   const hlo_shape *shape, hlo_instruction **x, hlo_error *error) {
  for (int64_t d = 0; d < shape->rank; d++) {
    hlo_instruction *pair[2] = {*x};
    hlo_attribute attribute;
    if (shape->dynamic == NULL || !shape->dynamic[d]) continue;
    HLO_TRY(padded_size(im, operands + 2, d, operands[0]->shape->dims[d], &pair[1], error));
    HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &attribute,
                                    error));
    HLO_TRY(
        hlo_import_emit(im, HLO_OP_SET_DIMENSION_SIZE, shape, 2, pair, 1, &attribute, x, error));
  }
  return HLO_OK;
}

// To a type that states sizes, or bounds of them.
static hlo_status pad_late(stablehlo_importer *im, const mlir_operation *op, const hlo_shape *shape,
                           hlo_instruction **operands, hlo_error *error) {
  const hlo_shape *from = operands[0]->shape, *full;
  hlo_instruction *result;
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
  if (hlo_shape_is_dynamic(from))
    return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                           "an array of dynamic sizes by amounts that only the run knows");
  hlo_padding_lists lists = {.low = operands[2], .interior = operands[4]};
  HLO_TRY(hlo_shape_make(&im->module->arena, shape->type, shape->rank, shape->dims, &full, error));
  HLO_TRY(hlo_import_pad_late(im, operands[0], operands[1], &lists, full, &result, error));
  HLO_TRY(set_padded_sizes(im, operands, shape, &result, error));
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
  return hlo_import_special("stablehlo.pad")(im, &pad, error);
}

static hlo_status import_dynamic_conv(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  static const char *const names[] = {"padding"};
  mlir_operation convolution;
  const hlo_shape *shape;
  bool late;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(is_late(im, op, 2, 1, &late, error));
  if (late && !hlo_shape_is_dynamic(shape)) return hlo_import_convolution(im, op, error);
  HLO_TRY(hlo_import_with_attributes(im, op, 2, 1, names, &convolution, error));
  return hlo_import_convolution(im, &convolution, error);
}

static bool lists(int32_t count, const hlo_attribute *attributes, hlo_attribute_id id, int64_t d) {
  for (int32_t i = 0; i < count; i++)
    for (int32_t k = 0; attributes[i].id == id && k < attributes[i].count; k++)
      if (attributes[i].ints[k] == d) return true;
  return false;
}

// Slice sizes that the run computes are those that a static result states, and 1 where the result
// has no dimension.
static hlo_status stated_slice_sizes(stablehlo_importer *im, const hlo_shape *operand,
                                     const hlo_shape *result, int32_t *count,
                                     hlo_attribute *attributes, hlo_error *error) {
  int64_t sizes[HLO_MAX_RANK];
  const hlo_attribute *offsets = NULL;
  for (int32_t i = 0; i < *count; i++)
    if (attributes[i].id == HLO_ATTRIBUTE_OFFSET_DIMS) offsets = &attributes[i];
  for (int32_t d = 0, next = 0; d < operand->rank; d++) {
    bool is_gone = lists(*count, attributes, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, d) ||
                   lists(*count, attributes, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, d);
    bool is_there = !is_gone && offsets != NULL && next < offsets->count &&
                    offsets->ints[next] >= 0 && offsets->ints[next] < result->rank;
    sizes[d] = is_there ? result->dims[offsets->ints[next++]] : 1; // verification finds the rest
  }
  return hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_SLICE_SIZES, operand->rank,
                                 sizes, &attributes[(*count)++], error);
}

static hlo_status import_dynamic_gather(stablehlo_importer *im, const mlir_operation *op,
                                        hlo_error *error) {
  static const char *const names[] = {"slice_sizes"};
  mlir_operation gather = *op;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT + 1];
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  int32_t count = 0, known_count;
  const int64_t *known;
  HLO_TRY(hlo_import_operand_count(op, 3, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_import_maybe_known_ints(im, op, 2, &known_count, &known, error));
  bool is_stated = known == NULL && hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
                   hlo_shape_is_array(operands[0]->shape);
  if (!is_stated) HLO_TRY(hlo_import_with_attributes(im, op, 2, 1, names, &gather, error));
  HLO_TRY(hlo_import_attributes(im, HLO_OP_GATHER, &gather, attributes, &count, error));
  if (is_stated)
    HLO_TRY(stated_slice_sizes(im, operands[0]->shape, shape, &count, attributes, error));
  hlo_import_name_next(im, op);
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_GATHER, shape, 2, operands, count, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- slices ---

static bool all_are(int32_t count, const int64_t *ints, int64_t value) {
  for (int32_t i = 0; i < count; i++)
    if (ints[i] != value) return false;
  return true;
}

// Every so many elements of what was taken without gaps.
static hlo_status thin_out(stablehlo_importer *im, const hlo_shape *shape, const int64_t *strides,
                           hlo_instruction **x, hlo_error *error) {
  enum { START, LIMIT, STRIDE, FIELDS };
  int64_t slice[HLO_MAX_RANK * FIELDS];
  hlo_attribute attribute;
  for (int32_t d = 0; d < shape->rank; d++) {
    slice[d * FIELDS + START] = 0;
    slice[d * FIELDS + LIMIT] = (*x)->shape->dims[d];
    slice[d * FIELDS + STRIDE] = strides[d];
  }
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_SLICE, shape->rank * FIELDS,
                                  slice, &attribute, error));
  return hlo_import_emit(im, HLO_OP_SLICE, shape, 1, x, 1, &attribute, x, error);
}

// Where the sizes are known, from the type or as the distance of the limits, the start may be known
// as late as when the program runs.
static hlo_status slice_from_values(stablehlo_importer *im, const mlir_operation *op,
                                    const hlo_shape *stated, const int64_t *strides,
                                    hlo_error *error) {
  hlo_instruction **operands, *starts[HLO_MAX_RANK + 1], *result;
  hlo_attribute attribute;
  const hlo_shape *shape = stated;
  int64_t dims[HLO_MAX_RANK];
  bool has_gaps = !all_are(stated->rank, strides, 1);
  for (int32_t d = 0; d < stated->rank; d++) {
    bool fits = strides[d] > 0 && stated->dims[d] <= INT32_MAX && strides[d] <= INT32_MAX;
    if (!fits) return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "strides must be at least 1");
    dims[d] = stated->dims[d] == 0 ? 0 : (stated->dims[d] - 1) * strides[d] + 1;
  }
  if (has_gaps)
    HLO_TRY(hlo_shape_make(&im->module->arena, stated->type, stated->rank, dims, &shape, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  const hlo_shape *list = operands[1]->shape;
  if (!hlo_shape_is_array(list) || list->rank != 1 || list->dims[0] != shape->rank)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "needs one start for each dimension");
  starts[0] = operands[0];
  for (int32_t i = 0; i < shape->rank; i++)
    HLO_TRY(hlo_import_list_element(im, operands[1], i, &starts[i + 1], error));
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES,
                                  shape->rank, shape->dims, &attribute, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_DYNAMIC_SLICE, shape, shape->rank + 1, starts, 1, &attribute,
                          &result, error));
  if (has_gaps) HLO_TRY(thin_out(im, stated, strides, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// To a type that states bounds: the elements from the start on, of which as many count as there are
// up to the limit.
static hlo_status slice_within_bounds(stablehlo_importer *im, const mlir_operation *op,
                                      const hlo_shape *shape, hlo_error *error) {
  hlo_instruction **operands, *zero, *size[2], *result;
  hlo_padding_lists lists = {0};
  const hlo_shape *full, *scalar = hlo_shape_scalar(HLO_S32);
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  const hlo_shape *from = operands[0]->shape, *list = operands[1]->shape;
  bool fits = hlo_shape_is_array(from) && from->rank == shape->rank && from->type == shape->type &&
              list->rank == 1 && list->dims[0] == from->rank &&
              hlo_shape_compatible(list, operands[2]->shape);
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "needs one start and one limit for each dimension");
  if (hlo_shape_is_dynamic(from))
    return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                           "an array of dynamic sizes to a type with bounds");
  HLO_TRY(hlo_shape_make(&im->module->arena, shape->type, shape->rank, shape->dims, &full, error));
  lists.low = operands[1];
  if (list->type != HLO_S64) { // unsigned starts, too
    HLO_TRY(hlo_shape_make(&im->module->arena, HLO_S64, 1, list->dims, &list, error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, list, 1, &lists.low, 0, NULL, &lists.low, error));
  }
  HLO_TRY(hlo_import_emit(im, HLO_OP_NEGATE, list, 1, &lists.low, 0, NULL, &lists.low, error));
  HLO_TRY(hlo_import_number(im, hlo_shape_scalar(from->type), 0, &zero, error));
  HLO_TRY(hlo_import_pad_late(im, operands[0], zero, &lists, full, &result, error));
  for (int64_t d = 0; d < shape->rank; d++) {
    hlo_instruction *pair[2] = {result};
    hlo_attribute dimension;
    if (!shape->dynamic[d]) continue;
    for (int32_t i = 0; i < 2; i++) {
      HLO_TRY(hlo_import_list_element(im, operands[2 - i], d, &size[i], error));
      HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, scalar, 1, &size[i], 0, NULL, &size[i], error));
    }
    HLO_TRY(hlo_import_emit(im, HLO_OP_SUBTRACT, scalar, 2, size, 0, NULL, &pair[1], error));
    HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &dimension,
                                    error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_SET_DIMENSION_SIZE, shape, 2, pair, 1, &dimension, &result,
                            error));
  }
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status import_real_dynamic_slice(stablehlo_importer *im, const mlir_operation *op,
                                            hlo_error *error) {
  static const char *const names[] = {"start_indices", "limit_indices", "strides"};
  mlir_operation slice;
  const hlo_shape *shape;
  const int64_t *starts, *limits, *strides;
  int32_t count;
  HLO_TRY(hlo_import_operand_count(op, 4, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_import_maybe_known_ints(im, op, 1, &count, &starts, error));
  HLO_TRY(hlo_import_maybe_known_ints(im, op, 2, &count, &limits, error));
  HLO_TRY(hlo_import_maybe_known_ints(im, op, 3, &count, &strides, error));
  bool is_late = starts == NULL || limits == NULL;
  bool is_regular = strides != NULL && hlo_shape_is_array(shape) && count == shape->rank;
  if (is_late && is_regular && hlo_shape_is_unbounded(shape) && all_are(count, strides, 1)) {
    const int64_t *sizes;
    HLO_TRY(hlo_import_maybe_known_difference(im, op, 2, 1, &count, &sizes, error));
    if (sizes != NULL) HLO_TRY(hlo_import_with_sizes(im, op, shape, count, sizes, &shape, error));
  }
  if (is_late && is_regular && !hlo_shape_is_dynamic(shape))
    return slice_from_values(im, op, shape, strides, error);
  bool has_bounds = is_regular && hlo_shape_is_dynamic(shape) && !hlo_shape_is_unbounded(shape);
  if (has_bounds && all_are(count, strides, 1)) return slice_within_bounds(im, op, shape, error);
  HLO_TRY(hlo_import_with_attributes(im, op, 1, 3, names, &slice, error));
  return hlo_import_special("stablehlo.slice")(im, &slice, error);
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
    {"real_dynamic_slice", import_real_dynamic_slice},
};

hlo_status hlo_import_dynamic(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  const char *dot = strchr(op->name, '.');
  for (size_t i = 0; dot != NULL && i < sizeof operations / sizeof *operations; i++)
    if (strcmp(operations[i].name, dot + 1) == 0) return operations[i].import(im, op, error);
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "this operation is not supported");
}

bool hlo_import_is_dynamic(const mlir_operation *op) {
  const mlir_attribute *target = hlo_mlir_find(op, "call_target_name");
  if (strcmp(op->name, "stablehlo.custom_call") == 0)
    return target != NULL && target->text != NULL && hlo_import_dynamic_call(target->text) != NULL;
  return hlo_import_special(op->name) == hlo_import_dynamic;
}
