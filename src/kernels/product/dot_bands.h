// Products with a banded left matrix: the nonzeros of each row lie in one short interval, as in
// matrices that resize images, sum bands of a spectrum or select rows of a table. Zeros are
// skipped.
#ifndef HLO_KERNELS_PRODUCT_DOT_BANDS_H
#define HLO_KERNELS_PRODUCT_DOT_BANDS_H

#include "kernels/eval.h"
#include "kernels/machine.h"

// Whether an m x k times k x n product is large enough for the search for bands to pay.
static inline bool hlo_is_large_for_bands(hlo_type type, int64_t m, int64_t n, int64_t k) {
  return type == HLO_F32 && m >= HLO_FEWEST_BANDS && n >= HLO_FEWEST_BANDS &&
         k >= HLO_SHORTEST_OF_BANDS && (double)m * (double)n * (double)k >= HLO_PRODUCTS_OF_BANDS;
}

// The half-open column range of a row's nonzeros.
typedef struct hlo_band {
  int32_t first, end;
} hlo_band;

// Memory for a product.
typedef struct hlo_bands {
  hlo_band *of_rows;
  bool *met;    // for each row of b, whether a band covers it
  bool *failed; // for each work share, whether it met an infinity or NaN
} hlo_bands;

// Scratch memory of the evaluator, for m rows of k.
hlo_status hlo_bands_init(const hlo_evaluator *evaluator, int64_t m, int64_t k, hlo_bands *out,
                          hlo_error *error);
// The product of dense row-major matrices of f32, as hlo_dot_kernel. False where a's rows are not
// like that, or a number of b or of c is infinite or NaN: zero times such a number is NaN. Then c
// has to be computed with all products.
bool hlo_bands_run(const hlo_evaluator *evaluator, int64_t m, int64_t n, int64_t k, const float *a,
                   int64_t lda, const float *b, int64_t ldb, float *c, int64_t ldc,
                   const hlo_bands *bands);

#endif
