// Factorisations in single precision against what they stand for: products of the factors in
// double precision, and orthogonality, in units of rounding, over sizes on both sides of every
// block, with and without kernels; and what is done with numbers outside the normal range.
#include "factor_fixture.h"
#include "kernels/linalg/linear_algebra.h"
#include "kernels/simd/kernels.h"

#include <math.h>

typedef enum kind { RANDOM, DEFICIENT, GRADED, ONES, ZERO, KINDS } kind;

static hlo_single make(ptrdiff_t rows, ptrdiff_t columns) {
  hlo_single m;
  hlo_error error;
  need(hlo_single_create(evaluator.scratch, rows, columns, false, &m, &error));
  return m;
}

static hlo_single_vector numbers(ptrdiff_t n) {
  hlo_single m = make(n, 1);
  return (hlo_single_vector){n, 1, m.re, NULL};
}

static float *at(const hlo_single *m, ptrdiff_t i, ptrdiff_t j) { return m->re + i + j * m->step; }

static hlo_single copy(const hlo_single *m) {
  hlo_single out = make(m->rows, m->columns);
  for (ptrdiff_t j = 0; j < m->columns; j++)
    for (ptrdiff_t i = 0; i < m->rows; i++) *at(&out, i, j) = *at(m, i, j);
  return out;
}

static hlo_single of_kind(kind k, ptrdiff_t rows, ptrdiff_t columns) {
  hlo_single m = make(rows, columns);
  ptrdiff_t rank = (columns + 1) / 2;
  for (ptrdiff_t j = 0; j < columns && k != ZERO; j++) {
    for (ptrdiff_t i = 0; i < rows; i++) {
      *at(&m, i, j) =
          k == ONES ? 1 : (float)(draw() * (k == GRADED ? pow(2, -(double)(i + j)) : 1));
      if (k == DEFICIENT && j >= rank) *at(&m, i, j) = *at(&m, i, j - rank);
    }
  }
  return m;
}

// What a kernel must leave alone: zeros behind the rows, and the spare column.
static void check_frame(const hlo_single *m) {
  for (ptrdiff_t j = 0; j <= m->columns; j++)
    for (ptrdiff_t i = j < m->columns ? m->rows : 0; i < m->step; i++)
      CHECK_MESSAGE(*at(m, i, j) == 0, "%s writes beside %td x %td", what, m->rows, m->columns);
}

// a b, or a bᵀ, or aᵀ b is `want`, or the identity, up to so many units times the size.
static void check_product(const hlo_single *a, bool a_transposed, const hlo_single *b,
                          bool b_transposed, const hlo_single *want, double units) {
  ptrdiff_t rows = a_transposed ? a->columns : a->rows, depth = a_transposed ? a->rows : a->columns;
  ptrdiff_t columns = b_transposed ? b->rows : b->columns;
  double worst = 0, scale = 1e-30;
  for (ptrdiff_t i = 0; i < rows; i++) {
    for (ptrdiff_t j = 0; j < columns; j++) {
      double sum = 0, target = want == NULL ? i == j : (double)*at(want, i, j);
      for (ptrdiff_t k = 0; k < depth; k++)
        sum += (double)(a_transposed ? *at(a, k, i) : *at(a, i, k)) *
               (double)(b_transposed ? *at(b, j, k) : *at(b, k, j));
      double off = fabs(sum - target);
      if (!(off <= worst)) worst = off;
      if (fabs(target) > scale) scale = fabs(target);
    }
  }
  double bound = units * (double)(rows + columns + 8) * 0x1p-24 * scale;
  CHECK_MESSAGE(worst <= bound, "%s of %td x %td, %s: off by %g, may be by %g", what, rows, columns,
                evaluator.backend == NULL ? "portable" : "kernels", worst, bound);
}

