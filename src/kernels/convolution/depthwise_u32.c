// Depthwise convolutions of 32-bit integers, which wrap.
#define ELEMENT                 uint32_t
#define MULTIPLY_ADD(a, b, acc) wasm_i32x4_add(acc, wasm_i32x4_mul(a, b))
#include "kernels/convolution/depthwise.h"

void hlo_kernel_depthwise_u32(const hlo_depthwise_product *product) { multiply_channels(product); }
