// The float functions of elementary.h: one lane of vector_math.h, or elementary_f32.h rounded once,
// and what does not fit there: large angles, the special values of pow, the remainder, and
// functions rare enough to be taken from double.
#include "base/elementary_f32.h"

#include "base/elementary.h"
#include "base/elementary_cores.h"
#include "base/vector_math.h"

#define FROM_VECTOR(name)                                                                          \
  float hlo_##name##_f32(float x) {                                                                \
    hlo_##name##_f32_loop(&x, &x, 1);                                                              \
    return x;                                                                                      \
  }

FROM_VECTOR(exp)
FROM_VECTOR(expm1)
FROM_VECTOR(log)
FROM_VECTOR(log1p)
FROM_VECTOR(tanh)
FROM_VECTOR(rsqrt)
FROM_VECTOR(logistic)
FROM_VECTOR(erf)

#define FROM_INLINE(name)                                                                          \
  float hlo_##name##_f32(float x) { return (float)f32_##name(x); }

FROM_INLINE(exp2)
FROM_INLINE(log2)
FROM_INLINE(log10)
FROM_INLINE(asin)
FROM_INLINE(acos)
FROM_INLINE(atan)
FROM_INLINE(sinh)
FROM_INLINE(cosh)
FROM_INLINE(asinh)
FROM_INLINE(acosh)
FROM_INLINE(atanh)
FROM_INLINE(cbrt)
FROM_INLINE(erfc)
FROM_INLINE(erf_inv)

float hlo_atan2_f32(float y, float x) { return (float)f32_atan2(y, x); }
float hlo_hypot_f32(float x, float y) { return (float)f32_hypot(x, y); }

static f32_angle angle_of(double x) {
  if (__builtin_fabs(x) < 0x1p20) return f32_reduce(x);
  if (!is_finite(x)) return (f32_angle){DOUBLE_NAN, DOUBLE_NAN, 0};
  reduced_angle reduced = hlo_reduce_angle(x);
  return f32_angle_of_remainder(reduced.remainder.hi, (uint64_t)reduced.quadrant);
}

float hlo_sin_f32(float x) {
  if (__builtin_fabsf(x) > HLO_LARGE_ANGLE) return (float)f32_sin_of_angle(angle_of(x));
  hlo_sin_f32_loop(&x, &x, 1);
  return x;
}

float hlo_cos_f32(float x) {
  if (__builtin_fabsf(x) > HLO_LARGE_ANGLE) return (float)f32_cos_of_angle(angle_of(x));
  hlo_cos_f32_loop(&x, &x, 1);
  return x;
}

float hlo_tan_f32(float x) { return (float)f32_tan_of_angle(angle_of(x)); }

float hlo_pow_f32(float x, float y) {
  bool is_ordinary = x > 0 && is_finite(x) && is_finite(y);
  return (float)(is_ordinary ? f32_power_of_magnitude(x, y) : hlo_pow_f64(x, y));
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

float hlo_lgamma_f32(float x) { return (float)hlo_lgamma_f64(x); }
float hlo_digamma_f32(float x) { return (float)hlo_digamma_f64(x); }
