// e^x and what is made of it: exp, expm1, sinh, cosh, tanh, logistic in double.
// x is split into k log 2 + r (W. J. Cody, W. Waite, "Software Manual for the Elementary
// Functions", 1980), e^r is a polynomial, and the leading terms are summed without error so that
// little more than the last rounding remains.
#include "base/elementary.h"
#include "base/elementary_coefficients.h"
#include "base/elementary_cores.h"

// x - k log 2, and the k that leaves |r| ≤ (log 2) / 2.
static dd reduce_by_log2(dd x, int *exponent) {
  double k = round_to_integer(x.hi * LOG2_E);
  *exponent = nearest_int(x.hi * LOG2_E);
  dd r = two_sum(x.hi - k * LN2_1, -(k * LN2_2)); // the first difference is exact
  return quick_two_sum(r.hi, r.lo + x.lo);
}

// r² with 26 bits more than a double has; not normalised, hi has only half a double's.
static dd square_of(double r) {
  double upper = upper_half(r);
  return (dd){upper * upper, (r - upper) * (r + upper)};
}

// e^(r.hi + r.lo) for |r| ≤ 0.3467; not normalised.
static dd exp_of_remainder(dd r) {
  dd square = square_of(r.hi);
  dd head = quick_two_sum(1, r.hi), sum = quick_two_sum(head.hi, 0.5 * square.hi);
  double tail = r.hi * r.hi * r.hi * POLYNOMIAL(EXP, r.hi) + (r.lo + r.hi * r.lo);
  return (dd){sum.hi, (sum.lo + head.lo) + (0.5 * square.lo + tail)};
}

scaled_dd hlo_exp_core(dd x) {
  int exponent;
  dd r = reduce_by_log2(x, &exponent);
  return (scaled_dd){exp_of_remainder(r), exponent};
}

scaled_dd hlo_exp_dd(dd x) {
  int exponent;
  dd r = reduce_by_log2(x, &exponent);
  // 1 + (r + r² (1/2 + r (1/6 + r P(r))))
  dd sum = dd_add_double((dd){SIXTH_1, SIXTH_2}, r.hi * POLYNOMIAL(EXP_DD, r.hi));
  sum = dd_add_double(dd_multiply(sum, r), 0.5);
  sum = dd_add(r, dd_multiply(dd_multiply(r, r), sum));
  return (scaled_dd){dd_add_double(sum, 1), exponent};
}

// Beyond these e^x overflows, or rounds to 0; between them hlo_exp_core and scale_by_power work.
static double clamp_exponent(double x) {
  x = x > 711 ? 711 : x;
  return x < -747 ? -747 : x;
}

double hlo_exp_f64(double x) {
  scaled_dd e = hlo_exp_core((dd){clamp_exponent(x), 0});
  return scale_by_power(e.value.hi + e.value.lo, e.exponent);
}

dd hlo_expm1_core(double x) {
  double magnitude = __builtin_fabs(x);
  if (!(magnitude >= 0x1p-54)) return (dd){x, 0 * x}; // keeps the sign of 0
  if (magnitude < 0.3465) {
    dd square = square_of(x), sum = quick_two_sum(x, 0.5 * square.hi);
    return (dd){sum.hi, sum.lo + (0.5 * square.lo + x * x * x * POLYNOMIAL(EXP, x))};
  }
  scaled_dd e = hlo_exp_core((dd){clamp_exponent(x), 0});
  if (e.exponent > 60) return (dd){scale_by_power(e.value.hi + e.value.lo, e.exponent), 0};
  if (e.exponent < -60) return (dd){-1, 0};
  double power = power_of_two(e.exponent);
  dd sum = two_sum(e.value.hi * power, -1);
  return (dd){sum.hi, sum.lo + e.value.lo * power};
}

double hlo_expm1_f64(double x) {
  dd sum = hlo_expm1_core(x);
  return sum.hi + sum.lo;
}

// e^x + sign · e^-x for 0.3 < x < 100, not normalised.
static dd exp_pair(double x, double sign) {
  scaled_dd e = hlo_exp_core((dd){x, 0});
  dd up =
      quick_two_sum(e.value.hi * power_of_two(e.exponent), e.value.lo * power_of_two(e.exponent));
  dd down = dd_divide((dd){1, 0}, up);
  dd sum = two_sum(up.hi, sign * down.hi);
  return (dd){sum.hi, sum.lo + (up.lo + sign * down.lo)};
}

// e^x / 2, which overflows later than e^x. x > 0.
static double half_exp(double x) {
  scaled_dd e = hlo_exp_core((dd){clamp_exponent(x), 0});
  return scale_by_power(e.value.hi + e.value.lo, e.exponent - 1);
}

double hlo_sinh_f64(double x) {
  double magnitude = __builtin_fabs(x), square = x * x;
  if (magnitude < 0x1p-27) return x;
  if (magnitude < 0.35) return x + x * square * POLYNOMIAL(SINH, square);
  if (magnitude > 40) return __builtin_copysign(half_exp(magnitude), x);
  dd sum = exp_pair(magnitude, -1);
  return __builtin_copysign(0.5 * (sum.hi + sum.lo), x);
}

double hlo_cosh_f64(double x) {
  double magnitude = __builtin_fabs(x);
  if (magnitude > 40) return half_exp(magnitude);
  dd sum = exp_pair(magnitude, 1);
  return 0.5 * (sum.hi + sum.lo);
}

double hlo_tanh_f64(double x) {
  double magnitude = __builtin_fabs(x), square = x * x;
  if (magnitude < 0x1p-27) return x;
  if (magnitude < 0.35) return x + x * square * POLYNOMIAL(TANH, square);
  if (magnitude > 20) return __builtin_copysign(1, x);
  // tanh x = 1 - 2 / (e^2x + 1)
  scaled_dd e = hlo_exp_core((dd){2 * magnitude, 0});
  double power = power_of_two(e.exponent);
  dd sum = two_sum(e.value.hi * power, 1);
  dd quotient = dd_divide((dd){2, 0}, quick_two_sum(sum.hi, sum.lo + e.value.lo * power));
  dd result = quick_two_sum(1, -quotient.hi);
  return __builtin_copysign(result.hi + (result.lo - quotient.lo), x);
}

double hlo_logistic_f64(double x) {
  if (is_nan(x)) return x;
  // With e = e^-|x| no term overflows: 1 / (1 + e), or e / (1 + e) for negative x.
  scaled_dd e = hlo_exp_core((dd){clamp_exponent(-__builtin_fabs(x)), 0});
  double power =
      power_of_two(e.exponent < -200 ? -200 : e.exponent); // then no longer felt beside 1
  dd sum = quick_two_sum(1, e.value.hi * power);
  sum = quick_two_sum(sum.hi, sum.lo + e.value.lo * power);
  dd numerator = x < 0 ? quick_two_sum(e.value.hi, e.value.lo) : (dd){1, 0};
  dd result = dd_divide(numerator, sum);
  return scale_by_power(result.hi, x < 0 ? e.exponent : 0);
}
