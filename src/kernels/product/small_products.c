// See small_products.h. A complex product is a real one of twice as many columns and terms, in
// which left matrices and results are read and written as they are.
#include "kernels/product/small_products.h"

#include "kernels/elementwise/lanes.h"
#include "kernels/product/matrix.h"

#include <string.h>

typedef struct kernels {
  hlo_multiply_small *multiply;
  hlo_copy_small *rows, *complex_rows;
} kernels;

#define KERNELS(type)                                                                              \
  {hlo_small_products_##type, hlo_small_rows_##type, hlo_small_complex_rows_##type}
static kernels kernels_of(hlo_type work) {
  static const kernels of_f32 = KERNELS(f32), of_f64 = KERNELS(f64), of_u32 = KERNELS(u32),
                       of_u64 = KERNELS(u64);
  switch (work) {
  case HLO_U32:
    return of_u32;
  case HLO_U64:
    return of_u64;
  case HLO_F64:
  case HLO_C128:
    return of_f64;
  default:
    return of_f32;
  }
}

// --- which batches ---

// General GEMM is faster with whole panels, and with few rows or columns and long sums; but it has
// to be given each matrix by itself.
static bool is_small(const hlo_contraction *c) {
  int64_t m = c->m, n = c->n, k = c->k, longest = HLO_SMALL_WITH_VECTOR;
  bool in_place = c->types[HLO_LEFT] == HLO_F32 && c->types[HLO_RIGHT] == HLO_F32 &&
                  c->types[HLO_PRODUCT] == HLO_F32;
  if ((m == 1 || n == 1) && k > HLO_SMALL_VECTOR && (m + n > HLO_SMALL_VECTOR || !in_place))
    return m <= longest && n <= longest && k <= longest;
  if (k < 2 || m > HLO_SMALL_MOST || n > HLO_SMALL_MOST || k > HLO_SMALL_MOST) return false;
  return !in_place || (n <= HLO_SMALL_VECTOR && k <= HLO_SMALL_VECTOR) ||
         (m >= HLO_SMALL_VECTOR && n >= HLO_SMALL_VECTOR && n % HLO_SMALL_PANEL != 0);
}

static bool describe(const hlo_contraction *c, int32_t array, int32_t rows, int32_t columns,
                     bool by_rows, hlo_small_array *out) {
  hlo_small_matrices *x = &out->matrices;
  if (!hlo_contraction_is_even(c, HLO_BATCHES, array, &x->step)) return false;
  bool is_even = hlo_contraction_is_even(c, rows, array, &x->row_stride) &&
                 hlo_contraction_is_even(c, columns, array, &x->column_stride);
  bool in_rows = c->sizes[columns] == 1 || x->column_stride == 1;
  bool fills = x->row_stride == c->sizes[columns]
                   ? in_rows
                   : x->row_stride == 1 && x->column_stride == c->sizes[rows];
  out->is_converted = c->types[array] != c->work_type;
  // What fills a block of memory is converted in the order in which it lies.
  bool is_block = fills && x->step == c->sizes[rows] * c->sizes[columns];
  out->is_copied = !is_even || (by_rows && !in_rows) || (out->is_converted && !is_block);
  if (!out->is_copied) return true;
  x->row_stride = c->sizes[columns];
  x->column_stride = 1;
  return true;
}

bool hlo_small_batch_match(const hlo_contraction *c, hlo_small_batch *out) {
  bool is_complex = hlo_type_is_complex(c->work_type);
  if (!is_small(c) || !describe(c, HLO_LEFT, HLO_ROWS, HLO_TERMS, is_complex, &out->a) ||
      !describe(c, HLO_RIGHT, HLO_TERMS, HLO_COLUMNS, false, &out->b) ||
      !describe(c, HLO_PRODUCT, HLO_ROWS, HLO_COLUMNS, true, &out->c))
    return false;
  out->turns_b = is_complex || (c->n > 1 && out->b.matrices.column_stride != 1);
  return true;
}

// --- blocks of a batch ---

static int64_t elements_of(const hlo_contraction *c) {
  int64_t parts = hlo_type_is_complex(c->work_type) ? 4 : 1;
  return c->m * c->k + parts * c->k * c->n + c->m * c->n;
}

static int64_t block_of(const hlo_contraction *c) {
  int64_t count = HLO_SMALL_BLOCK / elements_of(c);
  return count < 1 ? 1 : count;
}

int64_t hlo_small_batch_scratch(const hlo_contraction *c) {
  enum { WIDEST = 16 };
  return WIDEST * (3 * block_of(c) * elements_of(c) + 8);
}

// Memory for a block: of the arrays as rows of their own types, converted, and with rows of b put
// together.
static void *take(char **scratch, int64_t elements, int32_t bytes) {
  void *out = *scratch;
  *scratch += (elements * bytes + 15) / 16 * 16;
  return out;
}

static void view_block(const hlo_contraction *c, int32_t array, void *data, int64_t count,
                       int64_t step, hlo_view *out) {
  static const int32_t groups[HLO_CONTRACTION_ARRAYS][2] = {
      {HLO_ROWS, HLO_TERMS}, {HLO_TERMS, HLO_COLUMNS}, {HLO_ROWS, HLO_COLUMNS}};
  hlo_view matrix;
  hlo_contraction_view(c, array, 2, groups[array], data, &matrix);
  out->type = matrix.type;
  out->rank = matrix.rank + 1;
  out->data = data;
  out->dims[0] = count;
  out->strides[0] = step;
  memcpy(out->dims + 1, matrix.dims, (size_t)matrix.rank * sizeof *matrix.dims);
  memcpy(out->strides + 1, matrix.strides, (size_t)matrix.rank * sizeof *matrix.strides);
}

// The array's matrices as kernels read them.
static hlo_small_matrices load(const hlo_contraction *c, int32_t array, const hlo_small_array *x,
                               const void *data, int64_t count, int64_t elements, char **scratch) {
  hlo_small_matrices out = x->matrices;
  hlo_type type = c->types[array];
  out.first = (void *)data;
  if (x->is_copied) {
    hlo_view from, to;
    view_block(c, array, (void *)data, count, out.step, &from);
    out.first = take(scratch, count * elements, hlo_type_bytes(type));
    view_block(c, array, out.first, count, out.step, &to);
    hlo_view_set_row_major(&to);
    hlo_view_copy(&to, &from);
    out.step = elements;
  }
  if (x->is_converted) {
    void *from = out.first;
    out.first = take(scratch, count * elements, hlo_type_bytes(c->work_type));
    hlo_widen_lanes(c->work_type, out.first, type, from, count * elements);
    out.step = elements;
  }
  return out;
}

static void store(const hlo_contraction *c, const hlo_small_array *x, void *from, void *data,
                  int64_t count, char *scratch) {
  int64_t elements = c->m * c->n;
  hlo_type type = c->types[HLO_PRODUCT];
  void *own = x->is_copied && x->is_converted
                  ? take(&scratch, count * elements, hlo_type_bytes(type))
              : x->is_copied ? from
                             : data;
  if (x->is_converted) hlo_convert_lanes(type, own, c->work_type, from, count * elements);
  if (!x->is_copied) return;
  hlo_view to, rows;
  view_block(c, HLO_PRODUCT, data, count, x->matrices.step, &to);
  view_block(c, HLO_PRODUCT, own, count, x->matrices.step, &rows);
  hlo_view_set_row_major(&rows);
  hlo_view_copy(&to, &rows);
}

static hlo_small_matrices as_real(hlo_small_matrices x) {
  x.row_stride *= 2;
  x.step *= 2;
  return x;
}

static void run_block(const hlo_small_batch *batch, const hlo_contraction *c, const char *a,
                      const char *b, char *result, int64_t count, char *scratch) {
  const kernels use = kernels_of(c->work_type);
  int64_t m = c->m, n = c->n, k = c->k;
  hlo_small_matrices left = load(c, HLO_LEFT, &batch->a, a, count, m * k, &scratch);
  hlo_small_matrices right = load(c, HLO_RIGHT, &batch->b, b, count, k * n, &scratch);
  hlo_small_matrices to = batch->c.matrices;
  bool is_apart = batch->c.is_copied || batch->c.is_converted;
  to.first = is_apart ? take(&scratch, count * m * n, hlo_type_bytes(c->work_type)) : result;
  if (is_apart) to.step = m * n;
  if (hlo_type_is_complex(c->work_type)) {
    void *rows = take(&scratch, count * 2 * k * n, hlo_type_bytes(c->work_type));
    use.complex_rows(count, k, n, &right, rows);
    left = as_real(left);
    to = as_real(to);
    right = (hlo_small_matrices){rows, 2 * n, 1, 4 * k * n};
    n *= 2;
    k *= 2;
  } else if (batch->turns_b) {
    void *rows = take(&scratch, count * k * n, hlo_type_bytes(c->work_type));
    use.rows(count, k, n, &right, rows);
    right = (hlo_small_matrices){rows, n, 1, k * n};
  }
  use.multiply(count, m, n, k, &left, &right, &to);
  if (is_apart) store(c, &batch->c, to.first, result, count, scratch);
}

void hlo_small_batch_run(const hlo_small_batch *batch, const hlo_contraction *c, const void *a,
                         const void *b, void *result, int64_t first, int64_t count, void *scratch) {
  int64_t most = block_of(c), end = first + count;
  for (; first < end; first += most) {
    run_block(
        batch, c,
        (const char *)a + first * batch->a.matrices.step * hlo_type_bytes(c->types[HLO_LEFT]),
        (const char *)b + first * batch->b.matrices.step * hlo_type_bytes(c->types[HLO_RIGHT]),
        (char *)result + first * batch->c.matrices.step * hlo_type_bytes(c->types[HLO_PRODUCT]),
        end - first < most ? end - first : most, scratch);
  }
}
