// Portable products of dense row-major matrices, one per accumulation type.
#ifndef HLO_KERNELS_PRODUCT_DOT_KERNEL_H
#define HLO_KERNELS_PRODUCT_DOT_KERNEL_H

#include "shape/type.h"

#include <stdbool.h>

// c[m][n] = sum over k of a[m][k] * b[k][n], k ascending, with row strides in elements.
typedef void hlo_dot_kernel(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                            const void *b, int64_t ldb, void *c, int64_t ldc);

// The accumulation type for the given operand and result types. Integer results are summed modulo
// 2^32 or 2^64, floats of up to 32 bits in f32.
hlo_type hlo_dot_work_type(hlo_type lhs, hlo_type rhs, hlo_type result);
// dot_kernel_complex.c
hlo_dot_kernel hlo_dot_c64, hlo_dot_c128;
// dot_kernel_wide.c
hlo_dot_kernel hlo_dot_f64, hlo_dot_u64;
// dot_kernel_fused.c: the same of f32 where the host has instructions that add a product with one
// rounding; else false.
bool hlo_dot_f32_fused(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
                       int64_t ldb, float *c, int64_t ldc);
// For a type that hlo_dot_work_type gives.
hlo_dot_kernel *hlo_dot_kernel_get(hlo_type work_type);

#endif
