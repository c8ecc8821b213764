// Closed intervals of integers, and the divisions that round down. INT64_MIN and INT64_MAX stand
// for "no bound"; everything saturates there, so that an interval is never too small.
#ifndef HLO_INDEXING_MAPS_INTERVAL_H
#define HLO_INDEXING_MAPS_INTERVAL_H

#include "base/checked.h"

typedef struct hlo_interval {
  int64_t lower, upper; // both inside; lower > upper: empty
} hlo_interval;

static inline hlo_interval hlo_interval_make(int64_t lower, int64_t upper) {
  return (hlo_interval){lower, upper};
}
static inline hlo_interval hlo_interval_unbounded(void) {
  return (hlo_interval){INT64_MIN, INT64_MAX};
}
static inline bool hlo_interval_is_empty(hlo_interval a) { return a.lower > a.upper; }
static inline bool hlo_interval_is_point(hlo_interval a) { return a.lower == a.upper; }
static inline bool hlo_interval_is_unbounded(hlo_interval a) {
  return a.lower == INT64_MIN && a.upper == INT64_MAX;
}
static inline bool hlo_interval_equal(hlo_interval a, hlo_interval b) {
  return a.lower == b.lower && a.upper == b.upper;
}
static inline bool hlo_interval_has(hlo_interval a, int64_t value) {
  return a.lower <= value && value <= a.upper;
}
// All of b lies in a.
static inline bool hlo_interval_contains(hlo_interval a, hlo_interval b) {
  return a.lower <= b.lower && b.upper <= a.upper;
}
// All of a is less than all of b; no more than it.
static inline bool hlo_interval_is_below(hlo_interval a, hlo_interval b) {
  return a.upper < b.lower;
}
static inline bool hlo_interval_is_at_most(hlo_interval a, hlo_interval b) {
  return a.upper <= b.lower;
}
// The least interval that has both.
static inline hlo_interval hlo_interval_hull(hlo_interval a, hlo_interval b) {
  return (hlo_interval){a.lower < b.lower ? a.lower : b.lower,
                        a.upper > b.upper ? a.upper : b.upper};
}
// Of the greater and the lesser of x and y.
static inline hlo_interval hlo_interval_maximum(hlo_interval a, hlo_interval b) {
  return (hlo_interval){a.lower > b.lower ? a.lower : b.lower,
                        a.upper > b.upper ? a.upper : b.upper};
}
static inline hlo_interval hlo_interval_minimum(hlo_interval a, hlo_interval b) {
  return (hlo_interval){a.lower < b.lower ? a.lower : b.lower,
                        a.upper < b.upper ? a.upper : b.upper};
}
static inline hlo_interval hlo_interval_intersect(hlo_interval a, hlo_interval b) {
  return (hlo_interval){a.lower > b.lower ? a.lower : b.lower,
                        a.upper < b.upper ? a.upper : b.upper};
}

