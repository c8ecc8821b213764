// Schur forms by way of Hessenberg matrices: shifted QR steps, single ones on complex matrices,
// Francis's double ones on real matrices (Golub, Van Loan, 7.5; R. Martin, G. Peters, J. Wilkinson,
// The QR Algorithm for Real Hessenberg Matrices, 1970). See linear_algebra.h.
//
// Shifts and signs are LAPACK's, since they determine the order of eigenvalues and the signs of
// vectors.
#include "kernels/linalg/linear_algebra.h"

enum { STEPS_PER_VALUE = 60, EXCEPTION = 10 };

static double magnitude(hlo_c128 z) { return __builtin_fabs(z.re) + __builtin_fabs(z.im); }
static double size_at(const hlo_matrix *h, ptrdiff_t i, ptrdiff_t j) {
  return magnitude(hlo_matrix_get(h, i, j));
}

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

// Whether the subdiagonal element of row k is negligible relative to its neighbours (M. Ahues, F.
// Tisseur, A New Deflation Criterion for the QR Algorithm, 1997).
static bool is_negligible(const hlo_matrix *h, ptrdiff_t k, double epsilon) {
  double below = size_at(h, k, k - 1), above = size_at(h, k - 1, k), here = size_at(h, k, k);
  if (below <= 0x1p-1000) return true;
  double around = size_at(h, k - 1, k - 1) + here;
  if (around == 0 && k >= 2) around += size_at(h, k - 1, k - 2);
  if (around == 0 && k + 1 < h->rows) around += size_at(h, k + 1, k);
  if (below > epsilon * around) return false;
  double apart =
      magnitude(hlo_difference(hlo_matrix_get(h, k - 1, k - 1), hlo_matrix_get(h, k, k)));
  double more = below > above ? below : above, less = below > above ? above : below;
  double larger = here > apart ? here : apart, smaller = here > apart ? apart : here;
  double bound = epsilon * (smaller * (larger / (larger + more)));
  return less * (more / (larger + more)) <= (bound > 0x1p-1000 ? bound : 0x1p-1000);
}

// The first row of the unreduced block that ends at `last`; the negligible element before it is set
// to zero.
static ptrdiff_t block_start(const hlo_matrix *h, ptrdiff_t last, double epsilon) {
  ptrdiff_t k = last;
  while (k > 0 && !is_negligible(h, k, epsilon)) k--;
  if (k > 0) hlo_matrix_set(h, k, k - 1, hlo_real(0));
  return k;
}

// --- complex ---

// The eigenvalue of the block's last 2 x 2 matrix that is nearer to its last element.
static hlo_c128 wilkinson_shift(const hlo_matrix *h, ptrdiff_t last) {
  hlo_c128 a = hlo_matrix_get(h, last - 1, last - 1), d = hlo_matrix_get(h, last, last);
  hlo_c128 bc = hlo_product(hlo_matrix_get(h, last - 1, last), hlo_matrix_get(h, last, last - 1));
  hlo_c128 p = hlo_difference(a, d);
  p.re /= 2, p.im /= 2;
  hlo_c128 square = hlo_product(p, p);
  hlo_c128 root = hlo_sqrt_c128((hlo_c128){square.re + bc.re, square.im + bc.im});
  if (p.re * root.re + p.im * root.im < 0) root = hlo_negative(root);
  hlo_c128 sum = {p.re + root.re, p.im + root.im};
  return magnitude(sum) == 0 ? d : hlo_difference(d, hlo_div_c128(bc, sum));
}

// Multiplies row k right of the diagonal by a number of magnitude 1, and column k above it and of z
// by its conjugate.
static void multiply_phase(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t k, hlo_c128 phase) {
  hlo_vector above = hlo_column(h, k, 0);
  above.n = k;
  hlo_vector_scale(hlo_row(h, k, k + 1), phase);
  hlo_vector_scale(above, hlo_conjugate(phase));
  if (z != NULL) hlo_vector_scale(hlo_column(z, k, 0), hlo_conjugate(phase));
}

static hlo_c128 phase_of(hlo_c128 x) {
  double size = hlo_length(x);
  return (hlo_c128){x.re / size, x.im / size};
}

