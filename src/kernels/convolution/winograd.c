// 3x3 convolutions of f32 by Winograd's F(2x2, 3x3) (A. Lavin, S. Gray, "Fast algorithms for
// convolutional neural networks", 2016): overlapping 4x4 tiles of the image and the filters are
// transformed, 16 matrix products give the 2x2 positions of each tile, with 2.25 times fewer
// multiplications than the direct sums.
//
// The transforms mix all pixels of a window, so a large pixel adds rounding error to small ones
// even where its weight is tiny: filters with nearly zero taps are therefore excluded. So are
// infinities and NaN, and values that might overflow in the transforms. Where all features of a
// pixel have one magnitude, as in masks, the error is at most some hundred times the bound of the
// direct sums, and typically half of their error.
#include "kernels/convolution/winograd.h"
#include "hlo/attributes/window.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

#include <float.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define POINTS   HLO_WINOGRAD_POINTS
#define TAPS     HLO_WINOGRAD_TAPS
#define LINE     HLO_WINOGRAD_LINE

enum {
  BATCH = HLO_CONVOLUTION_BATCH,
  Y = HLO_CONVOLUTION_SPATIAL,
  X = Y + 1,
  LANES = 4,
  PANEL = HLO_PACKED_COLUMNS,
  UNEVEN = 256,
};

typedef float vector __attribute__((vector_size(16)));
typedef int32_t bits __attribute__((vector_size(16)));

// Tiles are 2x2 positions.
typedef struct winograd {
  const hlo_convolution *of;
  hlo_view image;             // with its padding
  int64_t down, across, rows; // of tiles: in an image, in a row; in all images
  int64_t parts_high, parts_wide;
  int64_t columns_of_a_part, group; // output features of a work share; features per pass
  float *scratch;                   // see run_part
  int64_t of_a_thread, squares_apart, filters_apart, products_apart; // one point from the next
  float *filters; // of all features, or NULL: each work share transforms the filters it uses
  const hlo_epilogue *epilogue;
} winograd;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }

static inline vector load(const float *from) {
  vector out;
  memcpy(&out, from, sizeof out);
  return out;
}
static inline void store(float *to, vector v) { memcpy(to, &v, sizeof v); }

NOINLINE void hlo_winograd_transform_filters(const hlo_convolution *c, int64_t column,
                                             int64_t columns, float *filters, int64_t apart) {
  const float *kernel = (const float *)(const void *)c->kernel + column;
  intptr_t features = (intptr_t)c->features, outputs = (intptr_t)c->outputs,
           tap = features * outputs, points = (intptr_t)apart;
  for (intptr_t i = 0; i < features; i++, kernel += outputs, filters += PANEL) {
    for (intptr_t k = 0; k < columns; k += LANES) {
      vector rows[4][3];
      const float *from = kernel + k;
      float *to = filters + (k & -PANEL) * features + (k & (PANEL - 1));
      _Pragma("unroll") for (int j = 0; j < 3; j++, from += tap) {
        vector g0 = load(from), g1 = load(from + 3 * tap), g2 = load(from + 6 * tap);
        rows[0][j] = g0;
        rows[1][j] = (g0 + g2 + g1) * 0.5f;
        rows[2][j] = (g0 + g2 - g1) * 0.5f;
        rows[3][j] = g2;
      }
      _Pragma("unroll") for (int j = 0; j < 4; j++, to += 4 * points) {
        vector *row = rows[j];
        store(to, row[0]);
        store(to + points, (row[0] + row[2] + row[1]) * 0.5f);
        store(to + 2 * points, (row[0] + row[2] - row[1]) * 0.5f);
        store(to + 3 * points, row[2]);
      }
    }
  }
}