// Quotient rounded towards minus infinity, and what remains (with the sign of b). b is not 0; the
// one quotient that does not fit saturates.
static inline int64_t hlo_floor_div(int64_t a, int64_t b) {
  if (b == -1) return a == INT64_MIN ? INT64_MAX : -a;
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
static inline int64_t hlo_floor_mod(int64_t a, int64_t b) {
  if (b == -1) return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
// The same rounded up.
static inline int64_t hlo_ceil_div(int64_t a, int64_t b) {
  int64_t quotient = hlo_floor_div(a, b);
  return hlo_floor_mod(a, b) == 0 ? quotient : quotient + 1;
}

// Not negative, except that both being INT64_MIN or 0 may give INT64_MIN, which no caller asks.
static inline int64_t hlo_gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = b == -1 ? 0 : a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? hlo_floor_div(a, -1) : a;
}

static inline int64_t hlo_saturating_add(int64_t a, int64_t b) {
  int64_t sum;
  if (hlo_checked_add(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}
static inline int64_t hlo_saturating_mul(int64_t a, int64_t b) {
  int64_t product;
  if (hlo_checked_mul(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

// A bound that says nothing stays one.
static inline int64_t hlo_lower_add(int64_t a, int64_t b) {
  return a == INT64_MIN || b == INT64_MIN ? INT64_MIN : hlo_saturating_add(a, b);
}
static inline int64_t hlo_upper_add(int64_t a, int64_t b) {
  return a == INT64_MAX || b == INT64_MAX ? INT64_MAX : hlo_saturating_add(a, b);
}
static inline hlo_interval hlo_interval_add(hlo_interval a, hlo_interval b) {
  return (hlo_interval){hlo_lower_add(a.lower, b.lower), hlo_upper_add(a.upper, b.upper)};
}
static inline int64_t hlo_bound_negate(int64_t a) {
  return a == INT64_MIN ? INT64_MAX : a == INT64_MAX ? INT64_MIN : -a;
}
static inline hlo_interval hlo_interval_negate(hlo_interval a) {
  return (hlo_interval){hlo_bound_negate(a.upper), hlo_bound_negate(a.lower)};
}
static inline hlo_interval hlo_interval_shift(hlo_interval a, int64_t by) {
  return hlo_interval_add(a, hlo_interval_make(by, by));
}

static inline int64_t hlo_bound_scale(int64_t a, int64_t factor) { // factor ≥ 0
  if (factor == 0) return 0;
  return a == INT64_MIN || a == INT64_MAX ? a : hlo_saturating_mul(a, factor);
}
static inline hlo_interval hlo_interval_scale(hlo_interval a, int64_t factor) {
  if (factor == INT64_MIN) return hlo_interval_unbounded();
  if (factor < 0) return hlo_interval_negate(hlo_interval_scale(a, -factor));
  return (hlo_interval){hlo_bound_scale(a.lower, factor), hlo_bound_scale(a.upper, factor)};
}

// Of x floordiv divisor, divisor > 0.
static inline hlo_interval hlo_interval_floordiv(hlo_interval a, int64_t divisor) {
  return (hlo_interval){a.lower == INT64_MIN ? INT64_MIN : hlo_floor_div(a.lower, divisor),
                        a.upper == INT64_MAX ? INT64_MAX : hlo_floor_div(a.upper, divisor)};
}
// All x with x floordiv divisor in a, divisor > 0.
static inline hlo_interval hlo_interval_undo_floordiv(hlo_interval a, int64_t divisor) {
  return (hlo_interval){
      hlo_bound_scale(a.lower, divisor),
      hlo_upper_add(hlo_bound_scale(a.upper, divisor), a.upper == INT64_MAX ? 0 : divisor - 1)};
}
// All x with x * factor in a; factor is not 0.
static inline hlo_interval hlo_interval_undo_scale(hlo_interval a, int64_t factor) {
  if (factor == INT64_MIN) return hlo_interval_unbounded();
  if (factor < 0) return hlo_interval_undo_scale(hlo_interval_negate(a), -factor);
  return (hlo_interval){a.lower == INT64_MIN ? INT64_MIN : hlo_ceil_div(a.lower, factor),
                        a.upper == INT64_MAX ? INT64_MAX : hlo_floor_div(a.upper, factor)};
}

// All numbers with and without a sign of so many bits, up to 62; whether a has no others.
static inline hlo_interval hlo_interval_signed(int32_t bits) {
  return (hlo_interval){-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1};
}
static inline hlo_interval hlo_interval_unsigned(int32_t bits) {
  return (hlo_interval){0, ((int64_t)1 << bits) - 1};
}
static inline bool hlo_interval_is_signed(hlo_interval a, int32_t bits) {
  return hlo_interval_contains(hlo_interval_signed(bits), a);
}
static inline bool hlo_interval_is_unsigned(hlo_interval a, int32_t bits) {
  return hlo_interval_contains(hlo_interval_unsigned(bits), a);
}
// Of x | y and x ^ y, x & y, of numbers of up to 62 bits: none has more bits than both.
static inline hlo_interval hlo_interval_or(hlo_interval a, hlo_interval b) {
  hlo_interval both = hlo_interval_hull(a, b);
  int32_t bits = both.lower < 0 ? 1 : 0;
  if (both.lower >= 0) {
    while (!hlo_interval_is_unsigned(both, bits)) bits++;
    return hlo_interval_unsigned(bits);
  }
  while (!hlo_interval_is_signed(both, bits)) bits++;
  return hlo_interval_signed(bits);
}
static inline hlo_interval hlo_interval_and(hlo_interval a, hlo_interval b) {
  if (a.lower < 0 && b.lower < 0) return hlo_interval_or(a, b);
  if (a.lower < 0) return (hlo_interval){0, b.upper};
  return (hlo_interval){0, b.lower < 0 || a.upper < b.upper ? a.upper : b.upper};
}

// Of x * y.
static inline hlo_interval hlo_interval_multiply(hlo_interval a, hlo_interval b) {
  if (hlo_interval_is_point(a)) return hlo_interval_scale(b, a.lower);
  if (hlo_interval_is_point(b)) return hlo_interval_scale(a, b.lower);
  if (a.lower == INT64_MIN || a.upper == INT64_MAX || b.lower == INT64_MIN || b.upper == INT64_MAX)
    return a.lower >= 0 && b.lower >= 0
               ? hlo_interval_make(hlo_saturating_mul(a.lower, b.lower), INT64_MAX)
               : hlo_interval_unbounded();
  int64_t corners[4] = {hlo_saturating_mul(a.lower, b.lower), hlo_saturating_mul(a.lower, b.upper),
                        hlo_saturating_mul(a.upper, b.lower), hlo_saturating_mul(a.upper, b.upper)};
  hlo_interval all = {corners[0], corners[0]};
  for (int i = 1; i < 4; i++) {
    if (corners[i] < all.lower) all.lower = corners[i];
    if (corners[i] > all.upper) all.upper = corners[i];
  }
  return all;
}

#endif
