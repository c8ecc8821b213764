// The float functions of complex.h: computed in double, each part rounded once; the frequent ones
// by the loops of wide_math.c.
#include "base/complex.h"

static hlo_c128 widen(hlo_c64 z) { return (hlo_c128){z.re, z.im}; }
static hlo_c64 narrow(hlo_c128 z) { return (hlo_c64){(float)z.re, (float)z.im}; }

#define UNARY(name)                                                                                \
  hlo_c64 hlo_##name##_c64(hlo_c64 z) { return narrow(hlo_##name##_c128(widen(z))); }
#define BINARY(name)                                                                               \
  hlo_c64 hlo_##name##_c64(hlo_c64 a, hlo_c64 b) {                                                 \
    return narrow(hlo_##name##_c128(widen(a), widen(b)));                                          \
  }

float hlo_abs_c64(hlo_c64 z) {
  float result;
  hlo_abs_c64_loop(&result, &z, 1);
  return result;
}

#define FROM_LOOP(name)                                                                            \
  hlo_c64 hlo_##name##_c64(hlo_c64 z) {                                                            \
    hlo_##name##_c64_loop(&z, &z, 1);                                                              \
    return z;                                                                                      \
  }

hlo_c64 hlo_div_c64(hlo_c64 a, hlo_c64 b) {
  hlo_div_c64_loop(&a, &a, &b, 1);
  return a;
}

// Of each part's two products one is exact, as where a processor fuses it with the sum: XLA's bits.
hlo_c64 hlo_mul_c64(hlo_c64 a, hlo_c64 b) {
  float ii = a.im * b.im, ri = a.re * b.im;
  return (hlo_c64){(float)((double)a.re * (double)b.re - (double)ii),
                   (float)((double)a.im * (double)b.re + (double)ri)};
}

// By a modulus that overflows and loses bits where a float does, as that of double does.
hlo_c64 hlo_sign_c64(hlo_c64 z) {
  float modulus = hlo_abs_c64(z);
  if (modulus > 0x1.fffffep127f || (modulus > 0 && modulus < 0x1p-126f))
    return (hlo_c64){z.re / modulus, z.im / modulus};
  return narrow(hlo_sign_c128(widen(z)));
}

BINARY(pow)
BINARY(atan2)
FROM_LOOP(sqrt)
UNARY(rsqrt)
UNARY(cbrt)
FROM_LOOP(exp)
UNARY(expm1)
FROM_LOOP(log)
UNARY(log1p)
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(logistic)
