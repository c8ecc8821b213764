// LAPACK routines that end after a known number of steps: factorisations and systems of equations.
// See lapack.h.
#include "kernels/linalg/factor_batches.h"
#include "kernels/linalg/triangular.h"
#include "kernels/structural.h"
#include "run/calls/built_in/lapack.h"

#include <string.h>

// Copies one triangle of a matrix, without the diagonal: along whichever side of `to` has its
// elements side by side.
static void keep_triangle(const hlo_view *to, char *data, const hlo_view *from, const char *given,
                          bool upper) {
  int32_t row = from->rank - 2, column = from->rank - 1;
  int64_t n = from->dims[row], size = hlo_type_bytes(from->type);
  if (to->strides[row] == 1) { // the other triangle of the transposed matrix
    row = column, column = from->rank - 2;
    upper = !upper;
  }
  for (int64_t i = 0; i < n; i++) {
    int64_t first = upper ? i + 1 : 0, count = upper ? n - first : i;
    char *target = data + (i * to->strides[row] + first * to->strides[column]) * size;
    const char *source = given + (i * from->strides[row] + first * from->strides[column]) * size;
    if (to->strides[column] == 1 && from->strides[column] == 1) {
      if (count > 0) memmove(target, source, (size_t)(count * size));
      continue;
    }
    int64_t step = to->strides[column], other = from->strides[column];
    if (size == 4) {
      for (int64_t j = 0; j < count; j++)
        ((int32_t *)(void *)target)[j * step] = ((const int32_t *)(const void *)source)[j * other];
      continue;
    }
    for (int64_t j = 0; j < count; j++)
      memcpy(target + j * step * size, source + j * other * size, (size_t)size);
  }
}

static char *matrix_at(const hlo_view *view, int32_t batch_rank, const int64_t *index) {
  int64_t offset = 0;
  for (int32_t d = 0; d < batch_rank; d++) offset += index[d] * view->strides[d];
  return hlo_view_at(view, offset);
}

// The factor takes the place of one triangle; the other stays what it was, unless all are NaN.
hlo_status hlo_lapack_potrf(const hlo_lapack *x, hlo_error *error) {
  bool lower = hlo_lapack_letter(x, "uplo") == 'L';
  const hlo_view *from = &x->operands[0], *to = &x->results[0], *failed = &x->results[1];
  int64_t index[HLO_MAX_RANK] = {0};
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(
        x, (hlo_routine){.function = hlo_reference_potrf, .is_lower = lower}, 1, 2, error);
  HLO_TRY(hlo_cholesky(x->call->evaluator, lower, from, to, failed, error));
  if (hlo_view_elements(to) == 0) return HLO_OK;
  do {
    if (*(const int32_t *)(void *)matrix_at(failed, failed->rank, index) != 0) continue;
    keep_triangle(to, matrix_at(to, failed->rank, index), from,
                  matrix_at(from, failed->rank, index), lower);
  } while (hlo_next_index(failed->rank, failed->dims, index));
  return HLO_OK;
}

hlo_status hlo_lapack_trsm(const hlo_lapack *x, hlo_error *error) {
  char side = hlo_lapack_letter(x, "side");
  char uplo = hlo_lapack_letter(x, "uplo");
  char transpose = hlo_lapack_letter(x, "trans_x");
  char diagonal = hlo_lapack_letter(x, "diag");
  hlo_triangular_form form = {.left_side = side == 'L',
                              .lower = uplo == 'L',
                              .unit_diagonal = diagonal == 'U',
                              .transpose = transpose == 'N'   ? HLO_NO_TRANSPOSE
                                           : transpose == 'T' ? HLO_TRANSPOSE
                                                              : HLO_ADJOINT};
  double factor = hlo_lapack_number(x, "alpha", 1);
  if (x->scalars == NULL && x->call->operand_count > 2) factor = hlo_lapack_scalar(&x->operands[2]);
  if (factor != 1) return hlo_lapack_fail(x, "a factor other than 1 is not supported", error);
  int32_t column = x->operands[0].rank - 1;
  if (x->operands[0].dims[column] != x->operands[1].dims[form.left_side ? column - 1 : column])
    return hlo_lapack_fail(x, "the matrices differ in size along the side", error);
  if (x->call->reference != NULL) {
    hlo_routine routine = {.function = hlo_reference_solve_triangular,
                           .is_left = form.left_side,
                           .is_lower = form.lower,
                           .is_unit = form.unit_diagonal,
                           .is_transposed = form.transpose != HLO_NO_TRANSPOSE,
                           .is_adjoint = form.transpose == HLO_ADJOINT};
    return hlo_lapack_by_oracle(x, routine, 2, 1, error);
  }
  return hlo_triangular_solve(x->call->evaluator, &form, &x->operands[0], &x->operands[1],
                              &x->results[0], error);
}

