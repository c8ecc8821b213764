// The importer: from the syntax tree of a StableHLO program to HLO. Source of the semantics:
// "StableHLO Specification".
#ifndef HLO_TEXT_STABLEHLO_IMPORT_IMPORT_H
#define HLO_TEXT_STABLEHLO_IMPORT_IMPORT_H

#include "base/string.h"
#include "hlo/hlo.h"
#include "text/mlir/parser.h"
#include "text/text.h"

typedef struct stablehlo_function {
  const mlir_operation *operation; // func.func
  hlo_computation *computation;    // NULL until it is imported
  bool is_open;                    // its calls are being looked at
  bool is_called;                  // by the entry, outside of its branches and loops
  hlo_error *left_out;             // it is not, and cannot be imported: why, or NULL
  mlir_list calls;                 // attributes that name functions
  mlir_list sure_calls;            // those outside of branches and loops
  bool waits; // imported anew for each kind of arguments, or left out: computation stays NULL
  mlir_list specialisations; // dynamic_functions.c's
} stablehlo_function;

typedef struct stablehlo_environment stablehlo_environment;

// Values of the tree carry the instruction that they are in the computation being filled.
typedef struct stablehlo_importer {
  mlir_parser *parser;
  hlo_module *module;
  hlo_computation *computation;    // being filled
  const mlir_operation *operation; // being imported: the place of new instructions
  const char *name;                // of the next instruction, or NULL
  char name_buffer[100];
  hlo_name_table functions;        // of stablehlo_function
  mlir_list order;                 // the functions as they stand in the text
  const stablehlo_function *entry; // functions that it does not call may be left out; or NULL
  mlir_list meshes;                // operations sdy.mesh
  mlir_list shared_results;        // of manual computations: see text/shardy/import.c
  mlir_list finished;              // computations, callees before callers
  const hlo_parse_options *options;
  mlir_list environments;                 // of stablehlo_environment, by the computation's number
  const void *const *const *entry_values; // by argument, NULL where they are not known
  bool may_have_values;                   // which they could be
  int32_t levels, calls_deep;
  int32_t manual_levels; // sdy.manual_computation around the operation being imported
  int64_t computed_elements;
} stablehlo_importer;

typedef hlo_status hlo_import_function(stablehlo_importer *importer,
                                       const mlir_operation *operation, hlo_error *error);

// --- import.c, functions.c, operations.c: programs, functions, operations ---
// hlo_parse_stablehlo_with of a text that names resources (see hlo_mlir_parse).
hlo_status hlo_import_text(const char *text, size_t length, const hlo_name_table *resources,
                           const hlo_parse_options *options, hlo_module **out, hlo_error *error);
hlo_status hlo_import_operations(stablehlo_importer *importer, const mlir_region *region,
                                 hlo_error *error);
hlo_import_function hlo_import_operation;
// What the region's last operation returns, as one instruction; the computation's root.
hlo_status hlo_import_finish(stablehlo_importer *importer, const mlir_region *region,
                             const char *terminator, hlo_error *error);
// A declaration has none; in generic form that is a region without operations, and it is private.
bool hlo_import_has_body(const stablehlo_function *function);
// "" where it has none.
const char *hlo_import_function_name(const mlir_operation *operation);
// NULL and an error when there is no such function. Its computation is NULL when it waits.
hlo_status hlo_import_resolve_function(stablehlo_importer *importer,
                                       const mlir_operation *operation,
                                       const mlir_attribute *symbol, stablehlo_function **out,
                                       hlo_error *error);
// The function's computation for what it states, unless the function is left out, because it
// contains something unknown and the entry does not reach it.
hlo_status hlo_import_whole_function(stablehlo_importer *importer, stablehlo_function *function,
                                     hlo_error *error);
