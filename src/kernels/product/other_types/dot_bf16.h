// A vector of f32 times a matrix of bf16, which is widened on its way through registers: memory is
// read once. Sums are made in f32, in the same order however the work is cut.
#ifndef HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_BF16_H
#define HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_BF16_H

#include <stdint.h>

// c[i * ldc] = a[i] x for m rows of a, which are lda elements apart.
void hlo_dot_rows_bf16(int64_t m, int64_t k, const uint16_t *a, int64_t lda, const float *x,
                       float *c, int64_t ldc);

// c[0..n) = x b for k rows of b, which are ldb elements apart. The result should stay in the first
// cache.
void hlo_dot_columns_bf16(int64_t n, int64_t k, const float *x, const uint16_t *b, int64_t ldb,
                          float *c);

#endif