// The squares of a row of tiles.
static NOINLINE void transform_squares(const winograd *w, const float *image, float *squares) {
  intptr_t pixel = (intptr_t)w->image.strides[X], apart = (intptr_t)w->squares_apart;
  for (int64_t x = 0; x < w->across; x++, image += 2 * pixel) {
    for (int64_t i = 0; i < w->of->features; i += LANES, squares += LANES) {
      vector rows[4][4];
      const float *from = image + i;
      float *to = squares;
      _Pragma("unroll") for (int j = 0; j < 4; j++, from += pixel) {
        intptr_t down = (intptr_t)w->image.strides[Y];
        vector d0 = load(from), d1 = load(from + down), d2 = load(from + 2 * down),
               d3 = load(from + 3 * down);
        rows[0][j] = d0 - d2;
        rows[1][j] = d1 + d2;
        rows[2][j] = d2 - d1;
        rows[3][j] = d1 - d3;
      }
      _Pragma("unroll") for (int j = 0; j < 4; j++, to += 4 * apart) {
        vector *row = rows[j];
        store(to, row[0] - row[2]);
        store(to + apart, row[1] + row[2]);
        store(to + 2 * apart, row[2] - row[1]);
        store(to + 3 * apart, row[1] - row[3]);
      }
    }
  }
}

// A tile's products to its positions.
static NOINLINE void transform_products(int64_t columns, const float *from, int64_t apart,
                                        float *const *to) {
  for (int64_t k = 0; k < columns; k += LANES, from += LANES) {
    vector upper[4], lower[4];
    const float *at = from;
    _Pragma("unroll") for (int j = 0; j < 4; j++, at += apart) {
      vector m1 = load(at + 4 * apart), m2 = load(at + 8 * apart);
      upper[j] = load(at) + m1 + m2;
      lower[j] = m1 - m2 - load(at + 12 * apart);
    }
    store(to[0] + k, upper[0] + upper[1] + upper[2]);
    store(to[1] + k, upper[1] - upper[2] - upper[3]);
    store(to[2] + k, lower[0] + lower[1] + lower[2]);
    store(to[3] + k, lower[1] - lower[2] - lower[3]);
  }
}

// The products of a row of tiles, for so many features of the result.
static void transform_row(const winograd *w, int64_t row, int64_t column, int64_t columns,
                          const float *products, float *outside) {
  const hlo_view *result = &w->of->result;
  int64_t y = row % w->down * 2;
  float *base =
      hlo_view_at(result, row / w->down * result->strides[BATCH] + y * result->strides[Y] + column);
  for (int64_t x = 0; x < 2 * w->across; x += 2, products += columns) {
    float *to[4];
    for (int i = 0; i < 4; i++) {
      bool inside = y + i / 2 < result->dims[Y] && x + i % 2 < result->dims[X];
      to[i] =
          inside ? base + i / 2 * result->strides[Y] + (x + i % 2) * result->strides[X] : outside;
    }
    transform_products(columns, products, w->products_apart, to);
  }
}

static void multiply(const winograd *w, int64_t tiles, int64_t columns, const float *squares,
                     const float *filters, float *products) {
  const int64_t features = w->of->features, no_offset = 0;
  for (int point = 0; point < POINTS; point++) {
    const void *rows = squares;
    void *to = products;
    hlo_segmented_product product = {.blocks = 1,
                                     .a = &rows,
                                     .c = &to,
                                     .m = tiles,
                                     .n = columns,
                                     .lda = features,
                                     .ldc = columns,
                                     .segments = 1,
                                     .length = features,
                                     .offsets = &no_offset,
                                     .packed = filters};
    w->of->kernels->segments(&product);
    squares += w->squares_apart;
    filters += w->filters_apart;
    products += w->products_apart;
  }
}

// The positions of a row of tiles are done.
static void finish_row(const winograd *w, int64_t row) {
  const hlo_view *result = &w->of->result;
  int64_t columns = w->of->outputs, y = row % w->down * 2, end = smaller(y + 2, result->dims[Y]);
  for (; y < end; y++) {
    int64_t at = (row / w->down * result->strides[BATCH] + y * result->strides[Y]) / columns;
    w->epilogue->run(w->epilogue->data, at, at + result->dims[X], 0, columns);
  }
}

