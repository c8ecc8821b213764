// Eigenvalues of Hermitian matrices and singular values. Only the reduction to a condensed form and
// the vectors are of the type; the tridiagonal or bidiagonal problem is solved in double precision
// by the functions of linear_algebra.h. Part of the text of spectral_f32.c and spectral_f64.c.
// See dense.h.

// --- Hermitian matrices ---

// The leading part of `to` becomes that of a matrix in double precision; imaginary parts are zero.
static void round_matrix(const MATRIX *to, const hlo_matrix *from) {
  for (ptrdiff_t j = 0; j < from->columns; j++) {
    for (ptrdiff_t i = 0; i < from->rows; i++)
      to->re[i + j * to->step] = (PART)from->re[i + j * from->step];
    if (to->im != NULL) memset(to->im + j * to->step, 0, (size_t)from->rows * sizeof(PART));
  }
}

static void reverse_rows(const MATRIX *m) {
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    column x = column_of(m, j);
    for (ptrdiff_t i = 0, k = m->rows - 1; i < k; i++, k--) {
      number kept = get(x, i);
      set(x, i, get(x, k));
      set(x, k, kept);
    }
  }
}

static void reverse_doubles(double *x, ptrdiff_t n) {
  for (ptrdiff_t i = 0, j = n - 1; i < j; i++, j--) {
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
  }
}

void NAME(complete)(const MATRIX *a, bool lower) {
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    set(column_of(a, j), j, real(a->re[j + j * a->step]));
    for (ptrdiff_t i = j + 1; i < a->rows; i++) {
      if (lower) set(column_of(a, i), j, conjugate(get(column_of(a, j), i)));
      else set(column_of(a, j), i, conjugate(get(column_of(a, i), j)));
    }
  }
}

hlo_status NAME(hermitian)(const hlo_evaluator *evaluator, const MATRIX *a, bool lower, double unit,
                           double *values, bool vectors, ptrdiff_t *failed, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  ptrdiff_t n = a->rows;
  double *below;
  column numbers;
  *failed = 0;
  if (n == 0) return HLO_OK;
  HLO_ALLOC(below, arena, n, error);
  HLO_TRY(create_column(arena, n, a->im != NULL, &numbers, error));
  VECTOR taus = {n - 1, 1, numbers.re, numbers.im};
  NAME(complete)(a, lower);
  if (!lower) {
    reverse_rows(a);
    for (ptrdiff_t i = 0, j = n - 1; i < j; i++, j--) MATRIX_NAME(exchange_columns)(a, i, j);
  }
  HLO_TRY(NAME(tridiagonal)(evaluator, a, values, below, taus, error));
  if (!lower) {
    reverse_doubles(values, n);
    reverse_doubles(below, n - 1);
  }
  if (!vectors) {
    *failed = hlo_symmetric_eigenvalues(n, values, below, unit, NULL);
    return HLO_OK;
  }
  hlo_matrix z;
  MATRIX out;
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &z, error));
  HLO_TRY(MATRIX_NAME(create)(arena, n, n, a->im != NULL, &out, error));
  HLO_TRY(hlo_symmetric_eigenvectors(evaluator, n, values, below, unit, &z, failed, error));
  round_matrix(&out, &z);
  if (!lower) reverse_rows(&out);
  HLO_TRY(NAME(qr_apply)(evaluator, a, 1, taus, &out, true, false, error));
  if (!lower) reverse_rows(&out);
  for (ptrdiff_t j = 0; j < n; j++) copy_rows(column_of(a, j), column_of(&out, j), 0, n);
  return HLO_OK;
}

// --- singular values ---

// The vectors of the bidiagonal matrix, into the first rows and columns of `left` and `right`,
// which identities complete. `lower`: the form is that of the adjoint.
static hlo_status solve_form(const bidiagonal_form *f, bool lower, double unit, double *values,
                             const MATRIX *left, const MATRIX *right, bool *converged,
                             hlo_error *error) {
  hlo_arena *arena = f->evaluator->scratch;
  ptrdiff_t n = f->q.columns;
  hlo_matrix u, v;
  bool vectors = left != NULL;
  if (vectors) {
    HLO_TRY(hlo_matrix_create(arena, n, n, false, &u, error));
    HLO_TRY(hlo_matrix_create(arena, n, n, false, &v, error));
  }
  HLO_TRY(hlo_bidiagonal_solve(f->evaluator, n, lower, f->diagonal, f->above, unit,
                               vectors ? &u : NULL, vectors ? &v : NULL, converged, error));
  for (ptrdiff_t i = 0; i < n; i++) values[i] = f->diagonal[i];
  if (!vectors) return HLO_OK;
  MATRIX_NAME(set_identity)(left);
  MATRIX_NAME(set_identity)(right);
  round_matrix(left, &u);
  round_matrix(right, &v);
  return HLO_OK;
}

