// Tridiagonal and bidiagonal forms (Golub, Van Loan, 8.3.1 and 5.4.8). Part of the text of
// spectral_f32.c and spectral_f64.c. See dense.h.
//
// A reflector's rank-two update is deferred until the next reflector is known; then one pass over
// the matrix applies the update and multiplies by the next reflector (G. Howell, J. Demmel, C.
// Fulton, S. Hammarling, K. Marmol, Cache Efficient Bidiagonalization Using BLAS 2.5 Operators,
// 2008).

// xᴴ y for elements first … n - 1; zeros are before the first and after the last of a four.
static number dot(column x, column y, ptrdiff_t first, ptrdiff_t n) {
  planes p = {{y.re, y.im == NULL ? y.re : y.im, y.re, y.re}, x.im != NULL};
  number out[4];
  dot_columns(&p, four_before(first), four_after(n), x, out);
  return out[0];
}

// x = factor (x + other y), likewise.
static void combine(column x, number factor, number other, column y, ptrdiff_t first, ptrdiff_t n) {
  for (ptrdiff_t i = four_before(first); i < four_after(n); i += 4) {
    four re = *four_at(x.re + i) + other.re * *four_at(y.re + i);
    if (x.im == NULL) {
      *four_at(x.re + i) = factor.re * re;
      continue;
    }
    four im = *four_at(x.im + i) + other.re * *four_at(y.im + i) + other.im * *four_at(y.re + i);
    re -= other.im * *four_at(y.im + i);
    *four_at(x.re + i) = factor.re * re - factor.im * im;
    *four_at(x.im + i) = factor.re * im + factor.im * re;
  }
}

// column[k] -= x_factors[k] x + y_factors[k] y; then vᴴ times each column.
ONCE void change_columns(const planes *p, ptrdiff_t start, ptrdiff_t end, const number x_factors[4],
                         column x, const number y_factors[4], column y, column v, number out[4]) {
  terms t;
  t.v[0] = v.re, t.v[1] = v.im;
  PART sums[2][4];
  add_term(&t, 0, p->is_complex, x_factors, x);
  add_term(&t, p->is_complex ? 2 : 1, p->is_complex, y_factors, y);
  if (p->is_complex) sweep(p, start, end, &t, 4, 2, sums);
  else sweep(p, start, end, &t, 2, 1, sums);
  products_of(p->is_complex, sums, out);
}

// The deferred update, still to be subtracted: left[0] right[0]ᴴ + left[1] right[1]ᴴ.
typedef struct change {
  column left[2], right[2];
} change;

static void factors_of(const change *c, const MATRIX *a, ptrdiff_t j, number first[4],
                       number second[4]) {
  UNROLLED for (ptrdiff_t k = 0; k < 4; k++) {
    bool is_there = k < group_of(a) && j + k < a->columns;
    first[k] = is_there ? conjugate(get(c->right[0], j + k)) : real(0);
    second[k] = is_there ? conjugate(get(c->right[1], j + k)) : real(0);
  }
}

// Subtracts the deferred update from column j, from row `first` on.
static void change_column(const MATRIX *a, ptrdiff_t j, ptrdiff_t first, const change *c) {
  MATRIX one = MATRIX_NAME(part)(a, 0, j, a->rows, 1);
  planes p = planes_of(&one, 0);
  ptrdiff_t start = four_before(first), end = four_after(a->rows);
  number f[4] = {conjugate(get(c->right[0], j))}, g[4] = {conjugate(get(c->right[1], j))};
  subtract_columns(&p, start, end, f, c->left[0]);
  subtract_columns(&p, start, end, g, c->left[1]);
}

// Subtracts it from a group of columns, and returns vᴴ times them, v being zero above row `first`.
static void change_group(const MATRIX *a, ptrdiff_t j, ptrdiff_t first, const change *c, column v,
                         planes *p, number out[4]) {
  number f[4], g[4];
  *p = planes_of(a, j);
  factors_of(c, a, j, f, g);
  change_columns(p, four_before(first), four_after(a->rows), f, c->left[0], g, c->left[1], v, out);
}

static void store_reflector(const MATRIX *to, ptrdiff_t k, column v, ptrdiff_t first) {
  copy_rows(column_of(to, k), v, first, to->rows);
}

