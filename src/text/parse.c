// Programs in any form: tells the forms apart. See text.h.
#include "text/text.h"

#include <stdbool.h>
#include <string.h>

static bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

// After blanks and comments of both languages.
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

// --- serialized HLO modules ---

// Enters the field of a protocol buffer that comes next: the given byte, a length, and content,
// which may be cut off.
static bool enter_field(const char **at, const char **end, char tag) {
  const char *p = *at;
  uint64_t length = 0;
  if (p == *end || *p++ != tag) return false;
  for (int shift = 0; p < *end && shift < 35; shift += 7) {
    length |= (uint64_t)(*p & 127) << shift;
    if ((*p++ & 128) != 0) continue;
    *at = p;
    if (length < (uint64_t)(*end - p)) *end = p + length;
    return true;
  }
  return false;
}

enum { TAG_1 = 10, TAG_2 = 18, TAG_3 = 26 }; // of a field of bytes

// A module starts with its name and that of its entry, and goes on with computations. Text may have
// a line end there, but no third field.
static bool starts_module(const char *at, const char *end) {
  const char *behind = end;
  while (enter_field(&at, &behind, TAG_1) || enter_field(&at, &behind, TAG_2)) {
    at = behind;
    behind = end;
  }
  return enter_field(&at, &behind, TAG_3);
}

const char *hlo_find_proto(const char *bytes, size_t length, size_t *module_length) {
  const char *found = NULL, *at = bytes, *end = bytes + length;
  for (int depth = 0; depth < 3; depth++) { // what wraps a module has it in its first field
    if (starts_module(at, end)) {
      found = at;
      *module_length = (size_t)(end - at);
    }
    if (!enter_field(&at, &end, TAG_1)) break;
  }
  return found;
}

// --- files that are no text ---

static const char decoded[] = "this was a program in binary form, decoded as text: give the bytes "
                              "themselves, as a Uint8Array";

// Where the text is; NULL: nowhere.
static const char *find_text(const char *at, const char *end, const char *text) {
  size_t length = strlen(text);
  for (; (size_t)(end - at) >= length; at++) {
    at = memchr(at, *text, (size_t)(end - at) - length + 1);
    if (at == NULL) return NULL;
    if (memcmp(at, text, length) == 0) return at;
  }
  return NULL;
}

// Of what JavaScript's decoder makes U+FFFD: the third byte of MLIR's bytecode, and any byte above
// 127 that is no character.
#define REPLACED "\xef\xbf\xbd"

// What the bytes are instead of a program, and what to give; NULL for text.
static const char *binary_hint(const char *text, const char *end) {
  static const char magic[] = "ML" REPLACED "R";
  int control = 0; // characters, of which text has none but a stray one
  for (const char *at = text; at < end && at < text + 256; at++)
    control += *at >= 0 && *at < ' ' && (*at < '\t' || *at > '\r');
  const char *found = find_text(text, end, magic);
  if (control < 4 && (found == NULL || found > text)) return NULL;
  if (found != NULL) return decoded;
  return "this is binary data, neither text nor a StableHLO artifact, a file of jax.export or a "
         "serialized HLO module, whole and as bytes";
}

// A module that cannot be read may have been decoded.
static hlo_status parse_proto(const char *text, size_t length, hlo_module **out, hlo_error *error) {
  hlo_status status = hlo_parse_proto(text, length, out, error);
  if (status != HLO_PARSE_ERROR || find_text(text, text + length, REPLACED) == NULL) return status;
  if (error != NULL) hlo_error_clear(error);
  return hlo_fail(error, HLO_PARSE_ERROR, "%s", decoded);
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
  size_t module_length;
  if (format != HLO_FORMAT_STABLEHLO && hlo_find_proto(text, length, &module_length) != NULL)
    return parse_proto(text, length, out, error);
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
