// Factorisations against what they stand for: products of the factors and orthogonality, in units
// of rounding, over sizes on both sides of every block, real and complex, with and without kernels.
#include "factor_fixture.h"
#include "kernels/linalg/linear_algebra.h"
#include "kernels/simd/kernels.h"

#include <math.h>

typedef enum kind { RANDOM, DEFICIENT, REPEATED, GRADED, ZERO, ONES, KINDS } kind;

static hlo_matrix make(ptrdiff_t rows, ptrdiff_t columns, bool is_complex) {
  hlo_matrix m;
  hlo_error error;
  need(hlo_matrix_create(evaluator.scratch, rows, columns, is_complex, &m, &error));
  return m;
}

static hlo_matrix copy(const hlo_matrix *m) {
  hlo_matrix out = make(m->rows, m->columns, m->im != NULL);
  hlo_matrix_copy(&out, m);
  return out;
}

static void fill(const hlo_matrix *m) {
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    for (ptrdiff_t i = 0; i < m->rows; i++) hlo_matrix_set(m, i, j, (hlo_c128){draw(), draw()});
  }
}

// c + factor a b written out, as sums of long doubles.
static void add_written_out(const hlo_matrix *c, double factor, const hlo_matrix *a, bool a_adjoint,
                            const hlo_matrix *b, bool b_adjoint) {
  ptrdiff_t depth = a_adjoint ? a->rows : a->columns;
  for (ptrdiff_t j = 0; j < c->columns; j++) {
    for (ptrdiff_t i = 0; i < c->rows; i++) {
      hlo_c128 sum = hlo_matrix_get(c, i, j);
      long double re = sum.re, im = sum.im;
      for (ptrdiff_t k = 0; k < depth; k++) {
        hlo_c128 x = a_adjoint ? hlo_conjugate(hlo_matrix_get(a, k, i)) : hlo_matrix_get(a, i, k);
        hlo_c128 y = b_adjoint ? hlo_conjugate(hlo_matrix_get(b, j, k)) : hlo_matrix_get(b, k, j);
        re += factor * ((long double)x.re * y.re - (long double)x.im * y.im);
        im += factor * ((long double)x.re * y.im + (long double)x.im * y.re);
      }
      hlo_matrix_set(c, i, j, (hlo_c128){(double)re, (double)im});
    }
  }
}

// The largest difference of two matrices is at most so many units times their size.
static void check_same(const hlo_matrix *got, const hlo_matrix *want, double units) {
  double scale = hlo_matrix_largest(want), worst = 0;
  for (ptrdiff_t j = 0; j < want->columns; j++) {
    for (ptrdiff_t i = 0; i < want->rows; i++) {
      hlo_c128 d = hlo_difference(hlo_matrix_get(got, i, j), hlo_matrix_get(want, i, j));
      double size = fabs(d.re) + fabs(d.im);
      if (!(size <= worst)) worst = size;
    }
  }
  double bound = units * (double)(want->rows + want->columns) * 0x1p-53 * scale;
  CHECK_MESSAGE(worst <= bound, "%s of %td x %td, %s, %s: off by %g, may be by %g", what,
                want->rows, want->columns, want->im == NULL ? "real" : "complex",
                evaluator.backend == NULL ? "portable" : "kernels", worst, bound);
}

static void check_orthonormal(const hlo_matrix *q) {
  hlo_matrix products = make(q->columns, q->columns, q->im != NULL);
  hlo_matrix ones = make(q->columns, q->columns, q->im != NULL);
  add_written_out(&products, 1, q, true, q, false);
  hlo_matrix_set_identity(&ones);
  check_same(&products, &ones, 8);
}

// q with its columns times numbers.
static hlo_matrix scale_columns(const hlo_matrix *q, const double *values) {
  hlo_matrix out = copy(q);
  for (ptrdiff_t j = 0; j < q->columns; j++)
    hlo_vector_scale(hlo_column(&out, j, 0), hlo_real(values[j]));
  return out;
}