static hlo_status apply_q(const bidiagonal_form *f, const MATRIX *m, hlo_error *error) {
  return NAME(qr_apply)(f->evaluator, &f->q, 0, f->q_taus, m, true, false, error);
}
static hlo_status apply_p(const bidiagonal_form *f, const MATRIX *m, hlo_error *error) {
  return NAME(qr_apply)(f->evaluator, &f->p, 1, f->p_taus, m, true, false, error);
}

// The triangle r of the QR factor in a, or its adjoint.
static hlo_status copy_triangle(const hlo_evaluator *evaluator, const MATRIX *a, bool adjoint,
                                MATRIX *r, hlo_error *error) {
  ptrdiff_t n = a->columns;
  HLO_TRY(MATRIX_NAME(create)(evaluator->scratch, n, n, a->im != NULL, r, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i <= j; i++) {
      number x = get(column_of(a, j), i);
      if (adjoint) set(column_of(r, i), j, conjugate(x));
      else set(column_of(r, j), i, x);
    }
  }
  return HLO_OK;
}

// LAPACK's threshold, on which signs depend.
static bool is_long(const MATRIX *a) {
  double n = (double)a->columns;
  return (double)a->rows >= (double)(ptrdiff_t)(a->im != NULL ? n * 17 / 9 : n * 11 / 6);
}

// Singular values of a tall matrix from those of the triangular QR factor.
static hlo_status solve_long(const hlo_evaluator *evaluator, const MATRIX *a, bool adjoint,
                             double unit, double *values, const MATRIX *u, const MATRIX *v,
                             bool *converged, hlo_error *error) {
  bidiagonal_form f;
  MATRIX r;
  column numbers;
  HLO_TRY(create_column(evaluator->scratch, a->columns, a->im != NULL, &numbers, error));
  VECTOR taus = {a->columns, 1, numbers.re, numbers.im};
  HLO_TRY(NAME(qr)(evaluator, a, taus, error));
  HLO_TRY(copy_triangle(evaluator, a, adjoint, &r, error));
  HLO_TRY(reduce_to_bidiagonal(evaluator, &r, &f, error));
  const MATRIX *left = adjoint ? v : u, *right = adjoint ? u : v;
  HLO_TRY(solve_form(&f, false, unit, values, left, right, converged, error));
  if (u == NULL) return HLO_OK;
  MATRIX top = MATRIX_NAME(part)(u, 0, 0, a->columns, a->columns);
  HLO_TRY(apply_q(&f, adjoint ? v : &top, error));
  HLO_TRY(apply_p(&f, adjoint ? &top : v, error));
  return NAME(qr_apply)(evaluator, a, 0, taus, u, true, false, error);
}

hlo_status NAME(singular_values)(const hlo_evaluator *evaluator, const MATRIX *a, bool adjoint,
                                 double unit, double *values, const MATRIX *u, const MATRIX *v,
                                 bool *converged, hlo_error *error) {
  bidiagonal_form f;
  *converged = true;
  if (a->columns == 0) {
    if (u != NULL) MATRIX_NAME(set_identity)(u);
    return HLO_OK;
  }
  if (is_long(a)) return solve_long(evaluator, a, adjoint, unit, values, u, v, converged, error);
  HLO_TRY(reduce_to_bidiagonal(evaluator, a, &f, error));
  if (adjoint) HLO_TRY(solve_form(&f, true, unit, values, v, u, converged, error));
  else HLO_TRY(solve_form(&f, false, unit, values, u, v, converged, error));
  if (u == NULL) return HLO_OK;
  HLO_TRY(apply_q(&f, u, error));
  return apply_p(&f, v, error);
}
