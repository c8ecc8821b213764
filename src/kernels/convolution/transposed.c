// Transposed convolutions as one product of matrices, however many phases they have: each element
// of the image times all of the kernel, whose windows are then added up where they lie in the
// result (col2im).
#include "hlo/attributes/window.h"
#include "kernels/convolution/convolution.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

enum { BATCH = HLO_CONVOLUTION_BATCH, SPATIAL = HLO_CONVOLUTION_SPATIAL };

typedef struct transposed {
  const hlo_convolution *of;
  hlo_view input;      // dense, in the work type
  hlo_view result;     // of the group
  int64_t columns;     // taps times outputs
  char *kernel;        // of the group: features, taps from the last to the first, outputs
  char *windows;       // products of some elements of the image
  int64_t first, rows; // these
  int64_t shares;      // along the first dimension, of which each is for a thread
  int64_t taps[HLO_MAX_RANK], starts[HLO_MAX_RANK], steps[HLO_MAX_RANK];
} transposed;

#define DEFINE(suffix, type)                                                                       \
  static void add_##suffix(int64_t count, const void *from, void *to) {                            \
    const type *x = from;                                                                          \
    type *sums = to;                                                                               \
    for (int64_t i = 0; i < count; i++) sums[i] += x[i];                                           \
  }
DEFINE(f32, float)
DEFINE(f64, double)
DEFINE(u32, uint32_t)
DEFINE(u64, uint64_t)

// Of real and of complex numbers.
static void add_numbers(hlo_type type, int64_t count, const void *from, void *to) {
  if (type == HLO_F32) add_f32(count, from, to);
  else if (type == HLO_F64) add_f64(count, from, to);
  else if (type == HLO_U32) add_u32(count, from, to);
  else if (type == HLO_U64) add_u64(count, from, to);
  else if (type == HLO_C64) add_f32(2 * count, from, to);
  else add_f64(2 * count, from, to);
}

// A range of positions of one dimension, and the taps that meet it.
typedef struct range {
  int64_t first, end;
} range;

// The taps whose positions, a step from each other, are within the bounds.
static range taps_within(int64_t taps, int64_t start, int64_t step, range bounds) {
  int64_t first = start >= bounds.first ? 0 : (bounds.first - start + step - 1) / step;
  int64_t end = start >= bounds.end ? 0 : (bounds.end - start + step - 1) / step;
  return (range){first, end < taps ? end : taps};
}

// Adds the taps along the last dimension.
static void add_last(const transposed *w, const char *from, char *to, int64_t start, range bounds) {
  const hlo_convolution *c = w->of;
  int32_t last = c->spatial_rank - 1;
  int64_t step = w->steps[last], stride = w->result.strides[last + SPATIAL] * step;
  range taps = taps_within(w->taps[last], start, step, bounds);
  int64_t count = taps.end - taps.first, length = c->outputs;
  if (count <= 0) return;
  from += taps.first * length * c->size;
  to += ((start + taps.first * step) * w->result.strides[last + SPATIAL]) * c->size;
  if (stride == length) length *= count, count = 1;
  for (; count > 0; count--, from += length * c->size, to += stride * c->size)
    add_numbers(c->work_type, length, from, to);
}

// Adds the window of one element: `index` in the image, batch first; positions of the first
// dimension are within the bounds.
static void add_window(const transposed *w, const char *window, const int64_t *index,
                       range bounds) {
  const hlo_convolution *c = w->of;
  int32_t last = c->spatial_rank - 1;
  int64_t at[HLO_MAX_RANK] = {0}, start[HLO_MAX_RANK], of_a_row = w->taps[last] * c->outputs;
  char *to = hlo_view_at(&w->result, index[BATCH] * w->result.strides[BATCH]);
  for (int32_t i = 0; i <= last; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    start[i] = w->starts[i] + index[i + SPATIAL] * field[HLO_WINDOW_LHS_DILATION];
  }
  range whole = {0, w->result.dims[last + SPATIAL]};
  do {
    int64_t offset = 0;
    bool inside = true;
    for (int32_t i = 0; i < last; i++) {
      int64_t position = start[i] + at[i] * w->steps[i];
      range allowed = i == 0 ? bounds : (range){0, w->result.dims[i + SPATIAL]};
      inside = inside && position >= allowed.first && position < allowed.end;
      offset += position * w->result.strides[i + SPATIAL];
    }
    if (inside) add_last(w, window, to + offset * c->size, start[last], last == 0 ? bounds : whole);
    window += of_a_row * c->size;
  } while (hlo_next_index(last, w->taps, at));
}

