// Results whose halves (thirds, quarters) along a dimension are the operands of a concatenation, as
// of cross products and stacked rows: loops run over one such part and compute the same element of
// each, instead of selecting between operands. See emitter.h.
#include "codegen/lower/emitter.h"

enum { MOST_PARTS = 4 };

typedef struct search {
  bool *seen; // by instruction id
  hlo_result_parts found;
} search;

static bool are_equal_parts(const hlo_instruction *concatenate, int32_t *dimension) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(concatenate, HLO_ATTRIBUTE_DIMENSIONS, &count);
  int32_t parts = concatenate->operand_count;
  if (count != 1 || parts < 2 || parts > MOST_PARTS) return false;
  *dimension = (int32_t)dimensions[0];
  int64_t size = concatenate->shape->dims[*dimension] / parts;
  for (int32_t i = 0; i < parts; i++) {
    if (concatenate->operands[i]->shape->dims[*dimension] != size) return false;
  }
  return true;
}

// Through instructions whose elements are those of their operands, one by one. Recursion as deep as
// the chain, which hlo_emit_value limits likewise.
static void visit(search *s, const hlo_instruction *instruction, int32_t depth) {
  enum { MAX_DEPTH = 200 };
  if (s->found.count > 1 || depth == MAX_DEPTH || s->seen[instruction->id]) return;
  s->seen[instruction->id] = true;
  int32_t dimension;
  if (instruction->opcode == HLO_OP_CONCATENATE) {
    if (are_equal_parts(instruction, &dimension))
      s->found = (hlo_result_parts){instruction->operand_count, dimension};
  } else if (hlo_op_is_elementwise(instruction->opcode)) {
    for (int32_t i = 0; i < instruction->operand_count; i++) {
      bool is_whole =
          hlo_shape_same_dimensions(instruction->operands[i]->shape, instruction->shape);
      if (is_whole) visit(s, instruction->operands[i], depth + 1);
    }
  }
}

hlo_result_parts hlo_emit_match_parts(hlo_emitter *e) {
  const hlo_result_parts one = {1, 0};
  const hlo_computation *computation = e->computation;
  const hlo_instruction *root = computation->root;
  search s = {.found = one};
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    if (computation->instructions[i]->opcode == HLO_OP_REDUCE) return one;
  }
  for (int32_t i = 1; is_tuple && i < root->operand_count; i++) {
    if (!hlo_shape_same_dimensions(root->operands[i]->shape, root->operands[0]->shape)) return one;
  }
  s.seen = hlo_arena_array(e->arena, (size_t)computation->instruction_count, sizeof *s.seen);
  if (s.seen == NULL) {
    e->out_of_memory = true;
    return one;
  }
  if (!is_tuple) visit(&s, root, 0);
  for (int32_t i = 0; is_tuple && i < root->operand_count; i++) visit(&s, root->operands[i], 0);
  int32_t results = is_tuple ? root->operand_count : 1;
  return s.found.count * results <= HLO_EMIT_MAX_OUTPUTS ? s.found : one;
}