// n pairs of elements x and y become those of (1 - tau v vᴴ) (x, y), v = (1, second).
static void reflect_two(hlo_vector x, hlo_vector y, hlo_c128 tau, hlo_c128 second) {
  for (ptrdiff_t i = 0; i < x.n; i++) {
    double *xr = x.re + i * x.step, *xi = x.im + i * x.step;
    double *yr = y.re + i * y.step, *yi = y.im + i * y.step;
    hlo_c128 b = {*yr, *yi}, product = hlo_product(hlo_conjugate(second), b);
    hlo_c128 sum = hlo_product(tau, (hlo_c128){*xr + product.re, *xi + product.im});
    *xr -= sum.re;
    *xi -= sum.im;
    product = hlo_product(second, sum);
    *yr -= product.re;
    *yi -= product.im;
  }
}

// The row at which a step may start: the subdiagonal element before it would stay negligible.
static ptrdiff_t complex_start(const hlo_matrix *h, ptrdiff_t first, ptrdiff_t last, double epsilon,
                               hlo_c128 shift) {
  ptrdiff_t m = last - 1;
  for (; m > first; m--) {
    hlo_c128 here = hlo_difference(hlo_matrix_get(h, m, m), shift);
    double below = hlo_matrix_get(h, m + 1, m).re, sum = magnitude(here) + __builtin_fabs(below);
    double around = size_at(h, m, m) + size_at(h, m + 1, m + 1);
    if (size_at(h, m, m - 1) * (__builtin_fabs(below) / sum) <=
        epsilon * (magnitude(here) / sum * around))
      break;
  }
  return m;
}

// Elements below the diagonal are real, before and after.
static void complex_step(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t first, ptrdiff_t last,
                         double epsilon, hlo_c128 shift) {
  ptrdiff_t m = complex_start(h, first, last, epsilon, shift);
  hlo_c128 x = hlo_difference(hlo_matrix_get(h, m, m), shift), y = hlo_matrix_get(h, m + 1, m);
  double sum = magnitude(x) + magnitude(y);
  x.re /= sum, x.im /= sum, y.re /= sum, y.im /= sum;
  for (ptrdiff_t k = m; k < last; k++) {
    if (k > m) x = hlo_matrix_get(h, k, k - 1), y = hlo_matrix_get(h, k + 1, k - 1);
    double re[4] = {x.re, y.re}, im[4] = {x.im, y.im};
    hlo_c128 tau = hlo_reflect_vector((hlo_vector){2, 1, re, im}, &x.re);
    x.im = 0;
    y = (hlo_c128){re[1], im[1]};
    if (k > m) {
      hlo_matrix_set(h, k, k - 1, x);
      hlo_matrix_set(h, k + 1, k - 1, hlo_real(0));
    }
    hlo_c128 other = hlo_conjugate(y);
    reflect_two(hlo_row(h, k, k), hlo_row(h, k + 1, k), hlo_conjugate(tau), y);
    hlo_vector left = hlo_column(h, k, 0), right = hlo_column(h, k + 1, 0);
    left.n = right.n = hlo_smaller(k + 2, last) + 1;
    reflect_two(left, right, tau, other);
    if (z != NULL) reflect_two(hlo_column(z, k, 0), hlo_column(z, k + 1, 0), tau, other);
    if (k > m || m == first) continue;
    // The element before the start has become complex.
    hlo_c128 phase = phase_of(hlo_difference(hlo_real(1), tau));
    hlo_c128 next = hlo_product(hlo_matrix_get(h, m + 1, m), hlo_conjugate(phase));
    hlo_matrix_set(h, m + 1, m, next);
    if (m + 2 <= last)
      hlo_matrix_set(h, m + 2, m + 1, hlo_product(hlo_matrix_get(h, m + 2, m + 1), phase));
    for (ptrdiff_t j = m; j <= last; j++) {
      if (j != m + 1) multiply_phase(h, z, j, phase);
    }
  }
  hlo_c128 end = hlo_matrix_get(h, last, last - 1);
  if (end.im == 0) return;
  hlo_matrix_set(h, last, last - 1, hlo_real(hlo_length(end)));
  multiply_phase(h, z, last, hlo_conjugate(phase_of(end)));
}

