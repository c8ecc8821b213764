// The f32 elementary functions, written once as branch-free sequences of operations on vectors
// whose kind the includer chooses: vector_math.c computes with four lanes, the emitter builds
// WebAssembly expressions. The same operations in the same order, so the same bits everywhere: no
// contraction, no approximate operation.
//
// The includer defines (and may define differently and include again)
//   VM_T, VM_C, VM_NAME(f)       type of vectors; type of the context, always called c; the name of
//                                the function made here for f (exp, log, …): VM_T f(VM_C c, VM_T x)
//   VM_F32(x), VM_I32(x)         a constant in every lane
//   VM_ADD SUB MUL DIV(a, b)     IEEE f32
//   VM_MADD NMADD(a, b, c)       a·b + c and c - a·b where a·b is exact: the same fused or not
//   VM_SQRT(a)
//   VM_PMIN(a, b), VM_PMAX(a, b) b < a ? b : a and a < b ? b : a, so a where either is NaN
//   VM_LT(a, b), VM_EQ(a, b)     f32 comparisons; a lane of ones or zeros
//   VM_AND OR XOR ANDNOT(a, b)   on bits; ANDNOT is a & ~b
//   VM_SELECT(mask, a, b)        mask ? a : b
//   VM_IADD ISUB(a, b)           on 32-bit integers, wrapping
//   VM_SHL SHRS SHRU(a, n)       all lanes by a constant: left, right with sign, right with zeros
//   VM_FROM_I32(a)               f32 of a signed integer
//   VM_PIECE(numbers, a)         the b-th of 16 numbers below 4, b the lowest byte of each lane (0
//                                where that is 255), in a form that VM_CHOOSE takes
//   VM_CHOOSE(four, piece)       of each lane that of four floats whose number VM_PIECE gave
//   VM_RARE(mask, value, f, x)   value, but where the mask is set what the scalar hlo_<f>_f32 gives
//                                for x; lanes that set it are rare, so that a branch pays
#include "math/vector/vector_coefficients.h"
#include "math/vector_math.h"

#define VM_CALL(f, ...) VM_NAME(f)(c, __VA_ARGS__)
#define VM_POLYNOMIAL(table, x, square)                                                            \
  VM_NAME(polynomial)(c, x, square, table, (int)(sizeof(table) / sizeof((table)[0])))
#define VM_ABS(a)  VM_AND(a, VM_I32(0x7fffffff))
#define VM_SIGN(a) VM_AND(a, VM_I32(INT32_MIN))

static inline VM_T VM_NAME(pair)(VM_C c, VM_T x, const float *table, int left) {
  VM_T first = VM_F32(table[0]);
  return left == 1 ? first : VM_ADD(first, VM_MUL(x, VM_F32(table[1])));
}

// Horner's rule in x² for pairs of terms: half as many operations wait for each other as in x.
static inline VM_T VM_NAME(polynomial)(VM_C c, VM_T x, VM_T square, const float *table, int count) {
  int i = (count - 1) / 2 * 2;
  VM_T y = VM_CALL(pair, x, table + i, count - i);
  for (i -= 2; i >= 0; i -= 2) y = VM_ADD(VM_MUL(y, square), VM_CALL(pair, x, table + i, 2));
  return y;
}

// x rounded to an integer after multiplication by a factor, as integer plus `bias` in the low bits
// of a float: adding 1.5 · 2^23 leaves no room for a fraction.
#define VM_ROUNDER(bias) (0x1.8p23f + (bias))

// e^x = 2^k e^r: *shifted holds k + bias, r is up to half of log 2. What rounding r loses, about
// 2^-26, goes to *lost unless NULL: e^r is then exact with r + *lost. k has nine bits.
static inline VM_T VM_NAME(exp_remainder)(VM_C c, VM_T x, float bias, VM_T *shifted, VM_T *lost) {
  VM_T rounder = VM_F32(VM_ROUNDER(bias));
  *shifted = VM_ADD(VM_MUL(x, VM_F32(0x1.715476p+0f)), rounder);
  VM_T k = VM_SUB(*shifted, rounder);
  VM_T high = VM_NMADD(k, VM_F32(V_LN2_1), x), low = VM_F32(V_LN2_2);
  VM_T r = VM_NMADD(k, low, high);
  if (lost) *lost = VM_NMADD(k, low, VM_SUB(high, r));
  return r;
}