static void check_lu(const hlo_single *a) {
  hlo_error error;
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), singular, zero = 0;
  hlo_single f = copy(a), l = make(a->rows, steps), u = make(steps, a->columns), want = copy(a);
  int32_t *pivots = hlo_arena_array(evaluator.scratch, (size_t)steps + 1, sizeof *pivots);
  what = "LU";
  need(hlo_single_lu(&evaluator, &f, pivots, &singular, &error));
  check_frame(&f);
  for (ptrdiff_t k = 0; k < steps; k++) {
    CHECK(pivots[k] >= k && pivots[k] < a->rows);
    if (*at(&f, k, k) == 0 && zero == 0) zero = k + 1;
    for (ptrdiff_t j = 0; j < a->columns; j++) {
      float kept = *at(&want, k, j);
      *at(&want, k, j) = *at(&want, pivots[k], j);
      *at(&want, pivots[k], j) = kept;
    }
  }
  CHECK_MESSAGE(singular == zero, "LU of %td x %td: the first zero is %td, not %td", a->rows,
                a->columns, zero, singular);
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    for (ptrdiff_t i = 0; i < a->rows; i++) {
      if (i > j && j < steps) *at(&l, i, j) = *at(&f, i, j);
      if (i > j && j < steps) CHECK(fabsf(*at(&f, i, j)) <= 1);
      if (i == j) *at(&l, i, j) = 1;
      if (i <= j && i < steps) *at(&u, i, j) = *at(&f, i, j);
    }
  }
  check_product(&l, false, &u, false, &want, 4);
}

static void check_qr(const hlo_single *a) {
  hlo_error error;
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  hlo_single f = copy(a), q = make(a->rows, a->rows), r = make(a->rows, a->columns);
  hlo_single_vector taus = numbers(steps);
  what = "QR";
  need(hlo_single_qr(&evaluator, &f, taus, &error));
  check_frame(&f);
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    for (ptrdiff_t i = 0; i < a->rows && i <= j; i++) *at(&r, i, j) = *at(&f, i, j);
    for (ptrdiff_t i = 0; i < a->rows && j < steps; i++) *at(&q, i, j) = *at(&f, i, j);
  }
  what = "Q, formed";
  need(hlo_single_qr_form(&evaluator, &q, taus, &error));
  check_frame(&q);
  check_product(&q, true, &q, false, NULL, 4);
  check_product(&q, false, &r, false, a, 4);
  what = "Q, applied";
  hlo_single ones = make(a->rows, a->rows);
  hlo_single_set_identity(&ones);
  hlo_single product = copy(&r), back = copy(a);
  need(hlo_single_qr_apply(&evaluator, &f, 0, taus, &product, true, false, &error));
  check_product(&ones, false, &product, false, a, 4);
  need(hlo_single_qr_apply(&evaluator, &f, 0, taus, &back, true, true, &error));
  check_product(&ones, false, &back, false, &r, 4);
  check_frame(&back);
  if (steps < 2) return;
  what = "Q, a row lower"; // where a first row and column stay as they are
  hlo_single lower = make(a->rows + 1, steps), all = make(a->rows + 1, a->rows + 1);
  hlo_single expected = make(a->rows + 1, a->rows + 1);
  for (ptrdiff_t k = 0; k < steps; k++)
    for (ptrdiff_t i = 0; i < a->rows; i++) *at(&lower, i + 1, k) = *at(&f, i, k);
  hlo_single_set_identity(&all);
  hlo_single_set_identity(&expected);
  for (ptrdiff_t j = 0; j < a->rows; j++)
    for (ptrdiff_t i = 0; i < a->rows; i++) *at(&expected, i + 1, j + 1) = *at(&q, i, j);
  need(hlo_single_qr_apply(&evaluator, &lower, 1, taus, &all, true, false, &error));
  hlo_single more = make(a->rows + 1, a->rows + 1);
  hlo_single_set_identity(&more);
  check_product(&more, false, &all, false, &expected, 4);
}

// q with its columns times numbers.
static hlo_single scale_columns(const hlo_single *q, ptrdiff_t columns, const double *values) {
  hlo_single out = make(q->rows, columns);
  for (ptrdiff_t j = 0; j < columns; j++)
    for (ptrdiff_t i = 0; i < q->rows; i++)
      *at(&out, i, j) = (float)((double)*at(q, i, j) * values[j]);
  return out;
}

