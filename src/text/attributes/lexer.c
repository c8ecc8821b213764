// Reads the words of HLO text.
#include "text/attributes/lexer.h"

#include "base/checked.h"
#include "base/decimal.h"

#include <string.h>

enum { SHOWN_TOKEN = 80 }; // characters of a token in a message

hlo_status hlo_lexer_open(hlo_lexer *lexer, hlo_source *source, hlo_error *error) {
  *lexer = (hlo_lexer){.source = source, .at = source->text, .end = source->end, .error = error};
  const char *zero = memchr(source->text, 0, (size_t)(source->end - source->text));
  if (zero == NULL) return HLO_OK;
  return hlo_source_fail(source, zero, error, "there is a zero byte here");
}

bool hlo_token_is(hlo_token token, const char *text) {
  return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

int hlo_token_shown(hlo_token token) {
  if (token.length <= SHOWN_TOKEN) return (int)token.length;
  int length = SHOWN_TOKEN;
  while (length > 0 && ((unsigned char)token.text[length] & 0xc0) == 0x80) length--;
  return length;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void hlo_lexer_skip(hlo_lexer *lexer) {
  const char *at = lexer->at, *end = lexer->end;
  while (at < end) {
    if (is_blank(*at)) {
      at++;
    } else if (*at == '/' && end - at >= 2 && at[1] == '/') {
      const char *line_end = memchr(at, '\n', (size_t)(end - at));
      at = line_end == NULL ? end : line_end + 1;
    } else if (*at == '/' && end - at >= 2 && at[1] == '*') {
      const char *p = at + 2;
      while (end - p >= 2 && !(p[0] == '*' && p[1] == '/')) p++;
      if (end - p < 2) break; // never closed: whoever reads on fails here
      at = p + 2;
    } else {
      break;
    }
  }
  lexer->at = at;
}

char hlo_lexer_peek(hlo_lexer *lexer) {
  hlo_lexer_skip(lexer);
  return lexer->at < lexer->end ? *lexer->at : 0;
}

static bool starts_with(const hlo_lexer *lexer, const char *text) {
  size_t length = strlen(text);
  return (size_t)(lexer->end - lexer->at) >= length && memcmp(lexer->at, text, length) == 0;
}

bool hlo_lexer_accept(hlo_lexer *lexer, const char *punctuation) {
  const char *before = lexer->at;
  hlo_lexer_skip(lexer);
  bool is_next = starts_with(lexer, punctuation);
  lexer->at = is_next ? lexer->at + strlen(punctuation) : before;
  return is_next;
}

// Words and names may hold what would otherwise end them: "->" and comments do end them.
static bool is_word_character(const char *at, const char *end) {
  if (*at == '-') return end - at < 2 || at[1] != '>';
  return is_letter(*at) || is_digit(*at) || *at == '_' || *at == '.';
}

static bool is_name_character(const char *at, const char *end) {
  if (*at == '/') return end - at < 2 || (at[1] != '/' && at[1] != '*');
  return is_word_character(at, end) || (unsigned char)*at >= 0x80;
}

// Without % in front, a name must not start as a number does.
static bool starts_bare_name(char c) {
  return is_letter(c) || c == '_' || (unsigned char)c >= 0x80;
}

bool hlo_lexer_accept_word(hlo_lexer *lexer, const char *word) {
  const char *before = lexer->at;
  hlo_lexer_skip(lexer);
  bool is_next = starts_with(lexer, word);
  const char *behind = is_next ? lexer->at + strlen(word) : before;
  if (is_next && behind < lexer->end && is_name_character(behind, lexer->end)) is_next = false;
  lexer->at = is_next ? behind : before;
  return is_next;
}

hlo_status hlo_lexer_expect(hlo_lexer *lexer, const char *punctuation) {
  if (hlo_lexer_accept(lexer, punctuation)) return HLO_OK;
  char what[8] = "'";
  size_t length = 1;
  for (; *punctuation != '\0' && length < sizeof what - 2; punctuation++)
    what[length++] = *punctuation;
  what[length] = '\'';
  return hlo_lexer_expected(lexer, what);
}

hlo_status hlo_lexer_expected(hlo_lexer *lexer, const char *what) {
  hlo_lexer_skip(lexer);
  const char *at = lexer->at, *end = lexer->end;
  if (at == end)
    return hlo_source_fail(lexer->source, at, lexer->error,
                           "expected %s, found the end of the text", what);
  if (starts_with(lexer, "/*"))
    return hlo_source_fail(lexer->source, at, lexer->error, "this comment is never closed");
  const char *p = at;
  while (p < end && is_name_character(p, end)) p++;
  // a whole character where it is not a word
  if (p == at) p++;
  hlo_token found = {.text = at, .length = (size_t)(p - at)};
  return hlo_source_fail(lexer->source, at, lexer->error, "expected %s, found '%.*s'", what,
                         hlo_token_shown(found), found.text);
}

hlo_status hlo_lexer_word(hlo_lexer *lexer, const char *what, hlo_token *out) {
  char first = hlo_lexer_peek(lexer);
  if (!is_letter(first) && first != '_') return hlo_lexer_expected(lexer, what);
  const char *p = lexer->at;
  while (p < lexer->end && is_word_character(p, lexer->end)) p++;
  *out = (hlo_token){.text = lexer->at, .length = (size_t)(p - lexer->at), .at = lexer->at};
  lexer->at = p;
  return HLO_OK;
}

hlo_status hlo_lexer_name(hlo_lexer *lexer, const char *what, hlo_arena *arena, hlo_token *out) {
  char first = hlo_lexer_peek(lexer);
  const char *start = lexer->at;
  const char *p = start;
  if (first == '%') p++;
  if (p < lexer->end && *p == '"') {
    lexer->at = p;
    HLO_TRY(hlo_lexer_string(lexer, arena, out));
    out->at = start;
    if (out->length == 0)
      return hlo_source_fail(lexer->source, start, lexer->error, "expected %s, found an empty name",
                             what);
    return HLO_OK;
  }
  const char *text = p;
  if (first != '%' && !starts_bare_name(first)) return hlo_lexer_expected(lexer, what);
  while (p < lexer->end && is_name_character(p, lexer->end)) p++;
  if (p == text) return hlo_lexer_expected(lexer, what);
  *out = (hlo_token){.text = text, .length = (size_t)(p - text), .at = start};
  lexer->at = p;
  return HLO_OK;
}

hlo_status hlo_lexer_digits(hlo_lexer *lexer, const char *what, int64_t *out) {
  const char *p = lexer->at;
  bool negative = p < lexer->end && *p == '-';
  if (negative) p++;
  if (p == lexer->end || !is_digit(*p)) return hlo_lexer_expected(lexer, what);
  int64_t value = 0;
  bool fits = true;
  for (; p < lexer->end && is_digit(*p); p++) {
    // negative all along, so that the least integer fits
    fits = fits && hlo_checked_mul(value, 10, &value) && hlo_checked_sub(value, *p - '0', &value);
  }
  if (fits && !negative) fits = hlo_checked_sub(0, value, &value);
  if (!fits)
    return hlo_source_fail(lexer->source, lexer->at, lexer->error,
                           "this integer does not fit into 64 bits");
  *out = value;
  lexer->at = p;
  return HLO_OK;
}

hlo_status hlo_lexer_int(hlo_lexer *lexer, const char *what, int64_t *out) {
  hlo_lexer_skip(lexer);
  const char *start = lexer->at;
  HLO_TRY(hlo_lexer_digits(lexer, what, out));
  const char *p = lexer->at;
  if (p < lexer->end && is_name_character(p, lexer->end)) {
    lexer->at = start;
    return hlo_lexer_expected(lexer, what);
  }
  return HLO_OK;
}

hlo_status hlo_lexer_float(hlo_lexer *lexer, const char *what, double *out) {
  hlo_lexer_skip(lexer);
  const char *start = lexer->at;
  const char *p = start;
  while (p < lexer->end && (is_word_character(p, lexer->end) || *p == '+')) p++;
  hlo_token text = {.text = start, .length = (size_t)(p - start)};
  if (hlo_token_is(text, "inf")) {
    *out = __builtin_inf();
  } else if (hlo_token_is(text, "-inf")) {
    *out = -__builtin_inf();
  } else if (hlo_token_is(text, "nan") || hlo_token_is(text, "-nan")) {
    *out = __builtin_nan("");
  } else if (!hlo_parse_f64(text.text, text.length, out)) {
    return hlo_lexer_expected(lexer, what);
  }
  lexer->at = p;
  return HLO_OK;
}

// After the string that starts at `at`; NULL when it is never closed.
static const char *skip_string(const char *at, const char *end) {
  char quote = *at;
  for (const char *p = at + 1; p < end; p++) {
    if (*p == quote) return p + 1;
    if (*p == '\\') p++;
  }
  return NULL;
}

static hlo_status fail_unclosed(hlo_lexer *lexer, const char *at) {
  return hlo_source_fail(lexer->source, at, lexer->error, "this '%c' is never closed", *at);
}

static int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte that the escape after a backslash at *at stands for (moves past it); 0 when it is
// none, or the zero byte, which no string here can hold.
static char unescape(const char **at, const char *end) {
  static const char letters[] = "n\nt\tr\rf\fv\va\ab\b\\\\\"\"''??";
  const char *p = *at;
  if (p == end) return 0;
  int value = 0;
  if (*p == 'x' || *p == 'X') {
    p++;
    for (int i = 0; i < 2 && p < end && hex_value(*p) >= 0; i++)
      value = value * 16 + hex_value(*p++);
  } else if (*p >= '0' && *p <= '7') {
    for (int i = 0; i < 3 && p < end && *p >= '0' && *p <= '7'; i++)
      value = value * 8 + (*p++ - '0');
  } else {
    for (const char *l = letters; *l != 0; l += 2)
      if (*l == *p) value = l[1];
    p++;
  }
  *at = p;
  return value < 256 ? (char)value : 0;
}

hlo_status hlo_lexer_string(hlo_lexer *lexer, hlo_arena *arena, hlo_token *out) {
  char quote = hlo_lexer_peek(lexer);
  if (quote != '"' && quote != '\'') return hlo_lexer_expected(lexer, "a string");
  const char *start = lexer->at;
  const char *end = skip_string(start, lexer->end);
  if (end == NULL) return fail_unclosed(lexer, start);
  char *text;
  HLO_ALLOC(text, arena, end - start, lexer->error);
  size_t length = 0;
  for (const char *p = start + 1; p < end - 1;) {
    char c = *p++;
    const char *escape = p - 1;
    if (c == '\\') c = unescape(&p, end - 1);
    if (c == 0)
      return hlo_source_fail(lexer->source, escape, lexer->error,
                             "a string cannot hold a zero byte or this escape");
    text[length++] = c;
  }
  *out = (hlo_token){.text = text, .length = length, .at = start};
  lexer->at = end;
  return HLO_OK;
}

// Steps over a string or comment that starts at *at, if one does.
static hlo_status skip_opaque(hlo_lexer *lexer, const char **at) {
  const char *p = *at, *end = lexer->end;
  if (*p == '"' || *p == '\'') {
    *at = skip_string(p, end);
    return *at != NULL ? HLO_OK : fail_unclosed(lexer, p);
  }
  if (*p != '/' || end - p < 2 || (p[1] != '*' && p[1] != '/')) return HLO_OK;
  lexer->at = p;
  hlo_lexer_skip(lexer);
  *at = lexer->at;
  return *at != p ? HLO_OK : hlo_lexer_expected(lexer, "the end of a comment");
}

// Keeps account of an opening or closing bracket at p; open[0..*depth) are those not closed yet.
static hlo_status count_bracket(hlo_lexer *lexer, const char *p, const char **open, int *depth) {
  if (*p == '{' || *p == '(' || *p == '[') {
    if (*depth == HLO_MAX_BRACKET_DEPTH)
      return hlo_source_fail(lexer->source, p, lexer->error, "brackets nest deeper than %d",
                             HLO_MAX_BRACKET_DEPTH);
    open[(*depth)++] = p;
  } else if (*p == '}' || *p == ')' || *p == ']') {
    char opened = *open[--*depth];
    if (*p != (opened == '{' ? '}' : opened == '(' ? ')' : ']'))
      return hlo_source_fail(lexer->source, p, lexer->error, "this '%c' does not close '%c'", *p,
                             opened);
  }
  return HLO_OK;
}

// What ends a value outside of all brackets.
static bool ends_value(const char *p, const char *end) {
  if (*p == '/') return end - p >= 2 && (p[1] == '*' || p[1] == '/');
  return is_blank(*p) || *p == ',' || *p == '}' || *p == ')' || *p == ']';
}

hlo_status hlo_lexer_value(hlo_lexer *lexer, const char *what, hlo_token *out) {
  hlo_lexer_skip(lexer);
  const char *start = lexer->at, *p = start;
  const char *open[HLO_MAX_BRACKET_DEPTH];
  int depth = 0;
  while (p < lexer->end && (depth > 0 || !ends_value(p, lexer->end))) {
    const char *before = p;
    HLO_TRY(skip_opaque(lexer, &p));
    if (p != before) continue;
    HLO_TRY(count_bracket(lexer, p, open, &depth));
    p++;
  }
  if (depth > 0) return fail_unclosed(lexer, open[depth - 1]);
  lexer->at = start;
  if (p == start) return hlo_lexer_expected(lexer, what);
  *out = (hlo_token){.text = start, .length = (size_t)(p - start), .at = start};
  lexer->at = p;
  return HLO_OK;
}

bool hlo_lexer_is_braced(const char *text, size_t length) {
  hlo_source source;
  hlo_lexer lexer;
  hlo_token value;
  hlo_error ignored = {0};
  return length > 0 && *text == '{' && hlo_source_open(&source, text, length, &ignored) == HLO_OK &&
         hlo_lexer_open(&lexer, &source, &ignored) == HLO_OK &&
         hlo_lexer_value(&lexer, "a value", &value) == HLO_OK && lexer.at == text + length;
}

void hlo_lexer_plain(char *text, size_t length) {
  const char *end = text + length;
  hlo_lexer lexer = {.at = text, .end = end};
  while (lexer.at < end) {
    const char *p = lexer.at;
    if (*p == '"' || *p == '\'') {
      lexer.at = skip_string(p, end);
    } else {
      hlo_lexer_skip(&lexer);
      memset(text + (p - text), ' ', (size_t)(lexer.at - p));
      if (lexer.at == p) lexer.at++;
    }
  }
}

static bool is_plain_name(const char *name) {
  const char *end = name + strlen(name);
  if (name == end) return false;
  for (const char *p = name; p < end; p++)
    if (!is_name_character(p, end)) return false;
  return true;
}

void hlo_print_name(hlo_string *out, const char *name) {
  hlo_string_add_char(out, '%');
  if (is_plain_name(name)) hlo_string_add(out, name);
  else hlo_print_quoted(out, name);
}

void hlo_print_bare_name(hlo_string *out, const char *name) {
  if (starts_bare_name(*name) && is_plain_name(name)) hlo_string_add(out, name);
  else hlo_print_quoted(out, name);
}

void hlo_print_quoted(hlo_string *out, const char *text) {
  hlo_string_add_char(out, '"');
  for (const char *p = text; *p != 0; p++) {
    unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\' || c == '\'') {
      hlo_string_add_char(out, '\\');
      hlo_string_add_char(out, *p);
    } else if (c == '\n' || c == '\t' || c == '\r') {
      hlo_string_add(out, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
    } else if (c < ' ' || c >= 0x7f) {
      // three octal digits: the next character cannot be mistaken for one more
      hlo_string_add_char(out, '\\');
      for (int shift = 6; shift >= 0; shift -= 3)
        hlo_string_add_char(out, (char)('0' + ((c >> shift) & 7)));
    } else {
      hlo_string_add_char(out, *p);
    }
  }
  hlo_string_add_char(out, '"');
}