hlo_status hlo_lapack_getrf(const hlo_lapack *x, hlo_error *error) {
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_lu}, 1, 3, error);
  if (hlo_factor_batches_suit(&x->operands[0])) {
    hlo_factor_batches_lu(&x->operands[0], &x->results[0], &x->results[1], &x->results[2]);
    return HLO_OK;
  }
  hlo_lapack_matrix a;
  const hlo_evaluator *evaluator = x->call->evaluator;
  int32_t *pivots;
  int64_t steps = x->results[1].dims[0];
  ptrdiff_t singular;
  HLO_ALLOC(pivots, evaluator->scratch, steps, error);
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(a.is_single ? hlo_single_lu(evaluator, &a.single, pivots, &singular, error)
                      : hlo_lu(evaluator, &a.matrix, pivots, &singular, error));
  hlo_lapack_store(&x->results[0], &a);
  for (int64_t k = 0; k < steps; k++) hlo_lapack_store_int(&x->results[1], k, pivots[k] + 1);
  hlo_lapack_store_int(&x->results[2], 0, singular);
  return HLO_OK;
}

static hlo_single_vector single_of(const hlo_lapack_matrix *taus) {
  return (hlo_single_vector){taus->single.rows, 1, taus->single.re, taus->single.im};
}
static hlo_vector double_of(const hlo_lapack_matrix *taus) {
  return hlo_column(&taus->matrix, 0, 0);
}

hlo_status hlo_lapack_geqrf(const hlo_lapack *x, hlo_error *error) {
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_qr}, 1, 2, error);
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, taus;
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_create(x, &a, x->results[1].dims[0], 1, &taus, error));
  HLO_TRY(a.is_single ? hlo_single_qr(evaluator, &a.single, single_of(&taus), error)
                      : hlo_qr(evaluator, &a.matrix, double_of(&taus), error));
  hlo_lapack_store(&x->results[0], &a);
  hlo_lapack_store(&x->results[1], &taus);
  return HLO_OK;
}

// Columns whose operand 1 is not zero come first, in their order; the others are free to move.
hlo_status hlo_lapack_geqp3(const hlo_lapack *x, hlo_error *error) {
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_qr}, 2, 3, error);
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, taus;
  int32_t *order;
  int64_t columns = x->operands[1].dims[0], fixed = 0;
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_create(x, &a, x->results[2].dims[0], 1, &taus, error));
  HLO_ALLOC(order, evaluator->scratch, columns, error);
  const int32_t *chosen = x->operands[1].data;
  for (int64_t j = 0; j < columns; j++) {
    order[j] = (int32_t)j;
    if (chosen[j * x->operands[1].strides[0]] == 0) continue;
    order[j] = order[fixed];
    order[fixed] = (int32_t)j;
    if (a.is_single) hlo_single_exchange_columns(&a.single, j, fixed);
    else hlo_matrix_exchange_columns(&a.matrix, j, fixed);
    fixed++;
  }
  HLO_TRY(a.is_single
              ? hlo_single_qr_pivoted(evaluator, &a.single, single_of(&taus), order, fixed, error)
              : hlo_qr_pivoted(evaluator, &a.matrix, double_of(&taus), order, fixed, error));
  hlo_lapack_store(&x->results[0], &a);
  for (int64_t j = 0; j < columns; j++) hlo_lapack_store_int(&x->results[1], j, order[j] + 1);
  hlo_lapack_store(&x->results[2], &taus);
  return HLO_OK;
}

