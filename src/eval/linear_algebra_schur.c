// Schur forms of Hessenberg matrices: shifted QR steps, single ones on complex matrices, Francis's
// double ones on real matrices (Golub, Van Loan, 7.5). See linear_algebra.h.
#include "eval/linear_algebra.h"

enum { STEPS_PER_VALUE = 60, EXCEPTION = 10 };
#define EPSILON 2.220446049250313e-16

static double magnitude(hlo_c128 z) { return __builtin_fabs(z.re) + __builtin_fabs(z.im); }

// Rotates the plane of k and k + 1 on both sides: rows from column `first` on, columns down to row
// `last`, and z's columns.
static void rotate_similar(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t k, double c,
                           hlo_c128 s, ptrdiff_t first, ptrdiff_t last) {
  hlo_vector_rotate(hlo_row(h, k, first), hlo_row(h, k + 1, first), c, s);
  hlo_vector x = hlo_column(h, k, 0), y = hlo_column(h, k + 1, 0);
  x.n = y.n = last + 1;
  s = hlo_conjugate(s);
  hlo_vector_rotate(x, y, c, s);
  if (z != NULL) hlo_vector_rotate(hlo_column(z, k, 0), hlo_column(z, k + 1, 0), c, s);
}

// The first row of the unreduced block that ends at `last`; the negligible element before it is set
// to zero.
static ptrdiff_t block_start(const hlo_matrix *h, ptrdiff_t last, double norm) {
  for (ptrdiff_t k = last; k > 0; k--) {
    double scale = magnitude(hlo_matrix_get(h, k - 1, k - 1)) + magnitude(hlo_matrix_get(h, k, k));
    if (scale == 0) scale = norm;
    if (magnitude(hlo_matrix_get(h, k, k - 1)) <= EPSILON * scale) {
      hlo_matrix_set(h, k, k - 1, hlo_real(0));
      return k;
    }
  }
  return 0;
}

// --- complex ---

// The eigenvalue of the block's last 2 x 2 matrix that is nearer to its last element.
static hlo_c128 wilkinson_shift(const hlo_matrix *h, ptrdiff_t last) {
  hlo_c128 a = hlo_matrix_get(h, last - 1, last - 1), d = hlo_matrix_get(h, last, last);
  hlo_c128 bc = hlo_mul_c128(hlo_matrix_get(h, last - 1, last), hlo_matrix_get(h, last, last - 1));
  hlo_c128 p = hlo_difference(a, d);
  p.re /= 2, p.im /= 2;
  hlo_c128 square = hlo_mul_c128(p, p);
  hlo_c128 root = hlo_sqrt_c128((hlo_c128){square.re + bc.re, square.im + bc.im});
  if (p.re * root.re + p.im * root.im < 0) root = hlo_negative(root);
  hlo_c128 sum = {p.re + root.re, p.im + root.im};
  return magnitude(sum) == 0 ? d : hlo_difference(d, hlo_div_c128(bc, sum));
}

static void complex_step(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t first, ptrdiff_t last,
                         hlo_c128 shift) {
  hlo_c128 x = hlo_difference(hlo_matrix_get(h, first, first), shift);
  hlo_c128 y = hlo_matrix_get(h, first + 1, first);
  for (ptrdiff_t k = first; k < last; k++) {
    double c;
    hlo_c128 s;
    hlo_rotation_make(x, y, &c, &s);
    rotate_similar(h, z, k, c, s, k > first ? k - 1 : k, hlo_smaller(k + 2, last));
    if (k > first) hlo_matrix_set(h, k + 1, k - 1, hlo_real(0));
    if (k + 1 == last) return;
    x = hlo_matrix_get(h, k + 1, k);
    y = hlo_matrix_get(h, k + 2, k);
  }
}

