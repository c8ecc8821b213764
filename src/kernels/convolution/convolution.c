// Convolution: any dimension numbers, strides, padding, dilations, reversal and groups. Source of
// semantics: "Conv" to "ConvGeneralDilated" of the operation semantics.
//
// Sums are made in hlo_dot_work_type and rounded or wrapped once to the result's type. Small
// convolutions are summed as XLA's CPU backend does it: ascending through the window with its
// features, or, where there are holes between the elements of an f32 image but not of the window,
// over the features and then over the window.
#include "kernels/convolution/convolution.h"
#include "hlo/attributes/window.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/simd/multiply_add.h"
#include "kernels/structural.h"
#include "math/long_sums.h"

#include <string.h>

enum { BATCH = HLO_CONVOLUTION_BATCH, SPATIAL = HLO_CONVOLUTION_SPATIAL };

static hlo_view arranged(const hlo_view *view, int32_t batch, int32_t feature, int32_t spatial_rank,
                         const int32_t *spatial) {
  hlo_view out = {.type = view->type, .rank = spatial_rank + 2, .data = view->data};
  for (int32_t i = 0; i < out.rank; i++) {
    int32_t d = i == BATCH ? batch : i <= spatial_rank ? spatial[i - SPATIAL] : feature;
    out.dims[i] = view->dims[d];
    out.strides[i] = view->strides[d];
  }
  return out;
}

// A view as kernels see it: sums wrap, so signed integers of the work type's width have its bits.
static hlo_view with_bits_of(hlo_type work_type, hlo_view view) {
  if ((view.type == HLO_S32 && work_type == HLO_U32) ||
      (view.type == HLO_S64 && work_type == HLO_U64))
    view.type = work_type;
  return view;
}

// The kernel as a matrix, in place if its layout allows. A reversed window reverses its elements.
static hlo_status load_kernel(hlo_convolution *c, const hlo_view *kernel,
                              const hlo_convolution_dimensions *labels, hlo_error *error) {
  int32_t rank = c->spatial_rank + 2;
  hlo_view from = with_bits_of(c->work_type, *kernel), dense;
  from.rank = rank;
  c->taps = 1;
  for (int32_t i = 0; i < rank; i++) {
    int32_t d = i < c->spatial_rank    ? labels->kernel_spatial[i]
                : i == c->spatial_rank ? labels->kernel_input_feature
                                       : labels->kernel_output_feature;
    from.dims[i] = kernel->dims[d];
    from.strides[i] = kernel->strides[d];
    if (i >= c->spatial_rank) continue;
    c->taps *= kernel->dims[d];
    bool reversed = c->fields[i * HLO_WINDOW_FIELDS + HLO_WINDOW_REVERSAL] != 0;
    if (!reversed || c->name != NULL) continue;
    from.data = hlo_view_at(&from, (from.dims[i] - 1) * from.strides[i]);
    from.strides[i] = -from.strides[i];
  }
  c->kernel = from.data;
  if (c->name != NULL) return HLO_OK;
  if (c->evaluator->packed) {
    c->kernel = kernel->data;
    return HLO_OK;
  }
  if (from.type == c->work_type && hlo_view_is_row_major(&from)) return HLO_OK;
  HLO_TRY(hlo_scratch_view(c->evaluator, c->work_type, rank, from.dims, &dense, error));
  HLO_TRY(hlo_convert_view(c->evaluator, &dense, &from, error));
  c->kernel = dense.data;
  return HLO_OK;
}

static bool sums_by_taps(const hlo_convolution *c) {
  bool dense_window = true;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = c->fields + i * HLO_WINDOW_FIELDS;
    dense_window = dense_window && field[HLO_WINDOW_RHS_DILATION] == 1;
  }
  return c->work_type == HLO_F32 && dense_window && hlo_convolution_has_holes(c);
}

// Whether kernels can add each product with one rounding.
static bool adds_exactly(const hlo_convolution *c) {
  if (c->kernels == NULL || (c->work_type != HLO_F32 && c->work_type != HLO_F64)) return false;
  if (hlo_host_fuses() || c->name != NULL) return true;
  const float *kernel = (const float *)(const void *)c->kernel, *image = c->input.data;
  const hlo_backend *backend = c->evaluator->backend;
  return c->work_type == HLO_F32 && c->input.type == HLO_F32 &&
         c->columns <= HLO_MOST_EXACT_PRODUCTS && hlo_views_are_parallel(&c->input, &c->input) &&
         backend->are_in_range_f32(c->columns * c->all_outputs, kernel) &&
         backend->are_in_range_f32(hlo_view_elements(&c->input), image);
}

