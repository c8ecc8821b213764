// fmod of float and double: the exact remainder.
#include "math/elementary.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

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

float hlo_fmod_f32(float x, float y) {
  double dividend = __builtin_fabs((double)x), divisor = __builtin_fabs((double)y);
  double quotient = __builtin_trunc(dividend / divisor);
  if (!(quotient < 0x1p29)) return (float)hlo_fmod_f64(x, y); // also NaN
  // The product of 24 and 29 bits is exact; the quotient may be one too large, when it was rounded
  // up to an integer.
  double rest = divisor < DOUBLE_INFINITY ? dividend - quotient * divisor : dividend;
  rest = rest < 0 ? rest + divisor : rest;
  return (float)__builtin_copysign(rest, x);
}
