// Dense values: nested lists, one value for all elements, hexadecimal data, resources at the end of
// the file. See parser.h.
#include "text/mlir/parser.h"

#include "base/decimal.h"
#include "shape/element_writer.h"

#include <string.h>

static bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static int hex_value(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

// Little-endian, as all memory of the engine; 4- and 2-bit integers fill their byte.
static void store_bits(hlo_type type, void *element, uint64_t bits) {
  int32_t width = hlo_type_bits(type);
  if (hlo_type_get_class(type) == HLO_CLASS_SIGNED && width < 8 && (bits >> (width - 1) & 1) != 0)
    bits |= ~0ULL << width;
  memcpy(element, &bits, (size_t)hlo_type_bytes(type));
}

// Signless integers take both readings of their bits: -128…255 for i8.
static hlo_status integer_element(mlir_parser *p, hlo_type type, void *element, hlo_error *error) {
  const char *at = p->token.at;
  bool negative = p->token.kind == '-';
  bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED || type == HLO_PRED; // i1: 0, 1, -1
  int32_t width = hlo_type_bits(type);
  int64_t value;
  HLO_TRY(hlo_mlir_integer(p, &value, error));
  bool fits = width == 64 || (!negative && (uint64_t)value >> width == 0) ||
              (negative && value >= -(1LL << (width - 1)));
  if (!fits || (negative && !is_signed)) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the value does not fit in %s",
                            hlo_type_mlir_name(type));
  }
  store_bits(type, element, (uint64_t)value & (width == 64 ? ~0ULL : (1ULL << width) - 1));
  return HLO_OK;
}

static hlo_status pred_element(mlir_parser *p, void *element, hlo_error *error) {
  uint8_t value = hlo_mlir_at_word(p, "true");
  if (value == 0 && !hlo_mlir_at_word(p, "false"))
    return integer_element(p, HLO_PRED, element, error);
  memcpy(element, &value, 1);
  return hlo_mlir_advance(p, error);
}

// A number out of the type's range, which the element's own text refuses. MLIR rounds it as a
// conversion would: to infinity, or what the type has in its place.
static void round_outside(hlo_type type, const char *text, size_t length, void *element) {
  hlo_number number = {.type_class = HLO_CLASS_FLOAT};
  if (type == HLO_F64) hlo_parse_f64(text, length, &number.re);
  else hlo_parse_f64_odd(text, length, &number.re);
  hlo_element_set(type, element, number);
}

// A decimal number with a point, or the bits in hexadecimal.
static hlo_status float_element(mlir_parser *p, hlo_type type, void *element, hlo_error *error) {
  const char *at = p->token.at;
  bool negative;
  HLO_TRY(hlo_mlir_accept(p, '-', &negative, error));
  if (p->token.kind == MLIR_TOKEN_FLOAT) {
    size_t length = (size_t)(p->cursor - at);
    if (negative && p->token.at != at + 1) return hlo_mlir_expected(p, "a number", error);
    if (hlo_element_parse(type, at, length, element, NULL) != HLO_OK)
      round_outside(type, at, length, element);
    return hlo_mlir_advance(p, error);
  }
  if (p->token.kind != MLIR_TOKEN_INTEGER) return hlo_mlir_expected(p, "a number", error);
  bool is_hex = p->token.length > 1 && p->token.text[1] == 'x';
  if (!is_hex || negative) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "%s",
                            negative && is_hex ? "a float's bits have no minus sign"
                                               : "a float needs a point: write 1.0 for 1");
  }
  int64_t bits;
  int32_t width = hlo_type_bits(type);
  HLO_TRY(hlo_mlir_integer(p, &bits, error));
  if (width < 64 && (uint64_t)bits >> width != 0) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the bits do not fit in %s",
                            hlo_type_mlir_name(type));
  }
  store_bits(type, element, (uint64_t)bits);
  return HLO_OK;
}

