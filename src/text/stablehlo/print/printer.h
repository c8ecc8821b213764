// The printer from HLO to StableHLO text.
#ifndef HLO_TEXT_STABLEHLO_PRINT_PRINTER_H
#define HLO_TEXT_STABLEHLO_PRINT_PRINTER_H

#include "base/string.h"
#include "hlo/hlo.h"
#include "text/attributes/lexer.h"
#include "text/stablehlo/attributes.h"

// The text's counterpart of an instruction: a named value ("%3", "%1#2"), or a tuple of such.
// StableHLO's operations have several operands and results where HLO's have tuples, so most tuples
// never appear.
typedef struct stablehlo_value {
  const char *name; // NULL: elements[shape->element_count] are the value
  const hlo_shape *shape;
  const struct stablehlo_value **elements;
} stablehlo_value;

typedef struct stablehlo_values {
  int32_t count;
  const stablehlo_value **items;
} stablehlo_values;

typedef struct stablehlo_printer {
  hlo_string *out;
  hlo_arena arena; // values and names
  const hlo_module *module;
  const char **function_names; // by computation index; NULL: no function
  bool *is_queued;             // by computation index
  int32_t queue_count;         // functions printed or to be printed
  const hlo_computation **queue;
  const stablehlo_value **values;  // of the computation being printed, by instruction id
  const hlo_computation *function; // being printed
  bool is_said; // whether its universal attributes are printed: see hlo_print_close
  int32_t indent;
  int32_t next_number, next_argument, next_suffix; // of names in the function
  uint32_t used_names;                             // bits: which of the named values are taken
  int64_t elements_left;     // of tuple types, each of which is written at every use
  int64_t instructions_left; // regions are written where they are used: that must end
} stablehlo_printer;

typedef hlo_status stablehlo_print_function(stablehlo_printer *printer,
                                            const hlo_instruction *instruction, hlo_error *error);

// --- literals.c: types, literals ---
hlo_status hlo_print_mlir_type(stablehlo_printer *printer, const hlo_shape *shape,
                               hlo_error *error);
// "T, T, …" of the values.
hlo_status hlo_print_mlir_types(stablehlo_printer *printer, const stablehlo_values *values,
                                hlo_error *error);
// "(T, T) -> T" or "-> (T, T)".
hlo_status hlo_print_function_type(stablehlo_printer *printer, const stablehlo_values *operands,
                                   const stablehlo_values *results, hlo_error *error);
hlo_status hlo_print_dense(stablehlo_printer *printer, const hlo_literal *literal,
                           hlo_error *error);
void hlo_print_mlir_float(hlo_string *out, hlo_type type, const void *element);
void hlo_print_mlir_quoted(hlo_string *out, const char *text);

// --- values.c: names ---
void hlo_print_names(hlo_string *out, const stablehlo_values *values);

// A new named value; names are "%" and the text.
hlo_status hlo_print_new_value(stablehlo_printer *printer, const char *name, const hlo_shape *shape,
                               const stablehlo_value **out, hlo_error *error);
hlo_status hlo_print_new_argument(stablehlo_printer *printer, const hlo_shape *shape,
                                  const stablehlo_value **out, hlo_error *error);
// A tuple of values.
hlo_status hlo_print_new_tuple(stablehlo_printer *printer, const hlo_shape *shape,
                               const stablehlo_value **elements, const stablehlo_value **out,
                               hlo_error *error);
// "%cst", "%iterArg", …: the first one plain, later ones with a number after.
typedef enum stablehlo_name { STABLEHLO_CST, STABLEHLO_C, STABLEHLO_ITER_ARG } stablehlo_name;
hlo_status hlo_print_new_name(stablehlo_printer *printer, stablehlo_name name, const char **out,
                              hlo_error *error);

// Starts a line: "%3:2 = " for results of these shapes, which become `results`. name NULL: the next
// number.
hlo_status hlo_print_begin(stablehlo_printer *printer, const char *name, int32_t count,
                           const hlo_shape *const *shapes, stablehlo_values *results,
                           hlo_error *error);
