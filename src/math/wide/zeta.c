// The Hurwitz zeta function and the polygamma functions of double. For q > 0 the terms of the
// series up to where the Euler–Maclaurin formula converges fast, all in double-double (Abramowitz
// and Stegun, 23.2 and 6.4.10); for q < 0 three such sums.
//
// Where no number is, XLA's CPU backend is followed: zeta(1, q) = +inf for every q; at poles (q =
// 0, -1, …, -inf) +inf for even s and NaN else; NaN for s < 1, for infinite s or q, and for q < 0
// unless s is an integer.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/wide/near_zeros.h"

// From here on, and from 2s on, the Euler–Maclaurin formula serves.
static const double series_begin = 16;
// Beyond it n! is taken for infinite.
static const double largest_factorial = 3000;
// Powers beyond e^±22000 are not computed: their exponent stands for any beyond.
enum { FAR_EXPONENT = 1 << 20 };

// x · 2^exponent with two roundings when the result is subnormal; any exponent.
static double scale_far(double x, int exponent) {
  exponent = exponent > 2044 ? 2044 : exponent < -2044 ? -2044 : exponent;
  return scale_by_power(x, exponent);
}

static dd dd_scale(dd x, int exponent) {
  return (dd){scale_far(x.hi, exponent), scale_far(x.lo, exponent)};
}

// a + b, whose exponents may be far apart.
static scaled_dd scaled_add(scaled_dd a, scaled_dd b) {
  if (a.exponent < b.exponent) return scaled_add(b, a);
  return (scaled_dd){dd_add(a.value, dd_scale(b.value, b.exponent - a.exponent)), a.exponent};
}

// base^-s. base and s positive and finite. Only the exponent counts where it is ±FAR_EXPONENT.
static scaled_dd inverse_power(dd base, double s) {
  bool is_subnormal = base.hi < 0x1p-1000;
  dd scaled = is_subnormal ? (dd){base.hi * 0x1p100, base.lo * 0x1p100} : base;
  dd logarithm = hlo_log_dd(scaled);
  if (is_subnormal) logarithm = dd_add(logarithm, (dd){-100 * LN2_DD_1, -100 * LN2_DD_2});
  if (logarithm.hi == 0) return (scaled_dd){{1, 0}, 0};
  double estimate = -s * logarithm.hi;
  if (__builtin_fabs(estimate) > 22000)
    return (scaled_dd){{1, 0}, estimate > 0 ? FAR_EXPONENT : -FAR_EXPONENT};
  // Exponents as large as hlo_exp_dd does not take come off first.
  double thousands = round_to_integer(estimate * (0x1p-10 * LOG2_E));
  dd far = dd_multiply_double((dd){LN2_DD_1, LN2_DD_2}, -1024 * thousands);
  scaled_dd power = hlo_exp_dd(dd_add(dd_multiply_double(logarithm, -s), far));
  return (scaled_dd){power.value, power.exponent + 1024 * (int)thousands};
}

// sum over k ≥ 0 of (a + k)^-s, divided by a^-s: a / (s - 1) + 1/2 + s / (12a) - …
static dd tail_of_series(double s, dd a) {
  dd result = dd_add_double(dd_divide(a, (dd){s - 1, 0}), 0.5);
  double factor = s / a.hi, rest = 0;
  for (int j = 0; j < (int)(sizeof EULER_MACLAURIN / sizeof *EULER_MACLAURIN); j++) {
    rest += EULER_MACLAURIN[j] * factor;
    factor *= (s + 2 * j + 1) / a.hi * ((s + 2 * j + 2) / a.hi);
  }
  return dd_add_double(result, rest);
}

// zeta(s, q) for s > 1 and q > 0, both finite.
static scaled_dd zeta_of_positive(double s, dd q) {
  if (q.hi > 0x1p200) { // q^(1 - s) / (s - 1); other terms are too small
    scaled_dd integral = inverse_power(q, s - 1);
    return (scaled_dd){dd_divide(integral.value, (dd){s - 1, 0}), integral.exponent};
  }
  scaled_dd term = inverse_power(q, s), total = {{0, 0}, term.exponent};
  if (term.exponent == FAR_EXPONENT || term.exponent == -FAR_EXPONENT) return term;
  for (int k = 0;; k++) {
    dd a = dd_add_double(q, k);
    if (k > 0) term = inverse_power(a, s);
    dd value = dd_scale(term.value, term.exponent - total.exponent);
    if (value.hi < total.value.hi * 0x1p-75) return total;
    if (a.hi >= series_begin && a.hi >= 2 * s) {
      total.value = dd_add(total.value, dd_multiply(value, tail_of_series(s, a)));
      return total;
    }
    total.value = dd_add(total.value, value);
  }
}

