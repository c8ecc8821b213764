// cbrt, hypot and fmod of double: roots, and the exact remainder.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

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

double hlo_hypot_f64(double x, double y) { return one_hypot_f64(0, x, y); }

// mantissa · 2^exponent = x > 0 with the mantissa below 2^53.
static uint64_t mantissa_of(double x, int *exponent) {
  uint64_t bits = bits_of_double(x), mantissa = bits & (((uint64_t)1 << 52) - 1);
  int field = (int)(bits >> 52);
  *exponent = field == 0 ? -1074 : field - 1075;
  return field == 0 ? mantissa : mantissa | (uint64_t)1 << 52;
}

double hlo_fmod_f64(double x, double y) {
  if (is_nan(x) || is_nan(y)) return is_nan(x) ? x : y;
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
