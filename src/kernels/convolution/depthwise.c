// Depthwise convolutions of f32.
#define ELEMENT      float
#define MULTIPLY_ADD hlo_simd_f32x4_multiply_add
#include "kernels/convolution/depthwise.h"
#include "kernels/simd/exact.h"
#include "kernels/simd/multiply_add.h"

void hlo_kernel_depthwise_f32(const hlo_depthwise_product *product) {
  if (product->exact && !hlo_host_fuses()) hlo_kernel_exact_depthwise(product);
  else multiply_channels(product);
}
