// Singular vectors of bidiagonal matrices by divide and conquer: removing one row splits the matrix
// into two parts, which are solved and then merged with that row (M. Gu, S. Eisenstat, A
// Divide-and-Conquer Algorithm for the Bidiagonal SVD, 1995). See linear_algebra.h; divide.c is the
// same for eigenvectors.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"

#define UNIT 1.1102230246251565e-16 // of rounding

// Which part holds the nonzeros of a vector: above the joining row, below it, both, or that row.
typedef enum place { ABOVE, BOTH, BELOW, ROW, PLACES } place;

// Two solved parts: n rows, `half` of them above the joining row, and n or n + 1 columns. Column j
// of u pairs with column j of v; column `half` pairs the row itself with the null vector of the
// part above. A last column of v without a partner in u is the null vector of the part below.
typedef struct merge {
  const hlo_evaluator *evaluator;
  ptrdiff_t n, half, kept; // vectors that the row changes come first in order, the row's before all
  double *values, *z;
  const hlo_matrix *u, *v;
  ptrdiff_t *order;
  place *places;
} merge;

// --- small parts, solved by QR ---

// Turns an upper bidiagonal matrix into a lower one by rotations, or vice versa.
static void change_side(ptrdiff_t n, double *diagonal, double *off, bool more_columns,
                        const hlo_matrix *vectors) {
  for (ptrdiff_t i = 0; i < n - !more_columns; i++) {
    hlo_c128 s;
    double c, d = diagonal[i], e = off[i];
    hlo_rotation_compute(hlo_real(d), hlo_real(e), &c, &s);
    diagonal[i] = c * d + s.re * e;
    off[i] = i + 1 < n ? s.re * diagonal[i + 1] : 0;
    if (i + 1 < n) diagonal[i + 1] *= c;
    hlo_vector_rotate(hlo_column(vectors, i, 0), hlo_column(vectors, i + 1, 0), c, s);
  }
}

static void reverse(ptrdiff_t n, double *values, const hlo_matrix *u, const hlo_matrix *v) {
  for (ptrdiff_t i = 0, j = n - 1; i < j; i++, j--) {
    double kept = values[i];
    values[i] = values[j];
    values[j] = kept;
    hlo_vector_swap(hlo_column(u, i, 0), hlo_column(u, j, 0));
    hlo_vector_swap(hlo_column(v, i, 0), hlo_column(v, j, 0));
  }
}

// Solves a small part; singular values ascend from here on.
static bool solve_part(ptrdiff_t n, double *diagonal, double *above, const hlo_matrix *u,
                       const hlo_matrix *v) {
  if (v->columns > n) {
    change_side(n, diagonal, above, true, v);
    change_side(n, diagonal, above, false, u);
  }
  bool converged = hlo_bidiagonal_values(n, diagonal, above, HLO_UNIT_DOUBLE, u, v);
  reverse(n, diagonal, u, v);
  return converged;
}

// --- deflation: singular triplets that the row leaves unchanged ---

static void order_by_value(merge *m) {
  ptrdiff_t i = 0, j = m->half + 1;
  m->order[0] = m->half;
  for (ptrdiff_t k = 1; k < m->n; k++) {
    bool from_above = j == m->n || (i < m->half && m->values[i] <= m->values[j]);
    m->order[k] = from_above ? i++ : j++;
  }
}

// Deflates one of two equal values: rotates their vectors so that the row has no component along a.
static void deflate_pair(merge *m, ptrdiff_t a, ptrdiff_t b) {
  double s = m->z[a], c = m->z[b], norm = hlo_length((hlo_c128){c, s});
  m->z[b] = norm;
  m->z[a] = 0;
  if (m->places[a] != m->places[b]) m->places[b] = BOTH;
  hlo_c128 sine = hlo_real(-s / norm);
  hlo_vector_rotate(hlo_column(m->u, a, 0), hlo_column(m->u, b, 0), c / norm, sine);
  hlo_vector_rotate(hlo_column(m->v, a, 0), hlo_column(m->v, b, 0), c / norm, sine);
}

