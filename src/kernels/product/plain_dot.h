// The common products: matrices and vectors of f32 or f64 that kernels read in place or after a
// cheap transposition, and small products of any kind. Planning from the shapes takes as long as a
// 64 x 64 matrix-vector product, so it is done once per instruction.
#ifndef HLO_KERNELS_PRODUCT_PLAIN_DOT_H
#define HLO_KERNELS_PRODUCT_PLAIN_DOT_H

#include "kernels/eval.h"
#include "kernels/product/strided_dot.h"

// An m x k matrix times a k x n one. lda, ldb and ldc are leading dimensions in elements: distances
// of rows, or of columns where a matrix is stored transposed (`turned`).
typedef struct hlo_plain_dot {
  hlo_type type;
  int64_t m, n, k, lda, ldb, ldc;
  bool is_small, is_swapped; // the right operand is the left matrix
  bool a_is_turned, b_is_turned;
  bool is_strided; // only `strided` counts
  bool is_large;   // hlo_eval_dot looks for zeros first (dot_bands.h)
  hlo_strided_dot strided;
} hlo_plain_dot;

// Plans a dot instruction from the shapes and layouts of its views alone. False, and nothing is
// written, for other types, for large products with batches or other layouts, and for products
// without elements or without sums.
bool hlo_plain_dot_match(const hlo_backend *backend, const hlo_instruction *instruction,
                         const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result,
                         hlo_plain_dot *out);

// c = lhs rhs, with kernels and scratch memory of the evaluator, which is given back.
hlo_status hlo_plain_dot_run(const hlo_plain_dot *dot, const hlo_evaluator *evaluator,
                             const void *lhs, const void *rhs, void *c, hlo_error *error);

#endif
