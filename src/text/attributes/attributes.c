// Reads the attributes of instructions, a function for each hlo_attribute_kind.
#include "text/hlo/parser.h"

#include "text/text.h"

#include <string.h>

typedef hlo_status parse_function(hlo_parser *parser, hlo_attribute *out);

// --- copies into the module ---

static hlo_status keep_ints(hlo_parser *parser, const hlo_integers *list, int32_t *count,
                            const int64_t **out) {
  int64_t *copy;
  HLO_ALLOC(copy, &parser->module->arena, list->count, parser->error);
  if (list->count > 0) memcpy(copy, list->data, (size_t)list->count * sizeof *copy);
  *out = copy;
  *count = list->count;
  return HLO_OK;
}

static hlo_status keep_text(hlo_parser *parser, const char *text, size_t length, const char **out) {
  *out = hlo_arena_copy_text(&parser->module->arena, text, length);
  return *out == NULL ? hlo_fail_out_of_memory(parser->error) : HLO_OK;
}

// --- single values ---

static hlo_status parse_int(hlo_parser *parser, hlo_attribute *out) {
  return hlo_lexer_int(&parser->lexer, "an integer", &out->integer);
}

static hlo_status parse_float(hlo_parser *parser, hlo_attribute *out) {
  return hlo_lexer_float(&parser->lexer, "a number", &out->real);
}

static hlo_status parse_bool(hlo_parser *parser, hlo_attribute *out) {
  out->integer = hlo_lexer_accept_word(&parser->lexer, "true");
  if (out->integer || hlo_lexer_accept_word(&parser->lexer, "false")) return HLO_OK;
  return hlo_lexer_expected(&parser->lexer, "true or false");
}

static hlo_status parse_name(hlo_parser *parser, hlo_attribute *out) {
  hlo_token word;
  HLO_TRY(hlo_lexer_word(&parser->lexer, "a word", &word));
  return keep_text(parser, word.text, word.length, &out->text);
}

static hlo_status parse_names(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_string text = {0};
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  hlo_status status = HLO_OK;
  for (bool is_first = true; hlo_lexer_peek(lexer) != '}'; is_first = false) {
    hlo_token word;
    if (!is_first) status = hlo_lexer_expect(lexer, ",");
    if (status == HLO_OK) status = hlo_lexer_word(lexer, "a word", &word);
    if (status != HLO_OK) break;
    if (!is_first) hlo_string_add_char(&text, ',');
    hlo_string_add_bytes(&text, word.text, word.length);
  }
  if (status == HLO_OK) status = hlo_lexer_expect(lexer, "}");
  if (status == HLO_OK) status = hlo_string_status(&text, parser->error);
  if (status == HLO_OK)
    status = keep_text(parser, text.length > 0 ? text.text : "", text.length, &out->text);
  hlo_string_free(&text);
  return status;
}

// Something verbatim, such as bf01_oi01->bf01 or {tolerance={atol=0, rtol=0, ulps=1}}.
static hlo_status parse_text(hlo_parser *parser, hlo_attribute *out) {
  hlo_token value;
  HLO_TRY(hlo_lexer_value(&parser->lexer, "a value", &value));
  char *text = hlo_arena_copy_text(&parser->module->arena, value.text, value.length);
  if (text == NULL) return hlo_fail_out_of_memory(parser->error);
  hlo_lexer_plain(text, value.length);
  out->text = text;
  return HLO_OK;
}

static hlo_status parse_string(hlo_parser *parser, hlo_attribute *out) {
  hlo_token value;
  HLO_TRY(hlo_lexer_string(&parser->lexer, &parser->scratch, &value));
  return keep_text(parser, value.text, value.length, &out->text);
}

// A shape in front of its values, whose brace is no layout's where a blank is before it.
static hlo_status parse_shape_of_values(hlo_parser *parser, const hlo_shape **out) {
  hlo_lexer *lexer = &parser->lexer;
  const char *from = lexer->at;
  if (hlo_shape_parse(&parser->scratch, &lexer->at, lexer->end, out, parser->error) == HLO_OK)
    return HLO_OK;
  return hlo_parser_shape_error(parser, from);
}