static ptrdiff_t complex_schur(const hlo_matrix *h, const hlo_matrix *z) {
  double norm = hlo_matrix_largest(h);
  int steps = 0;
  for (ptrdiff_t last = h->rows - 1; last > 0;) {
    ptrdiff_t first = block_start(h, last, norm);
    if (first == last) {
      last--;
      steps = 0;
      continue;
    }
    if (++steps > STEPS_PER_VALUE) return last + 1;
    hlo_c128 shift = wilkinson_shift(h, last);
    if (steps % EXCEPTION == 0) // breaks up cycles
      shift = hlo_real(hlo_matrix_get(h, last, last).re +
                       0.75 * magnitude(hlo_matrix_get(h, last, last - 1)));
    complex_step(h, z, first, last, shift);
  }
  return 0;
}

// --- real ---

// The rotation that brings the block of rows k and k + 1 into standard form: triangular for real
// eigenvalues, else with equal elements on the diagonal.
static void standardize(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t k) {
  double a = hlo_matrix_get(h, k, k).re, b = hlo_matrix_get(h, k, k + 1).re;
  double c = hlo_matrix_get(h, k + 1, k).re, d = hlo_matrix_get(h, k + 1, k + 1).re;
  double p = (a - d) / 2, discriminant = p * p + b * c, cosine;
  hlo_c128 sine;
  bool is_real = discriminant >= 0;
  if (is_real) { // the eigenvector of d + p ± the root comes first
    double root = __builtin_sqrt(discriminant);
    hlo_rotation_make(hlo_real(p < 0 ? p - root : p + root), hlo_real(c), &cosine, &sine);
  } else { // tan 2θ = (d - a) / (b + c)
    double sum = b + c, norm = hlo_abs_c128((hlo_c128){sum, a - d});
    if (p == 0 || norm == 0) return;
    cosine = __builtin_sqrt((1 + __builtin_fabs(sum) / norm) / 2);
    double angle = p / (norm * cosine);
    sine = hlo_real(sum < 0 ? angle : -angle);
  }
  rotate_similar(h, z, k, cosine, sine, k, k + 1);
  if (is_real) {
    hlo_matrix_set(h, k + 1, k, hlo_real(0));
    return;
  }
  double mean = (hlo_matrix_get(h, k, k).re + hlo_matrix_get(h, k + 1, k + 1).re) / 2;
  hlo_matrix_set(h, k, k, hlo_real(mean));
  hlo_matrix_set(h, k + 1, k + 1, hlo_real(mean));
}

// H = 1 - tau v vᵀ of three elements (two: the last is 0), on `n` groups of elements.
static void reflect_three(double tau, const double v[3], ptrdiff_t n, double *x, ptrdiff_t between,
                          ptrdiff_t step, bool two) {
  for (ptrdiff_t i = 0; i < n; i++, x += step) {
    double *third = x + (two ? 0 : 2 * between);
    double sum = tau * (x[0] + v[1] * x[between] + v[2] * *third);
    x[0] -= sum;
    x[between] -= sum * v[1];
    *third -= sum * v[2];
  }
}

// One double step on the block from `first` to `last`, whose shifts have that sum and product.
static void double_step(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t first, ptrdiff_t last,
                        double sum, double product) {
  const double *start = h->re + first + first * h->step;
  double h00 = start[0], h10 = start[1], h01 = start[h->step], h11 = start[h->step + 1];
  double h21 = first + 2 <= last ? start[h->step + 2] : 0;
  double x[3] = {h00 * (h00 - sum) + h01 * h10 + product, h10 * (h00 + h11 - sum), h10 * h21};
  for (ptrdiff_t k = first; k < last; k++) {
    bool two = k + 1 == last;
    double *before = k > first ? h->re + k + (k - 1) * h->step : NULL;
    if (before != NULL) {
      for (int i = 0; i < 3; i++) x[i] = two && i == 2 ? 0 : before[i];
    }
    hlo_c128 beta = hlo_real(x[0]);
    double tau = hlo_reflector_make(&beta, (hlo_vector){two ? 1 : 2, 1, x + 1, NULL}).re;
    x[0] = 1;
    if (tau == 0) continue;
    ptrdiff_t column = k > first ? k - 1 : k, rows = hlo_smaller(k + 3, last) + 1;
    reflect_three(tau, x, h->columns - column, h->re + k + column * h->step, 1, h->step, two);
    reflect_three(tau, x, rows, h->re + k * h->step, h->step, 1, two);
    if (z != NULL) reflect_three(tau, x, z->rows, z->re + k * z->step, z->step, 1, two);
    if (before != NULL) before[1] = 0;
    if (before != NULL && !two) before[2] = 0;
  }
}

