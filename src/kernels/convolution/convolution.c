// Convolution: any dimension numbers, strides, padding, dilations, reversal and groups. Source of
// semantics: "Conv" to "ConvGeneralDilated" of the operation semantics.
//
// im2col: each group is a matrix product. The left matrix has a row per window position with all
// elements under the window (zero over padding and dilation), the right one a row per kernel
// element with all output features. Rows are built for a block of positions at a time. Sums are
// made in hlo_dot_work_type and rounded or wrapped once to the result's type. Small convolutions
// are summed as XLA's CPU backend does it: ascending through the window with its features, or,
// where there are holes between the elements of an f32 image but not of the window, over the
// features and then over the window.
#include "kernels/convolution/convolution.h"
#include "base/checked.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/simd/multiply_add.h"
#include "kernels/structural.h"
#include "kernels/window/window_taps.h"
#include "math/long_sums.h"

#include <string.h>

enum { BATCH = HLO_CONVOLUTION_BATCH, SPATIAL = HLO_CONVOLUTION_SPATIAL };

typedef hlo_convolution convolution;

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

// A view of the elements in the work type: in place, or a converted copy.
static hlo_status in_work_type(const convolution *c, const hlo_view *from, hlo_view *out,
                               hlo_error *error) {
  *out = *from;
  if (from->type == c->work_type) return HLO_OK;
  HLO_TRY(hlo_scratch_view(c->evaluator, c->work_type, from->rank, from->dims, out, error));
  return hlo_convert_view(c->evaluator, out, from, error);
}

// The kernel as a matrix, in place if its layout allows. A reversed window reverses its elements.
static hlo_status load_kernel(convolution *c, const hlo_view *kernel,
                              const hlo_convolution_dimensions *labels, hlo_error *error) {
  int32_t rank = c->spatial_rank + 2;
  hlo_view from = {.type = kernel->type, .rank = rank, .data = kernel->data}, dense;
  c->taps = 1;
  for (int32_t i = 0; i < rank; i++) {
    int32_t d = i < c->spatial_rank    ? labels->kernel_spatial[i]
                : i == c->spatial_rank ? labels->kernel_input_feature
                                       : labels->kernel_output_feature;
    from.dims[i] = kernel->dims[d];
    from.strides[i] = kernel->strides[d];
    if (i >= c->spatial_rank) continue;
    c->taps *= kernel->dims[d];
    if (c->fields[i * HLO_WINDOW_FIELDS + HLO_WINDOW_REVERSAL] == 0) continue;
    from.data = hlo_view_at(&from, (from.dims[i] - 1) * from.strides[i]);
    from.strides[i] = -from.strides[i];
  }
  c->kernel = from.data;
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

// The window fields relative to the part's first position. False if the offsets overflow, so that
// the part sees nothing but padding.
static bool fields_of_part(const convolution *c, const hlo_parts *parts, int64_t *fields) {
  for (int32_t i = 0; i < c->spatial_rank * HLO_WINDOW_FIELDS; i++) fields[i] = c->fields[i];
  for (int32_t i = 0; i < c->spatial_rank; i++, fields += HLO_WINDOW_FIELDS) {
    int32_t d = i + SPATIAL;
    int64_t first = d <= parts->split ? parts->index[d] : 0;
    if (!hlo_checked_sub(fields[HLO_WINDOW_PAD_LOW], first * fields[HLO_WINDOW_STRIDE],
                         &fields[HLO_WINDOW_PAD_LOW])) {
      return false;
    }
  }
  return true;
}

// How many positions of the part there are along a dimension.
static int64_t part_size(const hlo_parts *parts, int32_t dimension) {
  if (dimension == parts->split) return parts->count;
  return dimension < parts->split ? 1 : parts->dims[dimension];
}

// Fills the rows of a part (the columns, if transposed): for each tap, the elements it meets at all
// positions.
static void gather_rows(convolution *c, const hlo_parts *parts, const hlo_view *input) {
  int64_t fields[HLO_MAX_RANK * HLO_WINDOW_FIELDS], positions[HLO_MAX_RANK];
  int32_t rank = c->spatial_rank;
  bool turned = c->turned != NULL;
  int64_t of_a_tap = c->features * (turned ? hlo_parts_size(parts) : 1);
  hlo_view base = *input, rows = *input, from, to;
  hlo_taps taps;
  rows.type = c->work_type;
  base.dims[BATCH] = rows.dims[BATCH] = part_size(parts, BATCH);
  if (parts->split >= BATCH) {
    base.data = hlo_view_at(&base, parts->index[BATCH] * base.strides[BATCH]);
  }
  for (int32_t i = 0; i < rank; i++) {
    rows.dims[i + SPATIAL] = positions[i] = part_size(parts, i + SPATIAL);
  }
  hlo_view_set_row_major(&rows);
  for (int32_t i = 0; i <= rank; i++)
    rows.strides[i] = turned ? rows.strides[i] / c->features : rows.strides[i] * c->taps;
  if (turned) rows.strides[rank + 1] = hlo_parts_size(parts);
  size_t bytes = (size_t)(hlo_parts_size(parts) * c->columns * c->size);
  if (bytes > 0) memset(c->rows, 0, bytes);
  if (!fields_of_part(c, parts, fields) ||
      !hlo_taps_start(&taps, rank, fields, input->dims + SPATIAL, positions)) {
    return;
  }
  do {
    int64_t number = 0;
    for (int32_t i = 0; i < rank; i++) {
      number = number * fields[i * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE] + taps.numbers[i];
    }
    rows.data = c->rows + number * of_a_tap * c->size;
    hlo_taps_of_base(&taps, c->spatial, &base, &from);
    hlo_taps_of_positions(&taps, c->spatial, &rows, &to);
    hlo_view_copy(&to, &from);
  } while (hlo_taps_next(&taps));
}

static bool sums_by_taps(const convolution *c) {
  bool dense_window = true;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = c->fields + i * HLO_WINDOW_FIELDS;
    dense_window = dense_window && field[HLO_WINDOW_RHS_DILATION] == 1;
  }
  return c->work_type == HLO_F32 && dense_window && hlo_convolution_has_holes(c);
}

