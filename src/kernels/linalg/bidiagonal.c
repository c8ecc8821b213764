// Singular values of bidiagonal matrices by implicit QR steps (J. Demmel, W. Kahan, Accurate
// Singular Values of Bidiagonal Matrices, 1990). See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"

enum { STEPS_PER_PAIR = 6 };
#define UNIT      1.1102230246251565e-16 // of rounding
#define TOLERANCE (98.7 * UNIT) // relative: the paper's choice of max(10, unit^(-1/8)) units

// An unreduced block, seen in the direction of the bulge chase. Chased upwards, it is the flipped
// block of the adjoint: left and right vectors change places.
typedef struct block {
  double *diagonal, *above;
  const hlo_matrix *left, *right; // or NULL
  ptrdiff_t first, step, n;
  double unit, tolerance; // relative ones
} block;

static double *diagonal_at(const block *b, ptrdiff_t i) {
  return b->diagonal + b->first + i * b->step;
}
// Between elements i and i + 1.
static double *above_at(const block *b, ptrdiff_t i) {
  return b->above + b->first + i * b->step - (b->step < 0);
}
static double size_at(const block *b, ptrdiff_t i) { return __builtin_fabs(*diagonal_at(b, i)); }

static void rotate(const block *b, const hlo_matrix *vectors, ptrdiff_t i, double c, double s) {
  if (vectors == NULL) return;
  ptrdiff_t at = b->first + i * b->step;
  hlo_vector_rotate(hlo_column(vectors, at, 0), hlo_column(vectors, at + b->step, 0), c,
                    hlo_real(s));
}

// The rotation that takes (f, g) to (r, 0). Returns r.
static double compute_rotation(double f, double g, double *c, double *s) {
  hlo_real_rotation(f, g, c, s);
  return *c * f + *s * g;
}

// --- two rows ---

// The smaller singular value of (f g; 0 h).
static double smaller_value(double f, double g, double h) {
  double sum = __builtin_fabs(f) + __builtin_fabs(h), difference = f * h;
  if (difference == 0) return 0;
  double far = hlo_length((hlo_c128){sum, g});
  double near = hlo_length((hlo_c128){__builtin_fabs(f) - __builtin_fabs(h), g});
  return 2 * __builtin_fabs(f) / (far + near) * __builtin_fabs(h);
}

// Cosine and sine of the right vector of (f g; 0 h) for |f| >= |h|, cosine positive, and the left
// one, which goes with a singular value of f's sign. Returns the value.
static double larger_value(double f, double g, double h, double right[2], double left[2]) {
  double fa = __builtin_fabs(f), ha = __builtin_fabs(h);
  if (g == 0) {
    right[0] = left[0] = 1;
    right[1] = left[1] = 0;
    return f;
  }
  if (fa < UNIT * __builtin_fabs(g)) { // g alone counts
    left[0] = right[1] = 1;
    left[1] = h / g;
    right[0] = f / g;
    return g;
  }
  double m = g / f, l = (fa - ha) / fa, t = 2 - l;
  double s = hlo_length((hlo_c128){t, m}), r = hlo_length((hlo_c128){l, m}), a = (s + r) / 2;
  t = (m / (s + t) + m / (r + l)) * (1 + a);
  double norm = hlo_length((hlo_c128){t, 2});
  right[0] = 2 / norm;
  right[1] = t / norm;
  left[0] = (right[0] + right[1] * m) / a;
  left[1] = h / f * right[1] / a;
  return f * a;
}

// A 2 x 2 block in closed form: the greater value first, signs as LAPACK's.
static void solve_two(const block *b) {
  double *d = diagonal_at(b, 0), *e = above_at(b, 0), right[2], left[2];
  double f = d[0], g = *e, h = d[1];
  if (__builtin_fabs(f) >= __builtin_fabs(h)) {
    d[0] = larger_value(f, g, h, right, left);
  } else { // flipped and transposed
    double x[2], y[2];
    d[0] = larger_value(h, g, f, x, y);
    left[0] = x[1], left[1] = x[0];
    right[0] = y[1], right[1] = y[0];
  }
  d[1] =
      d[0] == 0 ? 0 : smaller_value(f, g, h) * ((f < 0) == (h < 0) ? 1 : -1) * (d[0] < 0 ? -1 : 1);
  *e = 0;
  rotate(b, b->right, 0, right[0], right[1]);
  rotate(b, b->left, 0, left[0], left[1]);
}

// --- steps ---

// An implicit zero-shift QR step, which computes small values to high relative accuracy.
static void zero_shift_step(const block *b) {
  double c = 1, s = 0, old_c = 1, old_s = 0;
  for (ptrdiff_t i = 0; i + 1 < b->n; i++) {
    double r = compute_rotation(*diagonal_at(b, i) * c, *above_at(b, i), &c, &s);
    if (i > 0) *above_at(b, i - 1) = old_s * r;
    *diagonal_at(b, i) = compute_rotation(old_c * r, *diagonal_at(b, i + 1) * s, &old_c, &old_s);
    rotate(b, b->right, i, c, s);
    rotate(b, b->left, i, old_c, old_s);
  }
  double last = *diagonal_at(b, b->n - 1) * c;
  *diagonal_at(b, b->n - 1) = last * old_c;
  *above_at(b, b->n - 2) = last * old_s;
}

