// Small triangular systems, one row of the solution after the other. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

#include "hlo/attributes/custom_call_config.h"
#include "kernels/machine.h"

#include <string.h>

// op(A) X = B, or X op(A) = B, which is the transposed one: rows are columns then.
typedef struct triangular {
  hlo_instruction *matrix, *sides;
  bool by_columns, transposed, lower, unit_diagonal;
} triangular;

// The letter whose code a call says for the key; 0: none.
static char letter_of(const hlo_instruction *x, const char *key) {
  return (char)hlo_custom_call_number(x, key, 0);
}

// JAX's calls of BLAS, whose matrices lie by columns, which shapes say here.
static bool match_call(const hlo_instruction *x, triangular *out) {
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  if (target == NULL || x->operand_count != 2 ||
      (strcmp(target, "lapack_strsm_ffi") != 0 && strcmp(target, "lapack_dtrsm_ffi") != 0))
    return false;
  char side = letter_of(x, "side"), part = letter_of(x, "uplo"), form = letter_of(x, "trans_x"),
       diagonal = letter_of(x, "diag");
  out->by_columns = side == 'R';
  out->transposed = (form != 'N') != out->by_columns;
  out->lower = part == 'L';
  out->unit_diagonal = diagonal == 'U';
  return (side == 'L' || side == 'R') && (part == 'L' || part == 'U') && form != 0 && diagonal != 0;
}

static bool match_operation(const hlo_instruction *x, triangular *out) {
  const char *form = hlo_get_text(x, HLO_ATTRIBUTE_TRANSPOSE_A);
  out->by_columns = hlo_get_int(x, HLO_ATTRIBUTE_LEFT_SIDE, 0) == 0;
  out->transposed = (form != NULL && strcmp(form, "NO_TRANSPOSE") != 0) != out->by_columns;
  out->lower = hlo_get_int(x, HLO_ATTRIBUTE_LOWER, 0) != 0;
  out->unit_diagonal = hlo_get_int(x, HLO_ATTRIBUTE_UNIT_DIAGONAL, 0) != 0;
  return x->operand_count == 2;
}

static bool is_tiny_system(const hlo_instruction *x, triangular *out) {
  if (!hlo_shape_is_array(x->shape) || x->shape->rank != 2 ||
      (x->shape->type != HLO_F32 && x->shape->type != HLO_F64))
    return false;
  if (!(x->opcode == HLO_OP_CUSTOM_CALL ? match_call(x, out) : match_operation(x, out)))
    return false;
  out->matrix = x->operands[0], out->sides = x->operands[1];
  const hlo_shape *matrix = out->matrix->shape;
  return matrix->rank == 2 && matrix->type == x->shape->type &&
         matrix->dims[0] == matrix->dims[1] && matrix->dims[0] <= HLO_TINY_UNKNOWNS &&
         hlo_shape_same_dimensions(out->sides->shape, x->shape) &&
         x->shape->dims[out->by_columns] == matrix->dims[0] && hlo_shape_elements(x->shape) > 0 &&
         hlo_shape_elements(x->shape) <= HLO_TINY_SOLUTIONS;
}

static hlo_status slice_row(const hlo_instruction *x, const triangular *t, int64_t i,
                            hlo_instruction **out, hlo_error *error) {
  hlo_tiny_slice row = hlo_tiny_whole(t->sides);
  hlo_tiny_slice_one(&row, t->by_columns, i);
  return hlo_simplify_build_with_ints(x, HLO_OP_SLICE, NULL, 1, &t->sides, HLO_ATTRIBUTE_SLICE, 6,
                                      row.slice, out, error);
}

// The number of op(A) that row i takes of row k with, for all of a row.
static hlo_status slice_factor(const hlo_instruction *x, const triangular *t, int64_t i, int64_t k,
                               const hlo_shape *row, hlo_instruction **out, hlo_error *error) {
  hlo_tiny_slice one = hlo_tiny_whole(t->matrix);
  hlo_tiny_slice_one(&one, 0, t->transposed ? k : i);
  hlo_tiny_slice_one(&one, 1, t->transposed ? i : k);
  return hlo_tiny_broadcast_slice(x, t->matrix, &one, row, out, error);
}

hlo_status hlo_tiny_triangular(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  triangular t;
  hlo_instruction *rows[HLO_TINY_UNKNOWNS], *factor, *product;
  if (!is_tiny_system(x, &t)) return HLO_OK;
  int64_t size = t.matrix->shape->dims[0], along = t.by_columns;
  bool from_first = t.lower != t.transposed;
  for (int64_t n = 0; n < size; n++) {
    int64_t i = from_first ? n : size - 1 - n;
    HLO_TRY(slice_row(x, &t, i, &rows[i], error));
    const hlo_shape *row = rows[i]->shape;
    for (int64_t m = 0; m < n; m++) {
      int64_t k = from_first ? m : size - 1 - m;
      HLO_TRY(slice_factor(x, &t, i, k, row, &factor, error));
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_MULTIPLY, factor, rows[k], &product, error));
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_SUBTRACT, rows[i], product, &rows[i], error));
    }
    if (t.unit_diagonal) continue;
    HLO_TRY(slice_factor(x, &t, i, i, row, &factor, error));
    HLO_TRY(hlo_tiny_binary(x, HLO_OP_DIVIDE, rows[i], factor, &rows[i], error));
  }
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_CONCATENATE, NULL, (int32_t)size, rows,
                                       HLO_ATTRIBUTE_DIMENSIONS, 1, &along, &product, error));
  return hlo_simplify_use(x, product, out, error);
}