static hlo_status one_element(mlir_parser *p, hlo_type type, char *element, hlo_error *error) {
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_PRED:
    return pred_element(p, element, error);
  case HLO_CLASS_FLOAT:
    return float_element(p, type, element, error);
  case HLO_CLASS_COMPLEX: {
    hlo_type part = hlo_type_complex_part(type);
    HLO_TRY(hlo_mlir_expect(p, '(', error));
    HLO_TRY(float_element(p, part, element, error));
    HLO_TRY(hlo_mlir_expect(p, ',', error));
    HLO_TRY(float_element(p, part, element + hlo_type_bytes(part), error));
    return hlo_mlir_expect(p, ')', error);
  }
  default:
    return integer_element(p, type, element, error);
  }
}

static hlo_status shape_mismatch(mlir_parser *p, const hlo_shape *shape, hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error,
                          "the lists of values do not have the shape %s",
                          hlo_shape_to_text(text, shape));
}

// "[[1, 2], [3, 4]]". counts[level] is how many parts the open list of the level has so far.
static hlo_status nested_lists(mlir_parser *p, const hlo_shape *shape, hlo_element_writer *writer,
                               hlo_error *error) {
  int64_t counts[HLO_MAX_RANK] = {0};
  int32_t level = 0; // lists that are open
  size_t width = (size_t)hlo_type_bytes(shape->type);
  do {
    bool is_full = level > 0 && counts[level - 1] == shape->dims[level - 1];
    if (is_full) return shape_mismatch(p, shape, error);
    if (p->token.kind == '[') {
      if (level == shape->rank) return shape_mismatch(p, shape, error);
      HLO_TRY(hlo_mlir_advance(p, error));
      counts[level++] = 0;
      if (p->token.kind != ']') continue;
    } else {
      char *element = level == shape->rank ? hlo_element_room(writer, width) : NULL;
      if (element == NULL) return shape_mismatch(p, shape, error);
      HLO_TRY(one_element(p, shape->type, element, error));
      counts[level - 1]++;
    }
    while (level > 0 && p->token.kind == ']') {
      if (counts[level - 1] != shape->dims[level - 1]) return shape_mismatch(p, shape, error);
      HLO_TRY(hlo_mlir_advance(p, error));
      if (--level > 0) counts[level - 1]++;
    }
    if (level > 0) HLO_TRY(hlo_mlir_expect(p, ',', error));
  } while (level > 0);
  return HLO_OK;
}

static hlo_status hex_mismatch(mlir_parser *p, const char *at, const hlo_shape *shape,
                               hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the data does not have the size of %s",
                          hlo_shape_to_text(text, shape));
}

// Booleans become 0 or 1; integers of less than a byte fill it.
static void normalise(hlo_type type, char *data, int64_t elements) {
  if (hlo_type_bits(type) >= 8) return;
  for (int64_t i = 0; i < elements; i++) {
    uint8_t bits = (uint8_t)data[i];
    if (type == HLO_PRED) data[i] = bits != 0;
    else store_bits(type, &data[i], bits & ((1u << hlo_type_bits(type)) - 1));
  }
}

// Bytes from pairs of digits.
static void decode_hex(const char *digits, int64_t elements, hlo_type type, char *data) {
  int64_t bytes = elements * hlo_type_bytes(type);
  for (int64_t i = 0; i < bytes; i++)
    data[i] = (char)(hex_value(digits[2 * i]) * 16 + hex_value(digits[2 * i + 1]));
  normalise(type, data, elements);
}

// Earlier versions of MLIR packed eight booleans into a byte, low bits first.
static void decode_packed_hex(const char *digits, int64_t elements, char *data) {
  for (int64_t i = 0; i < elements; i++) {
    int64_t byte = i / 8;
    int value = hex_value(digits[2 * byte]) * 16 + hex_value(digits[2 * byte + 1]);
    data[i] = (char)(value >> (i % 8) & 1);
  }
}

