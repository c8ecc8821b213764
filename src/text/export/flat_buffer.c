// See flat_buffer.h.
#include "text/export/flat_buffer.h"

#include <string.h>

bool hlo_flat_number(const flat_file *file, uint64_t at, size_t size, uint32_t *out) {
  *out = 0;
  if (at > file->length || size > file->length - at) return false;
  memcpy(out, file->bytes + at, size);
  return true;
}

bool hlo_flat_root(const flat_file *file, uint64_t *table) {
  uint32_t root;
  bool found = hlo_flat_number(file, 0, 4, &root);
  *table = root;
  return found;
}

// The table starts with how far before it the list of fields is; that has its size, the table's,
// and how far into the table each field is.
bool hlo_flat_field(const flat_file *file, uint64_t table, uint32_t field, uint64_t *out) {
  uint32_t back, size, offset;
  *out = 0;
  if (!hlo_flat_number(file, table, 4, &back)) return false;
  uint64_t fields = table - (uint64_t)(int64_t)(int32_t)back; // wraps to what is not in the file
  if (!hlo_flat_number(file, fields, 2, &size)) return false;
  if (4 + 2 * (uint64_t)field + 2 > size) return true;
  if (!hlo_flat_number(file, fields + 4 + 2 * (uint64_t)field, 2, &offset)) return false;
  if (offset > 0) *out = table + offset;
  return true;
}

bool hlo_flat_field_number(const flat_file *file, uint64_t table, uint32_t field, size_t size,
                           uint32_t *out) {
  uint64_t at;
  *out = 0;
  return hlo_flat_field(file, table, field, &at) && at > 0 && hlo_flat_number(file, at, size, out);
}

// What is said where it is by how far it is from there.
static bool follow(const flat_file *file, uint64_t at, uint64_t *out) {
  uint32_t forward;
  bool found = hlo_flat_number(file, at, 4, &forward);
  *out = at + forward;
  return found;
}

static bool vector_at(const flat_file *file, uint64_t at, size_t size, flat_vector *out) {
  uint32_t count;
  *out = (flat_vector){0};
  if (!hlo_flat_number(file, at, 4, &count) || count > (file->length - at - 4) / size) return false;
  *out = (flat_vector){at + 4, count};
  return true;
}

bool hlo_flat_field_vector(const flat_file *file, uint64_t table, uint32_t field, size_t size,
                           flat_vector *out) {
  uint64_t at;
  *out = (flat_vector){0};
  return hlo_flat_field(file, table, field, &at) && at > 0 && follow(file, at, &at) &&
         vector_at(file, at, size, out);
}

bool hlo_flat_field_table(const flat_file *file, uint64_t table, uint32_t field, uint64_t *out) {
  return hlo_flat_field(file, table, field, out) && *out > 0 && follow(file, *out, out);
}

bool hlo_flat_table_in(const flat_file *file, flat_vector tables, uint32_t i, uint64_t *out) {
  return i < tables.count && follow(file, tables.at + 4 * (uint64_t)i, out);
}

bool hlo_flat_text_in(const flat_file *file, flat_vector texts, uint32_t i, flat_vector *out) {
  uint64_t at;
  *out = (flat_vector){0};
  return hlo_flat_table_in(file, texts, i, &at) && vector_at(file, at, 1, out);
}
