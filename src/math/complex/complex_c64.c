// The float functions of complex.h: computed in double, each part rounded once; the frequent ones
// by the loops of wide_math.c.
#include "math/complex.h"

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

// Quotients that are NaN by the formula, or really.
static hlo_c64 rare_quotient(hlo_c64 z, hlo_c64 by) {
  return narrow(hlo_div_c128(widen(z), widen(by)));
}

float hlo_real_of_quotient(float a, float b, float x, float y) {
  return rare_quotient((hlo_c64){a, b}, (hlo_c64){x, y}).re;
}
float hlo_imaginary_of_quotient(float a, float b, float x, float y) {
  return rare_quotient((hlo_c64){a, b}, (hlo_c64){x, y}).im;
}

// Of each part's two products one is exact, as where a processor fuses it with the sum: XLA's bits.
hlo_c64 hlo_mul_c64(hlo_c64 a, hlo_c64 b) {
  float ii = a.im * b.im, ri = a.re * b.im;
  return (hlo_c64){(float)((double)a.re * (double)b.re - (double)ii),
                   (float)((double)a.im * (double)b.re + (double)ri)};
}

// By a modulus that overflows and loses bits where a float does, as that of double does.
hlo_c64 hlo_sign_c64_where_nan(hlo_c64 z) {
  float modulus = hlo_abs_c64(z);
  if (modulus > 0x1.fffffep127f || (modulus > 0 && modulus < 0x1p-126f))
    return (hlo_c64){z.re / modulus, z.im / modulus};
  return narrow(hlo_sign_c128(widen(z)));
}

#define WHERE_NAN(name)                                                                            \
  hlo_c64 hlo_##name##_c64_where_nan(hlo_c64 z) { return narrow(hlo_##name##_c128(widen(z))); }

BINARY(pow)
BINARY(atan2)
FROM_LOOP(sqrt)
WHERE_NAN(rsqrt)
UNARY(cbrt)
FROM_LOOP(exp)
WHERE_NAN(expm1)
FROM_LOOP(log)
WHERE_NAN(log1p)
WHERE_NAN(sin)
WHERE_NAN(cos)
WHERE_NAN(tan)
UNARY(asin)
UNARY(acos)
WHERE_NAN(sinh)
WHERE_NAN(cosh)
WHERE_NAN(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(logistic)

#define OF_TEMPLATE(id, name)                                                                      \
  FROM_LOOP(name)                                                                                  \
  float hlo_real_of_##name(float x, float y) {                                                     \
    return hlo_##name##_c64_where_nan((hlo_c64){x, y}).re;                                         \
  }                                                                                                \
  float hlo_imaginary_of_##name(float x, float y) {                                                \
    return hlo_##name##_c64_where_nan((hlo_c64){x, y}).im;                                         \
  }
HLO_COMPLEX_FUNCTIONS(OF_TEMPLATE)
