// The f32 elementary functions on four lanes, and which functions the emitter can build in line.
// The functions themselves stand in vector_math_template.h. Must not know about operations.
#ifndef HLO_BASE_VECTOR_MATH_H
#define HLO_BASE_VECTOR_MATH_H

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
  FUNCTION(ERF, erf)

// The magnitude of angles from which on sin and cos are left to hlo_<name>_f32, lane by lane.
#define HLO_LARGE_ANGLE 12800.0f

// Each as a loop over n floats, with the same bits as hlo_<name>_f32 of each; r may be x.
#define HLO_DECLARE_VECTOR_FUNCTION(id, name)                                                      \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n);
HLO_VECTOR_FUNCTIONS(HLO_DECLARE_VECTOR_FUNCTION)
#undef HLO_DECLARE_VECTOR_FUNCTION

#endif