// Fills *out, a new computation, from the function. shapes: its arguments' (NULL: as they are
// typed); values: their known values (NULL: none). Leaves the importer at that computation.
hlo_status hlo_import_function_for(stablehlo_importer *importer, stablehlo_function *function,
                                   const hlo_shape *const *shapes, const void *const *const *values,
                                   hlo_computation **out, hlo_error *error);
// The computation of the function that the symbol names, for `count` operands; NULL: for any that
// have the types it states.
hlo_status hlo_import_callee(stablehlo_importer *importer, const mlir_operation *operation,
                             const mlir_attribute *symbol, int32_t count,
                             hlo_instruction *const *operands, hlo_computation **out,
                             hlo_error *error); // dynamic_functions.c

// --- operands.c, instructions.c, pieces.c ---
// Fails with a message about the operation, at its place.
hlo_status hlo_import_fail(const mlir_operation *operation, hlo_status status, hlo_error *error,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));
// "%cst_0" names an instruction, "%0" does not: NULL for those, else a name in the buffer.
const char *hlo_import_name_from(const char *name, char *buffer, size_t size);
// Appends one instruction. The shape stands as it is: verification comes at the end.
hlo_status hlo_import_emit(stablehlo_importer *importer, hlo_opcode opcode, const hlo_shape *shape,
                           int32_t operand_count, hlo_instruction *const *operands,
                           int32_t attribute_count, const hlo_attribute *attributes,
                           hlo_instruction **out, hlo_error *error);
// The next instruction is named after the operation's result, if that has a name.
void hlo_import_name_next(stablehlo_importer *importer, const mlir_operation *operation);
// One of the operation's operands in this computation.
hlo_status hlo_import_operand(stablehlo_importer *importer, const mlir_operation *operation,
                              int32_t index, hlo_instruction **out, hlo_error *error);
// All of them, in an array in the tree's arena.
hlo_status hlo_import_operands(stablehlo_importer *importer, const mlir_operation *operation,
                               hlo_instruction ***out, hlo_error *error);
hlo_status hlo_import_operand_count(const mlir_operation *operation, int32_t count,
                                    hlo_error *error);
hlo_status hlo_import_value_shape(const mlir_operation *operation, const mlir_value *value,
                                  const hlo_shape **out, hlo_error *error);
// The shape of the one result, or the tuple of all.
hlo_status hlo_import_result_shape(stablehlo_importer *importer, const mlir_operation *operation,
                                   const hlo_shape **out, hlo_error *error);
// The operation's result is the instruction, which has the shape that is stated.
hlo_status hlo_import_set_result(const mlir_operation *operation, int32_t index,
                                 hlo_instruction *instruction, hlo_error *error);
// The operation's results are the instruction: itself for one, its elements for several.
hlo_status hlo_import_set_results(stablehlo_importer *importer, const mlir_operation *operation,
                                  hlo_instruction *instruction, hlo_error *error);
// The instructions as one: itself when there is one, else a tuple.
hlo_status hlo_import_tuple(stablehlo_importer *importer, int32_t count,
                            hlo_instruction *const *elements, hlo_instruction **out,
                            hlo_error *error);
hlo_status hlo_import_element(stablehlo_importer *importer, hlo_instruction *tuple, int32_t index,
                              hlo_instruction **out, hlo_error *error);
// Same dimensions as `like`, another element type.
hlo_status hlo_import_shape_like(stablehlo_importer *importer, const hlo_shape *like, hlo_type type,
                                 const hlo_shape **out, hlo_error *error);

// --- text/stablehlo/attribute_values.c: single attributes; errors are at their place ---
// The integers of any list: array<i64>, [1, [2, 3]], dense<…>. NULL and 0 when absent.
hlo_status hlo_import_ints(stablehlo_importer *importer, const mlir_attribute *attribute,
                           int32_t *count, const int64_t **out, hlo_error *error);
hlo_status hlo_import_named_ints(stablehlo_importer *importer, const mlir_operation *operation,
                                 const char *name, int32_t *count, const int64_t **out,
                                 hlo_error *error);