// Partitions `order` into the joining row, the values that it changes, ascending, and the deflated
// ones.
static hlo_status deflate(merge *m, double tolerance, hlo_error *error) {
  ptrdiff_t *taking, *rest, left = 0, previous = -1;
  HLO_ALLOC(taking, m->evaluator->scratch, m->n, error);
  HLO_ALLOC(rest, m->evaluator->scratch, m->n, error);
  taking[m->kept++] = m->half;
  for (ptrdiff_t k = 1; k < m->n; k++) {
    ptrdiff_t j = m->order[k];
    if (__builtin_fabs(m->z[j]) <= tolerance) {
      rest[left++] = j;
      continue;
    }
    if (previous >= 0 && m->values[j] - m->values[previous] <= tolerance) {
      deflate_pair(m, previous, j);
      rest[left++] = previous;
    } else if (previous >= 0) {
      taking[m->kept++] = previous;
    }
    previous = j;
  }
  if (previous >= 0) taking[m->kept++] = previous;
  for (ptrdiff_t k = 0; k < m->n; k++) m->order[k] = k < m->kept ? taking[k] : rest[k - m->kept];
  return HLO_OK;
}

// --- the secular problem of the remaining triplets ---

// Solves the secular equation: left and right singular vectors in the basis of the remaining
// vectors.
static hlo_status solve_secular(const merge *m, double tolerance, double *values,
                                const hlo_matrix *left, const hlo_matrix *right, hlo_error *error) {
  hlo_arena *scratch = m->evaluator->scratch;
  ptrdiff_t n = m->kept, origin;
  double *weights, offset;
  hlo_secular e;
  HLO_TRY(hlo_secular_init(scratch, n, m->order, m->values, m->z, &e, error));
  e.squared = true;
  if (n > 1 && e.poles[1] <= tolerance / 2) e.poles[1] = tolerance / 2;
  if (n == 1) {
    values[0] = __builtin_fabs(e.z[0]);
    left->re[0] = e.z[0] < 0 ? -1 : 1;
    right->re[0] = 1;
    return HLO_OK;
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    hlo_secular_root(&e, j, right->re + j * right->step, &origin, &offset);
    double pole = e.poles[origin], square = pole * pole + offset;
    values[j] = pole + offset / (pole + __builtin_sqrt(square > 0 ? square : 0));
  }
  HLO_TRY(hlo_secular_weights(&e, scratch, right, &weights, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    hlo_vector x = hlo_column(left, j, 0), y = hlo_column(right, j, 0);
    for (ptrdiff_t i = 0; i < n; i++) {
      y.re[i] = weights[i] / y.re[i];
      x.re[i] = i == 0 ? -1 : e.poles[i] * y.re[i];
    }
    hlo_vector_scale(x, hlo_real(1 / hlo_vector_norm(x)));
    hlo_vector_scale(y, hlo_real(1 / hlo_vector_norm(y)));
  }
  return HLO_OK;
}

// out = q s, with the remaining columns of q and the rows of s grouped by place, so that zero
// blocks are skipped; `row`: the place of the joining row's vector.
static hlo_status multiply(const merge *m, const hlo_matrix *q, place row, const hlo_matrix *s,
                           const hlo_matrix *out, hlo_error *error) {
  hlo_arena *arena = m->evaluator->scratch;
  ptrdiff_t n = m->kept, counts[PLACES] = {0}, at = 0;
  hlo_matrix old, weights;
  HLO_TRY(hlo_matrix_create(arena, q->rows, n, false, &old, error));
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &weights, error));
  for (int kind = 0; kind < PLACES; kind++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      if ((int)(i == 0 ? row : m->places[m->order[i]]) != kind) continue;
      hlo_matrix to = hlo_matrix_part(&old, 0, at, q->rows, 1);
      hlo_matrix from = hlo_matrix_part(q, 0, m->order[i], q->rows, 1);
      hlo_matrix_copy(&to, &from);
      for (ptrdiff_t j = 0; j < n; j++) weights.re[at + j * weights.step] = s->re[i + j * s->step];
      at++;
      counts[kind]++;
    }
  }
  // If the joining row is a separate place, the part above ends before it.
  ptrdiff_t above = row == ROW ? m->half : m->half + 1, start = m->half + 1;
  hlo_matrix to = hlo_matrix_part(out, 0, 0, above, n);
  hlo_matrix a = hlo_matrix_part(&old, 0, 0, above, counts[ABOVE] + counts[BOTH]);
  hlo_matrix b = hlo_matrix_part(&weights, 0, 0, a.columns, n);
  HLO_TRY(hlo_matrix_multiply(m->evaluator, &to, &a, false, &b, false, error));
  to = hlo_matrix_part(out, start, 0, q->rows - start, n);
  a = hlo_matrix_part(&old, start, counts[ABOVE], to.rows, counts[BOTH] + counts[BELOW]);
  b = hlo_matrix_part(&weights, counts[ABOVE], 0, a.columns, n);
  HLO_TRY(hlo_matrix_multiply(m->evaluator, &to, &a, false, &b, false, error));
  for (ptrdiff_t j = 0; j < n && row == ROW; j++)
    hlo_matrix_set(out, m->half, j, hlo_matrix_get(&weights, n - 1, j));
  return HLO_OK;
}

