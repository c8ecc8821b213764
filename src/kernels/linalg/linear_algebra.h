// Factorisations of dense real and complex matrices in double precision, for the LAPACK custom
// calls. Results follow the conventions that LAPACK documents, since programs depend on them.
// Sources: G. Golub, C. Van Loan, Matrix Computations (3rd ed.), unless a function names another.
#ifndef HLO_KERNELS_LINALG_LINEAR_ALGEBRA_H
#define HLO_KERNELS_LINALG_LINEAR_ALGEBRA_H

#include "base/arena.h"
#include "kernels/eval.h"
#include "math/complex.h"

#include <stdbool.h>

#include "kernels/linalg/part_f64.h"

#include "kernels/linalg/dense.h"

#include "kernels/linalg/part_f32.h"

#include "kernels/linalg/dense.h"

#undef PART
#undef MATRIX
#undef VECTOR
#undef NAME
#undef MATRIX_NAME
// Whether the functions in single precision may be used: the largest magnitude is zero, or finite
// and so far from overflow and underflow that products of elements are, too.
bool hlo_single_is_in_range(const hlo_single *m);

// --- matrices and vectors (vectors.c) ---
hlo_c128 hlo_matrix_get(const hlo_matrix *m, ptrdiff_t i, ptrdiff_t j);
void hlo_matrix_set(const hlo_matrix *m, ptrdiff_t i, ptrdiff_t j,
                    hlo_c128 value); // re alone if real
// Both of the same size; real to complex is fine.
void hlo_matrix_copy(const hlo_matrix *to, const hlo_matrix *from);
// to = fromᴴ
void hlo_matrix_adjoint(const hlo_matrix *to, const hlo_matrix *from);
void hlo_matrix_scale(const hlo_matrix *m, double factor);

hlo_vector hlo_column(const hlo_matrix *m, ptrdiff_t j, ptrdiff_t first); // rows from `first` on
hlo_vector hlo_row(const hlo_matrix *m, ptrdiff_t i, ptrdiff_t first);    // columns from `first` on
hlo_c128 hlo_vector_dot(hlo_vector x, hlo_vector y);                      // xᴴ y, over x.n elements
void hlo_vector_add(hlo_vector y, hlo_c128 factor, hlo_vector x);         // y += factor x, over x.n
void hlo_vector_scale(hlo_vector x, hlo_c128 factor);
void hlo_vector_swap(hlo_vector x, hlo_vector y);
double hlo_length(hlo_c128 z);        // |z| to a rounding or two, and quicker than hlo_abs_c128
double hlo_vector_norm(hlo_vector x); // Euclidean, without needless overflow or underflow
// (x, y) = (c x + s y, c y - conj(s) x)
void hlo_vector_rotate(hlo_vector x, hlo_vector y, double c, hlo_c128 s);
// The rotation that takes (x, y) to (r, 0): c real, not negative.
void hlo_rotation_compute(hlo_c128 x, hlo_c128 y, double *c, hlo_c128 *s);

