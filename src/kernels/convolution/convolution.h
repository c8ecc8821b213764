// The description of a convolution that the generic evaluation and the kernels share.
#ifndef HLO_KERNELS_CONVOLUTION_CONVOLUTION_H
#define HLO_KERNELS_CONVOLUTION_CONVOLUTION_H

#include "kernels/product/matrix_product.h"

enum { HLO_CONVOLUTION_BATCH = 0, HLO_CONVOLUTION_SPATIAL = 1 };

typedef struct hlo_convolution {
  const hlo_evaluator *evaluator;
  int32_t spatial_rank;
  const int64_t *fields;         // HLO_WINDOW_FIELDS for each spatial dimension
  int32_t spatial[HLO_MAX_RANK]; // 1, 2, …: where the spatial dimensions are in these views:
  hlo_view input, result;        // batch, spatial dimensions, features
  const char
      *kernel; // dense, in the work type: spatial, input features, output features; or packed
  hlo_type work_type;
  int64_t size;                                  // of an element of it
  int64_t batch_groups, groups;                  // groups: by batch or by features
  int64_t batch, features, outputs, all_outputs; // of one group; of all
  int64_t taps, columns;                         // columns: taps times features
  char *rows, *products;                         // dense, in the work type
  float *tap;                                    // NULL, or the products of one tap
  char *turned;    // NULL, or room for a group's kernel, transposed: positions are columns then
  bool exact;      // each multiply-add must round once (FMA)
  bool is_precise; // operand_precision is higher than the default
  hlo_matrix_product product;
} hlo_convolution;

// boxes.c: whether there are holes between the elements of the image.
bool hlo_convolution_has_holes(const hlo_convolution *convolution);
// The HLO_WINDOW_FIELDS integers of a spatial dimension.
const int64_t *hlo_convolution_field(const hlo_convolution *convolution, int32_t i);
// The extent of `positions` windows, in elements of the padded image. False on 64-bit overflow.
bool hlo_convolution_extent(const int64_t *field, int64_t positions, int64_t *out);
// Whether a view in the order above is f32 with contiguous features.
bool hlo_convolution_is_adjacent(const hlo_view *image);
// Whether to split off the borders instead of padding a copy of the whole image: it needs padding
// only, for few positions. The convolution must be one that the kernels support.
bool hlo_convolution_is_worth_cutting(const hlo_convolution *convolution);
// Splits a convolution into boxes of positions, the first of which needs no padding. `boxes` has
// room for 1 + 2 per spatial dimension; their pointers refer to scratch memory.
hlo_status hlo_convolution_cut(const hlo_convolution *convolution, hlo_convolution *boxes,
                               int32_t *count, hlo_error *error);

// image.c: whether the image can be read in place, and whether a padded copy would be of moderate
// size.
void hlo_convolution_inspect_image(const hlo_convolution *convolution, bool *as_it_is, bool *fits);
// The image with the padding that the result's windows reach: in place, or copied to scratch
// memory. depthwise: the kernel loops over positions for each feature.
hlo_status hlo_convolution_pad_image(const hlo_convolution *convolution, bool depthwise,
                                     hlo_view *image, hlo_error *error);

// choice.c: runs the whole convolution by the backend's kernels, which must exist; *done is false,
// and nothing is computed, where they do not apply. Does not split into phases. All members but
// rows and products are set; the input may have any type. With the evaluator's `packing`, packs the
// kernel instead.
hlo_status hlo_convolve_as_a_whole(const hlo_convolution *convolution, bool *done,
                                   hlo_error *error);
// f32.c: as GEMM over rows of positions; the result's features are contiguous.
hlo_status hlo_convolve_by_rows(const hlo_convolution *convolution, bool as_it_is,
                                hlo_error *error);
// Packs the kernel for that, group by group.
hlo_status hlo_convolution_pack_groups(const hlo_convolution *convolution, hlo_error *error);
// epilogue.c. Takes the epilogue that is offered if there is one thread and the result is a dense
// matrix of positions and features in memory; in_rows: parts of it are ready as stretches of rows.
// NULL else.
hlo_status hlo_convolution_accept_epilogue(const hlo_convolution *convolution, bool in_rows,
                                           const hlo_epilogue **out, hlo_error *error);

// winograd.c: the same for windows of 3x3 that slide by one over two dimensions of an f32 image
// whose features are a multiple of 4, those of the result of HLO_PACKED_COLUMNS; no groups, the
// result as above. Not done where rounding would show or something is not finite.
hlo_status hlo_convolve_by_winograd(const hlo_convolution *convolution, bool *done,
                                    hlo_error *error);

// phases.c: the same of an image with holes, in parts that have none.
hlo_status hlo_convolve_by_phases(const hlo_convolution *convolution, bool *done, hlo_error *error);

#endif
