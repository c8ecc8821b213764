// Helpers of the HLO text parser: shapes and literals, computations under construction, checks. See
// parser.h.
#include "text/hlo/parser.h"

#include <string.h>

hlo_status hlo_parser_shape(hlo_parser *parser, hlo_arena *arena, const hlo_shape **out) {
  hlo_lexer_skip(&parser->lexer);
  const char *from = parser->lexer.at;
  if (hlo_shape_parse_spaced(arena, &parser->lexer.at, parser->lexer.end, out, parser->error) ==
      HLO_OK)
    return HLO_OK;
  return hlo_parser_shape_error(parser, from);
}

// A word in an element type's place is one that is not known.
hlo_status hlo_parser_shape_error(hlo_parser *parser, const char *from) {
  hlo_lexer at = parser->lexer;
  hlo_token word;
  hlo_error ignored = {0};
  int32_t offset = parser->error->column > 0 ? parser->error->column - 1 : 0;
  at.at = from + (offset < at.end - from ? offset : at.end - from);
  at.error = &ignored;
  bool is_unknown = at.at < at.end && *at.at >= 'a' && *at.at <= 'z' &&
                    hlo_lexer_word(&at, "a type", &word) == HLO_OK && hlo_lexer_peek(&at) == '[' &&
                    hlo_type_from_name(word.text, word.length) == HLO_TYPE_INVALID;
  hlo_status status = hlo_source_relocate(&parser->source, from, parser->error);
  return is_unknown ? hlo_parser_unknown(parser) : status;
}

hlo_status hlo_parser_literal(hlo_parser *parser, hlo_arena *arena, const hlo_shape *shape,
                              hlo_literal *out) {
  hlo_lexer_skip(&parser->lexer);
  const char *from = parser->lexer.at;
  if (hlo_literal_parse(arena, shape, &parser->lexer.at, parser->lexer.end, out, parser->error) ==
      HLO_OK)
    return HLO_OK;
  return hlo_source_relocate(&parser->source, from, parser->error);
}

// The record of a computation that was just made.
static hlo_status add_record(hlo_parser *parser, const char *at) {
  HLO_GROW_LIST(parser->records, &parser->lists, parser->record_count, parser->record_capacity,
                parser->error);
  parser->records[parser->record_count++] = (hlo_computation_record){.at = at};
  return HLO_OK;
}

hlo_status hlo_parser_create_computation(hlo_parser *parser, hlo_token name,
                                         hlo_computation **out) {
  hlo_arena_mark mark = hlo_arena_get_mark(&parser->scratch);
  char *text = hlo_arena_copy_text(&parser->scratch, name.text, name.length);
  if (text == NULL) return hlo_fail_out_of_memory(parser->error);
  HLO_TRY(hlo_computation_create(parser->module, text, out, parser->error));
  hlo_arena_rewind(&parser->scratch, mark);
  return add_record(parser, name.at);
}

hlo_status hlo_parser_add_check(hlo_parser *parser, const hlo_instruction *instruction,
                                const hlo_shape *shape, const char *at) {
  HLO_GROW_LIST(parser->checks, &parser->lists, parser->check_count, parser->check_capacity,
                parser->error);
  parser->checks[parser->check_count++] =
      (hlo_shape_check){.instruction = instruction, .shape = shape, .at = at};
  return HLO_OK;
}

hlo_status hlo_parser_check(hlo_parser *parser, const hlo_shape_check *check) {
  const hlo_instruction *instruction = check->instruction;
  if (hlo_shape_compatible(check->shape, instruction->shape)) return HLO_OK;
  char declared[HLO_SHAPE_TEXT_SIZE], actual[HLO_SHAPE_TEXT_SIZE];
  hlo_token name = {.text = instruction->name, .length = strlen(instruction->name)};
  return HLO_PARSER_FAIL(parser, check->at, "%%%.*s is %s, not %s", hlo_token_shown(name),
                         name.text, hlo_shape_to_text(actual, instruction->shape),
                         hlo_shape_to_text(declared, check->shape));
}

hlo_status hlo_parser_unnamed_computation(hlo_parser *parser, const char *name,
                                          hlo_computation **out) {
  const hlo_scope *scope = parser->scope;
  const hlo_instruction *instruction = scope->instructions.data[scope->instructions.count - 1];
  hlo_string text = {0};
  hlo_string_add_format(&text, "%s.%s.%s", scope->computation->name, instruction->name, name);
  hlo_status status = hlo_string_status(&text, parser->error);
  hlo_token token = {.text = text.text, .length = text.length, .at = parser->lexer.at};
  if (status == HLO_OK) status = hlo_parser_create_computation(parser, token, out);
  hlo_string_free(&text);
  if (status == HLO_OK) parser->records[(*out)->index].is_defined = true;
  return status;
}
