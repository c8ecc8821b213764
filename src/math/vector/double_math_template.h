// The functions of f64 that are computed in vectors, written once without branches: like those of
// wide_math_template.h, which the includer includes before, and with its macros.
//
// They are the functions of elementary.h, to the last bit. What leads to a result is carried in two
// doubles, high and low, so that little more than the last rounding remains; in `parted` numbers
// high has half the bits, and products of such are exact.
//
// Sources: those of double_double.h, math/wide/exp.c, math/wide/log.c and
// math/elementary/trig.c.

// a + b exactly, if |a| ≥ |b| or a is 0.
static inline WM_T WM_NAME(quick_two_sum)(WM_C c, WM_T a, WM_T b, WM_T *low) {
  WM_T sum = WM_ADD(a, b);
  *low = WM_SUB(b, WM_SUB(sum, a));
  return sum;
}

// a + b exactly.
static inline WM_T WM_NAME(two_sum)(WM_C c, WM_T a, WM_T b, WM_T *low) {
  WM_T sum = WM_ADD(a, b), part = WM_SUB(sum, a);
  *low = WM_ADD(WM_SUB(a, WM_SUB(sum, part)), WM_SUB(b, part));
  return sum;
}

// a² exactly.
static inline WM_T WM_NAME(exact_square)(WM_C c, WM_T a, WM_T *low) {
  WM_T high = WM_CALL(upper_half, a), square = WM_MUL(a, a);
  *low = WM_ADD(WM_SUB(WM_MUL(high, high), square), WM_MUL(WM_SUB(a, high), WM_ADD(a, high)));
  return square;
}

// a b exactly, if nothing overflows or falls below 2^-969.
static inline WM_T WM_NAME(exact_product)(WM_C c, WM_T a, WM_T b, WM_T *low) {
  WM_T a_high = WM_CALL(upper_half, a), a_low = WM_SUB(a, a_high), product = WM_MUL(a, b);
  WM_T b_high = WM_CALL(upper_half, b), b_low = WM_SUB(b, b_high);
  WM_T rest = WM_ADD(WM_SUB(WM_MUL(a_high, b_high), product), WM_MUL(a_high, b_low));
  *low = WM_ADD(WM_ADD(rest, WM_MUL(a_low, b_high)), WM_MUL(a_low, b_low));
  return product;
}

// (a + a_low) / (b + b_low), parted; relative error about 2^-77.
static inline WM_T WM_NAME(divide)(WM_C c, WM_T a, WM_T a_low, WM_T b, WM_T b_low, WM_T *low) {
  WM_T over = WM_DIV(WM_F64(1), b), quotient = WM_CALL(upper_half, WM_MUL(a, over));
  WM_T high = WM_CALL(upper_half, b);
  WM_T rest = WM_SUB(WM_SUB(a, WM_MUL(quotient, high)), WM_MUL(quotient, WM_SUB(b, high)));
  *low = WM_MUL(WM_ADD(rest, WM_SUB(a_low, WM_MUL(quotient, b_low))), over);
  return quotient;
}

// x where it is zero or so small that the other terms do not affect the result.
static inline WM_T WM_NAME(or_tiny)(WM_C c, WM_T x, double tiny, WM_T value) {
  return WM_SELECT(WM_LT(WM_ABS(x), WM_F64(tiny)), x, value);
}

// --- exponentials ---

// x - k log 2 with |r| ≤ 0.3467 and what it lacks; x itself where k is 0. *shifted has k in its low
// bits. |x| < 2^20.
static inline WM_T WM_NAME(exp_reduce)(WM_C c, WM_T x, WM_T *shifted, WM_T *low) {
  WM_T rounder = WM_F64(0x1.8p52);
  *shifted = WM_ADD(WM_MUL(x, WM_F64(LOG2_E)), rounder);
  WM_T k = WM_SUB(*shifted, rounder);
  WM_T first = WM_SUB(x, WM_MUL(k, WM_F64(LN2_1))), second = WM_MUL(k, WM_F64(LN2_2));
  WM_T r = WM_SUB(first, second);
  *low = WM_SUB(WM_SUB(first, r), second);
  return r;
}

// e^(r + low) - 1 - r, up to 0.07, with an error of about 2^-57.
static inline WM_T WM_NAME(exp_rest)(WM_C c, WM_T r, WM_T low) {
  WM_T square = WM_MUL(r, r), tail = WM_MUL(WM_MUL(square, r), WM_POLYNOMIAL(EXP, r));
  return WM_ADD(WM_HALVE(square), WM_ADD(tail, low));
}

// e^(r + r_low), not normalised: *low is up to 0.07.
static inline WM_T WM_NAME(exp_of_rest)(WM_C c, WM_T r, WM_T r_low, WM_T *low) {
  WM_T sum = WM_CALL(quick_two_sum, WM_F64(1), r, low);
  *low = WM_ADD(*low, WM_CALL(exp_rest, r, r_low));
  return sum;
}