static hlo_matrix of_kind(kind k, ptrdiff_t rows, ptrdiff_t columns, bool is_complex) {
  hlo_matrix m = make(rows, columns, is_complex);
  if (k == ZERO) return m;
  fill(&m);
  if (k == DEFICIENT) {
    ptrdiff_t rank = (columns + 1) / 2;
    hlo_matrix left = make(rows, rank, is_complex), right = make(rank, columns, is_complex);
    fill(&left);
    fill(&right);
    hlo_matrix_scale(&m, 0);
    add_written_out(&m, 1, &left, false, &right, false);
  }
  for (ptrdiff_t j = 0; j < columns; j++) {
    for (ptrdiff_t i = 0; i < rows; i++) {
      hlo_c128 x = hlo_matrix_get(&m, i, j);
      double factor = pow(10, (double)-(i + j) / 8);
      if (k == GRADED) hlo_matrix_set(&m, i, j, (hlo_c128){x.re * factor, x.im * factor});
      if (k == ONES) hlo_matrix_set(&m, i, j, hlo_real(1));
      if (k == REPEATED) hlo_matrix_set(&m, i, j, hlo_real(i == j ? 3 : 0.125));
    }
  }
  return m;
}

// --- what is checked ---

static void check_products(ptrdiff_t n, bool is_complex) {
  static const double factors[] = {1, -1};
  hlo_error error;
  what = "a product";
  for (int form = 0; form < 8; form++) {
    bool a_adjoint = form & 1, b_adjoint = form & 2;
    ptrdiff_t rows = n + 3, columns = form & 4 ? 1 : n, depth = n + 1;
    hlo_matrix a = a_adjoint ? make(depth, rows, is_complex) : make(rows, depth, is_complex);
    hlo_matrix b = b_adjoint ? make(columns, depth, is_complex) : make(depth, columns, is_complex);
    hlo_matrix c = make(rows, columns, is_complex);
    fill(&a);
    fill(&b);
    fill(&c);
    hlo_matrix want = copy(&c);
    double factor = factors[form % 2];
    add_written_out(&want, factor, &a, a_adjoint, &b, b_adjoint);
    need(hlo_matrix_add_product(&evaluator, &c, factor, &a, a_adjoint, &b, b_adjoint, &error));
    check_same(&c, &want, 4);
  }
}

static void check_lu(const hlo_matrix *a) {
  hlo_error error;
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), singular;
  hlo_matrix f = copy(a), l = make(a->rows, steps, a->im != NULL), want = copy(a);
  hlo_matrix u = make(steps, a->columns, a->im != NULL);
  hlo_matrix product = make(a->rows, a->columns, a->im != NULL);
  int32_t *pivots = hlo_arena_array(evaluator.scratch, (size_t)steps + 1, sizeof *pivots);
  what = "LU";
  need(hlo_lu(&evaluator, &f, pivots, &singular, &error));
  for (ptrdiff_t k = 0; k < steps; k++) {
    CHECK(pivots[k] >= k && pivots[k] < a->rows);
    if (pivots[k] != k) hlo_vector_swap(hlo_row(&want, k, 0), hlo_row(&want, pivots[k], 0));
  }
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    for (ptrdiff_t i = 0; i < a->rows; i++) {
      if (i > j && j < steps) hlo_matrix_set(&l, i, j, hlo_matrix_get(&f, i, j));
      if (i == j) hlo_matrix_set(&l, i, j, hlo_real(1));
      if (i <= j && i < steps) hlo_matrix_set(&u, i, j, hlo_matrix_get(&f, i, j));
    }
  }
  add_written_out(&product, 1, &l, false, &u, false);
  check_same(&product, &want, 8);
}

static void check_qr(const hlo_matrix *a) {
  hlo_error error;
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  bool is_complex = a->im != NULL;
  hlo_matrix f = copy(a), taus = make(steps, 1, is_complex);
  hlo_matrix r = make(a->rows, a->columns, is_complex), q = make(a->rows, a->rows, is_complex);
  hlo_matrix product = make(a->rows, a->columns, is_complex);
  what = "QR";
  need(hlo_qr(&evaluator, &f, hlo_column(&taus, 0, 0), &error));
  hlo_matrix to = hlo_matrix_part(&q, 0, 0, a->rows, steps);
  hlo_matrix from = hlo_matrix_part(&f, 0, 0, a->rows, steps);
  hlo_matrix_copy(&to, &from);
  need(hlo_qr_form(&evaluator, &q, hlo_column(&taus, 0, 0), &error));
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    for (ptrdiff_t i = 0; i < a->rows && i <= j; i++)
      hlo_matrix_set(&r, i, j, hlo_matrix_get(&f, i, j));
  }
  check_orthonormal(&q);
  add_written_out(&product, 1, &q, false, &r, false);
  check_same(&product, a, 8);
  // The reflectors do the same, from both sides.
  hlo_matrix left = copy(&r), right = make(a->rows, a->rows, is_complex);
  need(hlo_qr_apply(&evaluator, &f, 0, hlo_column(&taus, 0, 0), &left, true, false, &error));
  check_same(&left, a, 8);
  hlo_matrix_copy(&right, &q);
  need(hlo_qr_apply(&evaluator, &f, 0, hlo_column(&taus, 0, 0), &right, false, true, &error));
  check_orthonormal(&right);
  hlo_matrix ones = make(a->rows, a->rows, is_complex);
  hlo_matrix_set_identity(&ones);
  check_same(&right, &ones, 8);
}

