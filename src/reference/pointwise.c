// The value columns of ops.def, taken literally: every integer is computed in 64 bits and wrapped
// to its width, floats in f32 (those that are narrower) or f64, complex numbers in their own type.
// This is one reading of the words that ops.def is written in; the kernels have another.
#include "math/complex.h"
#include "math/elementary.h"
#include "reference/operation.h"

// --- results: whatever type an expression of ops.def has, as a number ---

static hlo_number of_signed(int64_t x) {
  return (hlo_number){.i = x, .u = (uint64_t)x, .re = (double)x};
}
static hlo_number of_unsigned(uint64_t x) {
  return (hlo_number){.i = (int64_t)x, .u = x, .re = (double)x};
}
static hlo_number of_double(double x) { return (hlo_number){.re = x}; }
static hlo_number of_c64(hlo_c64 x) { return (hlo_number){.re = x.re, .im = x.im}; }
static hlo_number of_c128(hlo_c128 x) { return (hlo_number){.re = x.re, .im = x.im}; }
#define NUMBER_OF(...)                                                                             \
  _Generic((__VA_ARGS__),                                                                          \
      uint64_t: of_unsigned,                                                                       \
      float: of_double,                                                                            \
      double: of_double,                                                                           \
      hlo_c64: of_c64,                                                                             \
      hlo_c128: of_c128,                                                                           \
      default: of_signed)(__VA_ARGS__)

// Where an operation is not defined for a class its operand stands: inference lets nobody ask.
#define NA (a)

// --- integers ---

static uint64_t low_bits(uint64_t x, int32_t bits) { return x << (64 - bits) >> (64 - bits); }
static int64_t extended(uint64_t x, int32_t bits) {
  return (int64_t)(x << (64 - bits)) >> (64 - bits);
}
static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) result *= exponent & 1 ? base : 1;
  return result;
}

#define U(x)        ((uint64_t)(x))
#define PATTERN(x)  low_bits(U(x), bits)
#define ABS_WRAP(a) ((a) < 0 ? WRAP(0 - U(a)) : (a))
#define POPCNT(a)   WRAP(__builtin_popcountll(PATTERN(a)))
#define CLZ(a)      WRAP((a) == 0 ? bits : __builtin_clzll(PATTERN(a)) - (64 - bits))
// Division by zero gives all ones and leaves the dividend as the remainder; the least number by -1
// wraps.
#define SDIV(a, b)   ((b) == 0 ? WRAP(-1) : (b) == -1 ? WRAP(0 - U(a)) : (a) / (b))
#define UDIV(a, b)   ((b) == 0 ? WRAP(-1) : (a) / (b))
#define SREM(a, b)   ((b) == 0 ? (a) : (b) == -1 ? 0 : (a) % (b))
#define UREM(a, b)   ((b) == 0 ? (a) : (a) % (b))
#define SMULHI(a, b) WRAP((__int128)(a) * (b) >> bits)
#define UMULHI(a, b) WRAP((unsigned __int128)(a) * (b) >> bits)
// A negative exponent gives the reciprocal, rounded towards zero.
#define SPOW(a, b)                                                                                 \
  ((b) >= 0 ? WRAP(power(U(a), U(b))) : (a) == 1 ? 1 : (a) == -1 ? ((b) & 1 ? -1 : 1) : 0)
#define UPOW(a, b) WRAP(power(a, b))
// Counts are unsigned; from the width on nothing is left but the sign.
#define SHL(a, b) (U(b) < U(bits) ? WRAP(U(a) << U(b)) : 0)
#define SHR(a, b) (U(b) < U(bits) ? WRAP(PATTERN(a) >> U(b)) : 0)
#define SAR(a, b) WRAP(extended(U(a), bits) >> (U(b) < U(bits) ? U(b) : U(bits) - 1))

// --- floats ---

// The neighbour of a on the side of b, in the bits of the type.
static double next_after(hlo_type type, double a, double b) {
  uint64_t bits = 0, sign = 0;
  const hlo_float_format *format = hlo_type_float_format(type);
  if (a != a || b != b) return a != a ? a : b;
  if (a == b) return b;
  if (format == NULL || format->kind != HLO_FLOAT_EXPONENT_ONLY)
    sign = UINT64_C(1) << (hlo_type_bits(type) - 1);
  hlo_element_set(type, &bits, (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = a});
  if (a == 0) bits = (b < 0 ? sign : 0) | 1;
  else bits = (a < b) == (a > 0) ? bits + 1 : bits - 1;
  // Where there is no -0, its bits are NaN's.
  if (format != NULL && format->kind == HLO_FLOAT_FNUZ && bits == sign) bits = 0;
  return hlo_element_get(type, &bits).re;
}
static double round_away(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}

