// Householder reflections and what is made of them: QR with and without pivoting, Hessenberg and
// tridiagonal forms (Golub, Van Loan, 5.1, 5.2, 5.4, 7.4, 8.3). See linear_algebra.h.
//
// v lies below a diagonal whose element belongs to the result; functions put its one there for as
// long as they need it.
#include "eval/linear_algebra.h"

hlo_c128 hlo_reflector_make(hlo_c128 *alpha, hlo_vector x) {
  double rest = hlo_vector_norm(x);
  if (rest == 0 && alpha->im == 0) return hlo_real(0);
  double norm = hlo_abs_c128((hlo_c128){hlo_abs_c128(*alpha), rest});
  double beta = alpha->re < 0 || (alpha->re == 0 && __builtin_signbit(alpha->re)) ? norm : -norm;
  hlo_c128 tau = {(beta - alpha->re) / beta, -alpha->im / beta};
  hlo_c128 divisor = {alpha->re - beta, alpha->im};
  hlo_vector_scale(x, hlo_div_c128(hlo_real(1), divisor));
  *alpha = hlo_real(beta);
  return tau;
}

void hlo_reflect_left(hlo_vector v, hlo_c128 tau, const hlo_matrix *c) {
  if (tau.re == 0 && tau.im == 0) return;
  for (ptrdiff_t j = 0; j < c->columns; j++) {
    hlo_vector column = hlo_column(c, j, 0);
    hlo_c128 product = hlo_mul_c128(tau, hlo_vector_dot(v, column));
    hlo_vector_add(column, hlo_negative(product), v);
  }
}

// work = m v
static void multiply(const hlo_matrix *m, hlo_vector v, hlo_vector work) {
  hlo_vector_scale(work, hlo_real(0));
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    hlo_c128 factor = {v.re[j * v.step], v.im == NULL ? 0 : v.im[j * v.step]};
    hlo_vector_add(work, factor, hlo_column(m, j, 0));
  }
}

static hlo_vector first_elements(hlo_vector x, ptrdiff_t n) {
  x.n = n;
  return x;
}

void hlo_reflect_right(hlo_vector v, hlo_c128 tau, const hlo_matrix *c, hlo_vector work) {
  if (tau.re == 0 && tau.im == 0) return;
  work = first_elements(work, c->rows);
  multiply(c, v, work);
  for (ptrdiff_t j = 0; j < c->columns; j++) {
    hlo_c128 factor = {v.re[j * v.step], v.im == NULL ? 0 : -v.im[j * v.step]};
    hlo_vector_add(hlo_column(c, j, 0), hlo_negative(hlo_mul_c128(tau, factor)), work);
  }
}

static hlo_c128 get_tau(hlo_vector taus, ptrdiff_t k) {
  return (hlo_c128){taus.re[k * taus.step], taus.im == NULL ? 0 : taus.im[k * taus.step]};
}
static void set_tau(hlo_vector taus, ptrdiff_t k, hlo_c128 tau) {
  taus.re[k * taus.step] = tau.re;
  if (taus.im != NULL) taus.im[k * taus.step] = tau.im;
}

// --- QR ---

// Step k of QR: makes the reflector and applies it to the columns behind.
static void qr_step(const hlo_matrix *a, ptrdiff_t k, hlo_vector taus) {
  hlo_c128 beta = hlo_matrix_get(a, k, k);
  hlo_c128 tau = hlo_reflector_make(&beta, hlo_column(a, k, k + 1));
  set_tau(taus, k, tau);
  hlo_matrix_set(a, k, k, hlo_real(1));
  hlo_matrix behind = hlo_matrix_part(a, k, k + 1, a->rows - k, a->columns - k - 1);
  hlo_reflect_left(hlo_column(a, k, k), hlo_conjugate(tau), &behind);
  hlo_matrix_set(a, k, k, beta);
}

void hlo_qr(const hlo_matrix *a, hlo_vector taus) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  for (ptrdiff_t k = 0; k < steps; k++) qr_step(a, k, taus);
}

