// See while_loop.h.
#include "passes/loops/while_loop.h"

int64_t hlo_element_index(const hlo_instruction *x) {
  return hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0);
}

bool hlo_is_element_of(const hlo_instruction *x, const hlo_instruction *tuple) {
  return x->opcode == HLO_OP_GET_TUPLE_ELEMENT && x->operands[0] == tuple;
}

bool hlo_is_only_destructured(const hlo_instruction *tuple) {
  const hlo_computation *computation = tuple->computation;
  if (computation->root == tuple) return false;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    for (int32_t k = 0; k < x->operand_count; k++) {
      if (x->operands[k] == tuple && !hlo_is_element_of(x, tuple)) return false;
    }
  }
  return true;
}

bool hlo_match_while_loop(hlo_instruction *x, hlo_while_loop *out) {
  if (x->opcode != HLO_OP_WHILE || x->operands[0]->opcode != HLO_OP_TUPLE) return false;
  out->instruction = x;
  out->start = x->operands[0];
  out->condition = hlo_get_computation(x, HLO_ATTRIBUTE_CONDITION);
  out->body = hlo_get_computation(x, HLO_ATTRIBUTE_BODY);
  out->count = x->shape->element_count;
  return out->body->root->opcode == HLO_OP_TUPLE && out->body != out->condition &&
         hlo_shape_equal(x->shape, out->start->shape) &&
         hlo_shape_equal(x->shape, out->body->root->shape) &&
         hlo_shape_equal(x->shape, out->body->parameters[0]->shape) &&
         hlo_shape_equal(x->shape, out->condition->parameters[0]->shape) &&
         hlo_is_only_destructured(out->body->parameters[0]) &&
         hlo_is_only_destructured(out->condition->parameters[0]);
}

bool hlo_loop_keeps(const hlo_while_loop *l, int64_t index) {
  const hlo_instruction *given = l->body->root->operands[index];
  return hlo_is_element_of(given, l->body->parameters[0]) && hlo_element_index(given) == index;
}

hlo_status hlo_count_callers(hlo_module *module, int32_t **out, hlo_error *error) {
  if (*out == NULL) HLO_ALLOC(*out, &module->arena, module->computation_count, error);
  for (int32_t c = 0; c < module->computation_count; c++) (*out)[c] = 0;
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *caller = module->computations[c];
    for (int32_t i = 0; i < caller->instruction_count; i++) {
      const hlo_instruction *x = caller->instructions[i];
      for (int32_t a = 0; a < x->attribute_count; a++) {
        hlo_computation *const *called = x->attributes[a].computations;
        for (int32_t k = 0; called != NULL && k < x->attributes[a].count; k++)
          (*out)[called[k]->index]++;
      }
    }
  }
  return HLO_OK;
}

bool hlo_loop_is_alone(const hlo_while_loop *l, const int32_t *callers) {
  return callers[l->body->index] == 1 && callers[l->condition->index] == 1 &&
         hlo_is_only_destructured(l->instruction);
}
