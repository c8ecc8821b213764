// Products of complex matrices by kernels for real ones: with A B = (Ar + i Ai) (Br + i Bi), the
// rows [Ar, -Ai] and [Ai, Ar] times the rows Br above Bi give the real and imaginary parts.
#ifndef HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_PLANES_H
#define HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_PLANES_H

#include "kernels/product/matrix_product.h"

typedef struct hlo_planes {
  bool is_wide;               // c128
  void *a, *b, *c;            // real: [m][2k], [2k][n], [m][n]
  hlo_matrix_product product; // m x n x 2k
} hlo_planes;

// For matrices of c64 or c128. Scratch memory of the evaluator.
hlo_status hlo_planes_init(const hlo_evaluator *evaluator, bool is_wide, int64_t m, int64_t n,
                           int64_t k, hlo_planes *out, hlo_error *error);
// As hlo_dot_kernel, for the m, n and k given above.
void hlo_planes_run(const hlo_planes *planes, int64_t m, int64_t n, int64_t k, const void *a,
                    int64_t lda, const void *b, int64_t ldb, void *c, int64_t ldc);

#endif
