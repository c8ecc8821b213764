// Complex functions on pairs of double or float: the arithmetic that is more than one operation per
// part, and the elementary functions.
//
// float functions compute in double and round each part once (exp takes sine and cosine of angles
// above HLO_WIDE_ANGLE as floats). Zeros, infinities and NaN follow C's
// Annex G where it says something; branch cuts run along the axes as in C (signed zeros tell the
// two sides apart), and every function f keeps f(conj z) = conj f(z) except on a cut.
#ifndef HLO_MATH_COMPLEX_H
#define HLO_MATH_COMPLEX_H

#include <stdint.h>

typedef struct hlo_c64 {
  float re, im;
} hlo_c64;

typedef struct hlo_c128 {
  double re, im;
} hlo_c128;

double hlo_abs_c128(hlo_c128 z);     // |z|, without needless overflow
hlo_c128 hlo_exp_c128(hlo_c128 z);   // e^z
hlo_c128 hlo_expm1_c128(hlo_c128 z); // e^z - 1
hlo_c128 hlo_log_c128(hlo_c128 z);   // principal branch, imaginary part -π…π
hlo_c128 hlo_log1p_c128(hlo_c128 z); // log(1 + z), accurate near 0
hlo_c128 hlo_sqrt_c128(hlo_c128 z);  // principal root, real part ≥ 0
hlo_c128 hlo_rsqrt_c128(hlo_c128 z); // 1 / sqrt(z)
hlo_c128 hlo_cbrt_c128(hlo_c128 z);  // principal root, exp(log(z) / 3); 0 for 0
hlo_c128 hlo_sin_c128(hlo_c128 z);
hlo_c128 hlo_cos_c128(hlo_c128 z);
hlo_c128 hlo_tan_c128(hlo_c128 z);
hlo_c128 hlo_asin_c128(hlo_c128 z);
hlo_c128 hlo_acos_c128(hlo_c128 z);
hlo_c128 hlo_sinh_c128(hlo_c128 z);
hlo_c128 hlo_cosh_c128(hlo_c128 z);
hlo_c128 hlo_tanh_c128(hlo_c128 z);
hlo_c128 hlo_asinh_c128(hlo_c128 z);
hlo_c128 hlo_acosh_c128(hlo_c128 z);
hlo_c128 hlo_atanh_c128(hlo_c128 z);
hlo_c128 hlo_logistic_c128(hlo_c128 z); // 1 / (1 + e^-z)
hlo_c128 hlo_sign_c128(hlo_c128 z);     // z / |z|, which may be infinite; NaN if either part is
// (ac - bd, bc + ad), where the products ac and bc are exact and all else is rounded
hlo_c128 hlo_mul_c128(hlo_c128 a, hlo_c128 b);
// a / b, scaled so that nothing overflows or underflows on the way (M. Baudin, R. L. Smith, 2012)
hlo_c128 hlo_div_c128(hlo_c128 a, hlo_c128 b);
// exp(b log a); pow(z, 0) = 1, pow(0, b) = 0 for b with a positive real part
hlo_c128 hlo_pow_c128(hlo_c128 a, hlo_c128 b);
// -i log((x + i y) / sqrt(x² + y²)), which is the real atan2 for real arguments and C's catan(y /
// x), with its special values (Annex G), for a positive x; NaN where else x² + y² is 0 or an
// argument is not finite
hlo_c128 hlo_atan2_c128(hlo_c128 y, hlo_c128 x);

float hlo_abs_c64(hlo_c64 z);
hlo_c64 hlo_exp_c64(hlo_c64 z);
hlo_c64 hlo_expm1_c64(hlo_c64 z);
hlo_c64 hlo_log_c64(hlo_c64 z);
hlo_c64 hlo_log1p_c64(hlo_c64 z);
hlo_c64 hlo_sqrt_c64(hlo_c64 z);
hlo_c64 hlo_rsqrt_c64(hlo_c64 z);
hlo_c64 hlo_cbrt_c64(hlo_c64 z);
hlo_c64 hlo_sin_c64(hlo_c64 z);
hlo_c64 hlo_cos_c64(hlo_c64 z);
hlo_c64 hlo_tan_c64(hlo_c64 z);
hlo_c64 hlo_asin_c64(hlo_c64 z);
hlo_c64 hlo_acos_c64(hlo_c64 z);
hlo_c64 hlo_sinh_c64(hlo_c64 z);
hlo_c64 hlo_cosh_c64(hlo_c64 z);
hlo_c64 hlo_tanh_c64(hlo_c64 z);
hlo_c64 hlo_asinh_c64(hlo_c64 z);
hlo_c64 hlo_acosh_c64(hlo_c64 z);
hlo_c64 hlo_atanh_c64(hlo_c64 z);
hlo_c64 hlo_logistic_c64(hlo_c64 z);
hlo_c64 hlo_sign_c64(hlo_c64 z);
hlo_c64 hlo_mul_c64(hlo_c64 a, hlo_c64 b);
hlo_c64 hlo_div_c64(hlo_c64 a, hlo_c64 b);
hlo_c64 hlo_pow_c64(hlo_c64 a, hlo_c64 b);
hlo_c64 hlo_atan2_c64(hlo_c64 y, hlo_c64 x);

