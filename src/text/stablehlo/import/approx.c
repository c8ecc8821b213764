// Imports the custom call ApproxTopK, which JAX makes of lax.approx_max_k and approx_min_k: the
// operands sorted by its comparator, of which the first ones are kept. That is exact, so that every
// recall it may ask for is met. See import.h.
#include "text/stablehlo/import/import.h"

#include <string.h>

// n arrays of the same dimensions and n start values, which an exact answer does not need.
static hlo_status check_operands(const mlir_operation *op, hlo_instruction *const *operands,
                                 const hlo_shape *result, int64_t dimension, hlo_error *error) {
  int32_t n = op->operand_count / 2;
  bool fits = n > 0 && op->operand_count == 2 * n && op->result_count == n;
  for (int32_t i = 0; fits && i < n; i++) {
    const hlo_shape *from = operands[i]->shape, *first = operands[0]->shape;
    const hlo_shape *to = n == 1 ? result : result->elements[i];
    fits = hlo_shape_is_array(from) && hlo_shape_same_dimensions(from, first) && dimension >= 0 &&
           dimension < from->rank && hlo_shape_is_array(to) && to->rank == from->rank &&
           to->type == from->type;
    for (int32_t d = 0; fits && d < from->rank; d++)
      fits = d == dimension ? to->dims[d] <= from->dims[d] : to->dims[d] == from->dims[d];
  }
  if (fits) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "takes arrays of the same dimensions and a start value for each, and has "
                         "results that are smaller in dimension reduction_dim");
}

static hlo_status keep_first(stablehlo_importer *im, hlo_instruction *x, const hlo_shape *to,
                             hlo_instruction **out, hlo_error *error) {
  int64_t slice[3 * HLO_MAX_RANK];
  hlo_attribute attribute;
  for (int32_t d = 0; d < to->rank; d++) {
    slice[3 * d] = 0;
    slice[3 * d + 1] = to->dims[d];
    slice[3 * d + 2] = 1;
  }
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_SLICE, 3 * to->rank, slice,
                                  &attribute, error));
  return hlo_import_emit(im, HLO_OP_SLICE, to, 1, &x, 1, &attribute, out, error);
}

static hlo_status comparator(stablehlo_importer *im, const mlir_operation *op, hlo_attribute *out,
                             hlo_error *error) {
  const mlir_attribute *called = hlo_mlir_find_attribute(op, "called_computations");
  hlo_computation *computation;
  if (called == NULL || called->kind != MLIR_ARRAY || called->count != 1)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "calls one computation, which compares");
  HLO_TRY(hlo_import_callee(im, op, called->elements[0], 0, NULL, &computation, error));
  return hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, computation,
                                        out, error);
}

hlo_status hlo_import_approx_top_k(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  const mlir_attribute *config = hlo_mlir_find_attribute(op, "mhlo.backend_config");
  if (config == NULL) config = hlo_mlir_find_attribute(op, "backend_config");
  if (config != NULL && config->kind != MLIR_DICTIONARY) config = NULL;
  const mlir_attribute *field =
      config == NULL ? NULL : hlo_mlir_find_entry(config, "reduction_dim");
  hlo_instruction **operands, *sorted, **kept, *all;
  hlo_attribute attributes[3];
  const hlo_shape *shape, *sorted_shape;
  const hlo_shape **shapes;
  int64_t dimension = -1;
  int32_t n = op->operand_count / 2;
  if (field != NULL) HLO_TRY(hlo_import_int(im, field, &dimension, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(check_operands(op, operands, shape, dimension, error));
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension,
                                  &attributes[0], error));
  attributes[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_IS_STABLE, 1);
  HLO_TRY(comparator(im, op, &attributes[2], error));
  HLO_ALLOC(shapes, &im->parser->tree, n, error);
  HLO_ALLOC(kept, &im->parser->tree, n, error);
  for (int32_t i = 0; i < n; i++) shapes[i] = operands[i]->shape;
  sorted_shape = shapes[0];
  if (n > 1) HLO_TRY(hlo_shape_make_tuple(&im->module->arena, n, shapes, &sorted_shape, error));
  im->name = NULL;
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_SORT, sorted_shape, n, operands, 3, attributes, &sorted, error));
  for (int32_t i = 0; i < n; i++) {
    hlo_instruction *x = sorted;
    if (n > 1) HLO_TRY(hlo_import_element(im, sorted, i, &x, error));
    HLO_TRY(keep_first(im, x, n == 1 ? shape : shape->elements[i], &kept[i], error));
  }
  HLO_TRY(hlo_import_tuple(im, n, kept, &all, error));
  return hlo_import_set_results(im, op, all, error);
}
