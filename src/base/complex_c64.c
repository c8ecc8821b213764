// The float functions of complex.h: computed in double, each part rounded once. Multiplication is
// plain float arithmetic like that of double.
#include "base/complex.h"

static hlo_c128 widen(hlo_c64 z) { return (hlo_c128){z.re, z.im}; }
static hlo_c64 narrow(hlo_c128 z) { return (hlo_c64){(float)z.re, (float)z.im}; }

#define UNARY(name)                                                                                \
  hlo_c64 hlo_##name##_c64(hlo_c64 z) { return narrow(hlo_##name##_c128(widen(z))); }
#define BINARY(name)                                                                               \
  hlo_c64 hlo_##name##_c64(hlo_c64 a, hlo_c64 b) {                                                 \
    return narrow(hlo_##name##_c128(widen(a), widen(b)));                                          \
  }

// Squares of floats are exact in double, and neither overflow nor vanish there.
float hlo_abs_c64(hlo_c64 z) {
  float re = __builtin_fabsf(z.re), im = __builtin_fabsf(z.im), infinity = __builtin_inff();
  if (re == infinity || im == infinity) return infinity;
  return (float)__builtin_sqrt((double)re * re + (double)im * im);
}

// Of each part's two products one is exact, as where a processor fuses it with the sum: XLA's bits.
hlo_c64 hlo_mul_c64(hlo_c64 a, hlo_c64 b) {
  float ii = a.im * b.im, ri = a.re * b.im;
  return (hlo_c64){(float)((double)a.re * (double)b.re - (double)ii),
                   (float)((double)a.im * (double)b.re + (double)ri)};
}

BINARY(div)
BINARY(pow)
BINARY(atan2)
UNARY(sign)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(cbrt)
UNARY(exp)
UNARY(expm1)
UNARY(log)
UNARY(log1p)
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(logistic)