// e^x / 2^k, not normalised either.
static inline WM_T WM_NAME(exp_sum)(WM_C c, WM_T x, WM_T *shifted, WM_T *low) {
  WM_T r_low, r = WM_CALL(exp_reduce, x, shifted, &r_low);
  return WM_CALL(exp_of_rest, r, r_low, low);
}

// The same of x + x_low.
static inline WM_T WM_NAME(exp_sum_of_pair)(WM_C c, WM_T x, WM_T x_low, WM_T *shifted, WM_T *low) {
  WM_T r_low, r = WM_CALL(exp_reduce, x, shifted, &r_low);
  r = WM_CALL(quick_two_sum, r, WM_ADD(r_low, x_low), &r_low);
  return WM_CALL(exp_of_rest, r, WM_ADD(r_low, WM_MUL(r, r_low)), low);
}

// 2^(k + more) for the k of exp_reduce, if that is the exponent of a normal number.
static inline WM_T WM_NAME(power_of)(WM_C c, WM_T shifted, int more) {
  return WM_SHL(WM_IADD(shifted, WM_I64(1023 + more)), 52);
}

// 2^k as a product of two: any k, and one rounding for what is scaled with one after the other.
static inline WM_T WM_NAME(two_powers)(WM_C c, WM_T shifted, WM_T *other) {
  WM_T rounder = WM_F64(0x1.8p52);
  WM_T half = WM_ADD(WM_HALVE(WM_SUB(shifted, rounder)), rounder);
  *other = WM_CALL(power_of, WM_ISUB(shifted, half), 0);
  return WM_CALL(power_of, half, 0);
}

// (high + low) 2^k
static inline WM_T WM_NAME(scale_sum)(WM_C c, WM_T high, WM_T low, WM_T shifted) {
  WM_T other, power = WM_CALL(two_powers, shifted, &other);
  return WM_MUL(WM_MUL(WM_ADD(high, low), power), other);
}

// Beyond these limits e^x overflows, or rounds to 0.
static inline WM_T WM_NAME(exp_f64)(WM_C c, WM_T x) {
  WM_T shifted, low, high = WM_CALL(exp_sum, WM_CALL(clamp, x, -747, 711), &shifted, &low);
  return WM_CALL(scale_sum, high, low, shifted);
}

// (e^x - 1) / 2^less for -60 ≤ x and e^x / 2^less about the largest number at most.
static inline WM_T WM_NAME(expm1_over)(WM_C c, WM_T x, int less, WM_T *low) {
  WM_T shifted, r_low, r = WM_CALL(exp_reduce, x, &shifted, &r_low), one_low;
  WM_T power = WM_CALL(power_of, shifted, -less), one = WM_F64(less == 1 ? -0.5 : -0.25);
  WM_T high = WM_CALL(two_sum, WM_CALL(two_sum, power, one, &one_low), WM_MUL(power, r), low);
  WM_T sum = WM_ADD(WM_ADD(*low, one_low), WM_MUL(power, WM_CALL(exp_rest, r, r_low)));
  return WM_CALL(quick_two_sum, high, sum, low);
}

static inline WM_T WM_NAME(expm1_f64)(WM_C c, WM_T x) {
  WM_T low, half = WM_CALL(expm1_over, WM_CALL(clamp, x, -60, 709.79), 1, &low);
  return WM_CALL(or_tiny, x, 0x1p-54, WM_ADD(half, half));
}

// e / (e + 2) for e = e^2|x| - 1.
static inline WM_T WM_NAME(tanh_f64)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), magnitude = WM_PMIN(WM_ABS(x), WM_F64(20)), low, sum_low, quotient_low;
  WM_T half = WM_CALL(expm1_over, WM_ADD(magnitude, magnitude), 1, &low);
  WM_T sum = WM_CALL(two_sum, one, half, &sum_low);
  WM_T quotient = WM_CALL(divide, half, low, sum, WM_ADD(sum_low, low), &quotient_low);
  quotient = WM_COPYSIGN(WM_ADD(quotient, quotient_low), x);
  return WM_CALL(or_tiny, x, 0x1p-27, quotient);
}

// 2 (a + b), of which b, parted, counts only up to a magnitude of 40.
static inline WM_T WM_NAME(twice_sum)(WM_C c, WM_T magnitude, WM_T a, WM_T a_low, WM_T b,
                                      WM_T b_low) {
  WM_M is_near = WM_LT(magnitude, WM_F64(40));
  WM_T zero = WM_F64(0), low;
  a_low = WM_ADD(a_low, WM_SELECT(is_near, b_low, zero));
  WM_T sum = WM_CALL(quick_two_sum, a, WM_SELECT(is_near, b, zero), &low);
  sum = WM_ADD(sum, WM_ADD(low, a_low));
  return WM_ADD(sum, sum);
}

// (e + e / (e + 1)) / 2 for e = e^|x| - 1.
static inline WM_T WM_NAME(sinh_f64)(WM_C c, WM_T x) {
  WM_T magnitude = WM_PMIN(WM_ABS(x), WM_F64(710.5)), four = WM_F64(4), low, sum_low, quotient_low;
  WM_T part = WM_CALL(expm1_over, magnitude, 2, &low);
  WM_T sum = WM_CALL(two_sum, WM_F64(1), WM_MUL(part, four), &sum_low);
  sum_low = WM_ADD(sum_low, WM_MUL(low, four));
  WM_T quotient = WM_CALL(divide, part, low, sum, sum_low, &quotient_low);
  WM_T value = WM_CALL(twice_sum, magnitude, part, low, quotient, quotient_low);
  return WM_CALL(or_tiny, x, 0x1p-27, WM_COPYSIGN(value, x));
}

