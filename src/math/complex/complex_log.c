// The complex logarithm and the functions based on it: log, log1p, pow, cbrt, atan2, and the
// inverse trigonometric and hyperbolic functions, these by W. Kahan, "Branch cuts for complex
// elementary functions", 1987.
#include "math/complex.h"
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

#include "math/vector/double_complex_template.h"

static hlo_c128 times_i(hlo_c128 z) { return (hlo_c128){-z.im, z.re}; }
static hlo_c128 times_minus_i(hlo_c128 z) { return (hlo_c128){z.im, -z.re}; }
static bool is_finite_complex(hlo_c128 z) { return is_finite(z.re) && is_finite(z.im); }
static double larger(double a, double b) {
  return a > b || is_nan(b) ? a : b;
} // a number, if one is
static double larger_part(hlo_c128 z) { return larger(__builtin_fabs(z.re), __builtin_fabs(z.im)); }

// The power of two that brings a positive finite number to about 1, and the number.
static int exponent_of(double x) {
  int shift = x < 0x1p-1022 ? 54 : 0;
  return (int)(bits_of_double(shift != 0 ? x * 0x1p54 : x) >> 52) - 1023 - shift;
}

// |z|² · 2^(-2 exponent) for finite z that is not 0, between 1 and 8.
static dd scaled_square(hlo_c128 z, int *exponent) {
  *exponent = exponent_of(larger_part(z));
  double re = scale_by_power(z.re, -*exponent), im = scale_by_power(z.im, -*exponent);
  return dd_add(two_product(re, re), two_product(im, im));
}

// log |z| for finite z that is not 0, to about 2^-60.
static dd log_modulus(hlo_c128 z) {
  int exponent;
  dd square = scaled_square(z, &exponent), result = hlo_log_core(square, 2 * exponent);
  return (dd){0.5 * result.hi, 0.5 * result.lo};
}

hlo_c128 hlo_log_c128(hlo_c128 z) {
  hlo_c128 result;
  if (one_logarithm_in_range(0, z.re, z.im)) {
    one_log_c128(0, z.re, z.im, &result.re, &result.im);
    return result;
  }
  double angle = hlo_atan2_f64(z.im, z.re);
  if (z.re == 0 && z.im == 0) return (hlo_c128){-DOUBLE_INFINITY, angle};
  if (is_finite_complex(z)) return (hlo_c128){log_modulus(z).hi, angle};
  return (hlo_c128){hlo_hypot_f64(z.re, z.im), angle}; // infinite if either part is, else NaN
}

hlo_c128 hlo_log1p_c128(hlo_c128 z) {
  dd sum = two_sum(1, z.re), imaginary = two_product(z.im, z.im);
  double angle = hlo_atan2_f64(z.im, sum.hi);
  if (larger_part(z) < 0.5) { // |1 + z|² - 1 = x (2 + x) + y²
    dd square = dd_add(dd_multiply_double(two_sum(2, z.re), z.re), imaginary);
    return (hlo_c128){0.5 * hlo_log1p_core(square).hi, angle};
  }
  if (sum.lo == 0 || !(larger_part(z) < 0x1p30)) return hlo_log_c128((hlo_c128){sum.hi, z.im});
  return (hlo_c128){0.5 * hlo_log_core(dd_add(dd_multiply(sum, sum), imaginary), 0).hi, angle};
}

// The angle of z ≠ 0 finite in the upper half plane as a double-double; for the sign of z.im the
// caller answers.
static dd angle_of(hlo_c128 z) {
  int exponent = exponent_of(larger_part(z));
  double re = scale_by_power(__builtin_fabs(z.re), -exponent),
         im = scale_by_power(__builtin_fabs(z.im), -exponent);
  dd angle;
  if (re < 0x1p-400) angle = (dd){HALF_PI_DD_1, HALF_PI_DD_2};
  else if (im < 0x1p-400) angle = (dd){im / re, 0};
  else angle = hlo_angle_core((dd){im, 0}, (dd){re, 0});
  return is_negative(z.re) ? dd_add((dd){2 * HALF_PI_DD_1, 2 * HALF_PI_DD_2}, dd_negate(angle))
                           : angle;
}

// e^(modulus + i angle) with both to more bits than a double has.
static hlo_c128 exp_of_pair(dd modulus, dd angle) {
  // Farther out all is out of range but the signs.
  if (modulus.hi > 1400) modulus = (dd){1400, 0};
  if (modulus.hi < -1400) modulus = (dd){-1400, 0};
  scaled_dd e = hlo_exp_dd(modulus);
  reduced_angle reduced = hlo_reduce_angle(angle.hi);
  dd r = dd_add_double(reduced.remainder, angle.lo), s = hlo_sin_core(r), c = hlo_cos_core(r);
  double sine = s.hi + s.lo, cosine = c.hi + c.lo;
  hlo_c128 direction = {cosine, sine};
  for (int i = 0; i < reduced.quadrant; i++) direction = times_i(direction);
  return (hlo_c128){scale_by_power(e.value.hi * direction.re, e.exponent),
                    scale_by_power(e.value.hi * direction.im, e.exponent)};
}

