// Singular values alone: LAPACK's calls for them still have results for the vectors, which nobody
// reads, and which may be far larger than the matrix: rows x rows where it is tall. They become
// empty.
#include "hlo/attributes/custom_call_config.h"
#include "passes/passes.h"

#include <string.h>

enum { LEFT = 2, RIGHT = 3, RESULTS = 5 };

static bool computes_values_alone(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_CUSTOM_CALL || !hlo_shape_is_tuple(x->shape) ||
      x->shape->element_count != RESULTS)
    return false;
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  if (target == NULL || strncmp(target, "lapack_", 7) != 0 || target[7] == '\0') return false;
  if (strcmp(target + 8, "gesdd_ffi") != 0 && strcmp(target + 8, "gesvd_ffi") != 0) return false;
  return hlo_custom_call_number(x, "mode", 0) == 'N';
}

static bool reads_vectors(const hlo_computation *computation, const hlo_instruction *x) {
  if (computation->root == x) return true;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *user = computation->instructions[i];
    for (int32_t k = 0; k < user->operand_count; k++) {
      if (user->operands[k] != x) continue;
      if (user->opcode != HLO_OP_GET_TUPLE_ELEMENT) return true;
      int64_t index = hlo_get_int(user, HLO_ATTRIBUTE_INDEX, 0);
      if (index == LEFT || index == RIGHT) return true;
    }
  }
  return false;
}

// The vectors' arrays with no columns, or no rows.
static hlo_status make_empty(hlo_module *module, hlo_instruction *x, hlo_error *error) {
  const hlo_shape *elements[RESULTS];
  for (int32_t k = 0; k < RESULTS; k++) {
    const hlo_shape *given = hlo_shape_leaf(x->shape, k);
    int64_t dims[HLO_MAX_RANK];
    elements[k] = given;
    if (k != LEFT && k != RIGHT) continue;
    for (int32_t d = 0; d < given->rank; d++) dims[d] = given->dims[d];
    dims[k == LEFT ? given->rank - 1 : given->rank - 2] = 0;
    HLO_TRY(hlo_shape_make(&module->arena, given->type, given->rank, dims, &elements[k], error));
  }
  HLO_TRY(hlo_shape_make_tuple(&module->arena, RESULTS, elements, &x->shape, error));
  module->revision++;
  return HLO_OK;
}

hlo_status hlo_pass_unread_vectors(hlo_module *module, hlo_error *error) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      hlo_instruction *x = computation->instructions[i];
      if (computes_values_alone(x) && hlo_shape_leaf(x->shape, LEFT)->rank >= 2 &&
          hlo_shape_leaf(x->shape, RIGHT)->rank >= 2 && !reads_vectors(computation, x))
        HLO_TRY(make_empty(module, x, error));
    }
  }
  return HLO_OK;
}
