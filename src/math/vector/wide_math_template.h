// The rarer f32 functions, and c64 ones, on double: written once without branches for a type of
// double vectors that the includer chooses. math/elementary/single_number.h computes with one
// number, wide_math.c with four lanes, the emitter builds WebAssembly expressions. The same
// operations in the same order, so the same bits everywhere.
//
// Arguments are floats widened to double; results are off by less than 2^-29 relative and are to be
// rounded to float once. Special values come out of the arithmetic or of selections at the end;
// where a function is not made for all arguments it says so. Subnormal floats are normal doubles
// and need no care.
//
// The includer defines
//   WM_T, WM_M, WM_C, WM_NAME(f)  types of vectors, of masks and of the context, always called c;
//                                 the name of the function made here for f
//   WM_F64(x), WM_I64(x)          a constant in every lane
//   WM_ADD SUB MUL DIV(a, b), WM_SQRT(a), WM_FLOOR(a)
//   WM_PMIN(a, b), WM_PMAX(a, b)  b < a ? b : a and a < b ? b : a, so a where either is NaN
//   WM_AND OR XOR(a, b)           on bits
//   WM_IADD ISUB IMUL(a, b)       on 64-bit integers, wrapping
//   WM_SHL SHRU(a, n)             all lanes by a constant
//   WM_LT EQ(a, b)                masks, false where either is NaN
//   WM_IS_ODD(a), WM_IS_NEGATIVE(a)  masks: the lowest and the highest bit
//   WM_BOTH EITHER(m, n), WM_NOT(m)  of masks
//   WM_SELECT(m, a, b)            m ? a : b
#include "math/elementary/coefficients.h"
#include "math/vector_math.h"

#define WM_CALL(f, ...)   WM_NAME(f)(c, __VA_ARGS__)
#define WM_ABS(a)         WM_AND(a, WM_I64(INT64_MAX))
#define WM_SIGN(a)        WM_AND(a, WM_I64(INT64_MIN))
#define WM_COPYSIGN(a, x) WM_OR(WM_ABS(a), WM_SIGN(x))
#define WM_NEGATE(a)      WM_XOR(a, WM_I64(INT64_MIN))
#define WM_INFINITY       WM_F64(__builtin_inf())
#define WM_NAN            WM_F64(__builtin_nan(""))
#define WM_HALVE(a)       WM_MUL(a, WM_F64(0.5))
#define WM_IS_INFINITE(a) WM_EQ(WM_ABS(a), WM_INFINITY)
#define WM_IS_FINITE(a)   WM_LT(WM_ABS(a), WM_INFINITY)
#define WM_IS_NUMBER(a)   WM_EQ(a, a)
#define WM_POLYNOMIAL(table, x)                                                                    \
  WM_NAME(polynomial)(c, table, (int)(sizeof(table) / sizeof((table)[0])), x)

// Horner's rule in x² for pairs of terms: half as many operations wait for each other as in x.
static inline WM_T WM_NAME(polynomial)(WM_C c, const double *table, int count, WM_T x) {
  WM_T square = WM_MUL(x, x), y = WM_F64(table[count - 1]);
  int i = count - 2;
  if (count % 2 == 0) {
    y = WM_ADD(WM_F64(table[i]), WM_MUL(x, y));
    i--;
  }
  for (; i > 0; i -= 2) {
    WM_T two = WM_ADD(WM_F64(table[i - 1]), WM_MUL(x, WM_F64(table[i])));
    y = WM_ADD(WM_MUL(y, square), two);
  }
  return y;
}

// --- exponentials ---

// e^x = 2^k (1 + *p): returns 2^k. k is found by adding a large number, whose low bits then hold
// it. |x| < 700.
static inline WM_T WM_NAME(exp_parts)(WM_C c, WM_T x, WM_T *p) {
  WM_T rounder = WM_F64(0x1.8p52), shifted = WM_ADD(WM_MUL(x, WM_F64(LOG2_E)), rounder);
  WM_T k = WM_SUB(shifted, rounder);
  WM_T r = WM_SUB(WM_SUB(x, WM_MUL(k, WM_F64(LN2_1))), WM_MUL(k, WM_F64(LN2_2)));
  *p = WM_MUL(r, WM_POLYNOMIAL(EXPM1_F32, r));
  return WM_SHL(WM_IADD(shifted, WM_I64(1023)), 52);
}

// NaN passes.
static inline WM_T WM_NAME(clamp)(WM_C c, WM_T x, double low, double high) {
  return WM_PMIN(WM_PMAX(x, WM_F64(low)), WM_F64(high));
}

