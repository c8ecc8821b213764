// Eigenvectors of symmetric tridiagonal matrices by divide and conquer: the halves are solved, then
// merged by a rank-one correction (J. Cuppen, A Divide and Conquer Method for the Symmetric
// Tridiagonal Eigenproblem, 1981; J. Rutter, A Serial Implementation of Cuppen's Divide and Conquer
// Algorithm, 1994). See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"

#include <string.h>

#define UNIT 1.1102230246251565e-16 // of rounding

// Which half holds the nonzeros of a vector.
typedef enum place { FIRST, BOTH, SECOND, PLACES } place;

// Two solved halves; q has their vectors.
typedef struct merge {
  const hlo_evaluator *evaluator;
  ptrdiff_t n, half, kept; // vectors that the correction changes come first in order
  double *values, *z, rho;
  const hlo_matrix *q;
  ptrdiff_t *order; // columns of q
  place *places;    // of columns of q
} merge;

// --- deflation: eigenpairs that the correction leaves unchanged ---

static void order_by_value(merge *m) {
  ptrdiff_t i = 0, j = m->half;
  for (ptrdiff_t k = 0; k < m->n; k++) {
    bool from_first = j == m->n || (i < m->half && m->values[i] <= m->values[j]);
    m->order[k] = from_first ? i++ : j++;
  }
}

// Deflates one of two close eigenvalues: rotates their vectors so that the correction has no
// component along column a. False if the values are too far apart.
static bool deflate_pair(merge *m, ptrdiff_t a, ptrdiff_t b, double tolerance) {
  double s = m->z[a], c = m->z[b], norm = hlo_length((hlo_c128){c, s});
  double distance = m->values[b] - m->values[a];
  c /= norm;
  s /= -norm;
  if (__builtin_fabs(distance * c * s) > tolerance) return false;
  m->z[b] = norm;
  m->z[a] = 0;
  if (m->places[a] != m->places[b]) m->places[b] = BOTH;
  hlo_vector_rotate(hlo_column(m->q, a, 0), hlo_column(m->q, b, 0), c, hlo_real(s));
  double x = m->values[a], y = m->values[b];
  m->values[a] = x * c * c + y * s * s;
  m->values[b] = x * s * s + y * c * c;
  return true;
}

// Partitions `order` into the eigenvalues that the correction changes, ascending, and the deflated
// ones.
static hlo_status deflate(merge *m, hlo_error *error) {
  double largest = 0, largest_z = 0;
  for (ptrdiff_t i = 0; i < m->n; i++) {
    double size = __builtin_fabs(m->values[i]), z = __builtin_fabs(m->z[i]);
    if (size > largest) largest = size;
    if (z > largest_z) largest_z = z;
  }
  double tolerance = 8 * UNIT * (largest > largest_z ? largest : largest_z);
  ptrdiff_t *taking, *rest, left = 0, previous = -1;
  HLO_ALLOC(taking, m->evaluator->scratch, m->n, error);
  HLO_ALLOC(rest, m->evaluator->scratch, m->n, error);
  for (ptrdiff_t k = 0; k < m->n; k++) {
    ptrdiff_t j = m->order[k];
    if (m->rho * __builtin_fabs(m->z[j]) <= tolerance) {
      rest[left++] = j;
      continue;
    }
    if (previous >= 0) {
      if (deflate_pair(m, previous, j, tolerance)) rest[left++] = previous;
      else taking[m->kept++] = previous;
    }
    previous = j;
  }
  if (previous >= 0) taking[m->kept++] = previous;
  for (ptrdiff_t k = 0; k < m->n; k++) m->order[k] = k < m->kept ? taking[k] : rest[k - m->kept];
  return HLO_OK;
}

// --- the secular problem of the remaining eigenpairs ---