// Whether so many bytes hold all elements of that many bytes each.
static bool is_all(size_t bytes, int64_t width, int64_t elements) {
  return bytes % (size_t)width == 0 && (int64_t)(bytes / (size_t)width) == elements;
}

// Whether they hold a bit for each boolean, as many as memory has bytes for.
static bool is_packed(size_t bytes, hlo_type type, int64_t elements) {
  return type == HLO_PRED && elements > 0 && elements <= PTRDIFF_MAX &&
         (int64_t)bytes == (elements - 1) / 8 + 1;
}

// digits[length] are the data of all elements, or of the one that all are. Sets *is_splat.
static hlo_status hex_data(mlir_parser *p, const char *digits, size_t length,
                           const hlo_shape *shape, bool *is_splat, char **data, hlo_error *error) {
  hlo_type type = shape->type;
  int64_t width = hlo_type_bytes(type), elements = hlo_shape_elements(shape);
  for (size_t i = 0; i < length; i++)
    if (!is_hex_digit(digits[i]))
      return hlo_mlir_fail_at(p, digits + i, HLO_PARSE_ERROR, error,
                              "expected a hexadecimal digit");
  size_t bytes = length / 2;
  bool has_pairs = length % 2 == 0, is_whole = has_pairs && is_all(bytes, width, elements);
  bool has_bits = !is_whole && has_pairs && elements > 8 && is_packed(bytes, type, elements);
  *is_splat = !is_whole && !has_bits;
  if (*is_splat && (!has_pairs || bytes != (size_t)width || elements == 0))
    return hex_mismatch(p, digits, shape, error);
  HLO_ALLOC(*data, p->shapes, *is_splat ? width : elements * width, error);
  if (has_bits) decode_packed_hex(digits, elements, *data);
  else decode_hex(digits, *is_splat ? 1 : elements, type, *data);
  return HLO_OK;
}

static hlo_status build_literal(mlir_parser *p, mlir_attribute *a, char *data, hlo_error *error) {
  hlo_literal *literal;
  HLO_ALLOC(literal, p->shapes, 1, error);
  literal->shape = a->is_splat ? hlo_shape_scalar(a->type->shape->type) : a->type->shape;
  literal->data = data;
  a->literal = literal;
  return HLO_OK;
}

// The text between '<' and '>', with the parser at its first token.
static hlo_status values(mlir_parser *p, mlir_attribute *a, const char *end, hlo_error *error) {
  const hlo_shape *shape = a->type->shape;
  int64_t elements = hlo_shape_elements(shape);
  char *data;
  if (p->token.kind == MLIR_TOKEN_STRING && p->token.length >= 2 &&
      memcmp(p->token.text, "0x", 2) == 0) {
    HLO_TRY(hex_data(p, p->token.text + 2, p->token.length - 2, shape, &a->is_splat, &data, error));
    HLO_TRY(hlo_mlir_advance(p, error));
  } else if (p->token.at == end) {
    if (elements != 0) return hlo_mlir_expected(p, "values", error);
    HLO_ALLOC(data, p->shapes, 0, error);
  } else {
    a->is_splat = p->token.kind != '[' && elements != 1;
    // Each value takes a character: a type that wants more is refused before memory is.
    if (!a->is_splat && elements > end - p->token.at) return shape_mismatch(p, shape, error);
    int64_t stored = a->is_splat ? 1 : elements;
    HLO_ALLOC(data, p->shapes, stored * hlo_type_bytes(shape->type), error);
    hlo_element_writer writer = hlo_element_writer_of(data, stored * hlo_type_bytes(shape->type));
    if (p->token.kind == '[') HLO_TRY(nested_lists(p, shape, &writer, error));
    else HLO_TRY(one_element(p, shape->type, data, error));
    if (elements == 0) a->is_splat = false;
  }
  if (p->token.at != end) return hlo_mlir_expected(p, "the end of the values", error);
  return build_literal(p, a, data, error);
}