// e^r - 1 for r of exp_remainder.
static inline VM_T VM_NAME(exp_rest)(VM_C c, VM_T r) {
  VM_T square = VM_MUL(r, r);
  return VM_ADD(r, VM_MUL(square, VM_POLYNOMIAL(V_EXP, r, square)));
}

static inline VM_T VM_NAME(exp)(VM_C c, VM_T x) {
  x = VM_PMAX(VM_PMIN(x, VM_F32(89)), VM_F32(-176)); // of which the power below is 0
  VM_T shifted, r = VM_CALL(exp_remainder, x, 254, &shifted, 0);
  // The power of two is multiplied in halves, so that results round once to subnormals and overflow
  // only beyond 2^128.
  VM_T doubled = VM_SHL(shifted, 22), half = VM_AND(doubled, VM_I32(0xff800000));
  VM_T value = VM_MADD(VM_CALL(exp_rest, r), half, half);
  return VM_MUL(value, VM_ISUB(VM_IADD(doubled, doubled), half));
}

// The same for x that are not above 0: nothing overflows, and one factor brings all k into range.
// Far below, the power is 0, since products and quotients that round to 0 take processors tens of
// clocks.
static inline VM_T VM_NAME(exp_below)(VM_C c, VM_T x) {
  VM_T shifted, r = VM_CALL(exp_remainder, VM_PMAX(x, VM_F32(-157.3f)), 127 + 100, &shifted, 0);
  VM_T power = VM_SHL(shifted, 23);
  return VM_MUL(VM_MADD(VM_CALL(exp_rest, r), power, power), VM_F32(0x1p-100f));
}

// (2^k - 1) + 2^k r + 2^k (e^r - 1 - r), where the first sum is made with its rounding error. All
// is halved, since 2^128 is no float. Tiny x, zeros and subnormals among them, are their own
// result.
static inline VM_T VM_NAME(expm1)(VM_C c, VM_T x) {
  VM_T clamped = VM_PMAX(VM_PMIN(x, VM_F32(89)), VM_F32(-18)), lost;
  VM_T shifted, r = VM_CALL(exp_remainder, clamped, 126, &shifted, &lost);
  VM_T power = VM_SHL(shifted, 23);
  VM_T square = VM_MUL(r, r);
  VM_T rest = VM_ADD(VM_MUL(square, VM_POLYNOMIAL(V_EXP, r, square)), lost);
  VM_T base = VM_SUB(power, VM_F32(0.5f)), sum = VM_MADD(power, r, base);
  VM_T error = VM_MADD(power, r, VM_SUB(base, sum));
  VM_T value = VM_ADD(sum, VM_MADD(power, rest, error));
  VM_T is_tiny = VM_LT(VM_ABS(x), VM_F32(0x1p-25f));
  return VM_SELECT(is_tiny, x, VM_ADD(value, value));
}

// -|x| = r + k log 2 / 2 with k ≤ 0. With p = 2^k and tanh r = r / b(r²), tanh |x| is n / (n + m),
// n = b (1 - p) - r (1 + p), m = 2 p (b + r). n is exact where p is 1; where p is small, so is m,
// and what is missing to 1 is all that has errors. k is rounded down to make r lie between -0.256,
// of which tanh is just above 1/4, so that smaller results have no errors but of b, and 0.091.
// Numbers of ten bits after the point are made for it.
static inline VM_T VM_NAME(tanh)(VM_C c, VM_T x) {
  VM_T minus = VM_PMAX(VM_OR(x, VM_I32(INT32_MIN)), VM_F32(-10));
  VM_T rounder = VM_F32(0x1.8p13f + 127), one = VM_F32(1);
  VM_T shifted =
      VM_ADD(VM_MUL(minus, VM_F32(0x1.715476p+1f)), VM_F32(0x1.8p13f + 127 + 755 * 0x1p-10f));
  shifted = VM_AND(shifted, VM_I32(-1024));
  // Products with k are exact up to where p no longer counts.
  VM_T r = VM_SUB(minus, VM_MUL(VM_SUB(shifted, rounder), VM_F32(0x1.62e43p-2f)));
  VM_T square = VM_MUL(r, r), p = VM_SHL(shifted, 13);
  VM_T b = VM_ADD(one, VM_MUL(square, VM_CALL(pair, square, V_TANH, 2)));
  VM_T n = VM_SUB(VM_NMADD(p, b, b), VM_MADD(p, r, r));
  VM_T twice = VM_IADD(p, VM_I32(1 << 23));
  return VM_OR(VM_DIV(n, VM_MADD(twice, VM_ADD(b, r), n)), VM_SIGN(x));
}