static inline WM_T WM_NAME(exp)(WM_C c, WM_T x) { // |x| < 700
  WM_T p, power = WM_CALL(exp_parts, x, &p);
  return WM_ADD(power, WM_MUL(power, p));
}

// e^|x| - 1 without the sign of zero, for sinh and cosh.
static inline WM_T WM_NAME(expm1_of_magnitude)(WM_C c, WM_T x) {
  WM_T p, power = WM_CALL(exp_parts, WM_PMIN(WM_ABS(x), WM_F64(91)), &p);
  return WM_ADD(WM_SUB(power, WM_F64(1)), WM_MUL(power, p));
}

static inline WM_T WM_NAME(sinh)(WM_C c, WM_T x) {
  WM_T p = WM_CALL(expm1_of_magnitude, x), quotient = WM_DIV(p, WM_ADD(p, WM_F64(1)));
  return WM_COPYSIGN(WM_HALVE(WM_ADD(p, quotient)), x);
}

static inline WM_T WM_NAME(cosh)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), e = WM_ADD(WM_CALL(expm1_of_magnitude, x), one);
  return WM_HALVE(WM_ADD(e, WM_DIV(one, e)));
}

// --- logarithms ---

// k with x / 2^k between √½ and √2, as a double; *mantissa becomes x / 2^k. x positive and normal;
// else anything.
static inline WM_T WM_NAME(split)(WM_C c, WM_T x, WM_T *mantissa) {
  WM_T offset = WM_ISUB(x, WM_I64(INT64_C(0x3fe6a09e667f3bcd))); // the bits of √½
  *mantissa = WM_ISUB(x, WM_SHL(WM_SHRU(offset, 52), 52));
  // The field, read as a number of 12 bits with sign, becomes a double by way of the bits of 1.5 ·
  // 2^52.
  WM_T biased = WM_SHRU(WM_IADD(offset, WM_I64(INT64_MIN)), 52);
  biased = WM_IADD(biased, WM_I64(INT64_C(0x4338000000000000)));
  return WM_SUB(biased, WM_F64(0x1.8p52 + 2048));
}

// log(2^k (1 + f)) for f > -1 near 0.
static inline WM_T WM_NAME(log_parts)(WM_C c, WM_T k, WM_T f) {
  WM_T s = WM_DIV(f, WM_ADD(WM_F64(2), f));
  WM_T rest = WM_MUL(s, WM_POLYNOMIAL(LOG_F32, WM_MUL(s, s)));
  return WM_ADD(WM_MUL(k, WM_F64(LN2_DD_1)), rest);
}

// What a logarithm of x gives outside its domain, instead of value.
static inline WM_T WM_NAME(log_select)(WM_C c, WM_T x, WM_T value) {
  value = WM_SELECT(WM_LT(x, WM_INFINITY), value, x); // infinity and NaN
  value = WM_SELECT(WM_LT(x, WM_F64(0)), WM_NAN, value);
  return WM_SELECT(WM_EQ(x, WM_F64(0)), WM_NEGATE(WM_INFINITY), value);
}

static inline WM_T WM_NAME(log)(WM_C c, WM_T x) {
  WM_T mantissa, k = WM_CALL(split, x, &mantissa);
  return WM_CALL(log_select, x, WM_CALL(log_parts, k, WM_SUB(mantissa, WM_F64(1))));
}

// Also for doubles that are not floats. Where 1 + x has k = 0, x itself is the remainder, without
// loss.
static inline WM_T WM_NAME(log1p)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), zero = WM_F64(0), sum = WM_ADD(one, x);
  WM_T mantissa, k = WM_CALL(split, sum, &mantissa);
  WM_T f = WM_SELECT(WM_EQ(k, zero), x, WM_SUB(mantissa, one));
  WM_T value = WM_CALL(log_select, sum, WM_CALL(log_parts, k, f));
  return WM_SELECT(WM_EQ(x, zero), x, value);
}

static inline WM_T WM_NAME(asinh)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), magnitude = WM_ABS(x), square = WM_MUL(magnitude, magnitude);
  WM_T root = WM_SQRT(WM_ADD(one, square));
  WM_T value = WM_ADD(magnitude, WM_DIV(square, WM_ADD(one, root)));
  value = WM_CALL(log1p, value);
  return WM_COPYSIGN(WM_SELECT(WM_LT(magnitude, WM_INFINITY), value, magnitude), x);
}