// The '>' that ends the text from `at` on, or NULL. Strings hold no '>', as their digits are
// hexadecimal; anything else in them is an error that is found later.
static const char *closing_angle(const char *at, const char *end) {
  return memchr(at, '>', (size_t)(end - at));
}

static hlo_status require_tensor(mlir_parser *p, const mlir_attribute *a, const char *at,
                                 hlo_error *error) {
  bool is_tensor = a->type->kind == MLIR_TYPE_SHAPED && hlo_shape_is_array(a->type->shape) &&
                   !hlo_shape_is_dynamic(a->type->shape);
  if (is_tensor) return HLO_OK;
  if (a->type->why != NULL)
    return hlo_mlir_fail_at(p, at, HLO_UNSUPPORTED, error, "%s", a->type->why);
  return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                          "dense values need a tensor type of static shape");
}

static hlo_status tensor_type(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_type(p, &a->type, error));
  return require_tensor(p, a, at, error);
}

// The tensor's values, which stand from `body` to the '>' at `close`; then on with the token that
// is next now.
static hlo_status values_between(mlir_parser *p, mlir_attribute *a, const char *body,
                                 const char *close, hlo_error *error) {
  const char *resume = p->token.at, *taken = p->taken;
  HLO_TRY(hlo_mlir_move_to(p, body, error));
  HLO_TRY(values(p, a, close, error));
  HLO_TRY(hlo_mlir_move_to(p, resume, error));
  p->taken = taken;
  return HLO_OK;
}

static hlo_status locate_body(mlir_parser *p, const char **body, const char **close,
                              hlo_error *error) {
  HLO_TRY(hlo_mlir_advance(p, error));
  if (p->token.kind != '<') return hlo_mlir_expect(p, '<', error);
  *body = p->token.at + 1;
  *close = closing_angle(*body, p->source.end);
  if (*close != NULL) return HLO_OK;
  return hlo_mlir_fail_at(p, p->token.at, HLO_PARSE_ERROR, error, "'<' is never closed");
}

hlo_status hlo_mlir_dense(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  bool is_resource = hlo_mlir_at_word(p, "dense_resource");
  const char *body, *close;
  a->kind = MLIR_DENSE;
  HLO_TRY(locate_body(p, &body, &close, error));
  if (is_resource) { // the values come at the end of the file: hlo_mlir_resources
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(hlo_mlir_consume_text(p, &a->text, error));
    HLO_TRY(hlo_mlir_expect(p, '>', error));
    HLO_TRY(hlo_mlir_expect(p, ':', error));
    HLO_TRY(tensor_type(p, a, error));
    return hlo_mlir_list_add(p, &p->pending_resources, a, error);
  }
  HLO_TRY(hlo_mlir_move_to(p, close + 1, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  HLO_TRY(tensor_type(p, a, error));
  return values_between(p, a, body, close, error);
}

hlo_status hlo_mlir_skip_dense(mlir_parser *p, mlir_attribute **out, hlo_error *error) {
  const char *close;
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DENSE, out, error));
  HLO_TRY(locate_body(p, &(*out)->body, &close, error));
  (*out)->body_length = (size_t)(close - (*out)->body);
  return hlo_mlir_move_to(p, close + 1, error);
}

hlo_status hlo_mlir_dense_of_type(mlir_parser *p, mlir_attribute *a, const mlir_type *type,
                                  hlo_error *error) {
  a->type = type;
  HLO_TRY(require_tensor(p, a, type->at, error));
  return values_between(p, a, a->body, a->body + a->body_length, error);
}

