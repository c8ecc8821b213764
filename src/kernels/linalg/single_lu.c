// LU factors with partial pivoting in single precision (Golub, Van Loan, 3.4), recursive over
// halves of the columns (S. Toledo, Locality of Reference in LU Decomposition with Partial
// Pivoting, 1997). See single.h.
#include "kernels/linalg/single.h"
#include "kernels/machine.h"

#include <string.h>

// Exchanges rows of a as `count` pivots say, which count from a's first row.
static void exchange_rows(const hlo_single *a, const int32_t *pivots, ptrdiff_t count) {
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    float *column = a->data + j * a->step;
    for (ptrdiff_t k = 0; k < count; k++) {
      float kept = column[k];
      column[k] = column[pivots[k]];
      column[pivots[k]] = kept;
    }
  }
}

static float size_of(float x) { return __builtin_fabsf(x); }

// The first row from k on with the largest element.
static ptrdiff_t find_pivot(const float *column, ptrdiff_t k, ptrdiff_t rows) {
  typedef int32_t bits __attribute__((vector_size(16)));
  ptrdiff_t aligned = hlo_four_after(k), best = k;
  float most = size_of(column[k]);
  for (ptrdiff_t i = k + 1; i < aligned && i < rows; i++)
    if (size_of(column[i]) > most) most = size_of(column[best = i]);
  bits largest = {0};                             // magnitudes are ordered as integers are
  for (ptrdiff_t i = aligned; i < rows; i += 4) { // what follows the rows is zero
    bits some = (bits)*hlo_four_at(column + i) & 0x7fffffff, greater = some > largest;
    largest = (some & greater) | (largest & ~greater);
  }
  hlo_four sizes = (hlo_four)largest;
  float beyond = 0;
  for (int lane = 0; lane < 4; lane++) beyond = sizes[lane] > beyond ? sizes[lane] : beyond;
  if (!(beyond > most)) return best;
  for (ptrdiff_t i = aligned; i < rows; i++)
    if (size_of(column[i]) == beyond) return i;
  return best;
}

// Divides the elements below row k by the pivot, and stores them in l, too, which is zero above.
// False if the pivot is zero.
static bool eliminate_column(float *column, ptrdiff_t k, ptrdiff_t rows, float *l) {
  float pivot = column[k];
  ptrdiff_t i = k + 1;
  l[k] = 0;
  if (pivot == 0) return false;
  for (; i < hlo_four_after(k + 1); i++) l[i] = i < rows ? column[i] /= pivot : 0;
  for (; i < rows; i += 4) *hlo_four_at(l + i) = *hlo_four_at(column + i) /= pivot;
  return true;
}

// Column by column. l: numbers for the rows.
static void factor_panel(const hlo_single *a, int32_t *pivots, ptrdiff_t *singular, float *l) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), end = hlo_four_after(a->rows);
  for (ptrdiff_t k = 0; k < steps; k++) {
    float *column = a->data + k * a->step;
    ptrdiff_t pivot = find_pivot(column, k, a->rows);
    pivots[k] = (int32_t)pivot;
    for (ptrdiff_t j = 0; j < a->columns && pivot != k; j++) {
      float *other = a->data + j * a->step, kept = other[k];
      other[k] = other[pivot];
      other[pivot] = kept;
    }
    if (!eliminate_column(column, k, a->rows, l)) {
      if (*singular == 0) *singular = k + 1;
      continue;
    }
    for (ptrdiff_t j = k + 1; j < a->columns; j += 4) {
      hlo_columns c = hlo_single_columns(a, j);
      hlo_four factors = {c.at[0][k], c.at[1][k], c.at[2][k], c.at[3][k]};
      hlo_columns_subtract(&c, hlo_four_before(k + 1), end, factors, l);
    }
  }
}

// --- triangles ---

static hlo_four all(float x) { return (hlo_four){x, x, x, x}; }

// Two columns at a time, to hide the latency of the dependent rows.
static void substitute(const float below[HLO_LU_PANEL][HLO_LU_PANEL], float *first, float *second) {
  hlo_four x[HLO_LU_PANEL / 4], y[HLO_LU_PANEL / 4];
  for (int q = 0; q < HLO_LU_PANEL / 4; q++) {
    x[q] = *hlo_four_at(first + 4 * q);
    y[q] = *hlo_four_at(second + 4 * q);
  }
#pragma unroll
  for (int k = 0; k + 1 < HLO_LU_PANEL; k++) {
    hlo_four f = all(x[k / 4][k % 4]), g = all(y[k / 4][k % 4]);
#pragma unroll
    for (int q = k / 4; q < HLO_LU_PANEL / 4; q++) {
      x[q] -= f * *hlo_four_at(below[k] + 4 * q);
      y[q] -= g * *hlo_four_at(below[k] + 4 * q);
    }
  }
  for (int q = 0; q < HLO_LU_PANEL / 4; q++) {
    *hlo_four_at(first + 4 * q) = x[q];
    *hlo_four_at(second + 4 * q) = y[q];
  }
}

