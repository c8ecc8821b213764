// Factorisations of dense matrices: declarations for one element type, included by linear_algebra.h
// once for each. No include guard. The parameters are those of part_f32.h and part_f64.h: PART is
// the type of real and imaginary parts, MATRIX and VECTOR are structures of them. The text is
// dense_columns.h, dense_reflector.h, dense_matrix.h, dense_lu.h, dense_qr.h, dense_forms.h and
// dense_spectral.h, included by dense_f32.c, dense_f64.c, spectral_f32.c and spectral_f64.c; real
// and complex matrices go the same way.

// Column-major; element (i, j) is at i + j * step of re and of im, which is NULL for real matrices.
// Columns of created matrices are padded with zeros to fours of rows, so that loops have no
// remainder; `spare` is a column of zeros that fills up groups of columns. Factorisations take
// matrices that were created, or parts of them from a row that is a multiple of four to the last.
typedef struct MATRIX {
  ptrdiff_t rows, columns, step;
  PART *re, *im, *spare;
} MATRIX;

// Elements of a matrix (a row, a column or a part of one), or of an array with step 1.
typedef struct VECTOR {
  ptrdiff_t n, step;
  PART *re, *im;
} VECTOR;

// --- matrices (dense_matrix.h) ---
// A zero matrix in the arena.
hlo_status MATRIX_NAME(create)(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t columns, bool is_complex,
                               MATRIX *out, hlo_error *error);
MATRIX MATRIX_NAME(part)(const MATRIX *m, ptrdiff_t row, ptrdiff_t column, ptrdiff_t rows,
                         ptrdiff_t columns);
// Copies of views of f32, f64, c64 or c128 with at most two dimensions, and back. A vector is one
// column; a real matrix has no imaginary parts in a complex view.
hlo_status MATRIX_NAME(of_view)(hlo_arena *arena, const hlo_view *from, MATRIX *out,
                                hlo_error *error);
void MATRIX_NAME(to_view)(const hlo_view *to, const MATRIX *from);
// Ones on the diagonal, zeros elsewhere.
void MATRIX_NAME(set_identity)(const MATRIX *m);
void MATRIX_NAME(conjugate)(const MATRIX *m);
void MATRIX_NAME(exchange_columns)(const MATRIX *m, ptrdiff_t i, ptrdiff_t j);
double MATRIX_NAME(largest)(const MATRIX *m); // of all parts' magnitudes; NaN if there is one
// c += factor op(a) op(b), where op is the identity or the adjoint. Scratch memory of the evaluator
// is released before it returns.
hlo_status MATRIX_NAME(add_product)(const hlo_evaluator *evaluator, const MATRIX *c, double factor,
                                    const MATRIX *a, bool a_adjoint, const MATRIX *b,
                                    bool b_adjoint, hlo_error *error);
// c = op(a) op(b), likewise.
hlo_status MATRIX_NAME(multiply)(const hlo_evaluator *evaluator, const MATRIX *c, const MATRIX *a,
                                 bool a_adjoint, const MATRIX *b, bool b_adjoint, hlo_error *error);

// --- systems of equations (dense_lu.h) ---
// a = P L U by partial pivoting, L below the diagonal without its ones, U on and above it. Row k
// was exchanged with row pivots[k] (from 0), k < min(rows, columns). *singular: the order of the
// first leading minor whose pivot is zero, 0 if there is none.
hlo_status NAME(lu)(const hlo_evaluator *evaluator, const MATRIX *a, int32_t *pivots,
                    ptrdiff_t *singular, hlo_error *error);

// --- Householder reflections (dense_qr.h) ---
// H = 1 - tau v vᴴ with v = (1, …): made so that Hᴴ x = beta e with real beta. x, which has room
// for fours of elements, zeros after the last, becomes v. Returns tau.
hlo_c128 NAME(reflect_vector)(VECTOR x, double *beta);
// a = Q R: R on and above the diagonal, the reflectors H(k) with Q = H(0) H(1) … below it and in
// taus (min(rows, columns)).
hlo_status NAME(qr)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus, hlo_error *error);
// a P = Q R, the column of the greatest norm first: column j of a P is column order[j] of a.
// Columns below `fixed` keep their places.
hlo_status NAME(qr_pivoted)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                            int32_t *order, ptrdiff_t fixed, hlo_error *error);
// The first columns of Q = H(0) H(1) … H(taus.n - 1), in place of the reflectors.
hlo_status NAME(qr_form)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                         hlo_error *error);
// c = Q c, or Qᴴ c; from the right c Q, c Qᴴ. Reflector k begins in row k + shift.
hlo_status NAME(qr_apply)(const hlo_evaluator *evaluator, const MATRIX *reflectors, ptrdiff_t shift,
                          VECTOR taus, const MATRIX *c, bool left, bool adjoint, hlo_error *error);
// a = Q H Qᴴ with H zero below the first subdiagonal, where the reflectors of Q are; rows and
// columns from low to high - 1 take part. taus: rows - 1, zero outside of them.
hlo_status NAME(hessenberg)(const hlo_evaluator *evaluator, const MATRIX *a, ptrdiff_t low,
                            ptrdiff_t high, VECTOR taus, hlo_error *error);
// Q of it, in place of a.
hlo_status NAME(hessenberg_form)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                                 hlo_error *error);

// --- eigenvalues and singular values (dense_forms.h, dense_spectral.h) ---
// Hermitian a = Q T Qᴴ with T real, tridiagonal: diagonal and below[rows - 1]. Reads and writes the
// whole matrix, whose lower triangle keeps the reflectors; taus: rows - 1.
hlo_status NAME(tridiagonal)(const hlo_evaluator *evaluator, const MATRIX *a, double *diagonal,
                             double *below, VECTOR taus, hlo_error *error);
// The Hermitian matrix of which one triangle is given; the other is written.
void NAME(complete)(const MATRIX *a, bool lower);
// Overwrites the Hermitian matrix of that triangle with its eigenvectors if they are wanted; values
// ascend. For the upper one the reduction starts at the last column, as LAPACK's does. *failed: the
// number of values that did not converge.
hlo_status NAME(hermitian)(const hlo_evaluator *evaluator, const MATRIX *a, bool lower, double unit,
                           double *values, bool vectors, ptrdiff_t *failed, hlo_error *error);
// a = u diag(values) vᴴ, values descending. a is used up; u (rows x rows, or its first columns) and
// v (columns x columns) may both be NULL; rows >= columns. Signs are those that LAPACK gives to a,
// or, if `adjoint`, to aᴴ.
hlo_status NAME(singular_values)(const hlo_evaluator *evaluator, const MATRIX *a, bool adjoint,
                                 double unit, double *values, const MATRIX *u, const MATRIX *v,
                                 bool *converged, hlo_error *error);
