// The modified Bessel function of order 1, scaled: e^-|x| I₁(x). As e^-x I₁(x) / x varies slowly, a
// polynomial near 0, a table of short ones up to 32, then the asymptotic form (Abramowitz and
// Stegun, 9.7.1).
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"

// e^-x I₁(x) / x for 1/4 ≤ x < 32.
static dd ratio(double x) {
  // The exponent (1/4 gives 0) and two bits of the mantissa are the piece; its centre has a one and
  // zeros below.
  uint64_t bits = bits_of_double(x);
  int piece = (int)((bits >> 50) - (UINT64_C(0x3fd) << 2));
  double centre = double_of_bits((bits >> 50 << 50) | (uint64_t)1 << 49), d = x - centre;
  const double *row = BESSEL_I1E[piece];
  enum { COUNT = sizeof BESSEL_I1E[0] / sizeof BESSEL_I1E[0][0] - 2 };
  dd sum = quick_two_sum(row[0], d * polynomial(row + 2, COUNT, d));
  return (dd){sum.hi, sum.lo + row[1]};
}

// e^-x I₁(x) = (1 + P(1/x) / x) / √(2πx) for finite x ≥ 32.
static double tail(double x) {
  dd leading = dd_divide((dd){ONE_OVER_ROOT_TWO_PI_1, ONE_OVER_ROOT_TWO_PI_2}, dd_sqrt((dd){x, 0}));
  double z = 1 / x;
  return leading.hi + (leading.lo + leading.hi * (z * POLYNOMIAL(BESSEL_I1E_TAIL, z)));
}

double hlo_bessel_i1e_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (is_nan(x)) return x;
  if (is_infinite(x)) return __builtin_copysign(0, x);
  if (magnitude < 0x1p-60) return 0.5 * x;
  if (magnitude > 0x1p900) // the square of the root would overflow
    return __builtin_copysign(tail(magnitude * 0x1p-200) * 0x1p-100, x);
  if (magnitude >= 32) return __builtin_copysign(tail(magnitude), x);
  if (magnitude >= 0.25) return dd_multiply_double(ratio(magnitude), x).hi;
  dd near = quick_two_sum(0.5, magnitude * POLYNOMIAL(BESSEL_I1E_NEAR, magnitude));
  return dd_multiply_double(near, x).hi;
}
