// Decodes MLIR bytecode to MLIR text for the parser: operations in generic form, one per line; the
// data of constants are referenced in the file. The encodings of each dialect's attributes and
// types are in vhlo.c, builtin.c and sdy.c. Sources: "MLIR Bytecode Format"
// (mlir.llvm.org/docs/BytecodeFormat), and the output of jaxlib for test programs
// (tests/fixtures/bytecode.py), from which the codes that the page leaves to dialects were
// inferred.
#ifndef HLO_TEXT_BYTECODE_BYTECODE_H
#define HLO_TEXT_BYTECODE_BYTECODE_H

#include "base/arena.h"
#include "base/string.h"
#include "hlo/name_table.h"

#include <stdbool.h>
#include <string.h>

// A part of the file that is still to be read.
typedef struct mlir_bytes {
  const char *at, *end;
} mlir_bytes;

typedef struct mlir_slice {
  const char *at;
  size_t length;
} mlir_slice;

// An attribute or a type, decoded whenever it is used.
typedef struct mlir_encoded {
  int32_t dialect;
  bool is_custom; // else it is text
  mlir_bytes bytes;
} mlir_encoded;

// The names of operations and the encodings of their properties: properties.c.
typedef struct mlir_operation_name {
  mlir_slice dialect, name;
  const char *text;                    // in the text, once that is known
  const char *structures, *properties; // of its row in the table, NULL: it has none
  bool is_function, is_return, is_cast;
  bool is_newer; // than the version in the table
} mlir_operation_name;

// A value is %name in the text.
typedef struct mlir_named_value {
  int32_t name, type;
} mlir_named_value;

typedef struct mlir_bytecode {
  const char *file; // all of it, which may be more than the bytecode: errors count bytes from there
  const char *start; // of the bytecode, length bytes
  size_t length;
  hlo_arena arena;
  const struct mlir_readers *readers;
  uint64_t version; // of the format
  int32_t string_count, dialect_count, operation_count, attribute_count, type_count;
  int32_t property_count, resource_count;
  mlir_slice *strings, *dialects, *properties;
  mlir_slice *resources; // data that attributes refer to by number; at is NULL for other kinds
  mlir_operation_name *operations;
  mlir_encoded *attributes, *types;
  mlir_bytes module;     // the top block
  int32_t depth;         // nesting of the text being written
  bool is_too_long;      // the text has reached its limit
  const char *operation; // that is being written
  int32_t value_count, value_capacity;
  mlir_named_value *values; // that are known there
  // The result: operations, each on one line, or two if it has regions.
  hlo_string text;
  size_t discarded;    // bytes written and removed again, which count as work
  hlo_name_table data; // of mlir_resource, referenced as dense_resource<name>
  int32_t *offsets;    // offsets[line - 1] is where in the file the line's operation is
  int32_t line_count, line_capacity;
} mlir_bytecode;

// Whether they start as bytecode does.
enum { MLIR_MAGIC_LENGTH = 4 };
static inline bool hlo_bytecode_has_magic(mlir_slice bytes) {
  return bytes.length >= MLIR_MAGIC_LENGTH && memcmp(bytes.at, "ML\xefR", MLIR_MAGIC_LENGTH) == 0;
}
// Reads the bytecode that is somewhere in the file. Both must outlive the result; close also after
// an error.
hlo_status hlo_bytecode_read(mlir_bytecode *out, const char *file, size_t length,
                             mlir_slice bytecode, hlo_error *error);
void hlo_bytecode_close(mlir_bytecode *bytecode);

