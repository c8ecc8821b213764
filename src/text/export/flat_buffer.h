// Reads FlatBuffers: tables of fields, vectors, texts. Source: "FlatBuffers Internals"
// (flatbuffers.dev). Offsets count from the start of the file; a field outside of the file reads as
// absent.
#ifndef HLO_TEXT_EXPORT_FLAT_BUFFER_H
#define HLO_TEXT_EXPORT_FLAT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct flat_file {
  const char *bytes;
  uint64_t length;
} flat_file;

// A vector, or a text: count elements from a place on.
typedef struct flat_vector {
  uint64_t at;
  uint32_t count;
} flat_vector;

// The number of so many bytes, little endian. False: it is not in the file.
bool hlo_flat_number(const flat_file *file, uint64_t at, size_t size, uint32_t *out);
// The table at the root. False: the bytes are no FlatBuffer.
bool hlo_flat_root(const flat_file *file, uint64_t *table);
// Where the field of the table is, 0 when it is absent. False: not all of that is in the file.
bool hlo_flat_field(const flat_file *file, uint64_t table, uint32_t field, uint64_t *out);
// Fields by type; false if absent. A vector's elements take `size` bytes each, and are all in the
// file.
bool hlo_flat_field_number(const flat_file *file, uint64_t table, uint32_t field, size_t size,
                           uint32_t *out);
bool hlo_flat_field_vector(const flat_file *file, uint64_t table, uint32_t field, size_t size,
                           flat_vector *out);
bool hlo_flat_field_table(const flat_file *file, uint64_t table, uint32_t field, uint64_t *out);
// Element i of a vector of tables, or of texts.
bool hlo_flat_table_in(const flat_file *file, flat_vector tables, uint32_t i, uint64_t *out);
bool hlo_flat_text_in(const flat_file *file, flat_vector texts, uint32_t i, flat_vector *out);

#endif
