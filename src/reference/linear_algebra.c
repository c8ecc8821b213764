// Cholesky and TriangularSolve by the textbook (G. Golub, C. Van Loan, Matrix Computations, 3.1 and
// 4.2), in wide numbers. Source of semantics: their sections of the operation semantics.
#include "reference/operation.h"
#include "reference/wide.h"

// Dimensions before the last two go through matrices.
static hlo_index over_matrices(const hlo_view *view) {
  return hlo_index_within(view->rank - 2, view->dims);
}

static hlo_status make_matrix(const hlo_operation *x, int64_t rows, int64_t columns, hlo_wide **out,
                              hlo_error *error) {
  HLO_ALLOC(*out, x->reference->arena, rows * columns, error);
  return HLO_OK;
}

static hlo_wide matrix_at(const hlo_view *view, hlo_index *batch, int64_t row, int64_t column) {
  batch->at[view->rank - 2] = row;
  batch->at[view->rank - 1] = column;
  return hlo_wide_at(view, batch->at);
}

static void put_matrix(const hlo_view *view, hlo_index *batch, int64_t row, int64_t column,
                       hlo_wide value) {
  batch->at[view->rank - 2] = row;
  batch->at[view->rank - 1] = column;
  hlo_put_number(view, batch->at, hlo_wide_round(value));
}

// --- Cholesky ---

// l of l lᴴ = a, row by row. False if a is not positive definite.
static bool factor(int64_t n, hlo_wide *a) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j <= i; j++) {
      hlo_wide sum = a[i * n + j];
      for (int64_t k = 0; k < j; k++)
        sum = hlo_wide_subtract(sum,
                                hlo_wide_multiply(a[i * n + k], hlo_wide_conjugate(a[j * n + k])));
      hlo_wide root = hlo_wide_root(sum);
      if (i == j && !(sum.re.hi > 0)) return false;
      root.type_class = sum.type_class;
      a[i * n + j] = i == j ? root : hlo_wide_divide(sum, a[j * n + j]);
    }
  }
  return true;
}

// Cholesky: l of l lᴴ = a, or u of uᴴ u = a, from that triangle of a alone; zeros in the other one,
// NaN throughout where there is none.
hlo_status hlo_reference_cholesky(const hlo_operation *x, hlo_error *error) {
  const hlo_view *from = x->operands, *to = x->results;
  bool is_lower = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LOWER, 0) != 0;
  int64_t n = from->dims[from->rank - 1];
  hlo_type_class type_class = hlo_type_get_class(from->type);
  hlo_wide *l, zero = {.type_class = type_class}, nan = zero;
  nan.re.hi = DOUBLE_NAN;
  HLO_TRY(make_matrix(x, n, n, &l, error));
  for (hlo_index batch = over_matrices(from); hlo_index_next(&batch);) {
    for (int64_t i = 0; i < n; i++) {
      for (int64_t j = 0; j <= i; j++) {
        hlo_wide upper = hlo_wide_conjugate(matrix_at(from, &batch, j, i));
        l[i * n + j] = is_lower ? matrix_at(from, &batch, i, j) : upper;
        if (i == j) l[i * n + j].im = (dd){0, 0};
      }
    }
    bool is_positive = factor(n, l);
    for (int64_t i = 0; i < n; i++) {
      for (int64_t j = 0; j < n; j++) {
        hlo_wide value = is_lower ? l[i * n + j] : hlo_wide_conjugate(l[j * n + i]);
        bool is_inside = is_lower ? j <= i : i <= j;
        put_matrix(to, &batch, i, j, !is_positive ? nan : is_inside ? value : zero);
      }
    }
  }
  return HLO_OK;
}

// --- TriangularSolve ---

// An element of op(a), or of its transpose.
typedef struct triangle {
  const hlo_view *a;
  hlo_index *batch;
  bool transposes, conjugates, is_unit;
} triangle;

static hlo_wide coefficient(const triangle *t, int64_t i, int64_t j) {
  hlo_wide value =
      t->transposes ? matrix_at(t->a, t->batch, j, i) : matrix_at(t->a, t->batch, i, j);
  return t->conjugates ? hlo_wide_conjugate(value) : value;
}

// Substitution: x of t x = b in place of b, with n unknowns; of an upper triangle from the last on.
static void substitute(const triangle *t, bool is_lower, int64_t n, hlo_wide *x) {
  for (int64_t step = 0; step < n; step++) {
    int64_t i = is_lower ? step : n - 1 - step;
    for (int64_t done = 0; done < step; done++) {
      int64_t j = is_lower ? done : n - 1 - done;
      x[i] = hlo_wide_subtract(x[i], hlo_wide_multiply(coefficient(t, i, j), x[j]));
    }
    if (!t->is_unit) x[i] = hlo_wide_divide(x[i], coefficient(t, i, i));
  }
}

// TriangularSolve: op(a) x = b, or x op(a) = b, which is op(a)ᵀ xᵀ = bᵀ. Only the triangle of a
// counts, and its diagonal as 1 if unit_diagonal.
hlo_status hlo_reference_triangular_solve(const hlo_operation *x, hlo_error *error) {
  const hlo_view *a = &x->operands[0], *b = &x->operands[1];
  const char *transpose = hlo_get_text(x->instruction, HLO_ATTRIBUTE_TRANSPOSE_A);
  bool is_left = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LEFT_SIDE, 0) != 0;
  bool is_lower = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LOWER, 0) != 0;
  bool is_adjoint = transpose != NULL && strcmp(transpose, "ADJOINT") == 0;
  bool is_transposed = is_adjoint || (transpose != NULL && strcmp(transpose, "TRANSPOSE") == 0);
  int64_t n = a->dims[a->rank - 1], systems = b->dims[b->rank - (is_left ? 1 : 2)];
  hlo_wide *column;
  HLO_TRY(make_matrix(x, n, 1, &column, error));
  for (hlo_index batch = over_matrices(b); hlo_index_next(&batch);) {
    triangle t = {.a = a,
                  .batch = &batch,
                  .transposes = is_transposed == is_left,
                  .conjugates = is_adjoint,
                  .is_unit = hlo_get_int(x->instruction, HLO_ATTRIBUTE_UNIT_DIAGONAL, 0) != 0};
    for (int64_t s = 0; s < systems; s++) {
      for (int64_t i = 0; i < n; i++)
        column[i] = is_left ? matrix_at(b, &batch, i, s) : matrix_at(b, &batch, s, i);
      substitute(&t, is_lower != t.transposes, n, column);
      for (int64_t i = 0; i < n; i++)
        put_matrix(x->results, &batch, is_left ? i : s, is_left ? s : i, column[i]);
    }
  }
  return HLO_OK;
}