// 1 / (1 + e^-x) with e^-x = 2^k v / u, where u = b(r²) - s, v = u + 2 s, s = 13/16 r, so that v
// counts, as it stands, for e^r. The factor keeps u and v between 1.3 and 2, where they round
// least, but where results round less. The denominator is multiplied by 2^-30, so that it does not
// overflow before the result is subnormal.
static inline VM_T VM_NAME(logistic)(VM_C c, VM_T x) {
  VM_T negative = VM_XOR(VM_PMAX(VM_PMIN(x, VM_F32(40)), VM_F32(-104)), VM_I32(INT32_MIN));
  VM_T shifted, r = VM_CALL(exp_remainder, negative, 127 - 30, &shifted, 0);
  VM_T square = VM_MUL(r, r), s = VM_MUL(r, VM_F32(0.8125f)), scale = VM_F32(0x1p-30f);
  VM_T b = VM_ADD(VM_F32(1.625f), VM_MUL(square, VM_CALL(pair, square, V_LOGISTIC, 2)));
  VM_T u = VM_SUB(b, s), v = VM_ADD(u, VM_ADD(s, s));
  return VM_MUL(VM_DIV(u, VM_MADD(VM_SHL(shifted, 23), v, VM_MUL(u, scale))), scale);
}

// x = 2^k (1 + f) with 1 + f from √½ to √2, for positive normal x. The bits of √½ are taken off, so
// that the exponent field counts from there.
static inline VM_T VM_NAME(log_split)(VM_C c, VM_T x, VM_T *k) {
  VM_T offset = VM_ISUB(x, VM_I32(0x3f3504f3));
  *k = VM_SHRS(offset, 23);
  VM_T mantissa = VM_IADD(VM_AND(offset, VM_I32(0x7fffff)), VM_I32(0x3f3504f3));
  return VM_SUB(mantissa, VM_F32(1));
}

// log(1 + f) - f for f of log_split: with s = f / (2 + f), log(1 + f) is 2 atanh s, and 2 s is f -
// s f.
static inline VM_T VM_NAME(log_rest)(VM_C c, VM_T f) {
  VM_T s = VM_DIV(f, VM_ADD(f, VM_F32(2))), square = VM_MUL(s, s);
  VM_T y = VM_ADD(VM_F32(V_LOG[0]), VM_MUL(square, VM_CALL(pair, square, V_LOG + 1, 2)));
  return VM_MUL(s, VM_SUB(VM_MUL(square, y), f));
}

// log(2^k (1 + f)), rest of log_rest. k log 2 + f is made with its rounding error.
static inline VM_T VM_NAME(log_sum)(VM_C c, VM_T k, VM_T f, VM_T rest) {
  VM_T sum = VM_MADD(k, VM_F32(V_LN2_1), f);
  VM_T error = VM_SUB(f, VM_NMADD(k, VM_F32(V_LN2_1), sum));
  return VM_ADD(sum, VM_ADD(error, VM_MADD(k, VM_F32(V_LN2_2), rest)));
}

// Outside of its domain: NaN left of 0, -inf at 0, inf and NaN themselves.
static inline VM_T VM_NAME(log_select)(VM_C c, VM_T x, VM_T value) {
  value = VM_SELECT(VM_LT(x, VM_F32(__builtin_inff())), value, x);
  value = VM_SELECT(VM_LT(x, VM_F32(0)), VM_F32(__builtin_nanf("")), value);
  return VM_SELECT(VM_EQ(x, VM_F32(0)), VM_F32(-__builtin_inff()), value);
}

