// Tridiagonal systems by elimination with exchanges of neighbouring rows (Golub, Van Loan, 4.3).
// See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"

// |re| + |im|: LAPACK's measure of a complex pivot.
static double magnitude(hlo_c128 z) { return __builtin_fabs(z.re) + __builtin_fabs(z.im); }

static bool is_zero(hlo_c128 z) { return z.re == 0 && z.im == 0; }

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
