// Decodes the primitives of MLIR bytecode: numbers, strings, sections. See bytecode.h.
#include "text/bytecode/bytecode.h"

#include <string.h>

hlo_status hlo_bytecode_fail(const mlir_bytecode *b, const char *at, hlo_status status,
                             hlo_error *error, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  hlo_format(message, sizeof message, format, arguments);
  va_end(arguments);
  return hlo_fail(error, status, "byte %zu of the file: %s", (size_t)(at - b->file), message);
}

hlo_status hlo_bytecode_ends_early(const mlir_bytecode *b, const mlir_bytes *bytes,
                                   hlo_error *error) {
  return hlo_bytecode_fail(b, bytes->at, HLO_PARSE_ERROR, error, "the data end too early");
}

hlo_status hlo_bytecode_byte(mlir_bytecode *b, mlir_bytes *bytes, uint8_t *out, hlo_error *error) {
  if (bytes->at == bytes->end) return hlo_bytecode_ends_early(b, bytes, error);
  *out = (uint8_t)*bytes->at++;
  return HLO_OK;
}

// The zeros at the end of the first byte say how many bytes follow.
hlo_status hlo_bytecode_varint(mlir_bytecode *b, mlir_bytes *bytes, uint64_t *out,
                               hlo_error *error) {
  uint8_t first;
  const char *start = bytes->at;
  HLO_TRY(hlo_bytecode_byte(b, bytes, &first, error));
  int32_t more = first == 0 ? 8 : __builtin_ctz(first);
  if (bytes->end - bytes->at < more) {
    bytes->at = start;
    return hlo_bytecode_ends_early(b, bytes, error);
  }
  uint64_t value = 0;
  memcpy(&value, bytes->at, (size_t)more);
  bytes->at += more;
  *out = more == 8 ? value : (value << 8 | first) >> (more + 1);
  return HLO_OK;
}

hlo_status hlo_bytecode_signed(mlir_bytecode *b, mlir_bytes *bytes, int64_t *out,
                               hlo_error *error) {
  uint64_t value;
  HLO_TRY(hlo_bytecode_varint(b, bytes, &value, error));
  *out = (int64_t)(value >> 1 ^ (0 - (value & 1)));
  return HLO_OK;
}

hlo_status hlo_bytecode_index(mlir_bytecode *b, mlir_bytes *bytes, int64_t limit, const char *what,
                              int32_t *out, hlo_error *error) {
  const char *at = bytes->at;
  uint64_t value;
  HLO_TRY(hlo_bytecode_varint(b, bytes, &value, error));
  if (value >= (uint64_t)limit)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "there is no %s %llu", what,
                             (unsigned long long)value);
  *out = (int32_t)value;
  return HLO_OK;
}

hlo_status hlo_bytecode_count(mlir_bytecode *b, mlir_bytes *bytes, int32_t *out, hlo_error *error) {
  const char *at = bytes->at;
  uint64_t value;
  HLO_TRY(hlo_bytecode_varint(b, bytes, &value, error));
  if (value > (uint64_t)(bytes->end - bytes->at) || value > INT32_MAX)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "%llu items do not fit in what is left",
                             (unsigned long long)value);
  *out = (int32_t)value;
  return HLO_OK;
}

hlo_status hlo_bytecode_read_slice(mlir_bytecode *b, mlir_bytes *bytes, uint64_t length,
                                   mlir_slice *out, hlo_error *error) {
  if (length > (uint64_t)(bytes->end - bytes->at)) return hlo_bytecode_ends_early(b, bytes, error);
  *out = (mlir_slice){bytes->at, (size_t)length};
  bytes->at += length;
  return HLO_OK;
}

hlo_status hlo_bytecode_string(mlir_bytecode *b, mlir_bytes *bytes, mlir_slice *out,
                               hlo_error *error) {
  int32_t index;
  HLO_TRY(hlo_bytecode_index(b, bytes, b->string_count, "string", &index, error));
  *out = b->strings[index];
  return HLO_OK;
}

hlo_status hlo_bytecode_bits(mlir_bytecode *b, mlir_bytes *bytes, int32_t width, int64_t *out,
                             hlo_error *error) {
  uint8_t byte;
  if (width > 8) return hlo_bytecode_signed(b, bytes, out, error);
  HLO_TRY(hlo_bytecode_byte(b, bytes, &byte, error));
  *out = byte;
  return HLO_OK;
}

hlo_status hlo_bytecode_optional_attribute(mlir_bytecode *b, mlir_bytes *bytes, int32_t *out,
                                           hlo_error *error) {
  const char *at = bytes->at;
  uint64_t value;
  HLO_TRY(hlo_bytecode_varint(b, bytes, &value, error));
  *out = -1;
  if ((value & 1) == 0) return HLO_OK;
  if (value >> 1 >= (uint64_t)b->attribute_count)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "there is no attribute %llu",
                             (unsigned long long)value >> 1);
  *out = (int32_t)(value >> 1);
  return HLO_OK;
}

bool hlo_bytecode_is(mlir_slice slice, const char *text) {
  return slice.length == strlen(text) && memcmp(slice.at, text, slice.length) == 0;
}

hlo_status hlo_bytecode_align(mlir_bytecode *b, mlir_bytes *in, const char *at, uint64_t alignment,
                              hlo_error *error) {
  mlir_slice gap;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "%llu is no alignment",
                             (unsigned long long)alignment);
  return hlo_bytecode_read_slice(b, in, (uint64_t)(b->start - in->at) & (alignment - 1), &gap,
                                 error);
}

hlo_status hlo_bytecode_section(mlir_bytecode *b, mlir_bytes *in, uint8_t *id, mlir_bytes *out,
                                hlo_error *error) {
  const char *at = in->at;
  uint64_t length, alignment;
  mlir_slice slice;
  HLO_TRY(hlo_bytecode_byte(b, in, id, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
  if ((*id & 0x80) != 0) {
    HLO_TRY(hlo_bytecode_varint(b, in, &alignment, error));
    HLO_TRY(hlo_bytecode_align(b, in, at, alignment, error));
  }
  *id &= 0x7f;
  if (*id >= MLIR_SECTION_COUNT && b->version <= MLIR_NEWEST)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "there is no kind %d of section", *id);
  HLO_TRY(hlo_bytecode_read_slice(b, in, length, &slice, error));
  *out = (mlir_bytes){slice.at, slice.at + slice.length};
  return HLO_OK;
}

hlo_status hlo_bytecode_nested_section(mlir_bytecode *b, mlir_bytes *in, mlir_bytes *out,
                                       hlo_error *error) {
  uint8_t id;
  return hlo_bytecode_section(b, in, &id, out, error);
}