static hlo_status parse_raw(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer_skip(&parser->lexer);
  const char *start = parser->lexer.at;
  if (out->id == HLO_ATTRIBUTE_LITERAL) {
    // A shape and a value, kept as written; reading them finds the end.
    hlo_arena_mark mark = hlo_arena_get_mark(&parser->scratch);
    const hlo_shape *shape;
    hlo_literal literal;
    HLO_TRY(parse_shape_of_values(parser, &shape));
    HLO_TRY(hlo_parser_literal(parser, &parser->scratch, shape, &literal));
    hlo_arena_rewind(&parser->scratch, mark);
    return keep_text(parser, start, (size_t)(parser->lexer.at - start), &out->text);
  }
  if (out->id == HLO_ATTRIBUTE_RESULT_ACCURACY) {
    HLO_TRY(hlo_parser_accuracy(parser));
    parser->lexer.at = start;
  }
  return parse_text(parser, out);
}

static hlo_status parse_word(hlo_parser *parser, hlo_attribute *out) {
  hlo_token word;
  HLO_TRY(hlo_parser_known_word(parser, out->id, &word));
  return keep_text(parser, word.text, word.length, &out->text);
}

static hlo_status parse_fields(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer_skip(&parser->lexer);
  const char *start = parser->lexer.at;
  HLO_TRY(hlo_parser_known_fields(parser, out->id));
  return keep_text(parser, start, (size_t)(parser->lexer.at - start), &out->text);
}

static hlo_status parse_shape(hlo_parser *parser, hlo_attribute *out) {
  return hlo_parser_shape(parser, &parser->module->arena, &out->shape);
}

// --- lists of integers ---

// "{{0,1},{2}}" onto parser->integers and parser->rows; the outer brace was read.
static hlo_status parse_rows(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  if (hlo_lexer_accept(lexer, "}")) return HLO_OK;
  do {
    int32_t before = parser->integers.count;
    HLO_TRY(hlo_parser_int_list(parser, "{", "}"));
    HLO_TRY(hlo_parser_limit_count(parser, &parser->rows));
    HLO_TRY(hlo_parser_push_int(parser, &parser->rows, parser->integers.count - before));
  } while (hlo_lexer_accept(lexer, ","));
  return hlo_lexer_expect(lexer, "}");
}

static hlo_status keep_rows(hlo_parser *parser, hlo_attribute *out) {
  HLO_TRY(keep_ints(parser, &parser->integers, &out->count, &out->ints));
  return keep_ints(parser, &parser->rows, &out->row_count, &out->row_lengths);
}

// Rows are possible in one of them: collective-permute has slice_sizes={{4},{8}}.
static hlo_status parse_ints(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer_skip(&parser->lexer);
  hlo_lexer inner = parser->lexer;
  if (out->id == HLO_ATTRIBUTE_SLICE_SIZES && hlo_lexer_accept(&inner, "{") &&
      hlo_lexer_peek(&inner) == '{') {
    parser->lexer = inner;
    HLO_TRY(parse_rows(parser));
    return keep_rows(parser, out);
  }
  HLO_TRY(hlo_parser_int_list(parser, "{", "}"));
  return keep_ints(parser, &parser->integers, &out->count, &out->ints);
}

static hlo_status parse_slice(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  while (hlo_lexer_peek(lexer) != '}') {
    int64_t start, limit, stride = 1;
    if (parser->integers.count > 0) HLO_TRY(hlo_lexer_expect(lexer, ","));
    HLO_TRY(hlo_lexer_expect(lexer, "["));
    HLO_TRY(hlo_lexer_int(lexer, "the start", &start));
    HLO_TRY(hlo_lexer_expect(lexer, ":"));
    HLO_TRY(hlo_lexer_int(lexer, "the limit", &limit));
    if (hlo_lexer_accept(lexer, ":")) HLO_TRY(hlo_lexer_int(lexer, "the stride", &stride));
    HLO_TRY(hlo_lexer_expect(lexer, "]"));
    HLO_TRY(hlo_parser_limit_count(parser, &parser->integers));
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, start));
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, limit));
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, stride));
  }
  HLO_TRY(hlo_lexer_expect(lexer, "}"));
  return keep_ints(parser, &parser->integers, &out->count, &out->ints);
}

