// Cholesky factors and triangular systems: reduces every variant to one on dense row-major
// matrices, computed by blocks of rows so that most of the arithmetic is GEMM. Source of semantics:
// "Cholesky" and "TriangularSolve" of the operation semantics. Source of the algorithms: G. Golub,
// C. Van Loan, Matrix Computations, 3.1 and 4.2.
#include "kernels/linalg/triangular.h"

#include "kernels/elementwise/lanes.h"
#include "kernels/linalg/factor_batches.h"
#include "kernels/linalg/triangular_blocks.h"
#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"
#include "kernels/structural.h"

#include <string.h>

enum { BLOCK = HLO_TRIANGULAR_BLOCK };

// Dense copies of the matrices of one batch entry, and scratch for their blocks.
typedef struct triangular_work {
  hlo_type type;
  size_t size; // of an element
  const hlo_triangular_blocks *blocks;
  hlo_matrix_product product;
  int64_t n, m;
  char *a, *x; // n x n and n x m
  char *left;  // a block of rows, of `a` for products
  char *above; // BLOCK x m: the rows above times their factors, subtracted from a block
} triangular_work;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static hlo_status allocate(const hlo_evaluator *evaluator, int64_t rows, int64_t columns,
                           size_t size, char **out, hlo_error *error) {
  // Both are sizes of arrays that are there, or of a block.
  *out = hlo_arena_array(evaluator->scratch, (size_t)(rows * columns), size);
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

static hlo_status prepare(const hlo_evaluator *evaluator, hlo_type type, int64_t n, int64_t m,
                          triangular_work *work, hlo_error *error) {
  *work = (triangular_work){.type = type, .n = n, .m = m, .size = (size_t)hlo_type_bytes(type)};
  work->blocks = hlo_triangular_blocks_get(type);
  if (work->blocks == NULL)
    return hlo_fail(error, HLO_UNSUPPORTED, "no triangular matrices of %s", hlo_type_name(type));
  HLO_TRY(allocate(evaluator, n, n, work->size, &work->a, error));
  if (n <= BLOCK) return HLO_OK;
  HLO_TRY(allocate(evaluator, BLOCK, n, work->size, &work->left, error));
  HLO_TRY(allocate(evaluator, BLOCK, m, work->size, &work->above, error));
  return hlo_matrix_product_init(evaluator, type, false, m, n, &work->product, error);
}

// Copies a view, but only the dimensions in use: a view has room for the maximum rank.
static void copy_view(const hlo_view *from, hlo_view *out) {
  out->type = from->type;
  out->rank = from->rank;
  for (int32_t d = 0; d < from->rank; d++) {
    out->dims[d] = from->dims[d];
    out->strides[d] = from->strides[d];
  }
  out->data = from->data;
}

// The matrix of the batch at `index`. Unused dimensions of the view are left unset: clearing them
// would take longer than a small matrix.
static void matrix_at(const hlo_view *view, const int64_t *index, hlo_view *out) {
  int32_t batch = view->rank - 2;
  int64_t offset = 0;
  for (int32_t i = 0; i < batch; i++) offset += index[i] * view->strides[i];
  out->type = view->type;
  out->rank = 2;
  for (int32_t i = 0; i < 2; i++) {
    out->dims[i] = view->dims[batch + i];
    out->strides[i] = view->strides[batch + i];
  }
  out->data = hlo_view_at(view, offset);
}

// Reverses the order of the rows and columns of the matrices, or of the rows alone.
static void reverse(hlo_view *matrices, bool rows_alone) {
  int64_t offset = 0;
  int32_t row = matrices->rank - 2;
  for (int32_t d = row; d < row + (rows_alone ? 1 : 2); d++) {
    offset += (matrices->dims[d] - 1) * matrices->strides[d];
    matrices->strides[d] = -matrices->strides[d];
  }
  matrices->data = hlo_view_at(matrices, offset);
}

static void exchange(hlo_view *matrices) {
  int32_t row = matrices->rank - 2, column = matrices->rank - 1;
  int64_t rows = matrices->dims[row], stride = matrices->strides[row];
  matrices->dims[row] = matrices->dims[column];
  matrices->strides[row] = matrices->strides[column];
  matrices->dims[column] = rows;
  matrices->strides[column] = stride;
}

static void dense_view(const hlo_view *like, void *data, hlo_view *out) {
  out->type = like->type;
  out->rank = 2;
  for (int32_t i = 0; i < 2; i++) out->dims[i] = like->dims[i];
  out->data = data;
  hlo_view_set_row_major(out);
}

// For small matrices, planning a strided copy would take longer than the copy.
static void copy(const hlo_view *to, const hlo_view *from) {
  int64_t rows = to->dims[0], columns = to->dims[1];
  if (hlo_type_bytes(to->type) != 4 || rows > HLO_TRIANGULAR_FEW || columns > HLO_TRIANGULAR_FEW) {
    hlo_view_copy(to, from);
    return;
  }
  for (int64_t i = 0; i < rows; i++) {
    float *target = (float *)to->data + i * to->strides[0];
    const float *source = (const float *)from->data + i * from->strides[0];
    for (int64_t j = 0; j < columns; j++) target[j * to->strides[1]] = source[j * from->strides[1]];
  }
}

static void load(void *to, const hlo_view *from) {
  hlo_view dense;
  dense_view(from, to, &dense);
  copy(&dense, from);
}

static void store(const hlo_view *to, void *from) {
  hlo_view dense;
  dense_view(to, from, &dense);
  copy(to, &dense);
}

static void conjugate(hlo_type type, void *data, int64_t n) {
  for (int64_t i = 0; i < n && type == HLO_C128; i++) ((double *)data)[2 * i + 1] *= -1;
}

// --- triangular systems ---

// x = a⁻¹ x for a lower triangle a, both dense.
static void solve_dense(const triangular_work *work, bool unit) {
  int64_t n = work->n, m = work->m;
  size_t row = (size_t)n * work->size, x_row = (size_t)m * work->size;
  for (int64_t i = 0; i < n; i += BLOCK) {
    int64_t rows = smaller(BLOCK, n - i);
    const char *a = work->a + (size_t)i * row;
    char *x = work->x + (size_t)i * x_row;
    if (i > 0) hlo_matrix_product_run(&work->product, rows, m, i, a, n, work->x, m, work->above, m);
    work->blocks->solve(rows, m, a + (size_t)i * work->size, n, unit, x, m,
                        i > 0 ? work->above : NULL);
  }
}

// Transforms every variant into the lower, left, untransposed one by transposing and reversing
// views.
static void bring_into_form(const hlo_triangular_form *form, hlo_view *a, hlo_view *b,
                            hlo_view *result) {
  bool exchanged = (form->transpose != HLO_NO_TRANSPOSE) == form->left_side;
  if (exchanged) exchange(a);
  if (!form->left_side) {
    exchange(b);
    exchange(result);
  }
  if (form->lower != exchanged) return;
  reverse(a, false);
  reverse(b, true);
  reverse(result, true);
}

static hlo_status solve_batch(const hlo_evaluator *evaluator, const hlo_triangular_form *form,
                              const hlo_view *a, const hlo_view *b, const hlo_view *result,
                              hlo_error *error) {
  int64_t index[HLO_MAX_RANK];
  hlo_view triangles, right, to;
  triangular_work work;
  copy_view(a, &triangles);
  copy_view(b, &right);
  copy_view(result, &to);
  bring_into_form(form, &triangles, &right, &to);
  int32_t batch = a->rank - 2;
  int64_t n = right.dims[batch], m = right.dims[batch + 1];
  for (int32_t d = 0; d < batch; d++) index[d] = 0;
  if (hlo_factor_batches_suit(&triangles) &&
      n * m <= HLO_TRIANGULAR_FEW * HLO_TRIANGULAR_FEW) { // else rows are long enough
    hlo_factor_batches_solve(&triangles, form->unit_diagonal, &right, &to);
    return HLO_OK;
  }
  HLO_TRY(prepare(evaluator, a->type, n, m, &work, error));
  HLO_TRY(allocate(evaluator, work.n, work.m, work.size, &work.x, error));
  do {
    hlo_view matrix;
    matrix_at(&triangles, index, &matrix);
    load(work.a, &matrix);
    matrix_at(&right, index, &matrix);
    load(work.x, &matrix);
    if (form->transpose == HLO_ADJOINT) conjugate(work.type, work.a, work.n * work.n);
    solve_dense(&work, form->unit_diagonal);
    matrix_at(&to, index, &matrix);
    store(&matrix, work.x);
  } while (hlo_next_index(batch, a->dims, index));
  return HLO_OK;
}

// --- Cholesky ---

// Factors the dense upper triangle in place: a becomes u with uᴴ u = a. Returns the row at which a
// turns out not to be positive definite, else n.
static int64_t factor_dense(const triangular_work *work) {
  int64_t n = work->n;
  size_t row = (size_t)n * work->size;
  for (int64_t i = 0; i < n; i += BLOCK) {
    int64_t rows = smaller(BLOCK, n - i), columns = n - i;
    char *from = work->a + (size_t)i * work->size, *a = from + (size_t)i * row;
    if (i > 0) {
      work->blocks->adjoint(rows, i, work->left, i, from, n);
      hlo_matrix_product_run(&work->product, rows, columns, i, work->left, i, from, n, work->above,
                             columns);
    }
    int64_t done = work->blocks->factor(rows, columns, a, n, i > 0 ? work->above : NULL);
    if (done < rows) return i + done;
    for (int64_t r = 1; r < n - i; r++) {
      memset(a + (size_t)r * row, 0, (size_t)smaller(r, rows) * work->size);
    }
  }
  return n;
}

static void fill_nan(const triangular_work *work) {
  int64_t n = work->n * work->n;
  hlo_number nan = {.type_class = HLO_CLASS_COMPLEX, .re = __builtin_nan("")};
  for (int64_t i = 0; i < n; i++) {
    hlo_element_set(work->type, work->a + (size_t)i * work->size, nan);
  }
}

static hlo_status factor_batch(const hlo_evaluator *evaluator, bool lower, const hlo_view *a,
                               const hlo_view *result, const hlo_view *failed_minors,
                               hlo_error *error) {
  int64_t index[HLO_MAX_RANK] = {0}, n = a->dims[a->rank - 1];
  hlo_view from = *a, to = *result, matrix;
  triangular_work work;
  if (lower) {
    exchange(&from);
    exchange(&to);
  }
  if (hlo_factor_batches_suit(a)) {
    hlo_factor_batches_cholesky(&from, &to, failed_minors);
    return HLO_OK;
  }
  HLO_TRY(prepare(evaluator, a->type, n, n, &work, error));
  do {
    matrix_at(&from, index, &matrix);
    load(work.a, &matrix);
    if (lower) conjugate(work.type, work.a, n * n);
    int64_t done = factor_dense(&work);
    if (done < n) fill_nan(&work);
    else if (lower) conjugate(work.type, work.a, n * n);
    matrix_at(&to, index, &matrix);
    store(&matrix, work.a);
    if (failed_minors == NULL) continue;
    int64_t offset = 0;
    for (int32_t i = 0; i < failed_minors->rank; i++)
      offset += index[i] * failed_minors->strides[i];
    *(int32_t *)hlo_view_at(failed_minors, offset) = done < n ? (int32_t)done + 1 : 0;
  } while (hlo_next_index(a->rank - 2, a->dims, index));
  return HLO_OK;
}

// --- types computed in a wider one ---

static hlo_type work_type_of(hlo_type type) {
  if (type == HLO_C64) return HLO_C128;
  return hlo_type_is_float(type) && hlo_type_bits(type) < 32 ? HLO_F32 : type;
}

static hlo_status wide_copy(const hlo_evaluator *evaluator, const hlo_view *view, hlo_view *out,
                            hlo_error *error) {
  HLO_TRY(
      hlo_scratch_view(evaluator, work_type_of(view->type), view->rank, view->dims, out, error));
  return hlo_convert_view(evaluator, out, view, error);
}

hlo_status hlo_triangular_solve(const hlo_evaluator *evaluator, const hlo_triangular_form *form,
                                const hlo_view *a, const hlo_view *b, const hlo_view *result,
                                hlo_error *error) {
  if (hlo_view_elements(result) == 0) return HLO_OK;
  if (work_type_of(a->type) == a->type) return solve_batch(evaluator, form, a, b, result, error);
  hlo_view wide_a, wide_b, wide_result;
  HLO_TRY(wide_copy(evaluator, a, &wide_a, error));
  HLO_TRY(wide_copy(evaluator, b, &wide_b, error));
  HLO_TRY(hlo_scratch_view(evaluator, wide_a.type, b->rank, b->dims, &wide_result, error));
  HLO_TRY(solve_batch(evaluator, form, &wide_a, &wide_b, &wide_result, error));
  return hlo_convert_view(evaluator, result, &wide_result, error);
}

hlo_status hlo_cholesky(const hlo_evaluator *evaluator, bool lower, const hlo_view *a,
                        const hlo_view *result, const hlo_view *failed_minors, hlo_error *error) {
  if (hlo_view_elements(result) == 0) {
    if (failed_minors != NULL) hlo_view_fill(failed_minors, &(int32_t){0});
    return HLO_OK;
  }
  if (work_type_of(a->type) == a->type)
    return factor_batch(evaluator, lower, a, result, failed_minors, error);
  hlo_view wide_a, wide_result;
  HLO_TRY(wide_copy(evaluator, a, &wide_a, error));
  HLO_TRY(hlo_scratch_view(evaluator, wide_a.type, a->rank, a->dims, &wide_result, error));
  HLO_TRY(factor_batch(evaluator, lower, &wide_a, &wide_result, failed_minors, error));
  return hlo_convert_view(evaluator, result, &wide_result, error);
}

// --- instructions ---

hlo_status hlo_eval_triangular_solve(const hlo_evaluator *evaluator,
                                     const hlo_instruction *instruction, const hlo_view *operands,
                                     const hlo_view *results, hlo_error *error) {
  const char *transpose = hlo_get_text(instruction, HLO_ATTRIBUTE_TRANSPOSE_A);
  hlo_triangular_form form = {
      .left_side = hlo_get_int(instruction, HLO_ATTRIBUTE_LEFT_SIDE, 0) != 0,
      .lower = hlo_get_int(instruction, HLO_ATTRIBUTE_LOWER, 0) != 0,
      .unit_diagonal = hlo_get_int(instruction, HLO_ATTRIBUTE_UNIT_DIAGONAL, 0) != 0,
  };
  if (transpose != NULL && strcmp(transpose, "TRANSPOSE") == 0) form.transpose = HLO_TRANSPOSE;
  if (transpose != NULL && strcmp(transpose, "ADJOINT") == 0) form.transpose = HLO_ADJOINT;
  return hlo_triangular_solve(evaluator, &form, &operands[0], &operands[1], &results[0], error);
}

hlo_status hlo_eval_cholesky(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                             const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  bool lower = hlo_get_int(instruction, HLO_ATTRIBUTE_LOWER, 0) != 0;
  return hlo_cholesky(evaluator, lower, &operands[0], &results[0], NULL, error);
}
