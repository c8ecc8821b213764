// Products of many small matrices, for one type of elements: the dispatch of a general GEMM takes
// longer than these. Four columns are a vector; up to four rows of the right matrix stay in
// vectors. Included once per file.
//
// The includer defines ELEMENT; MASK, an integer as large; MULTIPLY_ADD(a, b, sum) of four lanes;
// and NAME(x), the name of x for this type.
#include "kernels/product/small_products.h"

#include <stddef.h>
#include <string.h>

// Vectors that are wider than the host's do not cross calls: all that take some are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

enum { LANES = HLO_SMALL_VECTOR, ROWS = HLO_SMALL_VECTOR };

typedef ELEMENT vector __attribute__((vector_size(4 * sizeof(ELEMENT))));
typedef MASK mask __attribute__((vector_size(4 * sizeof(ELEMENT))));

// Matrices of an array, from the first one on.
typedef struct matrices {
  ELEMENT *first;
  ptrdiff_t row_stride, column_stride, step;
} matrices;

// The width is a constant, so that the copy is one or two instructions.
static inline __attribute__((always_inline)) vector load(const ELEMENT *from, int width) {
  vector out = {0};
  memcpy(&out, from, (size_t)width * sizeof *from);
  return out;
}
static inline __attribute__((always_inline)) void store(ELEMENT *to, vector value, int width) {
  memcpy(to, &value, (size_t)width * sizeof *to);
}
static inline __attribute__((always_inline)) vector splat(ELEMENT x) {
  return (vector){x, x, x, x};
}

// --- sums of at most four products, four columns ---

typedef void multiply_few(int64_t count, ptrdiff_t m, const matrices *a, const matrices *b,
                          const matrices *c);

#define ROW_0(width)  const vector b0 = load(right, width);
#define ROW_1(width)  const vector b1 = load(right + ldb, width);
#define ROW_2(width)  const vector b2 = load(right + 2 * ldb, width);
#define ROW_3(width)  const vector b3 = load(right + 3 * ldb, width);
#define ROWS_1(width) ROW_0(width)
#define ROWS_2(width) ROWS_1(width) ROW_1(width)
#define ROWS_3(width) ROWS_2(width) ROW_2(width)
#define ROWS_4(width) ROWS_3(width) ROW_3(width)
#define SUM_1         MULTIPLY_ADD(splat(row[0]), b0, (vector){0})
#define SUM_2         MULTIPLY_ADD(splat(row[across]), b1, SUM_1)
#define SUM_3         MULTIPLY_ADD(splat(row[2 * across]), b2, SUM_2)
#define SUM_4         MULTIPLY_ADD(splat(row[3 * across]), b3, SUM_3)

#define DEFINE_FEW(k, n)                                                                           \
  static void multiply_##k##_##n(int64_t count, ptrdiff_t m, const matrices *a, const matrices *b, \
                                 const matrices *c) {                                              \
    const ELEMENT *left = a->first, *right = b->first;                                             \
    ELEMENT *result = c->first;                                                                    \
    ptrdiff_t lda = a->row_stride, across = a->column_stride;                                      \
    ptrdiff_t ldb = b->row_stride, ldc = c->row_stride;                                            \
    for (; count > 0; count--, left += a->step, right += b->step, result += c->step) {             \
      const ELEMENT *row = left;                                                                   \
      ELEMENT *to = result;                                                                        \
      ROWS_##k(n) for (ptrdiff_t i = 0; i < m; i++, row += lda, to += ldc) store(to, SUM_##k, n);  \
    }                                                                                              \
  }
#define DEFINE_WIDTHS(k) DEFINE_FEW(k, 1) DEFINE_FEW(k, 2) DEFINE_FEW(k, 3) DEFINE_FEW(k, 4)
DEFINE_WIDTHS(2)
DEFINE_WIDTHS(3)
DEFINE_WIDTHS(4)

// --- any sizes ---

typedef void multiply_tile(ptrdiff_t k, const ELEMENT *a, ptrdiff_t lda, ptrdiff_t across,
                           const ELEMENT *b, ptrdiff_t ldb, ELEMENT *c, ptrdiff_t ldc);

