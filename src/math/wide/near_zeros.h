// Values of lgamma, digamma and zeta next to their zeros to the left of 0, where large terms
// cancel: in fixed point, rounded once. Some tens of microseconds each, for callers that have seen
// a small result. Formulas as in gamma.c and zeta.c.
#ifndef HLO_MATH_WIDE_NEAR_ZEROS_H
#define HLO_MATH_WIDE_NEAR_ZEROS_H

#include "math/elementary/double_double.h"

// For x < 0 that is no integer, |x| < 2^52.
double hlo_lgamma_near_zero(double x);
double hlo_digamma_near_zero(double x);

// For q < 0 that is no integer, and an integer s from 2 to 40; not rounded, for polygamma.
dd hlo_zeta_near_zero(int s, double q);

#endif