hlo_status NAME(tridiagonal)(const hlo_evaluator *evaluator, const MATRIX *a, double *diagonal,
                             double *below, VECTOR taus, hlo_error *error) {
  ptrdiff_t n = a->rows;
  column v[2], w[2]; // the last reflector's, and the next one's
  planes p;
  number products[4];
  for (int i = 0; i < 2; i++) {
    HLO_TRY(create_column(evaluator->scratch, n, a->im != NULL, &v[i], error));
    HLO_TRY(create_column(evaluator->scratch, n, a->im != NULL, &w[i], error));
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    column next = v[(k + 1) % 2], product = w[(k + 1) % 2], x = column_of(a, k);
    change c = {{v[k % 2], w[k % 2]}, {w[k % 2], v[k % 2]}};
    change_column(a, k, k, &c);
    diagonal[k] = (double)x.re[k];
    if (k + 1 == n) break;
    number tau = reflector(x, k + 1, n, next, &below[k]);
    set(taus_of(taus, 0), k, tau);
    clear_rows(product, four_before(k + 1), k + 1);
    for (ptrdiff_t j = k + 1; j < n; j += group_of(a)) { // rows are conjugate columns
      change_group(a, j, k + 1, &c, next, &p, products);
      for (ptrdiff_t i = 0; i < group_of(a); i++) set(product, j + i, conjugate(products[i]));
    }
    number half = times(conjugate(tau), times(tau, dot(next, product, k + 1, n)));
    combine(product, tau, real(0), next, k + 1, n);
    combine(product, real(1), real((PART)-0.5 * half.re), next, k + 1, n);
    store_reflector(a, k, next, k + 1);
    set(x, k + 1, real((PART)below[k]));
  }
  return HLO_OK;
}

typedef struct bidiagonal_form {
  const hlo_evaluator *evaluator;
  MATRIX q, p; // reflectors: those of p from row k + 1 on
  VECTOR q_taus, p_taus;
  double *diagonal, *above;
} bidiagonal_form;

// u = row (in place of column k of `p`, below its diagonal), x = tau (a - v yᴴ) u.
static number reflect_row(const MATRIX *a, ptrdiff_t k, column row, column v, column y, column u,
                          column x, double *above) {
  ptrdiff_t m = a->rows, n = a->columns, start = four_before(k + 1), end = four_after(m);
  number tau = reflector(row, k + 1, n, u, above), factors[4];
  clear_rows(x, start, end);
  for (ptrdiff_t j = k + 1; j < n && (tau.re != 0 || tau.im != 0); j += group_of(a)) {
    planes p = planes_of(a, j);
    for (ptrdiff_t i = 0; i < 4; i++) factors[i] = i < group_of(a) ? get(u, j + i) : real(0);
    combine_columns(&p, start, end, factors, x);
  }
  combine(x, tau, negative(dot(y, u, k + 1, n)), v, k + 1, m);
  return tau;
}

// a = Q B Pᴴ for no more columns than rows: B has a diagonal and one above it.
static hlo_status reduce_to_bidiagonal(const hlo_evaluator *evaluator, const MATRIX *a,
                                       bidiagonal_form *out, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  ptrdiff_t m = a->rows, n = a->columns;
  bool is_complex = a->im != NULL;
  column v[2], x[2], u[2], y[2], row, taus[2];
  planes p;
  *out = (bidiagonal_form){.evaluator = evaluator, .q = *a};
  HLO_TRY(MATRIX_NAME(create)(arena, n, n, is_complex, &out->p, error));
  HLO_ALLOC(out->diagonal, arena, n, error);
  HLO_ALLOC(out->above, arena, n, error);
  HLO_TRY(create_column(arena, n, is_complex, &row, error));
  for (int i = 0; i < 2; i++) {
    HLO_TRY(create_column(arena, n, is_complex, &taus[i], error));
    HLO_TRY(create_column(arena, m, is_complex, &v[i], error));
    HLO_TRY(create_column(arena, m, is_complex, &x[i], error));
    HLO_TRY(create_column(arena, n, is_complex, &u[i], error));
    HLO_TRY(create_column(arena, n, is_complex, &y[i], error));
  }
  out->q_taus = (VECTOR){n, 1, taus[0].re, taus[0].im};
  out->p_taus = (VECTOR){n - 1, 1, taus[1].re, taus[1].im};
  for (ptrdiff_t k = 0; k < n; k++) {
    int old = k % 2, new = 1 - old;
    change c = {{v[old], x[old]}, {y[old], u[old]}};
    change_column(a, k, k, &c);
    number tau = reflector(column_of(a, k), k, m, v[new], &out->diagonal[k]);
    set(taus[0], k, tau);
    store_reflector(a, k, v[new], k);
    if (k + 1 == n) break;
    clear_rows(y[new], four_before(k + 1), k + 1);
    for (ptrdiff_t j = k + 1; j < n; j += group_of(a)) {
      number products[4], before[4];
      change_group(a, j, k, &c, v[new], &p, products);
      numbers_at(&p, k, before);
      for (ptrdiff_t i = 0; i < group_of(a); i++) {
        number product = times(tau, conjugate(products[i]));
        set(y[new], j + i, product);
        set(row, j + i, difference(conjugate(before[i]), product));
      }
    }
    set(taus[1], k, reflect_row(a, k, row, v[new], y[new], u[new], x[new], &out->above[k]));
    store_reflector(&out->p, k, u[new], k + 1);
  }
  return HLO_OK;
}
