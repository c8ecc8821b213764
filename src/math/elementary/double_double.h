// Numbers of about 106 bits as unevaluated sums of two doubles: the tools of this folder. Needs
// round-to-nearest without contraction (-ffp-contract=off); uses no fma.
//
// Sources: T. J. Dekker, "A floating-point technique for extending the available precision", 1971;
// D. E. Knuth, The Art of Computer Programming, vol. 2, 4.2.2 (two_sum); M. Joldes, J.-M. Muller,
// V. Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
// arithmetic", 2017.
#ifndef HLO_MATH_ELEMENTARY_DOUBLE_DOUBLE_H
#define HLO_MATH_ELEMENTARY_DOUBLE_DOUBLE_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

// The value hi + lo. Normalised (as all results here are unless said otherwise): hi = hi + lo
// rounded to double.
typedef struct dd {
  double hi, lo;
} dd;

#define DOUBLE_INFINITY double_of_bits(UINT64_C(0x7ff0000000000000))
#define DOUBLE_NAN      double_of_bits(UINT64_C(0x7ff8000000000000))

static inline bool is_nan(double x) { return x != x; }
static inline bool is_finite(double x) { return __builtin_fabs(x) <= 0x1.fffffffffffffp1023; }
static inline bool is_infinite(double x) { return __builtin_fabs(x) > 0x1.fffffffffffffp1023; }
static inline bool is_negative(double x) { return bits_of_double(x) >> 63 != 0; } // -0 too

// 2^exponent, -1022 ≤ exponent ≤ 1023; of others only that nothing traps.
static inline double power_of_two(int exponent) {
  return double_of_bits((uint64_t)(int64_t)(exponent + 1023) << 52);
}

// x · 2^exponent with one rounding if x is normal and about 1; |exponent| ≤ 2044.
static inline double scale_by_power(double x, int exponent) {
  int half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

// The nearest integer, ties to even, for |x| < 2^51.
static inline double round_to_integer(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

// c[0] + c[1] x + … + c[count - 1] x^(count - 1).
static inline double polynomial(const double *c, int count, double x) {
  double y = c[count - 1];
  for (int i = count - 2; i >= 0; i--) y = y * x + c[i];
  return y;
}

// polynomial() over a whole constant array.
#define POLYNOMIAL(c, x) polynomial(c, (int)(sizeof(c) / sizeof((c)[0])), x)

// a + b exactly, if |a| ≥ |b| or a is 0.
static inline dd quick_two_sum(double a, double b) {
  double sum = a + b;
  return (dd){sum, b - (sum - a)};
}

// a + b exactly.
static inline dd two_sum(double a, double b) {
  double sum = a + b, b_part = sum - a;
  return (dd){sum, (a - (sum - b_part)) + (b - b_part)};
}

// The upper 26 bits of x, rounded; x minus that is exact and has 26 bits. |x| < 2^996.
static inline double upper_half(double x) {
  double scaled = x * 0x1.0000002p27; // 2^27 + 1
  return scaled - (scaled - x);
}

// a · b exactly, if nothing overflows or falls below 2^-969.
static inline dd two_product(double a, double b) {
  double product = a * b;
  double a_hi = upper_half(a), a_lo = a - a_hi, b_hi = upper_half(b), b_lo = b - b_hi;
  return (dd){product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

static inline dd dd_negate(dd a) { return (dd){-a.hi, -a.lo}; }

// The sums lose nothing to cancellation of the high parts; relative error about 2^-104 for equal
// signs.
static inline dd dd_add(dd a, dd b) {
  dd high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
  high = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(high.hi, high.lo + low.lo);
}

static inline dd dd_add_double(dd a, double b) {
  dd sum = two_sum(a.hi, b);
  return quick_two_sum(sum.hi, sum.lo + a.lo);
}

static inline dd dd_multiply(dd a, dd b) {
  dd product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline dd dd_multiply_double(dd a, double b) {
  dd product = two_product(a.hi, b);
  return quick_two_sum(product.hi, product.lo + a.lo * b);
}

// a / b, relative error about 2^-103.
static inline dd dd_divide(dd a, dd b) {
  double quotient = a.hi / b.hi;
  dd product = two_product(quotient, b.hi);
  double rest = ((a.hi - product.hi) - product.lo) + (a.lo - quotient * b.lo);
  return quick_two_sum(quotient, rest / b.hi);
}

// The square root of a ≥ 0, relative error about 2^-103.
static inline dd dd_sqrt(dd a) {
  double root = __builtin_sqrt(a.hi);
  if (root == 0) return (dd){root, 0};
  dd square = two_product(root, root);
  double rest = ((a.hi - square.hi) - square.lo) + a.lo;
  return quick_two_sum(root, rest / (root + root));
}

#endif