static void check_values(ptrdiff_t n, const double *some, const double *others, bool ascending) {
  double largest = fabs(some[0]) > fabs(some[n - 1]) ? fabs(some[0]) : fabs(some[n - 1]);
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK(i == 0 || (ascending ? some[i - 1] <= some[i] : some[i - 1] >= some[i]));
    double off = fabs(some[i] - others[i]);
    CHECK_MESSAGE(off <= 8 * (double)(n + 8) * 0x1p-24 * largest, "%s of %td: off by %g", what, n,
                  off);
  }
}

static void check_symmetric(const hlo_single *given, bool lower) {
  hlo_error error;
  ptrdiff_t n = given->rows, failed;
  hlo_single whole = copy(given), q = copy(given);
  double *values = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  double *alone = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  double *exact = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  hlo_matrix wide;
  need(hlo_matrix_create(evaluator.scratch, n, n, false, &wide, &error));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      float x = lower == (i >= j) || i == j ? *at(given, i, j) : *at(given, j, i);
      *at(&whole, i, j) = x;
      hlo_matrix_set(&wide, i, j, hlo_real((double)x));
    }
  }
  what = lower ? "eigenvectors, lower" : "eigenvectors, upper";
  need(hlo_single_hermitian(&evaluator, &q, lower, HLO_UNIT_SINGLE, values, true, &failed, &error));
  CHECK(failed == 0);
  check_frame(&q);
  check_product(&q, true, &q, false, NULL, 8);
  hlo_single scaled = scale_columns(&q, n, values);
  check_product(&scaled, false, &q, true, &whole, 16);
  hlo_single again = copy(given);
  need(hlo_single_hermitian(&evaluator, &again, lower, HLO_UNIT_SINGLE, alone, false, &failed,
                            &error));
  need(hlo_hermitian(&evaluator, &wide, true, HLO_UNIT_DOUBLE, exact, false, &failed, &error));
  check_values(n, values, alone, true);
  check_values(n, values, exact, true);
}

static void check_singular(const hlo_single *a, bool adjoint, bool whole) {
  hlo_error error;
  ptrdiff_t m = a->rows, n = a->columns;
  bool converged;
  hlo_single used = copy(a), again = copy(a), u = make(m, whole ? m : n), v = make(n, n);
  double *values = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  double *alone = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  double *exact = hlo_arena_array(evaluator.scratch, (size_t)n, sizeof *values);
  hlo_matrix wide;
  need(hlo_matrix_create(evaluator.scratch, m, n, false, &wide, &error));
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < m; i++) hlo_matrix_set(&wide, i, j, hlo_real((double)*at(a, i, j)));
  what = adjoint ? "singular vectors of an adjoint" : "singular vectors";
  need(hlo_single_singular_values(&evaluator, &used, adjoint, HLO_UNIT_SINGLE, values, &u, &v,
                                  &converged, &error));
  CHECK(converged);
  check_frame(&used);
  check_frame(&u);
  check_product(&u, true, &u, false, NULL, 8);
  check_product(&v, true, &v, false, NULL, 8);
  hlo_single scaled = scale_columns(&u, n, values);
  check_product(&scaled, false, &v, true, a, 16);
  need(hlo_single_singular_values(&evaluator, &again, adjoint, HLO_UNIT_SINGLE, alone, NULL, NULL,
                                  &converged, &error));
  need(hlo_singular_values(&evaluator, &wide, adjoint, HLO_UNIT_DOUBLE, exact, NULL, NULL,
                           &converged, &error));
  check_values(n, values, alone, false);
  check_values(n, values, exact, false);
}

static void check_all(ptrdiff_t n) {
  for (int k = 0; k < KINDS; k++) {
    hlo_single square = of_kind((kind)k, n, n), tall = of_kind((kind)k, n + n / 3 + 1, n);
    hlo_single wide = of_kind((kind)k, n, n + n / 2 + 5), wider = of_kind((kind)k, n, 3 * n + 90);
    hlo_single taller = of_kind((kind)k, 3 * n + 90, n);
    check_lu(&square);
    check_lu(&tall);
    check_lu(&wide);
    check_lu(&wider);
    check_lu(&taller);
    check_qr(&square);
    check_qr(&tall);
    check_qr(&wide);
    if (n < 40) check_qr(&wider);
    if (n < 40) check_qr(&taller);
    check_symmetric(&square, true);
    check_symmetric(&square, false);
    check_singular(&square, k % 2, true);
    check_singular(&tall, true, k % 2);
    check_singular(&tall, false, !(k % 2));
    if (n < 40) check_singular(&taller, k % 2, n < 10);
    if (n < 40) check_singular(&taller, !(k % 2), n < 10);
  }
}

