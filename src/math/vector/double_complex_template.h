// The functions of c128 that are computed in vectors, written once without branches: like those of
// double_math_template.h, which the includer includes before. Parts in, parts out. Each has a
// range, ..._in_range; numbers outside it go to the scalar function in complex_*.c.

static inline WM_M WM_NAME(number_in_range)(WM_C c, WM_T x, WM_T y) {
  return WM_CALL(is_in_range, WM_PMAX(WM_ABS(x), WM_ABS(y)));
}

// a x + b y, of which little may be left, rounded once.
static inline WM_T WM_NAME(sum_of_products)(WM_C c, WM_T a, WM_T x, WM_T b, WM_T y) {
  WM_T ax_low, ax = WM_CALL(exact_product, a, x, &ax_low), low;
  WM_T by_low, by = WM_CALL(exact_product, b, y, &by_low);
  WM_T sum = WM_CALL(two_sum, ax, by, &low);
  return WM_ADD(sum, WM_ADD(low, WM_ADD(ax_low, by_low)));
}

// 2^-e, where e is the exponent of the larger part, or of a part that is 0 the least.
static inline WM_T WM_NAME(scale_of)(WM_C c, WM_T x, WM_T y) {
  WM_T large = WM_PMAX(WM_PMAX(WM_ABS(x), WM_ABS(y)), WM_F64(0x1p-500));
  return WM_ISUB(WM_I64(INT64_C(2046) << 52), WM_AND(large, WM_I64(INT64_C(0x7ff) << 52)));
}

// Whether (a + bi) / (x + yi) is computed here.
static inline WM_M WM_NAME(quotient_in_range)(WM_C c, WM_T a, WM_T b, WM_T x, WM_T y) {
  WM_M is_finite = WM_BOTH(WM_CALL(number_in_range, a, b), WM_CALL(number_in_range, x, y));
  is_finite = WM_BOTH(is_finite, WM_BOTH(WM_IS_NUMBER(b), WM_IS_NUMBER(y)));
  return WM_BOTH(is_finite, WM_LT(WM_F64(0), WM_ADD(WM_ABS(x), WM_ABS(y))));
}

static inline void WM_NAME(divide_c128)(WM_C c, WM_T a, WM_T b, WM_T x, WM_T y, WM_T *re,
                                        WM_T *im) {
  WM_T down = WM_CALL(scale_of, a, b), by = WM_CALL(scale_of, x, y);
  WM_T scale = WM_DIV(by, down); // a power of 2
  a = WM_MUL(a, down), b = WM_MUL(b, down), x = WM_MUL(x, by), y = WM_MUL(y, by);
  WM_T square = WM_ADD(WM_MUL(x, x), WM_MUL(y, y)); // between 1 and 8
  WM_T real = WM_CALL(sum_of_products, a, x, b, y);
  WM_T imaginary = WM_CALL(sum_of_products, b, x, WM_NEGATE(a), y);
  *re = WM_MUL(WM_DIV(real, square), scale);
  *im = WM_MUL(WM_DIV(imaginary, square), scale);
}

static inline WM_M WM_NAME(root_in_range)(WM_C c, WM_T x, WM_T y) {
  return WM_BOTH(WM_CALL(number_in_range, x, y), WM_IS_NUMBER(y));
}

// Scaled by 2^-2h to about 1. The larger part is √((|z| + |re|) / 2), without cancellation; the
// parts' product is im / 2.
static inline void WM_NAME(sqrt_c128)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T zero = WM_F64(0), large = WM_PMAX(WM_PMAX(WM_ABS(x), WM_ABS(y)), WM_F64(0x1p-500));
  WM_T even = WM_AND(WM_IADD(WM_SHRU(large, 52), WM_I64(1)), WM_I64(0x7fe)); // 2h + 1024
  WM_T down = WM_SHL(WM_ISUB(WM_I64(2047), even), 52);
  WM_T up = WM_SHL(WM_IADD(WM_SHRU(even, 1), WM_I64(511)), 52);
  WM_T scaled = WM_MUL(x, down), modulus = WM_CALL(length, scaled, WM_MUL(y, down));
  WM_T root = WM_SQRT(WM_HALVE(WM_ADD(modulus, WM_ABS(scaled))));
  root = WM_MUL(root, up);
  WM_T other = WM_DIV(WM_ABS(y), WM_ADD(root, root));
  other = WM_SELECT(WM_EQ(root, zero), zero, other);
  WM_M is_left = WM_LT(x, zero);
  *re = WM_SELECT(is_left, other, root);
  *im = WM_COPYSIGN(WM_SELECT(is_left, root, other), y);
}

static inline WM_M WM_NAME(exponent_in_range)(WM_C c, WM_T x, WM_T y) {
  WM_T angle = WM_ABS(y);
  WM_M is_felt = WM_EITHER(WM_LT(WM_F64(0x1p-900), angle), WM_EQ(y, WM_F64(0)));
  return WM_BOTH(WM_BOTH(WM_LT(WM_ABS(x), WM_F64(700)), WM_LT(angle, WM_F64(HLO_DOUBLE_ANGLE))),
                 is_felt);
}

static inline void WM_NAME(exp_c128)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T r_low, quadrant, r = WM_CALL(reduce_f64, y, &r_low, &quadrant), sine, cosine;
  WM_CALL(circular_f64, r, r_low, quadrant, &sine, &cosine);
  WM_T shifted, low, high = WM_CALL(exp_sum, x, &shifted, &low);
  WM_T power = WM_CALL(power_of, shifted, 0), e = WM_ADD(high, low);
  *re = WM_MUL(WM_MUL(e, cosine), power);
  *im = WM_SELECT(WM_EQ(y, WM_F64(0)), y, WM_MUL(WM_MUL(e, sine), power));
}

static inline WM_M WM_NAME(logarithm_in_range)(WM_C c, WM_T x, WM_T y) {
  return WM_CALL(pair_in_range, WM_ABS(y), WM_ABS(x));
}

// Half the logarithm of |z|², and the angle.
static inline void WM_NAME(log_c128)(WM_C c, WM_T x, WM_T y, WM_T *re, WM_T *im) {
  WM_T x_low, y_low, low, xx = WM_CALL(exact_square, x, &x_low), one = WM_F64(1);
  WM_T yy = WM_CALL(exact_square, y, &y_low), sum = WM_CALL(two_sum, xx, yy, &low);
  sum = WM_CALL(quick_two_sum, sum, WM_ADD(low, WM_ADD(x_low, y_low)), &low);
  WM_T mantissa, k = WM_CALL(split, sum, &mantissa);
  WM_T scale = WM_ISUB(one, WM_ISUB(sum, mantissa)); // 2^-k
  WM_T f_low, f = WM_CALL(two_sum, WM_SUB(mantissa, one), WM_MUL(low, scale), &f_low);
  *re = WM_HALVE(WM_CALL(log_sum, k, f, WM_MUL(f_low, WM_SUB(one, f))));
  *im = WM_CALL(atan2_f64, y, x);
}
