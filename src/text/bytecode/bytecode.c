// The sections of MLIR's binary form: strings, dialects, where attributes and types are, resources.
// See bytecode.h.
#include "text/bytecode/bytecode.h"

#include "text/mlir/parser.h"

#include <string.h>

enum { OLDEST_WITH_DIALECT_VERSIONS = 1, OLDEST_WITH_NAME_COUNT = 4, OLDEST_WITH_PROPERTIES = 5 };

// --- sections ---

// Lengths of the strings, the last one first, then the strings, each with a zero after it.
static hlo_status read_strings(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_count(b, in, &b->string_count, error));
  HLO_ALLOC(b->strings, &b->arena, b->string_count, error);
  const char *end = in->end;
  for (int32_t i = b->string_count; i-- > 0;) {
    const char *at = in->at;
    uint64_t length;
    HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
    if (length == 0 || in->at > end || length > (uint64_t)(end - in->at))
      return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "no string has %llu bytes here",
                               (unsigned long long)length);
    end -= length;
    b->strings[i] = (mlir_slice){end, (size_t)length - 1};
  }
  return HLO_OK;
}

// Names of dialects, of which some have a version that says nothing here.
static hlo_status read_dialect_names(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_count(b, in, &b->dialect_count, error));
  HLO_ALLOC(b->dialects, &b->arena, b->dialect_count, error);
  for (int32_t i = 0; i < b->dialect_count; i++) {
    const char *at = in->at;
    mlir_bytes version;
    uint64_t name, is_versioned = 0;
    HLO_TRY(hlo_bytecode_varint(b, in, &name, error));
    if (b->version >= OLDEST_WITH_DIALECT_VERSIONS) is_versioned = name & 1, name >>= 1;
    if (name >= (uint64_t)b->string_count)
      return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "the dialect has no name");
    if (is_versioned) HLO_TRY(hlo_bytecode_nested_section(b, in, &version, error));
    b->dialects[i] = b->strings[name];
  }
  return HLO_OK;
}

// Names of operations, grouped by dialect.
static hlo_status read_dialects(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  uint64_t total;
  int32_t dialect, count;
  HLO_TRY(read_dialect_names(b, in, error));
  if (b->version >= OLDEST_WITH_NAME_COUNT) HLO_TRY(hlo_bytecode_varint(b, in, &total, error));
  HLO_ALLOC(b->operations, &b->arena, in->end - in->at, error); // each takes a byte or more
  while (in->at < in->end) {
    HLO_TRY(hlo_bytecode_index(b, in, b->dialect_count, "dialect", &dialect, error));
    HLO_TRY(hlo_bytecode_count(b, in, &count, error));
    for (; count > 0; count--) {
      const char *at = in->at;
      uint64_t name;
      HLO_TRY(hlo_bytecode_varint(b, in, &name, error));
      if (b->version >= OLDEST_WITH_PROPERTIES) name >>= 1; // the bit: the dialect knows it
      if (name >= (uint64_t)b->string_count)
        return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "the operation has no name");
      b->operations[b->operation_count++] =
          (mlir_operation_name){.dialect = b->dialects[dialect], .name = b->strings[name]};
    }
  }
  return HLO_OK;
}