static ptrdiff_t real_schur(const hlo_matrix *h, const hlo_matrix *z) {
  double norm = hlo_matrix_largest(h);
  int steps = 0;
  for (ptrdiff_t last = h->rows - 1; last > 0;) {
    ptrdiff_t first = block_start(h, last, norm);
    if (first + 1 >= last) {
      if (first + 1 == last) standardize(h, z, first);
      last = first - 1;
      steps = 0;
      continue;
    }
    if (++steps > STEPS_PER_VALUE) return last + 1;
    double a = hlo_matrix_get(h, last - 1, last - 1).re, d = hlo_matrix_get(h, last, last).re;
    double bc = hlo_matrix_get(h, last - 1, last).re * hlo_matrix_get(h, last, last - 1).re;
    double sum = a + d, product = a * d - bc, p = (a - d) / 2, discriminant = p * p + bc;
    if (discriminant >= 0) { // two real shifts: twice the one that is nearer to the last element
      double root = __builtin_sqrt(discriminant), far = p < 0 ? p - root : p + root;
      double shift = far == 0 ? d : d - bc / far;
      sum = 2 * shift;
      product = shift * shift;
    }
    if (steps % EXCEPTION == 0) { // breaks up cycles
      double size = magnitude(hlo_matrix_get(h, last, last - 1)) +
                    magnitude(hlo_matrix_get(h, last - 1, last - 2));
      sum = 2 * d + 1.5 * size;
      product = (d + 0.75 * size) * (d + 0.75 * size) + 0.4375 * size * size;
    }
    double_step(h, z, first, last, sum, product);
  }
  return 0;
}

ptrdiff_t hlo_schur(const hlo_matrix *h, const hlo_matrix *z) {
  return h->im != NULL ? complex_schur(h, z) : real_schur(h, z);
}

void hlo_schur_values(const hlo_matrix *t, hlo_c128 *values) {
  for (ptrdiff_t k = 0; k < t->rows; k++) {
    values[k] = hlo_matrix_get(t, k, k);
    double below = t->im == NULL && k + 1 < t->rows ? hlo_matrix_get(t, k + 1, k).re : 0;
    if (below == 0) continue;
    double above = hlo_matrix_get(t, k, k + 1).re;
    values[k].im = __builtin_sqrt(__builtin_fabs(below)) * __builtin_sqrt(__builtin_fabs(above));
    values[k + 1] = hlo_conjugate(values[k]);
    k++;
  }
}

void hlo_schur_to_complex(const hlo_matrix *t, const hlo_matrix *z) {
  for (ptrdiff_t k = 0; k + 1 < t->rows; k++) {
    hlo_c128 below = hlo_matrix_get(t, k + 1, k);
    if (below.re == 0) continue;
    // The block's elements: those of its real form, which rotations before it have kept.
    hlo_c128 a = hlo_matrix_get(t, k, k), b = hlo_matrix_get(t, k, k + 1);
    hlo_c128 eigenvalue = {a.re, __builtin_sqrt(__builtin_fabs(b.re)) *
                                     __builtin_sqrt(__builtin_fabs(below.re))};
    double c;
    hlo_c128 s;
    hlo_rotation_make(hlo_difference(eigenvalue, hlo_matrix_get(t, k + 1, k + 1)), below, &c, &s);
    rotate_similar(t, z, k, c, s, k, k + 1);
    hlo_matrix_set(t, k + 1, k, hlo_real(0));
    hlo_matrix_set(t, k, k, eigenvalue);
    hlo_matrix_set(t, k + 1, k + 1, hlo_conjugate(eigenvalue));
    k++;
  }
}