static void transform_group(void *data, int32_t part, int32_t thread) {
  const winograd *w = data;
  int64_t column = part * w->group, left = w->of->outputs - column;
  (void)thread;
  hlo_winograd_transform_filters(w->of, column, smaller(w->group, left),
                                 w->filters + column * w->of->features, w->filters_apart);
}

static void run_part(void *data, int32_t part, int32_t thread) {
  const winograd *w = data;
  const hlo_convolution *c = w->of;
  int64_t above = part / w->parts_wide, in_a_row = w->across * c->features;
  // Larger parts come first, to balance the threads.
  int64_t least = w->rows / w->parts_high, more = w->rows % w->parts_high;
  int64_t first = above * least + smaller(above, more), rows = least + (above < more);
  int64_t column = part % w->parts_wide * w->columns_of_a_part;
  int64_t end = smaller(column + w->columns_of_a_part, c->outputs);
  float *own = w->scratch + thread * w->of_a_thread, *filters = own;
  float *squares = own + (w->filters == NULL ? POINTS * w->filters_apart : 0);
  float *products = squares + POINTS * w->squares_apart;
  for (int64_t i = 0; i < rows; i++) {
    int64_t at = (first + i) / w->down * w->image.strides[BATCH] +
                 (first + i) % w->down * 2 * w->image.strides[Y];
    transform_squares(w, hlo_view_at(&w->image, at), squares + i * in_a_row);
  }
  for (; column < end; column += w->group) {
    int64_t columns = smaller(w->group, end - column);
    if (w->filters != NULL) filters = w->filters + column * c->features;
    else hlo_winograd_transform_filters(c, column, columns, own, w->filters_apart);
    multiply(w, rows * w->across, columns, squares, filters, products);
    for (int64_t i = 0; i < rows; i++)
      transform_row(w, first + i, column, columns, products + i * w->across * columns,
                    products + POINTS * w->products_apart);
  }
  for (int64_t i = 0; i < rows && w->epilogue != NULL; i++) finish_row(w, first + i);
}

// --- applicability ---

// The largest magnitude; infinite or NaN if there is such a number.
static float largest(int64_t count, const float *numbers) {
  bits most = {0};
  for (int64_t i = 0; i < count; i += LANES)
    most = __builtin_elementwise_max(most, (bits)load(numbers + i) & INT32_MAX);
  int32_t all = __builtin_reduce_max(most);
  float out;
  memcpy(&out, &all, sizeof out);
  return out;
}

float hlo_winograd_weight(const hlo_convolution *c, float *sums) {
  const float *kernel = (const float *)(const void *)c->kernel;
  int64_t outputs = c->outputs;
  float most = 0;
  for (int64_t i = 0; i < TAPS * c->features; i++, kernel += outputs) {
    float *to = sums + i / c->features * outputs;
    for (int64_t k = 0; k < outputs; k += LANES)
      store(to + k, load(to + k) + (vector)((bits)load(kernel + k) & INT32_MAX));
  }
  for (int64_t k = 0; k < outputs; k++) {
    float all = 0, least = FLT_MAX;
    for (int64_t i = k; i < TAPS * outputs; i += outputs) {
      all += sums[i];
      least = sums[i] < least ? sums[i] : least;
    }
    // A NaN among them is one of the sum.
    if (!(least * UNEVEN >= all && all <= FLT_MAX / 64) || (all > 0 && all < 0x1p-100f))
      return __builtin_inff();
    most = all > most ? all : most;
  }
  return most;
}

