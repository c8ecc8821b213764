// Winograd's algorithm for windows of 3x3 that slide by one over two dimensions of an f32 image
// whose features are a multiple of 4, those of the result of HLO_PACKED_COLUMNS; no groups. Filters
// are transformed in each call, or at planning time.
#ifndef HLO_KERNELS_CONVOLUTION_WINOGRAD_H
#define HLO_KERNELS_CONVOLUTION_WINOGRAD_H

#include "base/machine.h"
#include "kernels/convolution/convolution.h"

enum {
  HLO_WINOGRAD_TAPS = 9,
  HLO_WINOGRAD_POINTS = 16,                                // of a transformed square
  HLO_WINOGRAD_LINE = HLO_LINE_BYTES / (int)sizeof(float), // elements
};

// Filters for some features of the result, panel by panel: each point's as kernels have them
// packed, so many elements from the next point's.
void hlo_winograd_transform_filters(const hlo_convolution *convolution, int64_t column,
                                    int64_t columns, float *filters, int64_t apart);

// The largest sum of the magnitudes of a feature's filter. Infinite if some filter has next to
// nothing for one of its taps, or something would become infinite or subnormal on the way. sums:
// HLO_WINOGRAD_TAPS for each feature of the result, zeros.
float hlo_winograd_weight(const hlo_convolution *convolution, float *sums);

// Packed filters are a line that the weight stands in, then all features' for each point, which are
// so many elements from the next ones: not a power of two.
static inline int64_t hlo_winograd_point_stride(const hlo_convolution *convolution) {
  return convolution->features * convolution->outputs + HLO_WINOGRAD_LINE;
}

// Not done where rounding would show, or something is not finite.
hlo_status hlo_convolve_by_winograd(const hlo_convolution *convolution, bool *suits,
                                    hlo_error *error);
// winograd_packed.c: packs the kernel, unless its filters are such as have no weight, or would not
// come back with their signs.
hlo_status hlo_winograd_pack(const hlo_convolution *convolution, hlo_error *error);
// A convolution by packed filters, directly by the filters that they were made of, but for
// rounding: for images that do not suit.
hlo_status hlo_winograd_convolve_unpacked(const hlo_convolution *convolution, hlo_error *error);

#endif
