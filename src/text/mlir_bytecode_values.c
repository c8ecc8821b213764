// Attributes and types of MLIR's binary form as text: what dialects have in common. See
// mlir_bytecode.h. Must not know operations.
#include "base/decimal.h"
#include "shape/literal.h"
#include "text/mlir_bytecode.h"
#include "text/mlir_parser.h"

#include <string.h>

static const mlir_dialect_codes *const dialects[] = {&hlo_builtin_codes, &hlo_vhlo_codes,
                                                     &hlo_chlo_codes, &hlo_sdy_codes};

static bool is_text(mlir_slice slice, const char *text) {
  return slice.length == strlen(text) && memcmp(slice.at, text, slice.length) == 0;
}

static const mlir_dialect_codes *codes_of(const mlir_bytecode *b, const mlir_encoded *encoded) {
  for (size_t i = 0; encoded->is_custom && i < sizeof dialects / sizeof *dialects; i++)
    if (is_text(b->dialects[encoded->dialect], dialects[i]->name)) return dialects[i];
  return NULL;
}

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

hlo_status hlo_bytecode_enter(mlir_bytecode *b, const char *at, hlo_error *error) {
  // Attributes name others: a small file could say a text without end.
  enum { LEAST = 1 << 20, MOST_PER_BYTE = 1024 };
  if (b->depth == MLIR_MAX_DEPTH)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "more than %d levels of nesting",
                             (int)MLIR_MAX_DEPTH);
  if (b->text.length > LEAST && b->text.length / MOST_PER_BYTE > b->length)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error,
                             "as text the program is over %d times as long", (int)MOST_PER_BYTE);
  b->depth++;
  return HLO_OK;
}

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

static hlo_status write_encoded(mlir_bytecode *b, const mlir_encoded *encoded, bool is_type,
                                hlo_error *error) {
  const mlir_dialect_codes *codes = codes_of(b, encoded);
  mlir_bytes in = encoded->bytes;
  const char *kind = is_type ? "type" : "attribute";
  uint64_t number;
  if (!encoded->is_custom) { // as text, with a zero behind it
    const char *zero = in.at == in.end ? NULL : memchr(in.at, 0, (size_t)(in.end - in.at));
    hlo_string_add_bytes(&b->text, in.at, (size_t)((zero == NULL ? in.end : zero) - in.at));
    return HLO_OK;
  }
  const mlir_slice dialect = b->dialects[encoded->dialect];
  int shown = (int)(dialect.length < 100 ? dialect.length : 100);
  if (codes == NULL)
    return hlo_bytecode_fail(b, in.at, HLO_UNSUPPORTED, error,
                             "how the dialect %.*s encodes this %s is not known", shown, dialect.at,
                             kind);
  HLO_TRY(hlo_bytecode_varint(b, &in, &number, error));
  static const mlir_code unknown = {0};
  int32_t count = is_type ? codes->type_count : codes->attribute_count;
  const mlir_code *code = &unknown;
  if (number < (uint64_t)count) code = (is_type ? codes->types : codes->attributes) + number;
  if (code->before[0] == '\0' && code->words[0] == '\0' && code->reader == 0)
    return hlo_bytecode_fail(b, encoded->bytes.at, HLO_UNSUPPORTED, error,
                             "the code %llu of the dialect %.*s is no %s that is known here",
                             (unsigned long long)number, shown, dialect.at, kind);
  hlo_bytecode_add(b, code->before);
  if (code->words[0] != '\0') HLO_TRY(next_word(b, &in, code->words, error));
  if (code->reader != 0) HLO_TRY(codes->read(b, &in, code->reader, error));
  hlo_bytecode_add(b, code->behind);
  if (in.at != in.end)
    return hlo_bytecode_fail(b, in.at, HLO_PARSE_ERROR, error, "the %s should end here", kind);
  return HLO_OK;
}

hlo_status hlo_bytecode_write_attribute(mlir_bytecode *b, int32_t number, hlo_error *error) {
  const mlir_encoded *encoded = &b->attributes[number];
  HLO_TRY(hlo_bytecode_enter(b, encoded->bytes.at, error));
  HLO_TRY(write_encoded(b, encoded, false, error));
  b->depth--;
  return HLO_OK;
}

