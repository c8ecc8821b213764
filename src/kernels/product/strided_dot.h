// Small products of f32 or f64 with any batches and layouts: a loop nest over results with inner
// loops over the sums, planned once from the shapes.
#ifndef HLO_KERNELS_PRODUCT_STRIDED_DOT_H
#define HLO_KERNELS_PRODUCT_STRIDED_DOT_H

#include "kernels/product/contraction.h"

enum { HLO_STRIDED_RESULTS = 4, HLO_STRIDED_SUMS = 2 };

// A loop's trip count, and its strides in the operands a and b and the result c.
typedef struct hlo_strided_loop {
  int64_t size, a, b, c;
} hlo_strided_loop;

typedef struct hlo_strided_dot {
  bool is_wide;                                  // f64
  hlo_strided_loop results[HLO_STRIDED_RESULTS]; // the last one goes over neighbours
  hlo_strided_loop sums[HLO_STRIDED_SUMS];
} hlo_strided_dot;

// Of a contraction with elements and sums. is_exact: as XLA does, each product is to be added with
// one rounding. False if there is no code: of other types, with more loops, or where the host does
// not do that.
bool hlo_strided_dot_match(const hlo_contraction *contraction, bool is_exact, hlo_strided_dot *out);
// Sums run over ascending indices.
void hlo_strided_dot_run(const hlo_strided_dot *dot, const void *a, const void *b, void *c);

#endif