// Products of each tap with its features, then their sum.
static void multiply_by_taps(const convolution *c, int64_t rows, const char *kernel) {
  float *sums = (float *)(void *)c->products;
  int64_t of_a_tap = c->features * c->size;
  memset(sums, 0, (size_t)(rows * c->outputs) * sizeof *sums);
  for (int64_t tap = 0; tap < c->taps; tap++) {
    hlo_matrix_product_run(&c->product, rows, c->outputs, c->features, c->rows + tap * of_a_tap,
                           c->columns, kernel + tap * of_a_tap * c->all_outputs, c->all_outputs,
                           c->tap, c->outputs);
    for (int64_t i = 0; i < rows * c->outputs; i++) sums[i] += c->tap[i];
  }
}

// A row for each output feature of the group.
static void transpose_kernel(const convolution *c, const char *kernel) {
  hlo_view from = {.type = c->work_type,
                   .rank = 2,
                   .dims = {c->outputs, c->columns},
                   .strides = {1, c->all_outputs},
                   .data = (void *)(uintptr_t)kernel};
  hlo_view to = from;
  to.data = c->turned;
  hlo_view_set_row_major(&to);
  hlo_view_copy(&to, &from);
}

static hlo_status convolve_part(convolution *c, const hlo_parts *parts, const hlo_view *input,
                                const char *kernel, const hlo_view *result, hlo_error *error) {
  hlo_view to, from;
  int64_t rows = hlo_parts_size(parts);
  gather_rows(c, parts, input);
  if (c->tap != NULL) {
    multiply_by_taps(c, rows, kernel);
  } else if (c->turned != NULL) {
    transpose_kernel(c, kernel);
    hlo_matrix_product_run(&c->product, c->outputs, rows, c->columns, c->turned, c->columns,
                           c->rows, rows, c->products, rows);
  } else {
    hlo_matrix_product_run(&c->product, rows, c->outputs, c->columns, c->rows, c->columns, kernel,
                           c->all_outputs, c->products, c->outputs);
  }
  hlo_parts_of_view(parts, result, &to);
  from = to;
  from.type = c->work_type;
  from.data = c->products;
  hlo_view_set_row_major(&from);
  if (c->turned != NULL) {
    int32_t last = from.rank - 1;
    for (int32_t i = 0; i < last; i++) from.strides[i] /= c->outputs;
    from.strides[last] = rows;
  }
  return hlo_convert_view(c->evaluator, &to, &from, error);
}

