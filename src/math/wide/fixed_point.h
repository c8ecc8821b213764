// Numbers with 64 bits before the binary point and 192 after it, for the few values that doubles,
// and pairs of them, do not resolve: where large terms cancel. A sign and a magnitude; what lies
// below 2^-192 is cut off, and nothing may reach 2^63. Slow: a product takes sixteen of 64 bits.
#ifndef HLO_MATH_WIDE_FIXED_POINT_H
#define HLO_MATH_WIDE_FIXED_POINT_H

#include <stdbool.h>
#include <stdint.h>

enum { HLO_FIXED_LIMBS = 4, HLO_FIXED_FRACTION = 192 };

typedef struct hlo_fixed {
  uint64_t limbs[HLO_FIXED_LIMBS]; // of the magnitude times 2^192, the least significant first
  bool is_negative;
} hlo_fixed;

extern const hlo_fixed hlo_fixed_pi;

// Exact for 2^-139 ≤ |x| < 2^63.
hlo_fixed hlo_fixed_of(double x);
// Rounded to nearest; |x| is 0 or a normal number.
double hlo_fixed_to_double(const hlo_fixed *x);

hlo_fixed hlo_fixed_negate(hlo_fixed x);
hlo_fixed hlo_fixed_add(hlo_fixed a, hlo_fixed b);
hlo_fixed hlo_fixed_multiply(hlo_fixed a, hlo_fixed b);
// x · numerator / denominator, with |numerator| · |x| below 2^63.
hlo_fixed hlo_fixed_scale(hlo_fixed x, int64_t numerator, int64_t denominator);
hlo_fixed hlo_fixed_reciprocal(hlo_fixed x); // of 2^-50 ≤ |x|
hlo_fixed hlo_fixed_log(hlo_fixed x);        // of x > 0
// sin x and cos x for |x| ≤ 2.
void hlo_fixed_sincos(hlo_fixed x, hlo_fixed *sine, hlo_fixed *cosine);

#endif
