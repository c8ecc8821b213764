// Comparison loops, one per direction, and the value of an element that they compare.
#ifndef HLO_KERNELS_ELEMENTWISE_COMPARE_LOOPS_H
#define HLO_KERNELS_ELEMENTWISE_COMPARE_LOOPS_H

#include "base/bits.h"
#include "kernels/elementwise/pointwise.h"

// a > b and a >= b are b < a and b <= a.
enum { EQ, NE, LT, LE, DIRECTIONS };

// Kernels by direction, of types that few programs use; of floats also in IEEE 754's total order.
// NULL for other types, and for those without an order.
hlo_pointwise_kernel *const *hlo_compare_rare_types(hlo_type type, bool total);

// One loop per direction. VALUE maps an element to the compared value.
#define DEFINE_LOOP(name, type, hint, op, expression)                                              \
  static void name##_##op(void *result, const void *const *operands, int64_t n) {                  \
    uint8_t *r = result;                                                                           \
    const type *x = operands[0], *y = operands[1];                                                 \
    hint for (int64_t i = 0; i < n; i++) {                                                         \
      type a = x[i], b = y[i];                                                                     \
      r[i] = expression;                                                                           \
    }                                                                                              \
  }
#define DEFINE_TABLE(name)                                                                         \
  static hlo_pointwise_kernel *const name[DIRECTIONS] = {                                          \
      name##_EQ,                                                                                   \
      name##_NE,                                                                                   \
      name##_LT,                                                                                   \
      name##_LE,                                                                                   \
  };
#define DEFINE(name, type, hint, VALUE)                                                            \
  DEFINE_LOOP(name, type, hint, EQ, VALUE(a) == VALUE(b))                                          \
  DEFINE_LOOP(name, type, hint, NE, VALUE(a) != VALUE(b))                                          \
  DEFINE_LOOP(name, type, hint, LE, VALUE(a) <= VALUE(b))                                          \
  DEFINE_LOOP(name, type, hint, LT, VALUE(a) < VALUE(b))                                           \
  DEFINE_TABLE(name)
#define DEFINE_COMPLEX(name, type, hint, VALUE)                                                    \
  DEFINE_LOOP(name, type, hint, EQ, VALUE(a.re) == VALUE(b.re) && VALUE(a.im) == VALUE(b.im))      \
  DEFINE_LOOP(name, type, hint, NE, VALUE(a.re) != VALUE(b.re) || VALUE(a.im) != VALUE(b.im))      \
  DEFINE_LOOP(name, type, hint, LE, BY_PARTS(VALUE, <, <=))                                        \
  DEFINE_LOOP(name, type, hint, LT, BY_PARTS(VALUE, <, <))                                         \
  DEFINE_TABLE(name)
#define BY_PARTS(VALUE, strict, last)                                                              \
  VALUE(a.re) strict VALUE(b.re) || (VALUE(a.re) == VALUE(b.re) && VALUE(a.im) last VALUE(b.im))

#define ITSELF(x) (x)

// The total order of IEEE 754 as an order of integers: sign and magnitude to two's complement.
static inline int32_t key_f32(float value) {
  int32_t bits = (int32_t)bits_of_float(value);
  return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}
#endif
