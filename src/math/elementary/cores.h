// The functions in double-double precision that this folder builds on. Internal to those files:
// arguments must be in the stated ranges, special values are the callers'.
#ifndef HLO_MATH_ELEMENTARY_CORES_H
#define HLO_MATH_ELEMENTARY_CORES_H

#include "math/elementary/double_double.h"

// value · 2^exponent
typedef struct scaled_dd {
  dd value;
  int exponent;
} scaled_dd;

// e^(x.hi + x.lo) with the value between 0.7 and 1.42, not normalised; relative error about 2^-56.
// |x| < 2^20; for NaN the value is NaN.
scaled_dd hlo_exp_core(dd x);

// The same with relative error about 2^-63, normalised.
scaled_dd hlo_exp_dd(dd x);

// e^x - 1, not normalised; relative error about 2^-56. An infinity or NaN in hi is the value.
dd hlo_expm1_core(double x);

// log(x · 2^exponent), relative error about 2^-60. x positive, finite, x.hi normal.
dd hlo_log_core(dd x, int exponent);

// log(1 + x), relative error about 2^-60, for x > -1 finite.
dd hlo_log1p_core(dd x);

// log x, relative error about 2^-69 (also near 1). x as for hlo_log_core.
dd hlo_log_dd(dd x);

// x = quadrant · π/2 + remainder with |remainder| ≤ π/4 (a hair more is possible), the quadrant
// modulo 4; relative error of the remainder below 2^-70. x finite.
typedef struct reduced_angle {
  dd remainder;
  int quadrant;
} reduced_angle;
reduced_angle hlo_reduce_angle(double x);

// Sine and cosine of a remainder, not normalised; relative error about 2^-57.
dd hlo_sin_core(dd r);
dd hlo_cos_core(dd r);

// Sine and cosine of angles of any size, to be asked for those above HLO_LARGE_ANGLE.
float hlo_sin_of_large_f32(float x);
float hlo_cos_of_large_f32(float x);
// The inverse error function of x, which is 1 or more, positive or negative.
static inline float hlo_erf_inv_of_large_f32(float x) {
  return __builtin_fabsf(x) == 1 ? x * __builtin_inff() : __builtin_nanf("");
}

// The angle of the point (x, y) in the first quadrant, x and y ≥ 0 and not both 0, neither
// overflowing nor, unless 0, in danger of underflow (about 2^±480). Relative error about 2^-57.
dd hlo_angle_core(dd y, dd x);

#endif
