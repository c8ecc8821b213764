// See jax_export.h. Sources: "FlatBuffers Internals" (flatbuffers.dev) for tables and vectors;
// which field is which was seen in files (tests/fixtures/bytecode.py). The platforms that a program
// was exported for are not looked at: StableHLO says the same on all of them. Nor is the file's
// version: newer ones add fields to the end of tables, which keep their places. What the program's
// arguments are is the calling convention, which has a number of its own.
#include "text/jax_export.h"

#include <string.h>

enum {                   // fields of the table at the root
  FIELD_MODULE = 13,     // a vector of bytes
  FIELD_CONVENTION = 14, // 16 bits: the version of how the program takes its arguments
};
enum { OLDEST_CONVENTION = 9, NEWEST_CONVENTION = 10 };

typedef struct flat_file {
  const char *bytes;
  uint64_t length;
} flat_file;

// The number of so many bytes at a place. False: it is not in the file.
static bool read_number(const flat_file *file, uint64_t at, size_t size, uint32_t *out) {
  *out = 0;
  if (at > file->length || size > file->length - at) return false;
  memcpy(out, file->bytes + at, size);
  return true;
}

// Where the field of the table is, 0 when it is absent. The table starts with how far before it the
// list of fields is; that has its size, the table's, and how far into the table each field is.
static bool find_field(const flat_file *file, uint64_t table, uint32_t field, uint64_t *out) {
  uint32_t back, size, offset;
  *out = 0;
  if (!read_number(file, table, 4, &back)) return false;
  uint64_t fields = table - (uint64_t)(int64_t)(int32_t)back; // wraps to what is not in the file
  if (!read_number(file, fields, 2, &size)) return false;
  if (4 + 2 * (uint64_t)field + 2 > size) return true;
  if (!read_number(file, fields + 4 + 2 * (uint64_t)field, 2, &offset)) return false;
  if (offset > 0) *out = table + offset;
  return true;
}

bool hlo_jax_export_module(const char *bytes, size_t length, mlir_slice *module) {
  const flat_file file = {bytes, length};
  uint32_t root, forward, size;
  uint64_t field;
  if (!read_number(&file, 0, 4, &root) || !find_field(&file, root, FIELD_MODULE, &field) ||
      field == 0 || !read_number(&file, field, 4, &forward))
    return false;
  uint64_t vector = field + forward;
  if (!read_number(&file, vector, 4, &size) || size > file.length - vector - 4) return false;
  *module = (mlir_slice){bytes + vector + 4, size};
  return true;
}

static uint32_t small_number(const flat_file *file, uint32_t field) {
  uint32_t root, value;
  uint64_t at;
  bool found = read_number(file, 0, 4, &root) && find_field(file, root, field, &at) && at > 0 &&
               read_number(file, at, 2, &value);
  return found ? value : 0;
}

hlo_status hlo_jax_export_check(const char *bytes, size_t length, mlir_slice *module,
                                hlo_error *error) {
  const flat_file file = {bytes, length};
  if (!hlo_jax_export_module(bytes, length, module))
    return hlo_fail(error, HLO_PARSE_ERROR, "this is no file of jax.export");
  uint32_t convention = small_number(&file, FIELD_CONVENTION);
  if (convention >= OLDEST_CONVENTION && convention <= NEWEST_CONVENTION) return HLO_OK;
  return hlo_fail(error, HLO_UNSUPPORTED,
                  "this file of jax.export has calling convention %u; known are %d to %d. The "
                  "program alone, exported.mlir_module_serialized, may be read",
                  convention, (int)OLDEST_CONVENTION, (int)NEWEST_CONVENTION);
}