// How long the encodings of attributes and types are, grouped by dialect; they stand one after the
// other in the section of values.
static hlo_status read_values(mlir_bytecode *b, mlir_bytes *in, mlir_bytes *values,
                              hlo_error *error) {
  int32_t left = 0;
  mlir_encoded *next = NULL;
  for (int kind = 0; kind < 2; kind++)
    HLO_TRY(hlo_bytecode_count(b, in, kind == 0 ? &b->attribute_count : &b->type_count, error));
  HLO_ALLOC(b->attributes, &b->arena, b->attribute_count, error);
  HLO_ALLOC(b->types, &b->arena, b->type_count, error);
  for (int kind = 0; kind < 2; kind++) {
    int32_t dialect, group;
    next = kind == 0 ? b->attributes : b->types;
    for (left = kind == 0 ? b->attribute_count : b->type_count; left > 0; left -= group) {
      HLO_TRY(hlo_bytecode_index(b, in, b->dialect_count, "dialect", &dialect, error));
      HLO_TRY(hlo_bytecode_index(b, in, (int64_t)left + 1, "group of size", &group, error));
      for (int32_t i = 0; i < group; i++) {
        uint64_t size;
        mlir_slice slice;
        HLO_TRY(hlo_bytecode_varint(b, in, &size, error));
        HLO_TRY(hlo_bytecode_read_slice(b, values, size >> 1, &slice, error));
        *next++ = (mlir_encoded){dialect, (size & 1) != 0, {slice.at, slice.at + slice.length}};
      }
    }
  }
  return HLO_OK;
}

static hlo_status read_properties(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_count(b, in, &b->property_count, error));
  HLO_ALLOC(b->properties, &b->arena, b->property_count, error);
  for (int32_t i = 0; i < b->property_count; i++) {
    uint64_t length;
    HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
    HLO_TRY(hlo_bytecode_read_slice(b, in, length, &b->properties[i], error));
  }
  return HLO_OK;
}

// Alignment, length, what fills the gap, the data.
static hlo_status read_resource(mlir_bytecode *b, mlir_slice encoded, mlir_slice *out,
                                hlo_error *error) {
  mlir_bytes in = {encoded.at, encoded.at + encoded.length};
  uint64_t alignment, length;
  HLO_TRY(hlo_bytecode_varint(b, &in, &alignment, error));
  HLO_TRY(hlo_bytecode_varint(b, &in, &length, error));
  HLO_TRY(hlo_bytecode_align(b, &in, encoded.at, alignment, error));
  return hlo_bytecode_read_slice(b, &in, length, out, error);
}

// Groups of resources, data that attributes name: first those of whoever wrote the file, which say
// nothing here, then those of dialects.
static hlo_status read_resources(mlir_bytecode *b, mlir_bytes *in, mlir_bytes *data,
                                 hlo_error *error) {
  enum { BLOB };
  int32_t external, count;
  HLO_TRY(hlo_bytecode_count(b, in, &external, error));
  HLO_ALLOC(b->resources, &b->arena, in->end - in->at, error); // each takes a byte or more
  for (int32_t group = 0; in->at < in->end; group++) {
    uint64_t owner, size;
    HLO_TRY(hlo_bytecode_varint(b, in, &owner, error));
    HLO_TRY(hlo_bytecode_count(b, in, &count, error));
    for (; count > 0; count--) {
      mlir_slice name, encoded;
      uint8_t kind;
      HLO_TRY(hlo_bytecode_string(b, in, &name, error));
      HLO_TRY(hlo_bytecode_varint(b, in, &size, error));
      HLO_TRY(hlo_bytecode_byte(b, in, &kind, error));
      HLO_TRY(hlo_bytecode_read_slice(b, data, size, &encoded, error));
      if (group < external) continue;
      mlir_slice *resource = &b->resources[b->resource_count++];
      if (kind == BLOB) HLO_TRY(read_resource(b, encoded, resource, error));
    }
  }
  return HLO_OK;
}

// --- the file ---

// The version and the producer.
static hlo_status read_head(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_varint(b, in, &b->version, error));
  const char *end = memchr(in->at, 0, (size_t)(in->end - in->at));
  if (end == NULL) return hlo_bytecode_ends_early(b, in, error);
  in->at = end + 1;
  return HLO_OK;
}

