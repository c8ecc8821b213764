// im2col: each group is a matrix product. The left matrix has a row per window position with all
// elements under the window (zero over padding and dilation), the right one a row per kernel
// element with all output features. Rows are built for a block of positions at a time.
#include "base/checked.h"
#include "kernels/convolution/convolution.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/structural.h"
#include "kernels/window/window_taps.h"

#include <string.h>

enum { BATCH = HLO_CONVOLUTION_BATCH, SPATIAL = HLO_CONVOLUTION_SPATIAL };

typedef struct im2col {
  const hlo_convolution *of;
  hlo_view input; // in the work type
  hlo_matrix_product product;
  char *rows, *products; // dense, in the work type
  float *tap;            // NULL, or the products of one tap
} im2col;

// The window fields relative to the part's first position. False if the offsets overflow, so that
// the part sees nothing but padding.
static bool fields_of_part(const hlo_convolution *c, const hlo_parts *parts, int64_t *fields) {
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
static void gather_rows(const im2col *w, const hlo_parts *parts, const hlo_view *input) {
  const hlo_convolution *c = w->of;
  int64_t fields[HLO_MAX_RANK * HLO_WINDOW_FIELDS], positions[HLO_MAX_RANK];
  int32_t rank = c->spatial_rank;
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
  for (int32_t i = 0; i <= rank; i++) rows.strides[i] *= c->taps;
  size_t bytes = (size_t)(hlo_parts_size(parts) * c->columns * c->size);
  if (bytes > 0) memset(w->rows, 0, bytes);
  if (!fields_of_part(c, parts, fields) ||
      !hlo_taps_start(&taps, rank, fields, input->dims + SPATIAL, positions)) {
    return;
  }
  do {
    int64_t number = 0;
    for (int32_t i = 0; i < rank; i++) {
      number = number * fields[i * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE] + taps.numbers[i];
    }
    rows.data = w->rows + number * c->features * c->size;
    hlo_taps_of_base(&taps, c->spatial, &base, &from);
    hlo_taps_of_positions(&taps, c->spatial, &rows, &to);
    hlo_view_copy(&to, &from);
  } while (hlo_taps_next(&taps));
}

// Products of each tap with its features, then their sum.
static void multiply_by_taps(const im2col *w, int64_t rows, const char *kernel) {
  const hlo_convolution *c = w->of;
  float *sums = (float *)(void *)w->products;
  int64_t of_a_tap = c->features * c->size;
  memset(sums, 0, (size_t)(rows * c->outputs) * sizeof *sums);
  for (int64_t tap = 0; tap < c->taps; tap++) {
    hlo_matrix_product_run(&w->product, rows, c->outputs, c->features, w->rows + tap * of_a_tap,
                           c->columns, kernel + tap * of_a_tap * c->all_outputs, c->all_outputs,
                           w->tap, c->outputs);
    for (int64_t i = 0; i < rows * c->outputs; i++) sums[i] += w->tap[i];
  }
}

static hlo_status convolve_part(const im2col *w, const hlo_parts *parts, const hlo_view *input,
                                const char *kernel, const hlo_view *result, hlo_error *error) {
  const hlo_convolution *c = w->of;
  hlo_view to, from;
  int64_t rows = hlo_parts_size(parts);
  gather_rows(w, parts, input);
  if (w->tap != NULL) {
    multiply_by_taps(w, rows, kernel);
  } else {
    hlo_matrix_product_run(&w->product, rows, c->outputs, c->columns, w->rows, c->columns, kernel,
                           c->all_outputs, w->products, c->outputs);
  }
  hlo_parts_of_view(parts, result, &to);
  from = to;
  from.type = c->work_type;
  from.data = w->products;
  hlo_view_set_row_major(&from);
  return hlo_convert_view(c->evaluator, &to, &from, error);
}

// The part of a view with `size` elements along the dimension that belongs to the group.
static hlo_view group_of(const hlo_view *view, int32_t dimension, int64_t group, int64_t size) {
  hlo_view out = *view;
  out.data = hlo_view_at(view, group * size * view->strides[dimension]);
  out.dims[dimension] = size;
  return out;
}

static hlo_status allocate(im2col *w, int64_t capacity, hlo_error *error) {
  const hlo_convolution *c = w->of;
  hlo_arena *scratch = c->evaluator->scratch;
  size_t size = (size_t)c->size, of_products = (size_t)(capacity * c->outputs);
  bool by_taps = c->order == HLO_ORDER_BY_TAPS;
  // Both are no larger than HLO_CONVOLUTION_ROWS_BYTES, or one row.
  w->rows = hlo_arena_array_raw(scratch, (size_t)(capacity * c->columns), size);
  w->products = hlo_arena_array_raw(scratch, of_products, size);
  w->tap = by_taps ? hlo_arena_array_raw(scratch, of_products, size) : NULL;
  bool failed = w->rows == NULL || w->products == NULL || (by_taps && w->tap == NULL);
  return failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// A view of the image in the work type: in place, or a converted copy.
static hlo_status load_image(im2col *w, hlo_error *error) {
  const hlo_convolution *c = w->of;
  w->input = c->input;
  if (c->input.type == c->work_type) return HLO_OK;
  HLO_TRY(
      hlo_scratch_view(c->evaluator, c->work_type, c->input.rank, c->input.dims, &w->input, error));
  return hlo_convert_view(c->evaluator, &w->input, &c->input, error);
}

hlo_status hlo_convolve_im2col(const hlo_convolution *c, hlo_error *error) {
  im2col w = {.of = c};
  int32_t feature = c->spatial_rank + 1;
  bool in_order = c->order != HLO_ORDER_FREE;
  int64_t most = HLO_CONVOLUTION_ROWS_BYTES / c->size / (c->columns > 0 ? c->columns : 1);
  hlo_parts parts;
  HLO_TRY(load_image(&w, error));
  HLO_TRY(hlo_matrix_product_init(c->evaluator, c->product_type, in_order, c->outputs, c->columns,
                                  &w.product, error));
  hlo_parts_start(&parts, feature, c->result.dims, most);
  HLO_TRY(allocate(&w, hlo_parts_capacity(&parts), error));
  for (int64_t g = 0; g < c->groups; g++) {
    bool by_batch = c->batch_groups > 1;
    hlo_view input = by_batch ? group_of(&w.input, BATCH, g, c->batch)
                              : group_of(&w.input, feature, g, c->features);
    hlo_view result = group_of(&c->result, feature, g, c->outputs);
    const char *kernel = c->kernel + g * c->outputs * c->size;
    hlo_parts_start(&parts, feature, result.dims, most);
    do HLO_TRY(convolve_part(&w, &parts, &input, kernel, &result, error));
    while (hlo_parts_next(&parts));
  }
  return HLO_OK;
}
