// See plain_dot.h. Source of semantics: "Dot" of the operation semantics.
#include "kernels/product/plain_dot.h"

#include "kernels/machine.h"
#include "kernels/product/dot_bands.h"
#include "kernels/product/matrix_product.h"
#include "shape/transpose_square.h"

// The leading dimension of the view as a row-major matrix with the dimensions `rows` and `columns`
// (-1: a single column); 0 if its columns are not contiguous.
static int64_t plain_stride(const hlo_view *view, int32_t rows, int32_t columns) {
  if (columns >= 0 && view->strides[columns] != 1) return 0;
  int64_t width = columns < 0 ? 1 : view->dims[columns];
  int64_t stride = rows < 0 ? width : view->strides[rows];
  return stride >= width ? stride : 0;
}

// Likewise, for a matrix that may also be stored transposed.
static int64_t stride_of_matrix(const hlo_view *view, int32_t rows, int32_t columns,
                                bool *is_turned) {
  int64_t stride = plain_stride(view, rows, columns);
  *is_turned = stride == 0;
  return *is_turned ? plain_stride(view, columns, rows) : stride;
}

// The only contracting dimension of an operand without batch dimensions; -1 if it has others.
static int32_t contracting_of(const hlo_instruction *instruction, const hlo_view *operand,
                              hlo_attribute_id batch, hlo_attribute_id contracting) {
  int32_t batches, count;
  hlo_get_ints(instruction, batch, &batches);
  const int64_t *dimensions = hlo_get_ints(instruction, contracting, &count);
  bool is_plain = batches == 0 && count == 1 && (operand->rank == 1 || operand->rank == 2);
  return is_plain ? (int32_t)dimensions[0] : -1;
}

// A transposed matrix times a vector is the vector times the matrix as stored, and vice versa:
// swapping the operands avoids the transposition.
static void swap_vector(hlo_plain_dot *dot) {
  bool is_row = dot->m == 1 && dot->b_is_turned && !dot->a_is_turned;
  bool is_column = dot->n == 1 && dot->a_is_turned && !dot->b_is_turned && dot->ldb == 1;
  if (!is_row && !(is_column && dot->ldc == 1)) return;
  hlo_plain_dot was = *dot;
  dot->is_swapped = true;
  dot->m = was.n;
  dot->n = was.m;
  dot->lda = is_row ? was.ldb : was.k;
  dot->ldb = is_row ? 1 : was.lda;
  dot->ldc = is_row ? 1 : was.m;
  dot->a_is_turned = dot->b_is_turned = false;
}

static bool is_large_to_turn(const hlo_plain_dot *dot) {
  return (dot->a_is_turned && dot->m * dot->k > HLO_PLAIN_MOST_TURNED) ||
         (dot->b_is_turned && dot->k * dot->n > HLO_PLAIN_MOST_TURNED);
}

// Small products with batches or any layout, read strided.
static bool match_strided(const hlo_backend *backend, const hlo_instruction *instruction,
                          const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result,
                          hlo_plain_dot *out) {
  int32_t count;
  int64_t products = hlo_view_elements(result), sums = 1;
  const int64_t *summed = hlo_get_ints(instruction, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &count);
  for (int32_t i = 0; i < count; i++) sums *= lhs->dims[summed[i]];
  // Long sums of two dense rows have kernels that take four of their products at a time.
  if (instruction->opcode != HLO_OP_DOT || backend == NULL || products == 0 || sums < 2 ||
      sums > HLO_PLAIN_LONGEST_SUM ||
      !hlo_matrix_product_is_small(backend, result->type, (double)products * (double)sums, false))
    return false;
  out->is_small = out->is_strided = true;
  out->is_large = false;
  return hlo_strided_dot_match(instruction, lhs, rhs, result, true, &out->strided);
}