// Reads c when it comes at once.
static bool accept_adjacent(hlo_lexer *lexer, char c) {
  if (lexer->at == lexer->end || *lexer->at != c) return false;
  lexer->at++;
  return true;
}

static bool at_integer(hlo_lexer *lexer) {
  char c = hlo_lexer_peek(lexer);
  return c == '-' || (c >= '0' && c <= '9');
}

// low_high or low_high_interior per dimension, joined by x; nothing at all for a scalar.
static hlo_status parse_padding(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer *lexer = &parser->lexer;
  if (at_integer(lexer)) {
    do {
      int64_t low, high, interior = 0;
      HLO_TRY(hlo_lexer_digits(lexer, "the low padding", &low));
      if (!accept_adjacent(lexer, '_')) return hlo_lexer_expected(lexer, "'_' in low_high");
      HLO_TRY(hlo_lexer_digits(lexer, "the high padding", &high));
      if (accept_adjacent(lexer, '_'))
        HLO_TRY(hlo_lexer_digits(lexer, "the interior padding", &interior));
      HLO_TRY(hlo_parser_limit_count(parser, &parser->integers));
      HLO_TRY(hlo_parser_push_int(parser, &parser->integers, low));
      HLO_TRY(hlo_parser_push_int(parser, &parser->integers, high));
      HLO_TRY(hlo_parser_push_int(parser, &parser->integers, interior));
    } while (accept_adjacent(lexer, 'x'));
  }
  return keep_ints(parser, &parser->integers, &out->count, &out->ints);
}

// --- windows ---

static const struct {
  const char *name;
  int field;     // of HLO_WINDOW_FIELDS
  int64_t unset; // its value when it is not given
} window_parts[] = {
    {"size", HLO_WINDOW_SIZE, 1},
    {"stride", HLO_WINDOW_STRIDE, 1},
    {"pad", HLO_WINDOW_PAD_LOW, 0}, // and HLO_WINDOW_PAD_HIGH
    {"lhs_dilate", HLO_WINDOW_LHS_DILATION, 1},
    {"rhs_dilate", HLO_WINDOW_RHS_DILATION, 1},
    {"rhs_reversal", HLO_WINDOW_REVERSAL, 0},
};
enum { WINDOW_PARTS = sizeof window_parts / sizeof window_parts[0] };

// The values of one part, 3x3 or 1_1x2_2, onto parser->integers.
static hlo_status parse_window_values(hlo_parser *parser, bool is_pair) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_lexer_skip(lexer);
  do {
    int64_t value;
    HLO_TRY(hlo_lexer_digits(lexer, "an integer", &value));
    HLO_TRY(hlo_parser_limit_count(parser, &parser->integers));
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, value));
    if (!is_pair) continue;
    if (!accept_adjacent(lexer, '_')) return hlo_lexer_expected(lexer, "'_' in low_high");
    HLO_TRY(hlo_lexer_digits(lexer, "an integer", &value));
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, value));
  } while (accept_adjacent(lexer, 'x'));
  return HLO_OK;
}