hlo_status hlo_bytecode_write_type(mlir_bytecode *b, int32_t number, hlo_error *error) {
  const mlir_encoded *encoded = &b->types[number];
  HLO_TRY(hlo_bytecode_enter(b, encoded->bytes.at, error));
  HLO_TRY(write_encoded(b, encoded, true, error));
  b->depth--;
  return HLO_OK;
}

bool hlo_bytecode_string_of(mlir_bytecode *b, int32_t attribute, mlir_slice *out) {
  const mlir_dialect_codes *codes = codes_of(b, &b->attributes[attribute]);
  mlir_bytes in = b->attributes[attribute].bytes;
  uint64_t code;
  return codes != NULL && hlo_bytecode_varint(b, &in, &code, NULL) == HLO_OK &&
         code == codes->string_code && hlo_bytecode_string(b, &in, out, NULL) == HLO_OK;
}

bool hlo_bytecode_dictionary_of(mlir_bytecode *b, int32_t attribute, mlir_bytes *out) {
  const mlir_dialect_codes *codes = codes_of(b, &b->attributes[attribute]);
  uint64_t code;
  *out = b->attributes[attribute].bytes;
  return codes == &hlo_builtin_codes && hlo_bytecode_varint(b, out, &code, NULL) == HLO_OK &&
         code == codes->dictionary_code;
}

// --- what is next ---

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

static hlo_status next_list(mlir_bytecode *b, mlir_bytes *in, hlo_bytecode_function *next,
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
  return next_list(b, in, next_element, error);
}

hlo_status hlo_bytecode_next_types(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  return next_list(b, in, hlo_bytecode_next_type, error);
}

hlo_status hlo_bytecode_next_function(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "(");
  HLO_TRY(hlo_bytecode_next_types(b, in, error));
  hlo_bytecode_add(b, ") -> (");
  HLO_TRY(hlo_bytecode_next_types(b, in, error));
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

hlo_status hlo_bytecode_next_dictionary(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "{");
  HLO_TRY(next_list(b, in, next_entry, error));
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

hlo_status hlo_bytecode_next_string(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  mlir_slice text;
  HLO_TRY(hlo_bytecode_string(b, in, &text, error));
  hlo_bytecode_add_quoted(b, text);
  return HLO_OK;
}

hlo_status hlo_bytecode_next_tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t count;
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (; count > 0; count--) {
    HLO_TRY(hlo_bytecode_next_size(b, in, error));
    hlo_bytecode_add(b, "x");
  }
  return hlo_bytecode_next_type(b, in, error);
}

hlo_status hlo_bytecode_next_encoded_tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t encoding;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &encoding, error));
  HLO_TRY(hlo_bytecode_next_tensor(b, in, error));
  hlo_bytecode_add(b, ", ");
  return hlo_bytecode_write_attribute(b, encoding, error);
}

hlo_status hlo_bytecode_next_numbers(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "[");
  HLO_TRY(next_list(b, in, hlo_bytecode_next_size, error));
  hlo_bytecode_add(b, "]");
  return HLO_OK;
}