static inline VM_T VM_NAME(log)(VM_C c, VM_T x) {
  VM_T is_small = VM_LT(x, VM_F32(0x1p-126f));
  VM_T k, normal = VM_SELECT(is_small, VM_MUL(x, VM_F32(0x1p25f)), x);
  VM_T f = VM_CALL(log_split, normal, &k);
  k = VM_FROM_I32(VM_ISUB(k, VM_AND(is_small, VM_I32(25))));
  return VM_CALL(log_select, x, VM_CALL(log_sum, k, f, VM_CALL(log_rest, f)));
}

// The logarithm of 1 + x with the rounding error of that sum added to f.
static inline VM_T VM_NAME(log1p)(VM_C c, VM_T x) {
  VM_T one = VM_F32(1), u = VM_ADD(one, x), seen = VM_SUB(u, one);
  VM_T error = VM_ADD(VM_SUB(x, seen), VM_SUB(one, VM_SUB(u, seen)));
  VM_T k, f = VM_CALL(log_split, u, &k);
  // 2^-k as a float, but for k so large that the error does not count.
  VM_T scale = VM_SHL(VM_ISUB(VM_I32(127), k), 23);
  error = VM_AND(VM_MUL(error, scale), VM_LT(x, VM_F32(0x1p30f)));
  VM_T whole = VM_ADD(f, error), lost = VM_SUB(error, VM_SUB(whole, f));
  VM_T rest = VM_ADD(VM_CALL(log_rest, whole), lost);
  VM_T value = VM_CALL(log_sum, VM_FROM_I32(k), whole, rest);
  return VM_OR(VM_CALL(log_select, u, value), VM_SIGN(x));
}

// √(1/x), since the root halves the error of the quotient. 4/x stays normal but for x that are
// subnormal or nearly so.
static inline VM_T VM_NAME(rsqrt)(VM_C c, VM_T x) {
  VM_T is_small = VM_LT(VM_ABS(x), VM_F32(0x1p-124f));
  VM_T over = VM_DIV(VM_SELECT(is_small, VM_F32(0x1p-22f), VM_F32(4)), x);
  VM_T value = VM_MUL(VM_SQRT(over), VM_SELECT(is_small, VM_F32(0x1p11f), VM_F32(0.5f)));
  value = VM_SELECT(VM_LT(x, VM_F32(0)), VM_F32(__builtin_nanf("")), value); // -inf too
  return VM_SELECT(VM_EQ(x, VM_F32(0)), over, value);
}

// x = q π/2 + r + *lost, q in the low bits of *quadrant, for |x| < 2^13 π/2: multiples of all but
// the last part of π/2 are exact, and so are the first differences.
static inline VM_T VM_NAME(angle)(VM_C c, VM_T x, VM_T *quadrant, VM_T *lost) {
  VM_T rounder = VM_F32(VM_ROUNDER(0));
  *quadrant = VM_ADD(VM_MUL(x, VM_F32(0x1.45f306p-1f)), rounder);
  VM_T k = VM_SUB(*quadrant, rounder);
  VM_T high = VM_NMADD(k, VM_F32(V_HALF_PI_2), VM_NMADD(k, VM_F32(V_HALF_PI_1), x));
  VM_T third = VM_F32(V_HALF_PI_3), near = VM_NMADD(k, third, high);
  VM_T rest = VM_NMADD(k, third, VM_SUB(high, near));
  rest = VM_NMADD(k, VM_F32(V_HALF_PI_4), rest);
  rest = VM_SUB(rest, VM_MUL(k, VM_F32(V_HALF_PI_5)));
  VM_T r = VM_ADD(near, rest);
  *lost = VM_SUB(rest, VM_SUB(r, near));
  return r;
}

