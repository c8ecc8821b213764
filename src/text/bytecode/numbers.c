// Numbers of MLIR's binary form as text: single ones, arrays and dense values. See bytecode.h.
#include "base/decimal.h"
#include "shape/literal.h"
#include "text/bytecode/bytecode.h"
#include "text/mlir/parser.h"

#include <string.h>

// The type that is next as text by itself, in the arena.
static hlo_status next_type_text(mlir_bytecode *b, mlir_bytes *in, const char **out,
                                 hlo_error *error) {
  size_t start = b->text.length;
  HLO_TRY(hlo_bytecode_next_type(b, in, error));
  HLO_TRY(hlo_string_status(&b->text, error));
  *out = hlo_arena_copy_text(&b->arena, b->text.text + start, b->text.length - start);
  hlo_bytecode_truncate_text(b, start);
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

hlo_status hlo_bytecode_next_array(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *name, *at = in->at;
  bool is_signed;
  uint64_t count, length;
  mlir_slice data;
  HLO_TRY(next_type_text(b, in, &name, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &count, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
  HLO_TRY(hlo_bytecode_read_slice(b, in, length, &data, error));
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

// It is named by where it is.
hlo_status hlo_bytecode_write_data(mlir_bytecode *b, mlir_slice data, hlo_error *error) {
  mlir_resource *resource;
  hlo_bytecode_add(b, "dense_resource<");
  size_t start = b->text.length;
  hlo_string_add_format(&b->text, "byte_%zu", (size_t)(data.at - b->file));
  HLO_TRY(hlo_string_status(&b->text, error));
  const char *name = b->text.text + start;
  if (hlo_name_table_find(&b->data, name, b->text.length - start) == NULL) {
    HLO_ALLOC(resource, &b->arena, 1, error);
    *resource = (mlir_resource){.at = data.at, .length = data.length};
    HLO_TRY(hlo_name_table_add(&b->data, &b->arena, name, resource, &name, error));
  }
  hlo_bytecode_add(b, ">");
  return HLO_OK;
}

hlo_status hlo_bytecode_next_dense(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *type;
  uint64_t length;
  mlir_slice data;
  HLO_TRY(next_type_text(b, in, &type, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
  HLO_TRY(hlo_bytecode_read_slice(b, in, length, &data, error));
  if (!add_short_list(b, type, data)) HLO_TRY(hlo_bytecode_write_data(b, data, error));
  hlo_string_add_format(&b->text, " : %s", type);
  return HLO_OK;
}
