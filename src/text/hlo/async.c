// The short form of asynchronous operations in HLO text: "add-start(a, b)" is an async-start that
// calls a computation of a single add.
#include "text/hlo/parser.h"

#include <string.h>

static const struct {
  const char *suffix;
  hlo_opcode opcode;
} forms[] = {
    {"-start", HLO_OP_ASYNC_START},
    {"-update", HLO_OP_ASYNC_UPDATE},
    {"-done", HLO_OP_ASYNC_DONE},
};

hlo_opcode hlo_parser_async_opcode(hlo_token name, hlo_opcode *wrapped) {
  for (int i = 0; i < 3; i++) {
    size_t length = strlen(forms[i].suffix);
    if (name.length <= length) continue;
    size_t rest = name.length - length;
    if (memcmp(name.text + rest, forms[i].suffix, length) != 0) continue;
    *wrapped = hlo_op_from_name(name.text, rest);
    if (*wrapped == HLO_OP_PARAMETER || *wrapped == HLO_OP_CONSTANT) *wrapped = HLO_OP_COUNT;
    return *wrapped == HLO_OP_COUNT ? HLO_OP_COUNT : forms[i].opcode;
  }
  return HLO_OP_COUNT;
}

// The shape of an async-start is ((operands…), result, …).
static hlo_status check_shape(hlo_parser *parser, const hlo_instruction *start, const char *at) {
  const hlo_shape *shape = start->shape;
  if (shape != NULL && shape->type == HLO_TUPLE && shape->element_count >= 2 &&
      shape->elements[0]->type == HLO_TUPLE &&
      shape->elements[0]->element_count == start->operand_count)
    return HLO_OK;
  return HLO_PARSER_FAIL(parser, at,
                         "an asynchronous operation with %d operands needs a shape ((operands), "
                         "result, ...)",
                         start->operand_count);
}

static hlo_status add_body(hlo_parser *parser, const hlo_instruction *start, hlo_opcode wrapped,
                           hlo_computation *computation, hlo_attribute *inner,
                           int32_t inner_count) {
  const hlo_shape *shapes = start->shape->elements[0];
  hlo_instruction **operands;
  HLO_ALLOC(operands, &parser->module->arena, shapes->element_count, parser->error);
  for (int32_t i = 0; i < shapes->element_count; i++) {
    HLO_TRY(hlo_instruction_create(computation, HLO_OP_PARAMETER, "param", shapes->elements[i], 0,
                                   NULL, 0, NULL, &operands[i], parser->error));
    operands[i]->parameter_number = i;
    operands[i]->line = start->line;
    operands[i]->column = start->column;
  }
  hlo_instruction *root;
  HLO_TRY(hlo_instruction_create(computation, wrapped, NULL, start->shape->elements[1],
                                 shapes->element_count, operands, inner_count, inner, &root,
                                 parser->error));
  root->line = start->line;
  root->column = start->column;
  computation->root = root;
  return HLO_OK;
}

// The computation runs on the thread that the start names.
static hlo_status copy_thread(hlo_parser *parser, const hlo_instruction *start,
                              hlo_computation *computation) {
  const char *thread = hlo_get_text(start, HLO_ATTRIBUTE_ASYNC_EXECUTION_THREAD);
  if (thread == NULL) return HLO_OK;
  hlo_string text = {0};
  hlo_string_add(&text, ", execution_thread=");
  hlo_print_quoted(&text, thread);
  hlo_status status = hlo_string_status(&text, parser->error);
  if (status == HLO_OK) {
    computation->attributes_text =
        hlo_arena_copy_text(&parser->module->arena, text.text, text.length);
    if (computation->attributes_text == NULL) status = hlo_fail_out_of_memory(parser->error);
  }
  hlo_string_free(&text);
  return status;
}

hlo_status hlo_parser_wrap_async(hlo_parser *parser, hlo_instruction *start, hlo_opcode wrapped,
                                 const char *at) {
  HLO_TRY(check_shape(parser, start, at));
  hlo_computation *computation;
  HLO_TRY(hlo_parser_unnamed_computation(parser, hlo_attribute_name(HLO_ATTRIBUTE_CALLS),
                                         &computation));
  hlo_arena *arena = &parser->module->arena;
  hlo_attribute *outer, *inner;
  HLO_ALLOC(outer, arena, start->attribute_count + 1, parser->error);
  HLO_ALLOC(inner, arena, start->attribute_count, parser->error);
  int32_t outer_count = 0, inner_count = 0;
  HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_CALLS, computation,
                                         &outer[outer_count++], parser->error));
  for (int32_t i = 0; i < start->attribute_count; i++) {
    const hlo_attribute *attribute = &start->attributes[i];
    bool is_inner = !hlo_attribute_is_universal(attribute->id) &&
                    hlo_op_allows_attribute(wrapped, attribute->id) != 0;
    if (!is_inner && attribute->id == HLO_ATTRIBUTE_CALLS)
      return HLO_PARSER_FAIL(parser, at, "an asynchronous '%s' takes no attribute 'calls'",
                             hlo_op_get(wrapped)->name);
    if (is_inner) inner[inner_count++] = *attribute;
    else outer[outer_count++] = *attribute;
  }
  HLO_TRY(copy_thread(parser, start, computation));
  HLO_TRY(add_body(parser, start, wrapped, computation, inner, inner_count));
  start->attributes = outer;
  start->attribute_count = outer_count;
  return hlo_parser_push(parser, &parser->computations, computation);
}
