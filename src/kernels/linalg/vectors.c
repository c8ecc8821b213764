// Vectors and matrices, real or complex (split components): see linear_algebra.h. All time is spent
// in the loops over one component.
#include "kernels/linalg/linear_algebra.h"

#include <string.h>

// --- loops over one component ---

static double dot_part(ptrdiff_t n, const double *x, ptrdiff_t x_step, const double *y,
                       ptrdiff_t y_step) {
  if (x_step != 1 || y_step != 1) {
    double sum = 0;
    for (ptrdiff_t i = 0; i < n; i++) sum += x[i * x_step] * y[i * y_step];
    return sum;
  }
  double sums[4] = {0, 0, 0, 0};
  ptrdiff_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; k++) sums[k] += x[i + k] * y[i + k];
  }
  for (; i < n; i++) sums[0] += x[i] * y[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void add_part(ptrdiff_t n, double *y, ptrdiff_t y_step, double factor, const double *x,
                     ptrdiff_t x_step) {
  if (x_step != 1 || y_step != 1) {
    for (ptrdiff_t i = 0; i < n; i++) y[i * y_step] += factor * x[i * x_step];
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++) y[i] += factor * x[i];
}

static void rotate_part(ptrdiff_t n, double *x, ptrdiff_t x_step, double *y, ptrdiff_t y_step,
                        double c, double s) {
  if (x_step != 1 || y_step != 1) {
    for (ptrdiff_t i = 0; i < n; i++) {
      double a = x[i * x_step], b = y[i * y_step];
      x[i * x_step] = c * a + s * b;
      y[i * y_step] = c * b - s * a;
    }
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    double a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
}

// --- vectors ---

hlo_vector hlo_column(const hlo_matrix *m, ptrdiff_t j, ptrdiff_t first) {
  ptrdiff_t at = first + j * m->step;
  return (hlo_vector){m->rows - first, 1, m->re + at, m->im == NULL ? NULL : m->im + at};
}

hlo_vector hlo_row(const hlo_matrix *m, ptrdiff_t i, ptrdiff_t first) {
  ptrdiff_t at = i + first * m->step;
  return (hlo_vector){m->columns - first, m->step, m->re + at, m->im == NULL ? NULL : m->im + at};
}

hlo_c128 hlo_vector_dot(hlo_vector x, hlo_vector y) {
  hlo_c128 sum = {dot_part(x.n, x.re, x.step, y.re, y.step), 0};
  if (x.im == NULL) return sum;
  sum.re += dot_part(x.n, x.im, x.step, y.im, y.step);
  sum.im = dot_part(x.n, x.re, x.step, y.im, y.step) - dot_part(x.n, x.im, x.step, y.re, y.step);
  return sum;
}

void hlo_vector_add(hlo_vector y, hlo_c128 factor, hlo_vector x) {
  add_part(x.n, y.re, y.step, factor.re, x.re, x.step);
  if (x.im == NULL) return;
  add_part(x.n, y.im, y.step, factor.re, x.im, x.step);
  if (factor.im == 0) return;
  add_part(x.n, y.re, y.step, -factor.im, x.im, x.step);
  add_part(x.n, y.im, y.step, factor.im, x.re, x.step);
}

void hlo_vector_scale(hlo_vector x, hlo_c128 factor) {
  bool clears = factor.re == 0 && factor.im == 0; // of NaN too
  for (ptrdiff_t i = 0; i < x.n; i++) {
    ptrdiff_t at = i * x.step;
    if (clears) {
      x.re[at] = 0;
      if (x.im != NULL) x.im[at] = 0;
      continue;
    }
    if (x.im == NULL) {
      x.re[at] *= factor.re;
      continue;
    }
    hlo_c128 z = hlo_product((hlo_c128){x.re[at], x.im[at]}, factor);
    x.re[at] = z.re;
    x.im[at] = z.im;
  }
}

static void swap_part(ptrdiff_t n, double *x, ptrdiff_t x_step, double *y, ptrdiff_t y_step) {
  for (ptrdiff_t i = 0; i < n; i++) {
    double kept = x[i * x_step];
    x[i * x_step] = y[i * y_step];
    y[i * y_step] = kept;
  }
}

void hlo_vector_swap(hlo_vector x, hlo_vector y) {
  swap_part(x.n, x.re, x.step, y.re, y.step);
  if (x.im != NULL) swap_part(x.n, x.im, x.step, y.im, y.step);
}

static double largest_part(ptrdiff_t n, const double *x, ptrdiff_t step) {
  double largest = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    double size = __builtin_fabs(x[i * step]);
    if (!(size <= largest)) largest = size; // NaN stays: nothing is less or equal
    if (largest != largest) break;
  }
  return largest;
}

// Sums of squares in this range have neither overflowed nor underflowed.
static bool is_safe(double sum) { return sum > 1e-280 && sum < 1e280; }

double hlo_length(hlo_c128 z) {
  double sum = z.re * z.re + z.im * z.im;
  return is_safe(sum) ? __builtin_sqrt(sum) : hlo_abs_c128(z);
}

double hlo_vector_norm(hlo_vector x) {
  double sum = hlo_vector_dot(x, x).re;
  if (is_safe(sum)) return __builtin_sqrt(sum);
  double largest = largest_part(x.n, x.re, x.step);
  double other = x.im == NULL ? 0 : largest_part(x.n, x.im, x.step);
  if (!(other <= largest)) largest = other;
  if (!(largest > 0) || largest > 1.7976931348623157e308) return largest;
  sum = 0;
  for (ptrdiff_t i = 0; i < x.n; i++) {
    double re = x.re[i * x.step] / largest, im = x.im == NULL ? 0 : x.im[i * x.step] / largest;
    sum += re * re + im * im;
  }
  return largest * __builtin_sqrt(sum);
}

void hlo_vector_rotate(hlo_vector x, hlo_vector y, double c, hlo_c128 s) {
  if (x.im == NULL || s.im == 0) {
    rotate_part(x.n, x.re, x.step, y.re, y.step, c, s.re);
    if (x.im != NULL) rotate_part(x.n, x.im, x.step, y.im, y.step, c, s.re);
    return;
  }
  for (ptrdiff_t i = 0; i < x.n; i++) {
    double *xr = x.re + i * x.step, *xi = x.im + i * x.step;
    double *yr = y.re + i * y.step, *yi = y.im + i * y.step;
    hlo_c128 a = {*xr, *xi}, b = {*yr, *yi};
    *xr = c * a.re + (s.re * b.re - s.im * b.im);
    *xi = c * a.im + (s.re * b.im + s.im * b.re);
    *yr = c * b.re - (s.re * a.re + s.im * a.im);
    *yi = c * b.im - (s.re * a.im - s.im * a.re);
  }
}

void hlo_rotation_compute(hlo_c128 x, hlo_c128 y, double *c, hlo_c128 *s) {
  double size = hlo_length(x) + hlo_length(y);
  if (size > 0 && size < 0x1p-960) { // subnormal lengths have few digits
    x.re *= 0x1p600, x.im *= 0x1p600, y.re *= 0x1p600, y.im *= 0x1p600;
  }
  if (x.im == 0 && y.im == 0 && x.re != 0 && y.re != 0) {
    double length = hlo_length((hlo_c128){x.re, y.re});
    *c = __builtin_fabs(x.re) / length;
    *s = hlo_real((x.re < 0 ? -y.re : y.re) / length);
    return;
  }
  double size_x = hlo_length(x), size_y = hlo_length(y);
  double norm = hlo_length((hlo_c128){size_x, size_y});
  if (size_y == 0) {
    *c = 1;
    *s = hlo_real(0);
  } else if (size_x == 0) {
    *c = 0;
    *s = (hlo_c128){y.re / size_y, -y.im / size_y};
  } else {
    hlo_c128 phase = {x.re / size_x, x.im / size_x};
    *c = size_x / norm;
    *s = hlo_product(phase, (hlo_c128){y.re / norm, -y.im / norm});
  }
}

// --- matrices ---

hlo_c128 hlo_matrix_get(const hlo_matrix *m, ptrdiff_t i, ptrdiff_t j) {
  ptrdiff_t at = i + j * m->step;
  return (hlo_c128){m->re[at], m->im == NULL ? 0 : m->im[at]};
}

void hlo_matrix_set(const hlo_matrix *m, ptrdiff_t i, ptrdiff_t j, hlo_c128 value) {
  m->re[i + j * m->step] = value.re;
  if (m->im != NULL) m->im[i + j * m->step] = value.im;
}

void hlo_matrix_copy(const hlo_matrix *to, const hlo_matrix *from) {
  for (ptrdiff_t j = 0; j < to->columns; j++) {
    size_t bytes = (size_t)to->rows * sizeof(double);
    memcpy(to->re + j * to->step, from->re + j * from->step, bytes);
    if (to->im == NULL) continue;
    if (from->im != NULL) memcpy(to->im + j * to->step, from->im + j * from->step, bytes);
    else memset(to->im + j * to->step, 0, bytes);
  }
}

void hlo_matrix_adjoint(const hlo_matrix *to, const hlo_matrix *from) {
  for (ptrdiff_t j = 0; j < to->columns; j++) {
    for (ptrdiff_t i = 0; i < to->rows; i++) {
      hlo_matrix_set(to, i, j, hlo_conjugate(hlo_matrix_get(from, j, i)));
    }
  }
}

void hlo_matrix_scale(const hlo_matrix *m, double factor) {
  for (ptrdiff_t j = 0; j < m->columns; j++)
    hlo_vector_scale(hlo_column(m, j, 0), hlo_real(factor));
}
