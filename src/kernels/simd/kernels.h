// The SIMD kernels of this build, as the engine's backend.
#ifndef HLO_KERNELS_SIMD_KERNELS_H
#define HLO_KERNELS_SIMD_KERNELS_H

#include "kernels/backend.h"

// Never NULL. Static.
const hlo_backend *hlo_kernels_backend(void);

// dot.c, product/other_types/kernel_*.c: see hlo_backend for the contract.
int64_t hlo_kernel_dot_f32_scratch(int64_t n, int64_t k);
int64_t hlo_kernel_dot_f64_scratch(int64_t n, int64_t k);
int64_t hlo_kernel_dot_u32_scratch(int64_t n, int64_t k);
int64_t hlo_kernel_dot_u64_scratch(int64_t n, int64_t k);
int64_t hlo_kernel_dot_pairs_scratch(int64_t n, int64_t k);
hlo_backend_dot hlo_kernel_dot_f32, hlo_kernel_dot_f64, hlo_kernel_dot_u32, hlo_kernel_dot_u64,
    hlo_kernel_dot_pairs;
int64_t hlo_kernel_dot_bytes_scratch(int64_t n, int64_t k);
hlo_backend_dot hlo_kernel_dot_bytes;
bool hlo_kernel_multiplies_bytes(void);
int64_t hlo_kernel_pack_f32_size(int64_t n, int64_t k);
void hlo_kernel_pack_blocks_f32(int64_t n, int64_t k, const float *b, int64_t ldb, void *packed);
extern const hlo_convolution_kernels hlo_kernels_convolution_f32, hlo_kernels_convolution_f64,
    hlo_kernels_convolution_u32, hlo_kernels_convolution_pairs;
// depthwise.h, for one type each
void hlo_kernel_depthwise_f32(const hlo_depthwise_product *product);
void hlo_kernel_depthwise_f64(const hlo_depthwise_product *product);
void hlo_kernel_depthwise_u32(const hlo_depthwise_product *product);

// scan.c
void hlo_kernel_scan_f32(hlo_combine_op op, bool backwards, int64_t n, const float *from, float *to,
                         double *running);

#endif
