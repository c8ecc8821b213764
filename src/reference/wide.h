// Numbers wide enough that rounding them once is all the rounding there is: sums of two doubles
// (about 106 bits) for each part of a complex number, and integers that wrap. What overflows, and
// what is not finite, is what plain double arithmetic makes of it.
#ifndef HLO_REFERENCE_WIDE_H
#define HLO_REFERENCE_WIDE_H

#include "math/elementary/double_double.h"
#include "reference/index.h"

typedef struct hlo_wide {
  dd re, im;
  uint64_t whole; // of integers and pred
  hlo_type_class type_class;
} hlo_wide;

// The plain result where a sum of two doubles would be NaN, or lose the sign of a zero.
static inline dd hlo_wide_part(double plain, double largest_operand, dd exact) {
  bool is_plain = plain == 0 || !is_finite(plain) || __builtin_fabs(largest_operand) > 0x1p995;
  return is_plain ? (dd){plain, 0} : exact;
}

static inline dd hlo_wide_part_add(dd a, dd b) {
  double plain = a.hi + b.hi;
  if (!is_finite(plain) || (plain == 0 && a.lo == 0 && b.lo == 0)) return (dd){plain, 0};
  return dd_add(a, b);
}

static inline dd hlo_wide_part_multiply(dd a, dd b) {
  double largest = __builtin_fabs(a.hi) > __builtin_fabs(b.hi) ? a.hi : b.hi;
  return hlo_wide_part(a.hi * b.hi, largest, dd_multiply(a, b));
}

static inline dd hlo_wide_part_divide(dd a, dd b) {
  double plain = a.hi / b.hi;
  double largest = __builtin_fabs(plain) > __builtin_fabs(b.hi) ? plain : b.hi;
  return hlo_wide_part(plain, largest, dd_divide(a, b));
}

static inline hlo_wide hlo_wide_of(hlo_number n) {
  uint64_t whole = n.type_class == HLO_CLASS_SIGNED ? (uint64_t)n.i : n.u;
  return (hlo_wide){{n.re, 0}, {n.im, 0}, whole, n.type_class};
}

static inline hlo_wide hlo_wide_real(double value) {
  return (hlo_wide){.re = {value, 0}, .type_class = HLO_CLASS_FLOAT};
}

static inline hlo_number hlo_wide_round(hlo_wide x) {
  return (hlo_number){x.type_class, (int64_t)x.whole, x.whole, x.re.hi, x.im.hi};
}

static inline hlo_wide hlo_wide_at(const hlo_view *view, const int64_t *at) {
  return hlo_wide_of(hlo_number_at(view, at));
}

static inline hlo_wide hlo_wide_negate(hlo_wide a) {
  return (hlo_wide){dd_negate(a.re), dd_negate(a.im), 0 - a.whole, a.type_class};
}

// Of pred: or.
static inline hlo_wide hlo_wide_add(hlo_wide a, hlo_wide b) {
  bool truth = a.type_class == HLO_CLASS_PRED;
  if (a.type_class < HLO_CLASS_FLOAT)
    return (hlo_wide){.whole = truth ? a.whole | b.whole : a.whole + b.whole,
                      .type_class = a.type_class};
  hlo_wide sum = {.re = hlo_wide_part_add(a.re, b.re), .type_class = a.type_class};
  if (a.type_class == HLO_CLASS_COMPLEX) sum.im = hlo_wide_part_add(a.im, b.im);
  return sum;
}

static inline hlo_wide hlo_wide_subtract(hlo_wide a, hlo_wide b) {
  return hlo_wide_add(a, hlo_wide_negate(b));
}

// Of pred: and.
static inline hlo_wide hlo_wide_multiply(hlo_wide a, hlo_wide b) {
  if (a.type_class < HLO_CLASS_FLOAT)
    return (hlo_wide){.whole = a.whole * b.whole, .type_class = a.type_class};
  hlo_wide product = {.re = hlo_wide_part_multiply(a.re, b.re), .type_class = a.type_class};
  if (a.type_class != HLO_CLASS_COMPLEX) return product;
  product.re = hlo_wide_part_add(product.re, dd_negate(hlo_wide_part_multiply(a.im, b.im)));
  product.im =
      hlo_wide_part_add(hlo_wide_part_multiply(a.re, b.im), hlo_wide_part_multiply(a.im, b.re));
  return product;
}

// Of real numbers.
static inline hlo_wide hlo_wide_divide(hlo_wide a, hlo_wide b) {
  return (hlo_wide){.re = hlo_wide_part_divide(a.re, b.re), .type_class = a.type_class};
}

// Of a real number that is not negative.
static inline hlo_wide hlo_wide_root(hlo_wide a) {
  return (hlo_wide){.re = hlo_wide_part(__builtin_sqrt(a.re.hi), 0, dd_sqrt(a.re)),
                    .type_class = HLO_CLASS_FLOAT};
}

#endif