// b = l⁻¹ b for the lower triangle l with ones on its diagonal, both of no more than HLO_LU_PANEL
// rows.
static void solve_few(const hlo_single *l, const hlo_single *b) {
  float below[HLO_LU_PANEL][HLO_LU_PANEL] = {{0}}, columns[2][HLO_LU_PANEL] = {{0}};
  ptrdiff_t n = b->rows;
  size_t size = (size_t)n * sizeof(float);
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = k + 1; i < n; i++) below[k][i] = l->data[i + k * l->step];
  }
  for (ptrdiff_t j = 0; j < b->columns; j += 2) {
    float *first = b->data + j * b->step;
    float *second = j + 1 < b->columns ? first + b->step : columns[1];
    if (n == HLO_LU_PANEL) {
      substitute(below, first, second);
      continue;
    }
    memcpy(columns[0], first, size);
    if (second != columns[1]) memcpy(columns[1], second, size);
    substitute(below, columns[0], columns[1]);
    memcpy(first, columns[0], size);
    if (second != columns[1]) memcpy(second, columns[1], size);
  }
}

// The first of `rows` rows of m, or what follows them.
static hlo_single top_of(const hlo_single *m, ptrdiff_t rows) {
  hlo_single top = *m;
  top.rows = rows;
  return top;
}

// The same for any number of rows, but a multiple of HLO_LU_PANEL if there are more.
static hlo_status solve_unit_lower(const hlo_evaluator *evaluator, const hlo_single *l,
                                   const hlo_single *b, hlo_error *error) {
  ptrdiff_t n = b->rows, half = n / 2 / HLO_LU_PANEL * HLO_LU_PANEL;
  if (n <= HLO_LU_PANEL) {
    solve_few(l, b);
    return HLO_OK;
  }
  hlo_single upper = top_of(b, half), lower = hlo_single_part(b, half, 0, b->columns);
  hlo_single off = hlo_single_part(l, half, 0, half),
             rest = hlo_single_part(l, half, half, n - half);
  HLO_TRY(solve_unit_lower(evaluator, l, &upper, error));
  HLO_TRY(hlo_single_subtract_product(evaluator, &lower, &off, &upper, error));
  return solve_unit_lower(evaluator, &rest, &lower, error);
}

// --- the whole ---

static hlo_status factor(const hlo_evaluator *evaluator, const hlo_single *a, int32_t *pivots,
                         ptrdiff_t *singular, float *l, hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), found = 0;
  ptrdiff_t half = (steps / 2 + HLO_LU_PANEL - 1) / HLO_LU_PANEL * HLO_LU_PANEL;
  *singular = 0;
  if (steps == 0) return HLO_OK;
  if (a->columns <= HLO_LU_PANEL) {
    factor_panel(a, pivots, singular, l);
    return HLO_OK;
  }
  if (steps <= HLO_LU_PANEL) half = steps;
  hlo_single left = hlo_single_part(a, 0, 0, half);
  hlo_single right = hlo_single_part(a, 0, half, a->columns - half);
  hlo_single upper = top_of(&right, half);
  HLO_TRY(factor(evaluator, &left, pivots, singular, l, error));
  exchange_rows(&right, pivots, half);
  HLO_TRY(solve_unit_lower(evaluator, &left, &upper, error));
  if (half == steps) return HLO_OK;
  hlo_single below = hlo_single_part(&left, half, 0, half);
  hlo_single rest = hlo_single_part(&right, half, 0, right.columns);
  HLO_TRY(hlo_single_subtract_product(evaluator, &rest, &below, &upper, error));
  HLO_TRY(factor(evaluator, &rest, pivots + half, &found, l, error));
  exchange_rows(&below, pivots + half, steps - half);
  for (ptrdiff_t k = half; k < steps; k++) pivots[k] += (int32_t)half;
  if (*singular == 0 && found > 0) *singular = found + half;
  return HLO_OK;
}

hlo_status hlo_single_lu(const hlo_evaluator *evaluator, const hlo_single *a, int32_t *pivots,
                         ptrdiff_t *singular, hlo_error *error) {
  float *l;
  HLO_TRY(hlo_single_numbers(evaluator->scratch, a->rows, &l, error));
  return factor(evaluator, a, pivots, singular, l, error);
}
