// See multiply_add.h.
#include "kernels/simd/multiply_add.h"

// Loaded from memory, so that the compiler cannot fold the product.
bool hlo_host_fuses(void) {
  static const volatile float near_one = 1 + 0x1p-12F, rounded_square = 1 + 0x1p-11F;
  hlo_f32x4 x = {near_one, near_one, near_one, near_one}, y = {-rounded_square};
  return hlo_multiply_add(x, x, y)[0] != 0;
}
