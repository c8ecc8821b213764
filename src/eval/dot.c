// Dot with any batch and contracting dimensions: brings each batch's operands into the form of
// dense row-major matrices and multiplies those. Source of semantics: "Dot" and "DotGeneral" of the
// operation semantics. Must not know how a product of matrices is computed.
//
// Sums are made in hlo_dot_work_type and rounded or wrapped once to the result's type.
#include "eval/lanes.h"
#include "eval/matrix_product.h"
#include "eval/structural.h"

// One operand or the result of one batch as a matrix of rows and columns, each of which may stand
// for several dimensions.
typedef struct matrix_source {
  hlo_view view;    // row dimensions, then column dimensions
  int32_t row_rank; // how many of them are rows
  int64_t rows, columns;
  hlo_type work_type;
  bool dense; // the matrix lies in memory as kernels want it
  int64_t row_stride;
  void *same_type; // else dense memory for it: of its own type
  void *converted; // and of work_type (the same memory if the types agree)
} matrix_source;

typedef struct dot_dimensions {
  int32_t batch_count, contracting_count;
  const int64_t *batch, *contracting;
  int32_t free_count;
  int64_t free[HLO_MAX_RANK];
} dot_dimensions;

static dot_dimensions dimensions_of(const hlo_instruction *instruction, const hlo_view *operand,
                                    hlo_attribute_id batch, hlo_attribute_id contracting) {
  dot_dimensions out = {.free_count = 0};
  bool taken[HLO_MAX_RANK] = {false};
  out.batch = hlo_get_ints(instruction, batch, &out.batch_count);
  out.contracting = hlo_get_ints(instruction, contracting, &out.contracting_count);
  for (int32_t i = 0; i < out.batch_count; i++) taken[out.batch[i]] = true;
  for (int32_t i = 0; i < out.contracting_count; i++) taken[out.contracting[i]] = true;
  for (int32_t i = 0; i < operand->rank; i++) {
    if (!taken[i]) out.free[out.free_count++] = i;
  }
  return out;
}

// The dimensions as one: *stride is the distance of neighbours. False if they are not evenly
// spaced.
static bool as_one_dimension(const hlo_view *view, int32_t first, int32_t count, int64_t *size,
                             int64_t *stride) {
  bool even = true;
  *size = 1;
  *stride = 1;
  for (int32_t i = first + count - 1; i >= first; i--) {
    if (view->dims[i] == 1) continue;
    if (*size == 1) *stride = view->strides[i];
    else if (view->strides[i] != *size * *stride) even = false;
    *size *= view->dims[i];
  }
  return even;
}

// Picks `count` dimensions of `from` as the next ones of the matrix.
static void append(matrix_source *matrix, const hlo_view *from, int32_t count,
                   const int64_t *dimensions) {
  hlo_view *view = &matrix->view;
  for (int32_t i = 0; i < count; i++) {
    view->dims[view->rank] = from->dims[dimensions[i]];
    view->strides[view->rank++] = from->strides[dimensions[i]];
  }
}

// Finishes a matrix whose view is complete. May need scratch memory.
static hlo_status prepare_matrix(const hlo_evaluator *evaluator, matrix_source *matrix,
                                 hlo_error *error) {
  int64_t column_stride;
  int32_t column_rank = matrix->view.rank - matrix->row_rank;
  bool rows =
      as_one_dimension(&matrix->view, 0, matrix->row_rank, &matrix->rows, &matrix->row_stride);
  bool columns = as_one_dimension(&matrix->view, matrix->row_rank, column_rank, &matrix->columns,
                                  &column_stride);
  if (matrix->rows == 1) matrix->row_stride = matrix->columns;
  bool plain = rows && columns && (matrix->columns == 1 || column_stride == 1) &&
               matrix->row_stride >= matrix->columns;
  matrix->dense = plain && matrix->view.type == matrix->work_type;
  if (matrix->dense) return HLO_OK;
  matrix->row_stride = matrix->columns;
  // rows * columns is at most the elements of an array, so this does not overflow.
  size_t elements = (size_t)(matrix->rows * matrix->columns);
  size_t size = (size_t)hlo_type_bytes(matrix->view.type);
  size_t work_size = (size_t)hlo_type_bytes(matrix->work_type);
  matrix->same_type = hlo_arena_array(evaluator->scratch, elements, size);
  matrix->converted = matrix->same_type;
  if (matrix->view.type != matrix->work_type) {
    matrix->converted = hlo_arena_array(evaluator->scratch, elements, work_size);
  }
  bool failed = matrix->same_type == NULL || matrix->converted == NULL;
  return failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}

static hlo_view dense_copy_of(const matrix_source *matrix) {
  hlo_view dense = matrix->view;
  dense.data = matrix->same_type;
  hlo_view_set_row_major(&dense);
  return dense;
}