static void check_hermitian(const hlo_matrix *given, bool from_end, double unit) {
  hlo_error error;
  ptrdiff_t n = given->rows, failed;
  hlo_matrix a = make(n, n, given->im != NULL), product = copy(&a);
  double *values = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  double *alone = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      hlo_c128 x = hlo_matrix_get(given, i, j), y = hlo_matrix_get(given, j, i);
      hlo_matrix_set(&a, i, j, (hlo_c128){x.re + y.re, x.im - y.im});
    }
  }
  hlo_matrix q = copy(&a), scratch = copy(&a);
  what = "eigenvectors of a Hermitian matrix";
  need(hlo_hermitian(&evaluator, &q, !from_end, unit, values, true, &failed, &error));
  CHECK(failed == 0);
  check_orthonormal(&q);
  hlo_matrix scaled = scale_columns(&q, values);
  add_written_out(&product, 1, &scaled, false, &q, true);
  check_same(&product, &a, 16 * (unit / HLO_UNIT_DOUBLE));
  need(hlo_hermitian(&evaluator, &scratch, !from_end, unit, alone, false, &failed, &error));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK(i == 0 || values[i - 1] <= values[i]);
    CHECK(fabs(values[i] - alone[i]) <= 32 * (double)n * unit * hlo_matrix_largest(&a));
  }
}

static void check_singular(const hlo_matrix *a, bool adjoint, double unit, bool whole) {
  hlo_error error;
  bool converged;
  ptrdiff_t m = a->rows, n = a->columns;
  bool is_complex = a->im != NULL;
  hlo_matrix used = copy(a), u = make(m, whole ? m : n, is_complex), v = make(n, n, is_complex);
  hlo_matrix product = make(m, n, is_complex);
  double *values = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  double *alone = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  what = "singular vectors";
  need(hlo_singular_values(&evaluator, &used, adjoint, unit, values, &u, &v, &converged, &error));
  CHECK(converged);
  check_orthonormal(&u);
  check_orthonormal(&v);
  hlo_matrix first = hlo_matrix_part(&u, 0, 0, m, n), scaled = scale_columns(&first, values);
  add_written_out(&product, 1, &scaled, false, &v, true);
  check_same(&product, a, 16 * (unit / HLO_UNIT_DOUBLE));
  hlo_matrix_copy(&used, a);
  need(
      hlo_singular_values(&evaluator, &used, adjoint, unit, alone, NULL, NULL, &converged, &error));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK(values[i] >= 0 && (i == 0 || values[i - 1] >= values[i]));
    CHECK(fabs(values[i] - alone[i]) <= 32 * (double)m * unit * hlo_matrix_largest(a));
  }
}

// a x = x diag(values), or xᴴ a = diag(values) xᴴ.
static void check_vectors(const hlo_matrix *a, const hlo_matrix *x, const hlo_c128 *values,
                          bool left) {
  hlo_matrix product = make(a->rows, a->rows, true), want = copy(x);
  add_written_out(&product, 1, a, left, x, false);
  double scale = hlo_matrix_largest(a);
  for (ptrdiff_t k = 0; k < a->rows; k++) {
    hlo_vector_scale(hlo_column(&want, k, 0), left ? hlo_conjugate(values[k]) : values[k]);
    CHECK(fabs(hlo_vector_norm(hlo_column(x, k, 0)) - 1) < 1e-14);
    for (ptrdiff_t i = 0; i < a->rows; i++) {
      hlo_c128 d = hlo_difference(hlo_matrix_get(&product, i, k), hlo_matrix_get(&want, i, k));
      CHECK(fabs(d.re) + fabs(d.im) <= 32 * (double)a->rows * 0x1p-53 * scale);
    }
  }
}