// The part of a view with `size` elements along the dimension that belongs to the group.
static hlo_view group_of(const hlo_view *view, int32_t dimension, int64_t group, int64_t size) {
  hlo_view out = *view;
  out.data = hlo_view_at(view, group * size * view->strides[dimension]);
  out.dims[dimension] = size;
  return out;
}

// With few output features the product's rows would be short, so it is transposed to have rows of
// positions. Not for complex types, whose summation order depends on the matrices' shapes, nor for
// f64, where it costs more than it gains.
static bool turns(const convolution *c, int64_t positions) {
  return c->outputs < HLO_CONVOLUTION_FEW_OUTPUTS &&
         positions >= HLO_CONVOLUTION_ENOUGH_POSITIONS && c->columns > 0 &&
         c->product.fast == NULL && c->size == 4;
}

static hlo_status convolve_groups(convolution *c, bool by_taps, hlo_error *error) {
  int32_t feature = c->spatial_rank + 1;
  int64_t most = HLO_CONVOLUTION_ROWS_BYTES / c->size / (c->columns > 0 ? c->columns : 1);
  hlo_parts parts;
  hlo_parts_start(&parts, feature, c->result.dims, most);
  size_t capacity = (size_t)hlo_parts_capacity(&parts), size = (size_t)c->size;
  // Both are no larger than the limit above, or one row.
  c->rows = hlo_arena_array_raw(c->evaluator->scratch, capacity * (size_t)c->columns, size);
  c->products = hlo_arena_array_raw(c->evaluator->scratch, capacity * (size_t)c->outputs, size);
  if (c->rows == NULL || c->products == NULL) return hlo_fail_out_of_memory(error);
  if (by_taps) {
    c->tap = hlo_arena_array(c->evaluator->scratch, capacity * (size_t)c->outputs, size);
    if (c->tap == NULL) return hlo_fail_out_of_memory(error);
  }
  if (!by_taps && turns(c, (int64_t)capacity)) {
    c->turned = hlo_arena_array(c->evaluator->scratch, (size_t)(c->outputs * c->columns), size);
    if (c->turned == NULL) return hlo_fail_out_of_memory(error);
  }
  for (int64_t g = 0; g < c->groups; g++) {
    bool by_batch = c->batch_groups > 1;
    hlo_view input = by_batch ? group_of(&c->input, BATCH, g, c->batch)
                              : group_of(&c->input, feature, g, c->features);
    hlo_view result = group_of(&c->result, feature, g, c->outputs);
    const char *kernel = c->kernel + g * c->outputs * c->size;
    hlo_parts_start(&parts, feature, result.dims, most);
    do HLO_TRY(convolve_part(c, &parts, &input, kernel, &result, error));
    while (hlo_parts_next(&parts));
  }
  return HLO_OK;
}

// Whether kernels can add each product with one rounding.
static bool adds_exactly(const convolution *c) {
  const hlo_backend *backend = c->evaluator->backend;
  if (backend == NULL) return false;
  if (hlo_host_fuses()) return true;
  const float *kernel = (const float *)(const void *)c->kernel, *image = c->input.data;
  return c->work_type == HLO_F32 && c->input.type == HLO_F32 &&
         c->columns <= HLO_MOST_EXACT_PRODUCTS && hlo_views_are_parallel(&c->input, &c->input) &&
         backend->are_in_range_f32(c->columns * c->all_outputs, kernel) &&
         backend->are_in_range_f32(hlo_view_elements(&c->input), image);
}

