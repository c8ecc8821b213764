// pow, cbrt, rsqrt, hypot and fmod of double: roots and powers, and the exact remainder.
#include "base/elementary.h"
#include "base/elementary_coefficients.h"
#include "base/elementary_cores.h"

static bool is_integer(double x) { return is_finite(x) && __builtin_trunc(x) == x; }

static bool is_odd_integer(double x) {
  return is_integer(x) && __builtin_fabs(x) < 0x1p53 && ((int64_t)x & 1) != 0;
}

// |x|^y for 0 < |x| < ∞, x ≠ ±1, y finite and not 0.
static double power_of_magnitude(double magnitude, double y) {
  bool grows = (magnitude > 1) == (y > 0);
  // Even the double next to 1 then leaves the range, and products below stay within it.
  if (__builtin_fabs(y) > 0x1p64) return grows ? DOUBLE_INFINITY : 0;
  bool is_subnormal = magnitude < 0x1p-1022;
  dd logarithm = hlo_log_dd((dd){is_subnormal ? magnitude * 0x1p54 : magnitude, 0});
  if (is_subnormal) logarithm = dd_add(logarithm, (dd){-54 * LN2_1, -54 * LN2_2});
  dd product = dd_multiply_double(logarithm, y);
  if (product.hi > 711) return DOUBLE_INFINITY;
  if (product.hi < -747) return 0;
  scaled_dd result = hlo_exp_dd(product);
  return scale_by_power(result.value.hi, result.exponent);
}

double hlo_pow_f64(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (is_nan(x) || is_nan(y)) return x + y;
  double magnitude = __builtin_fabs(x);
  if (is_infinite(y)) {
    if (magnitude == 1) return 1;
    return (magnitude > 1) == (y > 0) ? DOUBLE_INFINITY : 0;
  }
  bool is_odd = is_odd_integer(y), flips = is_negative(x) && is_odd;
  double result;
  if (x == 0 || is_infinite(x)) result = (x == 0) == (y > 0) ? 0 : DOUBLE_INFINITY;
  else if (x < 0 && !is_integer(y)) return DOUBLE_NAN;
  else result = magnitude == 1 ? 1 : power_of_magnitude(magnitude, y);
  return flips ? -result : result;
}

double hlo_cbrt_f64(double x) {
  if (x == 0 || !is_finite(x)) return x;
  double magnitude = __builtin_fabs(x);
  int shift = magnitude < 0x1p-1022 ? 54 : 0; // a multiple of 3
  if (shift != 0) magnitude *= 0x1p54;
  // magnitude = m · 2^(3 third) with 1 ≤ m < 8
  int exponent = (int)(bits_of_double(magnitude) >> 52) - 1023;
  int third = (exponent + 3072) / 3 - 1024;
  double m = magnitude * power_of_two(-third) * power_of_two(-2 * third);
  double root = POLYNOMIAL(CBRT, m), cube = root * root * root;
  root *= (cube + 2 * m) / (2 * cube + m); // Halley's step: 27 bits
  // m^⅓ = t (1 + e)^⅓ for t of 26 bits, whose cube two doubles hold, and e = m / t³ - 1
  double t = upper_half(root);
  dd exact_cube = two_product(t * t, t);
  double e = ((m - exact_cube.hi) - exact_cube.lo) / exact_cube.hi;
  double result = t + t * (e * (1.0 / 3) - e * e * (1.0 / 9));
  return __builtin_copysign(result * power_of_two(third - shift / 3), x);
}

double hlo_rsqrt_f64(double x) {
  if (!(x > 0)) return x == 0 ? __builtin_copysign(DOUBLE_INFINITY, x) : DOUBLE_NAN;
  if (is_infinite(x)) return 0;
  // Scaled by a power of 4, so that subnormal numbers have all bits and nothing under- or
  // overflows.
  double scale = x < 0x1p-900 ? 0x1p200 : x > 0x1p900 ? 0x1p-200 : 1;
  dd root = dd_sqrt((dd){x * scale * scale, 0});
  return dd_divide((dd){1, 0}, root).hi * scale;
}

double hlo_hypot_f64(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (is_infinite(a) || is_infinite(b)) return DOUBLE_INFINITY;
  if (is_nan(a) || is_nan(b)) return DOUBLE_NAN;
  double large = a > b ? a : b, small = a > b ? b : a;
  if (small == 0 || small < large * 0x1p-54) return large + small;
  double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-400 ? 0x1p600 : 1;
  large *= scale, small *= scale;
  dd sum = dd_add(two_product(large, large), two_product(small, small));
  return dd_sqrt(sum).hi * (scale > 1 ? 0x1p-600 : scale < 1 ? 0x1p600 : 1);
}

// mantissa · 2^exponent = x > 0 with the mantissa below 2^53.
static uint64_t mantissa_of(double x, int *exponent) {
  uint64_t bits = bits_of_double(x), mantissa = bits & (((uint64_t)1 << 52) - 1);
  int field = (int)(bits >> 52);
  *exponent = field == 0 ? -1074 : field - 1075;
  return field == 0 ? mantissa : mantissa | (uint64_t)1 << 52;
}

double hlo_fmod_f64(double x, double y) {
  double dividend = __builtin_fabs(x), divisor = __builtin_fabs(y);
  if (!(dividend < DOUBLE_INFINITY) || !(divisor > 0)) return DOUBLE_NAN;
  if (dividend < divisor) return x;
  int exponent, divisor_exponent;
  uint64_t rest = mantissa_of(dividend, &exponent),
           modulus = mantissa_of(divisor, &divisor_exponent);
  // The fewer bits the modulus has, the more of the quotient a step can take: rest · 2^step < 2^64.
  int zeros = __builtin_ctzll(modulus), gap = exponent - divisor_exponent;
  if (zeros > gap) zeros = gap;
  modulus >>= zeros, gap -= zeros;
  rest %= modulus;
  int step = __builtin_clzll(modulus);
  for (; gap >= step && rest != 0; gap -= step) rest = (rest << step) % modulus;
  if (rest != 0) rest = (rest << gap) % modulus;
  return __builtin_copysign(scale_by_power((double)rest, divisor_exponent + zeros), x);
}