#define DEFINE_TILE(rows, width)                                                                   \
  static void tile_##rows##x##width(ptrdiff_t k, const ELEMENT *a, ptrdiff_t lda,                  \
                                    ptrdiff_t across, const ELEMENT *b, ptrdiff_t ldb, ELEMENT *c, \
                                    ptrdiff_t ldc) {                                               \
    vector sums[rows] = {0};                                                                       \
    for (ptrdiff_t p = 0; p < k; p++, a += across, b += ldb) {                                     \
      vector x = load(b, width);                                                                   \
      _Pragma("unroll") for (int r = 0; r < rows; r++) sums[r] =                                   \
          MULTIPLY_ADD(splat(a[r * lda]), x, sums[r]);                                             \
    }                                                                                              \
    _Pragma("unroll") for (int r = 0; r < rows; r++) store(c + r * ldc, sums[r], width);           \
  }
#define DEFINE_TILES(rows)                                                                         \
  DEFINE_TILE(rows, 1) DEFINE_TILE(rows, 2) DEFINE_TILE(rows, 3) DEFINE_TILE(rows, 4)
DEFINE_TILES(1)
DEFINE_TILES(2)
DEFINE_TILES(3)
DEFINE_TILES(4)

static ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

// One product by tiles of up to four rows and columns. The last ones overlap those before.
static void multiply_tiles(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const matrices *a,
                           const matrices *b, const matrices *c) {
  static multiply_tile *const tiles[ROWS][LANES] = {
      {tile_1x1, tile_1x2, tile_1x3, tile_1x4},
      {tile_2x1, tile_2x2, tile_2x3, tile_2x4},
      {tile_3x1, tile_3x2, tile_3x3, tile_3x4},
      {tile_4x1, tile_4x2, tile_4x3, tile_4x4},
  };
  ptrdiff_t rows = smaller(m, ROWS), width = smaller(n, LANES);
  multiply_tile *tile = tiles[rows - 1][width - 1];
  for (ptrdiff_t row = 0; row < m; row += rows) {
    ptrdiff_t i = smaller(row, m - rows);
    for (ptrdiff_t column = 0; column < n; column += width) {
      ptrdiff_t j = smaller(column, n - width);
      tile(k, a->first + i * a->row_stride, a->row_stride, a->column_stride, b->first + j,
           b->row_stride, c->first + i * c->row_stride + j, c->row_stride);
    }
  }
}

// --- long rows times a vector ---

// Selects the lanes not covered by the whole vectors before.
static inline __attribute__((always_inline)) vector rest_of(const ELEMENT *from, mask lanes) {
  return (vector)((mask)load(from, LANES) & lanes);
}

// The horizontal sum of each vector.
static inline __attribute__((always_inline)) vector across(vector s0, vector s1, vector s2,
                                                           vector s3) {
  vector x = __builtin_shufflevector(s0, s1, 0, 4, 1, 5) +
             __builtin_shufflevector(s0, s1, 2, 6, 3, 7),
         y = __builtin_shufflevector(s2, s3, 0, 4, 1, 5) +
             __builtin_shufflevector(s2, s3, 2, 6, 3, 7);
  return __builtin_shufflevector(x, y, 0, 1, 4, 5) + __builtin_shufflevector(x, y, 2, 3, 6, 7);
}

