// See wire.h.
#include "text/proto/wire.h"

#include <string.h>

enum { LONGEST_VARINT = 10, MESSAGE_SIZE = 1024 };

hlo_status hlo_proto_fail(proto_reader *reader, const char *at, hlo_status status,
                          const char *format, ...) {
  char message[MESSAGE_SIZE];
  va_list arguments;
  if (reader->status != HLO_OK) return reader->status;
  va_start(arguments, format);
  hlo_format(message, sizeof message, format, arguments);
  va_end(arguments);
  reader->status = status;
  return hlo_fail(reader->error, status, "byte %zu of the file: %s", (size_t)(at - reader->file),
                  message);
}

static bool ends_early(proto_reader *reader, const char *at) {
  hlo_proto_fail(reader, at, HLO_PARSE_ERROR, "the data end too early");
  return false;
}

// Seven bits a byte, the lowest first; the top bit says that more follow.
static bool read_varint(proto_reader *reader, proto_message *rest, uint64_t *out) {
  const char *start = rest->at;
  *out = 0;
  for (int i = 0; i < LONGEST_VARINT; i++) {
    if (rest->at == rest->end) return ends_early(reader, start);
    uint8_t byte = (uint8_t)*rest->at++;
    *out |= (uint64_t)(byte & 127) << (7 * i);
    if (byte < 128) return true;
  }
  hlo_proto_fail(reader, start, HLO_PARSE_ERROR, "a number has more than 64 bits");
  return false;
}

static bool read_fixed(proto_reader *reader, proto_message *rest, size_t size, uint64_t *out) {
  *out = 0;
  if (hlo_proto_length(*rest) < size) return ends_early(reader, rest->at);
  memcpy(out, rest->at, size);
  rest->at += size;
  return true;
}

bool hlo_proto_next(proto_reader *reader, proto_message *rest, proto_field *out) {
  uint64_t tag;
  if (reader->status != HLO_OK || rest->at == rest->end) return false;
  *out = (proto_field){.at = rest->at};
  if (!read_varint(reader, rest, &tag)) return false;
  out->number = tag >> 3 > UINT32_MAX ? 0 : (uint32_t)(tag >> 3);
  out->type = (int32_t)(tag & 7);
  bool is_known = out->type == PROTO_VARINT || out->type == PROTO_FIXED64 ||
                  out->type == PROTO_BYTES || out->type == PROTO_FIXED32;
  if (out->number == 0 || !is_known) {
    hlo_proto_fail(reader, out->at, HLO_PARSE_ERROR, "no field of a protocol buffer starts so");
    return false;
  }
  if (out->type == PROTO_FIXED64) return read_fixed(reader, rest, 8, &out->value);
  if (out->type == PROTO_FIXED32) return read_fixed(reader, rest, 4, &out->value);
  if (!read_varint(reader, rest, &out->value)) return false;
  if (out->type == PROTO_VARINT) return true;
  if (out->value > hlo_proto_length(*rest)) return ends_early(reader, out->at);
  out->bytes = (proto_message){rest->at, rest->at + out->value};
  rest->at = out->bytes.end;
  return true;
}

bool hlo_proto_next_of(proto_reader *reader, proto_message *rest, uint32_t number,
                       proto_field *out) {
  while (hlo_proto_next(reader, rest, out))
    if (out->number == number) return true;
  return false;
}

// The field is of that type, or an error.
static bool is_of_type(proto_reader *reader, const proto_field *field, bool is_it) {
  if (!is_it)
    hlo_proto_fail(reader, field->at, HLO_PARSE_ERROR,
                   "field %u is encoded as something else than this message has there",
                   field->number);
  return is_it;
}

bool hlo_proto_next_bytes(proto_reader *reader, proto_message *rest, uint32_t number,
                          proto_message *out) {
  proto_field field;
  *out = (proto_message){0};
  if (!hlo_proto_next_of(reader, rest, number, &field)) return false;
  *out = field.bytes;
  return is_of_type(reader, &field, field.type == PROTO_BYTES);
}

bool hlo_proto_find(proto_reader *reader, proto_message message, uint32_t number,
                    proto_field *out) {
  proto_field field;
  bool is_found = false;
  while (hlo_proto_next_of(reader, &message, number, &field)) {
    *out = field;
    is_found = true;
  }
  return is_found && reader->status == HLO_OK;
}

int64_t hlo_proto_int(proto_reader *reader, proto_message message, uint32_t number) {
  proto_field field;
  bool is_found = hlo_proto_find(reader, message, number, &field);
  if (!is_found || !is_of_type(reader, &field, field.type == PROTO_VARINT)) return 0;
  return (int64_t)field.value;
}

proto_message hlo_proto_bytes(proto_reader *reader, proto_message message, uint32_t number) {
  proto_field field;
  bool is_found = hlo_proto_find(reader, message, number, &field);
  if (!is_found || !is_of_type(reader, &field, field.type == PROTO_BYTES))
    return (proto_message){0};
  return field.bytes;
}

double hlo_proto_real(proto_reader *reader, proto_message message, uint32_t number) {
  proto_field field;
  bool is_found = hlo_proto_find(reader, message, number, &field);
  bool is_double = is_found && field.type == PROTO_FIXED64;
  if (!is_found || !is_of_type(reader, &field, is_double || field.type == PROTO_FIXED32)) return 0;
  double wide;
  float narrow;
  memcpy(&wide, &field.value, sizeof wide);
  memcpy(&narrow, &field.value, sizeof narrow);
  return is_double ? wide : narrow;
}

bool hlo_proto_next_number(proto_reader *reader, proto_numbers *numbers, int64_t *out) {
  proto_field field;
  uint64_t value;
  while (numbers->packed.at == numbers->packed.end) {
    if (!hlo_proto_next_of(reader, &numbers->rest, numbers->number, &field)) return false;
    *out = (int64_t)field.value;
    if (field.type == PROTO_VARINT) return true;
    if (!is_of_type(reader, &field, field.type == PROTO_BYTES)) return false;
    numbers->packed = field.bytes;
  }
  if (reader->status != HLO_OK || !read_varint(reader, &numbers->packed, &value)) return false;
  *out = (int64_t)value;
  return true;
}

int64_t hlo_proto_count(proto_reader *reader, proto_numbers numbers) {
  int64_t count = 0, number;
  while (hlo_proto_next_number(reader, &numbers, &number)) count++;
  return count;
}