hlo_c128 hlo_pow_c128(hlo_c128 a, hlo_c128 b) {
  if (b.re == 0 && b.im == 0) return (hlo_c128){1, 0};
  if (a.re == 0 && a.im == 0) {
    double result = b.re > 0 ? 0 : DOUBLE_NAN;
    return (hlo_c128){result, result};
  }
  if (!is_finite_complex(a) || !is_finite_complex(b) || larger_part(b) > 0x1p40)
    return hlo_exp_c128(hlo_mul_c128(b, hlo_log_c128(a)));
  int exponent;
  dd square = scaled_square(a, &exponent), modulus = hlo_log_dd(square);
  modulus = dd_add((dd){0.5 * modulus.hi, 0.5 * modulus.lo},
                   dd_multiply_double((dd){LN2_DD_1, LN2_DD_2}, exponent));
  dd angle = angle_of(a);
  if (is_negative(a.im)) angle = dd_negate(angle);
  dd re = dd_add(dd_multiply_double(modulus, b.re), dd_negate(dd_multiply_double(angle, b.im)));
  dd im = dd_add(dd_multiply_double(modulus, b.im), dd_multiply_double(angle, b.re));
  return exp_of_pair(re, im);
}

hlo_c128 hlo_cbrt_c128(hlo_c128 z) {
  if (z.re == 0 && z.im == 0) return z;
  if (!is_finite_complex(z)) {
    hlo_c128 logarithm = hlo_log_c128(z);
    return hlo_exp_c128((hlo_c128){logarithm.re / 3, logarithm.im / 3});
  }
  int third = (exponent_of(larger_part(z)) + 3072) / 3 - 1024;
  hlo_c128 scaled = {scale_by_power(z.re, -3 * third), scale_by_power(z.im, -3 * third)};
  double root = hlo_cbrt_f64(hlo_hypot_f64(scaled.re, scaled.im)), sine, cosine;
  if (__builtin_fabs(z.im) < 0x1p-100 * z.re) { // the angle may be too small for a double
    root = scale_by_power(root, third);
    return (hlo_c128){root, z.im * (root / z.re / 3)};
  }
  hlo_sincos_f64(hlo_atan2_f64(z.im, z.re) / 3, &sine, &cosine);
  return (hlo_c128){scale_by_power(root * cosine, third), scale_by_power(root * sine, third)};
}

// √(1 - z) and √(1 + z); the parts' signs tell the sides of the cuts apart.
static hlo_c128 root_of_one_minus(hlo_c128 z) { return hlo_sqrt_c128((hlo_c128){1 - z.re, -z.im}); }
static hlo_c128 root_of_one_plus(hlo_c128 z) { return hlo_sqrt_c128((hlo_c128){1 + z.re, z.im}); }

// Where squares are infinite beside 1: log 2|z|, also for infinite z.
static bool is_far(hlo_c128 z) { return larger_part(z) > 0x1p500; }
static double log_twice_modulus(hlo_c128 z) {
  if (!is_finite_complex(z)) return hlo_hypot_f64(z.re, z.im);
  return dd_add(log_modulus(z), (dd){LN2_DD_1, LN2_DD_2}).hi;
}

hlo_c128 hlo_asin_c128(hlo_c128 z) {
  if (z.re == 0 && is_nan(z.im)) return z;
  if (is_far(z)) {
    double re = hlo_atan2_f64(z.re, __builtin_fabs(z.im));
    return (hlo_c128){re, __builtin_copysign(log_twice_modulus(z), z.im)};
  }
  hlo_c128 minus = root_of_one_minus(z), plus = root_of_one_plus(z);
  double re = hlo_atan2_f64(z.re, minus.re * plus.re - minus.im * plus.im);
  return (hlo_c128){re, hlo_asinh_f64(minus.re * plus.im - minus.im * plus.re)};
}

hlo_c128 hlo_acos_c128(hlo_c128 z) {
  if (z.re == 0 && is_nan(z.im)) return (hlo_c128){HALF_PI_DD_1, z.im};
  if (is_far(z)) {
    double re = hlo_atan2_f64(__builtin_fabs(z.im), z.re);
    return (hlo_c128){re, __builtin_copysign(log_twice_modulus(z), is_negative(z.im) ? 1 : -1)};
  }
  hlo_c128 minus = root_of_one_minus(z), plus = root_of_one_plus(z);
  double re = 2 * hlo_atan2_f64(minus.re, plus.re);
  return (hlo_c128){re, hlo_asinh_f64(plus.re * minus.im - plus.im * minus.re)};
}