static inline hlo_c128 hlo_real(double x) { return (hlo_c128){x, 0}; }
static inline hlo_c128 hlo_product(hlo_c128 x, hlo_c128 y) {
  return (hlo_c128){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static inline hlo_c128 hlo_conjugate(hlo_c128 z) { return (hlo_c128){z.re, -z.im}; }
static inline hlo_c128 hlo_negative(hlo_c128 z) { return (hlo_c128){-z.re, -z.im}; }
static inline hlo_c128 hlo_difference(hlo_c128 a, hlo_c128 b) {
  return (hlo_c128){a.re - b.re, a.im - b.im};
}
static inline ptrdiff_t hlo_smaller(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }
// hlo_rotation_compute of two real numbers, without a call where their squares are in range.
static inline void hlo_real_rotation(double x, double y, double *c, double *s) {
  double sum = x * x + y * y;
  if (x != 0 && y != 0 && sum > 1e-280 && sum < 1e280) {
    double length = __builtin_sqrt(sum);
    *c = __builtin_fabs(x) / length;
    *s = (x < 0 ? -y : y) / length;
    return;
  }
  hlo_c128 sine;
  hlo_rotation_compute(hlo_real(x), hlo_real(y), c, &sine);
  *s = sine.re;
}

// --- tridiagonal systems (tridiagonal.c) ---
// Solves the tridiagonal systems with diagonals lower (n - 1 elements), diagonal (n) and upper
// (n - 1) for the columns of b, in place, by elimination with exchanges of neighbouring rows. The
// diagonals become those of U, lower its second superdiagonal (n - 2 elements). A pivot smaller
// than `least` is replaced by it; if `least` is 0, a zero pivot stops the elimination. Returns the
// position of that pivot, counted from 1, else 0.
ptrdiff_t hlo_solve_tridiagonal(hlo_vector lower, hlo_vector diagonal, hlo_vector upper,
                                const hlo_matrix *b, double least);

// --- eigenvalues and singular values ---
// Unit roundoff of double and single precision. In single precision LAPACK's iterations stop
// earlier, which affects signs; the QR iterations here (not divide and conquer) do likewise.
#define HLO_UNIT_DOUBLE 0x1p-53
#define HLO_UNIT_SINGLE 0x1p-24
// Eigenvalues of the real symmetric tridiagonal matrix, ascending, in diagonal (below is used up);
// the columns of vectors, unless NULL, take part in the rotations and the order. Elements are
// negligible below `unit` relative to their neighbours. Returns the number of values that did not
// converge. (symmetric.c)
ptrdiff_t hlo_symmetric_eigenvalues(ptrdiff_t n, double *diagonal, double *below, double unit,
                                    const hlo_matrix *vectors);
// The same, initialising `vectors`; divide and conquer for large matrices. (divide.c)
hlo_status hlo_symmetric_eigenvectors(const hlo_evaluator *evaluator, ptrdiff_t n, double *diagonal,
                                      double *below, double unit, const hlo_matrix *vectors,
                                      ptrdiff_t *failed, hlo_error *error);
// constant + sum over i < n of squares[i] / (p[i] - x) = 0. p: the ascending poles, or, where they
// are `squared`, their squares, none negative. (secular.c)
typedef struct hlo_secular {
  ptrdiff_t n;
  bool squared;
  double constant, *poles, *z, *squares; // of z
} hlo_secular;

// The equation of the poles values[order[i]] and of z[order[i]], in scratch memory.
hlo_status hlo_secular_init(hlo_arena *scratch, ptrdiff_t n, const ptrdiff_t *order,
                            const double *values, const double *z, hlo_secular *out,
                            hlo_error *error);
// Root j, which lies between p[j] and the next pole, or after the last. It is p[origin] + offset;
// distances[i]: p[i] - x, to full relative accuracy.
void hlo_secular_root(const hlo_secular *e, ptrdiff_t j, double *distances, ptrdiff_t *origin,
                      double *offset);
// Numbers near z, up to a factor for all, whose squares make the computed roots exact ones; column
// j of `distances` is root j's. (M. Gu, S. Eisenstat, A Stable and Efficient Algorithm for the
// Rank-One Modification of the Symmetric Eigenproblem, 1994.)
hlo_status hlo_secular_weights(const hlo_secular *e, hlo_arena *scratch,
                               const hlo_matrix *distances, double **weights, hlo_error *error);
// Singular values of the real upper bidiagonal matrix, descending, in diagonal (above is used up);
// columns of left and right, unless NULL, take part in the rotations. False if it did not converge.
// (bidiagonal.c)
bool hlo_bidiagonal_values(ptrdiff_t n, double *diagonal, double *above, double unit,
                           const hlo_matrix *left, const hlo_matrix *right);
// The same for left and right initialised to identities; divide and conquer for large matrices.
// (divide_singular.c)
hlo_status hlo_bidiagonal_vectors(const hlo_evaluator *evaluator, ptrdiff_t n, double *diagonal,
                                  double *above, double unit, const hlo_matrix *left,
                                  const hlo_matrix *right, bool *converged, hlo_error *error);
// The same, initialising the n x n vectors, or for values alone (both NULL); also of a lower
// bidiagonal matrix. (divide_singular.c)
hlo_status hlo_bidiagonal_solve(const hlo_evaluator *evaluator, ptrdiff_t n, bool lower,
                                double *diagonal, double *above, double unit,
                                const hlo_matrix *left, const hlo_matrix *right, bool *converged,
                                hlo_error *error);
// The balancing of a matrix: a permutation that makes it triangular before row `low` and from row
// `high` on, and a scaling of the rows and columns between by powers of two.
typedef struct hlo_balance {
  ptrdiff_t low, high;
  double *scales;    // of rows
  int32_t *partners; // with which rows outside were exchanged
} hlo_balance;
// a becomes the balanced matrix. (balance.c)
hlo_status hlo_balance_matrix(const hlo_evaluator *evaluator, const hlo_matrix *a, bool scales,
                              hlo_balance *out, hlo_error *error);
// Right (left) eigenvectors of the balanced matrix become those of the given one.
void hlo_balance_undo(const hlo_balance *balance, bool left, const hlo_matrix *vectors);
// a = Z T Zᴴ, a having been balanced so far: a becomes T; z, unless NULL, Z. Elements are
// negligible below `unit` relative to their neighbours: the order of eigenvalues depends on it.
// *failed: the number of eigenvalues that did not converge. (schur.c)
hlo_status hlo_schur_form(const hlo_evaluator *evaluator, const hlo_matrix *a,
                          const hlo_balance *balance, double unit, const hlo_matrix *z,
                          ptrdiff_t *failed, hlo_error *error);
// Eigenvalues of a Schur form: those of a real one in pairs, positive imaginary part first.
void hlo_schur_values(const hlo_matrix *t, hlo_c128 *values);
// The real Schur form, as a complex matrix, becomes a complex one; z takes part.
void hlo_schur_to_complex(const hlo_matrix *t, const hlo_matrix *z);
// Right (left) eigenvectors of Z T Zᴴ, of any norm: the columns of out, which is complex.
// (eigenvectors.c)
hlo_status hlo_eigenvectors(const hlo_evaluator *evaluator, const hlo_matrix *t,
                            const hlo_matrix *z, bool left, const hlo_matrix *out,
                            hlo_error *error);
// To Euclidean norm 1, the greatest element real, as LAPACK does it: for the real form t real
// eigenvalues' vectors become real ones, pairs conjugate.
void hlo_eigenvectors_normalize(const hlo_matrix *t, const hlo_matrix *vectors);

#endif
