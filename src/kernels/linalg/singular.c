// Singular values and vectors: bidiagonal form by reflections from both sides (Golub, Van Loan,
// 5.4.8), after a QR or LQ factorisation if one side is much longer. See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"

// --- bidiagonal form ---

// a = Q B Pᴴ, panel by panel: some reflectors have changed the matrix to a - left rightᴴ, where
// left holds the v of Q and then x, right y and then the u of P.
typedef struct bidiagonal_form {
  const hlo_evaluator *evaluator;
  hlo_matrix a; // keeps the reflectors of Q below its diagonal
  hlo_matrix p; // the reflectors of P, below the first subdiagonal
  hlo_vector q_taus, p_taus;
  double *diagonal, *above;
  hlo_matrix left, right;
} bidiagonal_form;

static void store_column(const hlo_matrix *to, ptrdiff_t row, ptrdiff_t column,
                         const hlo_matrix *from) {
  hlo_matrix part = hlo_matrix_part(to, row, column, from->rows, 1);
  hlo_matrix_copy(&part, from);
}

// x -= m[from…] (rows[row])ᴴ for the panel's first columns of v and x, or y and u.
static void subtract_rows(hlo_vector x, const hlo_matrix *m, ptrdiff_t from, const hlo_matrix *rows,
                          ptrdiff_t row, ptrdiff_t firsts, ptrdiff_t seconds) {
  for (ptrdiff_t i = 0; i < firsts + seconds; i++) {
    ptrdiff_t j = i < firsts ? i : HLO_REFLECTOR_BLOCK + i - firsts;
    hlo_c128 factor = hlo_conjugate(hlo_matrix_get(rows, row, j));
    hlo_vector_add(x, hlo_negative(factor), hlo_column(m, j, from));
  }
}

// x -= m[from…] (others[other…]ᴴ v), likewise.
static void subtract_products(hlo_vector x, const hlo_matrix *m, ptrdiff_t from,
                              const hlo_matrix *others, ptrdiff_t other, hlo_vector v,
                              ptrdiff_t firsts, ptrdiff_t seconds) {
  for (ptrdiff_t i = 0; i < firsts + seconds; i++) {
    ptrdiff_t j = i < firsts ? i : HLO_REFLECTOR_BLOCK + i - firsts;
    hlo_c128 factor = hlo_vector_dot(hlo_column(others, j, other), v);
    hlo_vector_add(x, hlo_negative(factor), hlo_column(m, j, from));
  }
}

static void set_tau(hlo_vector taus, ptrdiff_t k, hlo_c128 tau) {
  taus.re[k] = tau.re;
  if (taus.im != NULL) taus.im[k] = tau.im;
}

// The left reflector of column k; y = tau aᴴ v for the trailing columns.
static hlo_status reflect_column(const bidiagonal_form *f, ptrdiff_t k, ptrdiff_t before,
                                 hlo_error *error) {
  const hlo_matrix *a = &f->a;
  ptrdiff_t m = a->rows - k, n = a->columns - k - 1;
  subtract_rows(hlo_column(a, k, k), &f->left, k, &f->right, k, before, before);
  hlo_c128 beta = hlo_matrix_get(a, k, k);
  hlo_c128 tau = hlo_reflector_compute(&beta, hlo_column(a, k, k + 1));
  set_tau(f->q_taus, k, tau);
  f->diagonal[k] = beta.re;
  hlo_matrix_set(a, k, k, hlo_real(1));
  hlo_matrix v = hlo_matrix_part(a, k, k, m, 1), rest = hlo_matrix_part(a, k, k + 1, m, n);
  hlo_matrix y = hlo_matrix_part(&f->right, k + 1, before, n, 1);
  store_column(&f->left, k, before, &v);
  HLO_TRY(hlo_matrix_multiply(f->evaluator, &y, &rest, true, &v, false, error));
  subtract_products(hlo_column(&y, 0, 0), &f->right, k + 1, &f->left, k, hlo_column(&v, 0, 0),
                    before, before);
  hlo_vector_scale(hlo_column(&y, 0, 0), tau);
  hlo_matrix_set(a, k, k, beta);
  return HLO_OK;
}

// The right reflector of row k; x = tau a u for the rows below.
static hlo_status reflect_row(const bidiagonal_form *f, ptrdiff_t k, ptrdiff_t before,
                              hlo_error *error) {
  const hlo_matrix *a = &f->a;
  ptrdiff_t m = a->rows - k - 1, n = a->columns - k - 1;
  hlo_matrix u = hlo_matrix_part(&f->p, k + 1, k, n, 1);
  hlo_matrix row = hlo_matrix_part(a, k, k + 1, 1, n);
  hlo_matrix_adjoint(&u, &row);
  subtract_rows(hlo_column(&u, 0, 0), &f->right, k + 1, &f->left, k, before + 1, before);
  hlo_c128 beta = hlo_matrix_get(&u, 0, 0);
  hlo_c128 tau = hlo_reflector_compute(&beta, hlo_column(&u, 0, 1));
  set_tau(f->p_taus, k, tau);
  f->above[k] = beta.re;
  hlo_matrix_set(&u, 0, 0, hlo_real(1));
  hlo_matrix rest = hlo_matrix_part(a, k + 1, k + 1, m, n);
  hlo_matrix x = hlo_matrix_part(&f->left, k + 1, HLO_REFLECTOR_BLOCK + before, m, 1);
  store_column(&f->right, k + 1, HLO_REFLECTOR_BLOCK + before, &u);
  HLO_TRY(hlo_matrix_multiply(f->evaluator, &x, &rest, false, &u, false, error));
  subtract_products(hlo_column(&x, 0, 0), &f->left, k + 1, &f->right, k + 1, hlo_column(&u, 0, 0),
                    before + 1, before);
  hlo_vector_scale(hlo_column(&x, 0, 0), tau);
  return HLO_OK;
}

