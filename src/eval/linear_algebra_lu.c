// Gaussian elimination: LU factors with partial pivoting (Golub, Van Loan, 3.4, by columns) and
// tridiagonal systems (4.3, with exchanges of neighbouring rows). See linear_algebra.h.
#include "eval/linear_algebra.h"

// The sum of the parts' magnitudes: LAPACK's measure of a complex pivot.
static double magnitude(hlo_c128 z) { return __builtin_fabs(z.re) + __builtin_fabs(z.im); }

static bool is_zero(hlo_c128 z) { return z.re == 0 && z.im == 0; }

// The exchanges and eliminations of the columns before it.
static void update_column(const hlo_matrix *a, ptrdiff_t j, ptrdiff_t before,
                          const int32_t *pivots) {
  for (ptrdiff_t k = 0; k < before; k++) {
    hlo_c128 value = hlo_matrix_get(a, pivots[k], j);
    hlo_matrix_set(a, pivots[k], j, hlo_matrix_get(a, k, j));
    hlo_matrix_set(a, k, j, value);
  }
  for (ptrdiff_t k = 0; k < before; k++) {
    hlo_c128 factor = hlo_matrix_get(a, k, j);
    if (is_zero(factor)) continue;
    hlo_vector_add(hlo_column(a, j, k + 1), hlo_negative(factor), hlo_column(a, k, k + 1));
  }
}

ptrdiff_t hlo_lu(const hlo_matrix *a, int32_t *pivots) {
  ptrdiff_t singular = 0, steps = hlo_smaller(a->rows, a->columns);
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    update_column(a, j, hlo_smaller(j, steps), pivots);
    if (j >= steps) continue;
    ptrdiff_t best = j;
    double size = magnitude(hlo_matrix_get(a, j, j));
    for (ptrdiff_t i = j + 1; i < a->rows; i++) {
      double other = magnitude(hlo_matrix_get(a, i, j));
      if (other > size) {
        best = i;
        size = other;
      }
    }
    pivots[j] = (int32_t)best;
    if (best != j) {
      hlo_matrix done = hlo_matrix_part(a, 0, 0, a->rows, j + 1);
      hlo_vector_swap(hlo_row(&done, j, 0), hlo_row(&done, best, 0));
    }
    hlo_c128 pivot = hlo_matrix_get(a, j, j);
    if (is_zero(pivot)) {
      if (singular == 0) singular = j + 1;
      continue;
    }
    for (ptrdiff_t i = j + 1; i < a->rows; i++) {
      hlo_matrix_set(a, i, j, hlo_div_c128(hlo_matrix_get(a, i, j), pivot));
    }
  }
  return singular;
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
  set(x, i, hlo_difference(get(x, i), hlo_mul_c128(a, b)));
}

// Eliminates lower[i]. The second superdiagonal, which exchanges fill, takes lower's place.
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
    set(upper, i + 1, hlo_negative(hlo_mul_c128(factor, after)));
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