// Loops over n numbers with the same bits; r may be x or y.
void hlo_mul_c128_loop(hlo_c128 *r, const hlo_c128 *x, const hlo_c128 *y, int64_t n);
void hlo_div_c128_loop(hlo_c128 *r, const hlo_c128 *x, const hlo_c128 *y, int64_t n);
void hlo_abs_c128_loop(double *r, const hlo_c128 *x, int64_t n);
// THE list of functions of one c128 in double_complex_template.h: FUNCTION(HLO_OP_ suffix, name,
// which numbers it takes). Of others, and of quotients, the emitter asks for the parts.
#define HLO_DOUBLE_COMPLEX_FUNCTIONS(FUNCTION)                                                     \
  FUNCTION(EXP, exp, exponent_in_range)                                                            \
  FUNCTION(LOG, log, logarithm_in_range)                                                           \
  FUNCTION(SQRT, sqrt, root_in_range)
#define HLO_DECLARE_FUNCTION(id, name, range)                                                      \
  void hlo_##name##_c128_loop(hlo_c128 *r, const hlo_c128 *x, int64_t n);                          \
  double hlo_real_of_##name##_c128(double x, double y);                                            \
  double hlo_imaginary_of_##name##_c128(double x, double y);
HLO_DOUBLE_COMPLEX_FUNCTIONS(HLO_DECLARE_FUNCTION)
#undef HLO_DECLARE_FUNCTION
double hlo_real_of_quotient_c128(double a, double b, double x, double y);
double hlo_imaginary_of_quotient_c128(double a, double b, double x, double y);
void hlo_abs_c64_loop(float *r, const hlo_c64 *x, int64_t n);
void hlo_exp_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n);
void hlo_log_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n);
void hlo_sqrt_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n);
// THE list of functions of one c64 that wide_math_template.h makes but where a part of the result
// is NaN: FUNCTION(HLO_OP_ suffix, name). Of each: what it is there, and the parts of that.
#define HLO_COMPLEX_FUNCTIONS(FUNCTION)                                                            \
  FUNCTION(SIGN, sign)                                                                             \
  FUNCTION(RSQRT, rsqrt)                                                                           \
  FUNCTION(EXPM1, expm1)                                                                           \
  FUNCTION(LOG1P, log1p)                                                                           \
  FUNCTION(SIN, sin)                                                                               \
  FUNCTION(COS, cos)                                                                               \
  FUNCTION(TAN, tan)                                                                               \
  FUNCTION(SINH, sinh)                                                                             \
  FUNCTION(COSH, cosh)                                                                             \
  FUNCTION(TANH, tanh)
#define HLO_DECLARE_FUNCTION(id, name)                                                             \
  void hlo_##name##_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n);                             \
  hlo_c64 hlo_##name##_c64_where_nan(hlo_c64 z);                                                   \
  float hlo_real_of_##name(float x, float y);                                                      \
  float hlo_imaginary_of_##name(float x, float y);
HLO_COMPLEX_FUNCTIONS(HLO_DECLARE_FUNCTION)
#undef HLO_DECLARE_FUNCTION
// Parts of (a + bi) / (x + yi) where the plain formula gives a NaN.
float hlo_real_of_quotient(float a, float b, float x, float y);
float hlo_imaginary_of_quotient(float a, float b, float x, float y);
void hlo_div_c64_loop(hlo_c64 *r, const hlo_c64 *x, const hlo_c64 *y, int64_t n);

#endif