void hlo_print_indent(stablehlo_printer *printer);

// The operand's value as one name; a tuple is first built by a separate operation.
hlo_status hlo_print_single(stablehlo_printer *printer, const stablehlo_value *value,
                            const stablehlo_value **out, hlo_error *error);
// The operation that makes a tuple of values with names; x, which may be NULL, says the rest.
hlo_status hlo_print_tuple_of(stablehlo_printer *printer, const hlo_instruction *x,
                              const hlo_shape *shape, const stablehlo_values *elements,
                              const stablehlo_value **out, hlo_error *error);
// An element of a tuple that has a name, by an operation; x as there.
hlo_status hlo_print_element_of(stablehlo_printer *printer, const hlo_instruction *x,
                                const stablehlo_value *tuple, int32_t index,
                                const stablehlo_value **out, hlo_error *error);
// All arrays and tokens in the value, in order, added to the list (which has room).
hlo_status hlo_print_flatten(stablehlo_printer *printer, const stablehlo_value *value,
                             stablehlo_values *out, hlo_error *error);
// A list with room for all leaves of the shape, or for `count` values.
hlo_status hlo_print_new_list(stablehlo_printer *printer, int64_t count, stablehlo_values *out,
                              hlo_error *error);
// The value of the shape whose leaves are those from *next on.
hlo_status hlo_print_unflatten(stablehlo_printer *printer, const hlo_shape *shape,
                               const stablehlo_values *leaves, int32_t *next,
                               const stablehlo_value **out, hlo_error *error);
// The shapes of the leaves, or of the results that a function or a custom call has for the shape.
hlo_status hlo_print_leaf_shapes(stablehlo_printer *printer, const hlo_shape *shape, int32_t *count,
                                 const hlo_shape ***out, hlo_error *error);
int32_t hlo_print_result_shapes(const hlo_shape *const *shape, const hlo_shape *const **out);

// --- operands.c: values of instructions ---
hlo_status hlo_print_operand(stablehlo_printer *printer, const hlo_instruction *instruction,
                             int32_t index, const stablehlo_value **out, hlo_error *error);
hlo_status hlo_print_single_operands(stablehlo_printer *printer, const hlo_instruction *instruction,
                                     stablehlo_values *out, hlo_error *error);
// The results of hlo_print_begin become the instruction's value.
hlo_status hlo_print_set_results(stablehlo_printer *printer, const hlo_instruction *instruction,
                                 const stablehlo_values *results, hlo_error *error);
// Starts the line of an operation whose operands have names, "%3 = " and `text`; and ends one with
// the types of both and the end of the line.
hlo_status hlo_print_begin_operation(stablehlo_printer *printer, const hlo_instruction *instruction,
                                     const char *text, stablehlo_values *operands,
                                     stablehlo_values *results, hlo_error *error);
hlo_status hlo_print_finish_operation(stablehlo_printer *printer,
                                      const hlo_instruction *instruction,
                                      const stablehlo_values *operands,
                                      const stablehlo_values *results, hlo_error *error);
void hlo_print_set_value(stablehlo_printer *printer, const hlo_instruction *instruction,
                         const stablehlo_value *value);
hlo_status hlo_print_unsupported(const hlo_instruction *instruction, hlo_error *error);

// --- instruction.c ---
// Any instruction, by its function or by the tables of ops.c.
stablehlo_print_function hlo_print_instruction;

// --- printer.c: regions, functions ---
// The body of a computation in braces, up to the closing one, its parameters being the arguments.
hlo_status hlo_print_region(stablehlo_printer *printer, const hlo_computation *computation,
                            const stablehlo_values *arguments, hlo_error *error);
// The same with "^bb0(…):" for new arguments of the parameters' shapes.
hlo_status hlo_print_labelled_region(stablehlo_printer *printer, const hlo_computation *computation,
                                     hlo_error *error);
// "@name" of a function, which is printed in its turn.
const char *hlo_print_function_name(stablehlo_printer *printer, const hlo_computation *computation);

