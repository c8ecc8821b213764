// Roots of secular equations (R.-C. Li, Solving Secular Equations Stably and Efficiently, 1993).
// See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"

enum { MOST_STEPS = 60 };
#define UNIT 1.1102230246251565e-16 // of rounding

// Sums over the terms at one point: their values, their magnitudes, and their derivatives up to
// `middle` and after it.
typedef struct secular_sums {
  double value, size, left, right;
} secular_sums;

static double gap(const double *poles, bool squared, ptrdiff_t i, ptrdiff_t k) {
  double difference = poles[i] - poles[k];
  return squared ? difference * (poles[i] + poles[k]) : difference;
}

typedef double pair __attribute__((vector_size(16), aligned(8)));

// Terms from `first` to before `end`, with one division each; writes the poles' distances from the
// point `pole` + x.
static void sum_range(const hlo_secular *e, ptrdiff_t first, ptrdiff_t end, double pole, double x,
                      double *distances, double *sum, double *slope) {
  const double *poles = e->poles, *squares = e->squares;
  pair sums = {0, 0}, slopes = {0, 0};
  ptrdiff_t i = first;
  for (; i + 2 <= end; i += 2) {
    pair p = *(const pair *)(poles + i), distance = p - pole;
    if (e->squared) distance *= p + pole;
    distance -= x;
    *(pair *)(distances + i) = distance;
    pair inverse = 1.0 / distance, term = *(const pair *)(squares + i) * inverse;
    sums += term;
    slopes += term * inverse;
  }
  *sum = sums[0] + sums[1];
  *slope = slopes[0] + slopes[1];
  if (i == end) return;
  distances[i] = (e->squared ? (poles[i] - pole) * (poles[i] + pole) : poles[i] - pole) - x;
  double inverse = 1 / distances[i], term = squares[i] * inverse;
  *sum += term;
  *slope += term * inverse;
}

// At the point p[k] + x, for root j.
static secular_sums sum_terms(const hlo_secular *e, ptrdiff_t j, ptrdiff_t k, double x,
                              double *distances) {
  secular_sums s;
  double below, above;
  sum_range(e, 0, j + 1, e->poles[k], x, distances, &below, &s.left);
  sum_range(e, j + 1, e->n, e->poles[k], x, distances, &above, &s.right);
  s.value = e->constant + (below + above);
  s.size = e->constant + (above - below); // terms up to the middle are negative
  return s;
}

// The root near 0 of c x² - a x + b.
static double small_root(double a, double b, double c) {
  double square = a * a - 4 * b * c, root = __builtin_sqrt(square > 0 ? square : 0);
  return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

// The step to the root of a rational interpolant: the two poles around the root, same value and
// slopes (the "middle way"); after the last pole, that pole alone.
static double step_to_root(ptrdiff_t n, ptrdiff_t j, const double *distances,
                           const secular_sums *s) {
  double left = distances[j];
  if (j + 1 == n) {
    double slope = s->left, base = s->value - slope * left;
    return left + slope * left * left / base;
  }
  double right = distances[j + 1], slopes = s->left + s->right;
  double c = s->value - left * s->left - right * s->right;
  double a = (left + right) * s->value - left * right * slopes;
  return small_root(a, left * right * s->value, c);
}

hlo_status hlo_secular_init(hlo_arena *scratch, ptrdiff_t n, const ptrdiff_t *order,
                            const double *values, const double *z, hlo_secular *out,
                            hlo_error *error) {
  *out = (hlo_secular){.n = n, .constant = 1};
  HLO_ALLOC(out->poles, scratch, n, error);
  HLO_ALLOC(out->z, scratch, n, error);
  HLO_ALLOC(out->squares, scratch, n, error);
  for (ptrdiff_t i = 0; i < n; i++) {
    out->poles[i] = values[order[i]];
    out->z[i] = z[order[i]];
    out->squares[i] = out->z[i] * out->z[i];
  }
  return HLO_OK;
}

void hlo_secular_root(const hlo_secular *e, ptrdiff_t j, double *distances, ptrdiff_t *origin,
                      double *offset) {
  ptrdiff_t n = e->n;
  bool last = j + 1 == n;
  double total = 0;
  for (ptrdiff_t i = 0; i < n && last; i++) total += e->squares[i];
  // Determine the half of the interval with the root: the nearer pole becomes the origin.
  double width = last ? total / e->constant : gap(e->poles, e->squared, j + 1, j), x = width / 2;
  secular_sums s = sum_terms(e, j, j, x, distances);
  bool right = !last && s.value < 0;
  *origin = right ? j + 1 : j;
  double low = right ? -width / 2 : 0, high = right ? 0 : last ? width : width / 2;
  if (last && s.value < 0) low = x;
  if (last && s.value >= 0) high = x;
  x = right ? -width / 2 : width / 2;
  for (int step = 0; step < MOST_STEPS; step++) {
    if (__builtin_fabs(s.value) <= 4 * UNIT * s.size) break;
    double next = x + step_to_root(n, j, distances, &s);
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == x || next == low || next == high) break;
    x = next;
    s = sum_terms(e, j, *origin, x, distances);
    if (s.value < 0) low = x;
    else high = x;
  }
  *offset = x;
}

hlo_status hlo_secular_weights(const hlo_secular *e, hlo_arena *scratch,
                               const hlo_matrix *distances, double **out, hlo_error *error) {
  ptrdiff_t n = e->n;
  double *weights;
  HLO_ALLOC(weights, scratch, n, error);
  for (ptrdiff_t i = 0; i < n; i++) {
    weights[i] = -distances->re[i + i * distances->step];
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    const double *column = distances->re + j * distances->step;
    for (ptrdiff_t i = 0; i < n; i++) {
      if (i != j) weights[i] *= column[i] / gap(e->poles, e->squared, i, j);
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    double size = __builtin_sqrt(__builtin_fabs(weights[i]));
    weights[i] = e->z[i] < 0 ? -size : size;
  }
  *out = weights;
  return HLO_OK;
}
