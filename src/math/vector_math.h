// The elementary functions on four lanes, and which functions the emitter can build in line. The
// functions themselves stand in vector_math_template.h, those of f32 that compute in double in
// wide_math_template.h, those of f64 in double_math_template.h.
#ifndef HLO_MATH_VECTOR_MATH_H
#define HLO_MATH_VECTOR_MATH_H

#include <stdint.h>

typedef float hlo_f32x4 __attribute__((vector_size(16)));

// THE list of functions in vector_math_template.h: FUNCTION(HLO_OP_ suffix, name).
#define HLO_VECTOR_FUNCTIONS(FUNCTION)                                                             \
  FUNCTION(EXP, exp)                                                                               \
  FUNCTION(EXPM1, expm1)                                                                           \
  FUNCTION(LOG, log)                                                                               \
  FUNCTION(LOG1P, log1p)                                                                           \
  FUNCTION(LOGISTIC, logistic)                                                                     \
  FUNCTION(RSQRT, rsqrt)                                                                           \
  FUNCTION(SIN, sin)                                                                               \
  FUNCTION(COS, cos)                                                                               \
  FUNCTION(TANH, tanh)                                                                             \
  FUNCTION(ERF, erf)                                                                               \
  FUNCTION(ERFC, erfc)                                                                             \
  FUNCTION(ERF_INV, erf_inv)

// The magnitude of angles from which on sin and cos are left to hlo_<name>_f32, lane by lane.
#define HLO_LARGE_ANGLE 12800.0f

// THE lists of functions in wide_math_template.h: of any float; of floats between two bounds,
// others being left to hlo_<name>_f32; of two floats.
#define HLO_WIDE_FUNCTIONS(FUNCTION)                                                               \
  FUNCTION(CBRT, cbrt)                                                                             \
  FUNCTION(ACOS, acos)                                                                             \
  FUNCTION(ASIN, asin)                                                                             \
  FUNCTION(COSH, cosh)                                                                             \
  FUNCTION(SINH, sinh)                                                                             \
  FUNCTION(ACOSH, acosh)                                                                           \
  FUNCTION(ASINH, asinh)                                                                           \
  FUNCTION(ATANH, atanh)                                                                           \
  FUNCTION(BESSEL_I1E, bessel_i1e)
#define HLO_WIDE_ANGLE 0x1p20f
#define HLO_LIMITED_FUNCTIONS(FUNCTION)                                                            \
  FUNCTION(TAN, tan, -HLO_WIDE_ANGLE, HLO_WIDE_ANGLE)                                              \
  FUNCTION(LGAMMA, lgamma, 0x1p-149f, 0x1.fffffep127f)                                             \
  FUNCTION(DIGAMMA, digamma, 0x1p-149f, 0x1.fffffep127f)
#define HLO_PAIR_FUNCTIONS(FUNCTION)                                                               \
  FUNCTION(POWER, pow)                                                                             \
  FUNCTION(ATAN2, atan2)

// THE lists of functions in double_math_template.h and double_erf_template.h: of any double; of
// angles below HLO_DOUBLE_ANGLE, others being left to hlo_<name>_f64. Those of two doubles are
// HLO_PAIR_FUNCTIONS, atan2 of pairs that pair_in_range takes.
#define HLO_DOUBLE_FUNCTIONS(FUNCTION)                                                             \
  FUNCTION(EXP, exp)                                                                               \
  FUNCTION(EXPM1, expm1)                                                                           \
  FUNCTION(LOG, log)                                                                               \
  FUNCTION(LOG1P, log1p)                                                                           \
  FUNCTION(LOGISTIC, logistic)                                                                     \
  FUNCTION(RSQRT, rsqrt)                                                                           \
  FUNCTION(CBRT, cbrt)                                                                             \
  FUNCTION(TANH, tanh)                                                                             \
  FUNCTION(COSH, cosh)                                                                             \
  FUNCTION(SINH, sinh)                                                                             \
  FUNCTION(ACOSH, acosh)                                                                           \
  FUNCTION(ASINH, asinh)                                                                           \
  FUNCTION(ATANH, atanh)                                                                           \
  FUNCTION(ERF, erf)                                                                               \
  FUNCTION(ERFC, erfc)                                                                             \
  FUNCTION(ERF_INV, erf_inv)
#define HLO_DOUBLE_ANGLE 0x1p20
#define HLO_DOUBLE_ANGLE_FUNCTIONS(FUNCTION)                                                       \
  FUNCTION(SIN, sin)                                                                               \
  FUNCTION(COS, cos)                                                                               \
  FUNCTION(TAN, tan)

// All but pow as a loop over n floats, with the same bits as hlo_<name>_f32 of each; r may be x or
// y. (pow is frequent and takes room; as a loop it would be 1.4 times as fast.)
#define HLO_DECLARE_FUNCTION(id, name, ...)                                                        \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n);
HLO_VECTOR_FUNCTIONS(HLO_DECLARE_FUNCTION)
HLO_WIDE_FUNCTIONS(HLO_DECLARE_FUNCTION)
HLO_LIMITED_FUNCTIONS(HLO_DECLARE_FUNCTION)
void hlo_atan2_f32_loop(float *r, const float *y, const float *x, int64_t n);
#undef HLO_DECLARE_FUNCTION

// The same of n doubles.
#define HLO_DECLARE_FUNCTION(id, name)                                                             \
  void hlo_##name##_f64_loop(double *r, const double *x, int64_t n);
HLO_DOUBLE_FUNCTIONS(HLO_DECLARE_FUNCTION)
HLO_DOUBLE_ANGLE_FUNCTIONS(HLO_DECLARE_FUNCTION)
void hlo_pow_f64_loop(double *r, const double *x, const double *y, int64_t n);
void hlo_atan2_f64_loop(double *r, const double *y, const double *x, int64_t n);
#undef HLO_DECLARE_FUNCTION

#endif
