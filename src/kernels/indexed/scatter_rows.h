// Scatter of slices that are dense rows.
#ifndef HLO_KERNELS_INDEXED_SCATTER_ROWS_H
#define HLO_KERNELS_INDEXED_SCATTER_ROWS_H

#include "kernels/indexed/index_vectors.h"
#include "kernels/reduce/fold.h"

// Writes slices of `elements` elements into the result in order; slices out of bounds are dropped.
// With a folder, which must have a kernel, they are folded into the current values: if each sum
// receives many slices, in blocks, so that errors do not grow with their number.
hlo_status hlo_scatter_rows(const hlo_evaluator *evaluator, const hlo_index_rows *rows,
                            const hlo_view *result, int64_t elements, const hlo_folder *folder,
                            hlo_error *error);

#endif
