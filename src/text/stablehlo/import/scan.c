// Imports chlo.scan. See import.h. What the dialect's verifier accepts and refuses decides which
// sizes may be left open.
#include "text/stablehlo/import/dynamic.h"

static hlo_status add_flag(stablehlo_importer *im, const mlir_operation *op, const char *name,
                           hlo_attribute_id id, hlo_attribute *out, int32_t *count,
                           hlo_error *error) {
  const mlir_attribute *flag = hlo_mlir_find_attribute(op, name);
  bool is_set;
  if (flag == NULL) return HLO_OK;
  HLO_TRY(hlo_import_bool(im, flag, &is_set, error));
  out[(*count)++] = hlo_attribute_make_int(id, is_set);
  return HLO_OK;
}

// The dimension is an integer, or, of the pretty form, a list of one.
static hlo_status scanned_dimension(stablehlo_importer *im, const mlir_operation *op,
                                    hlo_attribute *out, hlo_error *error) {
  const mlir_attribute *value = hlo_mlir_find_attribute(op, "dimension");
  int64_t dimension;
  if (value == NULL)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks the attribute dimension");
  if (value->kind == MLIR_DENSE_ARRAY && value->count == 1) dimension = value->ints[0];
  else HLO_TRY(hlo_import_int(im, value, &dimension, error));
  return hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension, out,
                                 error);
}

// An output's type with the size of the dimension in place of '?'.
static hlo_status with_scanned_size(stablehlo_importer *im, const mlir_operation *op,
                                    int64_t dimension, int64_t size, const hlo_shape **shape,
                                    hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  const hlo_shape *type = *shape;
  if (!hlo_shape_is_array(type) || dimension < 0 || dimension >= type->rank) return HLO_OK;
  bool is_open = hlo_shape_is_dynamic_in(type, (int32_t)dimension);
  if (!is_open && type->dims[dimension] != size)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "scan_dim_size is %lld, but an output has %lld elements",
                           (long long)size, (long long)type->dims[dimension]);
  for (int32_t d = 0; d < type->rank; d++) {
    dims[d] = d == dimension ? size : type->dims[d];
    dynamic[d] = d != dimension && hlo_shape_is_dynamic_in(type, d);
  }
  return hlo_shape_make_dynamic(&im->module->arena, type->type, type->rank, dims, dynamic, shape,
                                error);
}

static hlo_status check_scanned_input(stablehlo_importer *im, const mlir_operation *op,
                                      int64_t dimension, int64_t size, hlo_instruction *input,
                                      hlo_error *error) {
  const hlo_shape *shape = input->shape;
  hlo_instruction *scalars[2], *fits;
  if (!hlo_shape_is_array(shape) || dimension < 0 || dimension >= shape->rank) return HLO_OK;
  if (hlo_shape_is_dynamic_in(shape, (int32_t)dimension)) {
    HLO_TRY(hlo_import_integer(im, size, &scalars[0], error));
    HLO_TRY(hlo_import_size_now(im, input, dimension, &scalars[1], error));
    HLO_TRY(hlo_import_compare(im, "EQ", scalars[0], scalars[1], &fits, error));
    return hlo_import_assert_when_run(im, "scan_dim_size is {0}, but an input has {1} elements now",
                                      fits, 2, scalars, error);
  }
  if (shape->dims[dimension] == size) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "scan_dim_size is %lld, but an input has %lld elements", (long long)size,
                         (long long)shape->dims[dimension]);
}

// The attribute scan_dim_size says what inputs say, too, or, where there are none, outputs.
static hlo_status apply_scanned_size(stablehlo_importer *im, const mlir_operation *op,
                                     int64_t dimension, int64_t inputs, int64_t carries,
                                     hlo_instruction *const *operands, const hlo_shape **shape,
                                     hlo_error *error) {
  const mlir_attribute *attribute = hlo_mlir_find_attribute(op, "scan_dim_size");
  int64_t size;
  const hlo_shape **results;
  if (attribute == NULL) return HLO_OK;
  HLO_TRY(hlo_import_int(im, attribute, &size, error));
  for (int32_t k = 0; k < inputs; k++)
    HLO_TRY(check_scanned_input(im, op, dimension, size, operands[k], error));
  if (inputs > 0 || carries >= op->result_count) return HLO_OK;
  if (!hlo_shape_is_tuple(*shape)) return with_scanned_size(im, op, dimension, size, shape, error);
  HLO_ALLOC(results, &im->parser->tree, op->result_count, error);
  for (int32_t i = 0; i < op->result_count; i++) {
    results[i] = (*shape)->elements[i];
    if (i < op->result_count - carries)
      HLO_TRY(with_scanned_size(im, op, dimension, size, &results[i], error));
  }
  return hlo_shape_make_tuple(&im->module->arena, op->result_count, results, shape, error);
}

hlo_status hlo_import_scan(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_attribute attributes[5];
  int32_t count = 0;
  hlo_instruction **operands, *result;
  hlo_computation *body;
  const hlo_shape *shape;
  if (op->region_count != 1) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "needs a region");
  const mlir_attribute *sizes = hlo_mlir_find_attribute(op, "operandSegmentSizes");
  bool fits = sizes != NULL && sizes->kind == MLIR_DENSE_ARRAY && sizes->count == 2 &&
              sizes->ints != NULL && sizes->ints[0] >= 0 && sizes->ints[1] >= 0 &&
              sizes->ints[0] <= op->operand_count &&
              sizes->ints[1] == op->operand_count - sizes->ints[0];
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "operandSegmentSizes must be the numbers of inputs and of initial "
                           "values");
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(scanned_dimension(im, op, &attributes[count++], error));
  HLO_TRY(apply_scanned_size(im, op, attributes[0].ints[0], sizes->ints[0], sizes->ints[1],
                             operands, &shape, error));
  attributes[count++] = hlo_attribute_make_int(HLO_ATTRIBUTE_NUM_CARRIES, sizes->ints[1]);
  HLO_TRY(add_flag(im, op, "is_reverse", HLO_ATTRIBUTE_IS_REVERSE, attributes, &count, error));
  HLO_TRY(
      add_flag(im, op, "is_associative", HLO_ATTRIBUTE_IS_ASSOCIATIVE, attributes, &count, error));
  HLO_TRY(hlo_import_reducer(im, op, 0, &body, error));
  HLO_TRY(hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, body,
                                         &attributes[count++], error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_SCAN, shape, op->operand_count, operands, count, attributes,
                          &result, error));
  return hlo_import_set_results(im, op, result, error);
}
