// Factorisations by elimination and by Householder reflections (G. Golub, C. Van Loan, Matrix
// Computations, 3.4, 4.2, 5.1, 5.2, 5.4, 7.4).
#include "reference/matrix.h"

hlo_status hlo_dense_make(const hlo_routine *x, int64_t rows, int64_t columns, hlo_dense *out,
                          hlo_error *error) {
  *out = (hlo_dense){.rows = rows, .columns = columns};
  HLO_ALLOC(out->elements, x->reference->arena, rows * columns, error);
  hlo_complex *elements = out->elements;
  for (int64_t i = 0; i < rows * columns; i++) elements[i] = 0;
  return HLO_OK;
}

static hlo_status make_like(const hlo_routine *x, const hlo_view *view, hlo_dense *out,
                            hlo_error *error) {
  return hlo_dense_make(x, view->rank > 0 ? view->dims[0] : 1, view->rank > 1 ? view->dims[1] : 1,
                        out, error);
}

hlo_status hlo_reference_lapack(const hlo_routine *x, hlo_error *error) {
  enum { MOST_OPERANDS = 4, MOST_RESULTS = 6 };
  hlo_dense in[MOST_OPERANDS], out[MOST_RESULTS];
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(make_like(x, &x->operands[k], &in[k], error));
    hlo_complex *element = in[k].elements;
    for (hlo_index i = hlo_index_over(&x->operands[k]); hlo_index_next(&i); element++) {
      hlo_number n = hlo_number_at(&x->operands[k], i.at);
      *element = n.type_class == HLO_CLASS_SIGNED ? (double)n.i : __builtin_complex(n.re, n.im);
    }
  }
  for (int32_t k = 0; k < x->result_count; k++)
    HLO_TRY(make_like(x, &x->results[k], &out[k], error));
  HLO_TRY(x->function(x, in, out, error));
  for (int32_t k = 0; k < x->result_count; k++) {
    const hlo_view *to = &x->results[k];
    hlo_type_class type_class = hlo_type_is_complex(to->type) ? HLO_CLASS_COMPLEX : HLO_CLASS_FLOAT;
    const hlo_complex *element = out[k].elements;
    for (hlo_index i = hlo_index_over(to); hlo_index_next(&i); element++)
      hlo_put_number(
          to, i.at, (hlo_number){.type_class = type_class, .re = re(*element), .im = im(*element)});
  }
  return HLO_OK;
}

