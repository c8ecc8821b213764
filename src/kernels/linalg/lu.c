// Gaussian elimination: LU factors with partial pivoting (Golub, Van Loan, 3.4) and
// tridiagonal systems (4.3, with exchanges of neighbouring rows). See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"

// |re| + |im|: LAPACK's measure of a complex pivot.
static double magnitude(hlo_c128 z) { return __builtin_fabs(z.re) + __builtin_fabs(z.im); }

static bool is_zero(hlo_c128 z) { return z.re == 0 && z.im == 0; }

// Exchanges rows of a as `count` pivots say, which count from a's first row.
static void exchange_rows(const hlo_matrix *a, const int32_t *pivots, ptrdiff_t count) {
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    for (int part = 0; part < (a->im != NULL ? 2 : 1); part++) {
      double *column = (part == 0 ? a->re : a->im) + j * a->step;
      for (ptrdiff_t k = 0; k < count; k++) {
        double kept = column[k];
        column[k] = column[pivots[k]];
        column[pivots[k]] = kept;
      }
    }
  }
}

// The row of the largest magnitude in a real column.
static ptrdiff_t pivot_row(const double *x, ptrdiff_t rows) {
  ptrdiff_t best = 0;
  double size = __builtin_fabs(x[0]);
  for (ptrdiff_t i = 1; i < rows; i++) {
    if (!(__builtin_fabs(x[i]) > size)) continue;
    best = i;
    size = __builtin_fabs(x[i]);
  }
  return best;
}

static bool eliminate_real_column(double *x, ptrdiff_t rows, int32_t *pivot) {
  ptrdiff_t best = pivot_row(x, rows);
  double divisor = x[best];
  *pivot = (int32_t)best;
  x[best] = x[0];
  x[0] = divisor;
  for (ptrdiff_t i = 1; i < rows && divisor != 0; i++) x[i] /= divisor;
  return divisor != 0;
}

// Exchanges the largest element of a column to the top and divides the rest by it. False if it is
// 0.
static bool eliminate_column(const hlo_matrix *a, int32_t *pivot) {
  if (a->im == NULL) return eliminate_real_column(a->re, a->rows, pivot);
  ptrdiff_t best = 0;
  double size = magnitude(hlo_matrix_get(a, 0, 0));
  for (ptrdiff_t i = 1; i < a->rows; i++) {
    double other = magnitude(hlo_matrix_get(a, i, 0));
    if (!(other > size)) continue;
    best = i;
    size = other;
  }
  *pivot = (int32_t)best;
  exchange_rows(a, pivot, 1);
  hlo_c128 divisor = hlo_matrix_get(a, 0, 0);
  if (is_zero(divisor)) return false;
  for (ptrdiff_t i = 1; i < a->rows; i++)
    hlo_matrix_set(a, i, 0, hlo_div_c128(hlo_matrix_get(a, i, 0), divisor));
  return true;
}

// y -= sum of factors[k] columns[k] for four columns, `step` numbers apart.
static void subtract_four(ptrdiff_t n, double *restrict y, const double *factors, const double *x,
                          ptrdiff_t step) {
  const double *x1 = x + step, *x2 = x1 + step, *x3 = x2 + step;
  double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  for (ptrdiff_t i = 0; i < n; i++) y[i] = y[i] - f0 * x[i] - f1 * x1[i] - f2 * x2[i] - f3 * x3[i];
}

// As below for few real rows: solves four, then subtracts their contribution from the others.
static void solve_real(const hlo_matrix *l, const hlo_matrix *b) {
  ptrdiff_t n = b->rows;
  for (ptrdiff_t j = 0; j < b->columns; j++) {
    double *x = b->re + j * b->step;
    for (ptrdiff_t k = 0; k < n; k += 4) {
      ptrdiff_t end = hlo_smaller(k + 4, n);
      for (ptrdiff_t p = k; p < end; p++) {
        for (ptrdiff_t i = p + 1; i < end; i++) x[i] -= x[p] * l->re[i + p * l->step];
      }
      if (end < n) subtract_four(n - end, x + end, x + k, l->re + end + k * l->step, l->step);
    }
  }
}

