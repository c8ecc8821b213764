// The rarer float functions of elementary.h: wide_math_template.h for one number, rounded once;
// what is left of functions that it does not make for all arguments; the zeta functions; and
// functions rare enough to be taken from double.
#include "math/elementary.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"
#include "math/vector_math.h"

#define FROM_TEMPLATE(id, name)                                                                    \
  float hlo_##name##_f32(float x) { return (float)one_##name(0, x); }

HLO_WIDE_FUNCTIONS(FROM_TEMPLATE)

float hlo_atan2_f32(float y, float x) { return (float)one_atan2(0, y, x); }

// Of floats that the template leaves out; see vector_math.h.
#define OTHERS_FROM_DOUBLE(name)                                                                   \
  float hlo_##name##_f32(float x) {                                                                \
    bool is_in_range = x > 0 && !is_infinite(x);                                                   \
    return (float)(is_in_range ? one_##name(0, x) : hlo_##name##_f64(x));                          \
  }
OTHERS_FROM_DOUBLE(digamma)

// log (π / |sin πx|) - log Γ(1 - x). NaN where its error would count: near zeros and poles.
static double reflected_lgamma(double x) {
  double from_integer = __builtin_fabs(x - __builtin_rint(x)); // exact
  bool is_steep = from_integer > 0.25;
  double angle = PI_DD_1 * (is_steep ? 0.5 - from_integer : from_integer);
  double sine = is_steep ? one_cos_of_angle(0, angle, 0) : one_sin_of_angle(0, angle, 0);
  double result = one_log(0, PI_DD_1 / sine) - one_lgamma(0, 1 - x);
  return from_integer > 0x1p-20 && __builtin_fabs(result) > 0x1p-5 ? result : DOUBLE_NAN;
}

float hlo_lgamma_f32(float x) {
  if (x > 0 && !is_infinite(x)) return (float)one_lgamma(0, x);
  double reflected = x < 0 && x > -0x1p15f ? reflected_lgamma(x) : DOUBLE_NAN;
  return (float)(is_nan(reflected) ? hlo_lgamma_f64(x) : reflected);
}

// zeta(s, q), for 1 < s and 0 < q: so many terms, and the others by the Euler–Maclaurin formula.
static double quick_zeta(double s, double q) {
  enum { TERMS = 16 };
  double sum = 0, term = 0, a = q;
  for (int k = 0; k <= TERMS; k++, a += 1) {
    double exponent = -s * one_log(0, a);
    term = exponent < -200 ? 0 : one_exp(0, exponent);
    if (k < TERMS) sum += term;
  }
  a = q + TERMS;
  double rest = a / (s - 1) + 0.5, factor = s / a;
  for (int j = 0; j < (int)(sizeof EULER_MACLAURIN / sizeof *EULER_MACLAURIN); j++) {
    rest += EULER_MACLAURIN[j] * factor;
    factor *= (s + 2 * j + 1) / a * ((s + 2 * j + 2) / a);
  }
  return sum + term * rest;
}

// Whether that has the range: no term is beyond double's, and the others are few or far.
static bool is_quick_zeta(double s, double q) {
  return s > 1 && s < 64 && q > 0x1p-10 && q < 0x1p20;
}

float hlo_zeta_f32(float s, float q) {
  return (float)(is_quick_zeta(s, q) ? quick_zeta(s, q) : hlo_zeta_f64(s, q));
}

float hlo_polygamma_f32(float n, float x) {
  double factorial = 1;
  bool is_quick = n >= 1 && n < 20 && __builtin_truncf(n) == n && is_quick_zeta(n + 1, x);
  if (!is_quick) return (float)hlo_polygamma_f64(n, x);
  for (int k = 2; k <= (int)n; k++) factorial *= -k;
  return (float)(factorial * quick_zeta((double)n + 1, x));
}
