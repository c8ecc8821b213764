// Products of many small matrices of f32.
#ifndef HLO_KERNELS_PRODUCT_DOT_BATCHES_H
#define HLO_KERNELS_PRODUCT_DOT_BATCHES_H

#include "kernels/machine.h"
#include "kernels/product/contraction.h"

enum { HLO_SMALL_VECTOR = 4, HLO_SMALL_PANEL = 8 };

// Whether these kernels suit m x k times k x n. General GEMM is faster with whole panels, and with
// few rows or columns and long sums.
static inline bool hlo_dot_batches_serves(int64_t m, int64_t n, int64_t k) {
  int64_t longest = HLO_SMALL_WITH_VECTOR;
  if ((m == 1 || n == 1) && m + n > HLO_SMALL_VECTOR && k > HLO_SMALL_VECTOR)
    return m <= longest && n <= longest && k <= longest;
  if (k < 2 || m > HLO_SMALL_MOST || n > HLO_SMALL_MOST || k > HLO_SMALL_MOST) return false;
  return (n <= HLO_SMALL_VECTOR && k <= HLO_SMALL_VECTOR) ||
         (m >= HLO_SMALL_VECTOR && n >= HLO_SMALL_VECTOR && n % HLO_SMALL_PANEL != 0);
}

// The matrices of one array: strides, and the distance of consecutive matrices.
typedef struct hlo_small_matrices {
  int64_t row_stride, column_stride, step;
} hlo_small_matrices;

// c = a b for each; rows of c are dense.
typedef struct hlo_small_products {
  int64_t m, n, k;
  bool is_swapped; // a is of the right operand
  hlo_small_matrices a, b, c;
} hlo_small_products;

// Of a contraction that hlo_dot_batches_serves. False if matrices do not lie as they have to, or
// evenly spaced.
bool hlo_small_products_match(const hlo_contraction *contraction, hlo_small_products *out);

// So many from that one on. Sums run over ascending k, of more than four products with a vector
// every fourth one by itself; products are added as the host does best.
void hlo_small_products_run(const hlo_small_products *products, const void *lhs, const void *rhs,
                            void *result, int64_t first, int64_t count);

#endif
