// Cholesky factors and triangular systems of batched matrices, for the instructions of these names
// and the custom calls potrf and trsm.
#ifndef HLO_KERNELS_LINALG_TRIANGULAR_H
#define HLO_KERNELS_LINALG_TRIANGULAR_H

#include "kernels/eval.h"

typedef enum hlo_transpose { HLO_NO_TRANSPOSE, HLO_TRANSPOSE, HLO_ADJOINT } hlo_transpose;

typedef struct hlo_triangular_form {
  bool left_side; // op(a) x = b, else x op(a) = b
  bool lower;     // which triangle of a is read
  bool unit_diagonal;
  hlo_transpose transpose; // op
} hlo_triangular_form;

// result = x; all three of one type (f16, bf16, f32, f64, c64, c128) and with the same batch
// dimensions before the last two, [n, n] of a, [n, m] or [m, n] of b and the result. A zero on the
// diagonal gives infinities and NaN, as division does.
hlo_status hlo_triangular_solve(const hlo_evaluator *evaluator, const hlo_triangular_form *form,
                                const hlo_view *a, const hlo_view *b, const hlo_view *result,
                                hlo_error *error);

// result = l with l lᴴ = a, or u with uᴴ u = a when not lower, from that triangle of a alone; the
// other triangle of the result is zero. The imaginary parts of the diagonal count as zero.
// failed_minors, an s32 view of the batch dimensions, receives for each matrix the order of the
// first leading minor that is not positive, or 0; the factor is then NaN throughout. May be NULL.
hlo_status hlo_cholesky(const hlo_evaluator *evaluator, bool lower, const hlo_view *a,
                        const hlo_view *result, const hlo_view *failed_minors, hlo_error *error);

#endif