// Solves the secular equation. s: eigenvectors of the corrected matrix in the basis of the
// remaining vectors, with its rows permuted by `rows`; values: their eigenvalues.
static hlo_status solve_secular(const merge *m, const ptrdiff_t *rows, const hlo_matrix *s,
                                double *values, hlo_error *error) {
  hlo_arena *scratch = m->evaluator->scratch;
  ptrdiff_t n = m->kept, origin;
  double *weights, offset;
  hlo_secular e;
  HLO_TRY(hlo_secular_init(scratch, n, m->order, m->values, m->z, &e, error));
  e.constant = 1 / m->rho;
  for (ptrdiff_t j = 0; j < n; j++) {
    hlo_secular_root(&e, j, s->re + j * s->step, &origin, &offset);
    values[j] = e.poles[origin] + offset;
  }
  HLO_TRY(hlo_secular_weights(&e, scratch, s, &weights, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    double *column = s->re + j * s->step;
    for (ptrdiff_t i = 0; i < n; i++) e.z[i] = weights[i] / column[i];
    double norm = hlo_vector_norm((hlo_vector){n, 1, e.z, NULL});
    for (ptrdiff_t i = 0; i < n; i++) column[rows[i]] = e.z[i] / norm;
  }
  return HLO_OK;
}

// Groups the remaining columns by the half of their nonzeros: rows[i] becomes the position of
// column order[i].
static void group_by_place(const merge *m, ptrdiff_t *rows, ptrdiff_t counts[PLACES]) {
  ptrdiff_t row = 0;
  for (int kind = 0; kind < PLACES; kind++) {
    ptrdiff_t start = row;
    for (ptrdiff_t i = 0; i < m->kept; i++) {
      if ((int)m->places[m->order[i]] == kind) rows[i] = row++;
    }
    counts[kind] = row - start;
  }
}

// Computes the updated eigenvectors in the first columns of `out`, by one product per half.
static hlo_status multiply(const merge *m, const hlo_matrix *out, double *values,
                           hlo_error *error) {
  hlo_arena *arena = m->evaluator->scratch;
  ptrdiff_t n = m->kept, *rows, counts[PLACES];
  hlo_matrix old, s;
  HLO_ALLOC(rows, arena, n, error);
  HLO_TRY(hlo_matrix_create(arena, m->n, n, false, &old, error));
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &s, error));
  group_by_place(m, rows, counts);
  HLO_TRY(solve_secular(m, rows, &s, values, error));
  for (ptrdiff_t i = 0; i < n; i++) {
    hlo_matrix to = hlo_matrix_part(&old, 0, rows[i], m->n, 1);
    hlo_matrix from = hlo_matrix_part(m->q, 0, m->order[i], m->n, 1);
    hlo_matrix_copy(&to, &from);
  }
  ptrdiff_t above = counts[FIRST] + counts[BOTH], below = counts[BOTH] + counts[SECOND];
  for (int half = 0; half < 2; half++) {
    ptrdiff_t row = half == 0 ? 0 : m->half, height = half == 0 ? m->half : m->n - m->half;
    ptrdiff_t first = half == 0 ? 0 : counts[FIRST], count = half == 0 ? above : below;
    hlo_matrix to = hlo_matrix_part(out, row, 0, height, n);
    hlo_matrix a = hlo_matrix_part(&old, row, first, height, count);
    hlo_matrix b = hlo_matrix_part(&s, first, 0, count, n);
    HLO_TRY(hlo_matrix_multiply(m->evaluator, &to, &a, false, &b, false, error));
  }
  return HLO_OK;
}

// Merges the updated vectors, which ascend already, and the deflated ones into q by ascending
// value.
static void collect(merge *m, const hlo_matrix *changed, const double *changed_values,
                    const hlo_matrix *sorted, double *sorted_values) {
  ptrdiff_t *rest = m->order + m->kept, left = m->n - m->kept;
  for (ptrdiff_t i = 1; i < left; i++) { // insertion: nearly in order
    ptrdiff_t j = rest[i], k = i;
    for (; k > 0 && m->values[rest[k - 1]] > m->values[j]; k--) rest[k] = rest[k - 1];
    rest[k] = j;
  }
  for (ptrdiff_t k = 0, i = 0, j = 0; k < m->n; k++) {
    bool is_changed = j == left || (i < m->kept && changed_values[i] <= m->values[rest[j]]);
    const hlo_matrix *source = is_changed ? changed : m->q;
    ptrdiff_t column = is_changed ? i++ : rest[j++];
    sorted_values[k] = is_changed ? changed_values[column] : m->values[column];
    hlo_matrix to = hlo_matrix_part(sorted, 0, k, m->n, 1);
    hlo_matrix from = hlo_matrix_part(source, 0, column, m->n, 1);
    hlo_matrix_copy(&to, &from);
  }
  hlo_matrix_copy(m->q, sorted);
  for (ptrdiff_t k = 0; k < m->n; k++) m->values[k] = sorted_values[k];
}