// b = l⁻¹ b for the lower triangle l with ones on its diagonal.
static hlo_status solve_unit_lower(const hlo_evaluator *evaluator, const hlo_matrix *l,
                                   const hlo_matrix *b, hlo_error *error) {
  ptrdiff_t n = b->rows, half = n / 2;
  if (n <= HLO_LU_FEW_COLUMNS && b->im == NULL) {
    solve_real(l, b);
    return HLO_OK;
  }
  if (n <= HLO_LU_FEW_COLUMNS) {
    for (ptrdiff_t j = 0; j < b->columns; j++) {
      for (ptrdiff_t k = 0; k + 1 < n; k++) {
        hlo_c128 factor = hlo_matrix_get(b, k, j);
        hlo_vector below = hlo_column(l, k, k + 1);
        below.n = n - k - 1;
        hlo_vector_add(hlo_column(b, j, k + 1), hlo_negative(factor), below);
      }
    }
    return HLO_OK;
  }
  hlo_matrix upper = hlo_matrix_part(b, 0, 0, half, b->columns);
  hlo_matrix lower = hlo_matrix_part(b, half, 0, n - half, b->columns);
  hlo_matrix off = hlo_matrix_part(l, half, 0, n - half, half);
  hlo_matrix rest = hlo_matrix_part(l, half, half, n - half, n - half);
  HLO_TRY(solve_unit_lower(evaluator, l, &upper, error));
  HLO_TRY(hlo_matrix_add_product(evaluator, &lower, -1, &off, false, &upper, false, error));
  return solve_unit_lower(evaluator, &rest, &lower, error);
}

// Column by column.
static void factor_few(const hlo_matrix *a, int32_t *pivots, ptrdiff_t *singular) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  for (ptrdiff_t k = 0; k < steps; k++) {
    hlo_matrix rest = hlo_matrix_part(a, k, k, a->rows - k, 1);
    bool is_regular = eliminate_column(&rest, &pivots[k]);
    if (!is_regular && *singular == 0) *singular = k + 1;
    for (ptrdiff_t j = 0; j < a->columns; j++) {
      hlo_matrix column = hlo_matrix_part(a, k, j, a->rows - k, 1);
      if (j != k) exchange_rows(&column, &pivots[k], 1);
      if (j <= k || !is_regular) continue;
      hlo_c128 factor = hlo_negative(hlo_matrix_get(a, k, j));
      hlo_vector_add(hlo_column(a, j, k + 1), factor, hlo_column(a, k, k + 1));
    }
    pivots[k] += (int32_t)k;
  }
}

// Recursive over halves of the columns (S. Toledo, Locality of Reference in LU Decomposition with
// Partial Pivoting, 1997), so that most of the work is GEMM.
hlo_status hlo_lu(const hlo_evaluator *evaluator, const hlo_matrix *a, int32_t *pivots,
                  ptrdiff_t *singular, hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), half = steps / 2, found;
  *singular = 0;
  if (steps == 0) return HLO_OK;
  if (a->columns <= HLO_LU_FEW_COLUMNS) {
    factor_few(a, pivots, singular);
    return HLO_OK;
  }
  if (a->rows == 1) { // nothing to exchange or to divide
    pivots[0] = 0;
    *singular = is_zero(hlo_matrix_get(a, 0, 0));
    return HLO_OK;
  }
  hlo_matrix left = hlo_matrix_part(a, 0, 0, a->rows, half);
  hlo_matrix right = hlo_matrix_part(a, 0, half, a->rows, a->columns - half);
  hlo_matrix below = hlo_matrix_part(&left, half, 0, a->rows - half, half);
  hlo_matrix upper = hlo_matrix_part(&right, 0, 0, half, right.columns);
  hlo_matrix rest = hlo_matrix_part(&right, half, 0, a->rows - half, right.columns);
  HLO_TRY(hlo_lu(evaluator, &left, pivots, singular, error));
  exchange_rows(&right, pivots, half);
  HLO_TRY(solve_unit_lower(evaluator, &left, &upper, error));
  HLO_TRY(hlo_matrix_add_product(evaluator, &rest, -1, &below, false, &upper, false, error));
  HLO_TRY(hlo_lu(evaluator, &rest, pivots + half, &found, error));
  exchange_rows(&below, pivots + half, steps - half);
  for (ptrdiff_t k = half; k < steps; k++) pivots[k] += (int32_t)half;
  if (*singular == 0 && found > 0) *singular = found + half;
  return HLO_OK;
}