// (e + 1 / e) / 2 for e = e^|x|.
static inline WM_T WM_NAME(cosh_f64)(WM_C c, WM_T x) {
  WM_T magnitude = WM_PMIN(WM_ABS(x), WM_F64(710.5)), shifted, low, inverse_low;
  WM_T high = WM_CALL(exp_sum, magnitude, &shifted, &low);
  WM_T power = WM_CALL(power_of, shifted, -2);
  high = WM_CALL(quick_two_sum, WM_MUL(high, power), WM_MUL(low, power), &low);
  WM_T inverse = WM_CALL(divide, WM_F64(0x1p-4), WM_F64(0), high, low, &inverse_low);
  return WM_CALL(twice_sum, magnitude, high, low, inverse, inverse_low);
}

// With e = e^-|x|: 1 / (1 + e), or e / (1 + e) for negative x.
static inline WM_T WM_NAME(logistic_f64)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), zero = WM_F64(0), shifted, low, other, sum_low, quotient_low;
  WM_M is_below = WM_LT(x, zero);
  WM_T exponent = WM_PMAX(WM_NEGATE(WM_ABS(x)), WM_F64(-747));
  WM_T high = WM_CALL(exp_sum, exponent, &shifted, &low);
  high = WM_CALL(quick_two_sum, high, low, &low);
  WM_T power = WM_CALL(two_powers, shifted, &other), both = WM_MUL(power, other);
  WM_T sum = WM_CALL(quick_two_sum, one, WM_MUL(high, both), &sum_low);
  sum = WM_CALL(quick_two_sum, sum, WM_ADD(sum_low, WM_MUL(low, both)), &sum_low);
  WM_T upper = WM_SELECT(is_below, high, one), upper_low = WM_SELECT(is_below, low, zero);
  WM_T value = WM_CALL(divide, upper, upper_low, sum, sum_low, &quotient_low);
  value = WM_ADD(value, quotient_low);
  return WM_SELECT(is_below, WM_MUL(WM_MUL(value, power), other), value);
}

// --- logarithms ---

// log(2^k (1 + f + f_low)) for 1 + f between √½ and √2. With s = f / (2 + f) and R the rest of the
// series in s², log(1 + f) = 2s + s R = f - (f²/2 - s (f²/2 + R)), whose first term is exact.
static inline WM_T WM_NAME(log_sum)(WM_C c, WM_T k, WM_T f, WM_T f_low) {
  WM_T s = WM_DIV(f, WM_ADD(WM_F64(2), f)), square = WM_MUL(s, s), low;
  WM_T half = WM_HALVE(WM_MUL(f, f)), rest = WM_MUL(square, WM_POLYNOMIAL(LOG, square));
  rest = WM_SUB(WM_MUL(s, WM_ADD(half, rest)), half);
  rest = WM_ADD(rest, WM_ADD(WM_MUL(k, WM_F64(LN2_2)), f_low));
  WM_T sum = WM_CALL(quick_two_sum, WM_MUL(k, WM_F64(LN2_1)), f, &low);
  return WM_ADD(sum, WM_ADD(low, rest));
}

// The k and the mantissa of split, for subnormal numbers, too.
static inline WM_T WM_NAME(split_any)(WM_C c, WM_T x, WM_T *mantissa) {
  WM_M is_subnormal = WM_LT(x, WM_F64(0x1p-1022));
  x = WM_SELECT(is_subnormal, WM_MUL(x, WM_F64(0x1p54)), x);
  WM_T k = WM_CALL(split, x, mantissa);
  return WM_SELECT(is_subnormal, WM_SUB(k, WM_F64(54)), k);
}

static inline WM_T WM_NAME(log_f64)(WM_C c, WM_T x) {
  WM_T mantissa, k = WM_CALL(split_any, x, &mantissa);
  WM_T f = WM_SUB(mantissa, WM_F64(1));
  return WM_CALL(log_select, x, WM_CALL(log_sum, k, f, WM_F64(0)));
}

// The k, and f + *f_low, of 1 + x + x_low = 2^k (1 + f). What the sum loses is added to the
// mantissa; where k is 0 x itself is the remainder.
static inline WM_T WM_NAME(split_sum)(WM_C c, WM_T x, WM_T x_low, WM_T *f, WM_T *f_low) {
  WM_T one = WM_F64(1), zero = WM_F64(0), lost, sum = WM_CALL(two_sum, one, x, &lost), mantissa;
  WM_T k = WM_CALL(split, sum, &mantissa), scale = WM_ISUB(one, WM_ISUB(sum, mantissa)); // 2^-k
  WM_M is_near = WM_EQ(k, zero);
  lost = WM_SELECT(WM_LT(x, WM_F64(0x1p60)), WM_MUL(WM_ADD(lost, x_low), scale), zero);
  *f = WM_SELECT(is_near, x, WM_SUB(mantissa, one));
  *f_low = WM_MUL(WM_SELECT(is_near, x_low, lost), WM_SUB(one, *f));
  return k;
}

