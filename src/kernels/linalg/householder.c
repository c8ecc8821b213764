// Householder reflections and the factorisations based on them: QR with and without pivoting,
// Hessenberg and tridiagonal forms (Golub, Van Loan, 5.1, 5.2, 5.4, 7.4, 8.3). See
// linear_algebra.h.
//
// v is stored below a diagonal whose element belongs to the result; functions store v's leading 1
// there while they need it.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"

#define TINY 0x1p-960 // the reciprocal of less might be infinite

hlo_c128 hlo_reflector_compute(hlo_c128 *alpha, hlo_vector x) {
  double rest = hlo_vector_norm(x);
  if (rest == 0 && alpha->im == 0) return hlo_real(0);
  double norm = hlo_length((hlo_c128){hlo_length(*alpha), rest});
  if (norm < TINY) {
    hlo_vector_scale(x, hlo_real(0x1p600));
    *alpha = (hlo_c128){alpha->re * 0x1p600, alpha->im * 0x1p600};
    hlo_c128 tau = hlo_reflector_compute(alpha, x);
    alpha->re *= 0x1p-600;
    return tau;
  }
  double beta = alpha->re < 0 || (alpha->re == 0 && __builtin_signbit(alpha->re)) ? norm : -norm;
  hlo_c128 tau = {(beta - alpha->re) / beta, -alpha->im / beta};
  hlo_c128 divisor = {alpha->re - beta, alpha->im};
  hlo_vector_scale(x, hlo_div_c128(hlo_real(1), divisor));
  *alpha = hlo_real(beta);
  return tau;
}