static void shifted_step(const block *b, double shift) {
  double start = *diagonal_at(b, 0), c, s;
  double f = (__builtin_fabs(start) - shift) * ((start < 0 ? -1 : 1) + shift / start);
  double g = *above_at(b, 0);
  for (ptrdiff_t i = 0; i + 1 < b->n; i++) {
    double *d = diagonal_at(b, i), *e = above_at(b, i), *next = diagonal_at(b, i + 1);
    double r = compute_rotation(f, g, &c, &s);
    if (i > 0) *above_at(b, i - 1) = r;
    f = c * *d + s * *e;
    *e = c * *e - s * *d;
    g = s * *next;
    *next *= c;
    rotate(b, b->right, i, c, s);
    *d = compute_rotation(f, g, &c, &s);
    f = c * *e + s * *next;
    *next = c * *next - s * *e;
    if (i + 2 < b->n) {
      g = s * *above_at(b, i + 1);
      *above_at(b, i + 1) *= c;
    }
    rotate(b, b->left, i, c, s);
  }
  *above_at(b, b->n - 2) = f;
}

// Deflates: sets negligible off-diagonal elements to 0; true if there is one. *least: a lower bound
// of the smallest singular value.
static bool splits(const block *b, double *least) {
  double mu = size_at(b, 0), *end = above_at(b, b->n - 2);
  *least = mu;
  if (__builtin_fabs(*end) <= b->tolerance * size_at(b, b->n - 1)) {
    *end = 0;
    return true;
  }
  for (ptrdiff_t i = 0; i + 1 < b->n; i++) {
    double off = __builtin_fabs(*above_at(b, i));
    if (off <= b->tolerance * mu) {
      *above_at(b, i) = 0;
      return true;
    }
    mu = size_at(b, i + 1) * (mu / (mu + off));
    if (mu < *least) *least = mu;
  }
  return false;
}

static void qr_sweep(const block *b, double least, double threshold) {
  double largest = size_at(b, b->n - 1), shift = 0, start = size_at(b, 0);
  for (ptrdiff_t i = 0; i + 1 < b->n; i++) {
    double off = __builtin_fabs(*above_at(b, i));
    if (size_at(b, i) > largest) largest = size_at(b, i);
    if (off > largest) largest = off;
  }
  if ((double)b->n * b->tolerance * (least / largest) > b->unit) {
    shift =
        smaller_value(*diagonal_at(b, b->n - 2), *above_at(b, b->n - 2), *diagonal_at(b, b->n - 1));
    if (start > 0 && shift / start * (shift / start) < b->unit) shift = 0;
  }
  if (shift == 0) zero_shift_step(b);
  else shifted_step(b, shift);
  double *end = above_at(b, b->n - 2);
  if (__builtin_fabs(*end) <= threshold) *end = 0;
}

// --- the whole matrix ---

// Off-diagonal elements up to this are negligible.
static double threshold_of(ptrdiff_t n, const double *diagonal, const double *above,
                           double tolerance) {
  double mu = __builtin_fabs(diagonal[0]), least = mu;
  for (ptrdiff_t i = 1; i < n && least > 0; i++) {
    mu = __builtin_fabs(diagonal[i]) * (mu / (mu + __builtin_fabs(above[i - 1])));
    if (mu < least) least = mu;
  }
  return tolerance * least / __builtin_sqrt((double)n) + 0x1p-1000;
}

static void sort_descending(ptrdiff_t n, double *values, const hlo_matrix *left,
                            const hlo_matrix *right) {
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    ptrdiff_t best = i;
    for (ptrdiff_t j = i + 1; j < n; j++) {
      if (values[j] > values[best]) best = j;
    }
    if (best == i) continue;
    double kept = values[i];
    values[i] = values[best];
    values[best] = kept;
    if (left != NULL) hlo_vector_swap(hlo_column(left, i, 0), hlo_column(left, best, 0));
    if (right != NULL) hlo_vector_swap(hlo_column(right, i, 0), hlo_column(right, best, 0));
  }
}

// The direction of the bulge chase in a new block: towards the end with the smaller element.
static bool chases_downwards(ptrdiff_t first, ptrdiff_t last, const double *diagonal) {
  return __builtin_fabs(diagonal[first]) >= __builtin_fabs(diagonal[last]);
}

bool hlo_bidiagonal_values(ptrdiff_t n, double *diagonal, double *above, double unit,
                           const hlo_matrix *left, const hlo_matrix *right) {
  if (n == 0) return true;
  double factor = 1 / __builtin_sqrt(__builtin_sqrt(__builtin_sqrt(unit))); // the paper's choice
  double tolerance = (factor < 10 ? 10 : factor) * unit;
  double threshold = threshold_of(n, diagonal, above, tolerance);
  ptrdiff_t steps = STEPS_PER_PAIR * n * n + 100, old_first = -1, old_last = -1;
  bool down = true;
  for (ptrdiff_t last = n - 1; last > 0;) {
    ptrdiff_t first = last;
    while (first > 0 && __builtin_fabs(above[first - 1]) > threshold) first--;
    if (first > 0) above[first - 1] = 0;
    if (first == last) {
      last--;
      continue;
    }
    if (steps-- == 0) return false;
    if (first + 1 < last && (first > old_last || last < old_first))
      down = chases_downwards(first, last, diagonal);
    block b = {diagonal, above, left, right, first, 1, last - first + 1, unit, tolerance};
    if (first + 1 == last) {
      solve_two(&b);
      last -= 2;
      continue;
    }
    if (!down) b = (block){diagonal, above, right, left, last, -1, b.n, unit, tolerance};
    double least;
    if (splits(&b, &least)) continue;
    old_first = first;
    old_last = last;
    qr_sweep(&b, least, threshold);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    if (n == 1 ? !__builtin_signbit(diagonal[k]) : !(diagonal[k] < 0)) continue;
    diagonal[k] = -diagonal[k];
    const hlo_matrix *changed = n == 1 ? left : right;
    if (changed != NULL) hlo_vector_scale(hlo_column(changed, k, 0), hlo_real(-1));
  }
  sort_descending(n, diagonal, left, right);
  return true;
}
