// LAPACK's routines: their arrays, and those that eliminate (G. Golub, C. Van Loan, Matrix
// Computations, 3.1, 3.4, 4.2).
#include "reference/matrix.h"

hlo_status hlo_dense_make(const hlo_routine *x, int64_t rows, int64_t columns, hlo_dense *out) {
  *out = (hlo_dense){.rows = rows, .columns = columns};
  HLO_ALLOC(out->elements, x->reference->arena, rows * columns, x->error);
  hlo_complex *elements = out->elements;
  for (int64_t i = 0; i < rows * columns; i++) elements[i] = 0;
  return HLO_OK;
}

static hlo_status make_like(const hlo_routine *x, const hlo_view *view, hlo_dense *out) {
  return hlo_dense_make(x, view->rank > 0 ? view->dims[0] : 1, view->rank > 1 ? view->dims[1] : 1,
                        out);
}

static hlo_complex complex_of(hlo_number n) {
  return n.type_class == HLO_CLASS_SIGNED ? (double)n.i : __builtin_complex(n.re, n.im);
}

hlo_status hlo_reference_lapack(hlo_routine *x, hlo_error *error) {
  enum { MOST_OPERANDS = 4, MOST_RESULTS = 6 };
  hlo_dense in[MOST_OPERANDS], out[MOST_RESULTS];
  x->in = in, x->out = out, x->error = error;
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(make_like(x, &x->operands[k], &in[k]));
    hlo_complex *element = in[k].elements;
    for (hlo_index i = hlo_index_over(&x->operands[k]); hlo_index_next(&i);)
      *element++ = complex_of(hlo_number_at(&x->operands[k], i.at));
  }
  for (int32_t k = 0; k < MOST_RESULTS; k++) // those that are not asked for are numbers
    HLO_TRY(k < x->result_count ? make_like(x, &x->results[k], &out[k])
                                : hlo_dense_make(x, 1, 1, &out[k]));
  HLO_TRY(x->function(x));
  for (int32_t k = 0; k < x->result_count; k++) {
    hlo_complex *element = out[k].elements;
    for (hlo_index i = hlo_index_over(&x->results[k]); hlo_index_next(&i); element++)
      hlo_store_complex(&x->results[k], i.at, re(*element), im(*element));
  }
  return HLO_OK;
}

double hlo_dense_column_norm(hlo_dense m, int64_t first, int64_t column) {
  double norm = 0;
  for (int64_t i = first; i < m.rows; i++) norm = norm_with(norm, AT(m, i, column));
  return norm;
}

void hlo_dense_set_identity(hlo_dense m) {
  for (int64_t i = 0; i < m.rows; i++)
    for (int64_t j = 0; j < m.columns; j++) AT(m, i, j) = i == j;
}

static void exchange(hlo_complex *p, hlo_complex *q) {
  hlo_complex kept = *p;
  *p = *q;
  *q = kept;
}

void hlo_dense_swap_columns(hlo_dense m, int64_t p, int64_t q) {
  for (int64_t i = 0; i < m.rows; i++) exchange(&AT(m, i, p), &AT(m, i, q));
}

void hlo_dense_complete(hlo_dense a, bool is_lower) {
  for (int64_t i = 0; i < a.rows; i++) {
    AT(a, i, i) = re(AT(a, i, i));
    for (int64_t j = 0; j < i; j++) {
      if (is_lower) AT(a, j, i) = conjugate(AT(a, i, j));
      else AT(a, i, j) = conjugate(AT(a, j, i));
    }
  }
}

// --- elimination ---

// LAPACK's size of a complex pivot.
static double size_of(hlo_complex z) { return __builtin_fabs(re(z)) + __builtin_fabs(im(z)); }

// P L U in place, of pivots no smaller than `least`. pivots: with which rows the first ones were
// exchanged, counted from 1. Returns which of them was zero first, else 0.
static int64_t eliminate(hlo_dense a, double least, hlo_dense pivots) {
  int64_t singular = 0;
  for (int64_t k = 0; k < pivots.rows; k++) {
    int64_t p = k;
    for (int64_t i = k + 1; i < a.rows; i++)
      if (size_of(AT(a, i, k)) > size_of(AT(a, p, k))) p = i;
    AT(pivots, k, 0) = (double)(p + 1);
    for (int64_t j = 0; j < a.columns; j++) exchange(&AT(a, k, j), &AT(a, p, j));
    if (size_of(AT(a, k, k)) < least) AT(a, k, k) = least;
    if (AT(a, k, k) == 0 && singular == 0) singular = k + 1;
    for (int64_t i = k + 1; i < a.rows && AT(a, k, k) != 0; i++) {
      AT(a, i, k) = quotient(AT(a, i, k), AT(a, k, k));
      for (int64_t j = k + 1; j < a.columns; j++) AT(a, i, j) -= AT(a, i, k) * AT(a, k, j);
    }
  }
  return singular;
}

hlo_status hlo_reference_lu(const hlo_routine *x) {
  AT(x->out[2], 0, 0) = (double)eliminate(x->in[0], 0, x->out[1]);
  x->out[0] = x->in[0];
  return HLO_OK;
}

