// See dot_converted.h.
#include "kernels/product/other_types/dot_converted.h"

#include "base/read_ahead.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/product/matrix.h"
#include "kernels/product/other_types/dot_bf16.h"
#include "math/long_sums.h"

#include <string.h>

enum {
  DEPTH = HLO_CONVERTED_BLOCK / HLO_CONVERTED_STRETCH,
  LONGEST = HLO_CONVERTED_BLOCK / 4, // of rows on the left: at least four go together
  SUMS = 3,                          // of the results of a part's columns, see column_sums
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
  out->columns = smaller(on_the_left ? k : n, on_the_left ? LONGEST : HLO_CONVERTED_STRETCH);
  out->rows =
      on_the_left ? smaller(m, HLO_CONVERTED_BLOCK / out->columns / 4 * 4) : smaller(k, DEPTH);
  out->parts = (int32_t)(on_the_left ? (m + out->rows - 1) / out->rows
                                     : (n + out->columns - 1) / out->columns);
  double time = (double)k * (double)(on_the_left ? m : n) / HLO_CONVERTED_PER_NS;
  out->is_cut = hlo_backend_parts(backend, out->parts, time) > 1;
  int32_t threads = out->is_cut ? hlo_backend_threads(backend) : 1;
  HLO_ALLOC(out->products, evaluator->scratch, threads, error);
  HLO_ALLOC(out->blocks, evaluator->scratch, threads * out->rows * out->columns, error);
  HLO_ALLOC(out->sums, evaluator->scratch,
            threads * SUMS * (on_the_left ? out->rows * n : m * out->columns), error);
  bool by_columns = on_the_left && n <= HLO_FEW_COLUMNS;
  if (by_columns) HLO_ALLOC(out->turned, evaluator->scratch, n * k, error);
  for (int32_t i = 0; i < threads; i++) {
    int64_t across = by_columns ? 1 : on_the_left ? n : out->columns;
    HLO_TRY(hlo_matrix_product_init(evaluator, HLO_F32, false, across,
                                    on_the_left ? out->columns : out->rows, &out->products[i],
                                    error));
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
    hlo_widen_lanes(HLO_F32, block + i * columns, product->from, from, columns);
  return block;
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

// Where the sums of the next block go.
static float *begin_block(const column_sums *s, int64_t number) {
  if (number % HLO_BLOCKS_IN_ORDER != 0) return s->block;
  return number >= HLO_BLOCKS_IN_ORDER ? s->some : s->c;
}

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

// All columns of some rows. Rows of bf16 are widened in registers, four at a time.
static void multiply_rows(void *data, int32_t part, int32_t thread) {
  const converted_work *w = data;
  const hlo_converted_product *product = w->product;
  int64_t n = product->n, k = product->k, first = part * product->rows;
  int64_t rows = smaller(product->rows, product->m - first), apart = product->rows * n;
  float *c = w->c + first * w->ldc, *sums = product->sums + thread * SUMS * apart;
  if (product->turned != NULL && product->from == HLO_BF16 && rows >= HLO_FEW_COLUMNS) {
    const uint16_t *as_it_is = (const uint16_t *)w->large + first * w->large_stride;
    for (int64_t j = 0; j < n; j++)
      hlo_dot_rows_bf16(rows, k, as_it_is, w->large_stride, product->turned + j * k, c + j, w->ldc);
    return;
  }
  const column_sums all = {rows, n, w->ldc, sums, sums + apart, sums + 2 * apart, c};
  for (int64_t d = 0; d < k; d += product->columns) {
    int64_t depth = smaller(product->columns, k - d);
    float *to = begin_block(&all, d / product->columns);
    const float *block = convert(w, first, d, rows, depth, thread);
    int64_t ldto = to == c ? w->ldc : n;
    for (int64_t j = 0; product->turned != NULL && j < n; j++)
      hlo_matrix_product_run(&product->products[thread], rows, 1, depth, block, depth,
                             product->turned + j * k + d, 1, to + j, ldto);
    if (product->turned == NULL)
      hlo_matrix_product_run(&product->products[thread], rows, n, depth, block, depth,
                             w->small + d * w->small_stride, w->small_stride, to, ldto);
    close_block(&all, d / product->columns, d + depth == k);
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
    float *to = begin_block(&all, number);
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
  for (int64_t j = 0; product->turned != NULL && j < product->n; j++) {
    for (int64_t p = 0; p < product->k; p++)
      product->turned[j * product->k + p] = work.small[p * work.small_stride + j];
  }
  if (product->is_cut) {
    hlo_backend_parallel(product->evaluator->backend, multiply, &work, product->parts);
  } else {
    for (int32_t part = 0; part < product->parts; part++) multiply(&work, part, 0);
  }
}
