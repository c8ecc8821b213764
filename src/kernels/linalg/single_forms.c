// Tridiagonal and bidiagonal forms in single precision (Golub, Van Loan, 8.3.1 and 5.4.8). See
// single.h.
//
// A reflector's rank-two update is deferred until the next reflector is known; then one pass over
// the matrix applies the update and multiplies by the next reflector (G. Howell, J. Demmel, C.
// Fulton, S. Hammarling, K. Marmol, Cache Efficient Bidiagonalization Using BLAS 2.5 Operators,
// 2008).
#include "kernels/linalg/single.h"

#include <string.h>

// The deferred update, still to be subtracted: left[0] right[0]ᵀ + left[1] right[1]ᵀ.
typedef struct change {
  const float *left[2], *right[2];
} change;

// Subtracts the deferred update from column j, from row `first` on.
static void change_column(const hlo_single *a, ptrdiff_t j, ptrdiff_t first, const change *c) {
  float *column = a->data + j * a->step, f = c->right[0][j], g = c->right[1][j];
  for (ptrdiff_t i = hlo_four_before(first); i < a->rows; i += 4)
    *hlo_four_at(column + i) -= f * *hlo_four_at(c->left[0] + i) + g * *hlo_four_at(c->left[1] + i);
}

// Subtracts it from four columns, and returns their dot products with v, which is zero above row
// `first`.
static hlo_four change_columns(const hlo_single *a, ptrdiff_t j, ptrdiff_t first, const change *c,
                               const float *v, hlo_columns *columns) {
  *columns = hlo_single_columns(a, j);
  return hlo_columns_change(columns, hlo_four_before(first), hlo_four_after(a->rows),
                            *hlo_four_at(c->right[0] + j), c->left[0],
                            *hlo_four_at(c->right[1] + j), c->left[1], v);
}

// xᵀ y from element `first` on, where y is zero before it.
static float dot(const float *x, const float *y, ptrdiff_t first, ptrdiff_t n) {
  hlo_four sums = {0};
  for (ptrdiff_t i = hlo_four_before(first); i < n; i += 4)
    sums += *hlo_four_at(x + i) * *hlo_four_at(y + i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// x = factor (x + other y), likewise.
static void combine(float *x, float factor, float other, const float *y, ptrdiff_t first,
                    ptrdiff_t n) {
  for (ptrdiff_t i = hlo_four_before(first); i < n; i += 4)
    *hlo_four_at(x + i) = factor * (*hlo_four_at(x + i) + other * *hlo_four_at(y + i));
}

static void store_reflector(const hlo_single *to, ptrdiff_t column, const float *v,
                            ptrdiff_t first) {
  memcpy(to->data + column * to->step + first, v + first, (size_t)(to->rows - first) * sizeof *v);
}

hlo_status hlo_single_tridiagonal(const hlo_evaluator *evaluator, const hlo_single *a,
                                  double *diagonal, double *below, float *taus, hlo_error *error) {
  ptrdiff_t n = a->rows;
  float *v[2], *w[2]; // the last reflector's, and the next one's
  hlo_columns columns;
  for (int i = 0; i < 2; i++) {
    HLO_TRY(hlo_single_numbers(evaluator->scratch, n, &v[i], error));
    HLO_TRY(hlo_single_numbers(evaluator->scratch, n, &w[i], error));
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    float *next = v[(k + 1) % 2], *product = w[(k + 1) % 2], *column = a->data + k * a->step;
    change c = {{v[k % 2], w[k % 2]}, {w[k % 2], v[k % 2]}};
    change_column(a, k, k, &c);
    diagonal[k] = (double)column[k];
    if (k + 1 == n) break;
    float tau = taus[k] = hlo_single_reflector(column, k + 1, n, next, &below[k]);
    for (ptrdiff_t i = hlo_four_before(k + 1); i <= k; i++) product[i] = 0;
    for (ptrdiff_t j = k + 1; j < n; j += 4)
      *hlo_four_at(product + j) = change_columns(a, j, k + 1, &c, next, &columns);
    combine(product, tau, -0.5f * tau * dot(product, next, k + 1, n), next, k + 1, n);
    store_reflector(a, k, next, k + 1);
  }
  return HLO_OK;
}

// u = row (in place of column k of `p`, below its diagonal), x = tau (a - v yᵀ) u.
static float reflect_row(const hlo_single *a, ptrdiff_t k, const float *row, const float *v,
                         const float *y, float *u, float *x, double *above) {
  ptrdiff_t m = a->rows, n = a->columns, start = hlo_four_before(k + 1), end = hlo_four_after(m);
  float tau = hlo_single_reflector(row, k + 1, n, u, above);
  memset(x + start, 0, (size_t)(end - start) * sizeof *x);
  for (ptrdiff_t j = k + 1; j < n && tau != 0; j += 4) {
    hlo_columns columns = hlo_single_columns(a, j);
    hlo_columns_combine(&columns, start, end, *hlo_four_at(u + j), x);
  }
  combine(x, tau, -dot(y, u, k + 1, n), v, k + 1, m);
  return tau;
}

hlo_status hlo_single_bidiagonal(const hlo_evaluator *evaluator, const hlo_single *a,
                                 const hlo_single *p, double *diagonal, double *above,
                                 float *q_taus, float *p_taus, hlo_error *error) {
  ptrdiff_t m = a->rows, n = a->columns;
  float *v[2], *x[2], *u[2], *y[2], *row;
  hlo_columns columns;
  HLO_TRY(hlo_single_numbers(evaluator->scratch, n, &row, error));
  for (int i = 0; i < 2; i++) {
    HLO_TRY(hlo_single_numbers(evaluator->scratch, m, &v[i], error));
    HLO_TRY(hlo_single_numbers(evaluator->scratch, m, &x[i], error));
    HLO_TRY(hlo_single_numbers(evaluator->scratch, n, &u[i], error));
    HLO_TRY(hlo_single_numbers(evaluator->scratch, n, &y[i], error));
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    int old = k % 2, new = 1 - old;
    change c = {{v[old], x[old]}, {y[old], u[old]}};
    change_column(a, k, k, &c);
    q_taus[k] = hlo_single_reflector(a->data + k * a->step, k, m, v[new], &diagonal[k]);
    store_reflector(a, k, v[new], k);
    if (k + 1 == n) break;
    for (ptrdiff_t i = hlo_four_before(k + 1); i <= k; i++) y[new][i] = 0;
    for (ptrdiff_t j = k + 1; j < n; j += 4) {
      hlo_four product = q_taus[k] * change_columns(a, j, k, &c, v[new], &columns);
      hlo_four before = {columns.at[0][k], columns.at[1][k], columns.at[2][k], columns.at[3][k]};
      *hlo_four_at(y[new] + j) = product;
      *hlo_four_at(row + j) = before - product;
    }
    p_taus[k] = reflect_row(a, k, row, v[new], y[new], u[new], x[new], &above[k]);
    store_reflector(p, k, u[new], k + 1);
  }
  return HLO_OK;
}
