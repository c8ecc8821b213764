// Keywords and fields of attributes that the engine keeps without interpreting them, limited to
// those that XLA's parser accepts (determined by experiment).
#include "text/hlo/parser.h"

#include <string.h>

// --- words ---

static const struct {
  hlo_attribute_id id;
  const char *words; // between blanks
} words_of[] = {
    {HLO_ATTRIBUTE_KIND, "kLoop kInput kOutput kCustom"},
    {HLO_ATTRIBUTE_CUSTOM_CALL_SCHEDULE, "SCHEDULE_NONE SCHEDULE_LATEST SCHEDULE_EARLIEST"},
    {HLO_ATTRIBUTE_API_VERSION,
     "API_VERSION_ORIGINAL API_VERSION_STATUS_RETURNING API_VERSION_STATUS_RETURNING_UNIFIED "
     "API_VERSION_TYPED_FFI"},
    {HLO_ATTRIBUTE_CONVOLUTION_KIND, "unset fprop dgrad wgrad"},
    {HLO_ATTRIBUTE_PADDING_TYPE, "PADDING_INVALID PADDING_VALID PADDING_SAME"},
    {HLO_ATTRIBUTE_MODE, "cross_replica cross_partition cross_replica_and_partition flattened_id"},
};

static const char *get_words(hlo_attribute_id id) {
  size_t i = 0;
  while (words_of[i].id != id) i++;
  return words_of[i].words;
}

static bool is_among(hlo_token word, const char *words) {
  for (const char *at = words; *at != 0;) {
    size_t length = strcspn(at, " ");
    if (length == word.length && memcmp(at, word.text, length) == 0) return true;
    at += length + (at[length] == ' ');
  }
  return false;
}

static hlo_status fail_unknown(hlo_parser *parser, const char *what, hlo_token word,
                               const char *words) {
  return HLO_PARSER_UNKNOWN(parser, word.at, "%s must be one of %s, not '%.*s'", what, words,
                            hlo_token_shown(word), word.text);
}

hlo_status hlo_parser_known_word(hlo_parser *parser, hlo_attribute_id id, hlo_token *out) {
  const char *words = get_words(id);
  HLO_TRY(hlo_lexer_word(&parser->lexer, words, out));
  if (is_among(*out, words)) return HLO_OK;
  return fail_unknown(parser, hlo_attribute_name(id), *out, words);
}

// --- values of fields ---

static hlo_status read_string(hlo_parser *parser) {
  hlo_token value;
  hlo_arena_mark mark = hlo_arena_get_mark(&parser->scratch);
  HLO_TRY(hlo_lexer_string(&parser->lexer, &parser->scratch, &value));
  hlo_arena_rewind(&parser->scratch, mark);
  return HLO_OK;
}

static hlo_status read_int(hlo_parser *parser) {
  int64_t value;
  return hlo_lexer_int(&parser->lexer, "an integer", &value);
}

static hlo_status read_ints(hlo_parser *parser) { return hlo_parser_int_list(parser, "{", "}"); }

// There is one kind of domain.
static hlo_status read_domain_kind(hlo_parser *parser) {
  hlo_lexer_skip(&parser->lexer);
  const char *at = parser->lexer.at;
  HLO_TRY(read_string(parser));
  size_t length = (size_t)(parser->lexer.at - at);
  if (length == 10 && memcmp(at + 1, "sharding", 8) == 0) return HLO_OK;
  return HLO_PARSER_FAIL(parser, at, "the kind of a domain must be \"sharding\"");
}

// {replicated}, {devices=[2]<=[2]}, {{replicated}, {manual}}, {}: how a sharding starts.
static hlo_status read_sharding(hlo_parser *parser) {
  static const char words[] =
      "replicated maximal manual unknown unreduced devices mesh metadata shard_as shard_like";
  hlo_token value, word;
  hlo_lexer inner = parser->lexer;
  if (hlo_lexer_peek(&inner) != '{') return hlo_lexer_expected(&inner, "a sharding in braces");
  HLO_TRY(hlo_lexer_value(&parser->lexer, "a sharding in braces", &value));
  while (hlo_lexer_accept(&inner, "{")) {
  }
  if (hlo_lexer_peek(&inner) == '}') return HLO_OK;
  HLO_TRY(hlo_lexer_word(&inner, words, &word));
  return is_among(word, words) ? HLO_OK : fail_unknown(parser, "a sharding", word, words);
}

// --- fields ---

typedef struct field_rule {
  hlo_attribute_id id;
  const char *name;
  hlo_status (*read)(hlo_parser *parser);
  bool is_required;
} field_rule;