// Long sums are blocked, not in XLA's order; integers wrap in any.
static bool is_small(const hlo_convolution *c) {
  double products = (double)hlo_view_elements(&c->result) * (double)c->columns;
  return c->work_type != HLO_U32 && c->work_type != HLO_U64 &&
         c->columns <= HLO_LONGEST_SUM_IN_ORDER &&
         hlo_matrix_product_is_small(c->evaluator->backend, c->work_type, products, true);
}

static const hlo_convolution_kernels *kernels_of(const hlo_backend *backend, hlo_type type) {
  if (backend == NULL) return NULL;
  return type == HLO_F32   ? backend->convolution_f32
         : type == HLO_F64 ? backend->convolution_f64
         : type == HLO_U32 ? backend->convolution_u32
                           : NULL;
}

static bool is_byte(hlo_type type) {
  int32_t classes = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED;
  return hlo_type_bytes(type) == 1 && (hlo_type_get_class(type) & classes) != 0;
}

static hlo_status describe(hlo_convolution *c, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *result, hlo_error *error) {
  hlo_convolution_dimensions labels;
  HLO_TRY(hlo_convolution_dimensions_read(instruction, &labels, error));
  c->spatial_rank = labels.spatial_rank;
  HLO_TRY(hlo_window_read(instruction, c->spatial_rank, &c->fields, error));
  for (int32_t i = 0; i < c->spatial_rank; i++) c->spatial[i] = i + SPATIAL;
  c->work_type = hlo_dot_work_type(operands[0].type, operands[1].type, result->type);
  c->product_type = c->work_type;
  c->size = hlo_type_bytes(c->work_type);
  c->kernels = kernels_of(c->evaluator->backend, c->work_type);
  hlo_view input = with_bits_of(c->work_type, operands[0]),
           output = with_bits_of(c->work_type, *result);
  c->input = arranged(&input, labels.input_batch, labels.input_feature, c->spatial_rank,
                      labels.input_spatial);
  c->result = arranged(&output, labels.output_batch, labels.output_feature, c->spatial_rank,
                       labels.output_spatial);
  HLO_TRY(load_kernel(c, &operands[1], &labels, error));
  int64_t feature_groups = hlo_get_int(instruction, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1);
  c->batch_groups = hlo_get_int(instruction, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1);
  c->groups = feature_groups * c->batch_groups; // one of them is 1
  c->batch = c->input.dims[BATCH] / c->batch_groups;
  c->features = operands[1].dims[labels.kernel_input_feature];
  c->all_outputs = operands[1].dims[labels.kernel_output_feature];
  c->outputs = c->all_outputs / c->groups;
  c->columns = c->taps * c->features;
  c->has_bytes = is_byte(operands[0].type) && is_byte(operands[1].type);
  const char *precision = hlo_get_text(instruction, HLO_ATTRIBUTE_OPERAND_PRECISION);
  c->is_precise = precision != NULL && strstr(precision, "high") != NULL; // or highest
  return HLO_OK;
}

static hlo_status convolve(hlo_convolution *c, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *result, hlo_error *error) {
  HLO_TRY(describe(c, instruction, operands, result, error));
  bool small = is_small(c), packs = c->evaluator->packing != NULL;
  // Weights of other types would grow.
  if (packs && (small || with_bits_of(c->work_type, operands[1]).type != c->work_type))
    return HLO_OK;
  if (small) {
    c->order = sums_by_taps(c)   ? HLO_ORDER_BY_TAPS
               : adds_exactly(c) ? HLO_ORDER_FUSED
                                 : HLO_ORDER_PLAIN;
  }
  return hlo_convolution_has_other_elements(c) ? hlo_convolve_other_elements(c, error)
                                               : hlo_convolve(c, error);
}

hlo_status hlo_convolution_name_strategy(const hlo_evaluator *evaluator,
                                         const hlo_instruction *instruction,
                                         const hlo_view *operands, const hlo_view *result,
                                         const char **name, hlo_error *error) {
  hlo_convolution c = {.evaluator = evaluator, .name = name};
  *name = "nothing";
  return hlo_view_elements(result) == 0 ? HLO_OK
                                        : convolve(&c, instruction, operands, result, error);
}

hlo_status hlo_eval_convolution(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                                const hlo_view *operands, const hlo_view *results,
                                hlo_error *error) {
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_convolution c = {.evaluator = evaluator};
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = convolve(&c, instruction, operands, &results[0], error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