static hlo_status allocate(winograd *w, hlo_error *error) {
  const hlo_convolution *c = w->of;
  int64_t threads = hlo_backend_threads(c->evaluator->backend),
          tiles = ceiling(w->rows, w->parts_high) * w->across, own = 0;
  w->squares_apart = tiles * c->features + LINE;
  w->products_apart = tiles * w->group + LINE;
  w->filters_apart = hlo_winograd_point_stride(c);
  if (c->evaluator->packed) {
    w->filters = (float *)(uintptr_t)c->kernel + LINE;
  } else if (w->parts_high > 1 && w->filters_apart < HLO_WINOGRAD_MOST_FILTERS) {
    w->filters = hlo_arena_array_raw(c->evaluator->scratch, (size_t)w->filters_apart,
                                     POINTS * sizeof *w->filters);
    if (w->filters == NULL) return hlo_fail_out_of_memory(error);
  } else {
    w->filters_apart = w->group * c->features + LINE;
    own = POINTS * w->filters_apart;
  }
  w->of_a_thread = POINTS * (w->squares_apart + w->products_apart) + w->group + own;
  if (w->of_a_thread < INT32_MAX)
    w->scratch = hlo_arena_array_raw(c->evaluator->scratch, (size_t)w->of_a_thread,
                                     (size_t)threads * sizeof *w->scratch);
  return w->scratch == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// Splits the rows of tiles into parts, and with few rows the output features, too.
static void cut(winograd *w) {
  const hlo_convolution *c = w->of;
  const hlo_backend *backend = c->evaluator->backend;
  int64_t threads = hlo_backend_threads(backend), tiles = w->rows * w->across;
  int64_t parts = ceiling(tiles, HLO_WINOGRAD_TILES);
  double time = (double)(tiles * POINTS) * (double)(c->features * c->outputs);
  w->group = ceiling(HLO_WINOGRAD_FILTER_ELEMENTS / PANEL, c->features) * PANEL;
  w->group = smaller(smaller(w->group, HLO_WINOGRAD_COLUMNS), c->outputs);
  int64_t groups = ceiling(c->outputs, w->group);
  w->parts_wide = 1;
  if (hlo_backend_parts(backend, tiles, time / HLO_WINOGRAD_PRODUCTS_PER_NS) > 1) {
    if (parts < threads) w->parts_wide = smaller(groups, threads);
    else parts = ceiling(parts, threads) * threads;
  }
  w->columns_of_a_part = ceiling(groups, w->parts_wide) * w->group;
  w->parts_wide = ceiling(c->outputs, w->columns_of_a_part);
  w->parts_high = smaller(parts, w->rows);
}

// How much filters weigh, see hlo_winograd_weight; where they are packed it stands before them.
static hlo_status weigh(const hlo_convolution *c, float *weight, hlo_error *error) {
  float *sums;
  *weight = *(const float *)(const void *)c->kernel;
  if (c->evaluator->packed) return HLO_OK;
  HLO_ALLOC(sums, c->evaluator->scratch, TAPS * c->outputs, error);
  *weight = hlo_winograd_weight(c, sums);
  return HLO_OK;
}

// Whether rounding would not show, as far as the image goes.
static bool is_even(const winograd *w, float weight) {
  return hlo_views_are_parallel(&w->image, &w->image) &&
         (weight + 1) * (double)largest(hlo_view_elements(&w->image), w->image.data) <=
             FLT_MAX / 64;
}

hlo_status hlo_convolve_by_winograd(const hlo_convolution *c, bool *suits, hlo_error *error) {
  winograd w = {.of = c};
  float weight;
  w.down = ceiling(c->result.dims[Y], 2);
  w.across = ceiling(c->result.dims[X], 2);
  w.rows = c->batch * w.down;
  hlo_convolution whole = *c; // tiles
  whole.result.dims[Y] = 2 * w.down;
  whole.result.dims[X] = 2 * w.across;
  HLO_TRY(hlo_convolution_pad_image(&whole, false, &w.image, error));
  HLO_TRY(weigh(c, &weight, error));
  *suits = is_even(&w, weight);
  if (!*suits) return HLO_OK;
  cut(&w);
  HLO_TRY(allocate(&w, error));
  HLO_TRY(
      hlo_convolution_accept_epilogue(c, c->result.strides[X] == c->outputs, &w.epilogue, error));
  const hlo_backend *backend = c->evaluator->backend;
  if (w.filters != NULL && !c->evaluator->packed)
    hlo_backend_parallel(backend, transform_group, &w, (int32_t)ceiling(c->outputs, w.group));
  hlo_backend_parallel(backend, run_part, &w, (int32_t)(w.parts_high * w.parts_wide));
  return HLO_OK;
}
