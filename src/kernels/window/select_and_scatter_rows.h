// SelectAndScatter where a comparison selects and a single op combines, as in the gradient of max
// pooling: a row of positions at a time.
#ifndef HLO_KERNELS_WINDOW_SELECT_AND_SCATTER_ROWS_H
#define HLO_KERNELS_WINDOW_SELECT_AND_SCATTER_ROWS_H

#include "kernels/eval.h"

// fields: HLO_WINDOW_FIELDS for each dimension. Source and result have elements; the result's are
// the initial value. In scratch memory. *done is false, and nothing is computed, for other
// computations or large windows.
hlo_status hlo_select_and_scatter_rows(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const int64_t *fields,
                                       const hlo_view *operand, const hlo_view *source,
                                       const hlo_view *result, bool *done, hlo_error *error);

#endif
