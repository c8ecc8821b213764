// e^x and e^x - 1 in double-double, for the functions that are made of them.
// x is split into k log 2 + r (W. J. Cody, W. Waite, "Software Manual for the Elementary
// Functions", 1980), e^r is a polynomial, and the leading terms are summed without error.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

// The k that exp_reduce leaves in shifted's lowest 16 bits; of NaN a harmless number.
static int low_bits(double shifted) { return (int16_t)(uint16_t)bits_of_double(shifted); }

scaled_dd hlo_exp_core(dd x) {
  double shifted, low, high = one_exp_sum_of_pair(0, x.hi, x.lo, &shifted, &low);
  return (scaled_dd){{high, low}, low_bits(shifted)};
}

scaled_dd hlo_exp_dd(dd x) {
  double shifted, low, rest = one_exp_reduce(0, x.hi, &shifted, &low);
  dd r = quick_two_sum(rest, low + x.lo);
  // 1 + (r + r² (1/2 + r (1/6 + r P(r))))
  dd sum = dd_add_double((dd){SIXTH_1, SIXTH_2}, r.hi * POLYNOMIAL(EXP_DD, r.hi));
  sum = dd_add_double(dd_multiply(sum, r), 0.5);
  sum = dd_add(r, dd_multiply(dd_multiply(r, r), sum));
  return (scaled_dd){dd_add_double(sum, 1), low_bits(shifted)};
}

dd hlo_expm1_core(double x) {
  if (!(__builtin_fabs(x) >= 0x1p-54)) return (dd){x, 0 * x}; // keeps the sign of 0
  double low, half = one_expm1_over(0, one_clamp(0, x, -60, 709.79), 1, &low);
  return (dd){half + half, low + low};
}