// The type that is next as text by itself, in the arena.
static hlo_status next_type_text(mlir_bytecode *b, mlir_bytes *in, const char **out,
                                 hlo_error *error) {
  size_t start = b->text.length;
  HLO_TRY(hlo_bytecode_next_type(b, in, error));
  HLO_TRY(hlo_string_status(&b->text, error));
  *out = hlo_arena_copy_text(&b->arena, b->text.text + start, b->text.length - start);
  b->text.length = start;
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// Of "i32", "ui8", "si16", "index" the bits, and whether the number has a sign; 0: no integer type.
static int32_t integer_width(const char *type, bool *is_signed) {
  int32_t width = 0;
  *is_signed = *type != 'u';
  if (strcmp(type, "index") == 0) return 64;
  if (*type == 'u' || *type == 's') type++;
  if (*type++ != 'i') return 0;
  for (; *type >= '0' && *type <= '9' && width <= 64; type++) width = width * 10 + (*type - '0');
  return *type == '\0' && width <= 64 ? width : 0;
}

static void add_integer(mlir_bytecode *b, uint64_t bits, int32_t width, bool is_signed) {
  if (width < 64) bits &= (1ULL << width) - 1;
  if (is_signed && width < 64 && (bits >> (width - 1)) != 0) bits |= ~0ULL << width;
  if (is_signed) hlo_string_add_int(&b->text, (int64_t)bits);
  else hlo_string_add_unsigned(&b->text, bits);
}

hlo_status hlo_bytecode_next_integer(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *type, *at = in->at;
  bool is_signed;
  int64_t bits;
  HLO_TRY(next_type_text(b, in, &type, error));
  int32_t width = integer_width(type, &is_signed);
  if (width == 0)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "integers of type %s", type);
  HLO_TRY(hlo_bytecode_bits(b, in, width, &bits, error));
  if (strcmp(type, "i1") == 0) {
    hlo_bytecode_add(b, (bits & 1) != 0 ? "true" : "false");
    return HLO_OK;
  }
  add_integer(b, (uint64_t)bits, width, is_signed);
  hlo_string_add_format(&b->text, " : %s", type);
  return HLO_OK;
}

// As MLIR does: seven digits if they are enough, else all that it takes, else the bits.
static void add_float(mlir_bytecode *b, hlo_type type, uint64_t bits) {
  char digits[HLO_FORMAT_SIZE];
  double value = hlo_element_get(type, &bits).re;
  for (int count = 7; value - value == 0 && count <= 17; count += 10) {
    uint64_t again = 0;
    hlo_number number = {.type_class = HLO_CLASS_FLOAT};
    size_t length = hlo_format_scientific(digits, value, count);
    hlo_parse_f64(digits, length, &number.re);
    hlo_element_set(type, &again, number);
    if (again != bits) continue;
    hlo_bytecode_add(b, digits);
    return;
  }
  hlo_string_add_format(&b->text, "0x%llx", (unsigned long long)bits);
}

static hlo_type float_type(const char *name) {
  for (int t = 1; t < HLO_TYPE_COUNT; t++)
    if (hlo_type_is_float((hlo_type)t) && strcmp(hlo_type_mlir_name((hlo_type)t), name) == 0)
      return (hlo_type)t;
  return HLO_TYPE_INVALID;
}

hlo_status hlo_bytecode_next_float(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *name, *at = in->at;
  int64_t bits;
  HLO_TRY(next_type_text(b, in, &name, error));
  hlo_type type = float_type(name);
  if (type == HLO_TYPE_INVALID)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "floats of type %s", name);
  int32_t width = hlo_type_bits(type);
  HLO_TRY(hlo_bytecode_bits(b, in, width, &bits, error));
  add_float(b, type, (uint64_t)bits & (width == 64 ? ~0ULL : (1ULL << width) - 1));
  hlo_string_add_format(&b->text, " : %s", name);
  return HLO_OK;
}

hlo_status hlo_bytecode_skip(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  (void)b, (void)error;
  in->at = in->end;
  return HLO_OK;
}

hlo_status hlo_bytecode_next_array(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *name, *at = in->at;
  bool is_signed;
  uint64_t count, length;
  mlir_slice data;
  HLO_TRY(next_type_text(b, in, &name, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &count, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
  HLO_TRY(hlo_bytecode_take(b, in, length, &data, error));
  hlo_type type = float_type(name);
  int32_t width = type != HLO_TYPE_INVALID ? hlo_type_bits(type) : integer_width(name, &is_signed);
  uint64_t bytes = width == 1 ? 1 : (uint64_t)width / 8;
  if ((width != 1 && (width == 0 || width % 8 != 0)) || length % bytes != 0 ||
      length / bytes != count)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "%llu bytes for %llu elements of %s",
                             (unsigned long long)length, (unsigned long long)count, name);
  hlo_bytecode_add(b, name);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    memcpy(&bits, data.at + i * bytes, bytes);
    hlo_bytecode_add(b, i == 0 ? ": " : ", ");
    if (type != HLO_TYPE_INVALID) add_float(b, type, bits);
    else if (width == 1) hlo_bytecode_add(b, bits != 0 ? "true" : "false");
    else add_integer(b, bits, width, is_signed);
  }
  return HLO_OK;
}