hlo_status hlo_import_int(stablehlo_importer *importer, const mlir_attribute *attribute,
                          int64_t *out, hlo_error *error);
// true for `true`, 1 and a key without a value.
hlo_status hlo_import_bool(stablehlo_importer *importer, const mlir_attribute *attribute, bool *out,
                           hlo_error *error);
// The type of the number or the numbers is this one, or goes unsaid.
bool hlo_import_is_of_type(const mlir_attribute *attribute, hlo_type type);
// An integer of that type, s32 or s64.
hlo_status hlo_import_int_of_type(stablehlo_importer *importer, const mlir_attribute *attribute,
                                  hlo_type type, int64_t *out, hlo_error *error);
// "LT" of #stablehlo<comparison_direction LT>, of the bare word and of the string: in the module's
// arena.
hlo_status hlo_import_word(stablehlo_importer *importer, const mlir_attribute *attribute,
                           const char **out, hlo_error *error);
// Fails: "expected true or false".
hlo_status hlo_import_wrong_kind(stablehlo_importer *importer, const mlir_attribute *attribute,
                                 const char *wanted, hlo_error *error);

// --- text/stablehlo/attributes.c ---
// All attributes that text/stablehlo/attributes.def lists for the opcode. out has room for
// HLO_ATTRIBUTE_COUNT; *count is where the next one goes.
hlo_status hlo_import_attributes(stablehlo_importer *importer, hlo_opcode opcode,
                                 const mlir_operation *operation, hlo_attribute *out,
                                 int32_t *count, hlo_error *error);

// --- regions.c, control.c: regions and control flow ---
// A region as a computation whose parameters are the region's arguments; from outside it may use
// constants only.
// What the importer goes back to after a region: values that the region sees as something else.
typedef struct stablehlo_saved_state {
  hlo_computation *computation;
  const mlir_operation *operation;
  int32_t count;
  mlir_value **values;
  hlo_instruction **instructions;
} stablehlo_saved_state;
// Begins a computation for the region; `carried` are more values that it sees as something else, or
// NULL.
hlo_status hlo_import_enter_region(stablehlo_importer *importer, const mlir_operation *operation,
                                   const mlir_region *region, const mlir_list *carried,
                                   stablehlo_saved_state *saved, hlo_error *error);
// Back to the outer computation.
void hlo_import_leave_region(stablehlo_importer *importer, const stablehlo_saved_state *saved);
// The region's operations and return, then back to the outer computation.
hlo_status hlo_import_finish_region(stablehlo_importer *importer, const mlir_region *region,
                                    const stablehlo_saved_state *saved, hlo_computation **out,
                                    hlo_error *error);
// Whether x is a constant, or a broadcast of one.
bool hlo_import_is_constant(const hlo_instruction *x);
// Copies the constants that the region captures into it.
hlo_status hlo_import_copy_constants(stablehlo_importer *importer, const mlir_region *region,
                                     hlo_error *error);
hlo_status hlo_import_add_parameter(stablehlo_importer *importer, int32_t number,
                                    const hlo_shape *shape, hlo_instruction **out,
                                    hlo_error *error);
hlo_status hlo_import_reducer(stablehlo_importer *importer, const mlir_operation *operation,
                              int32_t region, hlo_computation **out, hlo_error *error);
hlo_import_function hlo_import_while, hlo_import_resharding, hlo_import_named_computation,
    hlo_import_if, hlo_import_case, hlo_import_call, hlo_import_composite, hlo_import_barrier,
    hlo_import_async_start, hlo_import_async_done;

// --- other files ---
// universal.c: adds the attributes that any operation may have.
hlo_status hlo_import_common(stablehlo_importer *importer, int32_t count, mlir_entry *entries,
                             hlo_instruction *instruction, hlo_error *error);
