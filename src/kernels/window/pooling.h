// Pooling of dense f32 images by one op, separably: rows under the window are combined first, then
// neighbours within the combined row.
#ifndef HLO_KERNELS_WINDOW_POOLING_H
#define HLO_KERNELS_WINDOW_POOLING_H

#include "kernels/reduce/fold.h"

// The op in the backend's terms; false: it has none.
bool hlo_combine_op_of(hlo_opcode opcode, hlo_combine_op *out);

// ReduceWindow of one operand by the folder's op. fields: HLO_WINDOW_FIELDS for each dimension.
// *done is false, and nothing is computed, if the backend has no kernel for it or the views are not
// dense enough.
hlo_status hlo_pool(const hlo_folder *folder, const int64_t *fields, const hlo_view *operand,
                    const hlo_view *initial, const hlo_view *result, bool *done, hlo_error *error);

#endif
