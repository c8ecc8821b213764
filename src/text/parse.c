// Programs in any form: tells the forms apart. See text.h. Must not know their grammars.
#include "text/text.h"

#include <stdbool.h>
#include <string.h>

static bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

// Behind blanks and comments of both languages.
static const char *skip(const char *at, const char *end) {
  while (at < end) {
    if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
      at++;
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
      const char *line_end = memchr(at, '\n', (size_t)(end - at));
      at = line_end == NULL ? end : line_end + 1;
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
      const char *p = at + 2;
      while (end - p >= 2 && !(p[0] == '*' && p[1] == '/')) p++;
      at = end - p >= 2 ? p + 2 : end;
    } else {
      break;
    }
  }
  return at;
}

static bool is_word(const char *word, size_t length, const char *text) {
  return length == strlen(text) && memcmp(word, text, length) == 0;
}

// HLO text starts with its header, with ENTRY, or with a computation, "name {" or "name (". MLIR
// starts with an operation's name ("module {", "func.func @f"), an alias or a quoted name.
static bool looks_like_hlo(const char *text, const char *end) {
  const char *at = skip(text, end);
  bool has_percent = at < end && *at == '%';
  const char *word = has_percent ? at + 1 : at;
  at = word;
  while (at < end && is_word_character(*at)) at++;
  size_t length = (size_t)(at - word);
  if (is_word(word, length, "HloModule") || is_word(word, length, "ENTRY")) return true;
  if (length == 0 || is_word(word, length, "module") || is_word(word, length, "builtin.module"))
    return false;
  at = skip(at, end);
  return at < end && (*at == '{' || *at == '(');
}

// --- files that are no text ---

// MLIR's bytecode after JavaScript's decoder, which makes a U+FFFD of the third byte.
static bool is_decoded_bytecode(const char *at, const char *end) {
  static const char start[] = "ML\xef\xbf\xbdR";
  size_t length = sizeof start - 1;
  return (size_t)(end - at) >= length && memcmp(at, start, length) == 0;
}

// What the bytes are instead of a program, and what to give; NULL for text.
static const char *binary_hint(const char *text, const char *end) {
  static const char as_bytes[] = "this was a program in binary form, decoded as text: give the "
                                 "bytes themselves, as a Uint8Array";
  int control = 0; // characters, of which text has none but a stray one
  for (const char *at = text; at < end && at < text + 256; at++)
    control += *at >= 0 && *at < ' ' && (*at < '\t' || *at > '\r');
  if (control < 4 && !is_decoded_bytecode(text, end)) return NULL;
  for (const char *at = text; at < end && (at = memchr(at, 'M', (size_t)(end - at))) != NULL; at++)
    if (is_decoded_bytecode(at, end)) return as_bytes;
  return "this is binary data, neither text nor a StableHLO artifact nor a whole file of "
         "jax.export: write a serialized HLO module as HLO text, its to_string()";
}

hlo_status hlo_parse(const char *text, size_t length, hlo_text_format format, hlo_module **out,
                     hlo_error *error) {
  hlo_parse_options options = {.format = format};
  return hlo_parse_with(text, length, &options, out, error);
}

hlo_status hlo_parse_with(const char *text, size_t length, const hlo_parse_options *options,
                          hlo_module **out, hlo_error *error) {
  hlo_text_format format = options->format;
  if (length == 0) text = "";
  if (format != HLO_FORMAT_HLO && hlo_is_bytecode(text, length))
    return hlo_parse_bytecode_with(text, length, options, out, error);
  if (format == HLO_FORMAT_DETECT)
    format = looks_like_hlo(text, text + length) ? HLO_FORMAT_HLO : HLO_FORMAT_STABLEHLO;
  hlo_status status = format == HLO_FORMAT_HLO
                          ? hlo_parse_hlo(text, length, out, error)
                          : hlo_parse_stablehlo_with(text, length, options, out, error);
  const char *hint = status == HLO_PARSE_ERROR ? binary_hint(text, text + length) : NULL;
  if (hint == NULL) return status;
  if (error != NULL) hlo_error_clear(error);
  return hlo_fail(error, HLO_PARSE_ERROR, "%s", hint);
}
