// See separable.h. Separate from separate.c, since every program is checked for such functions.
#include "passes/legality/separable.h"

#include "passes/passes.h"

static bool separates(hlo_opcode opcode) {
  return opcode == HLO_OP_REDUCE || opcode == HLO_OP_REDUCE_WINDOW || opcode == HLO_OP_SCATTER;
}

const hlo_instruction *hlo_value_of(const hlo_computation *function, int32_t k) {
  const hlo_instruction *root = function->root;
  return root->opcode == HLO_OP_TUPLE ? root->operands[k] : root;
}

static const hlo_instruction *through_copies(const hlo_instruction *x) {
  while (x->operand_count == 1 && hlo_shape_is_array(x->operands[0]->shape) &&
         (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_RESHAPES) != 0 &&
         x->operands[0]->shape->type == x->shape->type)
    x = x->operands[0];
  return x;
}

// Double rounding is innocuous: rounding an f32 or f64 sum or product of operands of at most half
// as many bits again to their type equals rounding once (Figueroa).
static bool is_rounded_twice(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_CONVERT) return false;
  hlo_type from = x->operands[0]->shape->type, to = x->shape->type;
  return (from == HLO_F32 || from == HLO_F64) && hlo_type_is_float(to) &&
         2 * hlo_type_bits(to) <= hlo_type_bits(from);
}

static bool is_plain(hlo_opcode op) {
  return op == HLO_OP_ADD || op == HLO_OP_MULTIPLY || op == HLO_OP_MAXIMUM ||
         op == HLO_OP_MINIMUM || op == HLO_OP_AND || op == HLO_OP_OR || op == HLO_OP_XOR;
}

// The operand of a widening conversion from that type; else NULL.
static const hlo_instruction *before_widening(const hlo_instruction *x, hlo_type type) {
  x = through_copies(x);
  bool widens = x->opcode == HLO_OP_CONVERT && x->operands[0]->shape->type == type;
  return widens ? through_copies(x->operands[0]) : NULL;
}

hlo_accumulation hlo_match_accumulation(const hlo_computation *function, int32_t k) {
  hlo_accumulation out = {.op = HLO_OP_COUNT};
  const hlo_instruction *running = function->parameters[k],
                        *result = through_copies(hlo_value_of(function, k));
  bool rounds = is_rounded_twice(result);
  hlo_type type = result->shape->type;
  if (rounds) result = through_copies(result->operands[0]);
  bool subtracts =
      result->opcode == HLO_OP_SUBTRACT && (hlo_type_is_float(type) || hlo_type_is_complex(type));
  if (result->operand_count != 2 || running->shape->type != type ||
      (!is_plain(result->opcode) && !subtracts))
    return out;
  for (int32_t side = 0; side < (subtracts ? 1 : 2); side++) {
    const hlo_instruction *a = result->operands[side], *b = result->operands[1 - side];
    a = rounds ? before_widening(a, type) : through_copies(a);
    if (a != running || b->shape->type != result->shape->type) continue;
    const hlo_instruction *narrow = rounds ? before_widening(b, type) : NULL;
    out = (hlo_accumulation){.op = subtracts ? HLO_OP_ADD : result->opcode,
                             .type = narrow != NULL ? type : result->shape->type,
                             .term = narrow != NULL ? narrow : through_copies(b),
                             .subtracts = subtracts};
  }
  return out;
}

// Whether the function applies a plain operation to its parameters, so that nothing is to be
// separated.
static bool applies_plain_operation(const hlo_computation *function) {
  const hlo_instruction *root = function->root;
  hlo_instruction *const *p = function->parameters;
  return is_plain(root->opcode) && function->parameter_count == 2 &&
         ((root->operands[0] == p[0] && root->operands[1] == p[1]) ||
          (root->operands[0] == p[1] && root->operands[1] == p[0]));
}

bool hlo_has_separable_reducer(const hlo_instruction *x) {
  if (!separates(x->opcode)) return false;
  const hlo_computation *function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (applies_plain_operation(function)) return false;
  for (int32_t k = 0; k < x->operand_count / 2; k++)
    if (hlo_match_accumulation(function, k).op != HLO_OP_COUNT) return true;
  return false;
}
