// Inference rules of the ops with a window: convolution, reduce-window, select-and-scatter.
// Source: "Operation Semantics" of XLA's documentation.
#include "hlo/attributes/window.h"
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

#include <string.h>

static hlo_status positions(const hlo_instruction *x, const int64_t *fields, int32_t window,
                            const hlo_shape *shape, int32_t dimension, int64_t *out,
                            hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  if (hlo_window_positions(fields + (ptrdiff_t)window * HLO_WINDOW_FIELDS, shape->dims[dimension],
                           out))
    return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "window dimension %d over dimension %d of %s overflows 64 bits",
                              window, dimension, hlo_shape_to_text(text, shape));
}

// a must be a multiple of b.
static hlo_status require_multiple(const hlo_instruction *x, const char *what, int64_t a,
                                   hlo_attribute_id id, int64_t b, hlo_error *error) {
  if (a % b == 0) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s, %lld, must be a multiple of %s, %lld",
                              what, (long long)a, hlo_attribute_name(id), (long long)b);
}

static hlo_status check_features(const hlo_instruction *x, const hlo_convolution_dimensions *dims,
                                 int64_t feature_groups, int64_t batch_groups, hlo_error *error) {
  const hlo_shape *input = hlo_operand_shape(x, 0), *kernel = hlo_operand_shape(x, 1);
  if (feature_groups < 1 || batch_groups < 1 || (feature_groups > 1 && batch_groups > 1))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "feature_group_count and batch_group_count must be at least 1, and "
                                "one of them 1: %lld and %lld",
                                (long long)feature_groups, (long long)batch_groups);
  int64_t outputs = kernel->dims[dims->kernel_output_feature];
  HLO_TRY(require_multiple(x, "the input's feature dimension", input->dims[dims->input_feature],
                           HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, feature_groups, error));
  HLO_TRY(require_multiple(x, "the kernel's output feature dimension", outputs,
                           HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, feature_groups, error));
  HLO_TRY(require_multiple(x, "the input's batch dimension", input->dims[dims->input_batch],
                           HLO_ATTRIBUTE_BATCH_GROUP_COUNT, batch_groups, error));
  HLO_TRY(require_multiple(x, "the kernel's output feature dimension", outputs,
                           HLO_ATTRIBUTE_BATCH_GROUP_COUNT, batch_groups, error));
  if (input->dims[dims->input_feature] / feature_groups != kernel->dims[dims->kernel_input_feature])
    return hlo_fail_about(x,
                          "the kernel's input features must be the input's features divided by "
                          "feature_group_count",
                          input, kernel, error);
  return HLO_OK;
}

hlo_status hlo_infer_convolution(const hlo_instruction *x, const hlo_shape *declared,
                                 hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  for (int32_t k = 0; k < 2; k++) HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  const hlo_shape *input = hlo_operand_shape(x, 0), *kernel = hlo_operand_shape(x, 1);
  hlo_convolution_dimensions labels;
  const int64_t *fields;
  HLO_TRY(hlo_require_precision(x, error));
  HLO_TRY(hlo_convolution_dimensions_read(x, &labels, error));
  int32_t rank = labels.spatial_rank + 2;
  if (input->rank != rank || kernel->rank != rank)
    return hlo_fail_about(x, "the operands must have the ranks that dim_labels say", input, kernel,
                          error);
  HLO_TRY(hlo_window_read(x, labels.spatial_rank, &fields, error));
  int64_t batch_groups = hlo_get_int(x, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1);
  HLO_TRY(check_features(x, &labels, hlo_get_int(x, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1),
                         batch_groups, error));
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  dims[labels.output_batch] = input->dims[labels.input_batch] / batch_groups;
  dims[labels.output_feature] = kernel->dims[labels.kernel_output_feature];
  dynamic[labels.output_batch] = hlo_shape_is_dynamic_in(input, labels.input_batch);
  dynamic[labels.output_feature] = hlo_shape_is_dynamic_in(kernel, labels.kernel_output_feature);
  for (int32_t i = 0; i < labels.spatial_rank; i++) {
    if (fields[i * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE] != kernel->dims[labels.kernel_spatial[i]])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "window dimension %d must have the kernel's size %lld, not %lld",
                                  i, (long long)kernel->dims[labels.kernel_spatial[i]],
                                  (long long)fields[i * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE]);
    HLO_TRY(positions(x, fields, i, input, labels.input_spatial[i], &dims[labels.output_spatial[i]],
                      error));
    dynamic[labels.output_spatial[i]] = hlo_shape_is_dynamic_in(input, labels.input_spatial[i]) ||
                                        hlo_shape_is_dynamic_in(kernel, labels.kernel_spatial[i]);
  }
  hlo_type type;
  HLO_TRY(hlo_product_type(x, input, kernel, declared, &type, error));
  return hlo_result_shape(x, arena, type, rank, dims, dynamic, out, error);
}