static inline WM_T WM_NAME(acosh)(WM_C c, WM_T x) {
  WM_T t = WM_SUB(x, WM_F64(1)), root = WM_SQRT(WM_MUL(t, WM_ADD(t, WM_F64(2))));
  return WM_SELECT(WM_LT(x, WM_F64(1)), WM_NAN, WM_CALL(log1p, WM_ADD(t, root)));
}

static inline WM_T WM_NAME(atanh)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x);
  WM_T ratio = WM_DIV(WM_ADD(magnitude, magnitude), WM_SUB(WM_F64(1), magnitude));
  return WM_COPYSIGN(WM_HALVE(WM_CALL(log1p, ratio)), x);
}

// --- angles ---

// The polynomials of sine and cosine for r, |r| up to π/4, and which of them and with which sign:
// of an angle q π/2 + r, q in the low bits.
static inline WM_T WM_NAME(sin_of_remainder)(WM_C c, WM_T r, WM_T square) {
  return WM_MUL(r, WM_POLYNOMIAL(SIN_F32, square));
}
static inline WM_T WM_NAME(cos_of_remainder)(WM_C c, WM_T square) {
  return WM_POLYNOMIAL(COS_F32, square);
}

static inline WM_T WM_NAME(sin_of_angle)(WM_C c, WM_T r, WM_T quadrant) {
  WM_T square = WM_MUL(r, r), cosine = WM_CALL(cos_of_remainder, square);
  WM_T value = WM_SELECT(WM_IS_ODD(quadrant), cosine, WM_CALL(sin_of_remainder, r, square));
  return WM_XOR(value, WM_SHL(WM_SHRU(quadrant, 1), 63));
}

static inline WM_T WM_NAME(cos_of_angle)(WM_C c, WM_T r, WM_T quadrant) {
  return WM_CALL(sin_of_angle, r, WM_IADD(quadrant, WM_I64(1)));
}

static inline WM_T WM_NAME(tan_of_angle)(WM_C c, WM_T r, WM_T quadrant) {
  WM_T square = WM_MUL(r, r), cosine = WM_CALL(cos_of_remainder, square);
  WM_T sine = WM_CALL(sin_of_remainder, r, square);
  WM_M is_odd = WM_IS_ODD(quadrant);
  WM_T value = WM_DIV(WM_SELECT(is_odd, cosine, sine), WM_SELECT(is_odd, sine, cosine));
  return WM_XOR(value, WM_SHL(quadrant, 63));
}

// x = q π/2 + r for |x| up to HLO_WIDE_ANGLE; of others the caller takes care.
static inline WM_T WM_NAME(reduce)(WM_C c, WM_T x, WM_T *quadrant) {
  WM_T rounder = WM_F64(0x1.8p52);
  *quadrant = WM_ADD(WM_MUL(x, WM_F64(TWO_OVER_PI)), rounder);
  WM_T k = WM_SUB(*quadrant, rounder), near = WM_SUB(x, WM_MUL(k, WM_F64(HALF_PI_1)));
  return WM_SUB(near, WM_MUL(k, WM_F64(HALF_PI_2 + HALF_PI_3)));
}

static inline WM_T WM_NAME(tan)(WM_C c, WM_T x) { // |x| up to HLO_WIDE_ANGLE
  WM_T quadrant, r = WM_CALL(reduce, x, &quadrant);
  return WM_CALL(tan_of_angle, r, quadrant);
}

static inline WM_T WM_NAME(atan2)(WM_C c, WM_T y, WM_T x) {
  WM_T height = WM_ABS(y), width = WM_ABS(x), half_pi = WM_F64(HALF_PI_DD_1);
  WM_M is_steep = WM_LT(width, height);
  WM_T small = WM_SELECT(is_steep, width, height), large = WM_SELECT(is_steep, height, width);
  WM_T ratio = WM_SELECT(WM_EQ(small, large), WM_F64(1), WM_DIV(small, large)); // also ∞ / ∞
  ratio = WM_SELECT(WM_EQ(WM_ADD(small, large), WM_F64(0)), small, ratio);
  WM_T arc = WM_MUL(ratio, WM_POLYNOMIAL(ATAN_F32, WM_MUL(ratio, ratio)));
  arc = WM_SELECT(is_steep, WM_SUB(half_pi, arc), arc);
  arc = WM_SELECT(WM_IS_NEGATIVE(x), WM_SUB(WM_ADD(half_pi, half_pi), arc), arc);
  // A sum hands the NaN of one operand on as it is.
  return WM_SELECT(WM_BOTH(WM_IS_NUMBER(x), WM_IS_NUMBER(y)), WM_COPYSIGN(arc, y), WM_ADD(y, x));
}

