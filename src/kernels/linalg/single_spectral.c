// Eigenvalues of symmetric matrices and singular values in single precision. Only the reduction to
// condensed form and the vectors are single; the tridiagonal or bidiagonal problem is solved in
// double precision by the functions of linear_algebra.h. See single.h.
#include "kernels/linalg/single.h"

// --- symmetric matrices ---

static void reverse_rows(const hlo_single *m) {
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    float *column = m->data + j * m->step;
    for (ptrdiff_t i = 0, k = m->rows - 1; i < k; i++, k--) {
      float kept = column[i];
      column[i] = column[k];
      column[k] = kept;
    }
  }
}

static void reverse_numbers(double *x, ptrdiff_t n) {
  for (ptrdiff_t i = 0, j = n - 1; i < j; i++, j--) {
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
  }
}

// Completes a triangle to the full symmetric matrix, optionally with rows and columns reversed.
static void complete(const hlo_single *a, bool lower, bool reversed) {
  ptrdiff_t n = a->rows;
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = j + 1; i < n; i++) {
      float *below = &a->data[i + j * a->step], *above = &a->data[j + i * a->step];
      if (lower) *above = *below;
      else *below = *above;
    }
  }
  if (!reversed) return;
  reverse_rows(a);
  for (ptrdiff_t i = 0, j = n - 1; i < j; i++, j--) {
    float *x = a->data + i * a->step, *y = a->data + j * a->step;
    for (ptrdiff_t k = 0; k < n; k++) {
      float kept = x[k];
      x[k] = y[k];
      y[k] = kept;
    }
  }
}

hlo_status hlo_single_symmetric(const hlo_evaluator *evaluator, const hlo_single *a, bool lower,
                                double *values, hlo_single *vectors, ptrdiff_t *failed,
                                hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  ptrdiff_t n = a->rows;
  double *below;
  float *taus;
  *failed = 0;
  HLO_ALLOC(below, arena, n, error);
  HLO_ALLOC(taus, arena, n, error);
  complete(a, lower, !lower);
  HLO_TRY(hlo_single_tridiagonal(evaluator, a, values, below, taus, error));
  if (!lower) {
    reverse_numbers(values, n);
    reverse_numbers(below, n - 1);
  }
  if (vectors == NULL) {
    *failed = hlo_symmetric_eigenvalues(n, values, below, HLO_UNIT_SINGLE, NULL);
    return HLO_OK;
  }
  hlo_matrix z;
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &z, error));
  HLO_TRY(
      hlo_symmetric_eigenvectors(evaluator, n, values, below, HLO_UNIT_SINGLE, &z, failed, error));
  HLO_TRY(hlo_single_from_double(arena, &z, vectors, error));
  if (!lower) reverse_rows(vectors);
  HLO_TRY(hlo_single_qr_apply(evaluator, a, n - 1, 1, taus, vectors, false, error));
  if (!lower) reverse_rows(vectors);
  return HLO_OK;
}

// --- singular values ---

typedef struct bidiagonal_form {
  const hlo_evaluator *evaluator;
  hlo_single q, p; // reflectors
  float *q_taus, *p_taus;
  double *diagonal, *above;
} bidiagonal_form;

static hlo_status reduce_to_bidiagonal(const hlo_evaluator *evaluator, const hlo_single *a,
                                       bidiagonal_form *out, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  ptrdiff_t n = a->columns;
  *out = (bidiagonal_form){.evaluator = evaluator, .q = *a};
  HLO_TRY(hlo_single_create(arena, n, n, false, &out->p, error));
  HLO_ALLOC(out->q_taus, arena, n, error);
  HLO_ALLOC(out->p_taus, arena, n, error);
  HLO_ALLOC(out->diagonal, arena, n, error);
  HLO_ALLOC(out->above, arena, n, error);
  return hlo_single_bidiagonal(evaluator, a, &out->p, out->diagonal, out->above, out->q_taus,
                               out->p_taus, error);
}

// m = diag(from, I).
static void embed_in_identity(const hlo_single *m, const hlo_matrix *from) {
  hlo_single_set_identity(m);
  for (ptrdiff_t j = 0; j < from->columns; j++)
    for (ptrdiff_t i = 0; i < from->rows; i++)
      m->data[i + j * m->step] = (float)from->re[i + j * from->step];
}