// Runs the backend's kernels; *done is false, and nothing is computed, if they do not apply.
static hlo_status convolve_by_kernels(const hlo_convolution *c, bool *done, hlo_error *error) {
  const hlo_backend *backend = c->evaluator->backend;
  *done = false;
  if (c->work_type != HLO_F32 || c->columns == 0 || backend == NULL) return HLO_OK;
  if (backend->dot_f32_segments == NULL || backend->depthwise_f32 == NULL) return HLO_OK;
  if (hlo_convolution_has_holes(c)) { // phases have kernels of their own, which are not kept
    if (c->evaluator->packing != NULL) return HLO_OK;
    HLO_TRY(hlo_convolve_by_phases(c, done, error));
    if (*done) return HLO_OK;
  }
  return hlo_convolve_as_a_whole(c, done, error);
}

static hlo_status convolve(convolution *c, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *result, hlo_error *error) {
  hlo_convolution_dimensions labels;
  HLO_TRY(hlo_convolution_dimensions_read(instruction, &labels, error));
  c->spatial_rank = labels.spatial_rank;
  HLO_TRY(hlo_window_read(instruction, c->spatial_rank, &c->fields, error));
  for (int32_t i = 0; i < c->spatial_rank; i++) c->spatial[i] = i + SPATIAL;
  c->work_type = hlo_dot_work_type(operands[0].type, operands[1].type, result->type);
  c->size = hlo_type_bytes(c->work_type);
  hlo_view input = arranged(&operands[0], labels.input_batch, labels.input_feature, c->spatial_rank,
                            labels.input_spatial);
  c->result = arranged(result, labels.output_batch, labels.output_feature, c->spatial_rank,
                       labels.output_spatial);
  c->input = input;
  HLO_TRY(load_kernel(c, &operands[1], &labels, error));
  int64_t feature_groups = hlo_get_int(instruction, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1);
  c->batch_groups = hlo_get_int(instruction, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1);
  c->groups = feature_groups * c->batch_groups; // one of them is 1
  c->batch = c->input.dims[BATCH] / c->batch_groups;
  c->features = operands[1].dims[labels.kernel_input_feature];
  c->all_outputs = operands[1].dims[labels.kernel_output_feature];
  c->outputs = c->all_outputs / c->groups;
  c->columns = c->taps * c->features;
  const char *precision = hlo_get_text(instruction, HLO_ATTRIBUTE_OPERAND_PRECISION);
  c->is_precise = precision != NULL && strstr(precision, "high") != NULL; // or highest
  double products = (double)hlo_view_elements(&c->result) * (double)c->columns;
  const hlo_backend *backend = c->evaluator->backend;
  // Long sums are blocked, not in XLA's order.
  bool is_small = c->columns <= HLO_LONGEST_SUM_IN_ORDER &&
                  hlo_matrix_product_is_small(backend, c->work_type, products, true);
  bool by_taps = is_small && sums_by_taps(c), packs = c->evaluator->packing != NULL, done = false;
  if (packs && (is_small || operands[1].type != c->work_type)) return HLO_OK;
  c->exact = is_small && !by_taps && adds_exactly(c);
  if (!is_small || c->exact) HLO_TRY(convolve_by_kernels(c, &done, error));
  if (done || packs) return HLO_OK;
  HLO_TRY(in_work_type(c, &input, &c->input, error));
  HLO_TRY(hlo_matrix_product_init(c->evaluator, c->work_type, is_small, c->outputs, c->columns,
                                  &c->product, error));
  return convolve_groups(c, by_taps, error);
}

hlo_status hlo_eval_convolution(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                                const hlo_view *operands, const hlo_view *results,
                                hlo_error *error) {
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  convolution c = {.evaluator = evaluator};
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = convolve(&c, instruction, operands, &results[0], error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
