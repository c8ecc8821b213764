// LU factors, triangular systems and Cholesky factors of batches of small real matrices,
// interleaved so that each SIMD lane holds one matrix.
#ifndef HLO_KERNELS_LINALG_FACTOR_BATCHES_H
#define HLO_KERNELS_LINALG_FACTOR_BATCHES_H

#include "kernels/eval.h"

// Whether the functions below suit the view's matrices, [batch dimensions..., n, m]: f32 or f64,
// large batches, small matrices.
bool hlo_factor_batches_suit(const hlo_view *view);

// a = p l u, of any layout: lu as LAPACK's getrf packs it; pivots, s32 [..., min(n, m)], count from
// 1; failed, s32 [...], is the first pivot that is zero, counted from 1, or 0.
void hlo_factor_batches_lu(const hlo_view *a, const hlo_view *lu, const hlo_view *pivots,
                           const hlo_view *failed);

// x = a⁻¹ b for lower triangles a [..., n, n] (with ones for the diagonal if it is `unit`) and b
// and x [..., n, m], which may be the same memory; n * m is at most 1024.
void hlo_factor_batches_solve(const hlo_view *a, bool unit, const hlo_view *b, const hlo_view *x);

// uᵀ u = a from the upper triangle; the rest of u is zero, and all of it NaN where a is not
// positive definite. failed: as of hlo_cholesky, or NULL.
void hlo_factor_batches_cholesky(const hlo_view *a, const hlo_view *u, const hlo_view *failed);

#endif
