// Few rows or columns times a large matrix of a narrower type than that of the products: it is
// converted a block at a time, which stays in the cache until it has been multiplied. Converted as
// a whole it would go to memory and come back.
#ifndef HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_CONVERTED_H
#define HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_CONVERTED_H

#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"

typedef struct hlo_converted_product {
  const hlo_evaluator *evaluator;
  bool on_the_left;      // the large matrix
  hlo_type from;         // of its elements
  int64_t m, n, k;       // the product, in f32: all matrices are row-major
  int64_t rows, columns; // of a block
  int32_t parts;
  bool is_cut;                  // into those, for threads
  hlo_matrix_product *products; // of each thread
  float *blocks, *sums;         // memory for each
  float *turned;                // the small matrix on the right with its columns as rows, or NULL
} hlo_converted_product;

// Whether so many numbers pay for it.
static inline bool hlo_is_large_to_convert(int64_t elements) {
  return elements >= HLO_LARGE_TO_CONVERT;
}

// Scratch memory of the evaluator, which has a backend with dot_f32.
hlo_status hlo_converted_product_init(const hlo_evaluator *evaluator, bool on_the_left,
                                      hlo_type from, int64_t m, int64_t n, int64_t k,
                                      hlo_converted_product *out, hlo_error *error);
// As hlo_dot_kernel, for the m, n and k given above. a or b is of the type given, the rest f32.
void hlo_converted_product_run(const hlo_converted_product *product, const void *a, int64_t lda,
                               const void *b, int64_t ldb, float *c, int64_t ldc);

#endif
