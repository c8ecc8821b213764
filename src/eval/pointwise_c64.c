// The loop of c64 multiplication, four numbers at a time, with the bits of hlo_mul_c64: compilers
// make no vectors of that by themselves. Must not know about views or opcodes.
#include "eval/pointwise.h"

#include "base/complex.h"

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

void hlo_multiply_c64_loop(void *result, const void *const *operands, int64_t n) {
  hlo_c64 *r = result;
  const hlo_c64 *x = operands[0], *y = operands[1];
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) multiply_four(r + i, x + i, y + i);
  if (i == n) return;
  hlo_c64 left[4] = {{0}}, right[4] = {{0}};
  size_t bytes = (size_t)(n - i) * sizeof *r;
  memcpy(left, x + i, bytes);
  memcpy(right, y + i, bytes);
  hlo_multiply_c64_loop(left, (const void *const[]){left, right}, 4);
  memcpy(r + i, left, bytes);
}