// Collects the vectors of one side in q in the order of `sources`, which index the columns of
// `changed` and then those of q.
static hlo_status collect(const merge *m, const hlo_matrix *changed, const ptrdiff_t *sources,
                          const hlo_matrix *q, hlo_error *error) {
  hlo_matrix sorted, whole = hlo_matrix_part(q, 0, 0, q->rows, m->n);
  HLO_TRY(hlo_matrix_create(m->evaluator->scratch, q->rows, m->n, false, &sorted, error));
  for (ptrdiff_t k = 0; k < m->n; k++) {
    ptrdiff_t j = sources[k];
    hlo_matrix to = hlo_matrix_part(&sorted, 0, k, q->rows, 1);
    hlo_matrix from = j < m->kept ? hlo_matrix_part(changed, 0, j, q->rows, 1)
                                  : hlo_matrix_part(q, 0, m->order[j], q->rows, 1);
    hlo_matrix_copy(&to, &from);
  }
  hlo_matrix_copy(&whole, &sorted);
  return HLO_OK;
}

// Sorts by value. sources: the sorted positions; values: on entry those of the changed triplets, on
// exit all.
static void sort(merge *m, double *values, ptrdiff_t *sources) {
  for (ptrdiff_t k = 0; k < m->n; k++) {
    double value = k < m->kept ? values[k] : m->values[m->order[k]];
    ptrdiff_t at = k;
    for (; at > 0 && values[at - 1] > value; at--) {
      values[at] = values[at - 1];
      sources[at] = sources[at - 1];
    }
    values[at] = value;
    sources[at] = k;
  }
  for (ptrdiff_t k = 0; k < m->n; k++) m->values[k] = values[k];
}

static hlo_status change(merge *m, place row, double tolerance, hlo_error *error) {
  hlo_arena *arena = m->evaluator->scratch;
  ptrdiff_t n = m->kept, *sources;
  double *values;
  hlo_matrix left, right, new_u, new_v;
  HLO_ALLOC(values, arena, m->n, error);
  HLO_ALLOC(sources, arena, m->n, error);
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &left, error));
  HLO_TRY(hlo_matrix_create(arena, n, n, false, &right, error));
  HLO_TRY(hlo_matrix_create(arena, m->u->rows, n, false, &new_u, error));
  HLO_TRY(hlo_matrix_create(arena, m->v->rows, n, false, &new_v, error));
  HLO_TRY(solve_secular(m, tolerance, values, &left, &right, error));
  HLO_TRY(multiply(m, m->u, ROW, &left, &new_u, error));
  HLO_TRY(multiply(m, m->v, row, &right, &new_v, error));
  sort(m, values, sources);
  HLO_TRY(collect(m, &new_u, sources, m->u, error));
  return collect(m, &new_v, sources, m->v, error);
}

