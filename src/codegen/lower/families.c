// Which function makes the elements of which operation. See emitter.h.
#include "codegen/lower/emitter.h"

static const struct {
  hlo_opcode opcode;
  hlo_emit_function *lower;
} families[] = {
    {HLO_OP_PARAMETER, hlo_emit_parameter},
    {HLO_OP_CONSTANT, hlo_emit_constant},
    {HLO_OP_IOTA, hlo_emit_iota},
    {HLO_OP_GET_TUPLE_ELEMENT, hlo_emit_tuple_element},
    {HLO_OP_BROADCAST, hlo_emit_movement},
    {HLO_OP_TRANSPOSE, hlo_emit_movement},
    {HLO_OP_SLICE, hlo_emit_movement},
    {HLO_OP_REVERSE, hlo_emit_movement},
    {HLO_OP_RESHAPE, hlo_emit_movement},
    {HLO_OP_BITCAST, hlo_emit_movement},
    {HLO_OP_COPY, hlo_emit_movement},
    {HLO_OP_PAD, hlo_emit_pad},
    {HLO_OP_CONCATENATE, hlo_emit_concatenate},
    {HLO_OP_DYNAMIC_SLICE, hlo_emit_dynamic_slice},
    {HLO_OP_GATHER, hlo_emit_gather},
    {HLO_OP_REDUCE, hlo_emit_reduce},
};

hlo_emit_function *hlo_emit_function_of(hlo_opcode opcode) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (families[i].opcode == opcode) return families[i].lower;
  }
  return hlo_emit_each_element;
}
