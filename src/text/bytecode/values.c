// Attributes and types of MLIR bytecode as text: the parts common to all dialects. See bytecode.h.
#include "text/bytecode/bytecode.h"
#include "text/mlir/parser.h"

#include <string.h>

static const mlir_dialect_codes *codes_of(const mlir_bytecode *b, const mlir_encoded *encoded) {
  const mlir_dialect_codes *const *codes = b->readers->dialects;
  for (; encoded->is_custom && *codes != NULL; codes++)
    if (hlo_bytecode_is(b->dialects[encoded->dialect], (*codes)->name)) return *codes;
  return NULL;
}

// --- writing the text ---

void hlo_bytecode_add(mlir_bytecode *b, const char *text) { hlo_string_add(&b->text, text); }

void hlo_bytecode_add_quoted(mlir_bytecode *b, mlir_slice text) {
  static const char digits[] = "0123456789ABCDEF";
  hlo_string_add_char(&b->text, '"');
  for (size_t i = 0; i < text.length; i++) {
    uint8_t c = (uint8_t)text.at[i];
    bool is_plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
    char escaped[] = {'\\', digits[c >> 4], digits[c & 15]};
    if (c == '\\') hlo_string_add(&b->text, "\\\\");
    else hlo_string_add_bytes(&b->text, is_plain ? text.at + i : escaped, is_plain ? 1 : 3);
  }
  hlo_string_add_char(&b->text, '"');
}

void hlo_bytecode_add_name(mlir_bytecode *b, mlir_slice name) {
  bool is_plain = name.length > 0 && !(name.at[0] >= '0' && name.at[0] <= '9');
  for (size_t i = 0; is_plain && i < name.length; i++) {
    char c = name.at[i], letter = (char)(c | 0x20);
    bool is_letter = (letter >= 'a' && letter <= 'z') || c == '_';
    is_plain = is_letter || (c >= '0' && c <= '9') || (i > 0 && (c == '.' || c == '$'));
  }
  if (is_plain) hlo_string_add_bytes(&b->text, name.at, name.length);
  else hlo_bytecode_add_quoted(b, name);
}

void hlo_bytecode_truncate_text(mlir_bytecode *b, size_t length) {
  b->discarded += b->text.length - length;
  b->text.length = length;
}

bool hlo_bytecode_recover(mlir_bytecode *b, hlo_status status, size_t length, hlo_error *error) {
  if (status != HLO_UNSUPPORTED || b->is_too_long || b->text.failed || error == NULL) return false;
  hlo_bytecode_truncate_text(b, length);
  error->status = HLO_OK; // the message is still to be written
  return true;
}

void hlo_bytecode_add_unread(mlir_bytecode *b, mlir_slice dialect, const char *why) {
  hlo_string_add_bytes(&b->text, dialect.at, dialect.length);
  hlo_bytecode_add(b, "." MLIR_UNREAD "<");
  // Lines say where in the file operations are, once more.
  const char *at = strncmp(why, "byte ", 5) == 0 ? strstr(why, ": ") : NULL;
  hlo_bytecode_add_quoted(
      b, (mlir_slice){at == NULL ? why : at + 2, strlen(at == NULL ? why : at + 2)});
  hlo_bytecode_add(b, ">");
}

hlo_status hlo_bytecode_check_length(mlir_bytecode *b, const char *at, hlo_error *error) {
  enum { LEAST = 1 << 20, MOST_PER_BYTE = 1024 };
  size_t written = b->text.length + b->discarded;
  b->is_too_long = written > LEAST && written / MOST_PER_BYTE > b->length;
  if (!b->is_too_long) return HLO_OK;
  return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error,
                           "as text the program is over %d times as long", (int)MOST_PER_BYTE);
}

hlo_status hlo_bytecode_enter(mlir_bytecode *b, const char *at, hlo_error *error) {
  if (b->depth == MLIR_MAX_DEPTH)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "more than %d levels of nesting",
                             (int)MLIR_MAX_DEPTH);
  b->depth++;
  return hlo_bytecode_check_length(b, at, error);
}

// --- decoding ---

hlo_status hlo_bytecode_next_attribute(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t number;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &number, error));
  return hlo_bytecode_write_attribute(b, number, error);
}

hlo_status hlo_bytecode_next_type(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t number;
  HLO_TRY(hlo_bytecode_index(b, in, b->type_count, "type", &number, error));
  return hlo_bytecode_write_type(b, number, error);
}

hlo_status hlo_bytecode_next_list(mlir_bytecode *b, mlir_bytes *in, hlo_bytecode_function *next,
                                  hlo_error *error) {
  int32_t count;
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_bytecode_add(b, ", ");
    HLO_TRY(next(b, in, error));
  }
  return HLO_OK;
}