// sin x, or cos x with a quarter more. Both polynomials are computed and one is chosen.
static inline VM_T VM_NAME(sin_of_quadrant)(VM_C c, VM_T r, VM_T lost, VM_T quadrant) {
  VM_T square = VM_MUL(r, r);
  VM_T fourth = VM_MUL(square, square);
  VM_T sine = VM_ADD(VM_MUL(VM_MUL(r, square), VM_POLYNOMIAL(V_SIN, square, fourth)), lost);
  sine = VM_ADD(r, sine);
  VM_T rest = VM_MUL(fourth, VM_POLYNOMIAL(V_COS, square, fourth));
  VM_T half = VM_MUL(square, VM_F32(0.5f)), base = VM_SUB(VM_F32(1), half);
  VM_T error = VM_SUB(VM_SUB(VM_F32(1), base), half);
  VM_T cosine = VM_ADD(base, VM_ADD(error, VM_SUB(rest, VM_MUL(r, lost))));
  VM_T is_odd = VM_SHRS(VM_SHL(quadrant, 31), 31);
  VM_T value = VM_SELECT(is_odd, cosine, sine);
  return VM_XOR(value, VM_SHL(VM_SHRU(quadrant, 1), 31));
}

#define VM_IS_LARGE_ANGLE(x) VM_LT(VM_F32(HLO_LARGE_ANGLE), VM_ABS(x))

static inline VM_T VM_NAME(sin)(VM_C c, VM_T x) {
  VM_T quadrant, lost, r = VM_CALL(angle, x, &quadrant, &lost);
  VM_T value = VM_CALL(sin_of_quadrant, r, lost, quadrant);
  value = VM_SELECT(VM_EQ(x, VM_F32(0)), x, value);
  return VM_RARE(VM_IS_LARGE_ANGLE(x), value, sin, x);
}

static inline VM_T VM_NAME(cos)(VM_C c, VM_T x) {
  VM_T quadrant, lost, r = VM_CALL(angle, x, &quadrant, &lost);
  VM_T value = VM_CALL(sin_of_quadrant, r, lost, VM_IADD(quadrant, VM_I32(1)));
  return VM_RARE(VM_IS_LARGE_ANGLE(x), value, cos, x);
}

// Of one of four polynomials the coefficients from number `first` on, for t.
static inline VM_T VM_NAME(piece_polynomial)(VM_C c, VM_T t, VM_T piece, const float (*rows)[4],
                                             int first, int count) {
  VM_T square = VM_MUL(t, t), y = VM_CHOOSE(rows[count - 1], piece);
  int i = count - 2;
  if ((count - first) % 2 == 0) {
    y = VM_ADD(VM_CHOOSE(rows[i], piece), VM_MUL(t, y));
    i--;
  }
  for (; i > first; i -= 2) {
    VM_T two = VM_ADD(VM_CHOOSE(rows[i - 1], piece), VM_MUL(t, VM_CHOOSE(rows[i], piece)));
    y = VM_ADD(VM_MUL(y, square), two);
  }
  return y;
}

#define VM_PIECES(table, first, t, piece)                                                          \
  VM_NAME(piece_polynomial)(c, t, piece, table, first, (int)(sizeof(table) / sizeof((table)[0])))

// The first coefficient plus a polynomial in the distance from the centre, of one of four pieces.
// Of the first piece, which ends at 7/8, the former is x, so that small x lose nothing.
static inline VM_T VM_NAME(erf)(VM_C c, VM_T x) {
  static const uint8_t pieces[16] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3};
  VM_T magnitude = VM_PMIN(VM_ABS(x), VM_F32(3.94f));                          // of which it is 1
  VM_T piece = VM_PIECE(pieces, VM_ADD(magnitude, VM_F32(0x1.8p21f - 0.25f))); // by quarters
  VM_T t = VM_SUB(magnitude, VM_CHOOSE(V_ERF_CENTRES, piece));
  VM_T base = VM_PMIN(magnitude, VM_CHOOSE(V_ERF[0], piece));
  VM_T y = VM_ADD(base, VM_MUL(t, VM_PIECES(V_ERF, 1, t, piece)));
  return VM_OR(y, VM_SIGN(x));
}