// --- universal.c: attributes that any instruction may have ---
// A dictionary of attributes that is being written, " {a = 1, b = 2}"; nothing without entries.
typedef struct stablehlo_dictionary {
  const char *open; // NULL: " {"
  int32_t count;
} stablehlo_dictionary;
// Starts an entry: "name = ".
void hlo_print_entry(stablehlo_printer *printer, stablehlo_dictionary *dictionary,
                     const char *name);
// Adds the instruction's universal attributes, and ends the dictionary. Every printer does this
// once, or hlo_print_common without entries of its own; hlo_print_finish_operation does if it was
// not done.
hlo_status hlo_print_close(stablehlo_printer *printer, const hlo_instruction *instruction,
                           stablehlo_dictionary *dictionary, hlo_error *error);
hlo_status hlo_print_common(stablehlo_printer *printer, const hlo_instruction *instruction,
                            hlo_error *error);
// Whether there is something of it; and fails if so.
bool hlo_print_has_common(const hlo_instruction *instruction);
hlo_status hlo_print_check_common(const hlo_instruction *instruction, hlo_error *error);
// The text of an attribute, which may be in HLO's quotation marks, as a string of MLIR.
hlo_status hlo_print_text_of(stablehlo_printer *printer, const hlo_instruction *instruction,
                             hlo_attribute_id id, hlo_error *error);
// Whether the `count` results of a function whose root this is say all that the root says: out[i]
// (unless NULL) is the sharding of result i.
bool hlo_print_result_shardings(const hlo_instruction *root, int32_t count, hlo_token *out);

// --- ops.c: operations by form or attribute table ---
stablehlo_print_function hlo_print_operation;
void hlo_print_int_list(hlo_string *out, int32_t count, const int64_t *ints);
void hlo_print_int_array(hlo_string *out, int32_t count, const int64_t *ints);
// "[HIGHEST, DEFAULT]" of "highest,default"; with the enumeration of a dialect unless NULL.
void hlo_print_precision(hlo_string *out, const char *text, const char *dialect);
// " <{…}>" with all attributes that the table lists for the opcode, if any.
void hlo_print_properties(stablehlo_printer *printer, const hlo_instruction *instruction);
// " ({…}, {…})" of the computations in to_apply, or in select and scatter.
hlo_status hlo_print_regions(stablehlo_printer *printer, const hlo_instruction *instruction,
                             hlo_error *error);

// --- custom.c ---
// " {…}" with what a custom call says besides its target, if anything.
hlo_status hlo_print_custom_attributes(stablehlo_printer *printer,
                                       const hlo_instruction *instruction, hlo_error *error);

// --- operations whose form differs from HLO's ---
// movement.c
stablehlo_print_function hlo_print_slice, hlo_print_pad, hlo_print_dynamic_reshape,
    hlo_print_bitcast;
// contractions.c; window: reduce-window and select-and-scatter
stablehlo_print_function hlo_print_dot, hlo_print_convolution, hlo_print_window;
// special.c; transfer: infeed and outfeed; start: send and recv, and done
stablehlo_print_function hlo_print_constant, hlo_print_rng, hlo_print_top_k, hlo_print_after_all,
    hlo_print_all_to_all, hlo_print_transfer, hlo_print_start, hlo_print_done;
// control.c; call: a fusion, too
stablehlo_print_function hlo_print_reduce, hlo_print_scan, hlo_print_while, hlo_print_conditional,
    hlo_print_barrier, hlo_print_call, hlo_print_custom_call;

// unsaid.c: fails with the name of an attribute that no form says, or that was not said.
hlo_status hlo_print_check_said(const stablehlo_printer *printer,
                                const hlo_instruction *instruction, hlo_error *error);
// Whether the pretty form of the operation has a place for each attribute that the instruction has.
bool hlo_stablehlo_form_says_all(const hlo_instruction *instruction, const char *format);
// Whether the operation has one at all: the default form has no place for attributes.
bool hlo_stablehlo_is_pretty(hlo_opcode opcode, const char *format);

#endif
