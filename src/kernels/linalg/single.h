// Single-precision counterparts of linear_algebra.h for dense real matrices: four SIMD lanes and
// f32 GEMM take half of the time or less. Only for elements whose products neither overflow nor
// underflow.
#ifndef HLO_KERNELS_LINALG_SINGLE_H
#define HLO_KERNELS_LINALG_SINGLE_H

#include "kernels/linalg/linear_algebra.h"

// Column-major. Columns are aligned to four elements and zero-padded, so that loops process four
// rows at a time without a remainder. `spare` is a column of zeros that fills up groups of four
// columns; nothing else may be written to it.
typedef struct hlo_single {
  ptrdiff_t rows, columns, step;
  float *data, *spare;
} hlo_single;

typedef float hlo_four __attribute__((vector_size(16), aligned(4)));

// Four columns, whose loops go from row `start` to row `end`, multiples of four.
typedef struct hlo_columns {
  float *at[4];
} hlo_columns;

static inline hlo_four *hlo_four_at(const float *numbers) { return (hlo_four *)(void *)numbers; }
static inline ptrdiff_t hlo_four_before(ptrdiff_t row) { return row & ~(ptrdiff_t)3; }
static inline ptrdiff_t hlo_four_after(ptrdiff_t row) { return (row + 3) & ~(ptrdiff_t)3; }

// --- matrices (single.c) ---
// Undefined elements in the arena, or zeros.
hlo_status hlo_single_create(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t columns, bool zeros,
                             hlo_single *out, hlo_error *error);
// Zeros for `n` rows, padded to a multiple of four.
hlo_status hlo_single_numbers(hlo_arena *arena, ptrdiff_t n, float **out, hlo_error *error);
// Rows from a multiple of four on, to the last one.
hlo_single hlo_single_part(const hlo_single *m, ptrdiff_t row, ptrdiff_t column, ptrdiff_t columns);
// Copies of views of two dimensions, and back.
hlo_status hlo_single_load(hlo_arena *arena, const hlo_view *from, hlo_single *out,
                           hlo_error *error);
void hlo_single_store(const hlo_view *to, const hlo_single *from);
hlo_status hlo_single_from_double(hlo_arena *arena, const hlo_matrix *from, hlo_single *out,
                                  hlo_error *error);
void hlo_single_transpose(const hlo_single *to, const hlo_single *from);
void hlo_single_set_identity(const hlo_single *m);
// Whether the functions below may be used: the largest magnitude is finite and far from overflow
// and underflow. A zero matrix qualifies.
bool hlo_single_is_in_range(const hlo_single *m);

// --- four columns at a time ---
// Columns j … j + 3 of m.
hlo_columns hlo_single_columns(const hlo_single *m, ptrdiff_t j);
// Each column times v.
hlo_four hlo_columns_dot(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end, const float *v);
// c[k] -= factors[k] v
void hlo_columns_subtract(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end, hlo_four factors,
                          const float *v);
// c[k] -= x_factors[k] x + y_factors[k] y; each column then times v.
hlo_four hlo_columns_change(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end,
                            hlo_four x_factors, const float *x, hlo_four y_factors, const float *y,
                            const float *v);
// to += sum of factors[k] c[k]
void hlo_columns_combine(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end, hlo_four factors,
                         float *to);
// m = (1 - tau v vᵀ) m, for v zero above row `start`.
void hlo_single_reflect(const hlo_single *m, ptrdiff_t start, float tau, const float *v);

// --- products ---
// c -= a b
hlo_status hlo_single_subtract_product(const hlo_evaluator *evaluator, const hlo_single *c,
                                       const hlo_single *a, const hlo_single *b, hlo_error *error);

// --- systems of equations (single_lu.c) ---
hlo_status hlo_single_lu(const hlo_evaluator *evaluator, const hlo_single *a, int32_t *pivots,
                         ptrdiff_t *singular, hlo_error *error);

// --- Householder reflections (single_householder.c) ---
// H = 1 - tau v vᵀ, made so that H x = beta e for the elements of x from row `first` to `rows`: v
// is 1 there, and 0 above, as far as a group of four reaches. Returns tau.
float hlo_single_reflector(const float *x, ptrdiff_t first, ptrdiff_t rows, float *v, double *beta);
// As hlo_qr, hlo_qr_form and, from the left, hlo_qr_apply. Reflector k of the last one begins in
// row k + shift.
hlo_status hlo_single_qr(const hlo_evaluator *evaluator, const hlo_single *a, float *taus,
                         hlo_error *error);
hlo_status hlo_single_qr_form(const hlo_evaluator *evaluator, const hlo_single *a, ptrdiff_t count,
                              const float *taus, hlo_error *error);
hlo_status hlo_single_qr_apply(const hlo_evaluator *evaluator, const hlo_single *reflectors,
                               ptrdiff_t count, ptrdiff_t shift, const float *taus,
                               const hlo_single *c, bool adjoint, hlo_error *error);

// --- forms (single_forms.c) ---
// As hlo_tridiagonal: reads and writes the whole matrix. Reflector k of the result begins in row
// k + 1 of column k.
hlo_status hlo_single_tridiagonal(const hlo_evaluator *evaluator, const hlo_single *a,
                                  double *diagonal, double *below, float *taus, hlo_error *error);
// a = Q B Pᵀ for no more columns than rows: B has a diagonal and one above it. Reflectors of Q take
// the place of a's lower triangle, those of P that of p's, from row k + 1 on.
hlo_status hlo_single_bidiagonal(const hlo_evaluator *evaluator, const hlo_single *a,
                                 const hlo_single *p, double *diagonal, double *above,
                                 float *q_taus, float *p_taus, hlo_error *error);

// --- eigenvalues and singular values (single_spectral.c) ---
// Of the symmetric matrix with that triangle, of at least one row; it is used up. vectors, unless
// NULL, is made. Else as hlo_hermitian, from the end for an upper triangle.
hlo_status hlo_single_symmetric(const hlo_evaluator *evaluator, const hlo_single *a, bool lower,
                                double *values, hlo_single *vectors, ptrdiff_t *failed,
                                hlo_error *error);
// As hlo_singular_values, of at least one column.
hlo_status hlo_single_singular_values(const hlo_evaluator *evaluator, const hlo_single *a,
                                      bool adjoint, double *values, const hlo_single *u,
                                      const hlo_single *v, bool *converged, hlo_error *error);

#endif
