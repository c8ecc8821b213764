// Implements fixed_point.h by schoolbook arithmetic, Newton's iteration and Taylor series.
#include "math/wide/fixed_point.h"

#include "base/bits.h"

__extension__ typedef unsigned __int128 uint128;

const hlo_fixed hlo_fixed_pi = {{UINT64_C(0xa4093822299f31d0), UINT64_C(0x13198a2e03707344),
                                 UINT64_C(0x243f6a8885a308d3), UINT64_C(0x0000000000000003)},
                                false};
static const hlo_fixed ln2 = {{UINT64_C(0x40f343267298b62d), UINT64_C(0xc9e3b39803f2f6af),
                               UINT64_C(0xb17217f7d1cf79ab), UINT64_C(0x0000000000000000)},
                              false};

static bool is_zero(const hlo_fixed *x) {
  return (x->limbs[0] | x->limbs[1] | x->limbs[2] | x->limbs[3]) == 0;
}

// The place of the magnitude's first bit: 0 is that of 2^-192; -1 for 0.
static int top_bit(const hlo_fixed *x) {
  for (int i = HLO_FIXED_LIMBS - 1; i >= 0; i--) {
    if (x->limbs[i] != 0) return 64 * i + 63 - __builtin_clzll(x->limbs[i]);
  }
  return -1;
}

// x · 2^by; bits beyond either end are lost.
static hlo_fixed shift(hlo_fixed x, int by) {
  hlo_fixed out = {{0}, x.is_negative};
  for (int to = 0; to < HLO_FIXED_LIMBS; to++) {
    int from = 64 * to - by; // the bit that comes to this limb's first
    int limb = from >> 6, bit = from & 63;
    uint64_t low = limb >= 0 && limb < HLO_FIXED_LIMBS ? x.limbs[limb] : 0;
    uint64_t high = limb >= -1 && limb < HLO_FIXED_LIMBS - 1 ? x.limbs[limb + 1] : 0;
    out.limbs[to] = bit == 0 ? low : low >> bit | high << (64 - bit);
  }
  return out;
}

hlo_fixed hlo_fixed_of(double x) {
  uint64_t bits = bits_of_double(x), field = bits >> 52 & 0x7ff;
  if (field == 0) return (hlo_fixed){{0}, false};
  hlo_fixed mantissa = {{(bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52}, bits >> 63 != 0};
  return shift(mantissa, (int)field - 1075 + HLO_FIXED_FRACTION);
}

double hlo_fixed_to_double(const hlo_fixed *x) {
  int top = top_bit(x);
  if (top < 0) return 0;
  // The first 64 bits, the last of which says whether any follow: conversion rounds once.
  hlo_fixed first = shift(*x, 255 - top);
  bool has_rest = (first.limbs[0] | first.limbs[1] | first.limbs[2]) != 0;
  double value = (double)(first.limbs[3] | (uint64_t)has_rest);
  value *= double_of_bits((uint64_t)(top - 63 - HLO_FIXED_FRACTION + 1023) << 52);
  return x->is_negative ? -value : value;
}

hlo_fixed hlo_fixed_negate(hlo_fixed x) {
  x.is_negative = !x.is_negative;
  return x;
}

static bool is_less(const hlo_fixed *a, const hlo_fixed *b) { // in magnitude
  for (int i = HLO_FIXED_LIMBS - 1; i >= 0; i--) {
    if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i];
  }
  return false;
}

hlo_fixed hlo_fixed_add(hlo_fixed a, hlo_fixed b) {
  if (is_less(&a, &b)) return hlo_fixed_add(b, a);
  bool is_difference = a.is_negative != b.is_negative;
  uint64_t carry = is_difference;
  for (int i = 0; i < HLO_FIXED_LIMBS; i++) {
    uint128 sum = (uint128)a.limbs[i] + (is_difference ? ~b.limbs[i] : b.limbs[i]) + carry;
    a.limbs[i] = (uint64_t)sum, carry = (uint64_t)(sum >> 64);
  }
  return a;
}

