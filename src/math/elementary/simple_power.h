// Powers that are roots, quotients and products, so that generated code may compute those where it
// knows the exponent (codegen/graph/value_pointwise.c), with the same bits.
#ifndef HLO_MATH_ELEMENTARY_SIMPLE_POWER_H
#define HLO_MATH_ELEMENTARY_SIMPLE_POWER_H

#include <stdbool.h>

// x^y for y of 1/2, -1 and 2, one rounding each; if `several`, also for -1/2, 3/2 and 3, which in
// double are exact enough for floats. False for other exponents.
static inline bool simple_power(double x, double y, bool several, double *out) {
  double base = x == -__builtin_inf() ? __builtin_inf() : x + 0; // pow(-inf, 1/2) = inf, of -0 +0
  if (y == 0.5) *out = __builtin_sqrt(base);
  else if (y == -1) *out = 1 / x;
  else if (y == 2) *out = x * x;
  else if (several && y == -0.5) *out = 1 / __builtin_sqrt(base);
  else if (several && y == 1.5) *out = base * __builtin_sqrt(base);
  else if (several && y == 3) *out = x * x * x;
  else return false;
  return true;
}

#endif