// One part's name, '=' and values; start[part] becomes their position in parser->integers.
static hlo_status parse_window_part(hlo_parser *parser, int32_t *start, int32_t *rank) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_token name;
  HLO_TRY(
      hlo_lexer_word(lexer, "size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal", &name));
  int part = 0;
  while (part < WINDOW_PARTS && !hlo_token_is(name, window_parts[part].name)) part++;
  if (part == WINDOW_PARTS)
    return HLO_PARSER_FAIL(parser, name.at, "a window has no '%.*s'", hlo_token_shown(name),
                           name.text);
  if (start[part] >= 0)
    return HLO_PARSER_FAIL(parser, name.at, "%s is given twice", window_parts[part].name);
  HLO_TRY(hlo_lexer_expect(lexer, "="));
  bool is_pair = window_parts[part].field == HLO_WINDOW_PAD_LOW;
  start[part] = parser->integers.count;
  HLO_TRY(parse_window_values(parser, is_pair));
  int32_t count = (parser->integers.count - start[part]) / (is_pair ? 2 : 1);
  if (*rank >= 0 && count != *rank)
    return HLO_PARSER_FAIL(parser, name.at, "%s has %d dimensions, the window has %d",
                           window_parts[part].name, count, *rank);
  *rank = count;
  return HLO_OK;
}

static hlo_status parse_window(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  const char *at = lexer->at;
  int32_t start[WINDOW_PARTS] = {-1, -1, -1, -1, -1, -1};
  int32_t rank = -1;
  while (hlo_lexer_peek(lexer) != '}') HLO_TRY(parse_window_part(parser, start, &rank));
  HLO_TRY(hlo_lexer_expect(lexer, "}"));
  if (rank >= 0 && start[0] < 0) return HLO_PARSER_FAIL(parser, at, "the window has no size");
  if (rank < 0) rank = 0;
  int64_t *fields;
  HLO_ALLOC(fields, &parser->module->arena, (int64_t)rank * HLO_WINDOW_FIELDS, parser->error);
  for (int part = 0; part < WINDOW_PARTS; part++) {
    int first = window_parts[part].field;
    int width = first == HLO_WINDOW_PAD_LOW ? 2 : 1;
    for (int32_t d = 0; d < rank; d++)
      for (int i = 0; i < width; i++)
        fields[d * HLO_WINDOW_FIELDS + first + i] =
            start[part] < 0 ? window_parts[part].unset
                            : parser->integers.data[start[part] + d * width + i];
  }
  out->ints = fields;
  out->count = rank * HLO_WINDOW_FIELDS;
  return HLO_OK;
}

// --- groups ---

static hlo_status parse_groups(hlo_parser *parser, hlo_attribute *out) {
  hlo_lexer *lexer = &parser->lexer;
  if (hlo_lexer_peek(lexer) == '{') {
    hlo_lexer_accept(lexer, "{");
    HLO_TRY(parse_rows(parser));
  } else {
    const char *start = lexer->at;
    HLO_TRY(hlo_parser_compact_groups(parser));
    HLO_TRY(keep_text(parser, start, (size_t)(lexer->at - start), &out->text));
  }
  return keep_rows(parser, out);
}

// --- the list of attributes ---

static parse_function *const parse_value[] = {
    [HLO_KIND_INT] = parse_int,
    [HLO_KIND_FLOAT] = parse_float,
    [HLO_KIND_BOOL] = parse_bool,
    [HLO_KIND_NAME] = parse_name,
    [HLO_KIND_WORD] = parse_word,
    [HLO_KIND_NAMES] = parse_names,
    [HLO_KIND_TEXT] = parse_text,
    [HLO_KIND_STRING] = parse_string,
    [HLO_KIND_RAW] = parse_raw,
    [HLO_KIND_FIELDS] = parse_fields,
    [HLO_KIND_INTS] = parse_ints,
    [HLO_KIND_SLICE] = parse_slice,
    [HLO_KIND_PADDING] = parse_padding,
    [HLO_KIND_WINDOW] = parse_window,
    [HLO_KIND_GROUPS] = parse_groups,
    [HLO_KIND_COMPUTATION] = hlo_parser_computation_value,
    [HLO_KIND_COMPUTATIONS] = hlo_parser_computations_value,
    [HLO_KIND_INSTRUCTIONS] = hlo_parser_instructions_value,
    [HLO_KIND_SHAPE] = parse_shape,
};

static bool allows(hlo_opcode opcode, hlo_attribute_id id) {
  return opcode == HLO_OP_COUNT || hlo_op_allows_attribute(opcode, id) != 0;
}

