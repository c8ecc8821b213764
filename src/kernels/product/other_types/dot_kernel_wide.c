// Matrix products of f64 and of 64-bit integers, portable: see dot_kernel.c.
#include "kernels/product/dot_tiles.h"

#include "math/elementary/double_double.h"

#define ADD_PRODUCT_F64(sum, a, b) (sum) = fused_multiply_add(a, b, sum)
#define ITSELF(sum)                (sum)

// a * b + c with one rounding, if no intermediate leaves the normal range. The error term of the
// sum is rounded to odd before it is added, so that the last rounding sees on which side of a tie
// it is (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
static inline double fused_multiply_add(double a, double b, double c) {
  dd product = two_product(a, b), low = two_sum(c, product.lo), high = two_sum(product.hi, low.hi);
  dd rest = two_sum(low.lo, high.lo);
  uint64_t bits = bits_of_double(rest.hi);
  bool inexact = rest.lo != 0, even = (bits & 1) == 0, away = (rest.lo > 0) == (rest.hi > 0);
  double odd = double_of_bits(inexact && even ? (away ? bits + 1 : bits - 1) : bits);
  double sum = high.hi + odd;
  return is_finite(sum) ? sum : a * b + c;
}

DEFINE_KERNEL(f64, double, double, ADD_PRODUCT_F64, ITSELF)
DEFINE_KERNEL(u64, uint64_t, uint64_t, ADD_PRODUCT, ITSELF)

void hlo_dot_f64(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                 int64_t ldb, void *c, int64_t ldc) {
  dot_f64(m, n, k, a, lda, b, ldb, c, ldc);
}

void hlo_dot_u64(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                 int64_t ldb, void *c, int64_t ldc) {
  dot_u64(m, n, k, a, lda, b, ldb, c, ldc);
}
