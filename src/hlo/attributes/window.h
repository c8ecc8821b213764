// Windows that slide over an array: the WINDOW attribute of convolution, reduce-window and
// select-and-scatter, and the dimension labels of convolution. Shape inference, evaluation and
// code generation read them here.
#ifndef HLO_HLO_ATTRIBUTES_WINDOW_H
#define HLO_HLO_ATTRIBUTES_WINDOW_H

#include "hlo/hlo.h"

// The attribute with one window dimension for each of `rank` dimensions: rank * HLO_WINDOW_FIELDS
// integers, every size, stride and dilation at least 1 (else HLO_SHAPE_ERROR). NULL fields when
// there are no dimensions.
hlo_status hlo_window_read(const hlo_instruction *instruction, int32_t rank, const int64_t **fields,
                           hlo_error *error);

// How many positions a window dimension (its HLO_WINDOW_FIELDS integers) has over a base of `size`
// elements: dilated, padded, then stepped over. 0 when the window does not fit. False on overflow.
bool hlo_window_positions(const int64_t *field, int64_t size, int64_t *out);

// dim_labels=bf01_oi01->bf01: which dimension of input, kernel and output plays which part.
typedef struct hlo_convolution_dimensions {
  int32_t spatial_rank;
  int32_t input_batch, input_feature, input_spatial[HLO_MAX_RANK];
  int32_t kernel_output_feature, kernel_input_feature, kernel_spatial[HLO_MAX_RANK];
  int32_t output_batch, output_feature, output_spatial[HLO_MAX_RANK];
} hlo_convolution_dimensions;
// HLO_SHAPE_ERROR unless all three name the same spatial dimensions, each once.
hlo_status hlo_convolution_dimensions_read(const hlo_instruction *instruction,
                                           hlo_convolution_dimensions *out, hlo_error *error);

#endif