static hlo_status reduce(const bidiagonal_form *f, hlo_error *error) {
  const hlo_matrix *a = &f->a;
  ptrdiff_t m = a->rows, n = a->columns;
  for (ptrdiff_t first = 0; first < n; first += HLO_REFLECTOR_BLOCK) {
    ptrdiff_t end = hlo_smaller(first + HLO_REFLECTOR_BLOCK, n);
    for (ptrdiff_t k = first; k < end; k++) {
      HLO_TRY(reflect_column(f, k, k - first, error));
      if (k + 1 < n) HLO_TRY(reflect_row(f, k, k - first, error));
    }
    if (end == n) break;
    hlo_matrix rest = hlo_matrix_part(a, end, end, m - end, n - end);
    hlo_matrix left = hlo_matrix_part(&f->left, end, 0, m - end, 2 * HLO_REFLECTOR_BLOCK);
    hlo_matrix right = hlo_matrix_part(&f->right, end, 0, n - end, 2 * HLO_REFLECTOR_BLOCK);
    HLO_TRY(hlo_matrix_add_product(f->evaluator, &rest, -1, &left, false, &right, true, error));
  }
  return HLO_OK;
}

static hlo_status reduce_to_bidiagonal(const hlo_evaluator *evaluator, const hlo_matrix *a,
                                       bidiagonal_form *out, hlo_error *error) {
  ptrdiff_t m = a->rows, n = a->columns;
  bool is_complex = a->im != NULL;
  hlo_arena *arena = evaluator->scratch;
  hlo_matrix taus;
  *out = (bidiagonal_form){.evaluator = evaluator, .a = *a};
  HLO_TRY(hlo_matrix_create(arena, n, 2, is_complex, &taus, error));
  out->q_taus = hlo_column(&taus, 0, 0);
  out->p_taus = hlo_column(&taus, 1, 0);
  HLO_TRY(hlo_matrix_create(arena, n, n, is_complex, &out->p, error));
  HLO_TRY(hlo_matrix_create(arena, m, 2 * HLO_REFLECTOR_BLOCK, is_complex, &out->left, error));
  HLO_TRY(hlo_matrix_create(arena, n, 2 * HLO_REFLECTOR_BLOCK, is_complex, &out->right, error));
  HLO_ALLOC(out->diagonal, arena, n, error);
  HLO_ALLOC(out->above, arena, n, error);
  return reduce(out, error);
}

// m = Q m and m = P m.
static hlo_status apply_q(const bidiagonal_form *f, const hlo_matrix *m, hlo_error *error) {
  return hlo_qr_apply(f->evaluator, &f->a, f->q_taus, m, true, false, error);
}
static hlo_status apply_p(const bidiagonal_form *f, const hlo_matrix *m, hlo_error *error) {
  ptrdiff_t n = f->p.rows;
  if (n < 2) return HLO_OK;
  hlo_vector taus = f->p_taus;
  taus.n = n - 1;
  hlo_matrix reflectors = hlo_matrix_part(&f->p, 1, 0, n - 1, n - 1);
  hlo_matrix rows = hlo_matrix_part(m, 1, 0, n - 1, m->columns);
  return hlo_qr_apply(f->evaluator, &reflectors, taus, &rows, true, false, error);
}

// --- lower bidiagonal matrices ---

// Rotates a lower bidiagonal matrix to upper form from the left; the rotations are recorded for the
// left vectors.
static void rotate_lower_to_upper(ptrdiff_t n, double *diagonal, double *off, double *rotations) {
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    hlo_c128 s;
    double c, d = diagonal[i], e = off[i], next = diagonal[i + 1];
    hlo_rotation_compute(hlo_real(d), hlo_real(e), &c, &s);
    diagonal[i] = c * d + s.re * e;
    off[i] = s.re * next;
    diagonal[i + 1] = c * next;
    rotations[2 * i] = c;
    rotations[2 * i + 1] = s.re;
  }
}

static void rotate_back(const hlo_matrix *left, ptrdiff_t n, const double *rotations) {
  for (ptrdiff_t i = n - 2; i >= 0; i--)
    hlo_vector_rotate(hlo_row(left, i, 0), hlo_row(left, i + 1, 0), rotations[2 * i],
                      hlo_real(-rotations[2 * i + 1]));
}

