// Unrolls reductions of several arrays along short rows: the function is applied to whole columns,
// from the first to the last, so that loops iterate over rows. See passes.h.
#include "hlo/rewrite.h"
#include "passes/lower/expand.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Column `at` of the array, as an array of the remaining dimensions. An iota along the rows becomes
// the constant `at`.
static hlo_status slice_column(const hlo_instruction *reduce, hlo_instruction *array, int64_t at,
                               const hlo_shape *dims, hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &reduce->computation->module->arena;
  int32_t last = array->shape->rank - 1;
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_with_type(arena, dims, array->shape->type, true, &shape, error));
  HLO_TRY(hlo_simplify_slice_one(reduce, array, last, at, out, error));
  HLO_TRY(hlo_simplify_build(reduce, HLO_OP_RESHAPE, shape, 1, out, 0, NULL, out, error));
  bool counts =
      array->opcode == HLO_OP_IOTA && hlo_get_int(array, HLO_ATTRIBUTE_IOTA_DIMENSION, 0) == last;
  return counts ? hlo_simplify_integer(*out, at, out, error) : HLO_OK;
}

static bool has_short_rows(const hlo_instruction *x) {
  if (!hlo_reduces_short_rows(x) || hlo_simplify_is_dynamic(x)) return false;
  const hlo_computation *function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  const hlo_shape *rows = x->operands[0]->shape;
  int32_t count;
  const int64_t *dims = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  for (int32_t k = 0; k < x->operand_count / 2; k++) {
    if (!hlo_layout_is_default(x->operands[k]->shape->layout) ||
        !hlo_layout_is_default(hlo_shape_leaf(x->shape, k)->layout))
      return false;
  }
  return count == 1 && dims[0] == rows->rank - 1 && hlo_is_expressible(function) &&
         function->root->opcode == HLO_OP_TUPLE;
}

// Unrolls the reduction along the row in evaluation order, so that the result is the same bit for
// bit.
static hlo_status unroll(void *context, hlo_instruction *x, hlo_instruction **replacement,
                         hlo_error *error) {
  (void)context;
  if (!has_short_rows(x)) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  const hlo_computation *function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  const hlo_shape *dims = hlo_shape_leaf(x->shape, 0);
  int32_t count = x->operand_count / 2;
  hlo_instruction **arguments, **built;
  HLO_ALLOC(arguments, arena, x->operand_count, error);
  HLO_ALLOC(built, arena, function->instruction_count, error);
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(hlo_simplify_broadcast(x->operands[count + k], hlo_shape_leaf(x->shape, k),
                                   &arguments[k], error));
  for (int64_t at = 0; at < x->operands[0]->shape->dims[dims->rank]; at++) {
    for (int32_t k = 0; k < count; k++)
      HLO_TRY(slice_column(x, x->operands[k], at, dims, &arguments[count + k], error));
    HLO_TRY(hlo_expand(x, dims, function, arguments, built, error));
    for (int32_t k = 0; k < count; k++) arguments[k] = built[function->root->operands[k]->id];
  }
  return hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, count, arguments, 0, NULL, replacement,
                            error);
}

hlo_status hlo_pass_unroll(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, unroll, NULL, error);
}
