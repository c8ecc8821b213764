// Products of c128: of two numbers the first of a loop's, so that both have the same bits.
#include "math/complex/four_complex.h"

static inline parts four_mul(unknown_zero c, parts x, parts y) {
  parts value;
  wide_multiply_complex(c, x.re, x.im, y.re, y.im, &value.re, &value.im);
  return value;
}
void hlo_mul_c128_loop(hlo_c128 *r, const hlo_c128 *x, const hlo_c128 *y, int64_t n) {
  fours(four_mul, r, x, y, n);
}

hlo_c128 hlo_mul_c128(hlo_c128 a, hlo_c128 b) {
  hlo_mul_c128_loop(&a, &a, &b, 1);
  return a;
}
