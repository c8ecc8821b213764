// See dot_batches.h. The dispatch of a general GEMM takes longer than these products. Four columns
// are a vector; up to four rows of the right matrix stay in vectors.
#include "kernels/product/dot_batches.h"

#include "kernels/machine.h"
#include "kernels/simd/multiply_add.h"

#include <stddef.h>
#include <string.h>

enum { LANES = HLO_SMALL_VECTOR, ROWS = HLO_SMALL_VECTOR, MOST = HLO_SMALL_MOST, TOGETHER = 8 };

static bool describe_matrices(const hlo_contraction *c, int32_t array, int32_t rows,
                              int32_t columns, hlo_small_matrices *out) {
  return c->types[array] == HLO_F32 && hlo_contraction_is_even(c, HLO_BATCHES, array, &out->step) &&
         hlo_contraction_is_even(c, rows, array, &out->row_stride) &&
         hlo_contraction_is_even(c, columns, array, &out->column_stride);
}

static void swap_strides(hlo_small_matrices *matrices) {
  int64_t stride = matrices->row_stride;
  matrices->row_stride = matrices->column_stride;
  matrices->column_stride = stride;
}

// Recognises matrix-vector products; a vector on the left becomes one on the right by transposing:
// (xᵀ A)ᵀ = Aᵀ x. The matrix and the vectors must have unit stride along the sum.
static bool match_vectors(hlo_small_products *products) {
  if (products->k <= LANES || (products->m > 1 && products->n > 1)) return true;
  products->is_swapped = products->n > 1;
  if (products->is_swapped) {
    hlo_small_matrices left = products->a;
    products->a = products->b;
    products->b = left;
    products->m = products->n;
    products->n = 1;
    swap_strides(&products->a);
    swap_strides(&products->b);
    swap_strides(&products->c);
  }
  return products->a.column_stride == 1 && products->b.row_stride == 1 &&
         products->c.row_stride == 1;
}

bool hlo_small_products_match(const hlo_contraction *c, hlo_small_products *out) {
  out->m = c->m;
  out->n = c->n;
  out->k = c->k;
  out->is_swapped = false;
  return describe_matrices(c, HLO_LEFT, HLO_ROWS, HLO_TERMS, &out->a) &&
         describe_matrices(c, HLO_RIGHT, HLO_TERMS, HLO_COLUMNS, &out->b) &&
         describe_matrices(c, HLO_PRODUCT, HLO_ROWS, HLO_COLUMNS, &out->c) &&
         (out->c.column_stride == 1 || out->n == 1) && match_vectors(out);
}

// Matrices of an array, from the first one on.
typedef struct matrices {
  float *first;
  int64_t row_stride, column_stride, step;
} matrices;

// The width is a constant, so that the copy is one or two instructions.
static inline hlo_f32x4 load(const float *from, int width) {
  hlo_f32x4 out = {0};
  memcpy(&out, from, (size_t)width * sizeof *from);
  return out;
}
static inline void store(float *to, hlo_f32x4 value, int width) {
  memcpy(to, &value, (size_t)width * sizeof *to);
}
static inline hlo_f32x4 splat(float x) { return (hlo_f32x4){x, x, x, x}; }

typedef void multiply_few(int64_t count, int64_t m, const matrices *a, const matrices *b,
                          const matrices *c);

#define ROW_0(width)  const hlo_f32x4 b0 = load(right, width);
#define ROW_1(width)  const hlo_f32x4 b1 = load(right + ldb, width);
#define ROW_2(width)  const hlo_f32x4 b2 = load(right + 2 * ldb, width);
#define ROW_3(width)  const hlo_f32x4 b3 = load(right + 3 * ldb, width);
#define ROWS_1(width) ROW_0(width)
#define ROWS_2(width) ROWS_1(width) ROW_1(width)
#define ROWS_3(width) ROWS_2(width) ROW_2(width)
#define ROWS_4(width) ROWS_3(width) ROW_3(width)
#define SUM_1         hlo_multiply_add(splat(row[0]), b0, (hlo_f32x4){0})
#define SUM_2         hlo_multiply_add(splat(row[across]), b1, SUM_1)
#define SUM_3         hlo_multiply_add(splat(row[2 * across]), b2, SUM_2)
#define SUM_4         hlo_multiply_add(splat(row[3 * across]), b3, SUM_3)

