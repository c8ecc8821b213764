// Products of dense row-major matrices: selects the backend's kernel where it has one, else a
// portable one. Small floating-point products always use the portable kernels: that costs a few
// hundred nanoseconds and gives the bits of XLA's CPU backend in every build. Sums longer than
// HLO_LONGEST_SUM_IN_ORDER are blocked.
#ifndef HLO_KERNELS_PRODUCT_MATRIX_PRODUCT_H
#define HLO_KERNELS_PRODUCT_MATRIX_PRODUCT_H

#include "kernels/eval.h"
#include "kernels/product/dot_kernel.h"

typedef struct hlo_matrix_product {
  hlo_dot_kernel *kernel;
  int64_t bytes, parts;         // of an element; real numbers in it, 0: integers
  hlo_backend_dot *fast;        // the backend's kernel; NULL: use the portable one
  void *scratch;                // for it
  const hlo_epilogue *epilogue; // NULL; else `fast` carries it out
} hlo_matrix_product;

// Whether the count of multiply-adds is below the backend's limit for small products; f64, whose
// multiply-adds take longer, has an eighth of that limit. Without a backend every product is small.
bool hlo_matrix_product_is_small(const hlo_backend *backend, hlo_type type, double products,
                                 bool of_convolution);

// The backend's kernel for sums of that type (S16: of pairs; S8), whose `dot` is NULL if there is
// none.
const hlo_backend_gemm *hlo_backend_dot_of(const hlo_backend *backend, hlo_type type);

// For products of that type (one of hlo_dot_work_type's; or S16: pairs of them, or S8, where the
// backend has those), with right matrices of k rows and n columns. Scratch memory of the evaluator.
hlo_status hlo_matrix_product_init(const hlo_evaluator *evaluator, hlo_type type, bool is_small,
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