static void add_share(void *data, int32_t part, int32_t thread) {
  const transposed *w = data;
  const hlo_convolution *c = w->of;
  int64_t size = w->result.dims[SPATIAL], index[HLO_MAX_RANK], left = w->first;
  range bounds = {size * part / w->shares, size * (part + 1) / w->shares};
  int64_t dims[HLO_MAX_RANK];
  (void)thread;
  for (int32_t d = c->spatial_rank; d >= BATCH; d--) {
    dims[d] = d == BATCH ? c->batch : c->input.dims[d];
    index[d] = left % dims[d];
    left /= dims[d];
  }
  for (int64_t row = 0; row < w->rows; row++) {
    add_window(w, w->windows + row * w->columns * c->size, index, bounds);
    hlo_next_index(c->spatial_rank + 1, dims, index);
  }
}

// The kernel of a group as a matrix: a row for each feature, in which the taps stand in the order
// of their positions.
static void load_kernel(const transposed *w, int64_t group) {
  const hlo_convolution *c = w->of;
  int64_t of_a_tap = c->features * c->all_outputs;
  hlo_view to = {.type = c->work_type,
                 .rank = 3,
                 .dims = {c->features, c->taps, c->outputs},
                 .data = w->kernel};
  hlo_view_set_row_major(&to);
  hlo_view from = to;
  from.data =
      (char *)(uintptr_t)c->kernel + ((c->taps - 1) * of_a_tap + group * c->outputs) * c->size;
  from.strides[0] = c->all_outputs;
  from.strides[1] = -of_a_tap;
  hlo_copy_view(c->evaluator, &to, &from);
}

// The image as a dense array: in place, or a copy.
static hlo_status load_image(transposed *w, hlo_error *error) {
  const hlo_convolution *c = w->of;
  w->input = c->input;
  if (c->input.type == c->work_type && hlo_view_is_row_major(&c->input)) return HLO_OK;
  HLO_TRY(
      hlo_scratch_view(c->evaluator, c->work_type, c->input.rank, c->input.dims, &w->input, error));
  return hlo_convert_view(c->evaluator, &w->input, &c->input, error);
}

static void run_group(transposed *w, const hlo_matrix_product *product, int64_t group, int64_t rows,
                      int64_t step) {
  const hlo_convolution *c = w->of;
  const hlo_backend *backend = c->evaluator->backend;
  int64_t stride = w->input.dims[c->spatial_rank + 1];
  int64_t from = c->batch_groups > 1 ? group * rows * stride : group * c->features;
  load_kernel(w, group);
  w->result = c->result;
  w->result.data = hlo_view_at(&c->result, group * c->outputs);
  for (w->first = 0; w->first < rows; w->first += step) {
    w->rows = rows - w->first < step ? rows - w->first : step;
    hlo_matrix_product_run(product, w->rows, w->columns, c->features,
                           hlo_view_at(&w->input, from + w->first * stride), stride, w->kernel,
                           w->columns, w->windows, w->columns);
    double time = (double)(w->rows * w->columns) / HLO_CONVOLUTION_COPIED_PER_NS;
    w->shares = hlo_backend_parts(backend, w->result.dims[SPATIAL], time);
    hlo_backend_parallel(backend, add_share, w, (int32_t)w->shares);
  }
}

hlo_status hlo_convolve_transposed(const hlo_convolution *c, hlo_error *error) {
  transposed w = {.of = c, .columns = c->taps * c->outputs};
  hlo_matrix_product product;
  const double zero[2] = {0};
  int64_t rows = c->batch, step = HLO_CONVOLUTION_WINDOWS_BYTES / (w.columns * c->size) + 1;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    w.taps[i] = field[HLO_WINDOW_SIZE];
    w.steps[i] = w.taps[i] == 1 ? 1 : field[HLO_WINDOW_RHS_DILATION];
    w.starts[i] = field[HLO_WINDOW_PAD_LOW] - (w.taps[i] - 1) * w.steps[i];
    rows *= c->input.dims[i + SPATIAL];
  }
  if (step < HLO_CONVOLUTION_FEW_ROWS) step = HLO_CONVOLUTION_FEW_ROWS;
  if (step > rows) step = rows;
  HLO_TRY(load_image(&w, error));
  hlo_arena *scratch = c->evaluator->scratch;
  w.kernel = hlo_arena_array_raw(scratch, (size_t)(c->features * w.columns), (size_t)c->size);
  w.windows = hlo_arena_array_raw(scratch, (size_t)(step * w.columns), (size_t)c->size);
  if (w.kernel == NULL || w.windows == NULL) return hlo_fail_out_of_memory(error);
  HLO_TRY(hlo_matrix_product_init(c->evaluator, c->product_type, false, w.columns, c->features,
                                  &product, error));
  hlo_view_fill(&c->result, zero);
  for (int64_t g = 0; g < c->groups; g++) run_group(&w, &product, g, rows, step);
  return HLO_OK;
}