// c = H c, with the leading 1 of v stored.
static void reflect_left(hlo_vector v, hlo_c128 tau, const hlo_matrix *c) {
  if (tau.re == 0 && tau.im == 0) return;
  for (ptrdiff_t j = 0; j < c->columns; j++) {
    hlo_vector column = hlo_column(c, j, 0);
    hlo_c128 product = hlo_product(tau, hlo_vector_dot(v, column));
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

// c = c H; work: c.rows elements.
static void reflect_right(hlo_vector v, hlo_c128 tau, const hlo_matrix *c, hlo_vector work) {
  if (tau.re == 0 && tau.im == 0) return;
  work = first_elements(work, c->rows);
  multiply(c, v, work);
  for (ptrdiff_t j = 0; j < c->columns; j++) {
    hlo_c128 factor = {v.re[j * v.step], v.im == NULL ? 0 : -v.im[j * v.step]};
    hlo_vector_add(hlo_column(c, j, 0), hlo_negative(hlo_product(tau, factor)), work);
  }
}

static hlo_c128 get_tau(hlo_vector taus, ptrdiff_t k) {
  return (hlo_c128){taus.re[k * taus.step], taus.im == NULL ? 0 : taus.im[k * taus.step]};
}
static void set_tau(hlo_vector taus, ptrdiff_t k, hlo_c128 tau) {
  taus.re[k * taus.step] = tau.re;
  if (taus.im != NULL) taus.im[k * taus.step] = tau.im;
}

// --- many reflections at once ---

static hlo_vector part_of(hlo_vector x, ptrdiff_t first, ptrdiff_t n) {
  hlo_vector part = {n, x.step, x.re + first * x.step, x.im};
  if (x.im != NULL) part.im += first * x.step;
  return part;
}

// H(0) H(1) … H(n - 1) = 1 - V T Vᴴ (R. Schreiber, C. Van Loan, A Storage-Efficient WY
// Representation for Products of Householder Transformations, 1989), T triangular.
static hlo_status form_block_reflector(const hlo_evaluator *evaluator, const hlo_matrix *reflectors,
                                       hlo_vector taus, hlo_matrix *v, hlo_matrix *t,
                                       hlo_error *error) {
  ptrdiff_t n = taus.n;
  bool is_complex = reflectors->im != NULL;
  hlo_matrix from = hlo_matrix_part(reflectors, 0, 0, reflectors->rows, n), products;
  HLO_TRY(hlo_matrix_create(evaluator->scratch, from.rows, n, is_complex, v, error));
  HLO_TRY(hlo_matrix_create(evaluator->scratch, n, n, is_complex, t, error));
  HLO_TRY(hlo_matrix_create(evaluator->scratch, n, n, is_complex, &products, error));
  hlo_matrix_copy(v, &from);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i <= j; i++) hlo_matrix_set(v, i, j, hlo_real(i == j));
  }
  HLO_TRY(hlo_matrix_multiply(evaluator, &products, v, true, v, false, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    hlo_c128 tau = get_tau(taus, j);
    hlo_vector column = hlo_column(t, j, 0);
    for (ptrdiff_t k = 0; k < j; k++) {
      hlo_vector before = hlo_column(t, k, 0);
      before.n = k + 1;
      hlo_c128 factor = hlo_product(tau, hlo_matrix_get(&products, k, j));
      hlo_vector_add(column, hlo_negative(factor), before);
    }
    hlo_matrix_set(t, j, j, tau);
  }
  return HLO_OK;
}

// Applies the reflections one by one.
static void apply_few(const hlo_matrix *reflectors, hlo_vector taus, const hlo_matrix *c,
                      bool adjoint) {
  for (ptrdiff_t i = 0; i < taus.n; i++) {
    ptrdiff_t k = adjoint ? i : taus.n - 1 - i;
    hlo_c128 kept = hlo_matrix_get(reflectors, k, k), tau = get_tau(taus, k);
    hlo_matrix rows = hlo_matrix_part(c, k, 0, c->rows - k, c->columns);
    hlo_matrix_set(reflectors, k, k, hlo_real(1));
    reflect_left(hlo_column(reflectors, k, k), adjoint ? hlo_conjugate(tau) : tau, &rows);
    hlo_matrix_set(reflectors, k, k, kept);
  }
}

// As hlo_qr_apply, for some reflectors: c - V T Vᴴ c, or c - c V T Vᴴ.
static hlo_status apply_block(const hlo_evaluator *evaluator, const hlo_matrix *reflectors,
                              hlo_vector taus, const hlo_matrix *c, bool left, bool adjoint,
                              hlo_error *error) {
  hlo_arena *scratch = evaluator->scratch;
  hlo_arena_mark mark = hlo_arena_get_mark(scratch);
  hlo_matrix v, t, x, y;
  ptrdiff_t n = taus.n, across = left ? c->columns : c->rows;
  bool is_complex = c->im != NULL;
  if (n == 0 || across == 0) return HLO_OK;
  if (left && (double)n * (double)across * (double)c->rows <= HLO_REFLECTOR_FEW) {
    apply_few(reflectors, taus, c, adjoint);
    return HLO_OK;
  }
  HLO_TRY(form_block_reflector(evaluator, reflectors, taus, &v, &t, error));
  HLO_TRY(hlo_matrix_create(scratch, left ? n : across, left ? across : n, is_complex, &x, error));
  HLO_TRY(hlo_matrix_create(scratch, x.rows, x.columns, is_complex, &y, error));
  if (left) {
    HLO_TRY(hlo_matrix_add_product(evaluator, &x, 1, &v, true, c, false, error));
    HLO_TRY(hlo_matrix_add_product(evaluator, &y, 1, &t, adjoint, &x, false, error));
    HLO_TRY(hlo_matrix_add_product(evaluator, c, -1, &v, false, &y, false, error));
  } else {
    HLO_TRY(hlo_matrix_add_product(evaluator, &x, 1, c, false, &v, false, error));
    HLO_TRY(hlo_matrix_add_product(evaluator, &y, 1, &x, false, &t, adjoint, error));
    HLO_TRY(hlo_matrix_add_product(evaluator, c, -1, &y, false, &v, true, error));
  }
  hlo_arena_rewind(scratch, mark);
  return HLO_OK;
}

// --- QR ---

// Step k of QR: computes the reflector and applies it to the trailing columns.
static void qr_step(const hlo_matrix *a, ptrdiff_t k, hlo_vector taus) {
  hlo_c128 beta = hlo_matrix_get(a, k, k);
  hlo_c128 tau = hlo_reflector_compute(&beta, hlo_column(a, k, k + 1));
  set_tau(taus, k, tau);
  hlo_matrix_set(a, k, k, hlo_real(1));
  hlo_matrix behind = hlo_matrix_part(a, k, k + 1, a->rows - k, a->columns - k - 1);
  reflect_left(hlo_column(a, k, k), hlo_conjugate(tau), &behind);
  hlo_matrix_set(a, k, k, beta);
}

hlo_status hlo_qr(const hlo_evaluator *evaluator, const hlo_matrix *a, hlo_vector taus,
                  hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  for (ptrdiff_t k = 0; k < steps; k += HLO_REFLECTOR_BLOCK) {
    ptrdiff_t count = hlo_smaller(HLO_REFLECTOR_BLOCK, steps - k);
    hlo_matrix panel = hlo_matrix_part(a, k, k, a->rows - k, count);
    hlo_matrix behind = hlo_matrix_part(a, k, k + count, a->rows - k, a->columns - k - count);
    for (ptrdiff_t i = 0; i < count; i++) qr_step(&panel, i, part_of(taus, k, count));
    HLO_TRY(apply_block(evaluator, &panel, part_of(taus, k, count), &behind, true, true, error));
  }
  return HLO_OK;
}

// Downdates the column norms (5.4.1): norms[j] is the norm of the trailing part of column j,
// recomputed once cancellation has cost half of its digits relative to the reference norm, which is
// stored after the norms.
static void update_norms(const hlo_matrix *a, ptrdiff_t k, double *norms) {
  double *started = norms + a->columns;
  for (ptrdiff_t j = k + 1; j < a->columns; j++) {
    if (norms[j] == 0) continue;
    double ratio = hlo_length(hlo_matrix_get(a, k, j)) / norms[j];
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

// The first columns of the product of all reflectors, one after the other.
static void form_panel(const hlo_matrix *a, hlo_vector taus) {
  for (ptrdiff_t k = taus.n - 1; k >= 0; k--) {
    hlo_c128 tau = get_tau(taus, k);
    hlo_matrix_set(a, k, k, hlo_real(1));
    hlo_matrix behind = hlo_matrix_part(a, k, k + 1, a->rows - k, a->columns - k - 1);
    hlo_vector v = hlo_column(a, k, k);
    reflect_left(v, tau, &behind);
    hlo_vector_scale(v, hlo_negative(tau)); // column k becomes H times a unit vector
    hlo_matrix_set(a, k, k, hlo_difference(hlo_real(1), tau));
    for (ptrdiff_t i = 0; i < k; i++) hlo_matrix_set(a, i, k, hlo_real(0));
  }
}

hlo_status hlo_qr_form(const hlo_evaluator *evaluator, const hlo_matrix *a, hlo_vector taus,
                       hlo_error *error) {
  ptrdiff_t n = taus.n;
  for (ptrdiff_t j = n; j < a->columns; j++) {
    for (ptrdiff_t i = 0; i < a->rows; i++) hlo_matrix_set(a, i, j, hlo_real(i == j));
  }
  for (ptrdiff_t end = n, k; end > 0; end = k) {
    k = (end - 1) / HLO_REFLECTOR_BLOCK * HLO_REFLECTOR_BLOCK;
    hlo_vector some = part_of(taus, k, end - k);
    hlo_matrix panel = hlo_matrix_part(a, k, k, a->rows - k, end - k);
    hlo_matrix above = hlo_matrix_part(a, 0, k, k, end - k);
    hlo_matrix behind = hlo_matrix_part(a, k, end, a->rows - k, a->columns - end);
    HLO_TRY(apply_block(evaluator, &panel, some, &behind, true, false, error));
    form_panel(&panel, some);
    hlo_matrix_scale(&above, 0);
  }
  return HLO_OK;
}

hlo_status hlo_qr_apply(const hlo_evaluator *evaluator, const hlo_matrix *reflectors,
                        hlo_vector taus, const hlo_matrix *c, bool left, bool adjoint,
                        hlo_error *error) {
  ptrdiff_t blocks = (taus.n + HLO_REFLECTOR_BLOCK - 1) / HLO_REFLECTOR_BLOCK;
  for (ptrdiff_t step = 0; step < blocks; step++) {
    ptrdiff_t k = (left == adjoint ? step : blocks - 1 - step) * HLO_REFLECTOR_BLOCK;
    ptrdiff_t count = hlo_smaller(HLO_REFLECTOR_BLOCK, taus.n - k);
    hlo_matrix some = hlo_matrix_part(reflectors, k, k, reflectors->rows - k, count);
    hlo_matrix part = left ? hlo_matrix_part(c, k, 0, c->rows - k, c->columns)
                           : hlo_matrix_part(c, 0, k, c->rows, c->columns - k);
    HLO_TRY(apply_block(evaluator, &some, part_of(taus, k, count), &part, left, adjoint, error));
  }
  return HLO_OK;
}

// --- similarity transformations ---

void hlo_hessenberg(const hlo_matrix *a, ptrdiff_t low, ptrdiff_t high, hlo_vector taus,
                    hlo_vector work) {
  hlo_vector_scale(taus, hlo_real(0));
  for (ptrdiff_t k = low; k + 1 < high; k++) { // the last one makes a real element
    hlo_matrix active = hlo_matrix_part(a, 0, 0, high, a->columns);
    hlo_c128 beta = hlo_matrix_get(a, k + 1, k);
    hlo_c128 tau = hlo_reflector_compute(&beta, hlo_column(&active, k, k + 2));
    set_tau(taus, k, tau);
    hlo_matrix_set(a, k + 1, k, hlo_real(1));
    hlo_vector v = hlo_column(&active, k, k + 1);
    hlo_matrix right = hlo_matrix_part(a, 0, k + 1, high, v.n);
    reflect_right(v, tau, &right, work);
    hlo_matrix left = hlo_matrix_part(a, k + 1, k + 1, v.n, a->columns - k - 1);
    reflect_left(v, hlo_conjugate(tau), &left);
    hlo_matrix_set(a, k + 1, k, beta);
  }
}

// One column of a panel of the tridiagonal form. After `before` reflectors the matrix is a - left
// rightᴴ, left = [v…, w…], right = [w…, v…]. Appends this column's v and w to both, with a - v wᴴ -
// w vᴴ = Hᴴ a H.
static hlo_status tridiagonal_step(const hlo_evaluator *evaluator, const hlo_matrix *a, ptrdiff_t k,
                                   ptrdiff_t before, hlo_vector taus, double *below,
                                   const hlo_matrix *left, const hlo_matrix *right,
                                   hlo_error *error) {
  for (ptrdiff_t i = 0; i < 2 * before; i++) {
    ptrdiff_t j = i < before ? i : HLO_REFLECTOR_BLOCK + i - before;
    hlo_c128 factor = hlo_conjugate(hlo_matrix_get(right, k, j));
    hlo_vector_add(hlo_column(a, k, k), hlo_negative(factor), hlo_column(left, j, k));
  }
  if (k + 1 == a->rows) return HLO_OK;
  hlo_c128 beta = hlo_matrix_get(a, k + 1, k);
  hlo_c128 tau = hlo_reflector_compute(&beta, hlo_column(a, k, k + 2));
  set_tau(taus, k, tau);
  below[k] = beta.re;
  ptrdiff_t n = a->rows - k - 1;
  hlo_matrix_set(a, k + 1, k, hlo_real(1));
  hlo_matrix v = hlo_matrix_part(a, k + 1, k, n, 1);
  hlo_matrix rest = hlo_matrix_part(a, k + 1, k + 1, n, n);
  hlo_matrix w = hlo_matrix_part(left, k + 1, HLO_REFLECTOR_BLOCK + before, n, 1);
  HLO_TRY(hlo_matrix_multiply(evaluator, &w, &rest, false, &v, false, error));
  hlo_vector v_column = hlo_column(&v, 0, 0), w_column = hlo_column(&w, 0, 0);
  for (ptrdiff_t i = 0; i < 2 * before; i++) {
    ptrdiff_t j = i < before ? i : HLO_REFLECTOR_BLOCK + i - before;
    hlo_c128 factor = hlo_vector_dot(hlo_column(right, j, k + 1), v_column);
    hlo_vector_add(w_column, hlo_negative(factor), hlo_column(left, j, k + 1));
  }
  hlo_vector_scale(w_column, tau);
  hlo_c128 half = hlo_product(hlo_conjugate(tau), hlo_vector_dot(v_column, w_column));
  hlo_vector_add(w_column, hlo_real(-0.5 * half.re), v_column);
  hlo_matrix to = hlo_matrix_part(left, k + 1, before, n, 1);
  hlo_matrix_copy(&to, &v);
  to = hlo_matrix_part(right, k + 1, HLO_REFLECTOR_BLOCK + before, n, 1);
  hlo_matrix_copy(&to, &v);
  to = hlo_matrix_part(right, k + 1, before, n, 1);
  hlo_matrix_copy(&to, &w);
  hlo_matrix_set(a, k + 1, k, beta);
  return HLO_OK;
}

// By panels, each followed by one product that updates the trailing matrix (J. Dongarra, S.
// Hammarling, D. Sorensen, Block Reduction of Matrices to Condensed Forms, 1989).
hlo_status hlo_tridiagonal(const hlo_evaluator *evaluator, const hlo_matrix *a, double *diagonal,
                           double *below, hlo_vector taus, hlo_error *error) {
  ptrdiff_t n = a->rows;
  hlo_matrix left, right;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(hlo_matrix_create(evaluator->scratch, n, 2 * HLO_REFLECTOR_BLOCK, a->im != NULL, &left,
                            error));
  HLO_TRY(hlo_matrix_create(evaluator->scratch, n, 2 * HLO_REFLECTOR_BLOCK, a->im != NULL, &right,
                            error));
  for (ptrdiff_t first = 0; first < n; first += HLO_REFLECTOR_BLOCK) {
    ptrdiff_t end = hlo_smaller(first + HLO_REFLECTOR_BLOCK, n);
    for (ptrdiff_t k = first; k < end; k++) {
      HLO_TRY(tridiagonal_step(evaluator, a, k, k - first, taus, below, &left, &right, error));
    }
    hlo_matrix rest = hlo_matrix_part(a, end, end, n - end, n - end);
    hlo_matrix x = hlo_matrix_part(&left, end, 0, n - end, 2 * HLO_REFLECTOR_BLOCK);
    hlo_matrix y = hlo_matrix_part(&right, end, 0, n - end, 2 * HLO_REFLECTOR_BLOCK);
    HLO_TRY(hlo_matrix_add_product(evaluator, &rest, -1, &x, false, &y, true, error));
  }
  for (ptrdiff_t k = 0; k < n; k++) diagonal[k] = hlo_matrix_get(a, k, k).re;
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

hlo_status hlo_hessenberg_form(const hlo_evaluator *evaluator, const hlo_matrix *a, hlo_vector taus,
                               hlo_error *error) {
  ptrdiff_t n = a->rows;
  for (ptrdiff_t j = n - 1; j > 0; j--) {
    for (ptrdiff_t i = 0; i < n; i++) {
      hlo_matrix_set(a, i, j, i > j ? hlo_matrix_get(a, i, j - 1) : hlo_real(0));
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) hlo_matrix_set(a, i, 0, hlo_real(i == 0));
  if (n < 2) return HLO_OK;
  hlo_matrix rest = hlo_matrix_part(a, 1, 1, n - 1, n - 1);
  return hlo_qr_form(evaluator, &rest, taus, error);
}