// --- the whole ---

hlo_status hlo_bidiagonal_solve(const hlo_evaluator *evaluator, ptrdiff_t n, bool lower,
                                double *diagonal, double *above, double unit,
                                const hlo_matrix *left, const hlo_matrix *right, bool *converged,
                                hlo_error *error) {
  double *rotations;
  HLO_ALLOC(rotations, evaluator->scratch, 2 * n, error);
  if (lower) rotate_lower_to_upper(n, diagonal, above, rotations);
  if (left == NULL) {
    *converged = hlo_bidiagonal_values(n, diagonal, above, unit, NULL, NULL);
    return HLO_OK;
  }
  hlo_matrix_set_identity(left);
  hlo_matrix_set_identity(right);
  HLO_TRY(
      hlo_bidiagonal_vectors(evaluator, n, diagonal, above, unit, left, right, converged, error));
  if (lower) rotate_back(left, n, rotations);
  return HLO_OK;
}

// Left and right receive the vectors in their leading rows and columns, completed by an identity.
// `lower`: the form is that of the adjoint.
static hlo_status solve(const bidiagonal_form *f, bool lower, double unit, double *values,
                        const hlo_matrix *left, const hlo_matrix *right, bool *converged,
                        hlo_error *error) {
  ptrdiff_t n = f->a.columns;
  hlo_matrix u, v;
  if (left != NULL) {
    hlo_matrix_set_identity(left);
    hlo_matrix_set_identity(right);
    u = hlo_matrix_part(left, 0, 0, n, n), v = hlo_matrix_part(right, 0, 0, n, n);
    u.im = v.im = NULL;
  }
  HLO_TRY(hlo_bidiagonal_solve(f->evaluator, n, lower, f->diagonal, f->above, unit,
                               left == NULL ? NULL : &u, left == NULL ? NULL : &v, converged,
                               error));
  for (ptrdiff_t i = 0; i < n; i++) values[i] = f->diagonal[i];
  return HLO_OK;
}

bool hlo_is_long(ptrdiff_t rows, ptrdiff_t columns, bool is_complex) {
  double n = (double)columns;
  return (double)rows >= (double)(ptrdiff_t)(is_complex ? n * 17 / 9 : n * 11 / 6);
}

// The triangle r of the QR factor in a, or its adjoint.
static hlo_status copy_triangle(const hlo_evaluator *evaluator, const hlo_matrix *a, bool adjoint,
                                hlo_matrix *r, hlo_error *error) {
  ptrdiff_t n = a->columns;
  HLO_TRY(hlo_matrix_create(evaluator->scratch, n, n, a->im != NULL, r, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i <= j; i++) {
      hlo_c128 x = hlo_matrix_get(a, i, j);
      if (adjoint) hlo_matrix_set(r, j, i, hlo_conjugate(x));
      else hlo_matrix_set(r, i, j, x);
    }
  }
  return HLO_OK;
}

hlo_status hlo_singular_values(const hlo_evaluator *evaluator, const hlo_matrix *a, bool adjoint,
                               double unit, double *values, const hlo_matrix *u,
                               const hlo_matrix *v, bool *converged, hlo_error *error) {
  bidiagonal_form f;
  hlo_matrix r, taus;
  *converged = true;
  if (a->columns == 0) {
    if (u != NULL) hlo_matrix_set_identity(u);
    return HLO_OK;
  }
  if (!hlo_is_long(a->rows, a->columns, a->im != NULL)) {
    HLO_TRY(reduce_to_bidiagonal(evaluator, a, &f, error));
    if (adjoint) HLO_TRY(solve(&f, true, unit, values, v, u, converged, error));
    else HLO_TRY(solve(&f, false, unit, values, u, v, converged, error));
    if (u != NULL) HLO_TRY(apply_q(&f, u, error));
    return v == NULL ? HLO_OK : apply_p(&f, v, error);
  }
  HLO_TRY(hlo_matrix_create(evaluator->scratch, a->columns, 1, a->im != NULL, &taus, error));
  HLO_TRY(hlo_qr(evaluator, a, hlo_column(&taus, 0, 0), error));
  HLO_TRY(copy_triangle(evaluator, a, adjoint, &r, error));
  HLO_TRY(reduce_to_bidiagonal(evaluator, &r, &f, error));
  if (u == NULL) return solve(&f, false, unit, values, NULL, NULL, converged, error);
  hlo_matrix top = hlo_matrix_part(u, 0, 0, a->columns, a->columns);
  hlo_matrix_set_identity(u);
  if (adjoint) HLO_TRY(solve(&f, false, unit, values, v, &top, converged, error));
  else HLO_TRY(solve(&f, false, unit, values, &top, v, converged, error));
  HLO_TRY(apply_q(&f, adjoint ? v : &top, error));
  HLO_TRY(apply_p(&f, adjoint ? &top : v, error));
  return hlo_qr_apply(evaluator, a, hlo_column(&taus, 0, 0), u, true, false, error);
}
