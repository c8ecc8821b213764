// Kernels of c64. The loop of multiplication takes four numbers at a time, with the bits of
// hlo_mul_c64: compilers make no vectors of that by themselves.
#include "kernels/elementwise/pointwise.h"

#include "math/complex.h"

#include <string.h>

typedef float f32x2 __attribute__((vector_size(8)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(16)));

#define LOW(x)     __builtin_convertvector(__builtin_shufflevector(x, x, 0, 1), f64x2)
#define HIGH(x)    __builtin_convertvector(__builtin_shufflevector(x, x, 2, 3), f64x2)
#define EVEN(x, y) __builtin_shufflevector(x, y, 0, 2, 4, 6)
#define ODD(x, y)  __builtin_shufflevector(x, y, 1, 3, 5, 7)
#define NARROW(x)  __builtin_convertvector(x, f32x2)
// Two numbers of their parts in double.
#define JOIN(re, im) __builtin_shufflevector(NARROW(re), NARROW(im), 0, 2, 1, 3)

static inline void multiply_four(hlo_c64 *result, const hlo_c64 *left, const hlo_c64 *right) {
  f32x4 x[2], y[2], z[2];
  memcpy(x, left, sizeof x);
  memcpy(y, right, sizeof y);
  f32x4 a = EVEN(x[0], x[1]), b = ODD(x[0], x[1]), c = EVEN(y[0], y[1]), d = ODD(y[0], y[1]);
  f32x4 bd = b * d, ad = a * d;
  z[0] = JOIN(LOW(a) * LOW(c) - LOW(bd), LOW(b) * LOW(c) + LOW(ad));
  z[1] = JOIN(HIGH(a) * HIGH(c) - HIGH(bd), HIGH(b) * HIGH(c) + HIGH(ad));
  memcpy(result, z, sizeof z);
}

static void multiply(void *result, const void *const *operands, int64_t n) {
  hlo_c64 *r = result;
  const hlo_c64 *x = operands[0], *y = operands[1];
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) multiply_four(r + i, x + i, y + i);
  if (i == n) return;
  hlo_c64 left[4] = {{0}}, right[4] = {{0}};
  size_t bytes = (size_t)(n - i) * sizeof *r;
  memcpy(left, x + i, bytes);
  memcpy(right, y + i, bytes);
  multiply(left, (const void *const[]){left, right}, 4);
  memcpy(r + i, left, bytes);
}

#define DEFINE(id, name)                                                                           \
  static void vector_##name(void *result, const void *const *operands, int64_t n) {                \
    hlo_##name##_c64_loop(result, operands[0], n);                                                 \
  }
DEFINE(ABS, abs)
DEFINE(EXP, exp)
DEFINE(LOG, log)
DEFINE(SQRT, sqrt)
HLO_COMPLEX_FUNCTIONS(DEFINE)
static void divide(void *result, const void *const *operands, int64_t n) {
  hlo_div_c64_loop(result, operands[0], operands[1], n);
}

hlo_pointwise_kernel *hlo_pointwise_c64_vectors(hlo_opcode opcode) {
#define ENTRY(id, name) {HLO_OP_##id, vector_##name},
  static const struct {
    hlo_opcode opcode;
    hlo_pointwise_kernel *kernel;
  } kernels[] = {{HLO_OP_MULTIPLY, multiply},
                 {HLO_OP_DIVIDE, divide},
                 ENTRY(ABS, abs) ENTRY(EXP, exp) ENTRY(LOG, log) ENTRY(SQRT, sqrt)
                     HLO_COMPLEX_FUNCTIONS(ENTRY)};
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    if (kernels[i].opcode == opcode) return kernels[i].kernel;
  }
  return hlo_pointwise_c64(opcode);
}