// norms[j] is what remains of column j's norm; once it has lost half of its digits against the norm
// it started from, kept behind it, it is computed anew (5.4.1).
static void update_norms(const hlo_matrix *a, ptrdiff_t k, double *norms) {
  double *started = norms + a->columns;
  for (ptrdiff_t j = k + 1; j < a->columns; j++) {
    if (norms[j] == 0) continue;
    double ratio = hlo_abs_c128(hlo_matrix_get(a, k, j)) / norms[j];
    double left = 1 - ratio * ratio, loss = norms[j] / started[j];
    if (left > 0 && left * loss * loss > 1e-8) {
      norms[j] *= __builtin_sqrt(left);
    } else {
      norms[j] = hlo_vector_norm(hlo_column(a, j, k + 1));
      started[j] = norms[j];
    }
  }
}

void hlo_qr_pivoted(const hlo_matrix *a, hlo_vector taus, int32_t *order, ptrdiff_t fixed,
                    double *norms) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  fixed = hlo_smaller(fixed, steps);
  for (ptrdiff_t k = 0; k < fixed; k++) qr_step(a, k, taus);
  for (ptrdiff_t j = fixed; j < a->columns; j++) {
    norms[j] = hlo_vector_norm(hlo_column(a, j, fixed));
    norms[j + a->columns] = norms[j];
  }
  for (ptrdiff_t k = fixed; k < steps; k++) {
    ptrdiff_t best = k;
    for (ptrdiff_t j = k + 1; j < a->columns; j++) {
      if (norms[j] > norms[best]) best = j;
    }
    if (best != k) {
      int32_t kept = order[best];
      order[best] = order[k];
      order[k] = kept;
      norms[best] = norms[k];
      norms[best + a->columns] = norms[k + a->columns];
      hlo_vector_swap(hlo_column(a, k, 0), hlo_column(a, best, 0));
    }
    qr_step(a, k, taus);
    update_norms(a, k, norms);
  }
}

void hlo_qr_form(const hlo_matrix *a, hlo_vector taus) {
  for (ptrdiff_t j = taus.n; j < a->columns; j++) {
    hlo_vector column = hlo_column(a, j, 0);
    for (ptrdiff_t i = 0; i < column.n; i++) hlo_matrix_set(a, i, j, hlo_real(i == j));
  }
  for (ptrdiff_t k = taus.n - 1; k >= 0; k--) {
    hlo_c128 tau = get_tau(taus, k);
    hlo_matrix_set(a, k, k, hlo_real(1));
    hlo_matrix behind = hlo_matrix_part(a, k, k + 1, a->rows - k, a->columns - k - 1);
    hlo_vector v = hlo_column(a, k, k);
    hlo_reflect_left(v, tau, &behind);
    hlo_vector_scale(v, hlo_negative(tau)); // column k becomes H times a unit vector
    hlo_matrix_set(a, k, k, hlo_difference(hlo_real(1), tau));
    for (ptrdiff_t i = 0; i < k; i++) hlo_matrix_set(a, i, k, hlo_real(0));
  }
}

void hlo_qr_apply(const hlo_matrix *reflectors, hlo_vector taus, const hlo_matrix *c, bool left,
                  bool adjoint, hlo_vector work) {
  for (ptrdiff_t step = 0; step < taus.n; step++) {
    ptrdiff_t k = left == adjoint ? step : taus.n - 1 - step;
    hlo_c128 tau = get_tau(taus, k), diagonal = hlo_matrix_get(reflectors, k, k);
    if (adjoint) tau = hlo_conjugate(tau);
    hlo_matrix_set(reflectors, k, k, hlo_real(1));
    hlo_vector v = hlo_column(reflectors, k, k);
    hlo_matrix part = left ? hlo_matrix_part(c, k, 0, c->rows - k, c->columns)
                           : hlo_matrix_part(c, 0, k, c->rows, c->columns - k);
    if (left) hlo_reflect_left(v, tau, &part);
    else hlo_reflect_right(v, tau, &part, work);
    hlo_matrix_set(reflectors, k, k, diagonal);
  }
}