hlo_status hlo_lapack_orgqr(const hlo_lapack *x, hlo_error *error) {
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, taus;
  const int64_t *sizes = x->operands[0].dims, count = x->operands[1].dims[0];
  if (count > sizes[1] || sizes[1] > sizes[0])
    return hlo_lapack_fail(x,
                           "there may be no more reflectors than columns, and no more columns "
                           "than rows",
                           error);
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_form_q}, 2, 1, error);
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_load_like(x, &a, &x->operands[1], &taus, error));
  HLO_TRY(a.is_single ? hlo_single_qr_form(evaluator, &a.single, single_of(&taus), error)
                      : hlo_qr_form(evaluator, &a.matrix, double_of(&taus), error));
  hlo_lapack_store(&x->results[0], &a);
  return HLO_OK;
}

hlo_status hlo_lapack_ormqr(const hlo_lapack *x, hlo_error *error) {
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, taus, c;
  bool left = hlo_custom_call_flag(x->call->instruction, "left", true);
  bool adjoint = hlo_custom_call_flag(x->call->instruction, "transpose", false);
  const int64_t *sizes = x->operands[0].dims;
  if (sizes[0] != x->operands[2].dims[left ? 0 : 1] ||
      x->operands[1].dims[0] > (sizes[0] < sizes[1] ? sizes[0] : sizes[1]))
    return hlo_lapack_fail(x, "the reflectors do not fit the matrix they are applied to", error);
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(
        x, (hlo_routine){.function = hlo_reference_apply_q, .is_left = left, .is_adjoint = adjoint},
        3, 1, error);
  HLO_TRY(hlo_lapack_load(x, &x->operands[2], &c, error));
  HLO_TRY(hlo_lapack_load_like(x, &c, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_load_like(x, &c, &x->operands[1], &taus, error));
  HLO_TRY(c.is_single ? hlo_single_qr_apply(evaluator, &a.single, 0, single_of(&taus), &c.single,
                                            left, adjoint, error)
                      : hlo_qr_apply(evaluator, &a.matrix, 0, double_of(&taus), &c.matrix, left,
                                     adjoint, error));
  hlo_lapack_store(&x->results[0], &c);
  return HLO_OK;
}

hlo_status hlo_lapack_gehrd(const hlo_lapack *x, hlo_error *error) {
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, taus;
  double n = (double)x->operands[0].dims[0];
  double low = hlo_lapack_number(x, "low", 1), high = hlo_lapack_number(x, "high", n);
  if (n == 0) low = 1, high = 0; // no rows take part, whatever is said
  else if (!(low >= 1 && low <= high && high <= n))
    return hlo_lapack_fail(x, "1 <= low <= high <= n must hold", error);
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x,
                                (hlo_routine){.function = hlo_reference_hessenberg,
                                              .low = (int64_t)low - 1,
                                              .end = (int64_t)high},
                                1, 3, error);
  ptrdiff_t first = (ptrdiff_t)low - 1, end = (ptrdiff_t)high;
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_create(x, &a, x->results[1].dims[0], 1, &taus, error));
  HLO_TRY(a.is_single
              ? hlo_single_hessenberg(evaluator, &a.single, first, end, single_of(&taus), error)
              : hlo_hessenberg(evaluator, &a.matrix, first, end, double_of(&taus), error));
  hlo_lapack_store(&x->results[0], &a);
  hlo_lapack_store(&x->results[1], &taus);
  hlo_lapack_store_int(&x->results[2], 0, 0);
  return HLO_OK;
}

// The same matrix with rows and columns in the opposite order: the upper triangle becomes the lower
// one, which LAPACK treats from the other end.
static void reverse(hlo_view *view) {
  for (int32_t d = 0; d < view->rank; d++) {
    if (view->dims[d] == 0) return;
    view->data =
        (char *)view->data + (view->dims[d] - 1) * view->strides[d] * hlo_type_bytes(view->type);
    view->strides[d] = -view->strides[d];
  }
}

