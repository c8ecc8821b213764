// A convolution made ready: what the general way and the kernels share. Must not know the
// instruction.
#ifndef HLO_EVAL_CONVOLUTION_H
#define HLO_EVAL_CONVOLUTION_H

#include "eval/matrix_product.h"

enum { HLO_CONVOLUTION_BATCH = 0, HLO_CONVOLUTION_SPATIAL = 1 };

typedef struct hlo_convolution {
  const hlo_evaluator *evaluator;
  int32_t spatial_rank;
  const int64_t *fields;         // HLO_WINDOW_FIELDS for each spatial dimension
  int32_t spatial[HLO_MAX_RANK]; // 1, 2, …: where the spatial dimensions are in these views:
  hlo_view input, result;        // batch, spatial dimensions, features
  const char *kernel; // dense, in the work type: spatial, input features, output features
  hlo_type work_type;
  int64_t size;                                  // of an element of it
  int64_t batch_groups, groups;                  // groups: by batch or by features
  int64_t batch, features, outputs, all_outputs; // of one group; of all
  int64_t taps, columns;                         // columns: taps times features
  char *rows, *products;                         // dense, in the work type
  float *tap;                                    // NULL, or the products of one tap
  char *turned; // NULL, or room for a group's kernel, transposed: positions are columns then
  hlo_matrix_product product;
} hlo_convolution;

// Whether there are holes between the elements of the image.
bool hlo_convolution_has_holes(const hlo_convolution *convolution);

// convolution_kernels.c: computes all by the backend's kernels; *done is false, and nothing
// happens, where they do not serve. All members but rows and products are set; the input may be of
// any type.
hlo_status hlo_convolve_by_kernels(const hlo_convolution *convolution, bool *done,
                                   hlo_error *error);

#endif