// Matrix-vector product with contiguous rows longer than a SIMD vector, four rows at a time. The
// last four rows, and the last vector of a row, overlap the ones before.
static void multiply_vector(ptrdiff_t m, ptrdiff_t k, const ELEMENT *a, ptrdiff_t lda,
                            const ELEMENT *b, ELEMENT *c) {
  ptrdiff_t whole = k / LANES * LANES, last = k - LANES, new = whole + LANES - k;
  mask lanes = {new <= 0 ? -1 : 0, new <= 1 ? -1 : 0, new <= 2 ? -1 : 0, -1};
  vector rest = rest_of(b + last, lanes);
  for (ptrdiff_t row = 0; row < m; row += ROWS) {
    ptrdiff_t i = row < m - ROWS ? row : m - ROWS;
    const ELEMENT *at = a + i * lda;
    vector sum0 = {0}, sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (ptrdiff_t p = 0; p < whole; p += LANES) {
      vector x = load(b + p, LANES);
      sum0 = MULTIPLY_ADD(load(at + p, LANES), x, sum0);
      sum1 = MULTIPLY_ADD(load(at + lda + p, LANES), x, sum1);
      sum2 = MULTIPLY_ADD(load(at + 2 * lda + p, LANES), x, sum2);
      sum3 = MULTIPLY_ADD(load(at + 3 * lda + p, LANES), x, sum3);
    }
    if (whole < k) {
      sum0 = MULTIPLY_ADD(rest_of(at + last, lanes), rest, sum0);
      sum1 = MULTIPLY_ADD(rest_of(at + lda + last, lanes), rest, sum1);
      sum2 = MULTIPLY_ADD(rest_of(at + 2 * lda + last, lanes), rest, sum2);
      sum3 = MULTIPLY_ADD(rest_of(at + 3 * lda + last, lanes), rest, sum3);
    }
    store(c + i, across(sum0, sum1, sum2, sum3), LANES);
  }
}

static bool has_vectors(int64_t m, int64_t n, int64_t k, const matrices *a, const matrices *b,
                        const matrices *c) {
  return n == 1 && m >= ROWS && k > LANES && a->column_stride == 1 && b->row_stride == 1 &&
         c->row_stride == 1;
}

static matrices matrices_of(const hlo_small_matrices *x) {
  return (matrices){x->first, (ptrdiff_t)x->row_stride, (ptrdiff_t)x->column_stride,
                    (ptrdiff_t)x->step};
}

void NAME(hlo_small_products)(int64_t count, int64_t m, int64_t n, int64_t k,
                              const hlo_small_matrices *left, const hlo_small_matrices *right,
                              const hlo_small_matrices *result) {
  static multiply_few *const few[][LANES] = {
      {multiply_2_1, multiply_2_2, multiply_2_3, multiply_2_4},
      {multiply_3_1, multiply_3_2, multiply_3_3, multiply_3_4},
      {multiply_4_1, multiply_4_2, multiply_4_3, multiply_4_4},
  };
  matrices a = matrices_of(left), b = matrices_of(right), c = matrices_of(result);
  if (n <= LANES && k > 1 && k <= LANES) {
    few[k - 2][n - 1](count, (ptrdiff_t)m, &a, &b, &c);
    return;
  }
  bool by_vectors = has_vectors(m, n, k, &a, &b, &c);
  for (; count > 0; count--, a.first += a.step, b.first += b.step, c.first += c.step) {
    if (by_vectors)
      multiply_vector((ptrdiff_t)m, (ptrdiff_t)k, a.first, a.row_stride, b.first, c.first);
    else multiply_tiles((ptrdiff_t)m, (ptrdiff_t)n, (ptrdiff_t)k, &a, &b, &c);
  }
}

void NAME(hlo_small_rows)(int64_t count, int64_t rows, int64_t columns,
                          const hlo_small_matrices *from, void *out) {
  matrices x = matrices_of(from);
  for (ELEMENT *to = out; count > 0; count--, x.first += x.step) {
    for (int64_t i = 0; i < rows; i++) {
      const ELEMENT *at = x.first + i * x.row_stride;
      for (int64_t j = 0; j < columns; j++, at += x.column_stride) *to++ = *at;
    }
  }
}

void NAME(hlo_small_complex_rows)(int64_t count, int64_t rows, int64_t columns,
                                  const hlo_small_matrices *from, void *out) {
  matrices x = matrices_of(from);
  for (ELEMENT *to = out; count > 0; count--, x.first += 2 * x.step) {
    for (int64_t i = 0; i < rows; i++, to += 4 * columns) {
      const ELEMENT *at = x.first + 2 * i * x.row_stride;
      for (int64_t j = 0; j < columns; j++, at += 2 * x.column_stride) {
        to[2 * j] = at[0];
        to[2 * j + 1] = at[1];
        to[2 * (columns + j)] = -at[1];
        to[2 * (columns + j) + 1] = at[0];
      }
    }
  }
}
