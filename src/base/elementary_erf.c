// erf, erfc and the inverse of erf of double. Near 0 a polynomial; further out erfc x = e^(-x²) ·
// erfcx x, where erfcx varies slowly: a table of short polynomials up to 8, then its asymptotic
// form. Products that matter are in double-double.
#include "base/elementary.h"
#include "base/elementary_coefficients.h"
#include "base/elementary_cores.h"

// x (2/√π + x² P(x²)) for |x| ≤ 1/2, not normalised.
static dd erf_near_zero(double x) {
  double square = x * x;
  dd leading = two_product(x, TWO_OVER_ROOT_PI_1);
  return (dd){leading.hi,
              leading.lo + (x * TWO_OVER_ROOT_PI_2 + x * square * POLYNOMIAL(ERF, square))};
}

// erfcx x = e^(x²) erfc x for x ≥ 1/2.
static dd erfcx(double x) {
  if (x >= 8) {
    dd inverse = dd_divide((dd){ONE_OVER_ROOT_PI_1, ONE_OVER_ROOT_PI_2}, (dd){x, 0});
    double z = 1 / (x * x);
    return quick_two_sum(inverse.hi, inverse.lo + inverse.hi * (z * POLYNOMIAL(ERFCX_TAIL, z)));
  }
  // The exponent (1/2 gives 0) and two bits of the mantissa are the piece; its centre has a one and
  // zeros below.
  uint64_t bits = bits_of_double(x);
  int piece = (int)((bits >> 50) - (UINT64_C(0x3fe) << 2));
  double centre = double_of_bits((bits >> 50 << 50) | (uint64_t)1 << 49), d = x - centre;
  const double *row = ERFCX[piece];
  enum { COUNT = sizeof ERFCX[0] / sizeof ERFCX[0][0] - 2 };
  dd sum = quick_two_sum(row[0], d * polynomial(row + 2, COUNT, d));
  return (dd){sum.hi, sum.lo + row[1]};
}

// erfc x for 1/2 ≤ x < 28, not yet multiplied by the power of two.
static scaled_dd erfc_far(double x) {
  dd square = two_product(x, x);
  scaled_dd e = hlo_exp_core(dd_negate(square));
  return (scaled_dd){dd_multiply(erfcx(x), quick_two_sum(e.value.hi, e.value.lo)), e.exponent};
}

double hlo_erf_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (!(magnitude > 0)) return x;
  if (magnitude < 0x1p-900) { // where products would lose bits
    double scaled = x * 0x1p200;
    return (scaled * TWO_OVER_ROOT_PI_1 + scaled * TWO_OVER_ROOT_PI_2) * 0x1p-200;
  }
  if (magnitude < 0.5) {
    dd sum = erf_near_zero(x);
    return sum.hi + sum.lo;
  }
  if (magnitude > 6) return __builtin_copysign(1, x);
  scaled_dd rest = erfc_far(magnitude);
  double power = power_of_two(rest.exponent);
  dd sum = quick_two_sum(1, -rest.value.hi * power);
  return __builtin_copysign(sum.hi + (sum.lo - rest.value.lo * power), x);
}

double hlo_erfc_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (is_nan(x)) return x;
  if (magnitude < 0.5) {
    dd small = magnitude < 0x1p-900 ? (dd){0, 0} : erf_near_zero(x),
       sum = quick_two_sum(1, -small.hi);
    return sum.hi + (sum.lo - small.lo);
  }
  if (magnitude > 27.5) return x < 0 ? 2 : 0;
  scaled_dd far = erfc_far(magnitude);
  if (x > 0) return scale_by_power(far.value.hi, far.exponent);
  double power = power_of_two(far.exponent < -200 ? -200 : far.exponent);
  dd sum = quick_two_sum(2, -far.value.hi * power);
  return sum.hi + (sum.lo - far.value.lo * power);
}

// erf y - x for y near the inverse of erf, both ≥ 0, without loss to cancellation.
static double erf_residual(double y, double x) {
  if (y < 0.5) {
    dd sum = erf_near_zero(y);
    return (sum.hi - x) + sum.lo;
  }
  scaled_dd rest = erfc_far(y);
  double power = power_of_two(rest.exponent);
  return ((1 - x) - rest.value.hi * power) - rest.value.lo * power;
}

// One step of Newton's method from the value for float, which has 33 bits.
double hlo_erf_inv_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (!(magnitude < 1)) return magnitude == 1 ? __builtin_copysign(DOUBLE_INFINITY, x) : DOUBLE_NAN;
  if (x == 0) return x;
  if (magnitude < 0x1p-30) // the next term of the series is x³
    return dd_multiply_double((dd){HALF_ROOT_PI_1, HALF_ROOT_PI_2}, x * 0x1p200).hi * 0x1p-200;
  double y = hlo_erf_inv_start(magnitude);
  double slope = TWO_OVER_ROOT_PI_1 * hlo_exp_f64(-y * y);
  return __builtin_copysign(y - erf_residual(y, magnitude) / slope, x);
}
