// Sums of products with one rounding for each, see exact.c, of numbers that
// hlo_kernel_are_in_range, for hosts where other kernels do not add so.
#ifndef HLO_KERNELS_SIMD_EXACT_H
#define HLO_KERNELS_SIMD_EXACT_H

#include "kernels/backend.h"

// Whether all are zero, or of moderate size, so that neither products nor sums leave the range of
// normal f32.
bool hlo_kernel_are_in_range(int64_t count, const float *numbers);
void hlo_kernel_exact_segments(const hlo_segmented_product *product);
void hlo_kernel_exact_depthwise(const hlo_depthwise_product *product);

#endif