#define DEFINE_FEW(k, n)                                                                           \
  static void multiply_##k##_##n(int64_t count, int64_t m, const matrices *a, const matrices *b,   \
                                 const matrices *c) {                                              \
    const float *left = a->first, *right = b->first;                                               \
    float *result = c->first;                                                                      \
    ptrdiff_t lda = (ptrdiff_t)a->row_stride, across = (ptrdiff_t)a->column_stride;                \
    ptrdiff_t ldb = (ptrdiff_t)b->row_stride, ldc = (ptrdiff_t)c->row_stride;                      \
    for (; count > 0; count--, left += a->step, right += b->step, result += c->step) {             \
      const float *row = left;                                                                     \
      float *to = result;                                                                          \
      ROWS_##k(n) for (ptrdiff_t i = 0; i < (ptrdiff_t)m; i++, row += lda, to += ldc)              \
          store(to, SUM_##k, n);                                                                   \
    }                                                                                              \
  }
#define DEFINE_WIDTHS(k) DEFINE_FEW(k, 1) DEFINE_FEW(k, 2) DEFINE_FEW(k, 3) DEFINE_FEW(k, 4)
DEFINE_WIDTHS(2)
DEFINE_WIDTHS(3)
DEFINE_WIDTHS(4)

// One product by tiles of four rows and one vector of columns, which m and n reach at least. The
// last tile overlaps the one before it.
static void multiply_tiles(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const matrices *a,
                           const matrices *b, const matrices *c) {
  ptrdiff_t lda = (ptrdiff_t)a->row_stride, across = (ptrdiff_t)a->column_stride;
  ptrdiff_t ldb = (ptrdiff_t)b->row_stride, ldc = (ptrdiff_t)c->row_stride;
  for (ptrdiff_t row = 0; row < m; row += ROWS) {
    ptrdiff_t i = row < m - ROWS ? row : m - ROWS;
    for (ptrdiff_t column = 0; column < n; column += LANES) {
      ptrdiff_t j = column < n - LANES ? column : n - LANES;
      const float *left = a->first + i * lda, *right = b->first + j;
      float *to = c->first + i * ldc + j;
      hlo_f32x4 sum0 = {0}, sum1 = sum0, sum2 = sum0, sum3 = sum0;
      for (ptrdiff_t p = 0; p < k; p++, left += across, right += ldb) {
        hlo_f32x4 x = load(right, LANES);
        sum0 = hlo_multiply_add(splat(left[0]), x, sum0);
        sum1 = hlo_multiply_add(splat(left[lda]), x, sum1);
        sum2 = hlo_multiply_add(splat(left[2 * lda]), x, sum2);
        sum3 = hlo_multiply_add(splat(left[3 * lda]), x, sum3);
      }
      store(to, sum0, LANES);
      store(to + ldc, sum1, LANES);
      store(to + 2 * ldc, sum2, LANES);
      store(to + 3 * ldc, sum3, LANES);
    }
  }
}

typedef int32_t mask __attribute__((vector_size(sizeof(hlo_f32x4))));

// Selects the lanes not covered by the whole vectors before.
static inline hlo_f32x4 rest_of(const float *from, mask lanes) {
  return (hlo_f32x4)((mask)load(from, LANES) & lanes);
}

// The horizontal sum of each vector.
static inline hlo_f32x4 across(hlo_f32x4 s0, hlo_f32x4 s1, hlo_f32x4 s2, hlo_f32x4 s3) {
  hlo_f32x4 x = __builtin_shufflevector(s0, s1, 0, 4, 1, 5) +
                __builtin_shufflevector(s0, s1, 2, 6, 3, 7),
            y = __builtin_shufflevector(s2, s3, 0, 4, 1, 5) +
                __builtin_shufflevector(s2, s3, 2, 6, 3, 7);
  return __builtin_shufflevector(x, y, 0, 1, 4, 5) + __builtin_shufflevector(x, y, 2, 3, 6, 7);
}

// Matrix-vector product with contiguous rows longer than a SIMD vector, four rows at a time. The
// last four rows, and the last vector of a row, overlap the ones before.
static void multiply_vector(ptrdiff_t m, ptrdiff_t k, const float *a, ptrdiff_t lda, const float *b,
                            float *c) {
  ptrdiff_t whole = k / LANES * LANES, last = k - LANES, new = whole + LANES - k;
  mask lanes = {new <= 0 ? -1 : 0, new <= 1 ? -1 : 0, new <= 2 ? -1 : 0, -1};
  hlo_f32x4 rest = rest_of(b + last, lanes);
  for (ptrdiff_t row = 0; row < m; row += ROWS) {
    ptrdiff_t i = row < m - ROWS ? row : m - ROWS;
    const float *at = a + i * lda;
    hlo_f32x4 sum0 = {0}, sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (ptrdiff_t p = 0; p < whole; p += LANES) {
      hlo_f32x4 x = load(b + p, LANES);
      sum0 = hlo_multiply_add(load(at + p, LANES), x, sum0);
      sum1 = hlo_multiply_add(load(at + lda + p, LANES), x, sum1);
      sum2 = hlo_multiply_add(load(at + 2 * lda + p, LANES), x, sum2);
      sum3 = hlo_multiply_add(load(at + 3 * lda + p, LANES), x, sum3);
    }
    if (whole < k) {
      sum0 = hlo_multiply_add(rest_of(at + last, lanes), rest, sum0);
      sum1 = hlo_multiply_add(rest_of(at + lda + last, lanes), rest, sum1);
      sum2 = hlo_multiply_add(rest_of(at + 2 * lda + last, lanes), rest, sum2);
      sum3 = hlo_multiply_add(rest_of(at + 3 * lda + last, lanes), rest, sum3);
    }
    store(c + i, across(sum0, sum1, sum2, sum3), LANES);
  }
}

static void move(matrices *some, int64_t count) { some->first += count * some->step; }

// Right matrices with contiguous rows.
static void multiply(int64_t count, int64_t m, int64_t n, int64_t k, matrices a, matrices b,
                     matrices c) {
  static multiply_few *const few[][LANES] = {
      {multiply_2_1, multiply_2_2, multiply_2_3, multiply_2_4},
      {multiply_3_1, multiply_3_2, multiply_3_3, multiply_3_4},
      {multiply_4_1, multiply_4_2, multiply_4_3, multiply_4_4},
  };
  if (n <= LANES && k <= LANES) {
    few[k - 2][n - 1](count, m, &a, &b, &c);
    return;
  }
  if (n == 1) {
    for (; count > 0; count--, a.first += a.step, b.first += b.step, c.first += c.step)
      multiply_vector((ptrdiff_t)m, (ptrdiff_t)k, a.first, (ptrdiff_t)a.row_stride, b.first,
                      c.first);
    return;
  }
  for (; count > 0; count--, move(&a, 1), move(&b, 1), move(&c, 1))
    multiply_tiles((ptrdiff_t)m, (ptrdiff_t)n, (ptrdiff_t)k, &a, &b, &c);
}

static void straighten(int64_t count, ptrdiff_t n, ptrdiff_t k, matrices b, float *to) {
  ptrdiff_t down = (ptrdiff_t)b.row_stride, across = (ptrdiff_t)b.column_stride;
  for (; count > 0; count--, move(&b, 1)) {
    for (ptrdiff_t p = 0; p < k; p++) {
      const float *from = b.first + p * down;
      for (ptrdiff_t j = 0; j < n; j++, from += across) *to++ = *from;
    }
  }
}

static matrices matrices_of(const hlo_small_matrices *x, const float *first, int64_t skipped) {
  return (matrices){(float *)first + skipped * x->step, x->row_stride, x->column_stride, x->step};
}

void hlo_small_products_run(const hlo_small_products *products, const void *lhs, const void *rhs,
                            void *result, int64_t first, int64_t count) {
  int64_t m = products->m, n = products->n, k = products->k;
  matrices a = matrices_of(&products->a, products->is_swapped ? rhs : lhs, first);
  matrices b = matrices_of(&products->b, products->is_swapped ? lhs : rhs, first);
  matrices c = matrices_of(&products->c, result, first);
  if (n == 1 || b.column_stride == 1) {
    multiply(count, m, n, k, a, b, c);
    return;
  }
  float straight[TOGETHER * MOST * MOST];
  const matrices right = {straight, n, 1, n * k};
  for (int64_t some; count > 0; count -= some) {
    some = count < TOGETHER ? count : TOGETHER;
    straighten(some, (ptrdiff_t)n, (ptrdiff_t)k, b, straight);
    multiply(some, m, n, k, a, right, c);
    move(&a, some);
    move(&b, some);
    move(&c, some);
  }
}