static inline WM_T WM_NAME(log1p_f64)(WM_C c, WM_T x) {
  WM_T f, f_low, k = WM_CALL(split_sum, x, WM_F64(0), &f, &f_low);
  WM_T value = WM_CALL(log_select, WM_ADD(WM_F64(1), x), WM_CALL(log_sum, k, f, f_low));
  return WM_CALL(or_tiny, x, 0x1p-54, value);
}

// log(1 + x + x_low), or log 2m where m is so large that the other terms do not affect the result.
static inline WM_T WM_NAME(log1p_or_log_twice)(WM_C c, WM_T x, WM_T x_low, WM_T m) {
  WM_T f, f_low, mantissa, near = WM_CALL(split_sum, x, x_low, &f, &f_low), one = WM_F64(1);
  WM_T far = WM_ADD(WM_CALL(split, m, &mantissa), one);
  WM_M is_far = WM_LT(WM_F64(0x1p30), m);
  f = WM_SELECT(is_far, WM_SUB(mantissa, one), f);
  f_low = WM_SELECT(is_far, WM_F64(0), f_low);
  WM_T value = WM_CALL(log_sum, WM_SELECT(is_far, far, near), f, f_low);
  return WM_SELECT(WM_LT(m, WM_INFINITY), value, m);
}

// The root of x + x_low, positive or 0.
static inline WM_T WM_NAME(sqrt_sum)(WM_C c, WM_T x, WM_T x_low, WM_T *low) {
  WM_T root = WM_SQRT(x), zero = WM_F64(0), square_low;
  WM_T square = WM_CALL(exact_square, root, &square_low);
  WM_T rest = WM_ADD(WM_SUB(WM_SUB(x, square), square_low), x_low);
  *low = WM_SELECT(WM_EQ(root, zero), zero, WM_DIV(rest, WM_ADD(root, root)));
  return root;
}

// log(m + √(m² + 1)) = log(1 + m + m² / (1 + √(1 + m²))) for m = |x|.
static inline WM_T WM_NAME(asinh_f64)(WM_C c, WM_T x) {
  WM_T m = WM_ABS(x), one = WM_F64(1), square_low, low, below_low, root_low;
  WM_T square = WM_CALL(exact_square, m, &square_low), more = WM_CALL(two_sum, square, one, &low);
  WM_T root = WM_CALL(sqrt_sum, more, WM_ADD(low, square_low), &root_low);
  WM_T below = WM_CALL(quick_two_sum, root, one, &below_low);
  WM_T quotient = WM_CALL(divide, square, square_low, below, WM_ADD(below_low, root_low), &low);
  WM_T sum_low, sum = WM_CALL(two_sum, m, quotient, &sum_low);
  sum = WM_CALL(quick_two_sum, sum, WM_ADD(sum_low, low), &sum_low);
  WM_T value = WM_CALL(log1p_or_log_twice, sum, sum_low, m);
  return WM_CALL(or_tiny, x, 0x1p-28, WM_COPYSIGN(value, x));
}

// log(1 + t + √(t (2 + t))) for t = x - 1.
static inline WM_T WM_NAME(acosh_f64)(WM_C c, WM_T x) {
  WM_T t = WM_SUB(x, WM_F64(1)), square_low, low, sum_low;
  WM_T square = WM_CALL(exact_square, t, &square_low);
  WM_T product = WM_CALL(two_sum, WM_ADD(t, t), square, &low);
  WM_T root = WM_CALL(sqrt_sum, product, WM_ADD(low, square_low), &low);
  WM_T sum = WM_CALL(two_sum, root, t, &sum_low);
  sum = WM_CALL(quick_two_sum, sum, WM_ADD(sum_low, low), &sum_low);
  WM_T value = WM_CALL(log1p_or_log_twice, sum, sum_low, x);
  return WM_SELECT(WM_LT(x, WM_F64(1)), WM_NAN, value);
}

// log(1 + 2m / (1 - m)) / 2 for m = |x|.
static inline WM_T WM_NAME(atanh_f64)(WM_C c, WM_T x) {
  WM_T m = WM_ABS(x), one = WM_F64(1), low, below_low, f, f_low;
  WM_T below = WM_CALL(quick_two_sum, one, WM_NEGATE(m), &below_low);
  WM_T quotient = WM_CALL(divide, WM_ADD(m, m), WM_F64(0), below, below_low, &low);
  quotient = WM_CALL(quick_two_sum, quotient, low, &low);
  WM_T k = WM_CALL(split_sum, quotient, low, &f, &f_low);
  WM_T value = WM_HALVE(WM_CALL(log_sum, k, f, f_low));
  value = WM_SELECT(WM_LT(m, one), value, WM_SELECT(WM_EQ(m, one), WM_INFINITY, WM_NAN));
  return WM_CALL(or_tiny, x, 0x1p-28, WM_COPYSIGN(value, x));
}

