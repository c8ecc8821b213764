// The error function of f64, its complement and its inverse, in vectors: like those of
// double_math_template.h, which the includer includes before.
//
// Near 0 a polynomial; further out erfc x = e^(-x²) erfcx x, where (x + 1/2) erfcx x varies slowly
// (M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x
// < ∞", 1981).

// (a + a_low) (b + b_low), not normalised.
static inline WM_T WM_NAME(multiply)(WM_C c, WM_T a, WM_T a_low, WM_T b, WM_T b_low, WM_T *low) {
  WM_T product = WM_CALL(exact_product, a, b, low);
  *low = WM_ADD(*low, WM_ADD(WM_MUL(a, b_low), WM_MUL(a_low, b)));
  return product;
}

// erf x = x (2/√π + x² P(x²)) for |x| ≤ 1/2, unless x is so small that a product loses bits.
static inline WM_T WM_NAME(erf_near_zero)(WM_C c, WM_T x, WM_T *low) {
  WM_T square = WM_MUL(x, x), slope_low = WM_F64(TWO_OVER_ROOT_PI_2);
  slope_low = WM_ADD(slope_low, WM_MUL(square, WM_POLYNOMIAL(ERF, square)));
  return WM_CALL(multiply, x, WM_F64(0), WM_F64(TWO_OVER_ROOT_PI_1), slope_low, low);
}

// erfc x / 2^k for 1/2 ≤ x < 28.
static inline WM_T WM_NAME(erfc_far)(WM_C c, WM_T x, WM_T *shifted, WM_T *low) {
  WM_T square_low, square = WM_CALL(exact_square, x, &square_low), four = WM_F64(4), e_low, p_low;
  WM_T e = WM_CALL(exp_sum_of_pair, WM_NEGATE(square), WM_NEGATE(square_low), shifted, &e_low);
  e = WM_CALL(quick_two_sum, e, e_low, &e_low);
  WM_T t = WM_DIV(WM_SUB(x, four), WM_ADD(x, four)), rest = WM_MUL(t, WM_POLYNOMIAL(ERFCX, t));
  WM_T p = WM_CALL(quick_two_sum, WM_F64(ERFCX_AT_4_1), rest, &p_low);
  p = WM_CALL(multiply, e, e_low, p, WM_ADD(p_low, WM_F64(ERFCX_AT_4_2)), &p_low);
  WM_T below_low, below = WM_CALL(two_sum, x, WM_F64(0.5), &below_low);
  WM_T value = WM_CALL(divide, p, p_low, below, below_low, low);
  return WM_CALL(quick_two_sum, value, *low, low);
}

// whole - (far + low) 2^k, where whole is 1 or 2.
static inline WM_T WM_NAME(less_far)(WM_C c, double whole, WM_T far, WM_T low, WM_T shifted) {
  WM_T other, power = WM_CALL(two_powers, shifted, &other), both = WM_MUL(power, other), sum_low;
  WM_T part = WM_NEGATE(WM_MUL(far, both));
  WM_T sum = WM_CALL(quick_two_sum, WM_F64(whole), part, &sum_low);
  return WM_ADD(sum, WM_SUB(sum_low, WM_MUL(low, both)));
}

static inline WM_T WM_NAME(erf_f64)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x), low, shifted, up = WM_F64(0x1p200);
  WM_M is_tiny = WM_LT(magnitude, WM_F64(0x1p-900)), is_near = WM_LT(magnitude, WM_F64(0.5));
  WM_T near = WM_CALL(erf_near_zero, WM_SELECT(is_tiny, WM_MUL(x, up), x), &low);
  near = WM_ADD(near, low);
  near = WM_SELECT(is_tiny, WM_MUL(near, WM_F64(0x1p-200)), near);
  WM_T far = WM_CALL(erfc_far, WM_CALL(clamp, magnitude, 0.5, 27.5), &shifted, &low);
  far = WM_CALL(less_far, 1, far, low, shifted);
  return WM_COPYSIGN(WM_SELECT(is_near, near, far), x);
}

