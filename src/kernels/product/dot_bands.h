// Contractions whose left matrix is a constant of bands: the nonzeros of each row lie in one short
// interval, as in matrices that resize images, sum bands of a spectrum or select rows of a table.
// Zeros are skipped.
#ifndef HLO_KERNELS_PRODUCT_DOT_BANDS_H
#define HLO_KERNELS_PRODUCT_DOT_BANDS_H

#include "kernels/eval.h"
#include "kernels/product/contraction.h"

// The half-open column range of a row's nonzeros, which are values[at] and so on.
typedef struct hlo_band {
  int32_t first, end;
  int64_t at;
} hlo_band;

typedef struct hlo_bands {
  const hlo_band *of_rows;
  const float *values;
  const bool *met; // for each row of b, whether a band covers it
} hlo_bands;

// Whether the operand on that side is a constant of bands, and the contraction large enough for
// them to pay.
bool hlo_bands_fit(const hlo_backend *backend, const hlo_contraction *contraction, int32_t side);
// Of the left operand, which fits.
hlo_status hlo_bands_find(const hlo_contraction *contraction, hlo_arena *arena, hlo_bands *out,
                          hlo_error *error);
// The product of dense row-major matrices of f32, as hlo_dot_kernel. *done: unless a number of b or
// of c is infinite or NaN: zero times such a number is NaN. Then c has to be computed with all
// products.
hlo_status hlo_bands_run(const hlo_bands *bands, const hlo_evaluator *evaluator, int64_t m,
                         int64_t n, int64_t k, const float *b, int64_t ldb, float *c, int64_t ldc,
                         bool *done, hlo_error *error);

#endif