// --- tridiagonal systems ---

static hlo_c128 get(hlo_vector x, ptrdiff_t i) {
  return (hlo_c128){x.re[i * x.step], x.im == NULL ? 0 : x.im[i * x.step]};
}
static void set(hlo_vector x, ptrdiff_t i, hlo_c128 value) {
  x.re[i * x.step] = value.re;
  if (x.im != NULL) x.im[i * x.step] = value.im;
}
static void subtract_product(hlo_vector x, ptrdiff_t i, hlo_c128 a, hlo_c128 b) {
  set(x, i, hlo_difference(get(x, i), hlo_product(a, b)));
}

// Eliminates lower[i]. Row exchanges fill in a second superdiagonal, which is stored in `lower`.
static void eliminate(hlo_vector lower, hlo_vector diagonal, hlo_vector upper, const hlo_matrix *b,
                      ptrdiff_t i) {
  hlo_c128 below = get(lower, i), next = get(diagonal, i + 1), right = get(upper, i);
  bool last = i + 2 == diagonal.n;
  if (magnitude(get(diagonal, i)) >= magnitude(below)) {
    hlo_c128 factor = is_zero(below) ? below : hlo_div_c128(below, get(diagonal, i));
    subtract_product(diagonal, i + 1, factor, right);
    hlo_vector_add(hlo_row(b, i + 1, 0), hlo_negative(factor), hlo_row(b, i, 0));
    if (!last) set(lower, i, hlo_real(0));
    return;
  }
  hlo_c128 factor = hlo_div_c128(get(diagonal, i), below);
  set(diagonal, i, below);
  set(upper, i, next);
  set(diagonal, i + 1, right);
  subtract_product(diagonal, i + 1, factor, next);
  if (!last) {
    hlo_c128 after = get(upper, i + 1);
    set(lower, i, after);
    set(upper, i + 1, hlo_negative(hlo_product(factor, after)));
  }
  hlo_vector_swap(hlo_row(b, i, 0), hlo_row(b, i + 1, 0));
  hlo_vector_add(hlo_row(b, i + 1, 0), hlo_negative(factor), hlo_row(b, i, 0));
}

ptrdiff_t hlo_solve_tridiagonal(hlo_vector lower, hlo_vector diagonal, hlo_vector upper,
                                const hlo_matrix *b, double least) {
  ptrdiff_t n = diagonal.n;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (i + 1 < n && least == 0 && is_zero(get(diagonal, i)) && is_zero(get(lower, i)))
      return i + 1;
    if (i + 1 < n) eliminate(lower, diagonal, upper, b, i);
    hlo_c128 pivot = get(diagonal, i);
    if (magnitude(pivot) < least) set(diagonal, i, hlo_real(pivot.re < 0 ? -least : least));
    else if (is_zero(pivot)) return i + 1;
  }
  for (ptrdiff_t i = n - 1; i >= 0; i--) {
    hlo_vector row = hlo_row(b, i, 0);
    if (i + 1 < n) hlo_vector_add(row, hlo_negative(get(upper, i)), hlo_row(b, i + 1, 0));
    if (i + 2 < n) hlo_vector_add(row, hlo_negative(get(lower, i)), hlo_row(b, i + 2, 0));
    hlo_vector_scale(row, hlo_div_c128(hlo_real(1), get(diagonal, i)));
  }
  return 0;
}
