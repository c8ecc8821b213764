// LU factors of small matrices, with partial pivoting, element by element (Golub, Van Loan, Matrix
// Computations, 3.4), for JAX's calls of LAPACK. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

#include "kernels/machine.h"
#include "passes/loops/scalar_replacement.h"

#include <string.h>

typedef struct elimination {
  const hlo_instruction *call;
  int64_t size;
  hlo_instruction *numbers[HLO_TINY_LU][HLO_TINY_LU], *pivots[HLO_TINY_LU], *failed;
} elimination;

static bool is_tiny_call(const hlo_instruction *x) {
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  if (target == NULL || x->operand_count != 1 || !hlo_shape_is_tuple(x->shape) ||
      x->shape->element_count != 3 ||
      (strcmp(target, "lapack_sgetrf_ffi") != 0 && strcmp(target, "lapack_dgetrf_ffi") != 0))
    return false;
  const hlo_shape *matrix = x->operands[0]->shape, *factors = hlo_shape_leaf(x->shape, 0),
                  *pivots = hlo_shape_leaf(x->shape, 1), *failed = hlo_shape_leaf(x->shape, 2);
  return (matrix->type == HLO_F32 || matrix->type == HLO_F64) && matrix->rank == 2 &&
         matrix->dims[0] == matrix->dims[1] && matrix->dims[0] > 0 &&
         matrix->dims[0] <= HLO_TINY_LU && hlo_shape_same_dimensions(factors, matrix) &&
         factors->type == matrix->type && pivots->type == HLO_S32 && pivots->rank == 1 &&
         pivots->dims[0] == matrix->dims[0] && failed->type == HLO_S32 && failed->rank == 0;
}

static hlo_status build_s32(const elimination *e, int64_t value, hlo_instruction **out,
                            hlo_error *error) {
  const hlo_instruction like = {.computation = e->call->computation,
                                .shape = hlo_shape_scalar(HLO_S32)};
  return hlo_simplify_integer(&like, value, out, error);
}

// Partial pivoting: the pivot of column k is the first row from k on with the largest magnitude.
// chosen[i], for i > k: whether that is row i.
static hlo_status build_pivot_choice(elimination *e, int64_t k, hlo_instruction **chosen,
                                     hlo_error *error) {
  const hlo_instruction *x = e->call;
  hlo_instruction *largest, *size, *later = NULL, *not_later, *number;
  HLO_TRY(hlo_simplify_build(x, HLO_OP_ABS, NULL, 1, &e->numbers[k][k], 0, NULL, &largest, error));
  for (int64_t i = k + 1; i < e->size; i++) {
    HLO_TRY(hlo_simplify_build(x, HLO_OP_ABS, NULL, 1, &e->numbers[i][k], 0, NULL, &size, error));
    HLO_TRY(hlo_tiny_compare(x, "GT", size, largest, &chosen[i], error));
    HLO_TRY(hlo_tiny_select(x, chosen[i], size, largest, &largest, error));
  }
  HLO_TRY(build_s32(e, k + 1, &e->pivots[k], error));
  for (int64_t i = e->size - 1; i > k; i--) {
    hlo_instruction *greater = chosen[i];
    if (later != NULL) {
      HLO_TRY(hlo_simplify_build(x, HLO_OP_NOT, NULL, 1, &later, 0, NULL, &not_later, error));
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_AND, greater, not_later, &chosen[i], error));
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_OR, greater, later, &greater, error));
    }
    later = greater;
    HLO_TRY(build_s32(e, i + 1, &number, error));
    HLO_TRY(hlo_tiny_select(x, chosen[i], number, e->pivots[k], &e->pivots[k], error));
  }
  return HLO_OK;
}

static hlo_status exchange_rows(elimination *e, int64_t k, hlo_instruction *const *chosen,
                                hlo_error *error) {
  for (int64_t j = 0; j < e->size; j++) {
    hlo_instruction *upper = e->numbers[k][j], *kept = upper;
    for (int64_t i = k + 1; i < e->size; i++) {
      hlo_instruction **lower = &e->numbers[i][j];
      HLO_TRY(hlo_tiny_select(e->call, chosen[i], *lower, upper, &upper, error));
      HLO_TRY(hlo_tiny_select(e->call, chosen[i], kept, *lower, lower, error));
    }
    e->numbers[k][j] = upper;
  }
  return HLO_OK;
}

