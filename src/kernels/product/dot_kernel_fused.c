// Matrix products of f32 by the host's fused multiply-add, in the order of dot_kernel.c and so with
// the same bits.
#include "kernels/product/dot_kernel.h"
#include "kernels/simd/multiply_add.h"

#include <string.h>

enum { LANES = 4, SIDE = 8 };

static inline hlo_f32x4 load(const float *from) {
  hlo_f32x4 x;
  memcpy(&x, from, sizeof x);
  return x;
}
static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline hlo_f32x4 alike(float x) { return (hlo_f32x4){x, x, x, x}; }

typedef void tile(intptr_t k, const float *a, intptr_t lda, const float *b, intptr_t ldb, float *c,
                  intptr_t ldc);

// A register tile of ROWS rows and VECTORS vectors of columns.
#define TILE(ROWS, VECTORS)                                                                        \
  static __attribute__((noinline)) void tile_##ROWS##x##VECTORS(                                   \
      intptr_t k, const float *a, intptr_t lda, const float *b, intptr_t ldb, float *c,            \
      intptr_t ldc) {                                                                              \
    hlo_f32x4 sums[ROWS][VECTORS] = {0};                                                           \
    _Pragma("clang loop unroll(disable)") for (intptr_t p = 0; p < k; p++, b += ldb) {             \
      _Pragma("unroll") for (int r = 0; r < ROWS; r++) {                                           \
        hlo_f32x4 x = alike(a[r * lda + p]);                                                       \
        _Pragma("unroll") for (int v = 0; v < VECTORS; v++) sums[r][v] =                           \
            hlo_multiply_add(x, load(b + v * LANES), sums[r][v]);                                  \
      }                                                                                            \
    }                                                                                              \
    _Pragma("unroll") for (int r = 0; r < ROWS; r++) {                                             \
      _Pragma("unroll") for (int v = 0; v < VECTORS; v++)                                          \
          memcpy(c + r * ldc + v * LANES, &sums[r][v], sizeof sums[r][v]);                         \
    }                                                                                              \
  }
TILE(4, 2)
TILE(4, 1)
TILE(1, 4)
TILE(1, 1)

// Edge tiles overlap their neighbours. Few rows are computed one by one, few columns by one vector.
static void multiply_columns(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
                             const float *b, int64_t ldb, float *c, int64_t ldc) {
  enum { ROWS = 4 };
  bool few = m < ROWS;
  int64_t wide = few ? 4 * LANES : 2 * LANES, width = n < wide ? LANES : wide;
  tile *const tiles[] = {few ? tile_1x1 : tile_4x1, few ? tile_1x4 : tile_4x2};
  for (int64_t row = 0; row < m; row += few ? 1 : ROWS) {
    int64_t i = smaller(row, few ? row : m - ROWS);
    for (int64_t column = 0; column < n; column += width) {
      int64_t j = smaller(column, n - width);
      tiles[width == wide]((intptr_t)k, a + i * lda, (intptr_t)lda, b + j, (intptr_t)ldb,
                           c + i * ldc + j, (intptr_t)ldc);
    }
  }
}

// Four rows' next four numbers, `apart` from each other, as columns, of which lanes are rows.
static inline __attribute__((always_inline)) void load_columns(const float *a, intptr_t apart,
                                                               hlo_f32x4 columns[LANES]) {
  hlo_f32x4 first = load(a), second = load(a + apart), third = load(a + 2 * apart),
            fourth = load(a + 3 * apart);
  hlo_f32x4 low = __builtin_shufflevector(first, third, 0, 4, 1, 5),
            other = __builtin_shufflevector(second, fourth, 0, 4, 1, 5),
            high = __builtin_shufflevector(first, third, 2, 6, 3, 7),
            last = __builtin_shufflevector(second, fourth, 2, 6, 3, 7);
  columns[0] = __builtin_shufflevector(low, other, 0, 4, 1, 5);
  columns[1] = __builtin_shufflevector(low, other, 2, 6, 3, 7);
  columns[2] = __builtin_shufflevector(high, last, 0, 4, 1, 5);
  columns[3] = __builtin_shufflevector(high, last, 2, 6, 3, 7);
}