static ptrdiff_t complex_schur(const hlo_matrix *h, const hlo_matrix *z, double epsilon) {
  int steps = 0;
  for (ptrdiff_t last = h->rows - 1; last > 0;) {
    ptrdiff_t first = block_start(h, last, epsilon);
    if (first == last) {
      last--;
      steps = 0;
      continue;
    }
    if (++steps > STEPS_PER_VALUE) return last + 1;
    hlo_c128 shift = wilkinson_shift(h, last);
    if (steps % EXCEPTION == 0) { // breaks up cycles
      ptrdiff_t at = steps % (2 * EXCEPTION) == 0 ? last : first;
      double off = at == last ? size_at(h, last, last - 1) : size_at(h, first + 1, first);
      shift = hlo_matrix_get(h, at, at);
      shift.re += 0.75 * off;
    }
    complex_step(h, z, first, last, epsilon, shift);
  }
  return 0;
}

// --- real ---

// The rotation that brings the block of rows k and k + 1 into standard form: triangular for real
// eigenvalues, else with equal elements on the diagonal.
static void standardize(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t k) {
  double a = hlo_matrix_get(h, k, k).re, b = hlo_matrix_get(h, k, k + 1).re;
  double c = hlo_matrix_get(h, k + 1, k).re, d = hlo_matrix_get(h, k + 1, k + 1).re;
  double p = (a - d) / 2, discriminant = p * p + b * c, cosine, sine;
  bool is_real = discriminant >= 0;
  if (c == 0 || (p == 0 && (b < 0) != (c < 0))) return;
  if (b == 0) { // exchanges rows and columns
    cosine = 0;
    sine = 1;
  } else if (is_real) { // the eigenvector of d + p ± the root comes first
    double root = __builtin_sqrt(discriminant), far = p < 0 ? p - root : p + root;
    double norm = hlo_length((hlo_c128){far, c});
    cosine = far / norm;
    sine = c / norm;
  } else { // tan 2θ = (d - a) / (b + c)
    double sum = b + c, norm = hlo_length((hlo_c128){sum, a - d});
    cosine = __builtin_sqrt((1 + __builtin_fabs(sum) / norm) / 2);
    double angle = p / (norm * cosine);
    sine = sum < 0 ? angle : -angle;
  }
  rotate_similar(h, z, k, cosine, hlo_real(sine), k, k + 1);
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

// Two shifts, conjugate if they are not real.
typedef struct shifts {
  hlo_c128 one, two;
} shifts;

// The eigenvalues of (a b; c d), or twice the real one that is nearer to d.
static shifts shifts_of(double a, double b, double c, double d) {
  double sum = __builtin_fabs(a) + __builtin_fabs(b) + __builtin_fabs(c) + __builtin_fabs(d);
  if (sum == 0) return (shifts){hlo_real(0), hlo_real(0)};
  a /= sum, b /= sum, c /= sum, d /= sum;
  double mean = (a + d) / 2, determinant = (a - mean) * (d - mean) - b * c;
  double root = __builtin_sqrt(__builtin_fabs(determinant)), x = mean + root, y = mean - root;
  if (determinant >= 0) return (shifts){{mean * sum, root * sum}, {mean * sum, -root * sum}};
  hlo_c128 near = hlo_real((__builtin_fabs(x - d) <= __builtin_fabs(y - d) ? x : y) * sum);
  return (shifts){near, near};
}

static shifts choose_shifts(const hlo_matrix *h, ptrdiff_t first, ptrdiff_t last, int steps) {
  if (steps % EXCEPTION == 0) { // breaks up cycles
    bool end = steps % (2 * EXCEPTION) == 0;
    double size = end ? size_at(h, last, last - 1) + size_at(h, last - 1, last - 2)
                      : size_at(h, first + 1, first) + size_at(h, first + 2, first + 1);
    double a = 0.75 * size + hlo_matrix_get(h, end ? last : first, end ? last : first).re;
    return shifts_of(a, -0.4375 * size, size, a);
  }
  return shifts_of(hlo_matrix_get(h, last - 1, last - 1).re, hlo_matrix_get(h, last - 1, last).re,
                   hlo_matrix_get(h, last, last - 1).re, hlo_matrix_get(h, last, last).re);
}

// The first column of the double step that starts at row m, up to a factor.
static void start_column(const hlo_matrix *h, ptrdiff_t m, shifts s, double v[3]) {
  const double *at = h->re + m + m * h->step;
  double here = at[0], below = at[1], next = at[h->step + 1];
  double size = __builtin_fabs(here - s.two.re) + __builtin_fabs(s.two.im) + __builtin_fabs(below);
  below /= size;
  v[0] = below * at[h->step] + (here - s.one.re) * ((here - s.two.re) / size) -
         s.one.im * (s.two.im / size);
  v[1] = below * (here + next - s.one.re - s.two.re);
  v[2] = below * at[h->step + 2];
  size = __builtin_fabs(v[0]) + __builtin_fabs(v[1]) + __builtin_fabs(v[2]);
  for (int i = 0; i < 3; i++) v[i] /= size;
}

// One double step on the block from `first` to `last`. It starts where the element before is so
// small that it stays negligible.
static void double_step(const hlo_matrix *h, const hlo_matrix *z, ptrdiff_t first, ptrdiff_t last,
                        double epsilon, shifts s) {
  double x[4];
  ptrdiff_t m = last - 2;
  for (;; m--) {
    start_column(h, m, s, x);
    if (m == first) break;
    double around = size_at(h, m - 1, m - 1) + size_at(h, m, m) + size_at(h, m + 1, m + 1);
    if (size_at(h, m, m - 1) * (__builtin_fabs(x[1]) + __builtin_fabs(x[2])) <=
        epsilon * __builtin_fabs(x[0]) * around)
      break;
  }
  for (ptrdiff_t k = m; k < last; k++) {
    bool two = k + 1 == last;
    double *before = k > first ? h->re + k + (k - 1) * h->step : NULL;
    if (k > m) {
      for (int i = 0; i < 3; i++) x[i] = two && i == 2 ? 0 : before[i];
    }
    double beta, tau = hlo_reflect_vector((hlo_vector){two ? 2 : 3, 1, x, NULL}, &beta).re;
    if (k > m) {
      before[0] = beta;
      before[1] = 0;
      if (!two) before[2] = 0;
    } else if (before != NULL) {
      before[0] *= 1 - tau;
    }
    if (tau == 0) continue;
    ptrdiff_t rows = hlo_smaller(k + 3, last) + 1;
    reflect_three(tau, x, h->columns - k, h->re + k + k * h->step, 1, h->step, two);
    reflect_three(tau, x, rows, h->re + k * h->step, h->step, 1, two);
    if (z != NULL) reflect_three(tau, x, z->rows, z->re + k * z->step, z->step, 1, two);
  }
}

static ptrdiff_t real_schur(const hlo_matrix *h, const hlo_matrix *z, double epsilon) {
  int steps = 0;
  for (ptrdiff_t last = h->rows - 1; last > 0;) {
    ptrdiff_t first = block_start(h, last, epsilon);
    if (first + 1 >= last) {
      if (first + 1 == last) standardize(h, z, first);
      last = first - 1;
      steps = 0;
      continue;
    }
    if (++steps > STEPS_PER_VALUE) return last + 1;
    double_step(h, z, first, last, epsilon, choose_shifts(h, first, last, steps));
  }
  return 0;
}

hlo_status hlo_schur_form(const hlo_evaluator *evaluator, const hlo_matrix *a,
                          const hlo_balance *balance, double unit, const hlo_matrix *z,
                          ptrdiff_t *failed, hlo_error *error) {
  hlo_matrix taus;
  ptrdiff_t n = a->rows;
  HLO_TRY(hlo_matrix_create(evaluator->scratch, n - (n > 0), 1, a->im != NULL, &taus, error));
  HLO_TRY(
      hlo_hessenberg(evaluator, a, balance->low, balance->high, hlo_column(&taus, 0, 0), error));
  if (z != NULL) {
    hlo_matrix_copy(z, a);
    HLO_TRY(hlo_hessenberg_form(evaluator, z, hlo_column(&taus, 0, 0), error));
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = j + 2; i < n; i++) hlo_matrix_set(a, i, j, hlo_real(0));
  }
  *failed = a->im != NULL ? complex_schur(a, z, 2 * unit) : real_schur(a, z, 2 * unit);
  return HLO_OK;
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
    hlo_rotation_compute(hlo_difference(eigenvalue, hlo_matrix_get(t, k + 1, k + 1)), below, &c,
                         &s);
    rotate_similar(t, z, k, c, s, k, k + 1);
    hlo_matrix_set(t, k + 1, k, hlo_real(0));
    hlo_matrix_set(t, k, k, eigenvalue);
    hlo_matrix_set(t, k + 1, k + 1, hlo_conjugate(eigenvalue));
    k++;
  }
}
