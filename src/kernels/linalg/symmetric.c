// Eigenvalues of symmetric tridiagonal matrices: implicit QL steps with Wilkinson's shift (Golub,
// Van Loan, 8.3.5; A. Dubrulle, R. Martin, J. Wilkinson, The Implicit QL Algorithm, 1968). See
// linear_algebra.h.
//
// The signs of vectors follow LAPACK. Blocks whose end is smaller than their start are processed
// from the other end, which turns QL into QR (A. Greenbaum, J. Dongarra, Experiments with QR/QL
// Methods for the Symmetric Tridiagonal Eigenproblem, 1989).
#include "kernels/linalg/linear_algebra.h"

enum { STEPS_PER_VALUE = 40 };

// A block in the direction of processing: element i is at first + i * step.
typedef struct block {
  double *diagonal, *below;
  const hlo_matrix *vectors; // or NULL
  ptrdiff_t first, step, n;
  double unit; // elements are negligible below this, relative to their neighbours
} block;

static double *diagonal_at(const block *b, ptrdiff_t i) {
  return b->diagonal + b->first + i * b->step;
}
// Between elements i and i + 1.
static double *below_at(const block *b, ptrdiff_t i) {
  return b->below + b->first + i * b->step - (b->step < 0);
}

// Columns i and i + 1 of the vectors become c x + s y and c y - s x.
static void rotate(const block *b, ptrdiff_t i, double c, double s) {
  if (b->vectors == NULL) return;
  ptrdiff_t at = b->first + i * b->step;
  hlo_vector_rotate(hlo_column(b->vectors, at, 0), hlo_column(b->vectors, at + b->step, 0), c,
                    hlo_real(s));
}

static bool is_negligible(const block *b, ptrdiff_t i) {
  double a = b->unit * *diagonal_at(b, i), d = b->unit * *diagonal_at(b, i + 1);
  return *below_at(b, i) * *below_at(b, i) <= __builtin_fabs(a) * __builtin_fabs(d) + 0x1p-1022;
}

// One step on the elements up to `last`: a shift towards the eigenvalue at the start, then
// rotations from the end upwards.
static void ql_step(const block *b, ptrdiff_t last) {
  double p = *diagonal_at(b, 0), off = *below_at(b, 0), c = 1, s = 1;
  double half = (*diagonal_at(b, 1) - p) / (2 * off), root = hlo_length((hlo_c128){half, 1});
  double g = *diagonal_at(b, last) - p + off / (half + (half < 0 ? -root : root));
  p = 0;
  for (ptrdiff_t i = last - 1; i >= 0; i--) {
    double f = s * *below_at(b, i), e = c * *below_at(b, i);
    hlo_real_rotation(g, f, &c, &s);
    if (i != last - 1) *below_at(b, i + 1) = c * g + s * f;
    g = *diagonal_at(b, i + 1) - p;
    double r = (*diagonal_at(b, i) - g) * s + 2 * c * e;
    p = s * r;
    *diagonal_at(b, i + 1) = g + p;
    g = c * r - e;
    rotate(b, i, c, -s);
  }
  *diagonal_at(b, 0) -= p;
  *below_at(b, 0) = g;
}

// A 2 x 2 block in closed form: the eigenvalue of greater magnitude comes first, at the lower
// index; its vector (c, s) has LAPACK's sign.
static void solve_two(const block *b) {
  ptrdiff_t at = b->step < 0 ? b->first - 1 : b->first;
  double a = b->diagonal[at], off = b->below[at], d = b->diagonal[at + 1];
  double sum = a + d, difference = a - d, twice = off + off;
  double root = hlo_length((hlo_c128){difference, twice}), first, second;
  double larger = __builtin_fabs(a) > __builtin_fabs(d) ? a : d;
  double smaller = __builtin_fabs(a) > __builtin_fabs(d) ? d : a;
  if (sum == 0) {
    first = root / 2, second = -root / 2;
  } else {
    first = (sum + (sum < 0 ? -root : root)) / 2;
    second = larger / first * smaller - off / first * off;
  }
  // (far, twice) is a vector of the eigenvalue on the side of the difference's sign.
  double far = difference + (difference >= 0 ? root : -root), c, s;
  if (__builtin_fabs(far) > __builtin_fabs(twice)) {
    s = 1 / hlo_length((hlo_c128){1, twice / far});
    c = -twice / far * s;
  } else if (twice == 0) {
    c = 1, s = 0;
  } else {
    c = 1 / hlo_length((hlo_c128){1, far / twice});
    s = -far / twice * c;
  }
  if ((sum < 0) == (difference < 0)) {
    double kept = c;
    c = -s, s = kept;
  }
  b->diagonal[at] = first;
  b->diagonal[at + 1] = second;
  b->below[at] = 0;
  block upward = {b->diagonal, b->below, b->vectors, at, 1, 2, b->unit};
  rotate(&upward, 0, c, s);
}

// Iterates on an unreduced block. Returns the number of values that did not converge; *steps: the
// iterations left for the whole matrix.
static ptrdiff_t solve_block(block b, ptrdiff_t *steps) {
  if (__builtin_fabs(b.diagonal[b.first + b.n - 1]) < __builtin_fabs(b.diagonal[b.first])) {
    b.first += b.n - 1;
    b.step = -1;
  }
  while (b.n > 1) {
    ptrdiff_t last = 0, done = 1;
    while (last + 1 < b.n && !is_negligible(&b, last)) last++;
    if (last + 1 < b.n) *below_at(&b, last) = 0;
    if (last == 1) {
      solve_two(&b);
      done = 2;
    } else if (last > 1) {
      if (*steps == 0) return b.n;
      (*steps)--;
      ql_step(&b, last);
      continue;
    }
    b.first += done * b.step;
    b.n -= done;
  }
  return 0;
}

// Selection sort: fewest exchanges, since moving vectors is the cost.
static void sort_ascending(ptrdiff_t n, double *values, const hlo_matrix *vectors) {
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    ptrdiff_t least = i;
    for (ptrdiff_t j = i + 1; j < n; j++) {
      if (values[j] < values[least]) least = j;
    }
    if (least == i) continue;
    double kept = values[i];
    values[i] = values[least];
    values[least] = kept;
    if (vectors != NULL) hlo_vector_swap(hlo_column(vectors, i, 0), hlo_column(vectors, least, 0));
  }
}

ptrdiff_t hlo_symmetric_eigenvalues(ptrdiff_t n, double *diagonal, double *below, double unit,
                                    const hlo_matrix *vectors) {
  ptrdiff_t failed = 0, steps = n * STEPS_PER_VALUE;
  for (ptrdiff_t first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n; end++) {
      double bound = __builtin_sqrt(__builtin_fabs(diagonal[end - 1])) *
                     __builtin_sqrt(__builtin_fabs(diagonal[end])) * unit;
      if (!(__builtin_fabs(below[end - 1]) > bound)) break;
    }
    failed += solve_block((block){diagonal, below, vectors, first, 1, end - first, unit}, &steps);
  }
  sort_ascending(n, diagonal, vectors);
  return failed;
}
