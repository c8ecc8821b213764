// The reader of serialized HLO modules. Structure, shapes and constants are built from the
// messages; attributes are converted to HLO text and read by its parser, which validates them.
// Private to the files of this folder.
//
// Field numbers were determined by comparing modules written by XLA with their texts
// (tests/fixtures/hlo_proto.py); each file lists those that it reads.
#ifndef HLO_TEXT_PROTO_HLO_PROTO_H
#define HLO_TEXT_PROTO_HLO_PROTO_H

#include "text/hlo/parser.h"
#include "text/proto/wire.h"

typedef struct hlo_proto {
  proto_reader reader;
  hlo_parser parser; // its lists, and the order that it brings computations into
  size_t length;     // of the file
  int32_t payload_count;
  proto_message *payloads;     // data that messages name by number
  hlo_name_table computations; // by id
  hlo_name_table schedules;    // messages, by the ids of their computations
  hlo_string text;             // a shape, or the attributes of one instruction
  int32_t attribute_count;     // that were written to it
  size_t written;              // by earlier instructions
} hlo_proto;

// An instruction and its message, whose fields below 128 are those of the bits that are set.
typedef struct proto_instruction {
  hlo_instruction *instruction;
  proto_message message;
  uint64_t fields[2];
} proto_instruction;
static inline bool hlo_proto_has(const proto_instruction *x, uint32_t field) {
  return (x->fields[field / 64] >> field % 64 & 1) != 0;
}

// --- shared.c ---
// Data that a message holds or names.
proto_message hlo_proto_payload(hlo_proto *proto, proto_message payload);
// Fails when the text exceeds a limit proportional to the file: messages refer to others, so that a
// small file could expand to exponential size.
hlo_status hlo_proto_check_length(hlo_proto *proto, const char *at);
// A copy in the module's arena; NULL for no text. Fails at a zero byte.
hlo_status hlo_proto_keep_text(hlo_proto *proto, proto_message text, const char **out);
// Enters the object with this id, which must be new; `what` is for the message.
hlo_status hlo_proto_add_id(hlo_proto *proto, hlo_name_table *table, uint64_t id, void *value,
                            const char *at, const char *what);
void *hlo_proto_find_id(const hlo_name_table *table, uint64_t id); // NULL: there is none
// The computation of that id; NULL after an error.
hlo_computation *hlo_proto_find_computation(hlo_proto *proto, uint64_t id, const char *at);

// --- computation.c ---
// Reads the instructions of a computation that has none yet.
hlo_status hlo_proto_computation(hlo_proto *proto, proto_message message,
                                 hlo_computation *computation);

// --- shape.c ---
void hlo_proto_write_shape(hlo_proto *proto, proto_message shape);
// Into the module's arena.
hlo_status hlo_proto_shape(hlo_proto *proto, proto_message shape, const hlo_shape **out);

// --- literal.c ---
// The values as an array of that shape in memory.
hlo_status hlo_proto_literal(hlo_proto *proto, hlo_arena *arena, proto_message literal,
                             const hlo_shape *shape, hlo_literal *out);

// --- attributes.c ---
// Writes all attributes of the instruction's operation: ", name=value, name=value".
hlo_status hlo_proto_write_attributes(hlo_proto *proto, const proto_instruction *x);

// --- values.c: what stands in braces ---
// Adds to proto->text what HLO text has for the message of the field. False: nothing.
typedef bool proto_writer(hlo_proto *proto, const proto_instruction *x, proto_message message);
proto_writer hlo_proto_write_window, hlo_proto_write_dim_labels, hlo_proto_write_padding,
    hlo_proto_write_accuracy, hlo_proto_write_metadata, hlo_proto_write_statistics,
    hlo_proto_write_origin, hlo_proto_write_replication, hlo_proto_write_frontend;
// Truncates the text to its first `length` characters.
void hlo_proto_truncate_text(hlo_proto *proto, size_t length);
// "{1,2}", and with other brackets; false when there are none.
bool hlo_proto_write_ints(hlo_proto *proto, proto_message message, uint32_t number,
                          const char *brackets);
// Whether HLO text accepts it as one value in braces.
bool hlo_proto_is_value(proto_message text);
// "text" with C's escapes, whatever bytes it has.
void hlo_proto_write_quoted(hlo_proto *proto, proto_message text);

// --- devices.c ---
proto_writer hlo_proto_write_sharding, hlo_proto_write_listed_groups, hlo_proto_write_iota_groups,
    hlo_proto_write_mesh_groups;

#endif
