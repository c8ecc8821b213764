// Bytes that are widened and then moved are moved first and widened afterwards: a quarter of the
// memory traffic, and loops read them in byte lanes. See passes.h.
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

static bool is_widened(const hlo_instruction *x) {
  return x->opcode == HLO_OP_CONVERT && hlo_type_bits(x->operands[0]->shape->type) == 8 &&
         hlo_type_bits(x->shape->type) > 8 && !hlo_simplify_is_dynamic(x);
}

// Whether x moves widened bytes of one type, and nothing else.
static bool moves_widened(const hlo_instruction *x) {
  bool moves =
      x->opcode == HLO_OP_CONCATENATE || x->opcode == HLO_OP_SLICE || x->opcode == HLO_OP_RESHAPE;
  for (int32_t k = 0; k < x->operand_count && moves; k++)
    moves = is_widened(x->operands[k]) &&
            x->operands[k]->operands[0]->shape->type == x->operands[0]->operands[0]->shape->type;
  return moves;
}

static hlo_status widen_late(void *context, hlo_instruction *x, hlo_instruction **replacement,
                             hlo_error *error) {
  hlo_arena *arena = &x->computation->module->arena;
  hlo_instruction **bytes, *moved;
  const hlo_shape *shape;
  (void)context;
  if (!moves_widened(x)) return HLO_OK;
  HLO_ALLOC(bytes, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) bytes[k] = x->operands[k]->operands[0];
  HLO_TRY(hlo_shape_with_type(arena, x->shape, bytes[0]->shape->type, false, &shape, error));
  HLO_TRY(hlo_simplify_build(x, x->opcode, shape, x->operand_count, bytes, x->attribute_count,
                             x->attributes, &moved, error));
  return hlo_simplify_build(x, HLO_OP_CONVERT, x->shape, 1, &moved, 0, NULL, replacement, error);
}

hlo_status hlo_pass_widen_late(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, widen_late, NULL, error);
}