// asin of |x| ≤ 1/2, or for larger ones of √((1 - |x|) / 2), which is half the angle that is
// missing to π/2.
static inline WM_T WM_NAME(asin_part)(WM_C c, WM_T magnitude, WM_M is_far) {
  WM_T halved = WM_HALVE(WM_SUB(WM_F64(1), magnitude));
  WM_T square = WM_SELECT(is_far, halved, WM_MUL(magnitude, magnitude));
  WM_T value = WM_SELECT(is_far, WM_SQRT(halved), magnitude);
  return WM_MUL(value, WM_POLYNOMIAL(ASIN_F32, square));
}

static inline WM_T WM_NAME(asin)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x);
  WM_M is_far = WM_LT(WM_F64(0.5), magnitude);
  WM_T part = WM_CALL(asin_part, magnitude, is_far);
  WM_T far = WM_SUB(WM_F64(HALF_PI_DD_1), WM_ADD(part, part));
  return WM_COPYSIGN(WM_SELECT(is_far, far, part), x);
}

static inline WM_T WM_NAME(acos)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x), half_pi = WM_F64(HALF_PI_DD_1);
  WM_M is_far = WM_LT(WM_F64(0.5), magnitude);
  WM_T part = WM_CALL(asin_part, magnitude, is_far), twice = WM_ADD(part, part);
  WM_T far = WM_SELECT(WM_LT(x, WM_F64(0)), WM_SUB(WM_ADD(half_pi, half_pi), twice), twice);
  return WM_SELECT(is_far, far, WM_SUB(half_pi, WM_COPYSIGN(part, x)));
}

// --- others ---

// A third of the bits, as an integer, is a root to 5 bits; twice Halley's step makes 45 of them.
static inline WM_T WM_NAME(cbrt)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x);
  WM_T third = WM_SHRU(WM_IMUL(WM_SHRU(magnitude, 32), WM_I64(INT64_C(0x55555556))), 32);
  WM_T root = WM_SHL(WM_IADD(third, WM_I64((int64_t)CBRT_F32_BITS)), 32);
  for (int i = 0; i < 2; i++) {
    WM_T cube = WM_MUL(WM_MUL(root, root), root);
    WM_T up = WM_ADD(cube, WM_ADD(magnitude, magnitude)), down = WM_ADD(cube, cube);
    root = WM_MUL(root, WM_DIV(up, WM_ADD(down, magnitude)));
  }
  WM_M is_ordinary = WM_BOTH(WM_LT(WM_F64(0), magnitude), WM_LT(magnitude, WM_INFINITY));
  return WM_SELECT(is_ordinary, WM_COPYSIGN(root, x), x);
}

// log Γ(x) for positive x: from 5.5 on the first terms of Stirling's series (see
// math/wide/gamma.c), below x Γ(x) = Γ(x + 1) up or down to between 1.5 and 2.5. Both have
// one logarithm, and no sum cancels more than half.
static inline WM_T WM_NAME(lgamma)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), product = one, y = x;
  for (int i = 1; i <= 3; i++) {
    WM_M is_more = WM_LT(WM_F64(1.5 + i), x);
    y = WM_SELECT(is_more, WM_SUB(y, one), y);
    product = WM_SELECT(is_more, WM_MUL(product, y), product);
  }
  WM_M is_small = WM_LT(x, WM_F64(1.5));
  for (int i = 0; i < 2; i++) {
    WM_M is_less = WM_LT(x, WM_F64(1.5 - i));
    product = WM_SELECT(is_less, WM_MUL(product, y), product);
    y = WM_SELECT(is_less, WM_ADD(y, one), y);
  }
  WM_M is_near = WM_LT(x, WM_F64(5.5));
  WM_T log = WM_CALL(log, WM_SELECT(is_near, product, x)), inverse = WM_DIV(one, x);
  WM_T rest = WM_SUB(y, WM_F64(2)), square = WM_MUL(inverse, inverse);
  WM_T near = WM_ADD(WM_MUL(rest, WM_POLYNOMIAL(LGAMMA_F32, rest)),
                     WM_SELECT(is_small, WM_NEGATE(log), log));
  WM_T series = WM_ADD(WM_F64(TWELFTH_1), WM_MUL(square, WM_CALL(polynomial, STIRLING, 4, square)));
  WM_T far = WM_SUB(WM_MUL(WM_SUB(x, WM_F64(0.5)), log), x);
  far = WM_ADD(far, WM_ADD(WM_F64(LOG_ROOT_TWO_PI_1), WM_MUL(inverse, series)));
  return WM_SELECT(is_near, near, far);
}

