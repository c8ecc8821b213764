// Eigenvalues of symmetric tridiagonal matrices: implicit QL steps with Wilkinson's shift (Golub,
// Van Loan, 8.3.5, from the other end). See linear_algebra.h.
#include "eval/linear_algebra.h"

enum { STEPS_PER_VALUE = 40 };

// The end of the unreduced block that starts at `first`: the next negligible off-diagonal element.
static ptrdiff_t block_end(ptrdiff_t n, const double *diagonal, const double *below,
                           ptrdiff_t first) {
  ptrdiff_t last = first;
  for (; last + 1 < n; last++) {
    double scale = __builtin_fabs(diagonal[last]) + __builtin_fabs(diagonal[last + 1]);
    if (scale + __builtin_fabs(below[last]) == scale) break;
  }
  return last;
}

// One step on the block from `first` to `last`: a shift towards the eigenvalue at `first`, then
// rotations that chase the bulge upwards.
static void ql_step(double *diagonal, double *below, ptrdiff_t first, ptrdiff_t last,
                    const hlo_matrix *vectors) {
  double half = (diagonal[first + 1] - diagonal[first]) / 2, b = below[first];
  double root = hlo_abs_c128((hlo_c128){half, b});
  double shift = diagonal[first] - b * (b / (half + (half < 0 ? -root : root)));
  double x = diagonal[last] - shift, bulge = below[last - 1];
  for (ptrdiff_t k = last - 1; k >= first; k--) {
    // Rotates rows and columns k and k + 1 so that the bulge, or the first time the shifted
    // matrix's last off-diagonal element, vanishes.
    double c;
    hlo_c128 s;
    hlo_rotation_make(hlo_real(x), hlo_real(bulge), &c, &s);
    if (k + 1 < last) below[k + 1] = c * x + s.re * bulge;
    double upper = diagonal[k], lower = diagonal[k + 1], off = below[k];
    diagonal[k + 1] = c * c * lower + 2 * c * s.re * off + s.re * s.re * upper;
    diagonal[k] = c * c * upper - 2 * c * s.re * off + s.re * s.re * lower;
    below[k] = (c * c - s.re * s.re) * off + c * s.re * (upper - lower);
    x = below[k];
    if (k > first) {
      bulge = s.re * below[k - 1];
      below[k - 1] *= c;
    }
    if (vectors != NULL)
      hlo_vector_rotate(hlo_column(vectors, k + 1, 0), hlo_column(vectors, k, 0), c, s);
  }
}

// Selection: the vectors are what is expensive to move.
static void sort_ascending(ptrdiff_t n, double *values, const hlo_matrix *vectors) {
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    ptrdiff_t least = i;
    for (ptrdiff_t j = i + 1; j < n; j++) {
      if (values[j] < values[least]) least = j;
    }
    if (least == i) continue;
    double kept = values[i];
    values[i] = values[least];
    values[least] = kept;
    if (vectors != NULL) hlo_vector_swap(hlo_column(vectors, i, 0), hlo_column(vectors, least, 0));
  }
}

ptrdiff_t hlo_symmetric_eigenvalues(ptrdiff_t n, double *diagonal, double *below,
                                    const hlo_matrix *vectors) {
  ptrdiff_t failed = 0;
  for (ptrdiff_t first = 0; first < n; first++) {
    ptrdiff_t last, steps = 0;
    while ((last = block_end(n, diagonal, below, first)) > first) {
      if (++steps > STEPS_PER_VALUE) {
        failed++;
        break;
      }
      ql_step(diagonal, below, first, last, vectors);
    }
  }
  sort_ascending(n, diagonal, vectors);
  return failed;
}