// "{-# dialect_resources: { builtin: { name: "0x…" } } #-}". The first four bytes of a resource are
// its alignment.
hlo_status hlo_mlir_resources(mlir_parser *p, hlo_error *error) {
  while (p->token.kind != MLIR_TOKEN_FILE_END) {
    if (p->token.kind == MLIR_TOKEN_END) return hlo_mlir_expected(p, "'#-}'", error);
    bool is_key = p->token.kind == MLIR_TOKEN_WORD || p->token.kind == MLIR_TOKEN_STRING;
    if (!is_key) {
      HLO_TRY(hlo_mlir_advance(p, error));
      continue;
    }
    const char *name;
    bool has_value;
    HLO_TRY(hlo_mlir_consume_text(p, &name, error));
    HLO_TRY(hlo_mlir_accept(p, ':', &has_value, error));
    if (!has_value || p->token.kind != MLIR_TOKEN_STRING) continue;
    mlir_resource *blob;
    HLO_ALLOC(blob, &p->tree, 1, error);
    *blob = (mlir_resource){p->token.text, p->token.length, true};
    HLO_TRY(hlo_name_table_add(&p->resources, &p->tree, name, blob, &name, error));
    HLO_TRY(hlo_mlir_advance(p, error));
  }
  return hlo_mlir_advance(p, error);
}

// Digits, of which the first four bytes are an alignment.
static hlo_status digits_of_resource(mlir_parser *p, mlir_attribute *a, const mlir_resource *blob,
                                     char **data, hlo_error *error) {
  enum { PREFIX = 2 + 8 }; // "0x" and the alignment
  if (blob->length < PREFIX || memcmp(blob->at, "0x", 2) != 0)
    return hex_mismatch(p, blob->at, a->type->shape, error);
  return hex_data(p, blob->at + PREFIX, blob->length - PREFIX, a->type->shape, &a->is_splat, data,
                  error);
}

// The bytes of all elements, or of the one that all are. Booleans are a bit each; where they are
// all the same they may be one byte of ones or zeros.
static hlo_status bytes_of_resource(mlir_parser *p, mlir_attribute *a, const mlir_resource *blob,
                                    char **data, hlo_error *error) {
  hlo_type type = a->type->shape->type;
  int64_t elements = hlo_shape_elements(a->type->shape), width = hlo_type_bytes(type);
  bool is_one = blob->length == (size_t)width;
  bool has_bits = is_packed(blob->length, type, elements) &&
                  !(is_one && elements > 1 && (blob->at[0] == 0 || blob->at[0] == (char)0xff));
  bool is_whole = is_all(blob->length, width, elements);
  if (!has_bits && !is_whole && !is_one) return hex_mismatch(p, a->at, a->type->shape, error);
  a->is_splat = !has_bits && !is_whole && elements > 0;
  int64_t stored = a->is_splat ? 1 : elements;
  *data = hlo_arena_array_raw(p->shapes, (size_t)stored, (size_t)width);
  if (*data == NULL) return hlo_fail_out_of_memory(error);
  for (int64_t i = 0; has_bits && i < elements; i++)
    (*data)[i] = (char)(blob->at[i / 8] >> (i % 8) & 1);
  if (has_bits || stored == 0) return HLO_OK;
  memcpy(*data, blob->at, (size_t)(stored * width));
  normalise(type, *data, stored);
  return HLO_OK;
}

hlo_status hlo_mlir_resolve_resources(mlir_parser *p, hlo_error *error) {
  for (int32_t i = 0; i < p->pending_resources.count; i++) {
    mlir_attribute *a = p->pending_resources.items[i];
    const mlir_resource *blob = hlo_name_table_find(&p->resources, a->text, strlen(a->text));
    char *data;
    if (blob == NULL) {
      return hlo_mlir_fail_at(p, a->at, HLO_PARSE_ERROR, error,
                              "the values of this resource are not in the text; print the program "
                              "with its large constants");
    }
    if (blob->is_digits) HLO_TRY(digits_of_resource(p, a, blob, &data, error));
    else HLO_TRY(bytes_of_resource(p, a, blob, &data, error));
    HLO_TRY(build_literal(p, a, data, error));
  }
  return HLO_OK;
}