// The same of an operation that was imported, to what became of it: instructions from `first` on.
hlo_status hlo_import_common_of(stablehlo_importer *importer, const mlir_operation *operation,
                                int32_t first, hlo_error *error);
// Of a function's argument, and of its results to the root.
hlo_status hlo_import_argument_attributes(stablehlo_importer *importer,
                                          const mlir_operation *operation, int32_t index,
                                          hlo_instruction *parameter, hlo_error *error);
hlo_status hlo_import_result_attributes(stablehlo_importer *importer,
                                        const mlir_operation *operation, int32_t count,
                                        hlo_instruction *root, hlo_error *error);
// {a = "b"} as {a="b"}, after the prefix, without the key `besides` (or NULL) and without values
// that are not strings. NULL: empty.
hlo_status hlo_import_frontend(stablehlo_importer *importer, const mlir_attribute *dictionary,
                               const char *prefix, const char *besides, const char **out,
                               hlo_error *error);
// A backend's configuration: JSON stands in HLO text as it is, anything else in quotation marks.
void hlo_import_add_config(hlo_string *out, const char *config);
// The string as text in the module's arena; frees it.
hlo_status hlo_import_keep(stablehlo_importer *importer, hlo_string *text, const char **out,
                           hlo_error *error);
// The text in quotes, escaped for HLO text.
void hlo_import_add_quoted(hlo_string *out, const char *text);
// unread.c
// A loop or a branch: its regions may never run.
bool hlo_import_may_leave_out(const mlir_operation *operation);
// Fails where the operation has a part that could not be read.
hlo_status hlo_import_check_read(const mlir_operation *operation, hlo_error *error);
// What the importer goes back to after something unknown, which was left out.
typedef struct stablehlo_mark {
  int32_t finished, levels, calls_deep, manual_levels;
} stablehlo_mark;
enum { STABLEHLO_FORGOTTEN = -1 }; // the index of computations finished since
stablehlo_mark hlo_import_get_mark(const stablehlo_importer *importer);
void hlo_import_rewind(stablehlo_importer *importer, stablehlo_mark mark);
// Whether the parser could read the region; fails with the reason why not.
bool hlo_import_is_read(const mlir_region *region);
hlo_status hlo_import_check_region(const mlir_region *region, hlo_error *error);
// direct.c
hlo_status hlo_import_direct(stablehlo_importer *importer, const mlir_operation *operation,
                             hlo_opcode opcode, hlo_error *error);
// NULL when no function is special about the operation.
hlo_import_function *hlo_import_special(const char *name);
// ops.c
hlo_import_function hlo_import_constant_operation, hlo_import_broadcast_in_dim,
    hlo_import_broadcast, hlo_import_slice, hlo_import_pad, hlo_import_with_scalars,
    hlo_import_plain_dot, hlo_import_rng, hlo_import_create_token, hlo_import_identity,
    hlo_import_nothing;
// Broadcast to the shape, dimensions[rank of the operand] saying which of its dimensions are which.
hlo_status hlo_import_broadcast_to(stablehlo_importer *importer, hlo_instruction *operand,
                                   const hlo_shape *shape, int32_t count, const int64_t *dimensions,
                                   hlo_instruction **out, hlo_error *error);
// A constant of the shape with all elements the literal's.
hlo_status hlo_import_constant(stablehlo_importer *importer, const hlo_literal *literal,
                               const hlo_shape *shape, hlo_instruction **out, hlo_error *error);
// The same from a number.
hlo_status hlo_import_number(stablehlo_importer *importer, const hlo_shape *shape, double value,
                             hlo_instruction **out, hlo_error *error);
hlo_status hlo_import_compare(stablehlo_importer *importer, const char *direction,
                              hlo_instruction *a, hlo_instruction *b, hlo_instruction **out,
                              hlo_error *error);

