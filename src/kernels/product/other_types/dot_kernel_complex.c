// Portable matrix products of complex numbers. The four real products of the components are summed
// separately, except for a single row (or a single column of c64), which follows the order in which
// XLA's CPU backend sums small products.
#include "kernels/product/dot_tiles.h"

#include "math/complex.h"

typedef struct sum_c64 {
  float rr, ii, ri, ir;
} sum_c64;
typedef struct sum_c128 {
  double rr, ii, ri, ir;
} sum_c128;

#define ADD_COMPLEX_PRODUCT(sum, a, b)                                                             \
  (sum).rr += (a).re * (b).re, (sum).ii += (a).im * (b).im, (sum).ri += (a).re * (b).im,           \
      (sum).ir += (a).im * (b).re
#define ADD_WHOLE_PRODUCT(sum, a, b)                                                               \
  (sum).rr += (a).re * (b).re - (a).im * (b).im, (sum).ri += (a).re * (b).im + (a).im * (b).re
#define AS_C64(sum)                                                                                \
  (hlo_c64) { (sum).rr - (sum).ii, (sum).ri + (sum).ir }
#define AS_C128(sum)                                                                               \
  (hlo_c128) { (sum).rr - (sum).ii, (sum).ri + (sum).ir }

DEFINE_KERNEL(c64_parts, hlo_c64, sum_c64, ADD_COMPLEX_PRODUCT, AS_C64)
DEFINE_KERNEL(c64_whole, hlo_c64, sum_c64, ADD_WHOLE_PRODUCT, AS_C64)
DEFINE_KERNEL(c128_parts, hlo_c128, sum_c128, ADD_COMPLEX_PRODUCT, AS_C128)
DEFINE_KERNEL(c128_whole, hlo_c128, sum_c128, ADD_WHOLE_PRODUCT, AS_C128)

void hlo_dot_c64(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                 int64_t ldb, void *c, int64_t ldc) {
  (m == 1 || n == 1 ? dot_c64_whole : dot_c64_parts)(m, n, k, a, lda, b, ldb, c, ldc);
}
void hlo_dot_c128(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                  int64_t ldb, void *c, int64_t ldc) {
  (m == 1 ? dot_c128_whole : dot_c128_parts)(m, n, k, a, lda, b, ldb, c, ldc);
}
