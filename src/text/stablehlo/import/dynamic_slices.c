// Imports real_dynamic_slice: slices whose starts, limits and strides are operands. See dynamic.h.
#include "text/stablehlo/import/dynamic.h"

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

// How many elements there are now from the start to the limit along dimension d.
static hlo_status sliced_size(stablehlo_importer *im, hlo_instruction *const *operands, int64_t d,
                              hlo_instruction **out, hlo_error *error) {
  hlo_instruction *start, *stride, *one;
  HLO_TRY(hlo_import_list_integer(im, operands[2], d, out, error));
  HLO_TRY(hlo_import_list_integer(im, operands[1], d, &start, error));
  HLO_TRY(hlo_import_list_integer(im, operands[3], d, &stride, error));
  HLO_TRY(hlo_import_integer(im, 1, &one, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_SUBTRACT, *out, start, out, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_ADD, *out, stride, out, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_SUBTRACT, *out, one, out, error));
  return hlo_import_binary(im, HLO_OP_DIVIDE, *out, stride, out, error);
}

// To a type that states sizes or bounds: each element is looked for, and as many count as there are
// up to the limit.
static hlo_status slice_within_bounds(stablehlo_importer *im, const mlir_operation *op,
                                      const hlo_shape *shape, hlo_error *error) {
  hlo_instruction **operands, *zero, *size, *result;
  hlo_padding_lists lists = {0};
  const hlo_shape *full;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  const hlo_shape *from = operands[0]->shape, *list = operands[1]->shape;
  bool fits = hlo_shape_is_array(from) && from->rank == shape->rank && from->type == shape->type &&
              list->rank == 1 && list->dims[0] == from->rank &&
              hlo_shape_compatible(list, operands[2]->shape) &&
              hlo_shape_compatible(list, operands[3]->shape);
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "needs one start, one limit and one stride for each dimension");
  HLO_TRY(hlo_shape_make(&im->module->arena, shape->type, shape->rank, shape->dims, &full, error));
  lists.low = operands[1];
  lists.stride = operands[3];
  if (list->type != HLO_S64) { // unsigned starts, too
    HLO_TRY(hlo_shape_make(&im->module->arena, HLO_S64, 1, list->dims, &list, error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, list, 1, &lists.low, 0, NULL, &lists.low, error));
  }
  HLO_TRY(hlo_import_emit(im, HLO_OP_NEGATE, list, 1, &lists.low, 0, NULL, &lists.low, error));
  HLO_TRY(hlo_import_number(im, hlo_shape_scalar(from->type), 0, &zero, error));
  HLO_TRY(hlo_import_pad_late(im, operands[0], zero, &lists, full, &result, error));
  for (int32_t d = 0; d < shape->rank; d++) {
    if (!hlo_shape_is_dynamic_in(shape, d)) continue;
    HLO_TRY(sliced_size(im, operands, d, &size, error));
    HLO_TRY(hlo_import_set_size(im, d, size, shape, &result, error));
  }
  return hlo_import_set_results(im, op, result, error);
}

hlo_status hlo_import_real_dynamic_slice(stablehlo_importer *im, const mlir_operation *op,
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
  bool is_late = starts == NULL || limits == NULL, is_open = hlo_shape_is_unbounded(shape);
  bool is_regular = strides != NULL && hlo_shape_is_array(shape) && count == shape->rank;
  if (is_late && is_regular && is_open && all_are(count, strides, 1)) {
    const int64_t *sizes;
    HLO_TRY(hlo_import_maybe_known_difference(im, op, 2, 1, &count, &sizes, error));
    if (sizes != NULL) HLO_TRY(hlo_import_with_sizes(im, op, shape, count, sizes, &shape, error));
  }
  if (is_late && is_regular && !hlo_shape_is_dynamic(shape))
    return slice_from_values(im, op, shape, strides, error);
  bool is_known = !is_late && strides != NULL && !hlo_shape_is_dynamic(shape);
  if (!is_known && !is_open && hlo_shape_is_array(shape))
    return slice_within_bounds(im, op, shape, error);
  HLO_TRY(hlo_import_with_attributes(im, op, 1, 3, names, &slice, error));
  return hlo_import_slice(im, &slice, error);
}