// The diagonals below, on and above the main one and the right-hand sides become the second one
// above, the main one and the first one above of U, and the solution.
hlo_status hlo_reference_solve_tridiagonal(const hlo_routine *x) {
  hlo_dense a, pivots, solution = x->in[3];
  double largest = 0;
  int64_t n = solution.rows, width = n + solution.columns; // the matrix, the right-hand sides
  HLO_TRY(hlo_dense_make(x, n, width, &a));
  HLO_TRY(hlo_dense_make(x, n, 1, &pivots));
  for (int64_t i = 0; i < n; i++) {
    for (int64_t d = -1; d <= 1; d++) {
      if (i + d >= 0 && i + d < n) AT(a, i, i + d) = AT(x->in[d + 1], i, 0);
      if (size_of(AT(x->in[d + 1], i, 0)) > largest) largest = size_of(AT(x->in[d + 1], i, 0));
    }
    for (int64_t j = n; j < width; j++) AT(a, i, j) = AT(solution, i, j - n);
  }
  double least = x->epsilon > 0 ? x->epsilon * largest + 1e-300 : 0;
  int64_t singular = eliminate(a, least, pivots);
  for (int64_t i = n - 1; i >= 0; i--) {
    for (int64_t j = n; j < width; j++) {
      for (int64_t k = i + 1; k < n; k++) AT(a, i, j) -= AT(a, i, k) * AT(solution, k, j - n);
      AT(solution, i, j - n) = quotient(AT(a, i, j), AT(a, i, i));
    }
    if (i + 2 < n) AT(x->in[0], i + 1, 0) = AT(a, i, i + 2);
    AT(x->in[1], i, 0) = AT(a, i, i);
    if (i + 1 < n) AT(x->in[2], i, 0) = AT(a, i, i + 1);
  }
  for (int k = 0; k < 4; k++) x->out[k] = x->in[k];
  if (x->result_count == 1) x->out[0] = solution;
  AT(x->out[4], 0, 0) = (double)singular;
  return HLO_OK;
}

// The factor is in its triangle; the other one is as it was, or all is NaN.
hlo_status hlo_reference_potrf(const hlo_routine *x) {
  int64_t n = x->in[0].rows, failed = 0;
  x->out[0] = x->in[0];
// Of a = l lᴴ; or uᴴ, of a = uᴴ u, whose elements have the conjugate value.
#define L(i, j) (*(x->is_lower ? &AT(x->out[0], i, j) : &AT(x->out[0], j, i)))
  for (int64_t j = 0; j < n && failed == 0; j++) {
    double square = re(L(j, j));
    for (int64_t k = 0; k < j; k++) square -= re(L(j, k) * conjugate(L(j, k)));
    if (!(square > 0)) failed = j + 1;
    L(j, j) = __builtin_sqrt(square);
    for (int64_t i = j + 1; i < n; i++) {
      for (int64_t k = 0; k < j; k++) L(i, j) -= L(i, k) * conjugate(L(j, k));
      L(i, j) /= re(L(j, j));
    }
  }
  for (int64_t i = 0; i < n * n && failed > 0; i++) x->out[0].elements[i] = __builtin_nan("");
  AT(x->out[1], 0, 0) = (double)failed;
  return HLO_OK;
}

// op(a) x = b, or x op(a) = b, which is op(a)ᵀ xᵀ = bᵀ. Only the triangle of a counts.
hlo_status hlo_reference_solve_triangular(const hlo_routine *x) {
  hlo_dense a = x->in[0], b = x->in[1];
  bool turns = x->is_transposed == x->is_left;
  int64_t n = a.rows, systems = x->is_left ? b.columns : b.rows;
#define X(i, s) (*(x->is_left ? &AT(b, i, s) : &AT(b, s, i)))
  for (int64_t step = 0; step < n; step++) {
    int64_t i = x->is_lower != turns ? step : n - 1 - step;
    for (int64_t s = 0; s < systems; s++) {
      for (int64_t done = 0; done <= step; done++) {
        int64_t j = x->is_lower != turns ? done : n - 1 - done;
        hlo_complex element = turns ? AT(a, j, i) : AT(a, i, j);
        if (x->is_adjoint) element = conjugate(element);
        if (done < step) X(i, s) -= element * X(j, s);
        else if (!x->is_unit) X(i, s) = quotient(X(i, s), element);
      }
    }
  }
  x->out[0] = b;
  return HLO_OK;
}

// Each row of r takes its part of w away by a rotation.
hlo_status hlo_reference_cholesky_update(const hlo_routine *x) {
  for (int64_t k = 0; k < x->in[0].rows; k++) {
    double p = re(AT(x->in[0], k, k)), q = re(AT(x->in[1], k, 0)), length = norm_with(p, q);
    double c = length == 0 ? 1 : __builtin_fabs(p) / length,
           s = length == 0 ? 0 : __builtin_copysign(q / length, p * q);
    for (int64_t j = k; j < x->in[0].columns; j++) {
      hlo_complex r = AT(x->in[0], k, j), w = AT(x->in[1], j, 0);
      AT(x->in[0], k, j) = c * r + s * w;
      AT(x->in[1], j, 0) = c * w - s * r;
    }
  }
  x->out[0] = x->in[0], x->out[1] = x->in[1];
  return HLO_OK;
}
