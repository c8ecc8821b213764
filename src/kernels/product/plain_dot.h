// Products of matrices and vectors of f32 or f64 that lie in memory as kernels want them, or are
// small enough to be turned, the most frequent ones, and small ones of any kind: what there is to
// find out of their shapes takes as long as 64 by 64 numbers times a vector, and is found once.
#ifndef HLO_KERNELS_PRODUCT_PLAIN_DOT_H
#define HLO_KERNELS_PRODUCT_PLAIN_DOT_H

#include "kernels/eval.h"
#include "kernels/product/strided_dot.h"

// An m by k matrix times a k by n one; distances of rows in elements, or of columns where a matrix
// is turned: it lies in memory transposed.
typedef struct hlo_plain_dot {
  hlo_type type;
  int64_t m, n, k, lda, ldb, ldc;
  bool is_small, is_swapped; // the right operand is the left matrix
  bool a_is_turned, b_is_turned;
  bool is_strided; // only `strided` counts
  bool is_large;   // hlo_eval_dot looks for zeros first (dot_bands.h)
  hlo_strided_dot strided;
} hlo_plain_dot;

// Of a dot instruction; the views' memory does not count. False, and nothing is written, if the
// product is another: of other types, a large one of other batches or layouts, without elements or
// without sums.
bool hlo_plain_dot_find(const hlo_backend *backend, const hlo_instruction *instruction,
                        const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result,
                        hlo_plain_dot *out);

// c = lhs rhs, with kernels and scratch memory of the evaluator, which is given back.
hlo_status hlo_plain_dot_run(const hlo_plain_dot *dot, const hlo_evaluator *evaluator,
                             const void *lhs, const void *rhs, void *c, hlo_error *error);

#endif
