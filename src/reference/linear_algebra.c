// Cholesky and TriangularSolve: LAPACK's routines on each matrix of a batch. Source of semantics:
// their sections of the operation semantics.
#include "reference/matrix.h"
#include "reference/operation.h"

static hlo_view matrix_at(const hlo_view *view, const int64_t *at) {
  hlo_view matrix = {.type = view->type, .rank = 2, .data = hlo_element_at(view, at)};
  memcpy(matrix.dims, &view->dims[view->rank - 2], 2 * sizeof *matrix.dims);
  memcpy(matrix.strides, &view->strides[view->rank - 2], 2 * sizeof *matrix.strides);
  return matrix;
}

static hlo_status for_each_matrix(const hlo_operation *x, hlo_routine *routine, hlo_error *error) {
  hlo_view views[3];
  int32_t count = x->instruction->operand_count;
  routine->reference = x->reference;
  routine->operand_count = count, routine->operands = views;
  routine->result_count = 1, routine->results = &views[count];
  hlo_index i = hlo_index_over(x->results);
  hlo_index_fix(&i, i.rank - 2, 0);
  hlo_index_fix(&i, i.rank - 1, 0);
  while (hlo_index_next(&i)) {
    for (int32_t k = 0; k < count; k++) views[k] = matrix_at(&x->operands[k], i.at);
    views[count] = matrix_at(x->results, i.at);
    HLO_TRY(hlo_reference_lapack(routine, error));
  }
  return HLO_OK;
}

// The factor with zeros in the other triangle, or NaN throughout where there is none.
static hlo_status factor(const hlo_routine *x) {
  HLO_TRY(hlo_reference_potrf(x));
  for (int64_t i = 0; i < x->out[0].rows && AT(x->out[1], 0, 0) == 0; i++)
    for (int64_t j = 0; j < i; j++)
      *(x->is_lower ? &AT(x->out[0], j, i) : &AT(x->out[0], i, j)) = 0;
  return HLO_OK;
}

// Cholesky: l of l lᴴ = a, or u of uᴴ u = a, from that triangle of a alone.
hlo_status hlo_reference_cholesky(const hlo_operation *x, hlo_error *error) {
  bool is_lower = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LOWER, 0) != 0;
  return for_each_matrix(x, &(hlo_routine){.function = factor, .is_lower = is_lower}, error);
}

hlo_status hlo_reference_triangular_solve(const hlo_operation *x, hlo_error *error) {
  const char *transpose = hlo_get_text(x->instruction, HLO_ATTRIBUTE_TRANSPOSE_A);
  bool is_adjoint = transpose != NULL && strcmp(transpose, "ADJOINT") == 0;
  hlo_routine routine = {
      .function = hlo_reference_solve_triangular,
      .is_left = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LEFT_SIDE, 0) != 0,
      .is_lower = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LOWER, 0) != 0,
      .is_unit = hlo_get_int(x->instruction, HLO_ATTRIBUTE_UNIT_DIAGONAL, 0) != 0,
      .is_transposed = is_adjoint || (transpose != NULL && strcmp(transpose, "TRANSPOSE") == 0),
      .is_adjoint = is_adjoint};
  return for_each_matrix(x, &routine, error);
}