// The derivative of log Γ(x) for positive x: from 5 on the asymptotic series, below Γ'(x) / Γ(x) +
// 1 / x up or down to between 1 and 2, where it is divided by the distance to its zero.
static inline WM_T WM_NAME(digamma)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), zero = WM_F64(0), y = x, above = zero, below = one;
  for (int i = 0; i < 3; i++) { // above / below is the sum of 1 / y
    WM_M is_more = WM_LT(WM_F64(2 + i), x);
    y = WM_SELECT(is_more, WM_SUB(y, one), y);
    above = WM_SELECT(is_more, WM_ADD(WM_MUL(above, y), below), above);
    below = WM_SELECT(is_more, WM_MUL(below, y), below);
  }
  WM_M is_small = WM_LT(x, one), is_near = WM_LT(x, WM_F64(5));
  y = WM_SELECT(is_small, WM_ADD(x, one), y);
  above = WM_SELECT(is_small, WM_F64(-1), WM_SELECT(is_near, above, one));
  below = WM_SELECT(is_small, x, WM_SELECT(is_near, below, x));
  WM_T quotient = WM_DIV(above, below), square = WM_MUL(quotient, quotient);
  WM_T distance = WM_SUB(WM_SUB(y, WM_F64(DIGAMMA_ZERO_1)), WM_F64(DIGAMMA_ZERO_2));
  WM_T slope = WM_POLYNOMIAL(DIGAMMA_F32, WM_SUB(y, WM_F64(1.5)));
  WM_T near = WM_ADD(WM_MUL(distance, slope), quotient);
  WM_T series = WM_ADD(WM_F64(TWELFTH_1), WM_MUL(square, WM_CALL(polynomial, DIGAMMA, 6, square)));
  WM_T far = WM_SUB(WM_CALL(log, x), WM_HALVE(quotient));
  return WM_SELECT(is_near, near, WM_SUB(far, WM_MUL(square, series)));
}

static inline WM_T WM_NAME(pow_of_magnitude)(WM_C c, WM_T magnitude, WM_T y) {
  WM_T exponent = WM_MUL(y, WM_CALL(log, magnitude));
  return WM_CALL(exp, WM_CALL(clamp, exponent, -105, 90));
}

// x^y. Where log |x| or y is infinite the product mostly is what it should be; then the cases where
// it is not: any power of 1, the power 0, and negative x.
static inline WM_T WM_NAME(pow)(WM_C c, WM_T x, WM_T y) {
  WM_T one = WM_F64(1), zero = WM_F64(0), magnitude = WM_ABS(x);
  WM_T value = WM_CALL(pow_of_magnitude, magnitude, y);
  WM_T half = WM_HALVE(y), whole = WM_FLOOR(y);
  WM_M is_whole = WM_EQ(whole, y), is_even = WM_EQ(WM_FLOOR(half), half);
  WM_M is_below = WM_BOTH(WM_LT(x, zero), WM_LT(magnitude, WM_INFINITY));
  WM_M is_minus_one = WM_BOTH(WM_EQ(x, WM_F64(-1)), WM_IS_INFINITE(y));
  WM_T fraction =
      WM_SELECT(WM_IS_NUMBER(y), WM_NAN, y); // what a power of less than 0 is, but by a NaN
  value = WM_SELECT(WM_BOTH(is_below, WM_NOT(is_whole)), fraction, value);
  value = WM_SELECT(WM_EQ(x, x), value, x); // of two NaNs the first; the product hands y's on
  value = WM_SELECT(WM_EITHER(WM_EITHER(WM_EQ(x, one), WM_EQ(y, zero)), is_minus_one), one, value);
  WM_M is_odd = WM_BOTH(is_whole, WM_NOT(is_even));
  return WM_SELECT(is_odd, WM_COPYSIGN(value, x), value);
}

// e^-|x| I₁(x): as |x| times a polynomial up to 8, then by its asymptotic form.
static inline WM_T WM_NAME(bessel_i1e)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x), eight = WM_F64(8), small = WM_PMIN(magnitude, eight);
  WM_T near = WM_MUL(small, WM_POLYNOMIAL(BESSEL_I1E_F32, small));
  WM_T inverse = WM_DIV(WM_F64(1), WM_PMAX(magnitude, eight));
  WM_T far = WM_MUL(WM_SQRT(inverse), WM_POLYNOMIAL(BESSEL_I1E_F32_TAIL, inverse));
  return WM_OR(WM_SELECT(WM_LT(magnitude, eight), near, far), WM_SIGN(x));
}

// --- c128: parts in, parts out ---

