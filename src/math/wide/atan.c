// atan2, asin and acos of double. All angles are a multiple of π/4 plus or minus a small arc
// whose tangent (sine) is carried in double-double, so that little more than the last rounding
// remains.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

// quarters · π/4, where quarters is 0 to 4.
static dd quarter_turns(int quarters) {
  return (dd){quarters * (0.5 * HALF_PI_DD_1), quarters * (0.5 * HALF_PI_DD_2)};
}

// quarters · π/4 + sign · factor · asin s for |s| ≤ 1/2.
static double add_arc_of_sine(int quarters, double factor, dd s) {
  dd base = quarter_turns(quarters);
  double square = s.hi * s.hi;
  double tail = s.hi * square * POLYNOMIAL(ASIN, square) + s.lo * (1 + 0.5 * square);
  dd sum = two_sum(base.hi, factor * s.hi);
  return sum.hi + (sum.lo + (base.lo + factor * tail));
}

dd hlo_angle_core(dd y, dd x) {
  double low, high = one_angle(0, y.hi, y.lo, x.hi, x.lo, &low);
  return (dd){high, low};
}

// atan2 where one of the arguments is zero, infinite or NaN.
static double atan2_special(double y, double x) {
  if (is_nan(x) || is_nan(y)) return x + y;
  int quarters; // of the angle in the upper half plane
  bool is_left = is_negative(x);
  if (is_infinite(x) && is_infinite(y)) quarters = is_left ? 3 : 1;
  else if (y == 0 || is_infinite(x)) quarters = is_left ? 4 : 0;
  else quarters = 2;
  return __builtin_copysign(quarter_turns(quarters).hi, y);
}

// A positive finite x as m · 2^exponent with 1 ≤ m < 2.
static double split_exponent(double x, int *exponent) {
  int shift = x < 0x1p-1022 ? 54 : 0;
  uint64_t bits = bits_of_double(shift != 0 ? x * 0x1p54 : x);
  *exponent = (int)(bits >> 52) - 1023 - shift;
  return double_of_bits((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52);
}

double hlo_atan2_f64(double y, double x) {
  double height = __builtin_fabs(y), width = __builtin_fabs(x);
  if (one_pair_in_range(0, height, width)) return one_atan2_f64(0, y, x);
  if (!(height > 0 && width > 0 && is_finite(height) && is_finite(width)))
    return atan2_special(y, x);
  int height_exponent, width_exponent;
  height = split_exponent(height, &height_exponent), width = split_exponent(width, &width_exponent);
  int gap = height_exponent - width_exponent;
  if (gap > 64) return __builtin_copysign(quarter_turns(2).hi, y);
  if (gap < -64) return x > 0 ? y / x : __builtin_copysign(quarter_turns(4).hi, y);
  dd angle = hlo_angle_core((dd){height * power_of_two(gap), 0}, (dd){width, 0});
  if (x < 0) angle = dd_add(quarter_turns(4), dd_negate(angle));
  return __builtin_copysign(angle.hi, y);
}

// √((1 - magnitude) / 2), the sine of half the angle whose cosine is magnitude.
static dd half_angle_sine(double magnitude) { return dd_sqrt((dd){0.5 * (1 - magnitude), 0}); }

double hlo_asin_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (magnitude < 0x1p-27 || is_nan(x)) return x;
  if (magnitude > 1) return DOUBLE_NAN;
  if (magnitude <= 0.5) return add_arc_of_sine(0, 1, (dd){x, 0});
  return __builtin_copysign(add_arc_of_sine(2, -2, half_angle_sine(magnitude)), x);
}

double hlo_acos_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (!(magnitude <= 1)) return DOUBLE_NAN;
  if (magnitude <= 0.5) return add_arc_of_sine(2, -1, (dd){x, 0});
  dd sine = half_angle_sine(magnitude);
  return x > 0 ? add_arc_of_sine(0, 2, sine) : add_arc_of_sine(4, -2, sine);
}
