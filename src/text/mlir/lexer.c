// The tokens of MLIR text. See parser.h.
#include "text/mlir/parser.h"

#include <string.h>

enum { LONGEST_SHOWN = 60 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static bool is_word_start(char c) { return is_letter(c) || c == '_'; }
static bool is_word(char c) { return is_word_start(c) || is_digit(c) || c == '$' || c == '.'; }
static bool is_name_start(char c) { return is_word(c) || c == '-'; } // after % @ # ! ^

hlo_status hlo_mlir_fail_at(mlir_parser *p, const char *at, hlo_status status, hlo_error *error,
                            const char *format, ...) {
  int32_t line, column;
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  hlo_format(message, sizeof message, format, arguments);
  va_end(arguments);
  hlo_source_locate(&p->source, at, &line, &column);
  return hlo_fail_at(error, status, line, column, "%s", message);
}

const char *hlo_mlir_skip_blanks(const mlir_parser *p, const char *at) {
  const char *end = p->source.end;
  while (at < end) {
    if (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') {
      at++;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      const char *line = memchr(at, '\n', (size_t)(end - at));
      at = line == NULL ? end : line;
    } else {
      break;
    }
  }
  return at;
}

// The end of a string that starts at `at`, after its closing quote; NULL when it does not end on
// its line, or holds a zero.
static const char *string_end(const char *at, const char *end) {
  for (at++; at < end && *at != '\n' && *at != '\0'; at++) {
    if (*at == '"') return at + 1;
    if (*at == '\\' && at + 1 < end && at[1] != '\n' && at[1] != '\0') at++;
  }
  return NULL;
}

static hlo_status lex_string(mlir_parser *p, const char *quote, int32_t kind, hlo_error *error) {
  const char *end = string_end(quote, p->source.end);
  if (end == NULL) {
    return hlo_mlir_fail_at(p, quote, HLO_PARSE_ERROR, error,
                            "the string does not end on its line");
  }
  p->token.kind = kind;
  p->token.text = quote + 1;
  p->token.length = (size_t)(end - quote) - 2;
  p->cursor = end;
  return HLO_OK;
}

static const char *number_end(const char *at, const char *end, int32_t *kind) {
  *kind = MLIR_TOKEN_INTEGER;
  if (at[0] == '0' && at + 2 < end && at[1] == 'x' && is_hex(at[2])) {
    at += 2;
    while (at < end && is_hex(*at)) at++;
    return at;
  }
  while (at < end && is_digit(*at)) at++;
  if (at == end || *at != '.') return at;
  *kind = MLIR_TOKEN_FLOAT;
  at++;
  while (at < end && is_digit(*at)) at++;
  if (at == end || (*at != 'e' && *at != 'E')) return at;
  const char *exponent = at + 1;
  if (exponent < end && (*exponent == '+' || *exponent == '-')) exponent++;
  if (exponent == end || !is_digit(*exponent)) return at;
  while (exponent < end && is_digit(*exponent)) exponent++;
  return exponent;
}

// The name after a sign: digits only, or letters, digits and "$._-".
static const char *name_end(const char *at, const char *end) {
  if (at < end && is_digit(*at)) {
    while (at < end && is_digit(*at)) at++;
  } else {
    while (at < end && is_name_start(*at)) at++;
  }
  return at;
}

static hlo_status lex_name(mlir_parser *p, int32_t kind, hlo_error *error) {
  const char *at = p->token.at, *end = p->source.end;
  if (kind == MLIR_TOKEN_SYMBOL && at + 1 < end && at[1] == '"') {
    return lex_string(p, at + 1, MLIR_TOKEN_SYMBOL, error);
  }
  const char *stop = name_end(at + 1, end);
  // "#map->": the arrow is not part of the name.
  if (stop < end && *stop == '>' && stop[-1] == '-') stop--;
  if (stop == at + 1) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "expected a name behind '%c'", *at);
  }
  p->token.kind = kind;
  p->token.text = at + 1;
  p->token.length = (size_t)(stop - at) - 1;
  p->cursor = stop;
  return HLO_OK;
}

static bool starts_with(const mlir_parser *p, const char *text) {
  size_t length = strlen(text);
  return (size_t)(p->source.end - p->cursor) >= length && memcmp(p->cursor, text, length) == 0;
}