static bool match_matrices(const hlo_backend *backend, const hlo_instruction *instruction,
                           const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result,
                           hlo_plain_dot *out) {
  hlo_type type = result->type;
  if ((type != HLO_F32 && type != HLO_F64) || lhs->type != type || rhs->type != type) return false;
  int32_t along = contracting_of(instruction, lhs, HLO_ATTRIBUTE_LHS_BATCH_DIMS,
                                 HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS);
  int32_t down = contracting_of(instruction, rhs, HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                                HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS);
  if (along < 0 || down < 0) return false;
  int32_t row = lhs->rank == 1 ? -1 : 1 - along, column = rhs->rank == 1 ? -1 : 1 - down;
  int32_t has_rows = row >= 0;
  hlo_plain_dot dot = {.type = type,
                       .m = has_rows ? lhs->dims[row] : 1,
                       .n = column >= 0 ? rhs->dims[column] : 1,
                       .k = lhs->dims[along]};
  dot.lda = stride_of_matrix(lhs, row, along, &dot.a_is_turned);
  dot.ldb = stride_of_matrix(rhs, down, column, &dot.b_is_turned);
  dot.ldc = plain_stride(result, has_rows - 1, column >= 0 ? has_rows : -1);
  if (dot.lda == 0 || dot.ldb == 0 || dot.ldc == 0) return false;
  // Without sums a dot is a multiplication, whose -0 it has.
  if (dot.m == 0 || dot.n == 0 || dot.k == 1) return false;
  swap_vector(&dot);
  if (is_large_to_turn(&dot)) return false;
  double products = (double)dot.m * (double)dot.n * (double)dot.k;
  dot.is_small = hlo_matrix_product_is_small(backend, type, products, false);
  dot.is_large = hlo_is_large_for_bands(type, dot.m, dot.n, dot.k);
  *out = dot;
  return true;
}

bool hlo_plain_dot_match(const hlo_backend *backend, const hlo_instruction *instruction,
                         const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result,
                         hlo_plain_dot *out) {
  return match_matrices(backend, instruction, lhs, rhs, result, out) ||
         match_strided(backend, instruction, lhs, rhs, result, out);
}

// Transposes: out[i][j] = from[j][i]. Square register tiles first, then single elements at the
// edges. Strides in bytes.
static void turn_f32(int64_t rows, int64_t columns, const char *from, int64_t stride, float *out) {
  enum { SIDE = 4, SIZE = 4 };
  int64_t even_rows = rows / SIDE * SIDE, even_columns = columns / SIDE * SIDE;
  for (int64_t j = 0; j < even_columns; j += SIDE) {
    for (int64_t i = 0; i < even_rows; i += SIDE)
      hlo_transpose_square_4((char *)(out + i * columns + j), columns * SIZE,
                             from + j * stride + i * SIZE, stride);
  }
  for (int64_t j = 0; j < columns; j++) {
    for (int64_t i = j < even_columns ? even_rows : 0; i < rows; i++)
      memcpy(out + i * columns + j, from + j * stride + i * SIZE, SIZE);
  }
}

static void turn_f64(int64_t rows, int64_t columns, const char *from, int64_t stride, double *out) {
  for (int64_t j = 0; j < columns; j++) {
    for (int64_t i = 0; i < rows; i++)
      memcpy(out + i * columns + j, from + j * stride + i * (int64_t)sizeof *out, sizeof *out);
  }
}

// The matrix in row-major order, transposed into scratch memory if necessary, and its leading
// dimension.
static hlo_status turn(const hlo_plain_dot *dot, const hlo_evaluator *evaluator, int64_t rows,
                       int64_t columns, const void **matrix, int64_t *stride, hlo_error *error) {
  size_t size = (size_t)hlo_type_bytes(dot->type);
  int64_t bytes = *stride * (int64_t)size;
  void *out = hlo_arena_array_raw(evaluator->scratch, (size_t)(rows * columns), size);
  if (out == NULL) return hlo_fail_out_of_memory(error);
  if (dot->type == HLO_F32) turn_f32(rows, columns, *matrix, bytes, out);
  else turn_f64(rows, columns, *matrix, bytes, out);
  *matrix = out;
  *stride = columns;
  return HLO_OK;
}

hlo_status hlo_plain_dot_run(const hlo_plain_dot *dot, const hlo_evaluator *evaluator,
                             const void *lhs, const void *rhs, void *c, hlo_error *error) {
  hlo_matrix_product product;
  if (dot->is_strided) {
    hlo_strided_dot_run(&dot->strided, lhs, rhs, c);
    return HLO_OK;
  }
  const void *a = dot->is_swapped ? rhs : lhs, *b = dot->is_swapped ? lhs : rhs;
  int64_t m = dot->m, n = dot->n, k = dot->k, lda = dot->lda, ldb = dot->ldb;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  if (dot->a_is_turned) HLO_TRY(turn(dot, evaluator, m, k, &a, &lda, error));
  if (dot->b_is_turned) HLO_TRY(turn(dot, evaluator, k, n, &b, &ldb, error));
  HLO_TRY(hlo_matrix_product_init(evaluator, dot->type, dot->is_small, n, k, &product, error));
  hlo_matrix_product_run(&product, m, n, k, a, lda, b, ldb, c, dot->ldc);
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}
