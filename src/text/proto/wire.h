// Protocol buffers' wire format: messages as the fields that they are made of. Source: "Encoding"
// (protobuf.dev/programming-guides/encoding).
#ifndef HLO_TEXT_PROTO_WIRE_H
#define HLO_TEXT_PROTO_WIRE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

// A message, or what of it is still to be read.
typedef struct proto_message {
  const char *at, *end;
} proto_message;

enum { PROTO_VARINT = 0, PROTO_FIXED64 = 1, PROTO_BYTES = 2, PROTO_FIXED32 = 5 };

typedef struct proto_field {
  uint32_t number;
  int32_t type;
  uint64_t value;      // unless it is bytes
  proto_message bytes; // a message, a string, or numbers without their tags
  const char *at;      // the field in the file
} proto_field;

// The first error stays; from then on messages have no more fields, so that whoever reads asks for
// it once, at the end.
typedef struct proto_reader {
  const char *file; // errors count bytes from here
  hlo_status status;
  hlo_error *error;
} proto_reader;

// "byte 12 of the file: …". Returns the first error's status.
hlo_status hlo_proto_fail(proto_reader *reader, const char *at, hlo_status status,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
static inline size_t hlo_proto_length(proto_message bytes) {
  return (size_t)(bytes.end - bytes.at);
}

// Takes the next field; false after the last one, or an error.
bool hlo_proto_next(proto_reader *reader, proto_message *rest, proto_field *out);
// The same of those with this number.
bool hlo_proto_next_of(proto_reader *reader, proto_message *rest, uint32_t number,
                       proto_field *out);
// The next of those, which must be bytes: of repeated messages and strings.
bool hlo_proto_next_bytes(proto_reader *reader, proto_message *rest, uint32_t number,
                          proto_message *out);

// The last field with the number, which is the one that counts. False: there is none.
bool hlo_proto_find(proto_reader *reader, proto_message message, uint32_t number, proto_field *out);
// 0 and empty messages stand for fields that are not there, as the format has it.
int64_t hlo_proto_int(proto_reader *reader, proto_message message, uint32_t number);
proto_message hlo_proto_bytes(proto_reader *reader, proto_message message, uint32_t number);
double hlo_proto_real(proto_reader *reader, proto_message message, uint32_t number);

// Repeated numbers, with or without tags between them.
typedef struct proto_numbers {
  proto_message rest, packed;
  uint32_t number;
} proto_numbers;
static inline proto_numbers hlo_proto_numbers(proto_message message, uint32_t number) {
  return (proto_numbers){.rest = message, .number = number};
}
bool hlo_proto_next_number(proto_reader *reader, proto_numbers *numbers, int64_t *out);
// How many are left.
int64_t hlo_proto_count(proto_reader *reader, proto_numbers numbers);

#endif
