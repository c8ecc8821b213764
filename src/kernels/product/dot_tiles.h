// Register-tiled loop of the portable matrix products: a template for all types.
#ifndef HLO_KERNELS_PRODUCT_DOT_TILES_H
#define HLO_KERNELS_PRODUCT_DOT_TILES_H

#include "kernels/product/dot_kernel.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 64 }; // of results in a tile, whose sums stay in registers and cache

#define ADD_PRODUCT(sum, a, b) (sum) += (a) * (b)

// dot_<suffix>, by tiles of ROWS x COLUMNS. A tile with fewer rows repeats its first row and
// discards the copies.
#define DEFINE_KERNEL(suffix, type, sum_type, add_product, value)                                  \
  static void tile_##suffix(int64_t rows, int64_t n, int64_t k, const type *a, int64_t lda,        \
                            const type *b, int64_t ldb, type *c, int64_t ldc) {                    \
    sum_type sums[ROWS][COLUMNS];                                                                  \
    const type *a0 = a, *a1 = a + (rows > 1 ? lda : 0), *a2 = a + (rows > 2 ? 2 * lda : 0),        \
               *a3 = a + (rows > 3 ? 3 * lda : 0);                                                 \
    for (int i = 0; i < ROWS; i++) memset(sums[i], 0, (size_t)n * sizeof sums[i][0]);              \
    for (int64_t p = 0; p < k; p++) {                                                              \
      const type *row = b + p * ldb;                                                               \
      type x0 = a0[p], x1 = a1[p], x2 = a2[p], x3 = a3[p];                                         \
      for (int64_t j = 0; j < n; j++) {                                                            \
        type y = row[j];                                                                           \
        add_product(sums[0][j], x0, y);                                                            \
        add_product(sums[1][j], x1, y);                                                            \
        add_product(sums[2][j], x2, y);                                                            \
        add_product(sums[3][j], x3, y);                                                            \
      }                                                                                            \
    }                                                                                              \
    for (int64_t i = 0; i < rows; i++) {                                                           \
      for (int64_t j = 0; j < n; j++) c[i * ldc + j] = value(sums[i][j]);                          \
    }                                                                                              \
  }                                                                                                \
  static void dot_##suffix(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,            \
                           const void *b, int64_t ldb, void *c, int64_t ldc) {                     \
    for (int64_t i = 0; i < m; i += ROWS) {                                                        \
      int64_t rows = m - i < ROWS ? m - i : ROWS;                                                  \
      const type *a_rows = (const type *)a + i * lda;                                              \
      type *c_rows = (type *)c + i * ldc;                                                          \
      for (int64_t j = 0; j < n; j += COLUMNS) {                                                   \
        int64_t columns = n - j < COLUMNS ? n - j : COLUMNS;                                       \
        tile_##suffix(rows, columns, k, a_rows, lda, (const type *)b + j, ldb, c_rows + j, ldc);   \
      }                                                                                            \
    }                                                                                              \
  }

#endif
