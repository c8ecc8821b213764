// Factorisations by Householder reflections (G. Golub, C. Van Loan, Matrix Computations, 5.1, 5.2,
// 5.4, 7.4).
#include "reference/matrix.h"

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

void hlo_reflect(bool is_left, hlo_complex tau, const hlo_complex *v, int64_t first, int64_t end,
                 hlo_dense m) {
  for (int64_t line = 0; line < (is_left ? m.columns : m.rows); line++) {
    hlo_complex sum = 0, *elements = is_left ? &AT(m, 0, line) : &AT(m, line, 0);
    int64_t step = is_left ? m.columns : 1;
    for (int64_t i = first; i < end; i++)
      sum += (is_left ? conjugate(v[i]) : v[i]) * elements[i * step];
    for (int64_t i = first; i < end; i++)
      elements[i * step] -= tau * sum * (is_left ? v[i] : conjugate(v[i]));
  }
}

void hlo_reflect_by_all(hlo_dense v, hlo_dense taus, hlo_dense m, bool is_left, bool is_adjoint) {
  for (int64_t step = 0; step < v.rows; step++) {
    int64_t k = is_left == is_adjoint ? step : v.rows - 1 - step;
    hlo_complex tau = is_adjoint ? conjugate(AT(taus, k, 0)) : AT(taus, k, 0);
    hlo_reflect(is_left, tau, &AT(v, k, 0), 0, v.columns, m);
  }
}

// m = Hᴴ m, where H clears column k between rows `first` and `end`; v keeps its vector.
static void clear_column(hlo_dense m, int64_t k, int64_t first, int64_t end, hlo_dense v,
                         hlo_dense taus) {
  for (int64_t i = first; i < end; i++) AT(v, k, i) = AT(m, i, k);
  AT(taus, k, 0) = hlo_reflector(first, end, &AT(v, k, 0));
  hlo_reflect(true, conjugate(AT(taus, k, 0)), &AT(v, k, 0), first, end, m);
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
    double norm = hlo_dense_column_norm(a, k, j);
    if (norm > most) found = j, most = norm;
  }
  return found;
}

// With a second operand columns are exchanged: those with an entry there come first, and then
// always the longest that is left. The result says which they are, counted from 1.
hlo_status hlo_reference_qr(const hlo_routine *x) {
  hlo_dense a = x->in[0], v, order, taus = x->out[x->result_count - 1];
  bool is_pivoted = x->operand_count > 1;
  int64_t fixed = 0;
  HLO_TRY(hlo_dense_make(x, taus.rows, a.rows, &v));
  HLO_TRY(hlo_dense_make(x, 1, a.columns, &order));
  for (int64_t j = 0; j < a.columns; j++) {
    AT(order, 0, j) = (double)(j + 1);
    if (!is_pivoted || AT(x->in[1], j, 0) == 0) continue;
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
  x->out[0] = a;
  if (is_pivoted) x->out[1].elements = order.elements;
  return HLO_OK;
}

static hlo_status unpack(const hlo_routine *x, hlo_dense m, int64_t count, hlo_dense *v) {
  HLO_TRY(hlo_dense_make(x, count, m.rows, v));
  for (int64_t k = 0; k < count; k++)
    for (int64_t i = k; i < m.rows; i++) AT(*v, k, i) = i == k ? 1 : AT(m, i, k);
  return HLO_OK;
}

hlo_status hlo_reference_form_q(const hlo_routine *x) {
  hlo_dense v;
  HLO_TRY(unpack(x, x->in[0], x->in[1].rows, &v));
  hlo_dense_set_identity(x->out[0]);
  hlo_reflect_by_all(v, x->in[1], x->out[0], true, false);
  return HLO_OK;
}

hlo_status hlo_reference_apply_q(const hlo_routine *x) {
  hlo_dense v;
  HLO_TRY(unpack(x, x->in[0], x->in[1].rows, &v));
  hlo_reflect_by_all(v, x->in[1], x->in[2], x->is_left, x->is_adjoint);
  x->out[0] = x->in[2];
  return HLO_OK;
}

void hlo_dense_hessenberg(hlo_dense a, int64_t low, int64_t end, hlo_dense v, hlo_dense taus) {
  for (int64_t k = low; k + 1 < end; k++) {
    clear_column(a, k, k + 1, end, v, taus);
    hlo_reflect(false, AT(taus, k, 0), &AT(v, k, 0), k + 1, end,
                (hlo_dense){end, a.columns, a.elements});
  }
}

hlo_status hlo_reference_hessenberg(const hlo_routine *x) {
  hlo_dense v;
  HLO_TRY(hlo_dense_make(x, x->out[1].rows, x->in[0].rows, &v));
  hlo_dense_hessenberg(x->in[0], x->low, x->end, v, x->out[1]);
  pack(x->in[0], 1, v);
  x->out[0] = x->in[0];
  return HLO_OK;
}

// The matrix with vectors below its first subdiagonal and the other triangle as it was, the
// diagonal, the subdiagonal, and taus.
hlo_status hlo_reference_tridiagonal(const hlo_routine *x) {
  hlo_dense v;
  int64_t n = x->in[0].rows;
  HLO_TRY(hlo_dense_make(x, x->out[3].rows, n, &v));
  memcpy(x->out[0].elements, x->in[0].elements, (size_t)(n * n) * sizeof(hlo_complex));
  hlo_dense_complete(x->in[0], true);
  hlo_dense_hessenberg(x->in[0], 0, n, v, x->out[3]);
  pack(x->in[0], 1, v);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j <= i; j++) AT(x->out[0], i, j) = AT(x->in[0], i, j);
    AT(x->out[1], i, 0) = AT(x->in[0], i, i);
    if (i > 0) AT(x->out[2], i - 1, 0) = AT(x->in[0], i, i - 1);
  }
  return HLO_OK;
}