// The matrix at data, ready for the kernel.
static const void *load_matrix(matrix_source *matrix, void *data) {
  if (matrix->dense) return data;
  hlo_view dense = dense_copy_of(matrix);
  matrix->view.data = data;
  hlo_view_copy(&dense, &matrix->view);
  if (matrix->converted != matrix->same_type) {
    hlo_convert_lanes(matrix->work_type, matrix->converted, matrix->view.type, matrix->same_type,
                      matrix->rows * matrix->columns);
  }
  return matrix->converted;
}

// Brings a computed matrix to data.
static void store_matrix(matrix_source *matrix, void *data) {
  if (matrix->dense) return;
  if (matrix->converted != matrix->same_type) {
    hlo_convert_lanes(matrix->view.type, matrix->same_type, matrix->work_type, matrix->converted,
                      matrix->rows * matrix->columns);
  }
  hlo_view dense = dense_copy_of(matrix);
  matrix->view.data = data;
  hlo_view_copy(&matrix->view, &dense);
}

typedef struct dot_operation {
  const hlo_evaluator *evaluator;
  const hlo_view *lhs, *rhs, *result;
  dot_dimensions left, right;
  matrix_source a, b, c;
  hlo_matrix_product product;
} dot_operation;

static void describe_matrices(dot_operation *dot) {
  const dot_dimensions *left = &dot->left, *right = &dot->right;
  int64_t order[HLO_MAX_RANK];
  hlo_type work = hlo_dot_work_type(dot->lhs->type, dot->rhs->type, dot->result->type);
  dot->a.work_type = dot->b.work_type = dot->c.work_type = work;
  dot->a.view.type = dot->lhs->type;
  append(&dot->a, dot->lhs, left->free_count, left->free);
  append(&dot->a, dot->lhs, left->contracting_count, left->contracting);
  dot->a.row_rank = left->free_count;
  dot->b.view.type = dot->rhs->type;
  append(&dot->b, dot->rhs, right->contracting_count, right->contracting);
  append(&dot->b, dot->rhs, right->free_count, right->free);
  dot->b.row_rank = right->contracting_count;
  for (int32_t i = 0; i < dot->result->rank; i++) order[i] = i;
  dot->c.view.type = dot->result->type;
  append(&dot->c, dot->result, left->free_count + right->free_count, order + left->batch_count);
  dot->c.row_rank = left->free_count;
}

static hlo_status prepare(dot_operation *dot, hlo_error *error) {
  describe_matrices(dot);
  HLO_TRY(prepare_matrix(dot->evaluator, &dot->a, error));
  HLO_TRY(prepare_matrix(dot->evaluator, &dot->b, error));
  HLO_TRY(prepare_matrix(dot->evaluator, &dot->c, error));
  return hlo_matrix_product_make(dot->evaluator, dot->a.work_type, dot->c.columns, dot->a.columns,
                                 &dot->product, error);
}

static void multiply(dot_operation *dot, void *lhs, void *rhs, void *result) {
  int64_t m = dot->a.rows, n = dot->c.columns, k = dot->a.columns;
  const void *a = load_matrix(&dot->a, lhs), *b = load_matrix(&dot->b, rhs);
  void *c = dot->c.dense ? result : dot->c.converted;
  hlo_matrix_product_run(&dot->product, m, n, k, a, dot->a.row_stride, b, dot->b.row_stride, c,
                         dot->c.row_stride);
  store_matrix(&dot->c, result);
}

static hlo_status multiply_batches(dot_operation *dot, hlo_error *error) {
  int64_t index[HLO_MAX_RANK] = {0};
  int32_t batches = dot->left.batch_count;
  HLO_TRY(prepare(dot, error));
  do {
    int64_t lhs = 0, rhs = 0, result = 0;
    for (int32_t i = 0; i < batches; i++) {
      lhs += index[i] * dot->lhs->strides[dot->left.batch[i]];
      rhs += index[i] * dot->rhs->strides[dot->right.batch[i]];
      result += index[i] * dot->result->strides[i];
    }
    multiply(dot, hlo_view_at(dot->lhs, lhs), hlo_view_at(dot->rhs, rhs),
             hlo_view_at(dot->result, result));
  } while (hlo_next_index(batches, dot->result->dims, index));
  return HLO_OK;
}

hlo_status hlo_eval_dot(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  if (hlo_find_attribute(instruction, HLO_ATTRIBUTE_SPARSITY) != NULL) {
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "sparse operands");
  }
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  dot_operation dot = {
      .evaluator = evaluator, .lhs = &operands[0], .rhs = &operands[1], .result = &results[0]};
  dot.left = dimensions_of(instruction, dot.lhs, HLO_ATTRIBUTE_LHS_BATCH_DIMS,
                           HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS);
  dot.right = dimensions_of(instruction, dot.rhs, HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                            HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS);
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = multiply_batches(&dot, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
