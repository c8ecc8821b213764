// Dot products of matrices of 32-bit integers, wrapping.
#define PRODUCT_IS_APART
#define ELEMENT                 uint32_t
#define LOAD_SPLAT              wasm_v128_load32_splat
#define MULTIPLY                wasm_i32x4_mul
#define PLUS                    wasm_i32x4_add
#define MULTIPLY_ADD(a, b, acc) PLUS(acc, MULTIPLY(a, b))
#define ADD(a, b)               ((a) + (b))
#define ADD_PRODUCT(sum, a, b)  ((sum) + (a) * (b))
#include "kernels/simd/dot_loops.h"
#include "kernels/simd/dot_segments.h"

int64_t hlo_kernel_dot_u32_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

void hlo_kernel_dot_u32(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                        int64_t ldb, void *c, int64_t ldc, void *scratch,
                        const hlo_epilogue *epilogue) {
  multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
}

const hlo_convolution_kernels hlo_kernels_convolution_u32 = {
    pack_size_of_windows, pack_windows, multiply_windows, hlo_kernel_depthwise_u32};