static void check_schur(const hlo_matrix *a, bool scales) {
  hlo_error error;
  hlo_balance balance;
  ptrdiff_t n = a->rows, failed;
  hlo_matrix t = copy(a), z = make(n, n, a->im != NULL), product = make(n, n, a->im != NULL);
  hlo_matrix back = make(n, n, a->im != NULL), vectors = make(n, n, true);
  hlo_c128 *values = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  what = scales ? "eigenvectors" : "a Schur form";
  need(hlo_balance_matrix(&evaluator, &t, scales, &balance, &error));
  need(hlo_schur_form(&evaluator, &t, &balance, HLO_UNIT_DOUBLE, &z, &failed, &error));
  CHECK(failed == 0);
  hlo_schur_values(&t, values);
  for (int left = 0; left < 2 && scales; left++) {
    need(hlo_eigenvectors(&evaluator, &t, &z, left, &vectors, &error));
    hlo_balance_undo(&balance, left, &vectors);
    hlo_eigenvectors_normalize(&t, &vectors);
    check_vectors(a, &vectors, values, left);
  }
  if (scales) return;
  hlo_balance_undo(&balance, false, &z);
  check_orthonormal(&z);
  add_written_out(&product, 1, &z, false, &t, false);
  add_written_out(&back, 1, &product, false, &z, true);
  check_same(&back, a, 16);
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = j + 2; i < n; i++) CHECK(hlo_matrix_get(&t, i, j).re == 0);
    if (j + 2 < n && a->im == NULL)
      CHECK(hlo_matrix_get(&t, j + 1, j).re == 0 || hlo_matrix_get(&t, j + 2, j + 1).re == 0);
  }
}

static void check_all(ptrdiff_t n, bool is_complex) {
  check_products(n, is_complex);
  for (int k = 0; k < KINDS; k++) {
    hlo_matrix square = of_kind((kind)k, n, n, is_complex);
    hlo_matrix tall = of_kind((kind)k, n + n / 3 + 1, n, is_complex);
    hlo_matrix long_one = of_kind((kind)k, 2 * n + 1, n, is_complex);
    hlo_matrix wide = of_kind((kind)k, n, n + 5, is_complex);
    check_lu(&square);
    check_lu(&tall);
    check_lu(&wide);
    check_qr(&tall);
    check_qr(&wide);
    check_hermitian(&square, false, HLO_UNIT_DOUBLE);
    check_hermitian(&square, true, HLO_UNIT_SINGLE);
    check_singular(&square, false, HLO_UNIT_SINGLE, true);
    check_singular(&tall, true, HLO_UNIT_DOUBLE, true);
    check_singular(&long_one, k % 2, HLO_UNIT_DOUBLE, k > 2);
    hlo_matrix longest = of_kind((kind)k, 5 * n + 24, n, is_complex); // of ones: goes to denormals
    if (k == ONES) check_singular(&longest, true, HLO_UNIT_DOUBLE, false);
    check_schur(&square, false);
    check_schur(&square, true);
  }
}

// --- memory ---

static hlo_status run_short_of_memory(hlo_arena *arena, hlo_error *error) {
  hlo_evaluator short_one = {.scratch = arena};
  hlo_matrix a, u, v;
  double values[30];
  bool converged;
  ptrdiff_t failed;
  random_state = 1;
  HLO_TRY(hlo_matrix_create(arena, 30, 30, true, &a, error));
  HLO_TRY(hlo_matrix_create(arena, 30, 30, true, &u, error));
  HLO_TRY(hlo_matrix_create(arena, 30, 30, true, &v, error));
  fill(&a);
  HLO_TRY(hlo_singular_values(&short_one, &a, false, HLO_UNIT_DOUBLE, values, &u, &v, &converged,
                              error));
  hlo_matrix_set_identity(&a);
  return hlo_hermitian(&short_one, &a, false, HLO_UNIT_DOUBLE, values, true, &failed, error);
}

int main(void) {
  static const ptrdiff_t sizes[] = {1, 2, 3, 8, 25, 26, 33, 57};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int form = 0; form < 4; form++) {
      hlo_arena arena = {0};
      evaluator = (hlo_evaluator){.scratch = &arena};
      if (form & 1) evaluator.backend = hlo_kernels_backend();
      check_all(sizes[i], form & 2);
      hlo_arena_free(&arena);
    }
  }
  check_out_of_memory("factorisations", run_short_of_memory);
  return CHECK_RESULT();
}
