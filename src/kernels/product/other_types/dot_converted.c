// See dot_converted.h.
#include "kernels/product/other_types/dot_converted.h"

#include "base/read_ahead.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/product/other_types/dot_bf16.h"
#include "math/long_sums.h"

#include <string.h>

enum {
  DEPTH = HLO_CONVERTED_BLOCK / HLO_CONVERTED_STRETCH,
  SUMS = 3, // of the results of a part's columns, see column_sums
};

HLO_DEFINE_LONG_SUMS(f32, float)

typedef struct converted_work {
  const hlo_converted_product *product;
  const char *large;
  const float *small;
  float *c;
  int64_t large_stride, small_stride, ldc;
} converted_work;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

hlo_status hlo_converted_product_init(const hlo_evaluator *evaluator, bool on_the_left,
                                      hlo_type from, int64_t m, int64_t n, int64_t k,
                                      hlo_converted_product *out, hlo_error *error) {
  const hlo_backend *backend = evaluator->backend;
  *out = (hlo_converted_product){
      .evaluator = evaluator, .on_the_left = on_the_left, .from = from, .m = m, .n = n, .k = k};
  out->rows = on_the_left ? smaller(m, HLO_CONVERTED_BLOCK / k / 4 * 4 + 4) : smaller(k, DEPTH);
  out->columns = on_the_left ? k : smaller(n, HLO_CONVERTED_STRETCH);
  out->parts = (int32_t)(on_the_left ? (m + out->rows - 1) / out->rows
                                     : (n + out->columns - 1) / out->columns);
  double time = (double)k * (double)(on_the_left ? m : n) / HLO_CONVERTED_PER_NS;
  out->is_cut = hlo_backend_parts(backend, out->parts, time) > 1;
  int32_t threads = out->is_cut ? hlo_backend_threads(backend) : 1;
  HLO_ALLOC(out->products, evaluator->scratch, threads, error);
  HLO_ALLOC(out->blocks, evaluator->scratch, threads * out->rows * out->columns, error);
  HLO_ALLOC(out->sums, evaluator->scratch, on_the_left ? 1 : threads * SUMS * m * out->columns,
            error);
  bool by_columns = on_the_left && n <= HLO_FEW_COLUMNS;
  if (by_columns) HLO_ALLOC(out->turned, evaluator->scratch, n * k, error);
  for (int32_t i = 0; i < threads; i++) {
    int64_t across = by_columns ? 1 : on_the_left ? n : out->columns;
    HLO_TRY(hlo_matrix_product_init(evaluator, HLO_F32, false, across, on_the_left ? k : out->rows,
                                    &out->products[i], error));
  }
  return HLO_OK;
}

// Converts one block of rows and columns to the work type.
static const float *convert(const converted_work *w, int64_t row, int64_t column, int64_t rows,
                            int64_t columns, int32_t thread) {
  const hlo_converted_product *product = w->product;
  int64_t size = hlo_type_bytes(product->from);
  float *block = product->blocks + thread * product->rows * product->columns;
  const char *from = w->large + (row * w->large_stride + column) * size;
  hlo_read_ahead(rows, columns * size, from, w->large_stride * size);
  if (columns == w->large_stride) columns *= rows, rows = 1;
  for (int64_t i = 0; i < rows; i++, from += w->large_stride * size)
    hlo_convert_lanes(HLO_F32, block + i * columns, product->from, from, columns);
  return block;
}

static void multiply_rows(void *data, int32_t part, int32_t thread) {
  const converted_work *w = data;
  const hlo_converted_product *product = w->product;
  int64_t n = product->n, k = product->k, first = part * product->rows;
  int64_t rows = smaller(product->rows, product->m - first);
  bool widens = product->turned != NULL && product->from == HLO_BF16;
  const uint16_t *as_it_is = (const uint16_t *)w->large + first * w->large_stride;
  const float *block = widens ? NULL : convert(w, first, 0, rows, k, thread);
  const hlo_matrix_product *of_block = &product->products[thread];
  float *c = w->c + first * w->ldc;
  if (product->turned == NULL) {
    hlo_matrix_product_run(of_block, rows, n, k, block, k, w->small, w->small_stride, c, w->ldc);
    return;
  }
  for (int64_t j = 0; j < n; j++) {
    const float *x = product->turned + j * k;
    if (widens) hlo_dot_rows_bf16(rows, k, as_it_is, w->large_stride, x, c + j, w->ldc);
    else hlo_matrix_product_run(of_block, rows, 1, k, block, k, x, 1, c + j, w->ldc);
  }
}

