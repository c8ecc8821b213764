// f32 functions whose result_accuracy is tighter than their two units in the last place become the
// f64 function, rounded once. See passes.h.
#include "hlo/infer/constraint.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// c64 is computed in c128.
static hlo_type wider_type(hlo_type type) {
  return type == HLO_F32 ? HLO_F64 : type == HLO_C64 ? HLO_C128 : HLO_TYPE_INVALID;
}

bool hlo_needs_wider_type(const hlo_instruction *x) {
  return hlo_find_attribute(x, HLO_ATTRIBUTE_RESULT_ACCURACY) != NULL &&
         wider_type(x->shape->type) != HLO_TYPE_INVALID && x->operand_count == 1 &&
         hlo_wants_highest_accuracy(x);
}

static hlo_status compute_wider(void *context, hlo_instruction *x, hlo_instruction **replacement,
                                hlo_error *error) {
  (void)context;
  if (!hlo_needs_wider_type(x)) return HLO_OK;
  hlo_computation *computation = x->computation;
  const hlo_shape *from, *to;
  hlo_instruction *operand = x->operands[0], *wide;
  hlo_type type = wider_type(x->shape->type);
  hlo_arena *arena = &computation->module->arena;
  HLO_TRY(hlo_shape_with_type(arena, operand->shape, type, true, &from, error));
  HLO_TRY(hlo_shape_with_type(arena, x->shape, type, true, &to, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_CONVERT, from, 1, &operand, 0, NULL, &wide, error));
  HLO_TRY(hlo_instruction_copy(computation, x, &wide, &wide, error));
  wide->shape = to;
  return hlo_simplify_build(x, HLO_OP_CONVERT, x->shape, 1, &wide, 0, NULL, replacement, error);
}

hlo_status hlo_pass_accuracy(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, compute_wider, NULL, error);
}