// The attribute's name, which must be one that one of both operations allows and that was not given
// yet.
static hlo_status parse_attribute_name(hlo_parser *parser, hlo_opcode opcode, hlo_opcode other,
                                       int32_t first, hlo_attribute_id *out) {
  hlo_token name;
  HLO_TRY(hlo_lexer_word(&parser->lexer, "the name of an attribute", &name));
  hlo_attribute_id id = hlo_attribute_from_name(name.text, name.length);
  if (id == HLO_ATTRIBUTE_COUNT) {
    hlo_status status = HLO_PARSER_FAIL(parser, name.at, "there is no attribute '%.*s'",
                                        hlo_token_shown(name), name.text);
    return hlo_lexer_peek(&parser->lexer) == '=' ? hlo_parser_unknown(parser) : status;
  }
  if (!allows(opcode, id) && !allows(other, id)) {
    const hlo_op_info *info = hlo_op_get(opcode);
    return HLO_PARSER_UNKNOWN(
        parser, name.at, "'%s' takes no attribute '%.*s', but: %s (? optional)", info->name,
        hlo_token_shown(name), name.text, info->attributes[0] == 0 ? "none" : info->attributes);
  }
  for (int32_t i = first; i < parser->attribute_count; i++)
    if (parser->attributes[i].id == id)
      return HLO_PARSER_FAIL(parser, name.at, "attribute '%s' is given twice",
                             hlo_attribute_name(id));
  *out = id;
  return HLO_OK;
}

hlo_status hlo_parser_attributes(hlo_parser *parser, hlo_opcode opcode, hlo_opcode other) {
  int32_t first = parser->attribute_count;
  do {
    hlo_attribute attribute = {0};
    HLO_TRY(parse_attribute_name(parser, opcode, other, first, &attribute.id));
    HLO_TRY(hlo_lexer_expect(&parser->lexer, "="));
    parser->integers.count = 0;
    parser->rows.count = 0;
    HLO_TRY(parse_value[hlo_attribute_get_kind(attribute.id)](parser, &attribute));
    HLO_GROW_LIST(parser->attributes, &parser->lists, parser->attribute_count,
                  parser->attribute_capacity, parser->error);
    parser->attributes[parser->attribute_count++] = attribute;
  } while (hlo_lexer_accept(&parser->lexer, ","));
  return HLO_OK;
}

static hlo_status parse_fragment(hlo_parser *parser, hlo_attribute **out, int32_t *count) {
  if (hlo_lexer_peek(&parser->lexer) != 0)
    HLO_TRY(hlo_parser_attributes(parser, HLO_OP_COUNT, HLO_OP_COUNT));
  hlo_lexer_skip(&parser->lexer);
  if (parser->lexer.at != parser->lexer.end) return hlo_lexer_expected(&parser->lexer, "','");
  HLO_ALLOC(*out, &parser->module->arena, parser->attribute_count, parser->error);
  if (parser->attribute_count > 0)
    memcpy(*out, parser->attributes, (size_t)parser->attribute_count * sizeof **out);
  *count = parser->attribute_count;
  return HLO_OK;
}

hlo_status hlo_parse_attributes(hlo_module *module, const char *text, size_t length,
                                hlo_attribute **out, int32_t *count, hlo_error *error) {
  hlo_parser parser = {.module = module, .error = error, .is_fragment = true};
  HLO_TRY(hlo_source_open(&parser.source, text, length, error));
  parser.lexer = (hlo_lexer){
      .source = &parser.source, .at = parser.source.text, .end = parser.source.end, .error = error};
  hlo_status status = hlo_lexer_open(&parser.lexer, &parser.source, error);
  if (status == HLO_OK) status = parse_fragment(&parser, out, count);
  if (status != HLO_OK) hlo_source_show(&parser.source, error);
  hlo_arena_free(&parser.lists);
  hlo_arena_free(&parser.scratch);
  return status;
}