// Merges the solutions of the two parts with the row (alpha, beta) between them.
static hlo_status merge_halves(const hlo_evaluator *evaluator, ptrdiff_t n, ptrdiff_t half,
                               double *values, double alpha, double beta, const hlo_matrix *u,
                               const hlo_matrix *v, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  merge m = {.evaluator = evaluator, .n = n, .half = half, .values = values, .u = u, .v = v};
  HLO_ALLOC(m.z, arena, n, error);
  HLO_ALLOC(m.order, arena, n, error);
  HLO_ALLOC(m.places, arena, n, error);
  double largest = __builtin_fabs(alpha) > __builtin_fabs(beta) ? alpha : beta;
  largest = __builtin_fabs(largest);
  values[half] = 0;
  for (ptrdiff_t j = 0; j < n; j++) {
    bool is_above = j <= half;
    m.z[j] =
        is_above ? alpha * hlo_matrix_get(v, half, j).re : beta * hlo_matrix_get(v, half + 1, j).re;
    m.places[j] = is_above ? ABOVE : BELOW;
    if (values[j] > largest) largest = values[j];
  }
  double tolerance = 8 * UNIT * largest, *row = &m.z[half];
  if (v->columns > n) { // two columns are mapped to zero: one of their combinations stays so
    double x = *row, y = beta * hlo_matrix_get(v, half + 1, n).re;
    *row = hlo_length((hlo_c128){x, y});
    if (*row > tolerance)
      hlo_vector_rotate(hlo_column(v, half, 0), hlo_column(v, n, 0), x / *row, hlo_real(y / *row));
  }
  if (__builtin_fabs(*row) <= tolerance) *row = tolerance;
  order_by_value(&m);
  HLO_TRY(deflate(&m, tolerance, error));
  return change(&m, v->columns > n ? BOTH : ABOVE, tolerance, error);
}

static hlo_status solve(const hlo_evaluator *evaluator, ptrdiff_t n, int depth, double *diagonal,
                        double *above, const hlo_matrix *u, const hlo_matrix *v, bool *converged,
                        hlo_error *error) {
  if (depth == 0) {
    if (!solve_part(n, diagonal, above, u, v)) *converged = false;
    return HLO_OK;
  }
  ptrdiff_t half = n / 2, rest = n - half - 1, more = v->columns - half - 1;
  double alpha = diagonal[half], beta = above[half];
  hlo_matrix first_u = hlo_matrix_part(u, 0, 0, half, half);
  hlo_matrix first_v = hlo_matrix_part(v, 0, 0, half + 1, half + 1);
  hlo_matrix second_u = hlo_matrix_part(u, half + 1, half + 1, rest, rest);
  hlo_matrix second_v = hlo_matrix_part(v, half + 1, half + 1, more, more);
  HLO_TRY(solve(evaluator, half, depth - 1, diagonal, above, &first_u, &first_v, converged, error));
  HLO_TRY(solve(evaluator, rest, depth - 1, diagonal + half + 1, above + half + 1, &second_u,
                &second_v, converged, error));
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(merge_halves(evaluator, n, half, diagonal, alpha, beta, u, v, error));
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

hlo_status hlo_bidiagonal_vectors(const hlo_evaluator *evaluator, ptrdiff_t n, double *diagonal,
                                  double *above, double unit, const hlo_matrix *left,
                                  const hlo_matrix *right, bool *converged, hlo_error *error) {
  int depth = 0;
  double largest = 0;
  if (n <= HLO_DIVIDE_FEW) {
    *converged = hlo_bidiagonal_values(n, diagonal, above, unit, left, right);
    return HLO_OK;
  }
  *converged = true;
  while (n >> depth > HLO_DIVIDE_FEW) depth++;
  for (ptrdiff_t i = 0; i < n; i++) {
    double size = __builtin_fabs(diagonal[i]), off = i + 1 < n ? __builtin_fabs(above[i]) : 0;
    largest = size > largest ? size : largest;
    largest = off > largest ? off : largest;
  }
  // Zeros on the diagonal would make poles equal.
  for (ptrdiff_t i = 0; i < n; i++) {
    if (__builtin_fabs(diagonal[i]) < UNIT * largest)
      diagonal[i] = diagonal[i] < 0 ? -UNIT * largest : UNIT * largest;
  }
  HLO_TRY(solve(evaluator, n, depth, diagonal, above, left, right, converged, error));
  reverse(n, diagonal, left, right);
  return HLO_OK;
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
