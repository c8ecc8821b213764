// Complex multiplication, division, modulus, sign and square roots in double.
#include "math/complex.h"
#include "math/elementary.h"
#include "math/elementary/double_double.h"
#include "math/elementary/single_number.h"

#include "math/vector/double_complex_template.h"

static bool is_infinite_complex(hlo_c128 z) { return is_infinite(z.re) || is_infinite(z.im); }
static double larger(double a, double b) { return a > b ? a : b; }

// The exponent of the larger part (of what may be subnormal -1022), for finite z.
static int exponent_of(hlo_c128 z) {
  double magnitude = larger(__builtin_fabs(z.re), __builtin_fabs(z.im));
  int exponent = (int)(bits_of_double(magnitude) >> 52) - 1023;
  return exponent < -1022 ? -1022 : exponent;
}

static hlo_c128 scale(hlo_c128 z, int exponent) {
  return (hlo_c128){scale_by_power(z.re, exponent), scale_by_power(z.im, exponent)};
}

double hlo_abs_c128(hlo_c128 z) { return hlo_hypot_f64(z.re, z.im); }

// Quotients that are not finite, as C's Annex G requires: z / 0 = ∞, ∞ / z = ∞, z / ∞ = 0.
static hlo_c128 divide_special(hlo_c128 a, hlo_c128 b) {
  if (b.re == 0 && b.im == 0 && !(is_nan(a.re) && is_nan(a.im))) {
    double infinity = __builtin_copysign(DOUBLE_INFINITY, b.re);
    return (hlo_c128){infinity * a.re, infinity * a.im};
  }
  if (is_infinite_complex(a) && is_finite(b.re) && is_finite(b.im)) {
    double re = __builtin_copysign(is_infinite(a.re) ? 1 : 0, a.re);
    double im = __builtin_copysign(is_infinite(a.im) ? 1 : 0, a.im);
    return (hlo_c128){DOUBLE_INFINITY * (re * b.re + im * b.im),
                      DOUBLE_INFINITY * (im * b.re - re * b.im)};
  }
  if (is_infinite_complex(b) && is_finite(a.re) && is_finite(a.im)) {
    double re = __builtin_copysign(is_infinite(b.re) ? 1 : 0, b.re);
    double im = __builtin_copysign(is_infinite(b.im) ? 1 : 0, b.im);
    return (hlo_c128){0 * (a.re * re + a.im * im), 0 * (a.im * re - a.re * im)};
  }
  return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
}

hlo_c128 hlo_div_c128(hlo_c128 a, hlo_c128 b) {
  hlo_c128 result;
  if (one_quotient_in_range(0, a.re, a.im, b.re, b.im)) {
    one_divide_c128(0, a.re, a.im, b.re, b.im, &result.re, &result.im);
    return result;
  }
  bool is_ordinary = is_finite(a.re) && is_finite(a.im) && is_finite(b.re) && is_finite(b.im) &&
                     (b.re != 0 || b.im != 0);
  if (!is_ordinary) return divide_special(a, b);
  // Twice, because a subnormal number scaled by its exponent alone stays small.
  int up = exponent_of(a), down = exponent_of(b);
  a = scale(a, -up), b = scale(b, -down);
  int more = exponent_of(b);
  b = scale(b, -more), down += more;
  double square = b.re * b.re + b.im * b.im; // between 1 and 8
  hlo_c128 quotient = {one_sum_of_products(0, a.re, b.re, a.im, b.im) / square,
                       one_sum_of_products(0, a.im, b.re, -a.re, b.im) / square};
  int shift = up - down, limit = shift > 2000 ? 2000 : shift < -2000 ? -2000 : shift;
  return scale(quotient, limit);
}

hlo_c128 hlo_sign_c128(hlo_c128 z) {
  if (z.re == 0 && z.im == 0) return z;
  double modulus = hlo_abs_c128(z);
  return (hlo_c128){z.re / modulus, z.im / modulus};
}

// Roots of infinities and NaN (Annex G.6.4.2).
static hlo_c128 sqrt_special(hlo_c128 z) {
  if (is_infinite(z.im)) return (hlo_c128){DOUBLE_INFINITY, z.im};
  if (!is_infinite(z.re)) return (hlo_c128){DOUBLE_NAN, DOUBLE_NAN};
  double other = is_nan(z.im) ? z.im : 0;
  if (z.re > 0) return (hlo_c128){z.re, __builtin_copysign(other, z.im)};
  return (hlo_c128){other, __builtin_copysign(DOUBLE_INFINITY, z.im)};
}

// √z / 2^half for finite z that is not 0, and |z| / 4^half, which is about 1.
static hlo_c128 scaled_root(hlo_c128 z, int *half, double *modulus) {
  // By an even power of two to about 1; subnormal numbers twice.
  *half = exponent_of(z) >> 1;
  z = scale(z, -2 * *half);
  int more = exponent_of(z) >> 1;
  z = scale(z, -2 * more), *half += more;
  *modulus = hlo_abs_c128(z);
  // The larger part is √((|z| + |re|) / 2), without cancellation; the parts' product is im / 2.
  double large = __builtin_sqrt(0.5 * (*modulus + __builtin_fabs(z.re)));
  double small = 0.5 * __builtin_fabs(z.im) / large;
  double re = z.re >= 0 ? large : small, im = z.re >= 0 ? small : large;
  return (hlo_c128){re, __builtin_copysign(im, z.im)};
}

hlo_c128 hlo_sqrt_c128(hlo_c128 z) {
  hlo_c128 result;
  if (one_root_in_range(0, z.re, z.im)) { // 0, too
    one_sqrt_c128(0, z.re, z.im, &result.re, &result.im);
    return result;
  }
  if (!is_finite(z.re) || !is_finite(z.im)) return sqrt_special(z);
  int half;
  double modulus;
  hlo_c128 root = scale(scaled_root(z, &half, &modulus), half);
  if (__builtin_fabs(z.im) >= __builtin_fabs(z.re)) return root;
  // The smaller part again from the argument itself, whose imaginary part scaling may have lost.
  double large = z.re >= 0 ? root.re : __builtin_fabs(root.im);
  double small = __builtin_fabs(z.im) / (2 * large);
  if (z.re >= 0) root.im = __builtin_copysign(small, z.im);
  else root.re = small;
  return root;
}

hlo_c128 hlo_rsqrt_c128(hlo_c128 z) {
  if (z.re == 0 && z.im == 0) return (hlo_c128){DOUBLE_INFINITY, DOUBLE_NAN};
  if (!is_finite(z.re) || !is_finite(z.im)) return hlo_div_c128((hlo_c128){1, 0}, hlo_sqrt_c128(z));
  int half;
  double modulus;
  hlo_c128 root = scaled_root(z, &half, &modulus); // 1 / √z = conj √z / |z|
  return scale((hlo_c128){root.re / modulus, -root.im / modulus}, -half);
}
