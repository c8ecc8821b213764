// Topological sort into the order that the IR requires: operands before users, callees before
// callers, otherwise as in the text. Fails at cycles. Does not recurse: programs may be deep.
#include "text/hlo/parser.h"

#include <string.h>

enum { UNSEEN, OPEN, DONE };

// --- instructions ---

// The k-th instruction that must stand before this one: operands, then control predecessors.
static hlo_instruction *get_predecessor(const hlo_instruction *instruction, int32_t k) {
  if (k < instruction->operand_count) return instruction->operands[k];
  const hlo_attribute *control =
      hlo_find_attribute(instruction, HLO_ATTRIBUTE_CONTROL_PREDECESSORS);
  k -= instruction->operand_count;
  return control != NULL && k < control->count ? control->instructions[k] : NULL;
}

static hlo_status fail_cycle(hlo_parser *parser, const hlo_instruction *instruction) {
  hlo_token name = {.text = instruction->name, .length = strlen(instruction->name)};
  return hlo_fail_at(parser->error, HLO_PARSE_ERROR, instruction->line, instruction->column,
                     "'%.*s' depends on itself", hlo_token_shown(name), name.text);
}

typedef struct instruction_frame {
  hlo_instruction *instruction;
  int32_t next; // predecessor to look at
} instruction_frame;

// Depth first from the definitions in the text's order. Ids are positions in that order before, in
// the new one after.
hlo_status hlo_parser_order_instructions(hlo_parser *parser, hlo_scope *scope) {
  hlo_computation *computation = scope->computation;
  int32_t count = computation->instruction_count;
  for (int32_t i = 0; i < count; i++) computation->instructions[i]->id = i;
  hlo_arena_mark mark = hlo_arena_get_mark(&parser->lists);
  instruction_frame *stack;
  char *states;
  HLO_ALLOC(stack, &parser->lists, count, parser->error);
  HLO_ALLOC(states, &parser->lists, count, parser->error);
  hlo_instruction **ordered;
  HLO_ALLOC(ordered, &parser->lists, count, parser->error);
  int32_t placed = 0;
  for (int32_t i = 0; i < count; i++) {
    hlo_instruction *start = scope->instructions.data[i];
    if (states[start->id] == DONE) continue;
    int32_t depth = 0;
    stack[depth++] = (instruction_frame){.instruction = start};
    states[start->id] = OPEN;
    while (depth > 0) {
      instruction_frame *frame = &stack[depth - 1];
      hlo_instruction *before = get_predecessor(frame->instruction, frame->next++);
      if (before == NULL) {
        states[frame->instruction->id] = DONE;
        ordered[placed++] = frame->instruction;
        depth--;
      } else if (states[before->id] == OPEN) {
        return fail_cycle(parser, before);
      } else if (states[before->id] == UNSEEN) {
        states[before->id] = OPEN;
        stack[depth++] = (instruction_frame){.instruction = before};
      }
    }
  }
  for (int32_t i = 0; i < count; i++) {
    computation->instructions[i] = ordered[i];
    ordered[i]->id = i;
  }
  hlo_arena_rewind(&parser->lists, mark);
  return HLO_OK;
}

// --- computations ---

typedef struct computation_frame {
  hlo_computation *computation;
  int32_t instruction, attribute, entry; // the callee to look at
} computation_frame;

// The next computation that the frame's computation calls; NULL after the last.
static hlo_computation *next_callee(computation_frame *frame) {
  const hlo_computation *computation = frame->computation;
  for (; frame->instruction < computation->instruction_count; frame->instruction++) {
    const hlo_instruction *instruction = computation->instructions[frame->instruction];
    for (; frame->attribute < instruction->attribute_count; frame->attribute++) {
      const hlo_attribute *attribute = &instruction->attributes[frame->attribute];
      if (attribute->computations != NULL && frame->entry < attribute->count)
        return attribute->computations[frame->entry++];
      frame->entry = 0;
    }
    frame->attribute = 0;
  }
  return NULL;
}

static hlo_status fail_call_cycle(hlo_parser *parser, const hlo_computation *computation) {
  hlo_token name = {.text = computation->name, .length = strlen(computation->name)};
  return HLO_PARSER_FAIL(parser, parser->records[computation->index].at,
                         "computation '%.*s' calls itself", hlo_token_shown(name), name.text);
}

hlo_status hlo_parser_order_computations(hlo_parser *parser) {
  hlo_module *module = parser->module;
  int32_t count = module->computation_count;
  computation_frame *stack;
  char *states;
  hlo_computation **ordered;
  HLO_ALLOC(stack, &parser->lists, count, parser->error);
  HLO_ALLOC(states, &parser->lists, count, parser->error);
  HLO_ALLOC(ordered, &parser->lists, count, parser->error);
  int32_t placed = 0;
  for (int32_t i = 0; i < count; i++) {
    hlo_computation *start = parser->computations.data[i];
    if (states[start->index] == DONE) continue;
    int32_t depth = 0;
    stack[depth++] = (computation_frame){.computation = start};
    states[start->index] = OPEN;
    while (depth > 0) {
      computation_frame *frame = &stack[depth - 1];
      hlo_computation *callee = next_callee(frame);
      if (callee == NULL) {
        states[frame->computation->index] = DONE;
        ordered[placed++] = frame->computation;
        depth--;
      } else if (states[callee->index] == OPEN) {
        return fail_call_cycle(parser, callee);
      } else if (states[callee->index] == UNSEEN) {
        states[callee->index] = OPEN;
        stack[depth++] = (computation_frame){.computation = callee};
      }
    }
  }
  for (int32_t i = 0; i < count; i++) {
    module->computations[i] = ordered[i];
    ordered[i]->index = i;
  }
  return HLO_OK;
}