static hlo_status lex_sign(mlir_parser *p, hlo_error *error) {
  static const char signs[] = "(){}[]<>,:=-?*+/|";
  char c = *p->token.at;
  p->token.text = p->token.at;
  if (starts_with(p, "->")) {
    p->token.kind = MLIR_TOKEN_ARROW;
    p->token.length = 2;
  } else if (starts_with(p, "{-#")) {
    p->token.kind = MLIR_TOKEN_FILE_BEGIN;
    p->token.length = 3;
  } else if (starts_with(p, "#-}")) {
    p->token.kind = MLIR_TOKEN_FILE_END;
    p->token.length = 3;
  } else if (c != '\0' && strchr(signs, c) != NULL) {
    p->token.kind = c;
    p->token.length = 1;
  } else if (c > ' ' && c < 0x7f) {
    return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error, "unexpected character '%c'", c);
  } else {
    return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error,
                            "unexpected character with code 0x%x", (unsigned)(unsigned char)c);
  }
  p->cursor += p->token.length;
  return HLO_OK;
}

hlo_status hlo_mlir_advance(mlir_parser *p, hlo_error *error) {
  p->taken = p->cursor;
  p->cursor = hlo_mlir_skip_blanks(p, p->cursor);
  const char *at = p->cursor, *end = p->source.end;
  p->token = (mlir_token){MLIR_TOKEN_END, at, at, 0};
  if (at == end) return HLO_OK;
  if (is_word_start(*at)) {
    while (p->cursor < end && is_word(*p->cursor)) p->cursor++;
    p->token.kind = MLIR_TOKEN_WORD;
  } else if (is_digit(*at)) {
    p->cursor = number_end(at, end, &p->token.kind);
  } else {
    switch (*at) {
    case '"':
      return lex_string(p, at, MLIR_TOKEN_STRING, error);
    case '%':
      return lex_name(p, MLIR_TOKEN_VALUE, error);
    case '@':
      return lex_name(p, MLIR_TOKEN_SYMBOL, error);
    case '#':
      return starts_with(p, "#-}") ? lex_sign(p, error) : lex_name(p, MLIR_TOKEN_HASH, error);
    case '!':
      return lex_name(p, MLIR_TOKEN_EXCLAMATION, error);
    case '^':
      return lex_name(p, MLIR_TOKEN_CARET, error);
    default:
      return lex_sign(p, error);
    }
  }
  p->token.length = (size_t)(p->cursor - at);
  return HLO_OK;
}

hlo_status hlo_mlir_move_to(mlir_parser *p, const char *at, hlo_error *error) {
  p->cursor = at;
  return hlo_mlir_advance(p, error);
}

bool hlo_mlir_at_word(const mlir_parser *p, const char *word) {
  return p->token.kind == MLIR_TOKEN_WORD && strlen(word) == p->token.length &&
         memcmp(p->token.text, word, p->token.length) == 0;
}

hlo_status hlo_mlir_accept(mlir_parser *p, int32_t kind, bool *taken, hlo_error *error) {
  bool found = p->token.kind == kind;
  if (taken != NULL) *taken = found;
  return found ? hlo_mlir_advance(p, error) : HLO_OK;
}

hlo_status hlo_mlir_accept_word(mlir_parser *p, const char *word, bool *taken, hlo_error *error) {
  bool found = hlo_mlir_at_word(p, word);
  if (taken != NULL) *taken = found;
  return found ? hlo_mlir_advance(p, error) : HLO_OK;
}

hlo_status hlo_mlir_expected(mlir_parser *p, const char *wanted, hlo_error *error) {
  const mlir_token *token = &p->token;
  if (token->kind == MLIR_TOKEN_END) {
    return hlo_mlir_fail_at(p, token->at, HLO_PARSE_ERROR, error,
                            "expected %s but the text ends here", wanted);
  }
  int length = (int)(p->cursor - token->at);
  return hlo_mlir_fail_at(p, token->at, HLO_PARSE_ERROR, error, "expected %s but found '%.*s'%s",
                          wanted, length < LONGEST_SHOWN ? length : LONGEST_SHOWN, token->at,
                          length < LONGEST_SHOWN ? "" : "...");
}

static const char *kind_name(int32_t kind) {
  static const char *const names[] = {
      "the end", "a word",   "a value (%name)", "a symbol (@name)", "an attribute (#name)",
      "a !name", "a ^block", "an integer",      "a number",         "a string",
      "'->'",    "'{-#'",    "'#-}'",
  };
  return names[kind - MLIR_TOKEN_END];
}

hlo_status hlo_mlir_expect(mlir_parser *p, int32_t kind, hlo_error *error) {
  if (p->token.kind == kind) return hlo_mlir_advance(p, error);
  if (kind >= MLIR_TOKEN_END) return hlo_mlir_expected(p, kind_name(kind), error);
  char sign[] = {'\'', (char)kind, '\'', 0};
  return hlo_mlir_expected(p, sign, error);
}

hlo_status hlo_mlir_expect_word(mlir_parser *p, const char *word, hlo_error *error) {
  if (hlo_mlir_at_word(p, word)) return hlo_mlir_advance(p, error);
  char quoted[40] = "'";
  size_t length = strlen(word);
  if (length > sizeof quoted - 3) length = sizeof quoted - 3;
  memcpy(quoted + 1, word, length);
  quoted[length + 1] = '\'';
  return hlo_mlir_expected(p, quoted, error);
}