#define FABS(a)                  ((REAL_T)__builtin_fabs(a))
#define FSQRT(a)                 ((REAL_T)__builtin_sqrt(a)) // twice rounded is once rounded: 53 >= 2 · 24 + 2
#define FCEIL(a)                 ((REAL_T)__builtin_ceil(a))
#define FFLOOR(a)                ((REAL_T)__builtin_floor(a))
#define ROUND_EVEN(a)            ((REAL_T)__builtin_rint(a))
#define ROUND_AFZ(a)             ((REAL_T)round_away(a))
#define FSIGN(a)                 ((a) > 0 ? (REAL_T)1 : (a) < 0 ? (REAL_T) - 1 : (a))
#define IS_FINITE(a)             ((a) - (a) == 0)
#define hlo_next_after_f32(a, b) ((float)next_after(type, a, b))
#define hlo_next_after_f64(a, b) next_after(type, a, b)
// The first operand that is NaN, else the first one if it is as asked; -0 is below +0.
#define CHOOSE(a, b, is_first) ((a) != (a) ? (a) : (b) != (b) || !(is_first) ? (b) : (a))
#define FMAX(a, b)             CHOOSE(a, b, (a) > (b) || ((a) == (b) && !__builtin_signbit(a)))
#define FMIN(a, b)             CHOOSE(a, b, (a) < (b) || ((a) == (b) && __builtin_signbit(a)))
#define CMAKE(a, b)            ((COMPLEX_T){a, b})

// --- complex numbers; in order by real parts, then by imaginary ones ---

#define CNEG(a)     ((COMPLEX_T){-(a).re, -(a).im})
#define CADD(a, b)  ((COMPLEX_T){(a).re + (b).re, (a).im + (b).im})
#define CSUB(a, b)  ((COMPLEX_T){(a).re - (b).re, (a).im - (b).im})
#define ABOVE(a, b) ((a).re > (b).re || ((a).re == (b).re && (a).im > (b).im))
#define CMAX(a, b)  (ABOVE(a, b) ? (a) : (b))
#define CMIN(a, b)  (ABOVE(b, a) ? (a) : (b))

// --- one function for each class of types ---

#define WRAP(x)               low_bits(U(x), bits)
#define CLASS                 value_of_pred
#define T                     uint64_t
#define COLUMN(p, s, u, f, c) p
#include "reference/pointwise_class.h"

#define CLASS                 value_of_unsigned
#define T                     uint64_t
#define COLUMN(p, s, u, f, c) u
#include "reference/pointwise_class.h"
#undef WRAP

#define WRAP(x)               extended(U(x), bits)
#define CLASS                 value_of_signed
#define T                     int64_t
#define COLUMN(p, s, u, f, c) s
#include "reference/pointwise_class.h"

#define REAL_T                float
#define COMPLEX_T             hlo_c64
#define M(name)               hlo_##name##_f32
#define CLASS                 value_of_f32
#define T                     float
#define COLUMN(p, s, u, f, c) f
#include "reference/pointwise_class.h"

#define M(name)               hlo_##name##_c64
#define CLASS                 value_of_c64
#define T                     hlo_c64
#define COLUMN(p, s, u, f, c) c
#include "reference/pointwise_class.h"
#undef REAL_T
#undef COMPLEX_T

#define REAL_T                double
#define COMPLEX_T             hlo_c128
#define M(name)               hlo_##name##_f64
#define CLASS                 value_of_f64
#define T                     double
#define COLUMN(p, s, u, f, c) f
#include "reference/pointwise_class.h"

#define M(name)               hlo_##name##_c128
#define CLASS                 value_of_c128
#define T                     hlo_c128
#define COLUMN(p, s, u, f, c) c
#include "reference/pointwise_class.h"

static hlo_c64 narrow(hlo_number x) { return (hlo_c64){(float)x.re, (float)x.im}; }
static hlo_c128 wide(hlo_number x) { return (hlo_c128){x.re, x.im}; }

static hlo_number value_of(hlo_opcode opcode, hlo_type type, const hlo_number *operands) {
  hlo_number a = operands[0], b = operands[1];
  hlo_type_class type_class = hlo_type_get_class(type);
  if (type_class == HLO_CLASS_PRED) return value_of_pred(opcode, a.u, b.u, type);
  if (type_class == HLO_CLASS_UNSIGNED) return value_of_unsigned(opcode, a.u, b.u, type);
  if (type_class == HLO_CLASS_SIGNED) return value_of_signed(opcode, a.i, b.i, type);
  if (type == HLO_F64) return value_of_f64(opcode, a.re, b.re, type);
  if (type == HLO_C128) return value_of_c128(opcode, wide(a), wide(b), type);
  if (type == HLO_C64) return value_of_c64(opcode, narrow(a), narrow(b), type);
  return value_of_f32(opcode, (float)a.re, (float)b.re, type);
}

hlo_scalar hlo_reference_value(hlo_opcode opcode, hlo_type type, const hlo_number *operands,
                               hlo_type result_type) {
  hlo_number value = value_of(opcode, type, operands);
  value.type_class = hlo_type_get_class(result_type);
  return hlo_scalar_of(result_type, value);
}