// Merges the solutions of the two halves; `off` is the off-diagonal element between them.
static hlo_status merge_halves(const hlo_evaluator *evaluator, ptrdiff_t n, ptrdiff_t half,
                               double *values, double off, const hlo_matrix *q, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  merge m = {.evaluator = evaluator, .n = n, .half = half, .values = values, .q = q};
  double *changed_values, *sorted_values;
  hlo_matrix changed, sorted;
  HLO_ALLOC(m.z, arena, n, error);
  HLO_ALLOC(m.order, arena, n, error);
  HLO_ALLOC(m.places, arena, n, error);
  HLO_ALLOC(changed_values, arena, n, error);
  HLO_ALLOC(sorted_values, arena, n, error);
  for (ptrdiff_t i = 0; i < n; i++) {
    double element = hlo_matrix_get(q, i < half ? half - 1 : half, i).re;
    m.z[i] = (i >= half && off < 0 ? -element : element) * 0.70710678118654752;
    m.places[i] = i < half ? FIRST : SECOND;
  }
  m.rho = __builtin_fabs(2 * off);
  order_by_value(&m);
  HLO_TRY(deflate(&m, error));
  HLO_TRY(hlo_matrix_create(arena, n, m.kept, false, &changed, error));
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &sorted, error));
  if (m.kept > 0) HLO_TRY(multiply(&m, &changed, changed_values, error));
  collect(&m, &changed, changed_values, &sorted, sorted_values);
  return HLO_OK;
}

static hlo_status solve(const hlo_evaluator *evaluator, ptrdiff_t n, int depth, double *diagonal,
                        double *below, double unit, const hlo_matrix *q, ptrdiff_t *failed,
                        hlo_error *error) {
  if (depth == 0) {
    *failed += hlo_symmetric_eigenvalues(n, diagonal, below, unit, q);
    return HLO_OK;
  }
  ptrdiff_t half = n / 2;
  double off = below[half - 1], size = __builtin_fabs(off);
  diagonal[half - 1] -= size;
  diagonal[half] -= size;
  hlo_matrix first = hlo_matrix_part(q, 0, 0, half, half);
  hlo_matrix second = hlo_matrix_part(q, half, half, n - half, n - half);
  HLO_TRY(solve(evaluator, half, depth - 1, diagonal, below, unit, &first, failed, error));
  HLO_TRY(solve(evaluator, n - half, depth - 1, diagonal + half, below + half, unit, &second,
                failed, error));
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(merge_halves(evaluator, n, half, diagonal, off, q, error));
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

// The power of two that scales numbers of this magnitude to about 1.
static double power_near(double size) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  bits &= (uint64_t)0x7ff << 52;
  memcpy(&size, &bits, sizeof bits);
  return size > 0x1p-1000 ? size : 1;
}

hlo_status hlo_symmetric_eigenvectors(const hlo_evaluator *evaluator, ptrdiff_t n, double *diagonal,
                                      double *below, double unit, const hlo_matrix *vectors,
                                      ptrdiff_t *failed, hlo_error *error) {
  int depth = 0;
  double largest = 0;
  *failed = 0;
  hlo_matrix_set_identity(vectors);
  while ((n - 1) >> depth >= HLO_DIVIDE_FEW) depth++; // so that no part has more than so many rows
  for (ptrdiff_t i = 0; i < n; i++) {
    double size = __builtin_fabs(diagonal[i]), off = i + 1 < n ? __builtin_fabs(below[i]) : 0;
    largest = size > largest ? size : largest;
    largest = off > largest ? off : largest;
  }
  if (depth > 0) unit = HLO_UNIT_DOUBLE; // parts are joined by what is known of them
  double scale = power_near(largest);
  for (ptrdiff_t i = 0; i < n; i++) {
    diagonal[i] /= scale;
    if (i + 1 < n) below[i] /= scale;
  }
  HLO_TRY(solve(evaluator, n, depth, diagonal, below, unit, vectors, failed, error));
  for (ptrdiff_t i = 0; i < n; i++) diagonal[i] *= scale;
  return HLO_OK;
}
