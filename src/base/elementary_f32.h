// The rarer elementary functions on float as inline functions on double: elementary_f32.c makes
// scalar functions of them. The frequent ones stand in vector_math_template.h. Arguments are floats
// widened to double; results are off by less than 2^-29 relative and are to be rounded to float
// once.
//
// Without branches, tables and calls: special values come out of the arithmetic or of selections at
// the end. Exceptions to that are stated (sin, cos, tan for huge arguments). Subnormal floats are
// normal doubles and need no care.
#ifndef HLO_BASE_ELEMENTARY_F32_H
#define HLO_BASE_ELEMENTARY_F32_H

#include "base/double_double.h"
#include "base/elementary_coefficients.h"

// e^x = 2^k (1 + p): k is found by adding a large number, whose low bits then hold it. |x| < 700.
typedef struct exp_parts {
  double power, p;
} exp_parts;

static inline exp_parts f32_exp_parts(double x) {
  double shifted = x * LOG2_E_1 + 0x1.8p52, k = shifted - 0x1.8p52;
  double r = (x - k * LN2_1) - k * LN2_2;
  double power = double_of_bits((bits_of_double(shifted) + 1023) << 52);
  return (exp_parts){power, r * POLYNOMIAL(EXPM1_F32, r)};
}

// Comparisons are written so that NaN passes.
static inline double f32_clamp(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

static inline double f32_exp(double x) {
  exp_parts e = f32_exp_parts(f32_clamp(x, -105, 90));
  return e.power + e.power * e.p;
}

static inline double f32_exp2(double x) {
  double clamped = f32_clamp(x, -152, 130), shifted = clamped + 0x1.8p52;
  double r = (clamped - (shifted - 0x1.8p52)) * LN2_DD_1;
  double power = double_of_bits((bits_of_double(shifted) + 1023) << 52);
  return power + power * (r * POLYNOMIAL(EXPM1_F32, r));
}

// Without the sign of zero.
static inline double f32_expm1_unsigned(double x) {
  exp_parts e = f32_exp_parts(x);
  return (e.power - 1) + e.power * e.p;
}

static inline double f32_sinh(double x) {
  double p = f32_expm1_unsigned(f32_clamp(__builtin_fabs(x), 0, 91));
  return __builtin_copysign(0.5 * (p + p / (p + 1)), x);
}

static inline double f32_cosh(double x) {
  double e = f32_expm1_unsigned(f32_clamp(__builtin_fabs(x), 0, 91)) + 1;
  return 0.5 * (e + 1 / e);
}

// log(2^k (1 + f)) for f > -1 near 0.
static inline double f32_log_parts(double k, double f) {
  double s = f / (2 + f);
  return k * LN2_DD_1 + s * POLYNOMIAL(LOG_F32, s * s);
}

// k with x / 2^k between √½ and √2, as a double; *mantissa becomes x / 2^k. x positive and normal;
// else anything.
static inline double f32_split(double x, double *mantissa) {
  const uint64_t root_of_half = UINT64_C(0x3fe6a09e667f3bcd);
  uint64_t offset = bits_of_double(x) - root_of_half, field = offset >> 52 << 52;
  *mantissa = double_of_bits(bits_of_double(x) - field);
  // The field, read as a number of 12 bits with sign, becomes a double by way of the bits of 1.5 ·
  // 2^52.
  uint64_t biased = ((offset + (UINT64_C(0x800) << 52)) >> 52) + UINT64_C(0x4338000000000000);
  return double_of_bits(biased) - (0x1.8p52 + 2048);
}

// What a logarithm of x gives outside its domain, instead of value.
static inline double f32_log_select(double x, double value) {
  value = x < DOUBLE_INFINITY ? value : x; // infinity and NaN
  value = x < 0 ? DOUBLE_NAN : value;
  return x == 0 ? -DOUBLE_INFINITY : value;
}

static inline double f32_log(double x) {
  double mantissa, k = f32_split(x, &mantissa);
  return f32_log_select(x, f32_log_parts(k, mantissa - 1));
}

static inline double f32_log2(double x) {
  double mantissa, k = f32_split(x, &mantissa);
  return f32_log_select(x, k + f32_log_parts(0, mantissa - 1) * LOG2_E_1);
}

static inline double f32_log10(double x) {
  double mantissa, k = f32_split(x, &mantissa);
  return f32_log_select(x, k * LOG10_2_1 + f32_log_parts(0, mantissa - 1) * LOG10_E_1);
}

// Also for doubles that are not floats. Where 1 + x has k = 0, x itself is the remainder, without
// loss.
static inline double f32_log1p(double x) {
  double mantissa, k = f32_split(1 + x, &mantissa);
  double f = k == 0 ? x : mantissa - 1, value = f32_log_select(1 + x, f32_log_parts(k, f));
  return x == 0 ? x : value;
}

static inline double f32_asinh(double x) {
  double magnitude = __builtin_fabs(x), square = magnitude * magnitude;
  double value = f32_log1p(magnitude + square / (1 + __builtin_sqrt(1 + square)));
  return __builtin_copysign(magnitude < DOUBLE_INFINITY ? value : magnitude, x);
}

static inline double f32_acosh(double x) {
  double t = x - 1, value = f32_log1p(t + __builtin_sqrt(t * (t + 2)));
  return x < 1 ? DOUBLE_NAN : value;
}

static inline double f32_atanh(double x) {
  double magnitude = __builtin_fabs(x);
  return __builtin_copysign(0.5 * f32_log1p(2 * magnitude / (1 - magnitude)), x);
}

// Sine and cosine of x = q π/2 + r: the polynomials of r, and q in the low bits of an integer.
typedef struct f32_angle {
  double sine, cosine;
  uint64_t quadrant;
} f32_angle;

static inline f32_angle f32_angle_of_remainder(double r, uint64_t quadrant) {
  double square = r * r;
  return (f32_angle){r * POLYNOMIAL(SIN_F32, square), POLYNOMIAL(COS_F32, square), quadrant};
}

// For |x| < 2^20; elementary_f32.c deals with larger ones.
static inline f32_angle f32_reduce(double x) {
  double shifted = x * TWO_OVER_PI + 0x1.8p52, k = shifted - 0x1.8p52;
  double r = (x - k * HALF_PI_1) - k * (HALF_PI_2 + HALF_PI_3);
  return f32_angle_of_remainder(r, bits_of_double(shifted));
}

static inline double f32_negate_if(double x, uint64_t low_bit) {
  return double_of_bits(bits_of_double(x) ^ low_bit << 63);
}

static inline double f32_sin_of_angle(f32_angle a) {
  return f32_negate_if((a.quadrant & 1) != 0 ? a.cosine : a.sine, a.quadrant >> 1);
}

static inline double f32_cos_of_angle(f32_angle a) {
  return f32_negate_if((a.quadrant & 1) != 0 ? a.sine : a.cosine, (a.quadrant + 1) >> 1);
}

static inline double f32_tan_of_angle(f32_angle a) {
  bool is_odd = (a.quadrant & 1) != 0;
  return f32_negate_if((is_odd ? a.cosine : a.sine) / (is_odd ? a.sine : a.cosine), a.quadrant);
}

static inline double f32_atan_part(double t) { return t * POLYNOMIAL(ATAN_F32, t * t); } // |t| ≤ 1

static inline double f32_atan(double x) {
  double magnitude = __builtin_fabs(x);
  bool is_steep = magnitude > 1;
  double arc = f32_atan_part(is_steep ? 1 / magnitude : magnitude);
  return __builtin_copysign(is_steep ? HALF_PI_DD_1 - arc : arc, x);
}

static inline double f32_atan2(double y, double x) {
  double height = __builtin_fabs(y), width = __builtin_fabs(x);
  bool is_steep = height > width;
  double small = is_steep ? width : height, large = is_steep ? height : width;
  double ratio = small == large ? 1 : small / large; // also ∞ / ∞
  double arc = f32_atan_part(small == 0 && large == 0 ? 0 : ratio);
  arc = is_steep ? HALF_PI_DD_1 - arc : arc;
  arc = is_negative(x) ? 2 * HALF_PI_DD_1 - arc : arc;
  return __builtin_copysign(arc, y);
}

// asin of |x| ≤ 1/2, or for larger ones of √((1 - |x|) / 2), which is half the angle that is
// missing to π/2.
static inline double f32_asin_part(double magnitude) {
  bool is_far = magnitude > 0.5;
  double halved = 0.5 * (1 - magnitude), square = is_far ? halved : magnitude * magnitude;
  return (is_far ? __builtin_sqrt(halved) : magnitude) * POLYNOMIAL(ASIN_F32, square);
}

static inline double f32_asin(double x) {
  double magnitude = __builtin_fabs(x), part = f32_asin_part(magnitude);
  return __builtin_copysign(magnitude > 0.5 ? HALF_PI_DD_1 - 2 * part : part, x);
}

static inline double f32_acos(double x) {
  double magnitude = __builtin_fabs(x), part = f32_asin_part(magnitude);
  double far = x < 0 ? 2 * HALF_PI_DD_1 - 2 * part : 2 * part;
  return magnitude > 0.5 ? far : HALF_PI_DD_1 - __builtin_copysign(part, x);
}

// A third of the bits, as an integer, is a root to 5 bits; twice Halley's step makes 45 of them.
static inline double f32_cbrt(double x) {
  double magnitude = __builtin_fabs(x);
  uint64_t third = (bits_of_double(magnitude) >> 32) * UINT64_C(0x55555556) >> 32;
  double root = double_of_bits((third + CBRT_F32_BITS) << 32);
  for (int i = 0; i < 2; i++) {
    double cube = root * root * root;
    root *= (cube + 2 * magnitude) / (2 * cube + magnitude);
  }
  bool is_ordinary = magnitude > 0 && magnitude < DOUBLE_INFINITY;
  return is_ordinary ? __builtin_copysign(root, x) : x;
}

static inline double f32_hypot(double x, double y) {
  double value = __builtin_sqrt(x * x + y * y); // squares of floats do not overflow
  return is_infinite(x) || is_infinite(y) ? DOUBLE_INFINITY : value;
}

static inline double f32_erfc(double x) {
  double magnitude = f32_clamp(__builtin_fabs(x), 0, 10.1);
  exp_parts e = f32_exp_parts(-(magnitude * magnitude));
  double far = (e.power + e.power * e.p) * POLYNOMIAL(ERFCX_F32, (magnitude - 2) / (magnitude + 2));
  return x < 0 ? 2 - far : far;
}

// Two polynomials in w = -log(1 - x²) and √w; erfinv(±1) = ±inf, NaN beyond.
static inline double f32_erf_inv(double x) {
  double w = -f32_log((1 - x) * (1 + x)), root = __builtin_sqrt(f32_clamp(w, 5, 38));
  double near = POLYNOMIAL(ERF_INV_NEAR, f32_clamp(w, 0, 5) - 2.5);
  double value = x * (w > 5 ? POLYNOMIAL(ERF_INV_FAR, root - 4.2) : near);
  value = w == DOUBLE_INFINITY ? x * DOUBLE_INFINITY : value;
  return __builtin_fabs(x) > 1 ? DOUBLE_NAN : value;
}

// |x|^y for x positive and finite and y finite.
static inline double f32_power_of_magnitude(double x, double y) {
  double mantissa, k = f32_split(x, &mantissa);
  return f32_exp(y * f32_log_parts(k, mantissa - 1));
}

#endif