// Divides the column below the pivot by it, unless it is 0, and subtracts multiples of the pivot
// row.
static hlo_status eliminate(elimination *e, int64_t k, hlo_error *error) {
  const hlo_instruction *x = e->call;
  hlo_instruction *pivot = e->numbers[k][k], *zero, *is_zero, *none, *first, *number, *product;
  HLO_TRY(hlo_simplify_integer(pivot, 0, &zero, error));
  HLO_TRY(hlo_tiny_compare(x, "EQ", pivot, zero, &is_zero, error));
  HLO_TRY(build_s32(e, 0, &none, error));
  HLO_TRY(hlo_tiny_compare(x, "EQ", e->failed, none, &first, error));
  HLO_TRY(hlo_tiny_binary(x, HLO_OP_AND, first, is_zero, &first, error));
  HLO_TRY(build_s32(e, k + 1, &number, error));
  HLO_TRY(hlo_tiny_select(x, first, number, e->failed, &e->failed, error));
  for (int64_t i = k + 1; i < e->size; i++) {
    hlo_instruction **factor = &e->numbers[i][k], *quotient;
    HLO_TRY(hlo_tiny_binary(x, HLO_OP_DIVIDE, *factor, pivot, &quotient, error));
    HLO_TRY(hlo_tiny_select(x, is_zero, *factor, quotient, factor, error));
    for (int64_t j = k + 1; j < e->size; j++) {
      hlo_instruction **at = &e->numbers[i][j], *rest;
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_MULTIPLY, *factor, e->numbers[k][j], &product, error));
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_SUBTRACT, *at, product, &rest, error));
      HLO_TRY(hlo_tiny_select(x, is_zero, *at, rest, at, error));
    }
  }
  return HLO_OK;
}

static hlo_status build_results(hlo_instruction *x, const elimination *e, hlo_instruction **out,
                                hlo_error *error) {
  const int64_t dims[] = {1, e->size}, along = 0;
  const hlo_shape *row;
  hlo_instruction *rows[HLO_TINY_LU], *joined, *results[3];
  HLO_TRY(hlo_shape_make(&x->computation->module->arena, x->operands[0]->shape->type, 2, dims, &row,
                         error));
  for (int64_t i = 0; i < e->size; i++)
    HLO_TRY(hlo_build_array(x, e->numbers[i], row, &rows[i], error));
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_CONCATENATE, NULL, (int32_t)e->size, rows,
                                       HLO_ATTRIBUTE_DIMENSIONS, 1, &along, &joined, error));
  const hlo_instruction like = {.computation = x->computation,
                                .shape = hlo_shape_leaf(x->shape, 0)};
  HLO_TRY(hlo_simplify_use(&like, joined, &results[0], error));
  HLO_TRY(hlo_build_array(x, e->pivots, hlo_shape_leaf(x->shape, 1), &results[1], error));
  results[2] = e->failed;
  return hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, 3, results, 0, NULL, out, error);
}

hlo_status hlo_tiny_lu(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  elimination e = {.call = x};
  hlo_instruction *chosen[HLO_TINY_LU];
  if (!is_tiny_call(x)) return HLO_OK;
  e.size = x->operands[0]->shape->dims[0];
  for (int64_t i = 0; i < e.size; i++) {
    for (int64_t j = 0; j < e.size; j++)
      HLO_TRY(hlo_get_scalar(x, x->operands[0], i * e.size + j, &e.numbers[i][j], error));
  }
  HLO_TRY(build_s32(&e, 0, &e.failed, error));
  for (int64_t k = 0; k < e.size; k++) {
    HLO_TRY(build_pivot_choice(&e, k, chosen, error));
    HLO_TRY(exchange_rows(&e, k, chosen, error));
    HLO_TRY(eliminate(&e, k, error));
  }
  return build_results(x, &e, out, error);
}