hlo_import_function hlo_import_scan;  // scan.c: chlo.scan
hlo_import_function hlo_import_chlo;  // chlo.c: chlo.*
hlo_import_function hlo_import_check; // calls.c: check.*, interpreter.*
hlo_import_function hlo_import_custom_call;
// What the builtin.module says in mhlo.frontend_attributes becomes the module's header.
hlo_status hlo_import_module_attributes(stablehlo_importer *importer,
                                        const mlir_operation *operation, hlo_error *error);
hlo_import_function hlo_import_convolution, hlo_import_window; // windows.c
// The same file: which dimensions of a convolution's kernel and result are the output features; -1:
// none.
hlo_status hlo_import_output_features(stablehlo_importer *importer, const mlir_operation *operation,
                                      int32_t *kernel, int32_t *result, hlo_error *error);
hlo_import_function hlo_import_approx_top_k;                    // approx.c
hlo_import_function hlo_import_einsum, hlo_import_index_select; // einsum.c
hlo_import_function hlo_import_dynamic; // dynamic.c: operands that say sizes
// dynamic_shapes.c: *out is the type of the operation's results; open sizes are taken from operands
// that give them.
hlo_status hlo_import_open_result(stablehlo_importer *importer, const mlir_operation *operation,
                                  const hlo_shape **out, hlo_error *error);
// quantized.c: whether the operation computes with quantized numbers, and does not just move the
// stored integers.
bool hlo_import_computes_quantized(const mlir_operation *operation);
// *real is the same operation on dequantized operands; its results are then quantized to those of
// the operation.
hlo_status hlo_import_dequantize(stablehlo_importer *importer, const mlir_operation *operation,
                                 mlir_operation **real, hlo_error *error);
hlo_status hlo_import_quantize(stablehlo_importer *importer, const mlir_operation *operation,
                               const mlir_operation *real, hlo_error *error);
// uniform_quantize and uniform_dequantize: the result of their operation on real numbers is its
// operand.
bool hlo_import_is_conversion(const mlir_operation *operation);
hlo_status hlo_import_convert(const mlir_operation *operation, const mlir_operation *real,
                              hlo_error *error);
// Converts *x from one quantization to another.
hlo_status hlo_import_requantize(stablehlo_importer *importer, const mlir_quantization *from,
                                 const mlir_quantization *to, hlo_instruction **x,
                                 hlo_error *error);
// quantized_rules.c: the specification's constraints on quantized operands and results.
hlo_status hlo_import_check_quantized(stablehlo_importer *importer, const mlir_operation *operation,
                                      hlo_error *error);
hlo_import_function hlo_import_collective, hlo_import_transfer; // devices.c
hlo_import_function hlo_import_cross_replica_sum;
// A computation that adds two scalars.
hlo_status hlo_import_add_computation(stablehlo_importer *importer, hlo_type type,
                                      hlo_computation **out, hlo_error *error);
// platform.c: the entry's platform index argument, if it has one, becomes a constant.
hlo_status hlo_import_choose_platform(stablehlo_importer *importer, const mlir_operation *operation,
                                      hlo_error *error);
hlo_import_function hlo_import_run_parallel; // parallel.c
// The custom call that runs processes: called[replicas * partitions], replica by replica, then what
// feeds infeed; the operands are the processes' arguments, the results of the shape theirs.
hlo_status hlo_import_processes(stablehlo_importer *importer, int32_t replicas, int32_t partitions,
                                int32_t called_count, hlo_computation *const *called,
                                const hlo_shape *shape, int32_t operand_count,
                                hlo_instruction *const *operands, hlo_instruction **out,
                                hlo_error *error);
hlo_import_function hlo_import_manual_computation; // text/shardy/import.c
// direct.c: converts operands of a reduction, in their list, to the wider types that its
// computation (NULL: there is none), the operation's first region, takes.
hlo_status hlo_import_promote(stablehlo_importer *importer, const mlir_operation *operation,
                              hlo_opcode opcode, const hlo_computation *computation,
                              hlo_instruction **operands, hlo_error *error);

#endif
