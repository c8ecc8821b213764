// Elementary functions on double and float with the same bits on every machine and in every build.
// Scalars in, scalars out; no libm, no errno, no rounding modes, no fma.
//
// Accuracy against the exact result, over the whole range: at most 1 ulp (expm1 and tan; most below
// 0.85, many below 0.6), also next to their zeros. Of the float functions those of vector_math.h
// have up to 1.25 ulp (logistic 1.8); the others compute in double and round once, which leaves at
// most 0.51 ulp. tests/c/elementary_test.c measures and bounds it per function. Zeros keep their
// signs, NaN gives NaN, and limits are as in C's Annex F unless said otherwise.
#ifndef HLO_MATH_ELEMENTARY_H
#define HLO_MATH_ELEMENTARY_H

double hlo_exp_f64(double x);        // e^x
double hlo_expm1_f64(double x);      // e^x - 1; keeps tiny x and -0
double hlo_log_f64(double x);        // natural logarithm; log(±0) = -inf, log(x < 0) = NaN
double hlo_log1p_f64(double x);      // log(1 + x); log1p(-1) = -inf, keeps tiny x and -0
double hlo_sin_f64(double x);        // sine of radians, any magnitude; NaN for infinities
double hlo_cos_f64(double x);        // cosine
double hlo_tan_f64(double x);        // tangent
double hlo_asin_f64(double x);       // arc sine, -π/2…π/2; NaN for |x| > 1
double hlo_acos_f64(double x);       // arc cosine, 0…π
double hlo_sinh_f64(double x);       // hyperbolic sine
double hlo_cosh_f64(double x);       // hyperbolic cosine
double hlo_tanh_f64(double x);       // hyperbolic tangent
double hlo_asinh_f64(double x);      // inverse hyperbolic sine
double hlo_acosh_f64(double x);      // inverse hyperbolic cosine; NaN for x < 1
double hlo_atanh_f64(double x);      // inverse hyperbolic tangent; ±inf at ±1, NaN beyond
double hlo_cbrt_f64(double x);       // cube root, of negative numbers too
double hlo_rsqrt_f64(double x);      // 1 / sqrt(x); rsqrt(±0) = ±inf
double hlo_logistic_f64(double x);   // 1 / (1 + e^-x), without overflow on the way
double hlo_erf_f64(double x);        // error function
double hlo_erfc_f64(double x);       // 1 - erf(x), without cancellation
double hlo_lgamma_f64(double x);     // log |Γ(x)|; +inf at 0 and negative integers
double hlo_digamma_f64(double x);    // Γ'(x) / Γ(x); NaN at 0 and negative integers
double hlo_erf_inv_f64(double x);    // inverse of erf; ±inf at ±1, NaN beyond
double hlo_bessel_i1e_f64(double x); // e^-|x| I₁(x), the modified Bessel function of order 1
// angle of the point (x, y), -π…π; all signed zeros and infinities as in C
double hlo_atan2_f64(double y, double x);
// x^y; pow(x, ±0) = pow(1, y) = 1 even for NaN, the other special cases as in IEEE 754 (pow). The
// exponents 1/2, -1 and 2 give what square root, quotient and product give.
double hlo_pow_f64(double x, double y);
// sqrt(x² + y²) without needless overflow; +inf if either is infinite, even if the other is NaN
double hlo_hypot_f64(double x, double y);
// x - trunc(x / y)·y, exact, with the sign of x; NaN for infinite x or y = 0; x for infinite y
double hlo_fmod_f64(double x, double y);
// Hurwitz's zeta function: the sum of (q + k)^-s over k ≥ 0, for q < 0 only for integer s. Special
// values as XLA's CPU backend gives them; see math/wide/zeta.c.
double hlo_zeta_f64(double s, double q);
// the n-th derivative of digamma for integer n ≥ 0, NaN for other n
double hlo_polygamma_f64(double n, double x);

// Sine and cosine of the same argument for about the price of one; the same bits as the separate
// functions.
void hlo_sincos_f64(double x, double *sine, double *cosine);

float hlo_exp_f32(float x);
float hlo_expm1_f32(float x);
float hlo_log_f32(float x);
float hlo_log1p_f32(float x);
float hlo_sin_f32(float x);
float hlo_cos_f32(float x);
float hlo_tan_f32(float x);
float hlo_asin_f32(float x);
float hlo_acos_f32(float x);
float hlo_sinh_f32(float x);
float hlo_cosh_f32(float x);
float hlo_tanh_f32(float x);
float hlo_asinh_f32(float x);
float hlo_acosh_f32(float x);
float hlo_atanh_f32(float x);
float hlo_cbrt_f32(float x);
float hlo_rsqrt_f32(float x);
float hlo_logistic_f32(float x);
float hlo_erf_f32(float x);
float hlo_erfc_f32(float x);
float hlo_lgamma_f32(float x);
float hlo_digamma_f32(float x);
float hlo_erf_inv_f32(float x);
float hlo_bessel_i1e_f32(float x);
float hlo_zeta_f32(float s, float q);
float hlo_polygamma_f32(float n, float x);
float hlo_atan2_f32(float y, float x);
float hlo_pow_f32(float x, float y);
float hlo_fmod_f32(float x, float y);

#endif
