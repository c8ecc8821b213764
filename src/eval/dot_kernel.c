// Matrix products, portable. Sums of floats run over ascending k, one product at a time. Must not
// know about views.
#include "eval/dot_kernel.h"

#include "base/complex.h"

enum { ROWS = 4, COLUMNS = 64 }; // of results in a tile, whose sums stay in registers and cache

#define ADD_PRODUCT(sum, a, b) (sum) += (a) * (b)
#define ADD_COMPLEX_PRODUCT(sum, a, b)                                                             \
  (sum).re += (a).re * (b).re - (a).im * (b).im, (sum).im += (a).re * (b).im + (a).im * (b).re

// Tiles of ROWS x COLUMNS; at the lower edge the last row is computed more than once, into sums
// that nobody stores.
#define DEFINE_KERNEL(suffix, type, zero, add_product)                                             \
  static void tile_##suffix(int64_t rows, int64_t n, int64_t k, const type *a, int64_t lda,        \
                            const type *b, int64_t ldb, type *c, int64_t ldc) {                    \
    type sums[ROWS][COLUMNS];                                                                      \
    const type *a0 = a, *a1 = a + (rows > 1 ? lda : 0), *a2 = a + (rows > 2 ? 2 * lda : 0),        \
               *a3 = a + (rows > 3 ? 3 * lda : 0);                                                 \
    for (int i = 0; i < ROWS; i++) {                                                               \
      for (int64_t j = 0; j < n; j++) sums[i][j] = zero;                                           \
    }                                                                                              \
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
      for (int64_t j = 0; j < n; j++) c[i * ldc + j] = sums[i][j];                                 \
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

DEFINE_KERNEL(f32, float, 0, ADD_PRODUCT)
DEFINE_KERNEL(f64, double, 0, ADD_PRODUCT)
DEFINE_KERNEL(u32, uint32_t, 0, ADD_PRODUCT)
DEFINE_KERNEL(u64, uint64_t, 0, ADD_PRODUCT)
DEFINE_KERNEL(c64, hlo_c64, ((hlo_c64){0, 0}), ADD_COMPLEX_PRODUCT)
DEFINE_KERNEL(c128, hlo_c128, ((hlo_c128){0, 0}), ADD_COMPLEX_PRODUCT)

hlo_type hlo_dot_work_type(hlo_type lhs, hlo_type rhs, hlo_type result) {
  const hlo_type types[3] = {lhs, rhs, result};
  bool is_complex = false, is_float = false, is_wide = false;
  for (int i = 0; i < 3; i++) {
    is_complex = is_complex || hlo_type_is_complex(types[i]);
    is_float = is_float || hlo_type_is_float(types[i]);
    is_wide = is_wide || types[i] == HLO_F64 || types[i] == HLO_C128;
  }
  if (is_complex) return is_wide ? HLO_C128 : HLO_C64;
  if (is_float) return is_wide ? HLO_F64 : HLO_F32;
  return hlo_type_bits(result) == 64 ? HLO_U64 : HLO_U32;
}

hlo_dot_kernel *hlo_dot_kernel_get(hlo_type work_type) {
  switch (work_type) {
  case HLO_F32:
    return dot_f32;
  case HLO_F64:
    return dot_f64;
  case HLO_U32:
    return dot_u32;
  case HLO_U64:
    return dot_u64;
  case HLO_C64:
    return dot_c64;
  case HLO_C128:
    return dot_c128;
  default:
    return NULL;
  }
}