// --- dense values ---

// What a list of `count` (-1: a single element) holds: integers of whole bytes, booleans, or
// floats.
typedef struct short_list {
  int64_t count;
  int32_t width; // bits of an element
  bool is_signed, is_float;
} short_list;

// "tensor<3xi64>" and "tensor<f32>". False for other types.
static bool read_list_type(const char *type, short_list *out) {
  char element[8];
  size_t prefix = strlen("tensor<");
  if (strncmp(type, "tensor<", prefix) != 0) return false;
  const char *at = type + prefix;
  out->count = *at >= '0' && *at <= '9' ? 0 : -1;
  for (; *at >= '0' && *at <= '9' && out->count < INT32_MAX; at++)
    out->count = out->count * 10 + (*at - '0');
  if (out->count >= 0 && *at++ != 'x') return false;
  size_t length = strcspn(at, ">");
  if (length >= sizeof element || at[length] == '\0' || at[length + 1] != '\0') return false;
  memcpy(element, at, length);
  element[length] = '\0';
  out->is_float = element[0] == 'f' || element[0] == 'b';
  out->width = integer_width(element, &out->is_signed);
  if (out->is_float) out->width = hlo_type_bits(float_type(element));
  return out->width == 1 || (out->width > 0 && out->width % 8 == 0);
}

static void add_element(mlir_bytecode *b, mlir_slice data, int64_t i, const short_list *list) {
  uint64_t bits = 0;
  if (list->width == 1) {
    hlo_bytecode_add(b, (data.at[i / 8] >> (i % 8) & 1) != 0 ? "true" : "false");
    return;
  }
  memcpy(&bits, data.at + i * (list->width / 8), (size_t)list->width / 8);
  if (list->is_float) hlo_string_add_format(&b->text, "0x%llx", (unsigned long long)bits);
  else add_integer(b, bits, list->width, list->is_signed);
}

// Lists that are short are written as such: people read integers in messages, which quote the text,
// and a few bits are sooner read there than elsewhere.
static bool add_short_list(mlir_bytecode *b, const char *type, mlir_slice data) {
  enum { LONGEST = 64, MOST_FLOATS = 4 };
  short_list list;
  if (!read_list_type(type, &list) || list.count > (list.is_float ? MOST_FLOATS : LONGEST))
    return false;
  int64_t elements = list.count < 0 ? 1 : list.count;
  bool is_one = data.length == (size_t)(list.width + 7) / 8;
  bool is_whole = data.length == (size_t)(elements * list.width + 7) / 8;
  if (!is_whole && !is_one) return false;
  bool is_splat = is_one && elements > 1 &&
                  (!is_whole || data.at[0] == 0 || data.at[0] == (char)0xff); // of booleans
  bool has_brackets = list.count > 0 && !is_splat;
  hlo_bytecode_add(b, has_brackets ? "dense<[" : "dense<");
  for (int64_t i = 0; i < (is_splat ? 1 : elements); i++) {
    if (i > 0) hlo_bytecode_add(b, ", ");
    add_element(b, data, i, &list);
  }
  hlo_bytecode_add(b, has_brackets ? "]>" : ">");
  return true;
}

hlo_status hlo_bytecode_next_dense(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *type;
  uint64_t length;
  mlir_slice data;
  HLO_TRY(next_type_text(b, in, &type, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
  HLO_TRY(hlo_bytecode_take(b, in, length, &data, error));
  if (!add_short_list(b, type, data)) {
    hlo_bytecode_add(b, "dense_resource<");
    size_t start = b->text.length;
    hlo_string_add_format(&b->text, "byte_%zu", (size_t)(data.at - b->file));
    HLO_TRY(hlo_string_status(&b->text, error));
    HLO_TRY(hlo_bytecode_add_resource(b, b->text.text + start, data, error));
    hlo_bytecode_add(b, ">");
  }
  hlo_string_add_format(&b->text, " : %s", type);
  return HLO_OK;
}
