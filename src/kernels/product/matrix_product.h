// Products of dense row-major matrices by the backend's kernel where it has one, else by the
// portable kernels. Small products of floats go by the portable kernels too: that costs a few
// hundred nanoseconds and gives the bits of XLA's CPU backend, on every build. Longer sums than
// HLO_LONGEST_SUM_IN_ORDER are made in blocks.
#ifndef HLO_KERNELS_PRODUCT_MATRIX_PRODUCT_H
#define HLO_KERNELS_PRODUCT_MATRIX_PRODUCT_H

#include "kernels/eval.h"
#include "kernels/product/dot_kernel.h"

typedef struct hlo_matrix_product {
  hlo_dot_kernel *kernel;
  int64_t bytes, parts;         // of an element; real numbers in it, 0: integers
  hlo_backend_dot *fast;        // the backend's; NULL: the portable kernel serves
  void *scratch;                // for it
  const hlo_epilogue *epilogue; // NULL; else `fast` carries it out
} hlo_matrix_product;

// Whether so many products of elements are less than a limit of the backend's; an eighth of it
// holds for f64, where a product takes longer. Without a backend all are.
bool hlo_matrix_product_is_small(const hlo_backend *backend, hlo_type type, double products,
                                 bool of_convolution);

// For products of that type (one of hlo_dot_work_type's; or S16: pairs of them, or S8, where the
// backend has those), with right matrices of k rows and n columns. Scratch memory of the evaluator.
hlo_status hlo_matrix_product_make(const hlo_evaluator *evaluator, hlo_type type, bool is_small,
                                   int64_t n, int64_t k, hlo_matrix_product *out, hlo_error *error);
// As hlo_dot_kernel, for the n and k given above and any m.
void hlo_matrix_product_run(const hlo_matrix_product *product, int64_t m, int64_t n, int64_t k,
                            const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                            int64_t ldc);

// The same where columns of B and of C are what lies side by side in memory: each of them is ldb,
// or ldc, elements from the next. By the backend's kernel, which must be there; A comes from memory
// once. Faster than with B and C transposed where columns are few.
void hlo_matrix_product_run_columns(const hlo_matrix_product *product, const hlo_backend *backend,
                                    hlo_type type, int64_t m, int64_t n, int64_t k, const void *a,
                                    int64_t lda, const void *b, int64_t ldb, void *c, int64_t ldc);

#endif
