// See alias_form.h.
#include "hlo/alias_form.h"

int32_t hlo_alias_element(const hlo_instruction *instruction) {
  // (get-tuple-element says itself which one.)
  static const struct {
    hlo_opcode opcode;
    int32_t element;
  } rows[] = {
      {HLO_OP_ALL_GATHER_DONE, 1}, {HLO_OP_COLLECTIVE_PERMUTE_DONE, 1},
      {HLO_OP_ASYNC_DONE, 1},      {HLO_OP_COPY_DONE, 0},
      {HLO_OP_SEND_DONE, 2},
  };
  if (instruction->opcode == HLO_OP_GET_TUPLE_ELEMENT)
    return (int32_t)hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX, 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode == instruction->opcode) return rows[i].element;
  }
  return -1;
}

const hlo_start_form *hlo_start_form_of(hlo_opcode opcode) {
  static const hlo_start_form forms[] = {
      {HLO_OP_ALL_GATHER_START, 0, 1},
      {HLO_OP_COLLECTIVE_PERMUTE_START, 0, 1},
      {HLO_OP_COPY_START, 1, 0},
      {HLO_OP_ASYNC_START, 0, 1},
      {HLO_OP_SEND, 0, -1},
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].opcode == opcode) return &forms[i];
  }
  return NULL;
}

const hlo_shape *hlo_start_operand_shape(const hlo_start_form *form, const hlo_instruction *start,
                                         int32_t k) {
  const hlo_shape *part = start->shape->elements[form->operands];
  if (form->opcode == HLO_OP_SEND) return k == 0 ? part : start->operands[k]->shape;
  bool is_list = form->opcode == HLO_OP_ASYNC_START || start->operand_count > 1;
  return is_list ? part->elements[k] : part;
}
