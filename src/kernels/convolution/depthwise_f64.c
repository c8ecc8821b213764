// Depthwise convolutions of f64.
#define ELEMENT      double
#define MULTIPLY_ADD hlo_simd_f64x2_multiply_add
#include "kernels/convolution/depthwise.h"

void hlo_kernel_depthwise_f64(const hlo_depthwise_product *product) { multiply_channels(product); }
