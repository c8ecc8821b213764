// The complex exponential and functions based on it: exp, expm1, hyperbolic and trigonometric
// functions, logistic. Special values follow Annex G.6 of C; trigonometric functions are hyperbolic
// ones of i z.
#include "math/complex.h"
#include "math/elementary.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

#include "math/vector/double_complex_template.h"

static hlo_c128 times_i(hlo_c128 z) { return (hlo_c128){-z.im, z.re}; }
static hlo_c128 times_minus_i(hlo_c128 z) { return (hlo_c128){z.im, -z.re}; }

// e^x · factor, also where e^x alone is out of range. |x| finite, factor about 1 or smaller.
static double exp_times(double x, double factor, int exponent) {
  x = x > 1500 ? 1500 : x;
  x = x < -1500 ? -1500 : x;
  scaled_dd e = hlo_exp_core((dd){x, 0});
  int shift = e.exponent + exponent;
  if (__builtin_fabs(factor) < 0x1p-900) { // the product shall not lose bits before it is scaled
    factor *= 0x1p200;
    shift -= 200;
  }
  double product = (e.value.hi + e.value.lo) * factor;
  if (shift > 1000) { // more than one scaling may take; the factor may be as small
    product *= 0x1p1000;
    shift -= 1000;
  }
  shift = shift < -2040 ? -2040 : shift;
  return scale_by_power(product, shift);
}

// Sine and cosine of any finite angle, relative error about 2^-57.
typedef struct direction {
  dd sine, cosine;
} direction;

static direction direction_of(double angle) {
  reduced_angle reduced = hlo_reduce_angle(angle);
  dd s = hlo_sin_core(reduced.remainder), c = hlo_cos_core(reduced.remainder);
  direction out = {quick_two_sum(s.hi, s.lo), quick_two_sum(c.hi, c.lo)};
  for (int i = 0; i < reduced.quadrant; i++) out = (direction){out.cosine, dd_negate(out.sine)};
  return out;
}

// 2 sin² (angle / 2) = 1 - cos, or with cosines 2 cos² (angle / 2) = 1 + cos.
static dd twice_square(dd half) {
  dd square = dd_multiply(half, half);
  return (dd){2 * square.hi, 2 * square.lo};
}

static dd expm1_of(double x) {
  dd e = hlo_expm1_core(x);
  return quick_two_sum(e.hi, e.lo);
}

hlo_c128 hlo_exp_c128(hlo_c128 z) {
  hlo_c128 result;
  if (one_exponent_in_range(0, z.re, z.im)) {
    one_exp_c128(0, z.re, z.im, &result.re, &result.im);
    return result;
  }
  if (z.im == 0) return (hlo_c128){hlo_exp_f64(z.re), z.im};
  if (is_infinite(z.re) && !is_finite(z.im))
    return z.re < 0 ? (hlo_c128){0, __builtin_copysign(0, z.im)} : (hlo_c128){z.re, DOUBLE_NAN};
  if (is_nan(z.re) || !is_finite(z.im)) return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
  double sine, cosine;
  hlo_sincos_f64(z.im, &sine, &cosine);
  if (is_infinite(z.re)) {
    double e = hlo_exp_f64(z.re);
    return (hlo_c128){e * cosine, e * sine};
  }
  return (hlo_c128){exp_times(z.re, cosine, 0), exp_times(z.re, sine, 0)};
}

hlo_c128 hlo_expm1_c128(hlo_c128 z) {
  if (z.im == 0) return (hlo_c128){hlo_expm1_f64(z.re), z.im};
  if (!is_finite(z.re) || !is_finite(z.im) || z.re > 40) {
    hlo_c128 e = hlo_exp_c128(z);
    return (hlo_c128){e.re - 1, e.im};
  }
  // (e^x - 1) cos y - (1 - cos y); what cancels is more exact than a double
  direction at = direction_of(z.im);
  dd rest = dd_negate(twice_square(direction_of(0.5 * z.im).sine));
  dd re = dd_add(dd_multiply(expm1_of(z.re), at.cosine), rest);
  return (hlo_c128){re.hi, hlo_exp_f64(z.re) * at.sine.hi};
}

// sinh z = sinh x cos y + i cosh x sin y and cosh z = cosh x cos y + i sinh x sin y.
typedef struct pair {
  hlo_c128 sinh, cosh;
} pair;

