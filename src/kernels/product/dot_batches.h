// Products of many small matrices of f32.
#ifndef HLO_KERNELS_PRODUCT_DOT_BATCHES_H
#define HLO_KERNELS_PRODUCT_DOT_BATCHES_H

#include "kernels/machine.h"
#include "kernels/product/matrix_view.h"

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

// The matrices of one operand: the first one, its strides, and the distance of consecutive
// matrices.
typedef struct hlo_small_matrices {
  float *first;
  int64_t row_stride, column_stride, step;
} hlo_small_matrices;

// c = a b for each; rows of c are dense.
typedef struct hlo_small_products {
  int64_t m, n, k;
  hlo_small_matrices a, b, c;
} hlo_small_products;

// Those of two arrays along their `count` dimensions lhs_batch and rhs_batch, into a third along
// its first ones; a, b, c: the first matrix of each, of f32. hlo_dot_batches_serves must hold.
// False if they do not lie as they have to, or evenly spaced.
bool hlo_small_products_match(const hlo_matrix_view *a, const hlo_view *lhs,
                              const int64_t *lhs_batch, const hlo_matrix_view *b,
                              const hlo_view *rhs, const int64_t *rhs_batch,
                              const hlo_matrix_view *c, const hlo_view *result, int32_t count,
                              hlo_small_products *out);
// So many from that one on. Sums run over ascending k, of more than four products with a vector
// every fourth one by itself; products are added as the host does best.
void hlo_small_products_run(const hlo_small_products *products, int64_t first, int64_t count);

#endif
