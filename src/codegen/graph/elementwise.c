// Elementwise instructions on values: pointwise rows and those with attributes or operands of
// several types. See elementwise.h.
#include "codegen/graph/elementwise.h"

#include <string.h>

static hlo_type operand_type(const hlo_instruction *instruction, int32_t i) {
  return instruction->operands[i]->shape->type;
}

static bool emit_compare(hlo_graph *g, const hlo_instruction *instruction, const hlo_value *x,
                         hlo_value *out) {
  const char *type = hlo_get_text(instruction, HLO_ATTRIBUTE_TYPE);
  bool total = type != NULL && strcmp(type, "TOTALORDER") == 0;
  return hlo_value_compare(g, operand_type(instruction, 0),
                           hlo_get_text(instruction, HLO_ATTRIBUTE_DIRECTION), total, x[0], x[1],
                           &out->part[0]);
}

static bool emit_convert(hlo_graph *g, const hlo_instruction *instruction, const hlo_value *x,
                         hlo_value *out) {
  return hlo_value_convert(g, instruction->shape->type, operand_type(instruction, 0), x[0], out);
}

static bool emit_select(hlo_graph *g, const hlo_instruction *instruction, const hlo_value *x,
                        hlo_value *out) {
  *out = hlo_value_select(g, instruction->shape->type, x[0].part[0], x[1], x[2]);
  return true;
}

static bool emit_clamp(hlo_graph *g, const hlo_instruction *instruction, const hlo_value *x,
                       hlo_value *out) {
  hlo_type type = instruction->shape->type;
  hlo_value raised;
  return hlo_value_pointwise(g, HLO_OP_MAXIMUM, type, true, x, &raised) &&
         hlo_value_pointwise(g, HLO_OP_MINIMUM, type, true, (const hlo_value[]){raised, x[2]}, out);
}

static bool emit_copy(hlo_graph *g, const hlo_instruction *instruction, const hlo_value *x,
                      hlo_value *out) {
  (void)g, (void)instruction;
  *out = x[0];
  return true;
}

static bool emit_reduce_precision(hlo_graph *g, const hlo_instruction *instruction,
                                  const hlo_value *x, hlo_value *out) {
  int64_t exponent_bits = hlo_get_int(instruction, HLO_ATTRIBUTE_EXPONENT_BITS, 11);
  int64_t mantissa_bits = hlo_get_int(instruction, HLO_ATTRIBUTE_MANTISSA_BITS, 52);
  hlo_type type = instruction->shape->type;
  if (!hlo_type_is_float(type) || exponent_bits < 1 || mantissa_bits < 0) return false;
  *out = hlo_value_reduce_precision(g, type, x[0], exponent_bits, mantissa_bits);
  return true;
}

static bool emit_stochastic_convert(hlo_graph *g, const hlo_instruction *instruction,
                                    const hlo_value *x, hlo_value *out) {
  return hlo_value_stochastic_convert(g, instruction->shape->type, operand_type(instruction, 0),
                                      x[0], x[1], out);
}

// What has lanes of its own bits, or can be given them back: narrow floats but bf16 would lose what
// their NaNs hold.
static bool keeps_bits(hlo_type type) {
  return type != HLO_PRED && (type == HLO_BF16 || !hlo_value_is_narrow(type));
}

static bool emit_bitcast_convert(hlo_graph *g, const hlo_instruction *instruction,
                                 const hlo_value *x, hlo_value *out) {
  hlo_type from = operand_type(instruction, 0), to = instruction->shape->type;
  int32_t bits = hlo_type_bits(from);
  if (bits != hlo_type_bits(to) || !keeps_bits(from) || !keeps_bits(to)) return false;
  hlo_value memory = hlo_value_to_memory(g, from, x[0]);
  if (bits < 32) {
    hlo_node low = hlo_graph_splat32(g, (1u << bits) - 1);
    memory.part[0] = hlo_graph_2(g, SIMD_AND, memory.part[0], low);
  }
  *out = hlo_value_from_memory(g, to, memory);
  return true;
}

typedef bool emit_function(hlo_graph *g, const hlo_instruction *instruction, const hlo_value *x,
                           hlo_value *out);

static const struct {
  hlo_opcode opcode;
  emit_function *emit;
} families[] = {
    {HLO_OP_COMPARE, emit_compare},
    {HLO_OP_CONVERT, emit_convert},
    {HLO_OP_SELECT, emit_select},
    {HLO_OP_CLAMP, emit_clamp},
    {HLO_OP_COPY, emit_copy},
    {HLO_OP_BITCAST_CONVERT, emit_bitcast_convert},
    {HLO_OP_REDUCE_PRECISION, emit_reduce_precision},
    {HLO_OP_STOCHASTIC_CONVERT, emit_stochastic_convert},
};

bool hlo_emit_elementwise(hlo_graph *graph, const hlo_instruction *instruction,
                          const hlo_value *operands, hlo_value *out) {
  *out = (hlo_value){{0}};
  if (hlo_op_is_pointwise(instruction->opcode)) {
    if (hlo_find_attribute(instruction, HLO_ATTRIBUTE_RESULT_ACCURACY) != NULL) return false;
    return hlo_value_pointwise(graph, instruction->opcode, operand_type(instruction, 0), true,
                               operands, out);
  }
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (families[i].opcode == instruction->opcode)
      return families[i].emit(graph, instruction, operands, out);
  }
  return false;
}

bool hlo_emit_scalar_computation(hlo_graph *graph, const hlo_computation *computation,
                                 const hlo_value *arguments, hlo_value *values, int32_t leaves,
                                 hlo_value *out) {
  const hlo_instruction *root = computation->root;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    hlo_value operands[3];
    if (instruction->opcode == HLO_OP_PARAMETER) {
      values[i] = arguments[instruction->parameter_number];
      continue;
    }
    if (instruction->opcode == HLO_OP_TUPLE && instruction == root) continue;
    if (instruction->shape->rank != 0 || instruction->operand_count > 3) return false;
    for (int32_t o = 0; o < instruction->operand_count; o++)
      operands[o] = values[instruction->operands[o]->id];
    if (!hlo_emit_elementwise(graph, instruction, operands, &values[i])) return false;
  }
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  if ((is_tuple ? root->operand_count : 1) != leaves) return false;
  for (int32_t i = 0; i < leaves; i++) out[i] = values[is_tuple ? root->operands[i]->id : root->id];
  return true;
}
