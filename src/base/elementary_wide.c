// The rarer float functions of elementary.h: wide_math_template.h for one number, rounded once;
// what is left of functions that it does not make for all arguments; and functions rare enough to
// be taken from double.
#include "base/elementary.h"
#include "base/elementary_cores.h"
#include "base/elementary_f32.h"
#include "base/vector_math.h"

#define FROM_TEMPLATE(id, name)                                                                    \
  float hlo_##name##_f32(float x) { return (float)f32_##name(0, x); }

HLO_WIDE_FUNCTIONS(FROM_TEMPLATE)

float hlo_atan2_f32(float y, float x) { return (float)f32_atan2(0, y, x); }
double hlo_erf_inv_start(double x) { return f32_erf_inv_of_any(x); }

// The remainder of x by π/2, NaN for what is not finite.
static double reduce(double x, double *quadrant) {
  if (__builtin_fabs(x) < HLO_WIDE_ANGLE) return f32_reduce(0, x, quadrant);
  *quadrant = 0;
  if (!is_finite(x)) return DOUBLE_NAN;
  reduced_angle reduced = hlo_reduce_angle(x);
  *quadrant = double_of_bits((uint64_t)reduced.quadrant);
  return reduced.remainder.hi;
}

float hlo_sin_of_large_f32(float x) {
  double quadrant, r = reduce(x, &quadrant);
  return (float)f32_sin_of_angle(0, r, quadrant);
}

float hlo_cos_of_large_f32(float x) {
  double quadrant, r = reduce(x, &quadrant);
  return (float)f32_cos_of_angle(0, r, quadrant);
}

float hlo_tan_f32(float x) {
  double quadrant, r = reduce(x, &quadrant);
  return (float)f32_tan_of_angle(0, r, quadrant);
}

// Of floats that the template leaves out; see vector_math.h.
#define OTHERS_FROM_DOUBLE(name)                                                                   \
  float hlo_##name##_f32(float x) {                                                                \
    bool is_usual = x > 0 && !is_infinite(x);                                                      \
    return (float)(is_usual ? f32_##name(0, x) : hlo_##name##_f64(x));                             \
  }
OTHERS_FROM_DOUBLE(lgamma)
OTHERS_FROM_DOUBLE(digamma)
