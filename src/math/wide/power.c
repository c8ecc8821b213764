// cbrt and hypot of double.
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