// x times a polynomial in w = -log(1 - x²), of one of four pieces, and a power of 2, whose product
// with x has no error, is all but a small part of that.
static inline VM_T VM_NAME(erf_inv)(VM_C c, VM_T x) {
  static const uint8_t pieces[16] = {0, 0, 1, 2, 2, 3, 3, 3, 3};
  static const float powers[4] = {1, 2, 2, 4};
  VM_T one = VM_F32(1), k, square = VM_MUL(VM_SUB(one, x), VM_ADD(one, x));
  VM_T f = VM_CALL(log_split, square, &k);
  VM_T w = VM_MUL(VM_FROM_I32(k), VM_F32(-0x1.62e43p-1f));
  w = VM_SUB(w, VM_ADD(f, VM_CALL(log_rest, f)));
  VM_T piece = VM_PIECE(pieces, VM_ADD(w, VM_F32(0x1.8p24f))); // by twos
  VM_T t = VM_SUB(w, VM_CHOOSE(V_ERF_INV_CENTRES, piece));
  VM_T value = VM_MUL(x, VM_PIECES(V_ERF_INV, 0, t, piece));
  value = VM_OR(VM_ADD(VM_MUL(x, VM_CHOOSE(powers, piece)), value), VM_SIGN(x)); // -0
  return VM_RARE(VM_LT(VM_F32(0x1.fffffep-1f), VM_ABS(x)), value, erf_inv, x);
}

// e^(-x²) (11/8 + g) / (2 (x + 17/16)). What counts is exact: of x a part of 12 bits, whose square
// is, 12 bits of the quotient, u, and of the numerator. What is small is rounded and added last:
// `part`, the rest of x, `less` of x², the relative `error` of u.
static inline VM_T VM_NAME(erfc)(VM_C c, VM_T x) {
  VM_T magnitude = VM_PMIN(VM_ABS(x), VM_F32(10.06f)), rounder = VM_F32(0x1.8p15f);
  VM_T near = VM_SUB(VM_ADD(magnitude, rounder), rounder), part = VM_SUB(magnitude, near);
  VM_T less = VM_MUL(VM_ADD(magnitude, near), part), one = VM_F32(1), base = VM_F32(1.375f);
  VM_T minus = VM_XOR(VM_MUL(near, near), VM_I32(INT32_MIN)), offset = VM_F32(VM_ROUNDER(227));
  VM_T shifted = VM_ADD(VM_MUL(VM_SUB(minus, less), VM_F32(0x1.715476p+0f)), offset);
  VM_T k = VM_SUB(shifted, offset);
  less = VM_MADD(k, VM_F32(V_LN2_2), less);
  VM_T p = VM_CALL(exp_rest, VM_SUB(VM_NMADD(k, VM_F32(V_LN2_1), minus), less));
  VM_T d = VM_ADD(near, VM_F32(1.0625f)), u = VM_AND(VM_DIV(one, d), VM_I32(-4096));
  VM_T error = VM_SUB(VM_NMADD(d, u, one), VM_MUL(part, u));
  error = VM_ADD(error, VM_MUL(error, error));
  VM_T v = VM_SUB(VM_ADD(u, VM_MUL(u, error)), VM_F32(0x1.bp-2f));
  VM_T g = VM_POLYNOMIAL(V_ERFC, v, VM_MUL(v, v));
  VM_T rest = VM_ADD(g, VM_MUL(VM_ADD(base, g), p)), n = VM_ADD(base, rest);
  VM_T high = VM_AND(n, VM_I32(-4096)), low = VM_ADD(VM_SUB(base, high), rest);
  low = VM_MUL(u, VM_ADD(low, VM_MUL(n, error)));
  VM_T far = VM_MUL(VM_MADD(u, high, low), VM_SHL(shifted, 23));
  far = VM_MUL(far, VM_F32(0x1p-101f));
  return VM_SELECT(VM_LT(x, VM_F32(0)), VM_SUB(VM_F32(2), far), far);
}

#undef VM_CALL
#undef VM_POLYNOMIAL
#undef VM_PIECES
#undef VM_ABS
#undef VM_SIGN
#undef VM_ROUNDER
#undef VM_IS_LARGE_ANGLE