// So many vectors of rows times a dense column: lanes are rows.
#define ROWS_BY_COLUMN(VECTORS)                                                                    \
  static __attribute__((noinline)) void rows_by_column_##VECTORS(                                  \
      intptr_t k, const float *a, intptr_t lda, const float *b, float *c) {                        \
    hlo_f32x4 sums[VECTORS] = {0}, columns[LANES];                                                 \
    intptr_t p = 0;                                                                                \
    for (; p + LANES <= k; p += LANES) {                                                           \
      _Pragma("unroll") for (int v = 0; v < VECTORS; v++) {                                        \
        load_columns(a + v * LANES * lda + p, lda, columns);                                       \
        _Pragma("unroll") for (int q = 0; q < LANES; q++) sums[v] =                                \
            hlo_multiply_add(columns[q], alike(b[p + q]), sums[v]);                                \
      }                                                                                            \
    }                                                                                              \
    _Pragma("clang loop unroll(disable)") for (; p < k; p++) {                                     \
      _Pragma("unroll") for (int v = 0; v < VECTORS; v++) {                                        \
        const float *x = a + v * LANES * lda + p;                                                  \
        hlo_f32x4 column = {x[0], x[lda], x[2 * lda], x[3 * lda]};                                 \
        sums[v] = hlo_multiply_add(column, alike(b[p]), sums[v]);                                  \
      }                                                                                            \
    }                                                                                              \
    memcpy(c, sums, sizeof sums);                                                                  \
  }
ROWS_BY_COLUMN(1)
ROWS_BY_COLUMN(2)

// One row times up to three columns, of which each has a lane: numbers of a column are ldb apart,
// and columns `apart`.
static __attribute__((noinline)) void row_by_few(intptr_t n, intptr_t k, const float *a,
                                                 const float *b, intptr_t ldb, intptr_t apart,
                                                 float *c) {
  hlo_f32x4 sum = alike(0);
  intptr_t second = n > 1 ? apart : 0, third = n > 2 ? 2 * apart : 0;
  for (intptr_t p = 0; p < k; p++, b += ldb)
    sum = hlo_multiply_add(alike(a[p]), (hlo_f32x4){b[0], b[second], b[third]}, sum);
  for (intptr_t j = 0; j < n; j++) c[j] = sum[j];
}

// At the lower edge some rows are computed twice. Fewer than four are columns of a product turned
// around.
static void multiply_column(int64_t m, int64_t k, const float *a, int64_t lda, const float *b,
                            float *c, int64_t ldc) {
  int64_t rows = m >= SIDE ? SIDE : m >= LANES ? LANES : m;
  for (int64_t row = 0; row < m; row += rows) {
    int64_t i = smaller(row, m - rows);
    const float *at = a + i * lda;
    float sums[SIDE];
    if (rows == SIDE) rows_by_column_2((intptr_t)k, at, (intptr_t)lda, b, sums);
    else if (rows == LANES) rows_by_column_1((intptr_t)k, at, (intptr_t)lda, b, sums);
    else row_by_few((intptr_t)m, (intptr_t)k, b, at, 1, (intptr_t)lda, sums);
    for (int64_t r = 0; r < rows; r++) c[(i + r) * ldc] = sums[r];
  }
}

bool hlo_dot_f32_fused(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
                       int64_t ldb, float *c, int64_t ldc) {
  if (!hlo_host_fuses()) return false;
  if (n == 1 && ldb == 1) {
    multiply_column(m, k, a, lda, b, c, ldc);
  } else if (n < LANES) {
    for (int64_t i = 0; i < m; i++)
      row_by_few((intptr_t)n, (intptr_t)k, a + i * lda, b, (intptr_t)ldb, 1, c + i * ldc);
  } else {
    multiply_columns(m, n, k, a, lda, b, ldb, c, ldc);
  }
  return true;
}