// The upper 26 bits of a, rounded; what is left has 26 bits, too. Not a number from 2^996 on.
static inline WM_T WM_NAME(upper_half)(WM_C c, WM_T a) {
  WM_T scaled = WM_MUL(a, WM_F64(0x1.0000002p27));
  return WM_SUB(scaled, WM_SUB(scaled, a));
}

// a b + z, whose product is not rounded as long as its two halves are normal numbers (products and
// sums as in double_double.h). What the sum of the rounded ones leaves out is added at the end,
// unless it is zero, which has no sign to add, or no number.
static inline WM_T WM_NAME(add_product)(WM_C c, WM_T a, WM_T b, WM_T z) {
  // A product that overflows is no infinity yet: z may take away from it.
  WM_M overflows = WM_BOTH(WM_IS_INFINITE(WM_MUL(a, b)), WM_BOTH(WM_IS_FINITE(a), WM_IS_FINITE(b)));
  WM_T down = WM_SELECT(overflows, WM_F64(0x1p-600), WM_F64(1));
  WM_T up = WM_SELECT(overflows, WM_F64(0x1p600), WM_F64(1));
  a = WM_MUL(a, down), b = WM_MUL(b, down), z = WM_MUL(WM_MUL(z, down), down);
  WM_T a_high = WM_CALL(upper_half, a), a_low = WM_SUB(a, a_high);
  WM_T b_high = WM_CALL(upper_half, b), b_low = WM_SUB(b, b_high);
  WM_T product = WM_MUL(a, b), sum = WM_ADD(product, z), part = WM_SUB(sum, product);
  WM_T rest = WM_SUB(WM_MUL(a_high, b_high), product);
  rest = WM_ADD(WM_ADD(rest, WM_MUL(a_high, b_low)), WM_MUL(a_low, b_high));
  rest = WM_ADD(rest, WM_MUL(a_low, b_low));
  WM_T left = WM_ADD(WM_SUB(product, WM_SUB(sum, part)), WM_SUB(z, part));
  left = WM_ADD(left, rest);
  WM_T size = WM_ABS(left);
  WM_M counts = WM_BOTH(WM_LT(WM_F64(0), size), WM_LT(size, WM_INFINITY));
  return WM_MUL(WM_MUL(WM_SELECT(counts, WM_ADD(sum, left), sum), up), up);
}

// (a + bi) (x + yi). Of each part's two products one is exact, as where a processor fuses it with
// the sum: XLA's bits.
static inline void WM_NAME(multiply_complex)(WM_C c, WM_T a, WM_T b, WM_T x, WM_T y, WM_T *re,
                                             WM_T *im) {
  *re = WM_CALL(add_product, a, x, WM_NEGATE(WM_MUL(b, y)));
  *im = WM_CALL(add_product, b, x, WM_MUL(a, y));
}

// --- c64: parts in, parts out ---
// Products of two parts are exact, and neither they nor their sums overflow or vanish.

// (a + bi) / (x + yi), but where a part of the result is NaN: see rare_quotient.
static inline void WM_NAME(divide_complex)(WM_C c, WM_T a, WM_T b, WM_T x, WM_T y, WM_T *re,
                                           WM_T *im) {
  WM_T over = WM_DIV(WM_F64(1), WM_ADD(WM_MUL(x, x), WM_MUL(y, y)));
  *re = WM_MUL(WM_ADD(WM_MUL(a, x), WM_MUL(b, y)), over);
  *im = WM_MUL(WM_SUB(WM_MUL(b, x), WM_MUL(a, y)), over);
}

// The larger part of the root is √((|z| + |re|) / 2), without cancellation; the parts' product is
// im / 2.
static inline void WM_NAME(sqrt_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T zero = WM_F64(0), infinity = WM_INFINITY;
  WM_T modulus = WM_SQRT(WM_ADD(WM_MUL(x, x), WM_MUL(y, y)));
  WM_T large = WM_SQRT(WM_HALVE(WM_ADD(modulus, WM_ABS(x))));
  large = WM_SELECT(WM_IS_INFINITE(x), infinity, large);
  WM_T small = WM_DIV(WM_HALVE(WM_ABS(y)), large);
  small = WM_SELECT(WM_EQ(modulus, zero), zero, small);
  WM_M is_left = WM_LT(x, zero), is_infinite = WM_IS_INFINITE(y);
  WM_T other = WM_COPYSIGN(WM_SELECT(is_left, large, small), y);
  *re = WM_SELECT(is_infinite, infinity, WM_SELECT(is_left, small, large));
  *im = WM_SELECT(is_infinite, y, other);
}