// --- similarity transformations ---

void hlo_hessenberg(const hlo_matrix *a, ptrdiff_t low, ptrdiff_t high, hlo_vector taus,
                    hlo_vector work) {
  hlo_vector_scale(taus, hlo_real(0));
  for (ptrdiff_t k = low; k + 1 < high; k++) { // the last one makes a real element
    hlo_matrix active = hlo_matrix_part(a, 0, 0, high, a->columns);
    hlo_c128 beta = hlo_matrix_get(a, k + 1, k);
    hlo_c128 tau = hlo_reflector_make(&beta, hlo_column(&active, k, k + 2));
    set_tau(taus, k, tau);
    hlo_matrix_set(a, k + 1, k, hlo_real(1));
    hlo_vector v = hlo_column(&active, k, k + 1);
    hlo_matrix right = hlo_matrix_part(a, 0, k + 1, high, v.n);
    hlo_reflect_right(v, tau, &right, work);
    hlo_matrix left = hlo_matrix_part(a, k + 1, k + 1, v.n, a->columns - k - 1);
    hlo_reflect_left(v, hlo_conjugate(tau), &left);
    hlo_matrix_set(a, k + 1, k, beta);
  }
}

// m = Hᴴ m H for Hermitian m, by a correction of rank two: m - v wᴴ - w vᴴ.
static void reflect_both(hlo_vector v, hlo_c128 tau, const hlo_matrix *m, hlo_vector w) {
  w = first_elements(w, m->rows);
  multiply(m, v, w);
  hlo_vector_scale(w, tau);
  hlo_c128 half = hlo_mul_c128(hlo_conjugate(tau), hlo_vector_dot(v, w));
  hlo_vector_add(w, hlo_real(-0.5 * half.re), v);
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    hlo_c128 v_j = {v.re[j], v.im == NULL ? 0 : -v.im[j]};
    hlo_c128 w_j = {w.re[j], w.im == NULL ? 0 : -w.im[j]};
    hlo_vector_add(hlo_column(m, j, 0), hlo_negative(w_j), v);
    hlo_vector_add(hlo_column(m, j, 0), hlo_negative(v_j), w);
  }
}

void hlo_tridiagonal(const hlo_matrix *a, double *diagonal, double *below, hlo_vector taus,
                     hlo_vector work) {
  ptrdiff_t n = a->rows;
  for (ptrdiff_t k = 0; k + 1 < n; k++) {
    hlo_c128 beta = hlo_matrix_get(a, k + 1, k);
    hlo_c128 tau = hlo_reflector_make(&beta, hlo_column(a, k, k + 2));
    set_tau(taus, k, tau);
    below[k] = beta.re;
    hlo_matrix_set(a, k + 1, k, hlo_real(1));
    hlo_matrix rest = hlo_matrix_part(a, k + 1, k + 1, n - k - 1, n - k - 1);
    if (tau.re != 0 || tau.im != 0) reflect_both(hlo_column(a, k, k + 1), tau, &rest, work);
    hlo_matrix_set(a, k + 1, k, beta);
  }
  for (ptrdiff_t k = 0; k < n; k++) diagonal[k] = hlo_matrix_get(a, k, k).re;
}

void hlo_hessenberg_form(const hlo_matrix *a, hlo_vector taus) {
  ptrdiff_t n = a->rows;
  for (ptrdiff_t j = n - 1; j > 0; j--) {
    for (ptrdiff_t i = 0; i < n; i++) {
      hlo_matrix_set(a, i, j, i > j ? hlo_matrix_get(a, i, j - 1) : hlo_real(0));
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) hlo_matrix_set(a, i, 0, hlo_real(i == 0));
  if (n < 2) return;
  hlo_matrix rest = hlo_matrix_part(a, 1, 1, n - 1, n - 1);
  hlo_qr_form(&rest, taus);
}
