// lgamma and digamma of double: asymptotic series from 10 on, the recurrence below, the reflection
// formula far to the left, and short polynomials at the zeros to the right of 0 (Abramowitz and
// Stegun, 6.1 and 6.3). All in double-double: below 1 ulp, also near the zeros between negative
// integers, where terms cancel and near_zeros.h takes over.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/wide/near_zeros.h"

// From here on the series; left of the other the reflection. Between them at most 30 steps of the
// recurrence.
static const double series_begin = 10, reflection_end = -20;

// y (c + y P(y)), for polynomials given as in coefficients.h.
#define NEAR_ZERO(y, c, p) near_zero(y, (dd){c##_1, c##_2}, POLYNOMIAL(p, (y).hi))

static double near_zero(dd y, dd slope, double rest) {
  dd factor = dd_add_double(slope, y.hi * rest);
  return dd_multiply(y, factor).hi;
}

// log Γ(x) for series_begin ≤ x < 2^900: (x - 1/2) log x - x + log √(2π) + 1/(12x) + …
static dd lgamma_series(dd x) {
  dd inverse = dd_divide((dd){1, 0}, x);
  double square = inverse.hi * inverse.hi;
  dd rest = dd_multiply(inverse, (dd){TWELFTH_1, TWELFTH_2});
  rest = dd_add_double(rest, square * inverse.hi * POLYNOMIAL(STIRLING, square));
  rest = dd_add(rest, (dd){LOG_ROOT_TWO_PI_1, LOG_ROOT_TWO_PI_2});
  dd product = dd_multiply(dd_add_double(x, -0.5), hlo_log_dd(x));
  return dd_add(dd_add(product, dd_negate(x)), rest);
}

// sin πx and cos πx up to the sign, for x that is no integer.
static void half_turns(double x, dd *sine, dd *cosine) {
  double rest = x - __builtin_rint(x); // exact, at most 1/2
  dd angle = dd_multiply_double((dd){PI_DD_1, PI_DD_2}, __builtin_fabs(rest));
  bool is_steep = __builtin_fabs(rest) > 0.25;
  if (is_steep) angle = dd_multiply_double((dd){PI_DD_1, PI_DD_2}, 0.5 - __builtin_fabs(rest));
  dd s = hlo_sin_core(angle), c = hlo_cos_core(angle);
  s = quick_two_sum(s.hi, s.lo), c = quick_two_sum(c.hi, c.lo);
  *sine = is_steep ? c : s, *cosine = is_steep ? s : c;
  if (rest < 0) *cosine = dd_negate(*cosine); // as seen from sin > 0
}

// Where double-doubles do not do, for x < 0: their absolute error is about 2^-60, that of digamma
// by reflection 2^-54. A thousandth of all x are so near to a zero, of those reflected a twentieth.
static const double least_lgamma = 0x1p-6, least_digamma = 0x1p-6, least_reflected_digamma = 0.5;

static double lgamma_by_pairs(double x) {
  if (is_nan(x)) return x;
  if (is_infinite(x) || (x <= 0 && __builtin_trunc(x) == x)) return DOUBLE_INFINITY;
  if (__builtin_fabs(x) < 0x1p-60) return -hlo_log_f64(__builtin_fabs(x));
  if (__builtin_fabs(x - 1) < 0.0625) {
    dd y = {x - 1, 0};
    return NEAR_ZERO(y, -EULER, LGAMMA_1);
  }
  if (__builtin_fabs(x - 2) < 0.0625) {
    dd y = {x - 2, 0};
    return NEAR_ZERO(y, ONE_MINUS_EULER, LGAMMA_2);
  }
  // Far out the rest of the series is too small to matter; scaled, since products of double-doubles
  // must not overflow.
  if (x > 0x1p60)
    return dd_multiply_double(dd_add_double(hlo_log_dd((dd){x, 0}), -1), x * 0x1p-60).hi * 0x1p60;
  if (x >= series_begin) return lgamma_series((dd){x, 0}).hi;
  if (x < reflection_end) {
    // log |Γ(x)| = log (π / |sin πx|) - log Γ(1 - x)
    dd sine, cosine;
    half_turns(x, &sine, &cosine);
    dd rest = dd_add(hlo_log_dd(sine), lgamma_series(two_sum(1, -x)));
    return dd_add((dd){LOG_PI_1, LOG_PI_2}, dd_negate(rest)).hi;
  }
  // Γ(x) = Γ(x + n) / (x (x + 1) … (x + n - 1))
  dd shifted = {x, 0}, product = {1, 0};
  for (; shifted.hi < series_begin; shifted = dd_add_double(shifted, 1))
    product = dd_multiply(product, shifted);
  if (product.hi < 0) product = dd_negate(product);
  return dd_add(lgamma_series(shifted), dd_negate(hlo_log_dd(product))).hi;
}

double hlo_lgamma_f64(double x) {
  double result = lgamma_by_pairs(x);
  bool is_near_zero = x < 0 && __builtin_fabs(result) < least_lgamma;
  return is_near_zero ? hlo_lgamma_near_zero(x) : result;
}

// digamma x for x ≥ series_begin: log x - 1/(2x) - 1/(12x²) - …
static dd digamma_series(dd x) {
  dd inverse = dd_divide((dd){1, 0}, x);
  double square = inverse.hi * inverse.hi;
  dd rest = dd_multiply(dd_multiply(inverse, inverse), (dd){TWELFTH_1, TWELFTH_2});
  rest = dd_add_double(rest, square * square * POLYNOMIAL(DIGAMMA, square));
  rest = dd_add(rest, (dd){0.5 * inverse.hi, 0.5 * inverse.lo});
  return dd_add(hlo_log_dd(x), dd_negate(rest));
}

static double digamma_by_pairs(double x) {
  if (is_nan(x) || x == DOUBLE_INFINITY) return x;
  if (x <= 0 && __builtin_trunc(x) == x) return DOUBLE_NAN; // -∞ too
  if (x > 0x1p60) return hlo_log_f64(x);
  if (__builtin_fabs(x) < 0x1p-60) return -1 / x;
  if (__builtin_fabs(x - DIGAMMA_ZERO_1) < 0.0625) {
    dd y = dd_add_double((dd){x - DIGAMMA_ZERO_1, -DIGAMMA_ZERO_2}, 0);
    return NEAR_ZERO(y, DIGAMMA_SLOPE, DIGAMMA_NEAR_ZERO);
  }
  if (x >= series_begin) return digamma_series((dd){x, 0}).hi;
  if (x < reflection_end) {
    // ψ(x) = ψ(1 - x) - π / tan πx
    dd sine, cosine;
    half_turns(x, &sine, &cosine);
    dd cotangent = dd_multiply((dd){PI_DD_1, PI_DD_2}, dd_divide(cosine, sine));
    return dd_add(digamma_series(two_sum(1, -x)), dd_negate(cotangent)).hi;
  }
  dd shifted = {x, 0}, sum = {0, 0};
  for (; shifted.hi < series_begin; shifted = dd_add_double(shifted, 1))
    sum = dd_add(sum, dd_divide((dd){1, 0}, shifted));
  return dd_add(digamma_series(shifted), dd_negate(sum)).hi;
}

double hlo_digamma_f64(double x) {
  double result = digamma_by_pairs(x);
  double least = x < reflection_end ? least_reflected_digamma : least_digamma;
  bool is_near_zero = x < 0 && __builtin_fabs(result) < least;
  return is_near_zero ? hlo_digamma_near_zero(x) : result;
}