// --- angles ---

// x - k π/2, where |x| < HLO_DOUBLE_ANGLE; *quadrant has k in its low bits. The products of k and
// the first three parts of π/2 are exact.
static inline WM_T WM_NAME(reduce_f64)(WM_C c, WM_T x, WM_T *low, WM_T *quadrant) {
  WM_T rounder = WM_F64(0x1.8p52), first_low, second_low;
  *quadrant = WM_ADD(WM_MUL(x, WM_F64(TWO_OVER_PI)), rounder);
  WM_T k = WM_SUB(*quadrant, rounder), near = WM_SUB(x, WM_MUL(k, WM_F64(HALF_PI_1)));
  WM_T first = WM_CALL(two_sum, near, WM_MUL(k, WM_F64(-HALF_PI_2)), &first_low);
  WM_T second = WM_CALL(two_sum, first, WM_MUL(k, WM_F64(-HALF_PI_3)), &second_low);
  WM_T rest = WM_ADD(first_low, WM_SUB(second_low, WM_MUL(k, WM_F64(HALF_PI_4))));
  return WM_CALL(quick_two_sum, second, rest, low);
}

// Sine and cosine of r + r_low up to π/4, not normalised; relative error about 2^-57.
static inline WM_T WM_NAME(sin_sum)(WM_C c, WM_T r, WM_T r_low, WM_T *low) {
  WM_T square = WM_MUL(r, r), cube = WM_MUL(r, square);
  *low = WM_ADD(WM_MUL(cube, WM_POLYNOMIAL(SIN, square)),
                WM_MUL(r_low, WM_SUB(WM_F64(1), WM_HALVE(square))));
  return r;
}
static inline WM_T WM_NAME(cos_sum)(WM_C c, WM_T r, WM_T r_low, WM_T *low) {
  WM_T square_low, square = WM_CALL(exact_square, r, &square_low);
  WM_T sum = WM_CALL(quick_two_sum, WM_F64(1), WM_MUL(square, WM_F64(-0.5)), low);
  WM_T rest = WM_MUL(WM_MUL(square, square), WM_POLYNOMIAL(COS, square));
  rest = WM_SUB(WM_SUB(rest, WM_MUL(r, r_low)), WM_HALVE(square_low));
  *low = WM_ADD(*low, rest);
  return sum;
}

// Of r + r_low, and quadrants more.
static inline void WM_NAME(circular_f64)(WM_C c, WM_T r, WM_T r_low, WM_T quadrant, WM_T *sine,
                                         WM_T *cosine) {
  WM_T sine_low, cosine_low, two = WM_I64(2);
  WM_T odd = WM_CALL(sin_sum, r, r_low, &sine_low), even = WM_CALL(cos_sum, r, r_low, &cosine_low);
  odd = WM_ADD(odd, sine_low), even = WM_ADD(even, cosine_low);
  WM_M swaps = WM_IS_ODD(quadrant);
  WM_T sine_sign = WM_SHL(WM_AND(quadrant, two), 62);
  WM_T cosine_sign = WM_SHL(WM_AND(WM_IADD(quadrant, WM_I64(1)), two), 62);
  *sine = WM_XOR(WM_SELECT(swaps, even, odd), sine_sign);
  *cosine = WM_XOR(WM_SELECT(swaps, odd, even), cosine_sign);
}

static inline WM_T WM_NAME(sin_f64)(WM_C c, WM_T x) {
  WM_T low, quadrant, r = WM_CALL(reduce_f64, x, &low, &quadrant), sine, cosine;
  WM_CALL(circular_f64, r, low, quadrant, &sine, &cosine);
  return WM_CALL(or_tiny, x, 0x1p-27, sine);
}

static inline WM_T WM_NAME(cos_f64)(WM_C c, WM_T x) {
  WM_T low, quadrant, r = WM_CALL(reduce_f64, x, &low, &quadrant), sine, cosine;
  WM_CALL(circular_f64, r, low, quadrant, &sine, &cosine);
  return cosine;
}

// The tangent of r + r_low, and quadrants more.
static inline WM_T WM_NAME(tan_sum)(WM_C c, WM_T r, WM_T r_low, WM_T quadrant) {
  WM_T sine_low, sine = WM_CALL(sin_sum, r, r_low, &sine_low);
  WM_T cosine_low, cosine = WM_CALL(cos_sum, r, r_low, &cosine_low), low;
  sine = WM_CALL(quick_two_sum, sine, sine_low, &sine_low);
  cosine = WM_CALL(quick_two_sum, cosine, cosine_low, &cosine_low);
  WM_M swaps = WM_IS_ODD(quadrant);
  WM_T above = WM_SELECT(swaps, cosine, sine), above_low = WM_SELECT(swaps, cosine_low, sine_low);
  WM_T below = WM_SELECT(swaps, sine, cosine), below_low = WM_SELECT(swaps, sine_low, cosine_low);
  WM_T value = WM_CALL(divide, above, above_low, below, below_low, &low);
  return WM_XOR(WM_ADD(value, low), WM_SHL(quadrant, 63));
}

