// Singular values by one-sided Jacobi rotations of the triangular factor of a pivoted QR (Golub,
// Van Loan, 8.6.3; Z. Drmač, K. Veselić, New Fast and Accurate Jacobi SVD Algorithm I, 2008). See
// linear_algebra.h.
#include "eval/linear_algebra.h"

enum { MOST_SWEEPS = 40 };

// a P = Q R, and Rᴴ = l: its columns become those of W diag(values), where W gathers the rotations.
typedef struct jacobi {
  hlo_matrix l;
  const hlo_matrix *w; // NULL: not wanted
  double *squares;     // of the columns' norms
  double tolerance;
} jacobi;

// Makes columns i and j orthogonal. Returns the cosine of the angle between them before.
static double rotate_pair(const jacobi *work, ptrdiff_t i, ptrdiff_t j) {
  hlo_vector x = hlo_column(&work->l, i, 0), y = hlo_column(&work->l, j, 0);
  double a = work->squares[i], b = work->squares[j];
  hlo_c128 product = hlo_vector_dot(x, y);
  double size = hlo_abs_c128(product), bound = __builtin_sqrt(a) * __builtin_sqrt(b);
  if (!(size > work->tolerance * bound)) return 0;
  double zeta = (b - a) / (2 * size), root = hlo_abs_c128((hlo_c128){1, zeta});
  double t = zeta < 0 ? 1 / (zeta - root) : 1 / (zeta + root);
  double c = 1 / hlo_abs_c128((hlo_c128){1, t});
  double s = -c * t / size;
  hlo_c128 factor = {s * product.re, -s * product.im};
  hlo_vector_rotate(x, y, c, factor);
  if (work->w != NULL)
    hlo_vector_rotate(hlo_column(work->w, i, 0), hlo_column(work->w, j, 0), c, factor);
  a -= t * size;
  work->squares[i] = a > 0 ? a : 0;
  work->squares[j] = b + t * size;
  return bound > 0 ? size / bound : 0;
}

static bool run_sweeps(const jacobi *work) {
  ptrdiff_t n = work->l.columns;
  double worst = 1;
  for (int sweep = 0; sweep < MOST_SWEEPS && worst > 0; sweep++) {
    for (ptrdiff_t j = 0; j < n; j++) {
      hlo_vector column = hlo_column(&work->l, j, 0);
      work->squares[j] = hlo_vector_dot(column, column).re;
    }
    worst = 0;
    for (ptrdiff_t i = 0; i + 1 < n; i++) {
      for (ptrdiff_t j = i + 1; j < n; j++) {
        double cosine = rotate_pair(work, i, j);
        if (cosine > worst) worst = cosine;
      }
    }
  }
  return worst < 1e-10;
}

static void sort_descending(const jacobi *work, double *values) {
  ptrdiff_t n = work->l.columns;
  for (ptrdiff_t j = 0; j < n; j++) values[j] = hlo_vector_norm(hlo_column(&work->l, j, 0));
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    ptrdiff_t best = i;
    for (ptrdiff_t j = i + 1; j < n; j++) {
      if (values[j] > values[best]) best = j;
    }
    if (best == i) continue;
    double kept = values[i];
    values[i] = values[best];
    values[best] = kept;
    hlo_vector_swap(hlo_column(&work->l, i, 0), hlo_column(&work->l, best, 0));
    if (work->w != NULL) hlo_vector_swap(hlo_column(work->w, i, 0), hlo_column(work->w, best, 0));
  }
}

// Columns of l to norm 1. Those of zeros become any orthonormal ones: the rest of a full Q.
static hlo_status normalize(const hlo_evaluator *evaluator, const hlo_matrix *l,
                            const double *values, hlo_error *error) {
  ptrdiff_t n = l->columns, rank = 0;
  for (; rank < n && values[rank] > 0; rank++) {
    hlo_vector column = hlo_column(l, rank, 0);
    for (ptrdiff_t i = 0; i < n; i++) {
      column.re[i] /= values[rank];
      if (column.im != NULL) column.im[i] /= values[rank];
    }
  }
  if (rank == n) return HLO_OK;
  hlo_matrix q, taus;
  HLO_TRY(hlo_matrix_make(evaluator->scratch, n, n, l->im != NULL, &q, error));
  HLO_TRY(hlo_matrix_make(evaluator->scratch, rank, 1, l->im != NULL, &taus, error));
  hlo_matrix known = hlo_matrix_part(&q, 0, 0, n, rank), from = hlo_matrix_part(l, 0, 0, n, rank);
  hlo_matrix_copy(&known, &from);
  HLO_TRY(hlo_qr(evaluator, &known, hlo_column(&taus, 0, 0), error));
  HLO_TRY(hlo_qr_form(evaluator, &q, hlo_column(&taus, 0, 0), error));
  hlo_matrix to = hlo_matrix_part(l, 0, rank, n, n - rank);
  from = hlo_matrix_part(&q, 0, rank, n, n - rank);
  hlo_matrix_copy(&to, &from);
  return HLO_OK;
}

// u = Q W, ones behind W where u has more columns.
static hlo_status form_left(const hlo_evaluator *evaluator, const hlo_matrix *reflectors,
                            hlo_vector taus, const hlo_matrix *w, const hlo_matrix *u,
                            hlo_error *error) {
  hlo_matrix top = hlo_matrix_part(u, 0, 0, w->rows, w->columns);
  hlo_matrix_set_identity(u);
  hlo_matrix_copy(&top, w);
  return hlo_qr_apply(evaluator, reflectors, taus, u, true, false, error);
}

hlo_status hlo_singular_values(const hlo_evaluator *evaluator, const hlo_matrix *a, double *values,
                               const hlo_matrix *u, const hlo_matrix *v, bool *converged,
                               hlo_error *error) {
  ptrdiff_t n = a->columns;
  bool is_complex = a->im != NULL;
  hlo_matrix taus, w;
  jacobi work = {.tolerance = 2.2e-16 * (4 + __builtin_sqrt((double)n))};
  int32_t *order;
  HLO_ALLOC(order, evaluator->scratch, n, error);
  HLO_ALLOC(work.squares, evaluator->scratch, 2 * n, error);
  HLO_TRY(hlo_matrix_make(evaluator->scratch, n, 1, is_complex, &taus, error));
  HLO_TRY(hlo_matrix_make(evaluator->scratch, n, n, is_complex, &work.l, error));
  hlo_vector tau_values = hlo_column(&taus, 0, 0);
  for (ptrdiff_t j = 0; j < n; j++) order[j] = (int32_t)j;
  hlo_qr_pivoted(a, tau_values, order, 0, work.squares);
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = i; j < n; j++) {
      hlo_matrix_set(&work.l, j, i, hlo_conjugate(hlo_matrix_get(a, i, j)));
    }
  }
  if (u != NULL) {
    HLO_TRY(hlo_matrix_make(evaluator->scratch, n, n, is_complex, &w, error));
    hlo_matrix_set_identity(&w);
    work.w = &w;
  }
  *converged = run_sweeps(&work);
  sort_descending(&work, values);
  if (u != NULL) HLO_TRY(form_left(evaluator, a, tau_values, &w, u, error));
  if (v == NULL) return HLO_OK;
  HLO_TRY(normalize(evaluator, &work.l, values, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      hlo_matrix_set(v, order[i], j, hlo_matrix_get(&work.l, i, j));
    }
  }
  return HLO_OK;
}