// 2 - erfc -x where x is negative.
static inline WM_T WM_NAME(erfc_f64)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x), near_low, low, shifted;
  WM_T near = WM_CALL(erf_near_zero, x, &near_low);
  near = WM_CALL(quick_two_sum, WM_F64(1), WM_NEGATE(near), &low);
  near = WM_ADD(near, WM_SUB(low, near_low));
  WM_T far = WM_CALL(erfc_far, WM_CALL(clamp, magnitude, 0.5, 27.5), &shifted, &low);
  WM_T below = WM_CALL(less_far, 2, far, low, shifted);
  far = WM_SELECT(WM_LT(x, WM_F64(0)), below, WM_CALL(scale_sum, far, low, shifted));
  far = WM_SELECT(WM_IS_NUMBER(x), far, x); // negations on the way would change a NaN's sign
  return WM_SELECT(WM_LT(magnitude, WM_F64(0.5)), near, far);
}

// The inverse to 33 bits, for |x| < 1: a polynomial in w = -log(1 - x²) up to 5, then in its root.
static inline WM_T WM_NAME(erf_inv_start)(WM_C c, WM_T x) {
  WM_T one = WM_F64(1), mantissa;
  WM_T k = WM_CALL(split, WM_MUL(WM_SUB(one, x), WM_ADD(one, x)), &mantissa);
  WM_T w = WM_NEGATE(WM_CALL(log_parts, k, WM_SUB(mantissa, one)));
  WM_T near = WM_POLYNOMIAL(ERF_INV_NEAR, WM_SUB(w, WM_F64(2.5)));
  WM_T far = WM_POLYNOMIAL(ERF_INV_FAR, WM_SUB(WM_SQRT(w), WM_F64(4.2)));
  return WM_MUL(x, WM_SELECT(WM_LT(WM_F64(5), w), far, near));
}

// One step of Newton's method, with erf y - x without loss to cancellation.
static inline WM_T WM_NAME(erf_inv_f64)(WM_C c, WM_T x) {
  WM_T magnitude = WM_ABS(x), one = WM_F64(1), near_low, far_low, shifted, tiny_low;
  WM_T y = WM_CALL(erf_inv_start, magnitude), near = WM_CALL(erf_near_zero, y, &near_low);
  near = WM_ADD(WM_SUB(near, magnitude), near_low);
  WM_T far = WM_CALL(erfc_far, WM_CALL(clamp, y, 0.5, 7), &shifted, &far_low);
  WM_T power = WM_CALL(power_of, shifted, 0);
  far = WM_SUB(WM_SUB(WM_SUB(one, magnitude), WM_MUL(far, power)), WM_MUL(far_low, power));
  WM_T rest = WM_SELECT(WM_LT(y, WM_F64(0.5)), near, far);
  WM_T slope = WM_MUL(WM_F64(TWO_OVER_ROOT_PI_1), WM_CALL(exp_f64, WM_NEGATE(WM_MUL(y, y))));
  WM_T value = WM_SUB(y, WM_DIV(rest, slope)), up = WM_F64(0x1p200);
  WM_T tiny = WM_CALL(multiply, WM_MUL(magnitude, up), WM_F64(0), WM_F64(HALF_ROOT_PI_1),
                      WM_F64(HALF_ROOT_PI_2), &tiny_low); // the next term of the series is x³
  tiny = WM_MUL(WM_ADD(tiny, tiny_low), WM_F64(0x1p-200));
  value = WM_SELECT(WM_LT(magnitude, WM_F64(0x1p-30)), tiny, value);
  WM_T beyond = WM_SELECT(WM_EQ(magnitude, one), WM_INFINITY, WM_NAN);
  return WM_COPYSIGN(WM_SELECT(WM_LT(magnitude, one), value, beyond), x);
}
