// The evaluation functions named in the eval column of ops.def, and their shared helpers.
#ifndef HLO_KERNELS_STRUCTURAL_H
#define HLO_KERNELS_STRUCTURAL_H

#include "kernels/eval.h"

#define POINTWISE(...)
#define STRUCTURAL(id, name, stablehlo, low, high, attributes, properties, infer, eval)            \
  hlo_eval_function hlo_eval_##eval;
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL
hlo_eval_function hlo_eval_unsupported; // also while no row names it

// A dense row-major view of an array of that type and those dims, in scratch memory with undefined
// contents.
hlo_status hlo_scratch_view(const hlo_evaluator *evaluator, hlo_type type, int32_t rank,
                            const int64_t *dims, hlo_view *out, hlo_error *error);
// hlo_view_copy, by threads where it pays.
void hlo_copy_view(const hlo_evaluator *evaluator, const hlo_view *to, const hlo_view *from);
// Copies all elements in row-major order between views of the same element size and count whose
// dims may differ.
hlo_status hlo_view_reshape_copy(const hlo_evaluator *evaluator, const hlo_view *to,
                                 const hlo_view *from, hlo_error *error);

#endif