hlo_c128 hlo_asinh_c128(hlo_c128 z) { return times_minus_i(hlo_asin_c128(times_i(z))); }

hlo_c128 hlo_acosh_c128(hlo_c128 z) {
  // acosh z = ± i acos z, with the sign that makes the real part positive.
  hlo_c128 w = hlo_acos_c128(z);
  if (is_nan(w.im)) return (hlo_c128){w.im, w.re};
  return is_negative(w.im) ? (hlo_c128){-w.im, w.re} : (hlo_c128){w.im, -w.re};
}

hlo_c128 hlo_atanh_c128(hlo_c128 z) {
  double x = __builtin_fabs(z.re), y = z.im;
  if (is_nan(x) && !is_infinite(y)) return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
  if (is_nan(y) && !is_infinite(x)) return (hlo_c128){x == 0 ? z.re : DOUBLE_NAN, y};
  if (is_far(z)) { // the real part is that of 1 / z
    double re = is_finite_complex(z) ? hlo_div_c128((hlo_c128){1, 0}, (hlo_c128){x, y}).re : 0;
    return (hlo_c128){__builtin_copysign(re, z.re),
                      is_nan(y) ? y : __builtin_copysign(HALF_PI_DD_1, y)};
  }
  double re, side = 1 - x;
  if (x == 1 && __builtin_fabs(y) < 0x1p-100) // y² may be 0: log √(2 / |y|)
    re = y == 0 ? DOUBLE_INFINITY : 0.5 * (LN2_DD_1 - hlo_log_f64(__builtin_fabs(y)));
  else re = 0.25 * hlo_log1p_f64(4 * x / (side * side + y * y));
  double im = 0.5 * hlo_atan2_f64(2 * y, side * (1 + x) - y * y);
  return (hlo_c128){__builtin_copysign(re, z.re), im};
}

// Where one argument is real, atan2 is this: exact at infinities, poles and on the imaginary axis.
static hlo_c128 atan_c128(hlo_c128 z) { return times_minus_i(hlo_atanh_c128(times_i(z))); }

// A complex number of double-doubles, times 2^exponent.
typedef struct complex_dd {
  dd re, im;
  int exponent;
} complex_dd;

// a + b and c + d, not both 0, brought to about 1.
static complex_dd sums(double a, double b, double c, double d) {
  dd re = two_sum(a, b), im = two_sum(c, d);
  int exponent = exponent_of(larger(__builtin_fabs(re.hi), __builtin_fabs(im.hi)));
  return (complex_dd){{scale_by_power(re.hi, -exponent), scale_by_power(re.lo, -exponent)},
                      {scale_by_power(im.hi, -exponent), scale_by_power(im.lo, -exponent)},
                      exponent};
}

// a · b + c · d.
static dd sum_of_products(dd a, dd b, dd c, dd d) {
  return dd_add(dd_multiply(a, b), dd_multiply(c, d));
}
static dd exact_sum_of_products(double a, double b, double c, double d) {
  return dd_add(two_product(a, b), two_product(c, d));
}

// log(|v| / |w|) / 2 for the difference of |v|² and |w|², which may be small.
static double half_log_of_ratio(const complex_dd *v, const complex_dd *w, dd difference) {
  if (difference.hi < 0) return -half_log_of_ratio(w, v, dd_negate(difference));
  dd square = sum_of_products(w->re, w->re, w->im, w->im);
  if (v->exponent - w->exponent > 1) {
    dd larger_square = sum_of_products(v->re, v->re, v->im, v->im);
    dd logarithm = hlo_log_core(square, 2 * w->exponent);
    return 0.25 * dd_add(hlo_log_core(larger_square, 2 * v->exponent), dd_negate(logarithm)).hi;
  }
  double unit = power_of_two(2 * w->exponent);
  dd ratio = dd_divide(difference, (dd){square.hi * unit, square.lo * unit});
  return __builtin_copysign(0.25 * hlo_log1p_core(ratio).hi, difference.hi);
}

// The angle of (re, im), between 0 and π: im's sign does not count.
static dd angle_above(dd re, dd im) {
  dd width = re.hi < 0 ? dd_negate(re) : re, height = im.hi < 0 ? dd_negate(im) : im, angle;
  if (width.hi < 0x1p-400) angle = (dd){HALF_PI_DD_1, HALF_PI_DD_2};
  else if (height.hi < 0x1p-400) angle = (dd){height.hi / width.hi, 0};
  else angle = hlo_angle_core(height, width);
  return re.hi < 0 ? dd_add((dd){2 * HALF_PI_DD_1, 2 * HALF_PI_DD_2}, dd_negate(angle)) : angle;
}