static hlo_status read_sections(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  static const char *const names[] = {"strings", "dialects", "values", "value offsets",
                                      "operations"};
  mlir_bytes sections[MLIR_SECTION_COUNT] = {{0}};
  while (in->at < in->end) {
    const char *at = in->at;
    uint8_t id;
    mlir_bytes contents;
    HLO_TRY(hlo_bytecode_section(b, in, &id, &contents, error));
    if (id >= MLIR_SECTION_COUNT) continue; // of a newer version
    if (sections[id].at != NULL)
      return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "a second section of kind %d", id);
    sections[id] = contents;
  }
  for (int id = 0; id <= MLIR_SECTION_OPERATIONS; id++)
    if (sections[id].at == NULL)
      return hlo_bytecode_fail(b, in->at, HLO_PARSE_ERROR, error, "there is no section of %s",
                               names[id]);
  HLO_TRY(read_strings(b, &sections[MLIR_SECTION_STRINGS], error));
  HLO_TRY(read_dialects(b, &sections[MLIR_SECTION_DIALECTS], error));
  HLO_TRY(
      read_values(b, &sections[MLIR_SECTION_VALUE_OFFSETS], &sections[MLIR_SECTION_VALUES], error));
  if (sections[MLIR_SECTION_RESOURCE_OFFSETS].at != NULL)
    HLO_TRY(read_resources(b, &sections[MLIR_SECTION_RESOURCE_OFFSETS],
                           &sections[MLIR_SECTION_RESOURCES], error));
  if (sections[MLIR_SECTION_PROPERTIES].at != NULL)
    HLO_TRY(read_properties(b, &sections[MLIR_SECTION_PROPERTIES], error));
  b->module = sections[MLIR_SECTION_OPERATIONS];
  return HLO_OK;
}

// A newer version is read as the newest one that is known: if that fails, it may be why.
static hlo_status blame_version(const mlir_bytecode *b, hlo_status status, hlo_error *error) {
  if (error == NULL || (status != HLO_PARSE_ERROR && status != HLO_UNSUPPORTED)) return status;
  hlo_error reason = *error;
  hlo_error_clear(error);
  return hlo_fail(error, HLO_UNSUPPORTED,
                  "%s (the file is version %llu of MLIR's bytecode; the newest known is %d)",
                  reason.message, (unsigned long long)b->version, (int)MLIR_NEWEST);
}

static const mlir_dialect_codes *const dialects[] = {&hlo_builtin_codes, &hlo_vhlo_codes,
                                                     &hlo_chlo_codes, &hlo_sdy_codes, NULL};
static const mlir_readers readers = {dialects,
                                     {[READ_INTEGER] = hlo_bytecode_next_integer,
                                      [READ_FLOAT] = hlo_bytecode_next_float,
                                      [READ_ARRAY] = hlo_bytecode_next_array,
                                      [READ_DENSE] = hlo_bytecode_next_dense}};

hlo_status hlo_bytecode_read(mlir_bytecode *b, const char *file, size_t length, mlir_slice bytecode,
                             hlo_error *error) {
  mlir_bytes in = {bytecode.at, bytecode.at + bytecode.length};
  *b = (mlir_bytecode){
      .file = file, .start = bytecode.at, .length = bytecode.length, .readers = &readers};
  if (length >= INT32_MAX)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "the program has %zu bytes; the limit is 2 GB",
                    length);
  if (!hlo_bytecode_has_magic(bytecode))
    return hlo_bytecode_fail(b, in.at, HLO_PARSE_ERROR, error, "this is no bytecode of MLIR");
  in.at += MLIR_MAGIC_LENGTH;
  HLO_TRY(read_head(b, &in, error));
  hlo_status status = read_sections(b, &in, error);
  if (status == HLO_OK) status = hlo_bytecode_write_operations(b, error);
  if (status == HLO_OK) status = hlo_string_status(&b->text, error);
  return b->version > MLIR_NEWEST ? blame_version(b, status, error) : status;
}

void hlo_bytecode_close(mlir_bytecode *b) {
  hlo_string_free(&b->text);
  hlo_arena_free(&b->arena);
}