// log |z| and the angle. Where |z|² is about 1, what it is more than 1 is rounded once.
static inline void WM_NAME(log_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T one = WM_F64(1), xx = WM_MUL(x, x), yy = WM_MUL(y, y), square = WM_ADD(xx, yy);
  WM_T more = WM_ADD(WM_SUB(WM_PMAX(xx, yy), one), WM_PMIN(xx, yy));
  WM_T mantissa, k = WM_CALL(split, square, &mantissa);
  WM_T f = WM_SELECT(WM_EQ(k, WM_F64(0)), more, WM_SUB(mantissa, one));
  WM_T value = WM_CALL(log_select, square, WM_HALVE(WM_CALL(log_parts, k, f)));
  *re = WM_SELECT(WM_EITHER(WM_IS_INFINITE(x), WM_IS_INFINITE(y)), WM_INFINITY, value);
  *im = WM_CALL(atan2, y, x);
}

// e^x (cos y + i sin y); cosine and sine are those of y above HLO_WIDE_ANGLE, rounded to floats,
// and otherwise anything. Real z stay real; of infinite x and y that has no sine the real part or
// both are known.
static inline void WM_NAME(exp_complex)(WM_C c, WM_T x, WM_T y, WM_T cosine, WM_T sine, WM_T *re,
                                        WM_T *im) {
  WM_T zero = WM_F64(0), quadrant, r = WM_CALL(reduce, y, &quadrant);
  WM_M is_large = WM_LT(WM_F64(HLO_WIDE_ANGLE), WM_ABS(y));
  cosine = WM_SELECT(is_large, cosine, WM_CALL(cos_of_angle, r, quadrant));
  sine = WM_SELECT(is_large, sine, WM_CALL(sin_of_angle, r, quadrant));
  WM_T e = WM_CALL(exp, WM_CALL(clamp, x, -200, 250));
  WM_M is_known = WM_BOTH(WM_IS_INFINITE(x), WM_NOT(WM_IS_FINITE(y)));
  *re = WM_SELECT(is_known, WM_PMAX(x, zero), WM_MUL(e, cosine));
  *im = WM_SELECT(WM_BOTH(is_known, WM_LT(x, zero)), WM_COPYSIGN(zero, y), WM_MUL(e, sine));
  *im = WM_SELECT(WM_EQ(y, zero), y, *im);
}

// --- c64, but where a part of the result is NaN: see HLO_COMPLEX_FUNCTIONS ---

// Numbers whose sines, and whose exponentials, are made here; else NaN.
static inline WM_T WM_NAME(angle_in_range_or_nan)(WM_C c, WM_T x) {
  return WM_SELECT(WM_LT(WM_F64(HLO_WIDE_ANGLE), WM_ABS(x)), WM_NAN, x);
}
static inline WM_T WM_NAME(exponent_in_range_or_nan)(WM_C c, WM_T x) {
  return WM_SELECT(WM_LT(WM_ABS(x), WM_F64(88)), x, WM_NAN);
}

static inline void WM_NAME(circular)(WM_C c, WM_T x, WM_T *sine, WM_T *cosine) {
  WM_T quadrant, r = WM_CALL(reduce, WM_CALL(angle_in_range_or_nan, x), &quadrant);
  *sine = WM_CALL(sin_of_angle, r, quadrant);
  *cosine = WM_CALL(cos_of_angle, r, quadrant);
}

// Of magnitudes up to 91.
static inline void WM_NAME(hyperbolic)(WM_C c, WM_T x, WM_T *sine, WM_T *cosine) {
  WM_T p = WM_CALL(expm1_of_magnitude, x), e = WM_ADD(p, WM_F64(1)), over = WM_DIV(WM_F64(1), e);
  *sine = WM_COPYSIGN(WM_HALVE(WM_ADD(p, WM_MUL(p, over))), x);
  *cosine = WM_HALVE(WM_ADD(e, over));
}

static inline void WM_NAME(sinh_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T sine, cosine, sinh, cosh;
  WM_CALL(circular, y, &sine, &cosine);
  WM_CALL(hyperbolic, WM_CALL(exponent_in_range_or_nan, x), &sinh, &cosh);
  *re = WM_MUL(sinh, cosine);
  *im = WM_MUL(cosh, sine);
}

static inline void WM_NAME(cosh_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T sine, cosine, sinh, cosh;
  WM_CALL(circular, y, &sine, &cosine);
  WM_CALL(hyperbolic, WM_CALL(exponent_in_range_or_nan, x), &sinh, &cosh);
  *re = WM_MUL(cosh, cosine);
  *im = WM_MUL(sinh, sine);
}