// MLIR writes numbers of 64 bits without their type in lists.
static hlo_status next_element(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  size_t start = b->text.length, tail = strlen(" : i64");
  HLO_TRY(hlo_bytecode_next_attribute(b, in, error));
  HLO_TRY(hlo_string_status(&b->text, error));
  const char *end = b->text.text + b->text.length - tail;
  char first = b->text.text[start];
  bool is_number =
      b->text.length - start > tail && (first == '-' || (first >= '0' && first <= '9'));
  if (is_number && (memcmp(end, " : i64", tail) == 0 || memcmp(end, " : f64", tail) == 0))
    b->text.length -= tail;
  return HLO_OK;
}

hlo_status hlo_bytecode_next_attributes(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  return hlo_bytecode_next_list(b, in, next_element, error);
}

static hlo_status next_types(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  return hlo_bytecode_next_list(b, in, hlo_bytecode_next_type, error);
}

static hlo_status next_function(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "(");
  HLO_TRY(next_types(b, in, error));
  hlo_bytecode_add(b, ") -> (");
  HLO_TRY(next_types(b, in, error));
  hlo_bytecode_add(b, ")");
  return HLO_OK;
}

static hlo_status next_entry(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *at = in->at;
  mlir_slice name;
  int32_t number;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &number, error));
  if (!hlo_bytecode_string_of(b, number, &name))
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "the name of the entry is no string");
  hlo_bytecode_add_name(b, name);
  hlo_bytecode_add(b, " = ");
  return hlo_bytecode_next_attribute(b, in, error);
}

static hlo_status next_dictionary(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "{");
  HLO_TRY(hlo_bytecode_next_list(b, in, next_entry, error));
  hlo_bytecode_add(b, "}");
  return HLO_OK;
}

hlo_status hlo_bytecode_next_size(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int64_t size;
  HLO_TRY(hlo_bytecode_signed(b, in, &size, error));
  if (size == INT64_MIN) hlo_bytecode_add(b, "?");
  else hlo_string_add_int(&b->text, size);
  return HLO_OK;
}

hlo_status hlo_bytecode_next_sizes(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  return hlo_bytecode_next_list(b, in, hlo_bytecode_next_size, error);
}

hlo_status hlo_bytecode_next_string(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  mlir_slice text;
  HLO_TRY(hlo_bytecode_string(b, in, &text, error));
  hlo_bytecode_add_quoted(b, text);
  return HLO_OK;
}

static hlo_status next_tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t count;
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (; count > 0; count--) {
    HLO_TRY(hlo_bytecode_next_size(b, in, error));
    hlo_bytecode_add(b, "x");
  }
  return hlo_bytecode_next_type(b, in, error);
}

static hlo_status next_encoded_tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t encoding;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &encoding, error));
  HLO_TRY(next_tensor(b, in, error));
  hlo_bytecode_add(b, ", ");
  return hlo_bytecode_write_attribute(b, encoding, error);
}

static hlo_status skip(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  (void)b, (void)error;
  in->at = in->end;
  return HLO_OK;
}

// --- attributes and types ---

static hlo_status next_word(mlir_bytecode *b, mlir_bytes *in, const char *words, hlo_error *error) {
  const char *at = in->at;
  uint64_t number;
  HLO_TRY(hlo_bytecode_varint(b, in, &number, error));
  for (uint64_t i = 0; words != NULL && i < number; i++) {
    words = strchr(words, ' ');
    if (words != NULL) words++;
  }
  if (words == NULL)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "the value %llu is not known here",
                             (unsigned long long)number);
  hlo_string_add_bytes(&b->text, words, strcspn(words, " "));
  return HLO_OK;
}

static hlo_status read_rest(mlir_bytecode *b, mlir_bytes *in, const mlir_dialect_codes *codes,
                            uint8_t reader, hlo_error *error) {
  static hlo_bytecode_function *const readers[READ_OWN] = {
      [READ_ATTRIBUTE] = hlo_bytecode_next_attribute,
      [READ_ATTRIBUTES] = hlo_bytecode_next_attributes,
      [READ_DICTIONARY] = next_dictionary,
      [READ_STRING] = hlo_bytecode_next_string,
      [READ_SIZES] = hlo_bytecode_next_sizes,
      [READ_TYPE] = hlo_bytecode_next_type,
      [READ_TYPES] = next_types,
      [READ_FUNCTION] = next_function,
      [READ_TENSOR] = next_tensor,
      [READ_ENCODED_TENSOR] = next_encoded_tensor,
      [READ_SKIPPED] = skip,
  };
  if (reader >= READ_OWN) return codes->own[reader - READ_OWN](b, in, error);
  return (readers[reader] != NULL ? readers : b->readers->numbers)[reader](b, in, error);
}