// The vectors of the bidiagonal matrix, into the first rows and columns of `left` and `right`.
static hlo_status solve(const bidiagonal_form *f, bool lower, double *values,
                        const hlo_single *left, const hlo_single *right, bool *converged,
                        hlo_error *error) {
  hlo_arena *arena = f->evaluator->scratch;
  ptrdiff_t n = f->q.columns;
  hlo_matrix u, v;
  bool vectors = left != NULL;
  if (vectors) {
    HLO_TRY(hlo_matrix_create(arena, n, n, false, &u, error));
    HLO_TRY(hlo_matrix_create(arena, n, n, false, &v, error));
  }
  HLO_TRY(hlo_bidiagonal_solve(f->evaluator, n, lower, f->diagonal, f->above, HLO_UNIT_SINGLE,
                               vectors ? &u : NULL, vectors ? &v : NULL, converged, error));
  for (ptrdiff_t i = 0; i < n; i++) values[i] = f->diagonal[i];
  if (!vectors) return HLO_OK;
  embed_in_identity(left, &u);
  embed_in_identity(right, &v);
  return HLO_OK;
}

static hlo_status apply_q(const bidiagonal_form *f, const hlo_single *m, hlo_error *error) {
  return hlo_single_qr_apply(f->evaluator, &f->q, f->q.columns, 0, f->q_taus, m, false, error);
}
static hlo_status apply_p(const bidiagonal_form *f, const hlo_single *m, hlo_error *error) {
  return hlo_single_qr_apply(f->evaluator, &f->p, f->p.rows - 1, 1, f->p_taus, m, false, error);
}

// The triangle r of the QR factor in a, or its adjoint.
static hlo_status copy_triangle(const hlo_evaluator *evaluator, const hlo_single *a, bool adjoint,
                                hlo_single *r, hlo_error *error) {
  ptrdiff_t n = a->columns;
  HLO_TRY(hlo_single_create(evaluator->scratch, n, n, true, r, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i <= j; i++)
      r->data[adjoint ? j + i * r->step : i + j * r->step] = a->data[i + j * a->step];
  }
  return HLO_OK;
}

// Singular values of a tall matrix from those of the triangular QR factor.
static hlo_status singular_values_of_long(const hlo_evaluator *evaluator, const hlo_single *a,
                                          bool adjoint, double *values, const hlo_single *u,
                                          const hlo_single *v, bool *converged, hlo_error *error) {
  bidiagonal_form f;
  hlo_single r;
  float *taus;
  HLO_ALLOC(taus, evaluator->scratch, a->columns, error);
  HLO_TRY(hlo_single_qr(evaluator, a, taus, error));
  HLO_TRY(copy_triangle(evaluator, a, adjoint, &r, error));
  HLO_TRY(reduce_to_bidiagonal(evaluator, &r, &f, error));
  if (u == NULL) return solve(&f, false, values, NULL, NULL, converged, error);
  const hlo_single *left = adjoint ? v : u, *right = adjoint ? u : v;
  HLO_TRY(solve(&f, false, values, left, right, converged, error));
  hlo_single top = *u;
  top.rows = top.columns = a->columns;
  HLO_TRY(apply_q(&f, adjoint ? v : &top, error));
  HLO_TRY(apply_p(&f, adjoint ? &top : v, error));
  return hlo_single_qr_apply(evaluator, a, a->columns, 0, taus, u, false, error);
}

hlo_status hlo_single_singular_values(const hlo_evaluator *evaluator, const hlo_single *a,
                                      bool adjoint, double *values, const hlo_single *u,
                                      const hlo_single *v, bool *converged, hlo_error *error) {
  bidiagonal_form f;
  if (hlo_is_long(a->rows, a->columns, false))
    return singular_values_of_long(evaluator, a, adjoint, values, u, v, converged, error);
  HLO_TRY(reduce_to_bidiagonal(evaluator, a, &f, error));
  if (adjoint) HLO_TRY(solve(&f, true, values, v, u, converged, error));
  else HLO_TRY(solve(&f, false, values, u, v, converged, error));
  if (u == NULL) return HLO_OK;
  HLO_TRY(apply_q(&f, u, error));
  return apply_p(&f, v, error);
}