static bool is_integer(double x) { return is_finite(x) && __builtin_trunc(x) == x; }

static bool is_even(double x) { // of an integer
  return __builtin_fabs(x) >= 0x1p53 || ((int64_t)x & 1) == 0;
}

// zeta(s, q) for an integer s > 1 and q < 0 that is none. With n the terms below 0 and f = q + n:
// zeta(s, f) + (-1)^s zeta(s, 1 - f) - (-1)^s zeta(s, 1 - f + n). The first two may cancel.
static scaled_dd zeta_of_negative(double s, double q) {
  double n = -__builtin_floor(q);
  dd f = two_sum(n, q), rest = {-q - (n - 1), 0}; // exact: both have q's last bit
  scaled_dd above = zeta_of_positive(s, f), below = zeta_of_positive(s, rest);
  scaled_dd beyond = zeta_of_positive(s, two_sum(1, -q));
  if (is_even(s)) beyond.value = dd_negate(beyond.value);
  else below.value = dd_negate(below.value);
  scaled_dd sum = scaled_add(scaled_add(above, below), beyond);
  // The error is some 2^-70 of the larger term.
  double size = scale_far(above.value.hi, above.exponent),
         value = scale_far(sum.value.hi, sum.exponent);
  if (s > 40 || __builtin_fabs(value) > size * 0x1p-12) return sum;
  // Where the two cancel exactly, only the last one, which fixed point may not resolve, is left.
  dd near = hlo_zeta_near_zero((int)s, q);
  return __builtin_fabs(near.hi) < 0x1p-120 ? sum : (scaled_dd){near, 0};
}

// What zeta gives where it is no finite number: false where it is one.
static bool is_special(double s, double q, double *result) {
  *result = s == 1 ? DOUBLE_INFINITY : DOUBLE_NAN;
  if (s == 1 || is_nan(s) || is_nan(q)) return true;
  bool is_pole = q <= 0 && (is_infinite(q) || is_integer(q));
  if (is_pole && is_integer(s) && is_even(s)) *result = DOUBLE_INFINITY;
  return is_pole || s < 1 || is_infinite(s) || is_infinite(q) || (q < 0 && !is_integer(s));
}

static scaled_dd zeta(double s, double q) {
  return q > 0 ? zeta_of_positive(s, (dd){q, 0}) : zeta_of_negative(s, q);
}

double hlo_zeta_f64(double s, double q) {
  double special;
  if (is_special(s, q, &special)) return special;
  scaled_dd z = zeta(s, q);
  return scale_far(z.value.hi, z.exponent);
}

static scaled_dd factorial(double n) {
  scaled_dd product = {{1, 0}, 0};
  for (double k = 2; k <= n; k++) {
    product.value = dd_multiply_double(product.value, k);
    if (product.value.hi < 0x1p100) continue;
    product.value = dd_scale(product.value, -100);
    product.exponent += 100;
  }
  return product;
}

// (-1)^(n + 1) n! zeta(n + 1, x)
double hlo_polygamma_f64(double n, double x) {
  double special;
  if (n == 0) return hlo_digamma_f64(x);
  if (!is_integer(n) || n < 0) return DOUBLE_NAN;
  if (is_special(n + 1, x, &special)) return special;
  scaled_dd z = zeta(n + 1, x);
  scaled_dd f = {{1, 0}, FAR_EXPONENT};
  if (n <= largest_factorial) f = factorial(n);
  else if (z.exponent == -FAR_EXPONENT) return DOUBLE_NAN;
  double product = scale_far(dd_multiply(f.value, z.value).hi, f.exponent + z.exponent);
  return is_even(n) ? -product : product;
}