// --- bytes (bytes.c) ---
enum { MLIR_NEWEST = 6 }; // version that is known
typedef enum mlir_section_id {
  MLIR_SECTION_STRINGS,
  MLIR_SECTION_DIALECTS,
  MLIR_SECTION_VALUES,
  MLIR_SECTION_VALUE_OFFSETS,
  MLIR_SECTION_OPERATIONS,
  MLIR_SECTION_RESOURCES,
  MLIR_SECTION_RESOURCE_OFFSETS,
  MLIR_SECTION_DIALECT_VERSIONS,
  MLIR_SECTION_PROPERTIES,
  MLIR_SECTION_COUNT
} mlir_section_id;
// An error at a place of the file: "byte 12 of the file: …".
hlo_status hlo_bytecode_fail(const mlir_bytecode *bytecode, const char *at, hlo_status status,
                             hlo_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Of errors about what only portable artifacts say in a way that stays the same.
#define MLIR_WRITE_ARTIFACT                                                                        \
  "write the program as a portable artifact (stablehlo.serialize_portable_artifact, "              \
  "exported.mlir_module_serialized) or as text"
hlo_status hlo_bytecode_ends_early(const mlir_bytecode *bytecode, const mlir_bytes *bytes,
                                   hlo_error *error);
hlo_status hlo_bytecode_byte(mlir_bytecode *bytecode, mlir_bytes *bytes, uint8_t *out,
                             hlo_error *error);
hlo_status hlo_bytecode_varint(mlir_bytecode *bytecode, mlir_bytes *bytes, uint64_t *out,
                               hlo_error *error);
hlo_status hlo_bytecode_signed(mlir_bytecode *bytecode, mlir_bytes *bytes, int64_t *out,
                               hlo_error *error);
// A count or an index below `limit`; `what` names it in messages.
hlo_status hlo_bytecode_index(mlir_bytecode *bytecode, mlir_bytes *bytes, int64_t limit,
                              const char *what, int32_t *out, hlo_error *error);
// A count of items of at least a byte each.
hlo_status hlo_bytecode_count(mlir_bytecode *bytecode, mlir_bytes *bytes, int32_t *out,
                              hlo_error *error);
hlo_status hlo_bytecode_read_slice(mlir_bytecode *bytecode, mlir_bytes *bytes, uint64_t length,
                                   mlir_slice *out, hlo_error *error);
hlo_status hlo_bytecode_string(mlir_bytecode *bytecode, mlir_bytes *bytes, mlir_slice *out,
                               hlo_error *error);
// The bits of a number of so many bits: one byte up to 8, else zigzag.
hlo_status hlo_bytecode_bits(mlir_bytecode *bytecode, mlir_bytes *bytes, int32_t width,
                             int64_t *out, hlo_error *error);
// The number of an attribute that may be missing: -1.
hlo_status hlo_bytecode_optional_attribute(mlir_bytecode *bytecode, mlir_bytes *bytes, int32_t *out,
                                           hlo_error *error);
// After the bytes that fill the gap to a multiple of the alignment, counted from the start of the
// bytecode.
hlo_status hlo_bytecode_align(mlir_bytecode *bytecode, mlir_bytes *bytes, const char *at,
                              uint64_t alignment, hlo_error *error);
// Reads the next section; *out: its contents.
hlo_status hlo_bytecode_section(mlir_bytecode *bytecode, mlir_bytes *bytes, uint8_t *id,
                                mlir_bytes *out, hlo_error *error);
hlo_status hlo_bytecode_nested_section(mlir_bytecode *bytecode, mlir_bytes *bytes, mlir_bytes *out,
                                       hlo_error *error);
bool hlo_bytecode_is(mlir_slice slice, const char *text);

// An attribute or type that cannot be decoded is written as #dialect.unread<"why"> or
// !dialect.unread<"why">, an operation as builtin.unread: only a use of it fails, with that reason.
// So additions of newer versions do not affect programs that do not use them.
#define MLIR_UNREAD "unread"

// --- operations as text (operations.c) ---
hlo_status hlo_bytecode_write_operations(mlir_bytecode *bytecode, hlo_error *error);

// --- their names and attributes (properties.c) ---
// Fills in all but dialect and name.
hlo_status hlo_bytecode_resolve(mlir_bytecode *bytecode, mlir_operation_name *name,
                                hlo_error *error);
// Writes " <{name = value, …}>": the entries of the dictionary and properties with these numbers,
// -1 for none.
hlo_status hlo_bytecode_write_properties(mlir_bytecode *bytecode, const mlir_operation_name *name,
                                         int32_t dictionary, int32_t properties, hlo_error *error);

// --- writing the text (values.c) ---
void hlo_bytecode_add(mlir_bytecode *bytecode, const char *text);
// The name of an attribute: quoted if need be.
void hlo_bytecode_add_name(mlir_bytecode *bytecode, mlir_slice name);
void hlo_bytecode_add_quoted(mlir_bytecode *bytecode, mlir_slice text);
// Truncates the text to its first `length` bytes.
void hlo_bytecode_truncate_text(mlir_bytecode *bytecode, size_t length);
// Whether the error is recoverable: about an unknown encoding, not about the file's size. If so,
// clears it and truncates the text to `length` bytes.
bool hlo_bytecode_recover(mlir_bytecode *bytecode, hlo_status status, size_t length,
                          hlo_error *error);
// Writes dialect.unread<"why">, for a recovered error.
void hlo_bytecode_add_unread(mlir_bytecode *bytecode, mlir_slice dialect, const char *why);
// Fails when the text exceeds a limit proportional to the file: attributes refer to others, so that
// a small file could expand to exponential size.
hlo_status hlo_bytecode_check_length(mlir_bytecode *bytecode, const char *at, hlo_error *error);
// One more level of nesting, after that check; leave by depth--.
hlo_status hlo_bytecode_enter(mlir_bytecode *bytecode, const char *at, hlo_error *error);

// --- attributes and types as text (values.c) ---
hlo_status hlo_bytecode_write_attribute(mlir_bytecode *bytecode, int32_t number, hlo_error *error);
hlo_status hlo_bytecode_write_type(mlir_bytecode *bytecode, int32_t number, hlo_error *error);
// hlo_bytecode_next_*: decode the next item of the bytes, and advance.
typedef hlo_status hlo_bytecode_function(mlir_bytecode *bytecode, mlir_bytes *bytes,
                                         hlo_error *error);
// How many there are, and these, with ", " between them.
hlo_status hlo_bytecode_next_list(mlir_bytecode *bytecode, mlir_bytes *bytes,
                                  hlo_bytecode_function *next, hlo_error *error);
hlo_bytecode_function hlo_bytecode_next_attribute, hlo_bytecode_next_type;
// A list of attributes.
hlo_bytecode_function hlo_bytecode_next_attributes;
// "x" in quotes.
hlo_bytecode_function hlo_bytecode_next_string;
// A signed number; '?' for the lowest one, which stands for an open size; a list of these.
hlo_bytecode_function hlo_bytecode_next_size, hlo_bytecode_next_sizes;
// The text of an attribute that is a string. False if it is none.
bool hlo_bytecode_string_of(mlir_bytecode *bytecode, int32_t attribute, mlir_slice *out);
// The name of an attribute that is a location with a name. False if it is none.
bool hlo_bytecode_location_name(mlir_bytecode *bytecode, int32_t attribute, mlir_slice *out);
// The count and the entries of an attribute of builtin that is a dictionary. False if it is none.
bool hlo_bytecode_dictionary_of(mlir_bytecode *bytecode, int32_t attribute, mlir_bytes *out);

// --- numbers (numbers.c) ---
// "2 : i32" and "1.5 : f32": a type and bits.
hlo_bytecode_function hlo_bytecode_next_integer, hlo_bytecode_next_float;
// "i64: 1, 2": T, how many elements, how many bytes, and these.
hlo_bytecode_function hlo_bytecode_next_array;
// "dense<…> : T": T, how many bytes, and these.
hlo_bytecode_function hlo_bytecode_next_dense;
// "dense_resource<…>" of data that stay in the file.
hlo_status hlo_bytecode_write_data(mlir_bytecode *bytecode, mlir_slice data, hlo_error *error);

// --- dialects ---
// What reads the rest of an attribute or a type.
enum {
  READ_NOTHING,
  READ_ATTRIBUTE,
  READ_ATTRIBUTES, // a list
  READ_DICTIONARY, // "{name = value, …}": how many, then strings and attributes
  READ_STRING,
  READ_INTEGER, // and on, see above
  READ_FLOAT,
  READ_ARRAY,
  READ_DENSE,
  READ_SIZES,
  READ_TYPE,
  READ_TYPES,          // a list
  READ_FUNCTION,       // "(T, …) -> (T, …)" of two lists of types
  READ_TENSOR,         // "2x?xT": how many sizes, these, and the element type
  READ_ENCODED_TENSOR, // "2xT, encoding": the encoding comes first, but stands last in the text
  READ_SKIPPED,        // the rest carries no information
  READ_OWN,            // and above: readers specific to the dialect
};

// An attribute or a type starts with a code, the index of a row of its dialect's table: text to
// write first; words, separated by blanks, of which the following number selects one; the reader of
// the rest (READ_…); text to write last. All zero: unknown.
typedef struct mlir_code {
  const char *before, *words, *behind;
  uint8_t reader;
} mlir_code;

typedef struct mlir_dialect_codes {
  const char *name;
  int32_t attribute_count, type_count;
  const mlir_code *attributes, *types;
  hlo_bytecode_function *const *own;       // from READ_OWN on
  uint64_t string_code;                    // of attributes
  bool is_builtin;                         // has these, too:
  uint64_t dictionary_code, location_code; // of locations with a name
} mlir_dialect_codes;

// What values.c reads through without calling it: those files call values.c for what is nested.
typedef struct mlir_readers {
  const mlir_dialect_codes *const *dialects; // up to NULL
  hlo_bytecode_function *numbers[READ_OWN];  // of numbers.c
} mlir_readers;

// builtin.c, vhlo.c (CHLO's too), sdy.c
extern const mlir_dialect_codes hlo_builtin_codes, hlo_vhlo_codes, hlo_chlo_codes, hlo_sdy_codes;

#endif