static const field_rule fields[] = {
    {HLO_ATTRIBUTE_METADATA, "op_name", read_string, false},
    {HLO_ATTRIBUTE_METADATA, "op_type", read_string, false},
    {HLO_ATTRIBUTE_METADATA, "source_file", read_string, false},
    {HLO_ATTRIBUTE_METADATA, "source_line", read_int, false},
    {HLO_ATTRIBUTE_METADATA, "source_end_line", read_int, false},
    {HLO_ATTRIBUTE_METADATA, "source_column", read_int, false},
    {HLO_ATTRIBUTE_METADATA, "source_end_column", read_int, false},
    {HLO_ATTRIBUTE_METADATA, "stack_frame_id", read_int, false},
    {HLO_ATTRIBUTE_METADATA, "profile_type", read_ints, false},
    {HLO_ATTRIBUTE_METADATA, "deduplicated_name", read_string, false},
    {HLO_ATTRIBUTE_METADATA, "scheduling_name", read_string, false},
    {HLO_ATTRIBUTE_METADATA, "metadata_payload", read_string, false},
    {HLO_ATTRIBUTE_DOMAIN, "kind", read_domain_kind, true},
    {HLO_ATTRIBUTE_DOMAIN, "entry", read_sharding, true},
    {HLO_ATTRIBUTE_DOMAIN, "exit", read_sharding, true},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static hlo_status read_field(hlo_parser *parser, hlo_attribute_id id, uint32_t *seen) {
  hlo_token name;
  int f = 0;
  HLO_TRY(hlo_lexer_word(&parser->lexer, "the name of a field or '}'", &name));
  while (f < FIELD_COUNT && !(fields[f].id == id && hlo_token_is(name, fields[f].name))) f++;
  if (f == FIELD_COUNT)
    return HLO_PARSER_UNKNOWN(parser, name.at, "%s has no field '%.*s'", hlo_attribute_name(id),
                              hlo_token_shown(name), name.text);
  if (*seen >> f & 1)
    return HLO_PARSER_FAIL(parser, name.at, "field '%s' is given twice", fields[f].name);
  *seen |= (uint32_t)1 << f;
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "="));
  return fields[f].read(parser);
}

hlo_status hlo_parser_known_fields(hlo_parser *parser, hlo_attribute_id id) {
  hlo_lexer *lexer = &parser->lexer;
  uint32_t seen = 0;
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  const char *start = lexer->at;
  // XLA separates fields by blanks or by commas
  while (hlo_lexer_peek(lexer) != '}') {
    HLO_TRY(read_field(parser, id, &seen));
    if (hlo_lexer_accept(lexer, ",") && hlo_lexer_peek(lexer) == '}')
      return hlo_lexer_expected(lexer, "the name of a field");
  }
  for (int f = 0; f < FIELD_COUNT; f++)
    if (fields[f].id == id && fields[f].is_required && !(seen >> f & 1))
      return HLO_PARSER_FAIL(parser, start, "%s has no field '%s'", hlo_attribute_name(id),
                             fields[f].name);
  return hlo_lexer_expect(lexer, "}");
}

// --- accuracy ---

static hlo_status read_tolerances(hlo_parser *parser) {
  static const char words[] = "atol rtol ulps";
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  do {
    hlo_token name, value; // the operation says which values there are
    HLO_TRY(hlo_lexer_word(lexer, words, &name));
    if (!is_among(name, words)) return fail_unknown(parser, "a tolerance", name, words);
    HLO_TRY(hlo_lexer_expect(lexer, "="));
    HLO_TRY(hlo_lexer_value(lexer, "a number", &value));
  } while (hlo_lexer_accept(lexer, ","));
  return hlo_lexer_expect(lexer, "}");
}

hlo_status hlo_parser_accuracy(hlo_parser *parser) {
  static const char words[] = "mode tolerance";
  hlo_lexer *lexer = &parser->lexer;
  hlo_token name, mode;
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  if (hlo_lexer_accept(lexer, "}")) return HLO_OK;
  HLO_TRY(hlo_lexer_word(lexer, words, &name));
  if (!is_among(name, words)) return fail_unknown(parser, "result_accuracy", name, words);
  HLO_TRY(hlo_lexer_expect(lexer, "="));
  if (hlo_token_is(name, "tolerance")) HLO_TRY(read_tolerances(parser));
  else HLO_TRY(hlo_lexer_word(lexer, "a mode", &mode));
  return hlo_lexer_expect(lexer, "}");
}