// a · b as a number of about 1 times 2^exponent.
static dd product_of_any(double a, double b, int *exponent) {
  int a_exponent = exponent_of(__builtin_fabs(a)), b_exponent = exponent_of(__builtin_fabs(b));
  *exponent = a == 0 || b == 0 ? -5000 : a_exponent + b_exponent;
  return two_product(scale_by_power(a, -a_exponent), scale_by_power(b, -b_exponent));
}

// Less than 0, 0 or more, as x.re x.im + y.re y.im is: also where that is negligible against the
// squares.
static double side_of_cut(hlo_c128 x, hlo_c128 y) {
  int x_exponent, y_exponent;
  dd a = product_of_any(x.re, x.im, &x_exponent), b = product_of_any(y.re, y.im, &y_exponent);
  int gap = x_exponent - y_exponent;
  if (gap > 200 || gap < -200) return gap > 0 ? a.hi : b.hi;
  double unit = power_of_two(-gap);
  return dd_add(a, (dd){b.hi * unit, b.lo * unit}).hi;
}

// The direction of √(wv), for w v = x² + y². On the cut it is up, and the sign of the imaginary
// part of x² + y², which rounding must not change, says which side of it is meant.
static hlo_c128 root_direction(const complex_dd *w, const complex_dd *v, hlo_c128 x, hlo_c128 y) {
  double side = side_of_cut(x, y);
  double im = w->re.hi * v->im.hi + w->im.hi * v->re.hi;
  return hlo_sqrt_c128((hlo_c128){w->re.hi * v->re.hi - w->im.hi * v->im.hi,
                                  side == 0 ? 0 : __builtin_copysign(im, side)});
}

// With w = x + iy and v = x - iy: -i log(w / √(wv)). Its imaginary part is log(|v| / |w|) / 2, its
// real part half the angle of w v*, or half a turn from that.
hlo_c128 hlo_atan2_c128(hlo_c128 y, hlo_c128 x) {
  bool is_ratio = x.im == 0 && x.re > 0 && x.re < DOUBLE_INFINITY; // atan2 is atan(y / x)
  if (is_ratio && x.re == 1) return atan_c128(y);
  if (y.im == 0 && x.im == 0) return (hlo_c128){hlo_atan2_f64(y.re, x.re), is_ratio ? y.im : 0};
  bool is_pole = (x.re == y.im && x.im == -y.re) || (x.re == -y.im && x.im == y.re);
  if (is_ratio && (is_pole || !is_finite_complex(y)))
    return atan_c128((hlo_c128){y.re / x.re, y.im / x.re});
  if (is_pole || !is_finite_complex(x) || !is_finite_complex(y))
    return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
  int exponent = exponent_of(larger(larger_part(x), larger_part(y)));
  hlo_c128 given[] = {x, y};
  x = (hlo_c128){scale_by_power(x.re, -exponent), scale_by_power(x.im, -exponent)};
  y = (hlo_c128){scale_by_power(y.re, -exponent), scale_by_power(y.im, -exponent)};
  complex_dd w = sums(x.re, -y.im, x.im, y.re), v = sums(x.re, y.im, x.im, -y.re);
  dd difference = exact_sum_of_products(4 * x.re, y.im, -4 * x.im, y.re);
  double im = half_log_of_ratio(&v, &w, difference);
  dd across = exact_sum_of_products(2 * x.re, y.re, 2 * x.im, y.im); // of w v*
  dd along = sum_of_products(w.re, v.re, w.im, v.im);
  int unit = -(w.exponent + v.exponent);
  across = (dd){scale_by_power(across.hi, unit), scale_by_power(across.lo, unit)};
  dd angle = angle_above(along, across);
  angle = (dd){0.5 * angle.hi, 0.5 * angle.lo};
  // The result's cosine is x / √(wv), its sine y / √(wv): the larger one's sign shows the half
  // turn.
  hlo_c128 root = root_direction(&w, &v, given[0], given[1]);
  bool is_turned = along.hi < 0 ? (y.re * root.re + y.im * root.im < 0) != is_negative(across.hi)
                                : x.re * root.re + x.im * root.im < 0;
  if (is_turned) angle = dd_add(angle, (dd){-2 * HALF_PI_DD_1, -2 * HALF_PI_DD_2});
  return (hlo_c128){is_negative(across.hi) ? -angle.hi : angle.hi, im};
}