static inline WM_T WM_NAME(tan_f64)(WM_C c, WM_T x) {
  WM_T low, quadrant, r = WM_CALL(reduce_f64, x, &low, &quadrant);
  return WM_CALL(or_tiny, x, 0x1p-27, WM_CALL(tan_sum, r, low, quadrant));
}

// Whether a magnitude, unless it is 0, is so far from the ends of the range that nothing overflows
// or vanishes here.
static inline WM_M WM_NAME(is_in_range)(WM_C c, WM_T x) {
  return WM_EITHER(WM_BOTH(WM_LT(WM_F64(0x1p-500), x), WM_LT(x, WM_F64(0x1p500))),
                   WM_EQ(x, WM_F64(0)));
}

// Whether atan2 of two magnitudes is computed here.
static inline WM_M WM_NAME(pair_in_range)(WM_C c, WM_T y, WM_T x) {
  WM_M are_in_range = WM_BOTH(WM_CALL(is_in_range, y), WM_CALL(is_in_range, x));
  return WM_BOTH(are_in_range, WM_LT(WM_F64(0), WM_ADD(y, x)));
}

// The angle of (x, y) in the first quadrant, normalised; relative error about 2^-57. A multiple of
// π/4 and a small arc: of the quotient, or where that is above tan π/8 of (1 - q) / (1 + q).
static inline WM_T WM_NAME(angle)(WM_C c, WM_T y, WM_T y_low, WM_T x, WM_T x_low, WM_T *low) {
  WM_M is_steep = WM_LT(x, y);
  WM_T small = WM_SELECT(is_steep, x, y), small_low = WM_SELECT(is_steep, x_low, y_low);
  WM_T large = WM_SELECT(is_steep, y, x), large_low = WM_SELECT(is_steep, y_low, x_low);
  WM_M is_far = WM_LT(WM_MUL(large, WM_F64(0.41421356)), small);
  WM_T less_low, less = WM_CALL(quick_two_sum, large, WM_NEGATE(small), &less_low);
  WM_T more_low, more = WM_CALL(quick_two_sum, large, small, &more_low), zero = WM_F64(0);
  less = WM_CALL(quick_two_sum, less, WM_ADD(less_low, WM_SUB(large_low, small_low)), &less_low);
  more = WM_CALL(quick_two_sum, more, WM_ADD(more_low, WM_ADD(large_low, small_low)), &more_low);
  WM_T t_low,
      t = WM_CALL(divide, WM_SELECT(is_far, less, small), WM_SELECT(is_far, less_low, small_low),
                  WM_SELECT(is_far, more, large), WM_SELECT(is_far, more_low, large_low), &t_low);
  t = WM_CALL(quick_two_sum, t, t_low, &t_low);
  WM_T square = WM_MUL(t, t), cube = WM_MUL(t, square);
  WM_T tail =
      WM_ADD(WM_MUL(cube, WM_POLYNOMIAL(ATAN, square)), WM_MUL(t_low, WM_SUB(WM_F64(1), square)));
  // π/4 - arc, or for steep ones π/4 + arc; π/2 - arc where it is steep and not far.
  WM_T sign = WM_SELECT(is_far, WM_SELECT(is_steep, zero, WM_F64(-0.0)),
                        WM_SELECT(is_steep, WM_F64(-0.0), zero));
  WM_T quarters = WM_SELECT(is_far, WM_F64(0.5), WM_SELECT(is_steep, WM_F64(1), zero));
  WM_T sum = WM_CALL(quick_two_sum, WM_MUL(quarters, WM_F64(HALF_PI_DD_1)), WM_XOR(t, sign), low);
  WM_T rest = WM_ADD(WM_MUL(quarters, WM_F64(HALF_PI_DD_2)), WM_XOR(tail, sign));
  return WM_CALL(quick_two_sum, sum, WM_ADD(*low, rest), low);
}

// For pairs of magnitudes in range.
static inline WM_T WM_NAME(atan2_f64)(WM_C c, WM_T y, WM_T x) {
  WM_T zero = WM_F64(0), low, left_low;
  WM_T angle = WM_CALL(angle, WM_ABS(y), zero, WM_ABS(x), zero, &low);
  WM_T left = WM_CALL(quick_two_sum, WM_F64(2 * HALF_PI_DD_1), WM_NEGATE(angle), &left_low);
  left = WM_ADD(left, WM_ADD(left_low, WM_SUB(WM_F64(2 * HALF_PI_DD_2), low)));
  return WM_COPYSIGN(WM_SELECT(WM_LT(x, zero), left, angle), y);
}

// --- roots and powers ---

