// Parses the text of single attributes, as builders pass them, with the parser of HLO modules.
#include "text/hlo/parser.h"

enum { MAX_COUNT = 1 << 28 }; // entries of any list

hlo_status hlo_parser_push(hlo_parser *parser, hlo_pointers *list, void *pointer) {
  HLO_GROW_LIST(list->data, &parser->lists, list->count, list->capacity, parser->error);
  list->data[list->count++] = pointer;
  return HLO_OK;
}

hlo_status hlo_parser_push_int(hlo_parser *parser, hlo_integers *list, int64_t value) {
  HLO_GROW_LIST(list->data, &parser->lists, list->count, list->capacity, parser->error);
  list->data[list->count++] = value;
  return HLO_OK;
}

hlo_status hlo_parser_computation(hlo_parser *parser, hlo_computation **out) {
  hlo_token name;
  HLO_TRY(hlo_lexer_name(&parser->lexer, "the name of a computation", &parser->scratch, &name));
  *out = hlo_name_table_find(&parser->module->names, name.text, name.length);
  if (*out == NULL && parser->is_fragment)
    return HLO_PARSER_FAIL(parser, name.at, "there is no computation '%.*s'", hlo_token_shown(name),
                           name.text);
  if (*out == NULL) HLO_TRY(hlo_parser_create_computation(parser, name, out));
  return hlo_parser_push(parser, &parser->callees, *out);
}

hlo_status hlo_parser_limit_count(hlo_parser *parser, const hlo_integers *list) {
  if (list->count < MAX_COUNT) return HLO_OK;
  return HLO_PARSER_FAIL(parser, parser->lexer.at, "this list has more than %d entries", MAX_COUNT);
}

hlo_status hlo_parser_int_list(hlo_parser *parser, const char *open, const char *close) {
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(hlo_lexer_expect(lexer, open));
  if (hlo_lexer_accept(lexer, close)) return HLO_OK;
  do {
    int64_t value;
    HLO_TRY(hlo_lexer_int(lexer, "an integer", &value));
    HLO_TRY(hlo_parser_limit_count(parser, &parser->integers));
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, value));
  } while (hlo_lexer_accept(lexer, ","));
  return hlo_lexer_expect(lexer, close);
}

hlo_status hlo_parser_unknown(hlo_parser *parser) {
  parser->error->status = HLO_UNSUPPORTED;
  return HLO_UNSUPPORTED;
}
