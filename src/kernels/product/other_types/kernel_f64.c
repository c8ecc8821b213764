// Dot products of f64 matrices.
#define ELEMENT                double
#define LOAD_SPLAT             wasm_v128_load64_splat
#define MULTIPLY_ADD           hlo_simd_f64x2_multiply_add
#define MULTIPLY               wasm_f64x2_mul
#define PLUS                   wasm_f64x2_add
#define ADD(a, b)              ((a) + (b))
#define ADD_PRODUCT(sum, a, b) ((sum) + (a) * (b))
#include "kernels/simd/dot_loops.h"
#include "kernels/simd/dot_segments.h"

int64_t hlo_kernel_dot_f64_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

void hlo_kernel_dot_f64(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                        int64_t ldb, void *c, int64_t ldc, void *scratch,
                        const hlo_epilogue *epilogue) {
  multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
}

const hlo_convolution_kernels hlo_kernels_convolution_f64 = {
    pack_size_of_windows, pack_windows, multiply_windows, hlo_kernel_depthwise_f64};
