// Scatter of slices that are dense rows.
#ifndef HLO_KERNELS_MOVE_SCATTER_ROWS_H
#define HLO_KERNELS_MOVE_SCATTER_ROWS_H

#include "kernels/indexed/index_vectors.h"
#include "kernels/reduce/fold.h"

// Puts slices of so many elements into the result, one after the other; those that are not inside
// are dropped. With a folder, which has a kernel, they are folded into what is there: where sums
// take in many each, blocks of slices by themselves, so that errors do not grow with their number.
hlo_status hlo_scatter_rows(const hlo_evaluator *evaluator, const hlo_index_rows *rows,
                            const hlo_view *result, int64_t elements, const hlo_folder *folder,
                            hlo_error *error);

#endif
