// The natural logarithm in double-double, for the functions that are made of it.
// x = m · 2^k with m between √½ and √2, and log m = 2 atanh s for s = (m - 1) / (m + 1), a
// series in s²; s is carried in double-double, so that little more than the last rounding remains.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"

// k with x / 2^k between √½ and √2, for a normal x.
static int exponent_near(double x) {
  const uint64_t root_of_half = UINT64_C(0x3fe6a09e667f3bcd);
  return (int)((int64_t)(bits_of_double(x) - root_of_half) >> 52);
}

// f / (2 + f) for m = 1 + f.
static dd atanh_argument(dd f) {
  dd denominator = quick_two_sum(2, f.hi);
  return dd_divide(f, (dd){denominator.hi, denominator.lo + f.lo});
}

// k log 2 + 2 atanh s.
static dd combine(dd s, int k) {
  double square = s.hi * s.hi;
  dd sum = quick_two_sum(k * LN2_1, 2 * s.hi); // k log 2 is 0, or more than 2s
  return quick_two_sum(sum.hi,
                       sum.lo + (s.hi * square * POLYNOMIAL(LOG, square) + 2 * s.lo + k * LN2_2));
}

dd hlo_log_core(dd x, int exponent) {
  int k = exponent_near(x.hi);
  dd f = two_sum(scale_by_power(x.hi, -k) - 1, scale_by_power(x.lo, -k));
  return combine(atanh_argument(f), k + exponent);
}

dd hlo_log1p_core(dd x) {
  if (x.hi > -0.25 && x.hi < 0.4) return combine(atanh_argument(x), 0);
  return hlo_log_core(dd_add_double(x, 1), 0);
}

dd hlo_log_dd(dd x) {
  int k = exponent_near(x.hi);
  dd f = two_sum(scale_by_power(x.hi, -k) - 1, scale_by_power(x.lo, -k));
  dd s = dd_divide(f, dd_add_double(f, 2)), square = dd_multiply(s, s);
  // 2 (s + s³ (1/3 + s² (1/5 + s² P(s²)))) + k log 2
  dd sum = dd_add_double((dd){FIFTH_1, FIFTH_2}, square.hi * POLYNOMIAL(LOG_DD, square.hi));
  sum = dd_add((dd){THIRD_1, THIRD_2}, dd_multiply(square, sum));
  sum = dd_add(s, dd_multiply(dd_multiply(s, square), sum));
  sum = (dd){2 * sum.hi, 2 * sum.lo};
  return dd_add(quick_two_sum(k * LN2_1, k * LN2_2), sum);
}