static inline void WM_NAME(sin_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_CALL(sinh_complex, y, x, im, re);
}

static inline void WM_NAME(cos_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_CALL(cosh_complex, y, x, re, im);
  *im = WM_NEGATE(*im);
}

// (sinh x cosh x + i sin y cos y) / (sinh² x + cos² y).
static inline void WM_NAME(tanh_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T sine, cosine, sinh, cosh;
  WM_CALL(circular, y, &sine, &cosine);
  WM_CALL(hyperbolic, x, &sinh, &cosh);
  WM_T over = WM_DIV(WM_F64(1), WM_ADD(WM_MUL(sinh, sinh), WM_MUL(cosine, cosine)));
  *re = WM_MUL(WM_MUL(sinh, cosh), over);
  *im = WM_MUL(WM_MUL(sine, cosine), over);
}

static inline void WM_NAME(tan_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_CALL(tanh_complex, y, x, im, re);
}

// (e^x - 1) cos y - 2 sin² (y / 2), unless that cancels, and e^x sin y.
static inline void WM_NAME(expm1_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T sine, cosine, half, p, power;
  WM_CALL(circular, WM_HALVE(y), &half, &cosine);
  WM_CALL(circular, y, &sine, &cosine);
  power = WM_CALL(exp_parts, WM_CALL(exponent_in_range_or_nan, x), &p);
  WM_T rest = WM_MUL(power, p), less = WM_ADD(WM_SUB(power, WM_F64(1)), rest);
  less = WM_SELECT(WM_EQ(x, WM_F64(0)), x, less); // -0
  WM_T versine = WM_MUL(WM_ADD(half, half), half), sum = WM_SUB(WM_MUL(less, cosine), versine);
  WM_M cancels = WM_LT(WM_ABS(sum), WM_MUL(versine, WM_F64(0x1p-4)));
  *re = WM_SELECT(cancels, WM_NAN, sum);
  *im = WM_MUL(WM_ADD(power, rest), sine);
}

// Half the logarithm of |1 + z|², which is 1 + x (2 + x) + y², unless that cancels.
static inline void WM_NAME(log1p_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T one = WM_F64(1), sum = WM_ADD(one, x), yy = WM_MUL(y, y), mantissa;
  WM_T square = WM_ADD(WM_MUL(sum, sum), yy);
  WM_T more = WM_ADD(WM_MUL(x, WM_ADD(WM_F64(2), x)), yy);
  WM_M cancels = WM_LT(WM_ABS(more), WM_MUL(yy, WM_F64(0x1p-4)));
  WM_T k = WM_CALL(split, square, &mantissa);
  WM_T near = WM_SELECT(cancels, WM_NAN, more);
  WM_T f = WM_SELECT(WM_EQ(k, WM_F64(0)), near, WM_SUB(mantissa, one));
  WM_T value = WM_CALL(log_select, square, WM_HALVE(WM_CALL(log_parts, k, f)));
  *re = WM_SELECT(WM_EITHER(WM_IS_INFINITE(x), WM_IS_INFINITE(y)), WM_INFINITY, value);
  *im = WM_CALL(atan2, y, sum);
}

// z / |z|. A modulus that is no normal float is left to the function of one.
static inline void WM_NAME(sign_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T modulus = WM_SQRT(WM_ADD(WM_MUL(x, x), WM_MUL(y, y)));
  WM_M is_in_range =
      WM_BOTH(WM_LT(WM_F64(0x1p-126), modulus), WM_LT(modulus, WM_F64(0x1.fffffep127)));
  WM_T over = WM_SELECT(is_in_range, WM_DIV(WM_F64(1), modulus), WM_NAN);
  *re = WM_MUL(x, over);
  *im = WM_MUL(y, over);
}

// The conjugate of the root over |z|.
static inline void WM_NAME(rsqrt_complex)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T over = WM_DIV(WM_F64(1), WM_SQRT(WM_ADD(WM_MUL(x, x), WM_MUL(y, y))));
  WM_CALL(sqrt_complex, x, y, re, im);
  *re = WM_MUL(*re, over);
  *im = WM_NEGATE(WM_MUL(*im, over));
}

static inline WM_T WM_NAME(abs_complex)(WM_C c, WM_T x, WM_T y) {
  WM_T value = WM_SQRT(WM_ADD(WM_MUL(x, x), WM_MUL(y, y)));
  return WM_SELECT(WM_EITHER(WM_IS_INFINITE(x), WM_IS_INFINITE(y)), WM_INFINITY, value);
}
