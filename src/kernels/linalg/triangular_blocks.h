// The inner loops of Cholesky factors and triangular systems on dense row-major blocks of rows.
#ifndef HLO_KERNELS_LINALG_TRIANGULAR_BLOCKS_H
#define HLO_KERNELS_LINALG_TRIANGULAR_BLOCKS_H

#include "shape/type.h"

typedef struct hlo_triangular_blocks {
  // x[r] = (x[r] - above[r] - sum over q < r of l[r][q] x[q]) / l[r][r] for n rows r of m numbers;
  // above is dense or NULL, l[r][r] stands for 1 where unit.
  void (*solve)(int64_t n, int64_t m, const void *l, int64_t ldl, bool unit, void *x, int64_t ldx,
                const void *above);
  // The first n rows of the upper factor of the m x m matrix at u, with `above` the
  // contribution of the rows above it to subtract. Returns the row in which the matrix turns out
  // not to be positive definite, else n.
  int64_t (*factor)(int64_t n, int64_t m, void *u, int64_t ldu, const void *above);
  // to[j][i] = conj(from[i][j]), to being n x m
  void (*adjoint)(int64_t n, int64_t m, void *to, int64_t ldt, const void *from, int64_t ldf);
} hlo_triangular_blocks;

// For f32, f64 and c128; NULL for other types.
const hlo_triangular_blocks *hlo_triangular_blocks_get(hlo_type type);

#endif