hlo_fixed hlo_fixed_multiply(hlo_fixed a, hlo_fixed b) {
  uint64_t product[2 * HLO_FIXED_LIMBS] = {0};
  for (int i = 0; i < HLO_FIXED_LIMBS; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < HLO_FIXED_LIMBS; j++) {
      uint128 sum = (uint128)a.limbs[i] * b.limbs[j] + product[i + j] + carry;
      product[i + j] = (uint64_t)sum, carry = (uint64_t)(sum >> 64);
    }
    product[i + HLO_FIXED_LIMBS] = carry;
  }
  hlo_fixed out = {{0}, a.is_negative != b.is_negative};
  for (int i = 0; i < HLO_FIXED_LIMBS; i++) out.limbs[i] = product[i + HLO_FIXED_FRACTION / 64];
  return out;
}

hlo_fixed hlo_fixed_scale(hlo_fixed x, int64_t numerator, int64_t denominator) {
  uint64_t factor = numerator < 0 ? -(uint64_t)numerator : (uint64_t)numerator;
  uint64_t divisor = denominator < 0 ? -(uint64_t)denominator : (uint64_t)denominator, carry = 0;
  for (int i = 0; i < HLO_FIXED_LIMBS; i++) {
    uint128 product = (uint128)x.limbs[i] * factor + carry;
    x.limbs[i] = (uint64_t)product, carry = (uint64_t)(product >> 64);
  }
  uint64_t rest = 0;
  for (int i = HLO_FIXED_LIMBS - 1; i >= 0; i--) {
    uint128 dividend = (uint128)rest << 64 | x.limbs[i];
    x.limbs[i] = (uint64_t)(dividend / divisor), rest = (uint64_t)(dividend % divisor);
  }
  x.is_negative ^= (numerator < 0) != (denominator < 0);
  return x;
}

// Newton's iteration doubles the 50 bits of a double's reciprocal twice.
hlo_fixed hlo_fixed_reciprocal(hlo_fixed x) {
  hlo_fixed out = hlo_fixed_of(1 / hlo_fixed_to_double(&x)), two = hlo_fixed_of(2);
  for (int i = 0; i < 3; i++) {
    hlo_fixed product = hlo_fixed_multiply(x, out);
    out = hlo_fixed_multiply(out, hlo_fixed_add(two, hlo_fixed_negate(product)));
  }
  return out;
}

// log (m 2^k) = k log 2 + 2 artanh ((m - 1) / (m + 1)), with m between 3/4 and 3/2.
hlo_fixed hlo_fixed_log(hlo_fixed x) {
  int exponent = top_bit(&x) - HLO_FIXED_FRACTION;
  hlo_fixed m = shift(x, -exponent);
  if (m.limbs[2] >> 63 != 0) m = shift(x, -++exponent);
  hlo_fixed one = hlo_fixed_of(1), below = hlo_fixed_add(m, hlo_fixed_negate(one));
  hlo_fixed t = hlo_fixed_multiply(below, hlo_fixed_reciprocal(hlo_fixed_add(m, one)));
  hlo_fixed square = hlo_fixed_multiply(t, t), sum = t;
  for (int k = 3; !is_zero(&t); k += 2) {
    t = hlo_fixed_multiply(t, square);
    sum = hlo_fixed_add(sum, hlo_fixed_scale(t, 1, k));
  }
  return hlo_fixed_add(hlo_fixed_scale(ln2, exponent, 1), shift(sum, 1));
}

void hlo_fixed_sincos(hlo_fixed x, hlo_fixed *sine, hlo_fixed *cosine) {
  hlo_fixed square = hlo_fixed_negate(hlo_fixed_multiply(x, x)), term = hlo_fixed_of(1);
  *cosine = term, *sine = x;
  for (int k = 1; !is_zero(&term); k += 2) {
    term = hlo_fixed_scale(hlo_fixed_multiply(term, square), 1, k * (k + 1));
    *cosine = hlo_fixed_add(*cosine, term);
    *sine = hlo_fixed_add(*sine, hlo_fixed_scale(hlo_fixed_multiply(term, x), 1, k + 2));
  }
}
