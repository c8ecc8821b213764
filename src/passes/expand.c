// Map with a function of elementwise operations: the same operations on whole arrays, which can be
// simplified and fused. See passes.h.
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify.h"

static bool is_expressible(const hlo_computation *function) {
  for (int32_t i = 0; i < function->instruction_count; i++) {
    const hlo_instruction *x = function->instructions[i];
    if (x->opcode == HLO_OP_PARAMETER) continue;
    if (!hlo_shape_is_scalar(x->shape) || x->opcode == HLO_OP_MAP) return false;
    if (x->opcode == HLO_OP_CONSTANT ? x->literal == NULL : !hlo_op_is_elementwise(x->opcode)) {
      return false;
    }
  }
  return true;
}

static hlo_status expand_one(const hlo_instruction *map, const hlo_instruction *x,
                             hlo_instruction **made, hlo_error *error) {
  hlo_computation *computation = map->computation;
  hlo_arena *arena = &computation->module->arena;
  const hlo_shape *shape;
  hlo_instruction **operands;
  HLO_TRY(hlo_shape_with_type(arena, map->shape, x->shape->type, true, &shape, error));
  HLO_ALLOC(operands, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) operands[k] = made[x->operands[k]->id];
  HLO_TRY(hlo_instruction_copy(computation, x, operands, &made[x->id], error));
  if (x->opcode != HLO_OP_CONSTANT) made[x->id]->shape = shape;
  else HLO_TRY(hlo_simplify_broadcast(made[x->id], shape, &made[x->id], error));
  return HLO_OK;
}

static hlo_status expand_map(void *context, hlo_instruction *x, hlo_instruction **replacement,
                             hlo_error *error) {
  (void)context;
  if (x->opcode != HLO_OP_MAP || hlo_simplify_is_dynamic(x)) return HLO_OK;
  const hlo_computation *function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (!is_expressible(function)) return HLO_OK;
  hlo_instruction **made;
  HLO_ALLOC(made, &x->computation->module->arena, function->instruction_count, error);
  for (int32_t i = 0; i < function->instruction_count; i++) {
    const hlo_instruction *part = function->instructions[i];
    if (part->opcode == HLO_OP_PARAMETER) made[i] = x->operands[part->parameter_number];
    else HLO_TRY(expand_one(x, part, made, error));
  }
  return hlo_simplify_use(x, made[function->root->id], replacement, error);
}

hlo_status hlo_pass_expand(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, expand_map, NULL, error);
}
