// Dot products of matrices of 64-bit integers, which wrap.
#define PRODUCT_IS_APART
#define ELEMENT                 uint64_t
#define LOAD_SPLAT              wasm_v128_load64_splat
#define MULTIPLY                wasm_i64x2_mul
#define PLUS                    wasm_i64x2_add
#define MULTIPLY_ADD(a, b, acc) PLUS(acc, MULTIPLY(a, b))
#define ADD(a, b)               ((a) + (b))
#define ADD_PRODUCT(sum, a, b)  ((sum) + (a) * (b))
#include "kernels/simd/dot_loops.h"

int64_t hlo_kernel_dot_u64_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

void hlo_kernel_dot_u64(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                        int64_t ldb, void *c, int64_t ldc, void *scratch,
                        const hlo_epilogue *epilogue) {
  multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
}
