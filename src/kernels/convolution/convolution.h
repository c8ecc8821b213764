// The description of a convolution that the strategies share.
#ifndef HLO_KERNELS_CONVOLUTION_CONVOLUTION_H
#define HLO_KERNELS_CONVOLUTION_CONVOLUTION_H

#include "kernels/product/matrix_product.h"

enum { HLO_CONVOLUTION_BATCH = 0, HLO_CONVOLUTION_SPATIAL = 1 };

// How the products of a result are summed.
typedef enum hlo_convolution_order {
  HLO_ORDER_FREE,
  HLO_ORDER_FUSED,   // in order, each added with one rounding: kernels do that
  HLO_ORDER_PLAIN,   // the same by portable kernels
  HLO_ORDER_BY_TAPS, // over the features of each tap, and then over the taps
} hlo_convolution_order;

typedef struct hlo_convolution {
  const hlo_evaluator *evaluator;
  int32_t spatial_rank;
  const int64_t *fields;         // HLO_WINDOW_FIELDS for each spatial dimension
  int32_t spatial[HLO_MAX_RANK]; // 1, 2, …: where the spatial dimensions are in these views:
  hlo_view input, result;        // batch, spatial dimensions, features
  const char
      *kernel; // dense, in the work type: spatial, input features, output features; or packed
  hlo_type work_type;    // of sums
  hlo_type product_type; // for hlo_matrix_product_init: the same, or S16: elements are pairs
  int64_t size;          // of an element of it
  const hlo_convolution_kernels *kernels;        // the backend's of that type; NULL: none
  int64_t batch_groups, groups;                  // groups: by batch or by features
  int64_t batch, features, outputs, all_outputs; // of one group; of all
  int64_t taps, columns;                         // columns: taps times features
  hlo_convolution_order order;
  bool has_bytes;    // image and kernel are of 8-bit integers
  bool is_precise;   // operand_precision is higher than the default
  const char **name; // NULL, or where the strategy's is wanted: there may be no elements then
} hlo_convolution;

typedef hlo_status hlo_convolution_function(const hlo_convolution *convolution, hlo_error *error);

// strategies.c: runs the whole convolution by the strategy that fits and costs least; with the
// evaluator's `packing`, packs the kernel for it instead; with `name`, only names it.
hlo_status hlo_convolve(const hlo_convolution *convolution, hlo_error *error);
// The strategy of an instruction, whose operands and result need no memory.
hlo_status hlo_convolution_name_strategy(const hlo_evaluator *evaluator,
                                         const hlo_instruction *instruction,
                                         const hlo_view *operands, const hlo_view *result,
                                         const char **name, hlo_error *error);

// elements.c: convolutions of complex numbers as ones of real numbers, and of bytes as ones of
// pairs of s16. Where it says so; others are used as they are.
bool hlo_convolution_has_other_elements(const hlo_convolution *convolution);
hlo_status hlo_convolve_other_elements(const hlo_convolution *convolution, hlo_error *error);

// boxes.c: whether there are holes between the elements of the image.
bool hlo_convolution_has_holes(const hlo_convolution *convolution);
// The HLO_WINDOW_FIELDS integers of a spatial dimension.
const int64_t *hlo_convolution_field(const hlo_convolution *convolution, int32_t i);
// The extent of `positions` windows, in elements of the padded image. False on 64-bit overflow.
bool hlo_convolution_extent(const int64_t *field, int64_t positions, int64_t *out);
// Whether a view in the order above is of that type with contiguous features.
bool hlo_convolution_is_adjacent(const hlo_view *image, hlo_type type);
// Whether to split off the borders instead of padding a copy of the whole image: it needs padding
// only, for few positions. The convolution must be one that the kernels support.
bool hlo_convolution_is_worth_cutting(const hlo_convolution *convolution);
// Splits a convolution into boxes of positions, the first of which needs no padding. `boxes` has
// room for 1 + 2 per spatial dimension; their pointers refer to scratch memory.
hlo_status hlo_convolution_cut(const hlo_convolution *convolution, hlo_convolution *boxes,
                               int32_t *count, hlo_error *error);

// image.c: the elements of the image with its padding and holes, and whether it can be read in
// place. False if there would be too many.
bool hlo_convolution_inspect_image(const hlo_convolution *convolution, int64_t *elements,
                                   bool *as_it_is);
// The image with the padding that the result's windows reach: in place, or copied to scratch
// memory. depthwise: the kernel loops over positions for each feature.
hlo_status hlo_convolution_pad_image(const hlo_convolution *convolution, bool depthwise,
                                     hlo_view *image, hlo_error *error);

// direct.c: as GEMM over rows of positions, by the backend's kernels.
hlo_status hlo_convolve_direct(const hlo_convolution *convolution, hlo_error *error);
// Packs the kernel for that, group by group.
hlo_status hlo_convolution_pack_groups(const hlo_convolution *convolution, hlo_error *error);
// The same where each feature of the result has one of the image for itself.
hlo_status hlo_convolve_depthwise(const hlo_convolution *convolution, hlo_error *error);
// epilogue.c. Takes the epilogue that is offered if there is one thread and the result is a dense
// matrix of positions and features in memory; in_rows: parts of it are ready as stretches of rows.
// NULL else.
hlo_status hlo_convolution_accept_epilogue(const hlo_convolution *convolution, bool in_rows,
                                           const hlo_epilogue **out, hlo_error *error);

// phases.c: an image with holes, in parts that have none. Whether the window fields allow it; how
// many parts there are, and taps in each.
bool hlo_convolution_phases(const hlo_convolution *convolution, int64_t *phases, double *taps);
hlo_status hlo_convolution_each_phase(const hlo_convolution *convolution,
                                      hlo_convolution_function *convolve, hlo_error *error);

// transposed.c: each element of the image times all of the kernel, added up in the result.
hlo_status hlo_convolve_transposed(const hlo_convolution *convolution, hlo_error *error);

// im2col.c: as a product of matrices for which all elements under a window are copied into a row.
hlo_status hlo_convolve_im2col(const hlo_convolution *convolution, hlo_error *error);

#endif
