// Products of complex matrices as one product of real ones: a complex matrix in memory is a real
// one of twice as many columns, so that only one factor, the cheaper one, is written anew.
#ifndef HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_COMPLEX_H
#define HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_COMPLEX_H

#include "kernels/product/matrix_product.h"

typedef enum hlo_complex_way {
  // [re, im] of A's rows times [[re, im], [-im, re]] of B's elements: [re, im] of C's rows.
  HLO_COMPLEX_RIGHT,
  // The real parts of A times [re, im] of B's rows, and the imaginary parts below: two sums to add.
  HLO_COMPLEX_LEFT,
  // As the first, with the few columns of B and C as rows.
  HLO_COMPLEX_COLUMNS,
} hlo_complex_way;

typedef struct hlo_complex_product {
  hlo_complex_way way;
  bool is_wide; // c128
  int64_t m, n, k;
  void *factor, *sums;        // real: the factor that is written anew; sums that are not C's yet
  hlo_matrix_product product; // real
} hlo_complex_product;

// For matrices of c64 or c128. Scratch memory of the evaluator.
hlo_status hlo_complex_product_init(const hlo_evaluator *evaluator, bool is_wide, int64_t m,
                                    int64_t n, int64_t k, hlo_complex_product *out,
                                    hlo_error *error);
// As hlo_dot_kernel, for the m, n and k given above.
void hlo_complex_product_run(const hlo_complex_product *product, const hlo_backend *backend,
                             const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                             int64_t ldc);

#endif
