// The functions of double_complex_template.h, quotients and moduli, as loops over c128.
#include "math/complex/four_complex.h"

// Those that are left out one by one.
static __attribute__((noinline)) parts patch(parts value, f64x4 in_range,
                                             hlo_c128 (*function)(hlo_c128), parts x) {
  for (int i = 0; i < 4; i++) {
    if (((bits4)in_range)[i] != 0) continue;
    hlo_c128 own = function((hlo_c128){x.re[i], x.im[i]});
    value.re[i] = own.re;
    value.im[i] = own.im;
  }
  return value;
}

#define DEFINE(id, name, range)                                                                    \
  static inline parts four_##name(unknown_zero c, parts x, parts y) {                              \
    parts value;                                                                                   \
    wide_##name##_c128(c, x.re, x.im, &value.re, &value.im);                                       \
    f64x4 in_range = wide_##range(c, x.re, x.im);                                                  \
    return any_lane(WM_NOT(in_range)) ? patch(value, in_range, hlo_##name##_c128, x) : value;      \
  }                                                                                                \
  void hlo_##name##_c128_loop(hlo_c128 *r, const hlo_c128 *x, int64_t n) {                         \
    fours(four_##name, r, x, x, n);                                                                \
  }
HLO_DOUBLE_COMPLEX_FUNCTIONS(DEFINE)

static inline parts four_div(unknown_zero c, parts x, parts y) {
  parts value;
  wide_divide_c128(c, x.re, x.im, y.re, y.im, &value.re, &value.im);
  bits4 in_range = (bits4)wide_quotient_in_range(c, x.re, x.im, y.re, y.im);
  for (int i = 0; i < 4 && any_lane(WM_NOT((f64x4)in_range)); i++) {
    if (in_range[i] != 0) continue;
    hlo_c128 own = hlo_div_c128((hlo_c128){x.re[i], x.im[i]}, (hlo_c128){y.re[i], y.im[i]});
    value.re[i] = own.re;
    value.im[i] = own.im;
  }
  return value;
}
void hlo_div_c128_loop(hlo_c128 *r, const hlo_c128 *x, const hlo_c128 *y, int64_t n) {
  fours(four_div, r, x, y, n);
}

void hlo_abs_c128_loop(double *r, const hlo_c128 *x, int64_t n) {
  const unknown_zero c = {always_zero};
  for (int64_t i = 0; i < n; i += 4) {
    hlo_c128 four[4] = {{0}};
    size_t count = n - i < 4 ? (size_t)(n - i) : 4;
    memcpy(four, x + i, count * sizeof *x);
    parts z = load_parts(four);
    f64x4 value = wide_hypot_f64(c, z.re, z.im);
    memcpy(r + i, &value, count * sizeof *r);
  }
}

// --- parts of single numbers ---

#define DEFINE_PARTS(id, name, range)                                                              \
  double hlo_real_of_##name##_c128(double x, double y) {                                           \
    return hlo_##name##_c128((hlo_c128){x, y}).re;                                                 \
  }                                                                                                \
  double hlo_imaginary_of_##name##_c128(double x, double y) {                                      \
    return hlo_##name##_c128((hlo_c128){x, y}).im;                                                 \
  }
HLO_DOUBLE_COMPLEX_FUNCTIONS(DEFINE_PARTS)
double hlo_real_of_quotient_c128(double a, double b, double x, double y) {
  return hlo_div_c128((hlo_c128){a, b}, (hlo_c128){x, y}).re;
}
double hlo_imaginary_of_quotient_c128(double a, double b, double x, double y) {
  return hlo_div_c128((hlo_c128){a, b}, (hlo_c128){x, y}).im;
}
