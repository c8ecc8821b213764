// The words that the value columns of ops.def are written in: one element in, one element out.
//
// The including template defines, for the element type at hand:
//   T       the element in memory          SIGNED_T  the signed integer of the same size
//   WIDE_T  unsigned integer in which +, - and * wrap: uint32_t, or uint64_t for 64-bit elements
//   BITS    the type's width (4 for s4)    M(name)   the type's hlo_<name>_<suffix>
// Narrow integers are kept sign- or zero-extended in their byte.
#ifndef HLO_KERNELS_ELEMENTWISE_POINTWISE_EXPRESSIONS_H
#define HLO_KERNELS_ELEMENTWISE_POINTWISE_EXPRESSIONS_H

#include "math/complex.h"
#include "math/elementary.h"

#include <stdbool.h>
#include <stdint.h>

// A macro that is a mark becomes two macro arguments, of which the second is 1; any other text is
// one. ("a, b" in an expression must therefore stand inside parentheses, also after expansion.)
#define MARK                       ~, 1
#define SECOND(first, second, ...) second
#define IS_MARKED(...)             SECOND(__VA_ARGS__, 0, )
#define PICK(is, no, yes)          PICK_OF(is, no, yes)
#define PICK_OF(is, no, yes)       PICK_##is(no, yes)
#define PICK_0(no, yes)            no
#define PICK_1(no, yes)            yes
// A NA column is a mark.
#define NA              MARK
#define IS_MISSING(...) IS_MARKED(__VA_ARGS__)

// --- integers ---
#define U(x)        ((WIDE_T)(x))
#define WIDE_BITS   (8 * (int)sizeof(WIDE_T))
#define SPARE_BITS  (8 * (int)sizeof(T) - BITS)
#define MEMORY_T(x) ((T)(SIGNED_T)(x))
// The low BITS bits of x as a value of the type, extended by the type's own sign rule.
#define EXTENDED(x) ((T)(MEMORY_T(U(x) << SPARE_BITS) >> SPARE_BITS))
#define WRAP(x)     (SPARE_BITS == 0 ? MEMORY_T(x) : EXTENDED(x))
// The BITS bits of a value, without the extension.
#define PATTERN(x)  (U(x) & (~U(0) >> (WIDE_BITS - BITS)))
#define ABS_WRAP(a) ((a) < 0 ? WRAP(U(0) - U(a)) : (a))
#define POPCNT(a)                                                                                  \
  WRAP(WIDE_BITS == 64 ? __builtin_popcountll(PATTERN(a))                                          \
                       : __builtin_popcount((uint32_t)PATTERN(a)))
#define CLZ(a) WRAP((a) == 0 ? BITS : leading_zeros(PATTERN(a)) - (64 - BITS))
// Division by zero gives all ones, the remainder then the dividend. The quotient that overflows
// (the least value by -1) wraps, its remainder is 0.
#define SDIV(a, b) ((b) == 0 ? WRAP(-1) : (b) == -1 ? WRAP(U(0) - U(a)) : (T)((a) / (b)))
#define UDIV(a, b) ((b) == 0 ? WRAP(-1) : (T)((a) / (b)))
#define SREM(a, b) ((b) == 0 ? (a) : (b) == -1 ? (T)0 : (T)((a) % (b)))
#define UREM(a, b) ((b) == 0 ? (a) : (T)((a) % (b)))
// The upper half of the product.
#define SMULHI(a, b)                                                                               \
  WRAP(BITS == 64 ? signed_high((a), (b)) : (uint64_t)((int64_t)(a) * (b)) >> (BITS % 64))
#define UMULHI(a, b) WRAP(BITS == 64 ? unsigned_high((a), (b)) : (uint64_t)(a) * (b) >> (BITS % 64))
#define SPOW(a, b)   WRAP(signed_power((a), (b)))
#define UPOW(a, b)   WRAP(unsigned_power((a), (b)))
// Shift counts are unsigned; from the width on nothing is left but the sign. Arithmetic shifts
// take the top bit of unsigned elements for a sign too.
#define SHIFT_FITS(b)    (U(b) < BITS)
#define SHIFT(b)         (U(b) & (U(WIDE_BITS) - 1))
#define SHL(a, b)        (SHIFT_FITS(b) ? WRAP(U(a) << SHIFT(b)) : (T)0)
#define SHR(a, b)        (SHIFT_FITS(b) ? WRAP(PATTERN(a) >> SHIFT(b)) : (T)0)
#define SIGN_EXTENDED(a) ((SIGNED_T)((SIGNED_T)(U(a) << SPARE_BITS) >> SPARE_BITS))
#define SAR(a, b)        WRAP(SIGN_EXTENDED(a) >> (SHIFT_FITS(b) ? SHIFT(b) : U(BITS) - 1))

static inline int leading_zeros(uint64_t x) { return __builtin_clzll(x); }

// The upper 64 bits of the 128 of a product: schoolbook multiplication of halves.
static inline uint64_t unsigned_high(uint64_t a, uint64_t b) {
  uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
  uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  uint64_t other = a_low * b_high + (middle & UINT32_MAX);
  return a_high * b_high + (middle >> 32) + (other >> 32);
}

static inline uint64_t signed_high(int64_t a, int64_t b) {
  uint64_t high = unsigned_high((uint64_t)a, (uint64_t)b);
  return high - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0);
}

static inline uint64_t unsigned_power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