static bool parse_magnitude(const char *text, size_t length, uint64_t *out) {
  bool hex = length > 1 && text[1] == 'x';
  uint64_t value = 0, base = hex ? 16 : 10;
  for (size_t i = hex ? 2 : 0; i < length; i++) {
    char c = text[i];
    uint64_t digit = is_digit(c) ? (uint64_t)(c - '0') : (uint64_t)((c | 0x20) - 'a') + 10;
    if (__builtin_mul_overflow(value, base, &value)) return false;
    if (__builtin_add_overflow(value, digit, &value)) return false;
  }
  *out = value;
  return true;
}

hlo_status hlo_mlir_integer(mlir_parser *p, int64_t *out, hlo_error *error) {
  bool negative;
  uint64_t magnitude;
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_accept(p, '-', &negative, error));
  if (p->token.kind != MLIR_TOKEN_INTEGER) return hlo_mlir_expected(p, "an integer", error);
  bool fits = parse_magnitude(p->token.text, p->token.length, &magnitude);
  // Unsigned 64-bit values are kept as their bits.
  if (!fits || (negative && magnitude > (uint64_t)INT64_MAX + 1)) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the integer does not fit in 64 bits");
  }
  *out = (int64_t)(negative ? 0 - magnitude : magnitude);
  return hlo_mlir_advance(p, error);
}

static int hex_value(char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

// \n \t \" \\ and two hexadecimal digits.
static size_t unescape(char *out, const char *text, size_t length) {
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == '\\' && i + 1 < length) {
      char next = text[++i];
      if (i + 1 < length && is_hex(next) && is_hex(text[i + 1])) {
        c = (char)(hex_value(next) * 16 + hex_value(text[++i]));
      } else {
        c = (char)(next == 'n' ? '\n' : next == 't' ? '\t' : next);
      }
    }
    out[used++] = c;
  }
  return used;
}

hlo_status hlo_mlir_consume_text(mlir_parser *p, const char **out, hlo_error *error) {
  size_t length;
  return hlo_mlir_consume_bytes(p, out, &length, error);
}

hlo_status hlo_mlir_consume_bytes(mlir_parser *p, const char **out, size_t *length,
                                  hlo_error *error) {
  const mlir_token *token = &p->token;
  if (token->kind == MLIR_TOKEN_END) return hlo_mlir_expected(p, "a name", error);
  char *text = hlo_arena_copy_text(&p->tree, token->text, token->length);
  if (text == NULL) return hlo_fail_out_of_memory(error);
  *length = token->length;
  if (token->at[0] == '"' || (token->kind == MLIR_TOKEN_SYMBOL && token->at[1] == '"')) {
    *length = unescape(text, token->text, token->length);
    text[*length] = '\0';
  }
  *out = text;
  return hlo_mlir_advance(p, error);
}

hlo_status hlo_mlir_skip_to_close(mlir_parser *p, char open, hlo_error *error) {
  char stack[MLIR_MAX_DEPTH];
  int32_t depth = 1;
  stack[0] = open;
  const char *start = p->token.at;
  while (depth > 0) {
    int32_t kind = p->token.kind;
    char top = stack[depth - 1];
    char close = (char)(top == '(' ? ')' : top == '[' ? ']' : top == '{' ? '}' : '>');
    if (kind == MLIR_TOKEN_END) {
      return hlo_mlir_fail_at(p, start, HLO_PARSE_ERROR, error, "'%c' is never closed", top);
    }
    if (kind == close) {
      depth--;
    } else if (kind == '(' || kind == '[' || kind == '{' || kind == '<') {
      if (depth == MLIR_MAX_DEPTH) {
        return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error,
                                "brackets nest deeper than %d", (int)MLIR_MAX_DEPTH);
      }
      stack[depth++] = (char)kind;
    } else if (kind == ')' || kind == ']' || kind == '}') {
      return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error, "'%c' closes nothing",
                              (char)kind);
    }
    HLO_TRY(hlo_mlir_advance(p, error));
  }
  return HLO_OK;
}

hlo_status hlo_mlir_enter(mlir_parser *p, hlo_error *error) {
  if (p->depth == MLIR_MAX_DEPTH) {
    return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error, "nested deeper than %d levels",
                            (int)MLIR_MAX_DEPTH);
  }
  p->depth++;
  return HLO_OK;
}

hlo_status hlo_mlir_list_add(mlir_parser *p, mlir_list *list, void *item, hlo_error *error) {
  HLO_GROW_LIST(list->items, &p->tree, list->count, list->capacity, error);
  list->items[list->count++] = item;
  return HLO_OK;
}
