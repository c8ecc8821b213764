// Balancing of matrices before their eigenvalues are computed (B. Parlett, C. Reinsch, Balancing a
// Matrix for Calculation of Eigenvalues and Eigenvectors, 1969; norms as in R. James, J. Langou,
// B. Lowery, On Matrix Balancing and Eigenvector Computation, 2014). See linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"

// Exchanges rows and columns i and j.
static void exchange(const hlo_matrix *a, ptrdiff_t i, ptrdiff_t j) {
  if (i == j) return;
  hlo_vector_swap(hlo_column(a, i, 0), hlo_column(a, j, 0));
  hlo_vector_swap(hlo_row(a, i, 0), hlo_row(a, j, 0));
}

static bool is_zero_off_diagonal(const hlo_matrix *a, ptrdiff_t k, bool row, const hlo_balance *b) {
  for (ptrdiff_t i = b->low; i < b->high; i++) {
    hlo_c128 x = row ? hlo_matrix_get(a, k, i) : hlo_matrix_get(a, i, k);
    if (i != k && (x.re != 0 || x.im != 0)) return false;
  }
  return true;
}

// Permutes rows that are zero off the diagonal to the end, then such columns to the start: their
// eigenvalues are isolated.
static void isolate(const hlo_matrix *a, hlo_balance *b) {
  bool again = true;
  while (again) {
    again = false;
    for (ptrdiff_t i = b->high - 1; i >= 0 && !again; i--) {
      if (!is_zero_off_diagonal(a, i, true, b)) continue;
      b->partners[--b->high] = (int32_t)i;
      exchange(a, i, b->high);
      again = b->high > 0;
    }
  }
  again = b->high > 0;
  while (again) {
    again = false;
    for (ptrdiff_t j = b->low; j < b->high && !again; j++) {
      if (!is_zero_off_diagonal(a, j, false, b)) continue;
      b->partners[b->low] = (int32_t)j;
      exchange(a, j, b->low++);
      again = true;
    }
  }
}

// The power of two that best balances the norms of row and column i; 1 if the gain is too small.
static double factor_of(const hlo_matrix *a, ptrdiff_t i, const hlo_balance *b) {
  hlo_vector column = hlo_column(a, i, b->low), row = hlo_row(a, i, b->low);
  column.n = row.n = b->high - b->low;
  double c = hlo_vector_norm(column), r = hlo_vector_norm(row), sum = c + r, factor = 1;
  if (c == 0 || r == 0) return 1;
  while (c < r / 2 && factor < 0x1p500) {
    factor *= 2;
    c *= 2;
    r /= 2;
  }
  while (c / 2 >= r && factor > 0x1p-500) {
    factor /= 2;
    c /= 2;
    r *= 2;
  }
  return c + r >= 0.95 * sum ? 1 : factor;
}

static void scale(const hlo_matrix *a, hlo_balance *b) {
  bool again = true;
  while (again) {
    again = false;
    for (ptrdiff_t i = b->low; i < b->high; i++) {
      double factor = factor_of(a, i, b), total = b->scales[i] * factor;
      if (factor == 1 || !(total > 0x1p-900 && total < 0x1p900)) continue;
      b->scales[i] = total;
      hlo_vector_scale(hlo_row(a, i, 0), hlo_real(1 / factor));
      hlo_vector_scale(hlo_column(a, i, 0), hlo_real(factor));
      again = true;
    }
  }
}

hlo_status hlo_balance_matrix(const hlo_evaluator *evaluator, const hlo_matrix *a, bool scales,
                              hlo_balance *out, hlo_error *error) {
  *out = (hlo_balance){.low = 0, .high = a->rows};
  HLO_ALLOC(out->scales, evaluator->scratch, a->rows, error);
  HLO_ALLOC(out->partners, evaluator->scratch, a->rows, error);
  for (ptrdiff_t i = 0; i < a->rows; i++) out->scales[i] = 1;
  isolate(a, out);
  if (scales) scale(a, out);
  return HLO_OK;
}

void hlo_balance_undo(const hlo_balance *b, bool left, const hlo_matrix *vectors) {
  for (ptrdiff_t i = b->low; i < b->high; i++)
    hlo_vector_scale(hlo_row(vectors, i, 0), hlo_real(left ? 1 / b->scales[i] : b->scales[i]));
  for (ptrdiff_t i = b->low - 1; i >= 0; i--)
    hlo_vector_swap(hlo_row(vectors, i, 0), hlo_row(vectors, b->partners[i], 0));
  for (ptrdiff_t i = b->high; i < vectors->rows; i++)
    hlo_vector_swap(hlo_row(vectors, i, 0), hlo_row(vectors, b->partners[i], 0));
}