// Scaled by a power of 4, so that subnormal numbers have all bits and nothing under- or overflows.
static inline WM_T WM_NAME(rsqrt_f64)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), zero = WM_F64(0), square_low, low;
  WM_T down = WM_SELECT(WM_LT(WM_F64(0x1p900), x), WM_F64(0x1p-200), one);
  WM_T scale = WM_SELECT(WM_LT(x, WM_F64(0x1p-900)), WM_F64(0x1p200), down);
  WM_T scaled = WM_MUL(WM_MUL(x, scale), scale), root = WM_SQRT(scaled);
  WM_T square = WM_CALL(exact_square, root, &square_low);
  WM_T rest = WM_SUB(WM_SUB(scaled, square), square_low);
  WM_T root_low = WM_HALVE(WM_MUL(rest, WM_DIV(one, root)));
  WM_T value = WM_CALL(divide, one, zero, root, root_low, &low);
  value = WM_MUL(WM_ADD(value, low), scale);
  value = WM_SELECT(WM_EQ(x, WM_INFINITY), zero, value);
  return WM_SELECT(WM_EQ(x, zero), WM_COPYSIGN(WM_INFINITY, x), value);
}

// m^⅓ of x = m 2^(3k), 1 ≤ m < 8, by a polynomial and Halley's step to t of 26 bits, whose cube two
// doubles hold; with e = m / t³ - 1 it is t (1 + e)^⅓.
static inline WM_T WM_NAME(cbrt_f64)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x), one = WM_F64(1);
  WM_M is_tiny = WM_LT(magnitude, WM_F64(0x1p-1022));
  WM_T scaled = WM_SELECT(is_tiny, WM_MUL(magnitude, WM_F64(0x1p54)), magnitude);
  // k + 1024 is a third of the biased exponent and 2049; the product divides what has 12 bits by 3.
  WM_T sum = WM_IADD(WM_SHRU(scaled, 52), WM_I64(2049));
  WM_T third = WM_SHRU(WM_IMUL(sum, WM_I64(43691)), 17), k = WM_ISUB(third, WM_I64(1024));
  WM_T m = WM_ISUB(scaled, WM_SHL(WM_IMUL(k, WM_I64(3)), 52));
  WM_T root = WM_POLYNOMIAL(CBRT, m), cube = WM_MUL(WM_MUL(root, root), root);
  WM_T up = WM_ADD(cube, WM_ADD(m, m)), down = WM_ADD(WM_ADD(cube, cube), m);
  WM_T t = WM_CALL(upper_half, WM_MUL(root, WM_DIV(up, down))), square = WM_MUL(t, t);
  WM_T high = WM_CALL(upper_half, square), exact = WM_MUL(square, t);
  WM_T rest = WM_ADD(WM_SUB(WM_MUL(high, t), exact), WM_MUL(WM_SUB(square, high), t));
  WM_T e = WM_DIV(WM_SUB(WM_SUB(m, exact), rest), exact);
  WM_T more = WM_SUB(WM_MUL(e, WM_F64(1.0 / 3)), WM_MUL(WM_MUL(e, e), WM_F64(1.0 / 9)));
  WM_T value = WM_IADD(WM_ADD(t, WM_MUL(t, more)), WM_SHL(k, 52));
  value = WM_MUL(value, WM_SELECT(is_tiny, WM_F64(0x1p-18), one));
  WM_M is_ordinary = WM_BOTH(WM_LT(WM_F64(0), magnitude), WM_LT(magnitude, WM_INFINITY));
  return WM_SELECT(is_ordinary, WM_COPYSIGN(value, x), x);
}

// √(x² + y²) of what is scaled: the larger between 2^-400 and 2^500, or 0.
static inline WM_T WM_NAME(length)(WM_C c, WM_T x, WM_T y) {
  WM_T x_low, y_low, low, xx = WM_CALL(exact_square, x, &x_low);
  WM_T yy = WM_CALL(exact_square, y, &y_low), sum = WM_CALL(two_sum, xx, yy, &low);
  WM_T root = WM_CALL(sqrt_sum, sum, WM_ADD(low, WM_ADD(x_low, y_low)), &low);
  return WM_ADD(root, low);
}

static inline WM_T WM_NAME(hypot_f64)(WM_C c, WM_T x, WM_T y) {
  WM_T one = WM_F64(1), a = WM_ABS(x), b = WM_ABS(y), large = WM_PMAX(a, b);
  WM_M is_far = WM_LT(WM_F64(0x1p500), large), is_near = WM_LT(large, WM_F64(0x1p-400));
  WM_T up = WM_F64(0x1p600), down = WM_F64(0x1p-600);
  WM_T scale = WM_SELECT(is_far, down, WM_SELECT(is_near, up, one));
  WM_T value = WM_CALL(length, WM_MUL(a, scale), WM_MUL(b, scale));
  value = WM_MUL(value, WM_SELECT(is_far, up, WM_SELECT(is_near, down, one)));
  WM_M is_infinite = WM_EITHER(WM_EQ(a, WM_INFINITY), WM_EQ(b, WM_INFINITY));
  return WM_SELECT(is_infinite, WM_INFINITY, value);
}

