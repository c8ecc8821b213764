// Roots of secular equations (R.-C. Li, Solving Secular Equations Stably and Efficiently, 1993).
// See linear_algebra.h.
#include "eval/linear_algebra.h"

enum { MOST_STEPS = 60 };
#define UNIT 1.1102230246251565e-16 // of rounding

// The sums of one step, at the place where the distances are those given: of all terms, of their
// magnitudes, and of the derivatives of those up to `middle` and behind it.
typedef struct secular_sums {
  double value, size, left, right;
} secular_sums;

static secular_sums sum_terms(ptrdiff_t n, ptrdiff_t middle, double constant, const double *squares,
                              const double *distances) {
  secular_sums s = {constant, constant, 0, 0};
  double below = 0, above = 0;
  for (ptrdiff_t i = 0; i <= middle; i++) {
    double term = squares[i] / distances[i];
    below += term;
    s.left += term / distances[i];
  }
  for (ptrdiff_t i = middle + 1; i < n; i++) {
    double term = squares[i] / distances[i];
    above += term;
    s.right += term / distances[i];
  }
  s.value += below + above;
  s.size += above - below; // terms up to the middle are negative
  return s;
}

static double gap(const double *poles, bool squared, ptrdiff_t i, ptrdiff_t k) {
  double difference = poles[i] - poles[k];
  return squared ? difference * (poles[i] + poles[k]) : difference;
}

// The root near 0 of c x² - a x + b.
static double small_root(double a, double b, double c) {
  double square = a * a - 4 * b * c, root = __builtin_sqrt(square > 0 ? square : 0);
  return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

// How far the root is from here, by a function with the two poles around it that has the same value
// and slopes; behind the last pole by one with that pole.
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

hlo_status hlo_make_secular(hlo_arena *scratch, ptrdiff_t n, const ptrdiff_t *order,
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
  const double *poles = e->poles, *squares = e->squares, constant = e->constant;
  ptrdiff_t n = e->n;
  bool squared = e->squared, last = j + 1 == n;
  double total = 0;
  for (ptrdiff_t i = 0; i < n && last; i++) total += squares[i];
  // Which half of the interval has it: the nearer pole becomes the origin.
  double width = last ? total / constant : gap(poles, squared, j + 1, j), x = width / 2;
  for (ptrdiff_t i = 0; i < n; i++) distances[i] = gap(poles, squared, i, j) - x;
  secular_sums s = sum_terms(n, j, constant, squares, distances);
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
    for (ptrdiff_t i = 0; i < n; i++) distances[i] = gap(poles, squared, i, *origin) - x;
    s = sum_terms(n, j, constant, squares, distances);
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
