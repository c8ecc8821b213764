// A map whose function is elementwise becomes the same operations on whole arrays, which can be
// simplified and fused. See passes.h and expand.h.
#include "passes/lower/expand.h"

#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

bool hlo_is_expressible(const hlo_computation *function) {
  for (int32_t i = 0; i < function->instruction_count; i++) {
    const hlo_instruction *x = function->instructions[i];
    if (x->opcode == HLO_OP_PARAMETER || (x->opcode == HLO_OP_TUPLE && x == function->root))
      continue;
    if (!hlo_shape_is_scalar(x->shape) || x->opcode == HLO_OP_MAP) return false;
    if (x->opcode == HLO_OP_CONSTANT ? x->literal == NULL : !hlo_op_is_elementwise(x->opcode)) {
      return false;
    }
  }
  return true;
}

// A part of the function, on arrays of those dimensions, in place of x.
static hlo_status expand_one(const hlo_instruction *x, const hlo_shape *dims,
                             const hlo_instruction *part, hlo_instruction **made,
                             hlo_error *error) {
  hlo_computation *computation = x->computation;
  hlo_arena *arena = &computation->module->arena;
  const hlo_shape *shape;
  hlo_instruction **operands;
  HLO_TRY(hlo_shape_with_type(arena, dims, part->shape->type, true, &shape, error));
  HLO_ALLOC(operands, arena, part->operand_count, error);
  for (int32_t k = 0; k < part->operand_count; k++) operands[k] = made[part->operands[k]->id];
  HLO_TRY(hlo_instruction_copy(computation, part, operands, &made[part->id], error));
  if (part->opcode != HLO_OP_CONSTANT) made[part->id]->shape = shape;
  else HLO_TRY(hlo_simplify_broadcast(made[part->id], shape, &made[part->id], error));
  return HLO_OK;
}

hlo_status hlo_expand(const hlo_instruction *x, const hlo_shape *dims,
                      const hlo_computation *function, hlo_instruction *const *arguments,
                      hlo_instruction **made, hlo_error *error) {
  for (int32_t i = 0; i < function->instruction_count; i++) {
    const hlo_instruction *part = function->instructions[i];
    if (part->opcode == HLO_OP_PARAMETER) made[i] = arguments[part->parameter_number];
    else if (part->opcode != HLO_OP_TUPLE) HLO_TRY(expand_one(x, dims, part, made, error));
  }
  return HLO_OK;
}

static hlo_status expand_map(void *context, hlo_instruction *x, hlo_instruction **replacement,
                             hlo_error *error) {
  (void)context;
  if (x->opcode != HLO_OP_MAP || hlo_simplify_is_dynamic(x)) return HLO_OK;
  const hlo_computation *function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (!hlo_is_expressible(function)) return HLO_OK;
  hlo_instruction **made;
  HLO_ALLOC(made, &x->computation->module->arena, function->instruction_count, error);
  HLO_TRY(hlo_expand(x, x->shape, function, x->operands, made, error));
  return hlo_simplify_use(x, made[function->root->id], replacement, error);
}

hlo_status hlo_pass_expand(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, expand_map, NULL, error);
}