// Of a lower triangle.
static hlo_status reduce_lower(const hlo_lapack *x, hlo_error *error) {
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, taus;
  double *diagonal, *below;
  const hlo_view *from = &x->operands[0], *to = x->results;
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_tridiagonal}, 1, 5,
                                error);
  int64_t n = from->dims[0];
  HLO_TRY(hlo_lapack_load(x, from, &a, error));
  HLO_TRY(hlo_lapack_create(x, &a, to[3].dims[0], 1, &taus, error));
  HLO_ALLOC(diagonal, evaluator->scratch, n, error);
  HLO_ALLOC(below, evaluator->scratch, n, error);
  if (a.is_single) {
    hlo_single_complete(&a.single, true);
    HLO_TRY(hlo_single_tridiagonal(evaluator, &a.single, diagonal, below, single_of(&taus), error));
  } else {
    hlo_complete(&a.matrix, true);
    HLO_TRY(hlo_tridiagonal(evaluator, &a.matrix, diagonal, below, double_of(&taus), error));
  }
  hlo_lapack_store(&to[0], &a);
  keep_triangle(&to[0], to[0].data, from, from->data, true);
  hlo_lapack_store_reals(&to[1], diagonal);
  hlo_lapack_store_reals(&to[2], below);
  hlo_lapack_store(&to[3], &taus);
  hlo_lapack_store_int(&x->results[4], 0, 0);
  return HLO_OK;
}

hlo_status hlo_lapack_sytrd(const hlo_lapack *x, hlo_error *error) {
  hlo_lapack y = *x;
  if (hlo_lapack_letter(x, "uplo") == 'U') {
    reverse(&y.operands[0]);
    for (int i = 0; i < 4; i++) reverse(&y.results[i]);
  }
  return reduce_lower(&y, error);
}

// --- tridiagonal systems ---

// Loads the diagonals and the right-hand sides. The first element of the lower diagonal and the
// last one of the upper diagonal are not read.
static hlo_status load_tridiagonal(const hlo_lapack *x, hlo_matrix out[4], hlo_error *error) {
  for (int i = 0; i < 4; i++)
    HLO_TRY(hlo_matrix_of_view(x->call->evaluator->scratch, &x->operands[i], &out[i], error));
  return HLO_OK;
}

static int64_t solve_tridiagonal(const hlo_matrix m[4], double least) {
  if (m[1].rows == 0) return 0;
  hlo_vector upper = hlo_column(&m[2], 0, 0);
  upper.n--;
  return hlo_solve_tridiagonal(hlo_column(&m[0], 0, 1), hlo_column(&m[1], 0, 0), upper, &m[3],
                               least);
}

hlo_status hlo_lapack_gtsv(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix m[4];
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_solve_tridiagonal}, 4, 5,
                                error);
  HLO_TRY(load_tridiagonal(x, m, error));
  ptrdiff_t singular = solve_tridiagonal(m, 0);
  for (int i = 0; i < 4; i++) hlo_matrix_to_view(&x->results[i], &m[i]);
  hlo_lapack_store_int(&x->results[4], 0, singular);
  return HLO_OK;
}

// Pivots that are negligible against the matrix's numbers are replaced: the system always has a
// solution.
hlo_status hlo_lapack_perturbed(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix m[4];
  double largest = 0;
  double epsilon = hlo_type_complex_part(x->operands[0].type) == HLO_F32 ? 0x1p-23 : 0x1p-52;
  if (x->call->reference != NULL) {
    hlo_routine routine = {.function = hlo_reference_solve_tridiagonal, .epsilon = epsilon};
    return hlo_lapack_by_oracle(x, routine, 4, 1, error);
  }
  HLO_TRY(load_tridiagonal(x, m, error));
  for (int i = 0; i < 3; i++) {
    double size = hlo_matrix_largest(&m[i]);
    if (size > largest) largest = size;
  }
  double least = epsilon * largest;
  solve_tridiagonal(m, least > 1e-300 ? least : 1e-300);
  hlo_matrix_to_view(&x->results[0], &m[3]);
  return HLO_OK;
}
