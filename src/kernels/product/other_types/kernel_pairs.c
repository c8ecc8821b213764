// Dot products of matrices of s16 that come in pairs along the contracting dimension: an element is
// two of them, a product the sum of two, in s32, wrapping.
#define PRODUCT_IS_APART
#define ELEMENT                 uint32_t
#define LOAD_SPLAT              wasm_v128_load32_splat
#define MULTIPLY                wasm_i32x4_dot_i16x8
#define PLUS                    wasm_i32x4_add
#define MULTIPLY_ADD(a, b, acc) PLUS(acc, MULTIPLY(a, b))
#define ADD(a, b)               ((a) + (b))
#define ADD_PRODUCT(sum, a, b)  ((sum) + product_of_pairs(a, b))

#include <stdint.h>

// Both halves are at least -2^15, so that only the sum may wrap.
static inline uint32_t product_of_pairs(uint32_t a, uint32_t b) {
  int32_t low = (int16_t)a * (int16_t)b, high = (int16_t)(a >> 16) * (int16_t)(b >> 16);
  return (uint32_t)low + (uint32_t)high;
}

#include "kernels/simd/dot_loops.h"
#include "kernels/simd/dot_segments.h"

int64_t hlo_kernel_dot_pairs_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

void hlo_kernel_dot_pairs(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                          const void *b, int64_t ldb, void *c, int64_t ldc, void *scratch,
                          const hlo_epilogue *epilogue) {
  multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
}

const hlo_convolution_kernels hlo_kernels_convolution_pairs = {pack_size_of_windows, pack_windows,
                                                               multiply_windows, NULL};