static void add(int64_t count, const float *restrict sums, float *restrict to) {
  for (int64_t i = 0; i < count; i++) to[i] += sums[i];
}

// Sums of a part's columns: those of one block are added in order, to c or from HLO_BLOCKS_IN_ORDER
// blocks on to `some`, which are added to c then. All but c are dense.
typedef struct column_sums {
  int64_t m, columns, ldc;
  float *block, *some, *lost, *c;
} column_sums;

static void close_block(const column_sums *s, int64_t number, bool is_last) {
  bool aside = number >= HLO_BLOCKS_IN_ORDER, begins = number % HLO_BLOCKS_IN_ORDER == 0;
  bool ends = aside && (is_last || (number + 1) % HLO_BLOCKS_IN_ORDER == 0);
  for (int64_t i = 0; i < s->m; i++) {
    int64_t at = i * s->columns;
    float *c = s->c + i * s->ldc;
    if (!begins) add(s->columns, s->block + at, aside ? s->some + at : c);
    if (number == HLO_BLOCKS_IN_ORDER)
      memset(s->lost + at, 0, (size_t)s->columns * sizeof *s->lost);
    if (ends) hlo_add_block_f32(s->columns, s->some + at, c, s->lost + at);
    if (aside && is_last) hlo_end_sums_f32(s->columns, s->lost + at, c);
  }
}

static void multiply_columns(void *data, int32_t part, int32_t thread) {
  const converted_work *w = data;
  const hlo_converted_product *product = w->product;
  int64_t m = product->m, first = part * product->columns;
  int64_t columns = smaller(product->columns, product->n - first);
  int64_t apart = m * product->columns;
  float *c = w->c + first, *sums = product->sums + thread * SUMS * apart;
  const column_sums all = {m, columns, w->ldc, sums, sums + apart, sums + 2 * apart, c};
  if (product->from == HLO_BF16 && m == 1) {
    hlo_dot_columns_bf16(columns, product->k, w->small, (const uint16_t *)w->large + first,
                         w->large_stride, c);
    return;
  }
  for (int64_t d = 0; d < product->k; d += product->rows) {
    int64_t depth = smaller(product->rows, product->k - d), number = d / product->rows;
    bool aside = number >= HLO_BLOCKS_IN_ORDER, begins = number % HLO_BLOCKS_IN_ORDER == 0;
    float *to = !begins ? all.block : aside ? all.some : c;
    const float *block = convert(w, d, first, depth, columns, thread);
    hlo_matrix_product_run(&product->products[thread], m, columns, depth, w->small + d,
                           w->small_stride, block, columns, to, to == c ? w->ldc : columns);
    close_block(&all, number, d + depth == product->k);
  }
}

void hlo_converted_product_run(const hlo_converted_product *product, const void *a, int64_t lda,
                               const void *b, int64_t ldb, float *c, int64_t ldc) {
  bool left = product->on_the_left;
  converted_work work = {product,          left ? a : b,     left ? b : a, c,
                         left ? lda : ldb, left ? ldb : lda, ldc};
  hlo_part *multiply = left ? multiply_rows : multiply_columns;
  for (int64_t i = 0; product->turned != NULL && i < product->n * product->k; i++)
    product->turned[i] = work.small[i % product->k * work.small_stride + i / product->k];
  if (product->is_cut) {
    hlo_backend_parallel(product->evaluator->backend, multiply, &work, product->parts);
  } else {
    for (int32_t part = 0; part < product->parts; part++) multiply(&work, part, 0);
  }
}
