// Programs as text: HLO text and StableHLO (MLIR) text, both ways; and as bytes, serialized HLO
// modules and StableHLO's portable artifacts, which are read.
#ifndef HLO_TEXT_TEXT_H
#define HLO_TEXT_TEXT_H

#include "base/string.h"
#include "hlo/hlo.h"

#include <stdbool.h>

typedef enum hlo_text_format {
  HLO_FORMAT_DETECT, // HLO when the first word is HloModule or ENTRY or a computation, or the bytes
                     // are those of a serialized module, else StableHLO, which may be bytes
  HLO_FORMAT_HLO,
  HLO_FORMAT_STABLEHLO,
} hlo_text_format;

// Computes the instruction's results from its operands: each an array without padding in row-major
// order, results one for each leaf. The instruction's shapes are checked. An error leaves the value
// unknown.
typedef hlo_status hlo_fold_function(const hlo_instruction *instruction,
                                     const void *const *operands, void *const *results,
                                     hlo_error *error);

// What a program with sizes of '?' needs besides its text: it is refined while it is read, and the
// module has no such sizes (text/stablehlo/import/dynamic.c). passes/lower/refine_shapes.h fills in
// fold.
typedef struct hlo_parse_options {
  hlo_text_format format;
  // Of a file of jax.export: the platform for which the program is wanted if it is there for
  // several, NULL for any; and which of the file's programs, see hlo_jax_export_open.
  const char *platform;
  int32_t vjp;
  int32_t platform_index; // of a program without a list of platforms, from 0
  // Shapes of the entry's arguments; none: they are what the program states.
  int32_t shape_count;
  const hlo_shape *const *shapes;
  // Elements of the entry's arguments in row-major order, NULL where they are not known, for sizes
  // that depend on them; NULL: none are. Only lists of few integers are looked at.
  const void *const *values;
  bool *asked; // out, or NULL: for each argument, whether its elements were looked at
  // out, or NULL: of a program that fails with HLO_OPEN_PROGRAM, the types of its arguments, as
  // shapes with '?' separated by blanks, then the names of the arguments, one per line
  hlo_string *argument_types;
  hlo_fold_function *fold; // what sizes are computed with; NULL: they must be constants
} hlo_parse_options;
hlo_status hlo_parse_with(const char *text, size_t length, const hlo_parse_options *options,
                          hlo_module **out, hlo_error *error);

// Parses and verifies a program (text need not be zero-terminated). Errors carry line and column,
// and the message ends with the source line and a caret under the column. *out is owned by the
// caller: hlo_module_destroy.
hlo_status hlo_parse(const char *text, size_t length, hlo_text_format format, hlo_module **out,
                     hlo_error *error);
hlo_status hlo_parse_hlo(const char *text, size_t length, hlo_module **out, hlo_error *error);
// A module without @main has entry NULL when it has several functions; each function is a
// computation with is_function set.
hlo_status hlo_parse_stablehlo(const char *text, size_t length, hlo_module **out, hlo_error *error);
hlo_status hlo_parse_stablehlo_with(const char *text, size_t length,
                                    const hlo_parse_options *options, hlo_module **out,
                                    hlo_error *error);

// A StableHLO portable artifact (MLIR bytecode of the VHLO dialect), or a file that jax.export
// serialized, which contains one: recognised by their first bytes. hlo_parse accepts them, too.
// Errors give the byte offset instead of a line.
bool hlo_is_bytecode(const char *bytes, size_t length);
hlo_status hlo_parse_bytecode_with(const char *bytes, size_t length,
                                   const hlo_parse_options *options, hlo_module **out,
                                   hlo_error *error);

// A serialized HLO module (HloModuleProto), alone or in the message that wraps it (HloProto).
// hlo_parse takes it, too. Where in the bytes it starts, and the bytes that are left of it; NULL:
// there is none.
const char *hlo_find_proto(const char *bytes, size_t length, size_t *module_length);
// Errors give the byte offset instead of a line.
hlo_status hlo_parse_proto(const char *bytes, size_t length, hlo_module **out, hlo_error *error);

// Parses instruction attributes as HLO text writes them ("dimensions={0,1}, is_stable=true") for
// builders. Computations are found by name in the module. Results live in the module's arena.
hlo_status hlo_parse_attributes(hlo_module *module, const char *text, size_t length,
                                hlo_attribute **out, int32_t *count, hlo_error *error);

// Prints so that parsing the output gives an equal module: print∘parse is a fixed point.
void hlo_print_hlo(hlo_string *out, const hlo_module *module);
// One attribute's value as HLO text has it ("{0,1}").
void hlo_print_attribute_value(hlo_string *out, const hlo_attribute *attribute);
// Fails with HLO_UNSUPPORTED, naming the instruction, for what StableHLO cannot say.
hlo_status hlo_print_stablehlo(hlo_string *out, const hlo_module *module, hlo_error *error);

#endif