static pair hyperbolic_pair(hlo_c128 z) {
  if (z.im == 0) {
    // Also for NaN: the part that is zero for every number stays zero.
    double sinh_x = hlo_sinh_f64(z.re), cosh_x = hlo_cosh_f64(z.re);
    double sign = is_negative(z.re) ? -1 : 1;
    return (pair){{sinh_x, z.im}, {cosh_x, z.im * sign}};
  }
  if (!is_finite(z.im)) {
    double nan = DOUBLE_NAN;
    if (z.re == 0) return (pair){{z.re, nan}, {nan, 0}};
    if (is_infinite(z.re)) return (pair){{z.re, nan}, {DOUBLE_INFINITY, nan}};
    return (pair){{nan, nan}, {nan, nan}};
  }
  double sine, cosine;
  hlo_sincos_f64(z.im, &sine, &cosine);
  if (is_finite(z.re) && __builtin_fabs(z.re) > 40) {
    // Both are e^|x| / 2, which may be out of range where the product is not.
    double magnitude = __builtin_fabs(z.re), sign = z.re < 0 ? -1 : 1;
    double re = exp_times(magnitude, cosine, -1), im = exp_times(magnitude, sine, -1);
    return (pair){{sign * re, im}, {re, sign * im}};
  }
  double sinh_x = hlo_sinh_f64(z.re), cosh_x = hlo_cosh_f64(z.re);
  return (pair){{sinh_x * cosine, cosh_x * sine}, {cosh_x * cosine, sinh_x * sine}};
}

hlo_c128 hlo_sinh_c128(hlo_c128 z) { return hyperbolic_pair(z).sinh; }
hlo_c128 hlo_cosh_c128(hlo_c128 z) { return hyperbolic_pair(z).cosh; }
hlo_c128 hlo_sin_c128(hlo_c128 z) {
  hlo_c128 sine = times_minus_i(hlo_sinh_c128(times_i(z)));
  // Annex G leaves the sign open, StableHLO's interpreter has +∞.
  if (!is_finite(z.re) && is_infinite(z.im)) sine.im = DOUBLE_INFINITY;
  return sine;
}
hlo_c128 hlo_cos_c128(hlo_c128 z) { return hlo_cosh_c128(times_i(z)); }

// Annex G.6.2.6.
static hlo_c128 tanh_special(hlo_c128 z) {
  if (is_infinite(z.re)) {
    double zero = __builtin_copysign(0, z.im);
    if (is_finite(z.im)) {
      double sine, cosine;
      hlo_sincos_f64(z.im, &sine, &cosine);
      zero = 0 * (sine * cosine);
    }
    return (hlo_c128){__builtin_copysign(1, z.re), zero};
  }
  if (is_nan(z.re)) return (hlo_c128){z.re, z.im == 0 ? z.im : DOUBLE_NAN};
  return (hlo_c128){z.re == 0 ? z.re : DOUBLE_NAN, DOUBLE_NAN};
}

hlo_c128 hlo_tanh_c128(hlo_c128 z) {
  if (!is_finite(z.re) || !is_finite(z.im)) return tanh_special(z);
  if (__builtin_fabs(z.re) >
      22) { // 1 and the imaginary part's leading term, 4 sin y cos y e^(-2|x|)
    double sine, cosine;
    hlo_sincos_f64(z.im, &sine, &cosine);
    return (hlo_c128){__builtin_copysign(1, z.re),
                      exp_times(-2 * __builtin_fabs(z.re), sine * cosine, 2)};
  }
  // W. Kahan, "Branch cuts for complex elementary functions", 1987
  double t = hlo_tan_f64(z.im), beta = 1 + t * t, s = hlo_sinh_f64(z.re),
         rho = __builtin_sqrt(1 + s * s);
  double denominator = 1 + beta * s * s;
  return (hlo_c128){beta * rho * s / denominator, t / denominator};
}

hlo_c128 hlo_tan_c128(hlo_c128 z) { return times_minus_i(hlo_tanh_c128(times_i(z))); }

hlo_c128 hlo_logistic_c128(hlo_c128 z) {
  if (is_nan(z.re)) return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
  double x = __builtin_fabs(z.re);
  if (x < 60) {
    if (!is_finite(z.im)) return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
    // With e = e^-|x| and d = |1 + e^(-|x| + iy)|² = (1 - e)² + 2 e (1 + cos y), which is 0 only at
    // the poles: (1 + e cos y + i e sin y) / d, or e (e + cos y + i sin y) / d for negative x.
    double e = hlo_exp_f64(-x);
    direction at = direction_of(z.im);
    dd lost = dd_negate(expm1_of(-x)), gained = twice_square(direction_of(0.5 * z.im).cosine);
    double d = lost.hi * lost.hi + 2 * e * gained.hi;
    if (!is_negative(z.re)) return (hlo_c128){(lost.hi + e * gained.hi) / d, e * at.sine.hi / d};
    scaled_dd power = hlo_exp_dd((dd){-x, 0});
    double scale = power_of_two(power.exponent);
    dd exact = {power.value.hi * scale, power.value.lo * scale};
    dd sum = x > 0.5 ? dd_add(at.cosine, exact) : dd_add(gained, dd_negate(lost));
    return (hlo_c128){e * (sum.hi / d), e * (at.sine.hi / d)};
  }
  if (z.re < 0) return hlo_exp_c128(z);
  // 1 - e^-z
  hlo_c128 e = hlo_exp_c128((hlo_c128){-z.re, -z.im});
  return (hlo_c128){1 - e.re, -e.im};
}