// log(2^k (1 + f)), normalised; relative error about 2^-65. 2 (s + s³ (1/3 + s² (1/5 + s² P(s²))))
// in parted numbers, where only the last terms are small enough to be single ones.
static inline WM_T WM_NAME(exact_log)(WM_C c, WM_T k, WM_T f, WM_T *low) {
  WM_T below_low, below = WM_CALL(quick_two_sum, WM_F64(2), f, &below_low);
  WM_T s_low, s = WM_CALL(divide, f, WM_F64(0), below, below_low, &s_low);
  WM_T square = WM_MUL(s, s), square_low = WM_MUL(s_low, WM_ADD(WM_ADD(s, s), s_low));
  WM_T whole = WM_ADD(square, square_low);
  WM_T inner = WM_ADD(WM_F64(FIFTH_1), WM_MUL(whole, WM_POLYNOMIAL(LOG_DD, whole))), factor_low;
  WM_T factor = WM_CALL(quick_two_sum, WM_F64(THIRD_1), WM_MUL(whole, inner), &factor_low);
  factor_low = WM_ADD(factor_low, WM_F64(THIRD_2));
  WM_T a = WM_CALL(upper_half, square), a_low = WM_ADD(WM_SUB(square, a), square_low);
  WM_T b = WM_CALL(upper_half, factor), b_low = WM_ADD(WM_SUB(factor, b), factor_low);
  WM_T product = WM_MUL(a, b); // of 52 bits; then its upper half times s
  WM_T product_low = WM_ADD(WM_MUL(a, b_low), WM_MUL(a_low, factor));
  WM_T part = WM_CALL(upper_half, product), part_low = WM_ADD(WM_SUB(product, part), product_low);
  WM_T term = WM_MUL(s, part);
  WM_T term_low = WM_ADD(WM_MUL(s, part_low), WM_MUL(s_low, WM_ADD(part, part_low)));
  WM_T two_s = WM_ADD(s, s), first_low, second_low;
  WM_T first = WM_CALL(quick_two_sum, WM_MUL(k, WM_F64(LN2_1)), two_s, &first_low);
  WM_T second = WM_CALL(quick_two_sum, first, WM_ADD(term, term), &second_low);
  WM_T twice_low = WM_ADD(s_low, term_low);
  WM_T rest = WM_ADD(WM_ADD(twice_low, twice_low), WM_MUL(k, WM_F64(LN2_2)));
  return WM_CALL(quick_two_sum, second, WM_ADD(WM_ADD(first_low, second_low), rest), low);
}

// Of a positive finite magnitude; elsewhere anything.
static inline WM_T WM_NAME(pow_of_magnitude_f64)(WM_C c, WM_T magnitude, WM_T y) {
  WM_T mantissa, k = WM_CALL(split_any, magnitude, &mantissa), low;
  WM_T log = WM_CALL(exact_log, k, WM_SUB(mantissa, WM_F64(1)), &low);
  y = WM_CALL(clamp, y, -0x1p65, 0x1p65); // beyond, even the double next to 1 leaves the range
  WM_T a = WM_CALL(upper_half, log), a_low = WM_ADD(WM_SUB(log, a), low);
  WM_T b = WM_CALL(upper_half, y), b_low = WM_SUB(y, b);
  WM_T rest = WM_ADD(WM_MUL(a_low, b), WM_MUL(b_low, WM_ADD(a, a_low)));
  WM_T exponent = WM_CALL(quick_two_sum, WM_MUL(a, b), rest, &low), shifted;
  low = WM_SELECT(WM_LT(WM_ABS(exponent), WM_F64(1000)), low, WM_F64(0)); // beyond, it is clamped
  exponent = WM_CALL(clamp, exponent, -747, 711);
  WM_T high = WM_CALL(exp_sum_of_pair, exponent, low, &shifted, &low);
  return WM_CALL(scale_sum, high, low, shifted);
}

// x^y, with the special values of IEEE 754.
static inline WM_T WM_NAME(pow_f64)(WM_C c, WM_T x, WM_T y) {
  WM_T one = WM_F64(1), zero = WM_F64(0), infinity = WM_INFINITY, magnitude = WM_ABS(x);
  WM_T value = WM_CALL(pow_of_magnitude_f64, magnitude, y);
  WM_M is_zero = WM_EQ(x, zero), is_infinite = WM_EQ(magnitude, infinity);
  WM_T rises = WM_SELECT(WM_LT(zero, y), infinity, zero); // of what is infinite
  WM_T falls = WM_SELECT(WM_LT(zero, y), zero, infinity);
  value = WM_SELECT(is_infinite, rises, WM_SELECT(is_zero, falls, value));
  WM_T half = WM_HALVE(y), whole = WM_FLOOR(y);
  WM_M is_whole = WM_EQ(whole, y), is_odd = WM_BOTH(is_whole, WM_NOT(WM_EQ(WM_FLOOR(half), half)));
  WM_M is_below = WM_BOTH(WM_LT(x, zero), WM_NOT(is_infinite));
  value = WM_SELECT(WM_BOTH(is_below, WM_NOT(is_whole)), WM_NAN, value);
  value = WM_SELECT(is_odd, WM_COPYSIGN(value, x), value);
  value = WM_SELECT(WM_BOTH(WM_IS_NUMBER(x), WM_IS_NUMBER(y)), value, WM_ADD(x, y));
  return WM_SELECT(WM_EITHER(WM_EQ(x, one), WM_EQ(y, zero)), one, value);
}