// --- numbers outside the normal range ---

static void check_range(void) {
  static const struct {
    float number;
    bool is_in_range;
  } cases[] = {
      {0, true},           {1, true},         {-0x1p39f, true},         {0x1p41f, false},
      {-0x1p-39f, true},   {0x1p-41f, false}, {(float)INFINITY, false}, {(float)NAN, false},
      {-(float)NAN, false}};
  what = "the normal range";
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (ptrdiff_t place = 0; place < 10; place++) {
      hlo_single m = make(5, 2);
      *at(&m, place % 5, place / 5) = cases[i].number;
      CHECK_MESSAGE(hlo_single_is_in_range(&m) == cases[i].is_in_range, "in range: %g at %td",
                    (double)cases[i].number, place);
    }
  }
}

// Nothing traps or goes on for ever where numbers become infinite on the way.
static void check_overflow(void) {
  hlo_error error;
  int32_t pivots[70];
  ptrdiff_t singular;
  what = "overflow";
  for (int k = 0; k < 2; k++) {
    hlo_single m = of_kind(RANDOM, 70, 70);
    *at(&m, 35, 35) = k == 0 ? (float)NAN : (float)INFINITY;
    *at(&m, 36, 3) = 0x1p127f;
    need(hlo_single_lu(&evaluator, &m, pivots, &singular, &error));
    for (ptrdiff_t i = 0; i < 70; i++) CHECK(pivots[i] >= i && pivots[i] < 70);
    need(hlo_single_qr(&evaluator, &m, numbers(70), &error));
  }
}

static hlo_status run_short_of_memory(hlo_arena *arena, hlo_error *error) {
  hlo_evaluator short_one = {.scratch = arena, .backend = hlo_kernels_backend()};
  hlo_single a, some, u, v;
  double values[40];
  bool converged;
  ptrdiff_t failed;
  float some_taus[150];
  hlo_single_vector taus = {150, 1, some_taus, NULL};
  int32_t pivots[150];
  ptrdiff_t singular;
  HLO_TRY(hlo_single_create(arena, 150, 150, false, &a, error));
  hlo_single_set_identity(&a);
  HLO_TRY(hlo_single_lu(&short_one, &a, pivots, &singular, error));
  HLO_TRY(hlo_single_qr(&short_one, &a, taus, error));
  HLO_TRY(hlo_single_create(arena, 40, 40, false, &u, error));
  HLO_TRY(hlo_single_create(arena, 40, 40, false, &v, error));
  HLO_TRY(hlo_single_create(arena, 40, 40, false, &some, error));
  for (ptrdiff_t i = 0; i < 40; i++) *at(&some, i, i / 2) = *at(&some, i, 39 - i) = (float)i;
  HLO_TRY(hlo_single_singular_values(&short_one, &some, false, HLO_UNIT_SINGLE, values, &u, &v,
                                     &converged, error));
  HLO_TRY(
      hlo_single_hermitian(&short_one, &some, true, HLO_UNIT_SINGLE, values, true, &failed, error));
  return hlo_single_qr_form(&short_one, &a, taus, error);
}

int main(void) {
  static const ptrdiff_t sizes[] = {1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 65, 131};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int form = 0; form < 2; form++) {
      hlo_arena arena = {0};
      evaluator = (hlo_evaluator){.scratch = &arena};
      if (form == 1) evaluator.backend = hlo_kernels_backend();
      check_all(sizes[i]);
      if (i == 0) check_range();
      if (i == 0) check_overflow();
      hlo_arena_free(&arena);
    }
  }
  check_out_of_memory("factorisations in single precision", run_short_of_memory);
  return CHECK_RESULT();
}
