// Eigenvectors of triangular matrices by substitution (Golub, Van Loan, 7.6.4). See
// linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"

static double magnitude(hlo_c128 z) { return __builtin_fabs(z.re) + __builtin_fabs(z.im); }

// y / (diagonal - eigenvalue), the difference bounded below by `least`: for a multiple eigenvalue
// any solution is a valid vector.
static hlo_c128 divide(hlo_c128 y, hlo_c128 diagonal, hlo_c128 eigenvalue, double least) {
  hlo_c128 pivot = hlo_difference(diagonal, eigenvalue);
  return hlo_div_c128(y, magnitude(pivot) < least ? hlo_real(least) : pivot);
}

// Rescales the vector before a substitution step would overflow.
static void limit(hlo_vector y, hlo_c128 element) {
  double size = magnitude(element);
  if (size > 1e100) hlo_vector_scale(y, hlo_real(1 / size));
}

static hlo_c128 get(hlo_vector x, ptrdiff_t i) { return (hlo_c128){x.re[i], x.im[i]}; }
static void set(hlo_vector x, ptrdiff_t i, hlo_c128 value) {
  x.re[i] = value.re;
  x.im[i] = value.im;
}

// y with (T - T[k][k]) y = 0, y[k] = 1, upwards from k.
static void solve_right(const hlo_matrix *t, ptrdiff_t k, double least, hlo_vector y) {
  hlo_vector_scale(y, hlo_real(0));
  for (ptrdiff_t i = 0; i < k; i++) set(y, i, hlo_negative(hlo_matrix_get(t, i, k)));
  set(y, k, hlo_real(1));
  for (ptrdiff_t j = k - 1; j >= 0; j--) {
    hlo_c128 element = divide(get(y, j), hlo_matrix_get(t, j, j), hlo_matrix_get(t, k, k), least);
    set(y, j, element);
    hlo_vector above = hlo_column(t, j, 0);
    above.n = j;
    hlo_vector_add(y, hlo_negative(element), above);
    limit(y, element);
  }
}

// y with yᴴ (T - T[k][k]) = 0, y[k] = 1, downwards from k.
static void solve_left(const hlo_matrix *t, ptrdiff_t k, double least, hlo_vector y) {
  hlo_vector_scale(y, hlo_real(0));
  set(y, k, hlo_real(1));
  for (ptrdiff_t j = k + 1; j < t->rows; j++) {
    hlo_vector above = hlo_column(t, j, k), known = {j - k, 1, y.re + k, y.im + k};
    above.n = j - k;
    hlo_c128 sum = hlo_negative(hlo_vector_dot(above, known));
    hlo_c128 element = divide(sum, hlo_conjugate(hlo_matrix_get(t, j, j)),
                              hlo_conjugate(hlo_matrix_get(t, k, k)), least);
    set(y, j, element);
    limit(y, element);
  }
}

static hlo_status complex_vectors(const hlo_evaluator *evaluator, const hlo_matrix *t,
                                  const hlo_matrix *z, bool left, const hlo_matrix *out,
                                  hlo_error *error) {
  double least = 2.2e-16 * hlo_matrix_largest(t);
  hlo_matrix solutions;
  if (!(least > 1e-290)) least = 1e-290;
  HLO_TRY(hlo_matrix_create(evaluator->scratch, t->rows, t->columns, true, &solutions, error));
  for (ptrdiff_t k = 0; k < t->columns; k++) {
    if (left) solve_left(t, k, least, hlo_column(&solutions, k, 0));
    else solve_right(t, k, least, hlo_column(&solutions, k, 0));
  }
  return hlo_matrix_multiply(evaluator, out, z, false, &solutions, false, error);
}

static bool is_pair(const hlo_matrix *t, ptrdiff_t k) {
  return t->im == NULL && k + 1 < t->columns && hlo_matrix_get(t, k + 1, k).re != 0;
}

// Normalises the phase of a conjugate pair's first vector: its component along the first column of
// the block is real, as LAPACK's substitution starts.
static void set_phase(const hlo_matrix *t, const hlo_matrix *z, ptrdiff_t k, bool left,
                      hlo_vector x) {
  double above = hlo_matrix_get(t, k, k + 1).re, below = hlo_matrix_get(t, k + 1, k).re;
  hlo_vector basis = hlo_column(z, k, 0), re = x, im = x;
  re.im = im.im = NULL;
  im.re = x.im;
  hlo_c128 part = {hlo_vector_dot(basis, re).re, hlo_vector_dot(basis, im).re};
  bool greater = __builtin_fabs(above) >= __builtin_fabs(below);
  double size = hlo_length(part) * (above < 0 && greater == left ? -1 : 1);
  if (size != 0) hlo_vector_scale(x, (hlo_c128){part.re / size, -part.im / size});
}

hlo_status hlo_eigenvectors(const hlo_evaluator *evaluator, const hlo_matrix *t,
                            const hlo_matrix *z, bool left, const hlo_matrix *out,
                            hlo_error *error) {
  if (t->im != NULL) return complex_vectors(evaluator, t, z, left, out, error);
  hlo_matrix triangular, basis;
  HLO_TRY(hlo_matrix_create(evaluator->scratch, t->rows, t->rows, true, &triangular, error));
  HLO_TRY(hlo_matrix_create(evaluator->scratch, t->rows, t->rows, true, &basis, error));
  hlo_matrix_copy(&triangular, t);
  hlo_matrix_copy(&basis, z);
  hlo_schur_to_complex(&triangular, &basis);
  HLO_TRY(complex_vectors(evaluator, &triangular, &basis, left, out, error));
  for (ptrdiff_t k = 0; k < t->columns; k++) {
    if (is_pair(t, k)) set_phase(t, z, k, left, hlo_column(out, k, 0));
  }
  return HLO_OK;
}

void hlo_eigenvectors_normalize(const hlo_matrix *t, const hlo_matrix *vectors) {
  for (ptrdiff_t k = 0; k < vectors->columns; k++) {
    hlo_vector x = hlo_column(vectors, k, 0);
    bool pair = is_pair(t, k);
    ptrdiff_t best = 0;
    double largest = -1;
    if (t->im == NULL && !pair) hlo_vector_scale((hlo_vector){x.n, 1, x.im, NULL}, hlo_real(0));
    double norm = hlo_vector_norm(x);
    if (!(norm > 0)) continue;
    hlo_vector_scale(x, hlo_real(1 / norm));
    if (t->im == NULL && !pair) continue;
    for (ptrdiff_t i = 0; i < x.n; i++) {
      double size = x.re[i] * x.re[i] + x.im[i] * x.im[i];
      if (size <= largest) continue;
      largest = size;
      best = i;
    }
    hlo_c128 phase = get(x, best);
    double size = hlo_length(phase) * (pair && phase.re < 0 ? -1 : 1);
    hlo_vector_scale(x, (hlo_c128){phase.re / size, -phase.im / size});
    x.im[best] = 0;
    if (!pair) continue;
    hlo_matrix second = hlo_matrix_part(vectors, 0, ++k, x.n, 1);
    for (ptrdiff_t i = 0; i < x.n; i++) hlo_matrix_set(&second, i, 0, hlo_conjugate(get(x, i)));
  }
}
