// The frequent float functions of elementary.h: one lane of vector_math.h, and power.
#include "math/elementary/single_number.h"

#include "math/elementary.h"
#include "math/elementary/cores.h"
#include "math/elementary/simple_power.h"
#include "math/vector_math.h"

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
FROM_VECTOR(erfc)

float hlo_erf_inv_f32(float x) {
  float magnitude = __builtin_fabsf(x);
  if (x != x) return x; // its own bits, as in the loop
  if (!(magnitude < 1)) return hlo_erf_inv_of_large_f32(x);
  hlo_erf_inv_f32_loop(&x, &x, 1);
  return x;
}

float hlo_sin_f32(float x) {
  if (__builtin_fabsf(x) > HLO_LARGE_ANGLE) return hlo_sin_of_large_f32(x);
  hlo_sin_f32_loop(&x, &x, 1);
  return x;
}

float hlo_cos_f32(float x) {
  if (__builtin_fabsf(x) > HLO_LARGE_ANGLE) return hlo_cos_of_large_f32(x);
  hlo_cos_f32_loop(&x, &x, 1);
  return x;
}

float hlo_pow_f32(float x, float y) {
  double power;
  if (simple_power(x, y, true, &power)) return (float)power;
  bool is_ordinary = x > 0 && is_finite(x) && is_finite(y);
  return (float)(is_ordinary ? one_pow_of_magnitude(0, x, y) : one_pow(0, x, y));
}
