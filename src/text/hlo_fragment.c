// What reading attributes alone, as of builders, shares with reading modules of HLO text. Must not
// know what stands around them.
#include "text/hlo_parser.h"

#include <string.h>

void *hlo_parser_reserve(hlo_parser *parser, void *data, int32_t count, int32_t *capacity,
                         size_t size) {
  if (count < *capacity) return data;
  if (*capacity > INT32_MAX / 2) return NULL;
  int32_t larger = *capacity == 0 ? 16 : *capacity * 2;
  void *copy = hlo_arena_array(&parser->lists, (size_t)larger, size);
  if (copy == NULL) return NULL;
  if (count > 0) memcpy(copy, data, (size_t)count * size);
  *capacity = larger;
  return copy;
}

hlo_status hlo_parser_push(hlo_parser *parser, hlo_pointers *list, void *pointer) {
  list->data =
      hlo_parser_reserve(parser, list->data, list->count, &list->capacity, sizeof *list->data);
  if (list->data == NULL) return hlo_fail_out_of_memory(parser->error);
  list->data[list->count++] = pointer;
  return HLO_OK;
}

hlo_status hlo_parser_push_int(hlo_parser *parser, hlo_integers *list, int64_t value) {
  list->data =
      hlo_parser_reserve(parser, list->data, list->count, &list->capacity, sizeof *list->data);
  if (list->data == NULL) return hlo_fail_out_of_memory(parser->error);
  list->data[list->count++] = value;
  return HLO_OK;
}

hlo_status hlo_parser_computation(hlo_parser *parser, hlo_computation **out) {
  hlo_token name;
  HLO_TRY(hlo_lexer_name(&parser->lexer, "the name of a computation", &parser->scratch, &name));
  *out = hlo_name_table_find(&parser->module->names, name.text, name.length);
  if (*out != NULL) return HLO_OK;
  if (parser->is_fragment)
    return HLO_PARSER_FAIL(parser, name.at, "there is no computation '%.*s'", hlo_token_shown(name),
                           name.text);
  return hlo_parser_create_computation(parser, name, out);
}