// A negative exponent gives the reciprocal rounded towards zero: 0 except for bases 1 and -1.
static inline uint64_t signed_power(int64_t base, int64_t exponent) {
  if (exponent >= 0) return unsigned_power((uint64_t)base, (uint64_t)exponent);
  if (base == 1) return 1;
  if (base == -1) return exponent & 1 ? (uint64_t)-1 : 1;
  return 0;
}

// --- floats ---
// Maximum and minimum give NaN if either operand is one, and order -0 below +0.
#define FABS(a)       M(magnitude)(a)
#define FSQRT(a)      M(square_root)(a)
#define FCEIL(a)      M(ceiling)(a)
#define FFLOOR(a)     M(floor)(a)
#define ROUND_EVEN(a) M(round_even)(a)
#define ROUND_AFZ(a)  M(round_away)(a)
#define FSIGN(a)      ((a) > 0 ? (T)1 : (a) < 0 ? (T) - 1 : (a)) // zeros and NaN as they are
#define IS_FINITE(a)  (FABS(a) <= M(largest)())
#define FMAX(a, b)    M(maximum)(a, b)
#define FMIN(a, b)    M(minimum)(a, b)
#define CMAKE(a, b)   M(complex)(a, b)

#define DEFINE_FLOAT_FUNCTIONS(type, bits_type, complex_type, suffix, builtin, largest)            \
  static inline type hlo_magnitude_##suffix(type a) { return __builtin_fabs##builtin(a); }         \
  static inline type hlo_square_root_##suffix(type a) { return __builtin_sqrt##builtin(a); }       \
  static inline type hlo_ceiling_##suffix(type a) { return __builtin_ceil##builtin(a); }           \
  static inline type hlo_floor_##suffix(type a) { return __builtin_floor##builtin(a); }            \
  static inline type hlo_round_even_##suffix(type a) { return __builtin_rint##builtin(a); }        \
  static inline type hlo_round_away_##suffix(type a) {                                             \
    type whole = __builtin_trunc##builtin(a);                                                      \
    type step = __builtin_copysign##builtin(1, a);                                                 \
    return __builtin_fabs##builtin(a - whole) >= (type)0.5 ? whole + step : whole;                 \
  }                                                                                                \
  static inline type hlo_largest_##suffix(void) { return largest; }                                \
  /* Of two equal numbers only the zeros may differ in their bits: in the sign. */                 \
  static inline type hlo_maximum_##suffix(type a, type b) {                                        \
    union {                                                                                        \
      type value;                                                                                  \
      bits_type bits;                                                                              \
    } x = {a}, y = {b}, both;                                                                      \
    both.bits = x.bits & y.bits;                                                                   \
    type larger = a > b ? a : b;                                                                   \
    type number = a == b ? both.value : larger;                                                    \
    return a != a ? a : number;                                                                    \
  }                                                                                                \
  static inline type hlo_minimum_##suffix(type a, type b) {                                        \
    union {                                                                                        \
      type value;                                                                                  \
      bits_type bits;                                                                              \
    } x = {a}, y = {b}, either;                                                                    \
    either.bits = x.bits | y.bits;                                                                 \
    type smaller = a < b ? a : b;                                                                  \
    type number = a == b ? either.value : smaller;                                                 \
    return a != a ? a : number;                                                                    \
  }                                                                                                \
  /* The neighbour of a on the side of b: one more or less in the bits of the magnitude. */        \
  static inline type hlo_next_after_##suffix(type a, type b) {                                     \
    union {                                                                                        \
      type value;                                                                                  \
      bits_type bits;                                                                              \
    } next = {a}, least = {b};                                                                     \
    if (a != a || b != b) return a + b;                                                            \
    if (a == b) return b;                                                                          \
    least.bits = (least.bits >> (8 * sizeof a - 1) << (8 * sizeof a - 1)) | 1;                     \
    if (a == 0) return least.value;                                                                \
    next.bits = (a < b) == (a > 0) ? next.bits + 1 : next.bits - 1;                                \
    return next.value;                                                                             \
  }                                                                                                \
  static inline complex_type hlo_complex_##suffix(type re, type im) {                              \
    return (complex_type){re, im};                                                                 \
  }

DEFINE_FLOAT_FUNCTIONS(float, uint32_t, hlo_c64, f32, f, __FLT_MAX__)
DEFINE_FLOAT_FUNCTIONS(double, uint64_t, hlo_c128, f64, , __DBL_MAX__)

// --- complex numbers ---
// Maximum and minimum compare real parts first, then imaginary ones; the second operand stands
// where no order is.
#define CNEG(a)    M(negative)(a)
#define CADD(a, b) M(sum)(a, b)
#define CSUB(a, b) M(difference)(a, b)
#define CMAX(a, b) (M(above)(a, b) ? (a) : (b))
#define CMIN(a, b) (M(above)(b, a) ? (a) : (b))

#define DEFINE_COMPLEX_FUNCTIONS(type, suffix)                                                     \
  static inline type hlo_negative_##suffix(type a) { return (type){-a.re, -a.im}; }                \
  static inline type hlo_sum_##suffix(type a, type b) { return (type){a.re + b.re, a.im + b.im}; } \
  static inline type hlo_difference_##suffix(type a, type b) {                                     \
    return (type){a.re - b.re, a.im - b.im};                                                       \
  }                                                                                                \
  static inline bool hlo_above_##suffix(type a, type b) {                                          \
    return a.re > b.re || (a.re == b.re && a.im > b.im);                                           \
  }

DEFINE_COMPLEX_FUNCTIONS(hlo_c64, c64)
DEFINE_COMPLEX_FUNCTIONS(hlo_c128, c128)

#endif