static hlo_status write_encoded(mlir_bytecode *b, const mlir_encoded *encoded, bool is_type,
                                hlo_error *error) {
  const mlir_dialect_codes *codes = codes_of(b, encoded);
  mlir_bytes in = encoded->bytes;
  const char *kind = is_type ? "type" : "attribute";
  uint64_t number;
  if (!encoded->is_custom) { // as text, with a zero after it
    const char *zero = in.at == in.end ? NULL : memchr(in.at, 0, (size_t)(in.end - in.at));
    hlo_string_add_bytes(&b->text, in.at, (size_t)((zero == NULL ? in.end : zero) - in.at));
    return HLO_OK;
  }
  const mlir_slice dialect = b->dialects[encoded->dialect];
  int shown = (int)(dialect.length < 100 ? dialect.length : 100);
  if (codes == NULL)
    return hlo_bytecode_fail(
        b, in.at, HLO_UNSUPPORTED, error,
        "how the dialect %.*s encodes this %s is not known; " MLIR_WRITE_ARTIFACT, shown,
        dialect.at, kind);
  HLO_TRY(hlo_bytecode_varint(b, &in, &number, error));
  int32_t count = is_type ? codes->type_count : codes->attribute_count;
  const mlir_code *code = NULL;
  if (number < (uint64_t)count) code = (is_type ? codes->types : codes->attributes) + number;
  if (code == NULL || code->before == NULL)
    return hlo_bytecode_fail(b, encoded->bytes.at, HLO_UNSUPPORTED, error,
                             "the code %llu of the dialect %.*s is no %s that is known here",
                             (unsigned long long)number, shown, dialect.at, kind);
  hlo_bytecode_add(b, code->before);
  if (code->words[0] != '\0') HLO_TRY(next_word(b, &in, code->words, error));
  if (code->reader != READ_NOTHING) HLO_TRY(read_rest(b, &in, codes, code->reader, error));
  hlo_bytecode_add(b, code->behind);
  if (in.at != in.end)
    return hlo_bytecode_fail(b, in.at, HLO_PARSE_ERROR, error, "the %s should end here", kind);
  return HLO_OK;
}

static hlo_status write_nested(mlir_bytecode *b, const mlir_encoded *encoded, bool is_type,
                               hlo_error *error) {
  size_t start = b->text.length;
  int32_t depth = b->depth;
  HLO_TRY(hlo_bytecode_enter(b, encoded->bytes.at, error));
  hlo_status status = write_encoded(b, encoded, is_type, error);
  b->depth = depth;
  if (!hlo_bytecode_recover(b, status, start, error)) return status;
  hlo_bytecode_add(b, is_type ? "!" : "#");
  hlo_bytecode_add_unread(b, b->dialects[encoded->dialect], error->message);
  hlo_error_clear(error);
  return HLO_OK;
}

hlo_status hlo_bytecode_write_attribute(mlir_bytecode *b, int32_t number, hlo_error *error) {
  return write_nested(b, &b->attributes[number], false, error);
}

hlo_status hlo_bytecode_write_type(mlir_bytecode *b, int32_t number, hlo_error *error) {
  return write_nested(b, &b->types[number], true, error);
}

bool hlo_bytecode_string_of(mlir_bytecode *b, int32_t attribute, mlir_slice *out) {
  const mlir_dialect_codes *codes = codes_of(b, &b->attributes[attribute]);
  mlir_bytes in = b->attributes[attribute].bytes;
  uint64_t code;
  return codes != NULL && hlo_bytecode_varint(b, &in, &code, NULL) == HLO_OK &&
         code == codes->string_code && hlo_bytecode_string(b, &in, out, NULL) == HLO_OK;
}

bool hlo_bytecode_location_name(mlir_bytecode *b, int32_t attribute, mlir_slice *out) {
  mlir_bytes in = b->attributes[attribute].bytes;
  uint64_t code;
  int32_t name;
  const mlir_dialect_codes *codes = codes_of(b, &b->attributes[attribute]);
  return codes != NULL && codes->is_builtin && hlo_bytecode_varint(b, &in, &code, NULL) == HLO_OK &&
         code == codes->location_code &&
         hlo_bytecode_index(b, &in, b->attribute_count, "attribute", &name, NULL) == HLO_OK &&
         hlo_bytecode_string_of(b, name, out);
}

bool hlo_bytecode_dictionary_of(mlir_bytecode *b, int32_t attribute, mlir_bytes *out) {
  const mlir_dialect_codes *codes = codes_of(b, &b->attributes[attribute]);
  uint64_t code;
  *out = b->attributes[attribute].bytes;
  return codes != NULL && codes->is_builtin && hlo_bytecode_varint(b, out, &code, NULL) == HLO_OK &&
         code == codes->dictionary_code;
}
