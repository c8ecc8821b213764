// Attributes that are computations or instructions. See parser.h.
#include "text/hlo/parser.h"

// A name, or the computation itself in braces.
static hlo_status parse_one_computation(hlo_parser *parser, hlo_attribute_id id,
                                        hlo_computation **out) {
  if (hlo_lexer_peek(&parser->lexer) != '{' || parser->is_fragment)
    return hlo_parser_computation(parser, out);
  if (parser->scope->depth == HLO_MAX_INLINE_DEPTH)
    return HLO_PARSER_FAIL(parser, parser->lexer.at, "computations nest deeper than %d",
                           HLO_MAX_INLINE_DEPTH);
  HLO_TRY(hlo_parser_unnamed_computation(parser, hlo_attribute_name(id), out));
  return hlo_parser_body(parser, *out);
}

hlo_status hlo_parser_computation_value(hlo_parser *parser, hlo_attribute *out) {
  HLO_ALLOC(out->computations, &parser->module->arena, 1, parser->error);
  out->count = 1;
  return parse_one_computation(parser, out->id, &out->computations[0]);
}

// What pointers were pushed since `first`, taken off and kept.
static hlo_status keep_pointers(hlo_parser *parser, int32_t first, hlo_attribute *out) {
  out->count = parser->pointers.count - first;
  void **from = parser->pointers.data; // NULL when nothing was ever pushed
  parser->pointers.count = first;
  if (hlo_attribute_get_kind(out->id) == HLO_KIND_COMPUTATIONS) {
    HLO_ALLOC(out->computations, &parser->module->arena, out->count, parser->error);
    for (int32_t i = 0; i < out->count; i++) out->computations[i] = from[first + i];
  } else {
    HLO_ALLOC(out->instructions, &parser->module->arena, out->count, parser->error);
    for (int32_t i = 0; i < out->count; i++) out->instructions[i] = from[first + i];
  }
  return HLO_OK;
}

hlo_status hlo_parser_computations_value(hlo_parser *parser, hlo_attribute *out) {
  int32_t first = parser->pointers.count;
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "{"));
  while (hlo_lexer_peek(&parser->lexer) != '}') {
    hlo_computation *computation;
    if (parser->pointers.count > first) HLO_TRY(hlo_lexer_expect(&parser->lexer, ","));
    HLO_TRY(parse_one_computation(parser, out->id, &computation));
    HLO_TRY(hlo_parser_push(parser, &parser->pointers, computation));
  }
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "}"));
  return keep_pointers(parser, first, out);
}

hlo_status hlo_parser_instructions_value(hlo_parser *parser, hlo_attribute *out) {
  int32_t first = parser->pointers.count;
  if (parser->is_fragment)
    return HLO_PARSER_FAIL(parser, parser->lexer.at, "%s cannot be given here",
                           hlo_attribute_name(out->id));
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "{"));
  while (hlo_lexer_peek(&parser->lexer) != '}') {
    hlo_instruction *instruction;
    if (parser->pointers.count > first) HLO_TRY(hlo_lexer_expect(&parser->lexer, ","));
    HLO_TRY(hlo_parser_instruction(parser, &instruction));
    HLO_TRY(hlo_parser_push(parser, &parser->pointers, instruction));
  }
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "}"));
  return keep_pointers(parser, first, out);
}
