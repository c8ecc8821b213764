// See plain_dot.h. Source of semantics: "Dot" of the operation semantics.
#include "eval/plain_dot.h"

#include "eval/matrix_product.h"

// Dimension `columns` (-1: there is one column) has neighbours adjacent, and `rows` is evenly
// spaced. The distance of rows; 0 if it is not so.
static int64_t plain_stride(const hlo_view *view, int32_t rows, int32_t columns) {
  if (view->type != HLO_F32 || (columns >= 0 && view->strides[columns] != 1)) return 0;
  int64_t width = columns < 0 ? 1 : view->dims[columns];
  int64_t stride = rows < 0 ? width : view->strides[rows];
  return stride >= width ? stride : 0;
}

// The one contracting dimension of an operand without batches; -1 if it is another.
static int32_t contracting_of(const hlo_instruction *instruction, const hlo_view *operand,
                              hlo_attribute_id batch, hlo_attribute_id contracting) {
  int32_t batches, count;
  hlo_get_ints(instruction, batch, &batches);
  const int64_t *dimensions = hlo_get_ints(instruction, contracting, &count);
  bool is_plain = batches == 0 && count == 1 && (operand->rank == 1 || operand->rank == 2);
  return is_plain ? (int32_t)dimensions[0] : -1;
}

bool hlo_plain_dot_find(const hlo_backend *backend, const hlo_instruction *instruction,
                        const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result,
                        hlo_plain_dot *out) {
  int32_t along = contracting_of(instruction, lhs, HLO_ATTRIBUTE_LHS_BATCH_DIMS,
                                 HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS);
  int32_t down = contracting_of(instruction, rhs, HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                                HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS);
  if (along < 0 || down < 0) return false;
  int32_t row = lhs->rank == 1 ? -1 : 1 - along, column = rhs->rank == 1 ? -1 : 1 - down;
  int32_t has_rows = row >= 0;
  hlo_plain_dot dot = {.m = has_rows ? lhs->dims[row] : 1,
                       .n = column >= 0 ? rhs->dims[column] : 1,
                       .k = lhs->dims[along],
                       .lda = plain_stride(lhs, row, along),
                       .ldb = plain_stride(rhs, down, column),
                       .ldc = plain_stride(result, has_rows - 1, column >= 0 ? has_rows : -1)};
  if (dot.lda == 0 || dot.ldb == 0 || dot.ldc == 0) return false;
  // Without sums a dot is a multiplication, whose -0 it has.
  if (dot.m == 0 || dot.n == 0 || dot.k == 1) return false;
  double products = (double)dot.m * (double)dot.n * (double)dot.k;
  dot.is_small = hlo_matrix_product_is_small(backend, HLO_F32, products, false);
  *out = dot;
  return true;
}

hlo_status hlo_plain_dot_run(const hlo_plain_dot *dot, const hlo_evaluator *evaluator,
                             const void *a, const void *b, void *c, hlo_error *error) {
  hlo_matrix_product product;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(
      hlo_matrix_product_make(evaluator, HLO_F32, dot->is_small, dot->n, dot->k, &product, error));
  hlo_matrix_product_run(&product, dot->m, dot->n, dot->k, a, dot->lda, b, dot->ldb, c, dot->ldc);
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}