static hlo_status window_dims(const hlo_instruction *x, int64_t *dims, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  const int64_t *fields;
  HLO_TRY(hlo_window_read(x, shape->rank, &fields, error));
  for (int32_t d = 0; d < shape->rank; d++)
    HLO_TRY(positions(x, fields, d, shape, d, &dims[d], error));
  return HLO_OK;
}

hlo_status hlo_infer_reduce_window(const hlo_instruction *x, const hlo_shape *declared,
                                   hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_arrays_and_starts(x, error));
  int32_t count = x->operand_count / 2;
  HLO_TRY(hlo_require_reducer(x, HLO_ATTRIBUTE_TO_APPLY, count, arena, error));
  int64_t dims[HLO_MAX_RANK];
  HLO_TRY(window_dims(x, dims, error));
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, count, error);
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(hlo_result_shape(x, arena, hlo_operand_shape(x, k)->type, hlo_operand_shape(x, 0)->rank,
                             dims, hlo_operand_shape(x, k)->dynamic, &elements[k], error));
  return hlo_result_shapes(x, arena, count, elements, out, error);
}

// Its windows have no dilation.
static hlo_status require_plain_window(const hlo_instruction *x, int32_t rank, hlo_error *error) {
  int32_t count;
  const int64_t *fields = hlo_get_ints(x, HLO_ATTRIBUTE_WINDOW, &count);
  for (int32_t d = 0; d < rank; d++) {
    const int64_t *field = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    if (field[HLO_WINDOW_LHS_DILATION] != 1 || field[HLO_WINDOW_RHS_DILATION] != 1)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "window dimension %d may not be dilated", d);
  }
  return HLO_OK;
}

hlo_status hlo_infer_select_and_scatter(const hlo_instruction *x, const hlo_shape *declared,
                                        hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  for (int32_t k = 0; k < 2; k++) HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0), *source = hlo_operand_shape(x, 1), *windows;
  HLO_TRY(hlo_require_same_type(x, 0, 1, error));
  HLO_TRY(hlo_require_scalar(x, 2, shape->type, error));
  const hlo_computation *select = hlo_get_computation(x, HLO_ATTRIBUTE_SELECT);
  const hlo_shape *scalar = hlo_shape_scalar(shape->type);
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_SELECT, select, 2, error));
  for (int32_t i = 0; i < 2; i++)
    HLO_TRY(hlo_require_parameter(x, HLO_ATTRIBUTE_SELECT, select, i, scalar, error));
  HLO_TRY(hlo_require_result(x, HLO_ATTRIBUTE_SELECT, select, hlo_shape_scalar(HLO_PRED), error));
  HLO_TRY(hlo_require_reducer(x, HLO_ATTRIBUTE_SCATTER, 1, arena, error));
  int64_t dims[HLO_MAX_RANK];
  HLO_TRY(window_dims(x, dims, error));
  HLO_TRY(require_plain_window(x, shape->rank, error));
  HLO_TRY(hlo_result_shape(x, arena, shape->type, shape->rank, dims, NULL, &windows, error));
  if (!hlo_shape_same_dimensions(source, windows))
    return hlo_fail_about(x, "the source must have one element for each position of the window",
                          source, windows, error);
  return hlo_result_shape_like(x, arena, shape, shape->type, out, error);
}