void hlo_dense_copy(hlo_dense to, hlo_dense from) {
  for (int64_t i = 0; i < to.rows && i < from.rows; i++)
    for (int64_t j = 0; j < to.columns && j < from.columns; j++) AT(to, i, j) = AT(from, i, j);
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

hlo_status hlo_reference_lu(const hlo_routine *x, hlo_dense *in, hlo_dense *out, hlo_error *error) {
  (void)x, (void)error;
  AT(out[2], 0, 0) = (double)eliminate(in[0], 0, out[1]);
  out[0] = in[0];
  return HLO_OK;
}

// The diagonals below, on and above the main one and the right-hand sides become the second one
// above, the main one and the first one above of U, and the solution.
hlo_status hlo_reference_solve_tridiagonal(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                           hlo_error *error) {
  hlo_dense a, pivots, solution = in[3];
  double largest = 0;
  int64_t n = solution.rows, width = n + solution.columns; // the matrix, the right-hand sides
  HLO_TRY(hlo_dense_make(x, n, width, &a, error));
  HLO_TRY(hlo_dense_make(x, n, 1, &pivots, error));
  for (int64_t i = 0; i < n; i++) {
    for (int64_t d = -1; d <= 1; d++) {
      if (i + d >= 0 && i + d < n) AT(a, i, i + d) = AT(in[d + 1], i, 0);
      if (size_of(AT(in[d + 1], i, 0)) > largest) largest = size_of(AT(in[d + 1], i, 0));
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
    if (i + 2 < n) AT(in[0], i + 1, 0) = AT(a, i, i + 2);
    AT(in[1], i, 0) = AT(a, i, i);
    if (i + 1 < n) AT(in[2], i, 0) = AT(a, i, i + 1);
  }
  out[0] = x->result_count == 1 ? solution : in[0];
  if (x->result_count == 1) return HLO_OK; // the solution alone
  for (int k = 1; k < 4; k++) out[k] = in[k];
  AT(out[4], 0, 0) = (double)singular;
  return HLO_OK;
}

// The factor is in its triangle; the other one is as it was, or all is NaN.
hlo_status hlo_reference_potrf(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                               hlo_error *error) {
  (void)error;
  int64_t n = in[0].rows, failed = 0;
  out[0] = in[0];
// Of a = l lᴴ; or uᴴ, of a = uᴴ u, whose elements have the conjugate value.
#define L(i, j) (*(x->is_lower ? &AT(out[0], i, j) : &AT(out[0], j, i)))
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
  for (int64_t i = 0; i < n * n && failed > 0; i++) out[0].elements[i] = __builtin_nan("");
  AT(out[1], 0, 0) = (double)failed;
  return HLO_OK;
}

// op(a) x = b, or x op(a) = b, which is op(a)ᵀ xᵀ = bᵀ. Only the triangle of a counts.
hlo_status hlo_reference_solve_triangular(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                          hlo_error *error) {
  (void)error;
  hlo_dense a = in[0], b = in[1];
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
  out[0] = b;
  return HLO_OK;
}

// Each row of r takes its part of w away by a rotation.
hlo_status hlo_reference_cholesky_update(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                         hlo_error *error) {
  (void)x, (void)error;
  for (int64_t k = 0; k < in[0].rows; k++) {
    double p = re(AT(in[0], k, k)), q = re(AT(in[1], k, 0)), length = norm_with(p, q);
    double c = length == 0 ? 1 : __builtin_fabs(p) / length,
           s = length == 0 ? 0 : __builtin_copysign(q / length, p * q);
    for (int64_t j = k; j < in[0].columns; j++) {
      hlo_complex r = AT(in[0], k, j), w = AT(in[1], j, 0);
      AT(in[0], k, j) = c * r + s * w;
      AT(in[1], j, 0) = c * w - s * r;
    }
  }
  out[0] = in[0], out[1] = in[1];
  return HLO_OK;
}

// --- reflections ---

hlo_complex hlo_reflector(int64_t first, int64_t end, hlo_complex *x) {
  hlo_complex alpha = x[first];
  double rest = 0;
  for (int64_t i = first + 1; i < end; i++) rest = norm_with(rest, x[i]);
  x[first] = 1;
  if (rest == 0 && im(alpha) == 0) return 0;
  double beta = -__builtin_copysign(norm_with(rest, alpha), re(alpha));
  for (int64_t i = first + 1; i < end; i++) x[i] = quotient(x[i], alpha - beta);
  return (beta - alpha) / beta;
}

void hlo_reflect_rows(hlo_complex tau, const hlo_complex *v, int64_t first, int64_t end,
                      hlo_dense m) {
  for (int64_t j = 0; j < m.columns; j++) {
    hlo_complex sum = 0;
    for (int64_t i = first; i < end; i++) sum += conjugate(v[i]) * AT(m, i, j);
    for (int64_t i = first; i < end; i++) AT(m, i, j) -= tau * v[i] * sum;
  }
}

void hlo_reflect_columns(hlo_complex tau, const hlo_complex *v, int64_t first, int64_t end,
                         hlo_dense m) {
  for (int64_t i = 0; i < m.rows; i++) {
    hlo_complex sum = 0;
    for (int64_t j = first; j < end; j++) sum += AT(m, i, j) * v[j];
    for (int64_t j = first; j < end; j++) AT(m, i, j) -= tau * sum * conjugate(v[j]);
  }
}

void hlo_reflect_by_all(hlo_dense v, hlo_dense taus, hlo_dense m, bool is_left, bool is_adjoint) {
  for (int64_t step = 0; step < v.rows; step++) {
    int64_t k = is_left == is_adjoint ? step : v.rows - 1 - step;
    hlo_complex tau = is_adjoint ? conjugate(AT(taus, k, 0)) : AT(taus, k, 0);
    if (is_left) hlo_reflect_rows(tau, &AT(v, k, 0), 0, v.columns, m);
    else hlo_reflect_columns(tau, &AT(v, k, 0), 0, v.columns, m);
  }
}

// m = Hᴴ m, where H clears column k between rows `first` and `end`; v keeps its vector.
static void clear_column(hlo_dense m, int64_t k, int64_t first, int64_t end, hlo_dense v,
                         hlo_dense taus) {
  for (int64_t i = first; i < end; i++) AT(v, k, i) = AT(m, i, k);
  AT(taus, k, 0) = hlo_reflector(first, end, &AT(v, k, 0));
  hlo_reflect_rows(conjugate(AT(taus, k, 0)), &AT(v, k, 0), first, end, m);
  for (int64_t i = first + 1; i < end; i++) AT(m, i, k) = 0;
}

// LAPACK's form: the vectors, without their ones, in place of the zeros that they made.
static void pack(hlo_dense m, int64_t offset, hlo_dense v) {
  for (int64_t k = 0; k < v.rows; k++)
    for (int64_t i = k + offset + 1; i < m.rows; i++) AT(m, i, k) += AT(v, k, i);
}

// Which column from k on is longest in the rows from k on.
static int64_t longest_column(hlo_dense a, int64_t k) {
  int64_t found = k;
  double most = -1;
  for (int64_t j = k; j < a.columns; j++) {
    double norm = 0;
    for (int64_t i = k; i < a.rows; i++) norm = norm_with(norm, AT(a, i, j));
    if (norm > most) found = j, most = norm;
  }
  return found;
}

// With a second operand columns are exchanged: those with an entry there come first, and then
// always the longest that is left. The result says which they are, counted from 1.
hlo_status hlo_reference_qr(const hlo_routine *x, hlo_dense *in, hlo_dense *out, hlo_error *error) {
  hlo_dense a = in[0], v, order, taus = out[x->result_count - 1];
  bool is_pivoted = x->operand_count > 1;
  int64_t fixed = 0;
  HLO_TRY(hlo_dense_make(x, taus.rows, a.rows, &v, error));
  HLO_TRY(hlo_dense_make(x, 1, a.columns, &order, error));
  for (int64_t j = 0; j < a.columns; j++) {
    AT(order, 0, j) = (double)(j + 1);
    if (!is_pivoted || AT(in[1], j, 0) == 0) continue;
    hlo_dense_swap_columns(a, j, fixed);
    hlo_dense_swap_columns(order, j, fixed++);
  }
  for (int64_t k = 0; k < taus.rows; k++) {
    int64_t next = is_pivoted && k >= fixed ? longest_column(a, k) : k;
    hlo_dense_swap_columns(a, k, next);
    hlo_dense_swap_columns(order, k, next);
    clear_column(a, k, k, a.rows, v, taus);
  }
  pack(a, 0, v);
  out[0] = a;
  if (is_pivoted) out[1].elements = order.elements;
  return HLO_OK;
}

static hlo_status unpack(const hlo_routine *x, hlo_dense m, int64_t count, hlo_dense *v,
                         hlo_error *error) {
  HLO_TRY(hlo_dense_make(x, count, m.rows, v, error));
  for (int64_t k = 0; k < count; k++)
    for (int64_t i = k; i < m.rows; i++) AT(*v, k, i) = i == k ? 1 : AT(m, i, k);
  return HLO_OK;
}

hlo_status hlo_reference_form_q(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                hlo_error *error) {
  hlo_dense v;
  HLO_TRY(unpack(x, in[0], in[1].rows, &v, error));
  hlo_dense_set_identity(out[0]);
  hlo_reflect_by_all(v, in[1], out[0], true, false);
  return HLO_OK;
}

hlo_status hlo_reference_apply_q(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                 hlo_error *error) {
  hlo_dense v;
  HLO_TRY(unpack(x, in[0], in[1].rows, &v, error));
  hlo_reflect_by_all(v, in[1], in[2], x->is_left, x->is_adjoint);
  out[0] = in[2];
  return HLO_OK;
}

void hlo_dense_hessenberg(hlo_dense a, int64_t low, int64_t end, hlo_dense v, hlo_dense taus) {
  for (int64_t k = low; k + 1 < end; k++) {
    clear_column(a, k, k + 1, end, v, taus);
    hlo_reflect_columns(AT(taus, k, 0), &AT(v, k, 0), k + 1, end,
                        (hlo_dense){end, a.columns, a.elements});
  }
}

hlo_status hlo_reference_hessenberg(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                    hlo_error *error) {
  hlo_dense v;
  HLO_TRY(hlo_dense_make(x, out[1].rows, in[0].rows, &v, error));
  hlo_dense_hessenberg(in[0], x->low, x->end, v, out[1]);
  pack(in[0], 1, v);
  out[0] = in[0];
  return HLO_OK;
}

// The matrix with vectors below its first subdiagonal and the other triangle as it was, the
// diagonal, the subdiagonal, and taus.
hlo_status hlo_reference_tridiagonal(const hlo_routine *x, hlo_dense *in, hlo_dense *out,
                                     hlo_error *error) {
  hlo_dense v;
  int64_t n = in[0].rows;
  HLO_TRY(hlo_dense_make(x, out[3].rows, n, &v, error));
  hlo_dense_copy(out[0], in[0]);
  hlo_dense_complete(in[0], true);
  hlo_dense_hessenberg(in[0], 0, n, v, out[3]);
  pack(in[0], 1, v);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j <= i; j++) AT(out[0], i, j) = AT(in[0], i, j);
    AT(out[1], i, 0) = AT(in[0], i, i);
    if (i > 0) AT(out[2], i - 1, 0) = AT(in[0], i, i - 1);
  }
  return HLO_OK;
}
