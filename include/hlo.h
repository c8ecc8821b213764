// The engine's C interface: arrays, shapes, programs from text or bytes, compiled programs, runs.
// It is all that an embedder includes, and what the WebAssembly builds export: web/ calls these
// functions.
//
// Handles are opaque and owned by the caller, who destroys each once with the function of its kind;
// a function that gives a handle gives NULL when it fails, one that gives a count or a state a
// negative number. hlo_api_error_* say why, until the next call. Functions that "leave a text" put
// it where hlo_api_text and hlo_api_text_length find it, until the next call that leaves one.
//
// Texts are UTF-8 with their length in bytes and need no zero behind them. Shapes are XLA's:
// "f32[2,3]{1,0}", "(s32[], pred[4])"; as JSON they are
//   {"text":"f32[2,<=3]{1,0}", "type":"f32", "dims":[2,3], "dynamic":[false,true], "layout":{…},
//    "bytes":24, "elements":[…]}
// with "elements" for tuples only. Sizes in bytes are double where 32 bits would be too few.
//
// The engine keeps the last error and the last text for the whole process: one thread at a time may
// call it. It reads no file, no clock and no locale.
#ifndef HLO_H
#define HLO_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__wasm__)
#define HLO_API __attribute__((used, visibility("default")))
#else
#define HLO_API
#endif

typedef struct hlo_array hlo_array;             // elements in a shape
typedef struct hlo_module hlo_module;           // a program: computations of instructions
typedef struct hlo_computation hlo_computation; // of a module, which owns it
typedef struct hlo_instruction hlo_instruction; // of a computation, which owns it
typedef struct hlo_executable hlo_executable;   // a compiled program
typedef struct hlo_run hlo_run;                 // one under way
typedef struct hlo_run_group hlo_run_group;     // several that talk to each other
typedef struct hlo_custom_call hlo_custom_call; // a call of the host's that is under way
typedef struct hlo_api_indexing hlo_api_indexing;

// ---- the engine ----

// Leaves three lines: the build's name; the element types, as "f32 float 32 4" (name, class, bits,
// and bytes in memory) with commas between them; the operations in the order of their numbers,
// elementwise ones as "add 2" with their number of operands.
HLO_API void hlo_api_describe(void);
// Leaves the operations as JSON, in the order of their numbers: [{"name", "stablehlo",
// "minOperands", "maxOperands" (-1: any number), "attributes", "elementwise", "runs"}].
HLO_API void hlo_api_describe_ops(void);

// What went wrong in the last call that failed: "parse error", "shape error", "unsupported",
// "invalid argument", "out of memory", "runtime error", "cancelled", "open program"; "ok" when
// nothing did.
HLO_API const char *hlo_api_error_kind(void);
HLO_API const char *hlo_api_error_message(void); // ends in a zero, as the kind does
// Its place in the program's text, from 1; 0: none.
HLO_API int32_t hlo_api_error_line(void);
HLO_API int32_t hlo_api_error_column(void);

// The text that the last call left, which ends in a zero.
HLO_API const char *hlo_api_text(void);
HLO_API uint32_t hlo_api_text_length(void);

// Memory of the engine's for the caller's arguments, of at least one byte. NULL when there is none.
HLO_API void *hlo_api_allocate(uint32_t size);
HLO_API void hlo_api_release(void *pointer); // NULL: nothing
// Bytes that arrays, programs and runs hold now, and at most so far.
HLO_API double hlo_api_memory_in_use(void);
HLO_API double hlo_api_memory_peak(void);
// What would go beyond fails with "out of memory". INFINITY: no limit.
HLO_API void hlo_api_set_memory_limit(double bytes);

// ---- shapes and arrays ----

// Leaves the shape as JSON. Returns 0.
HLO_API int32_t hlo_api_shape_parse(const char *text, uint32_t length);

// An array of that shape, not a tuple's, whose elements are undefined: all its memory, padding too,
// is for the caller to fill through hlo_api_array_data.
HLO_API hlo_array *hlo_api_array_create(const char *shape, uint32_t shape_length);
// An array from a shape and a literal: "f32[2] {1, 2}".
HLO_API hlo_array *hlo_api_array_parse(const char *text, uint32_t length);
HLO_API void hlo_api_array_destroy(hlo_array *array);
// The elements, in the order of the shape's layout, each in the bytes of its type.
HLO_API void *hlo_api_array_data(const hlo_array *array);
// Leaves the shape as JSON.
HLO_API void hlo_api_array_shape(const hlo_array *array);
// Leaves the shape that the program states for a result with dynamic dimensions as JSON, and
// returns 1; 0 for other arrays.
HLO_API int32_t hlo_api_array_bound(const hlo_array *array);
// A new array with the same elements in the layout of a shape, which must agree in type and sizes.
HLO_API hlo_array *hlo_api_array_relayout(const hlo_array *array, const char *shape,
                                          uint32_t shape_length);
// Leaves the elements as a literal: "{{8, 10, 12}, {11, 13, 15}}". Returns 0.
HLO_API int32_t hlo_api_array_print(const hlo_array *array);

// ---- programs ----

typedef enum hlo_api_format {
  HLO_API_FORMAT_DETECT = 0,
  HLO_API_FORMAT_HLO = 1,      // HLO text, or a serialized HloModuleProto
  HLO_API_FORMAT_STABLEHLO = 2 // MLIR text or bytecode, or a file of jax.export
} hlo_api_format;

// A verified program from text or bytes. format: an hlo_api_format. shapes: of the entry's
// arguments, with blanks between them, where the program leaves sizes open; else empty. platform:
// whose branch a program for several takes ("cpu", "cuda", …); empty: any. vjp: of a file of
// jax.export, 0 for the function, 1 for its derivative, 2 for that one's. arrays: as many as
// shapes, or none: arguments whose elements sizes may depend on (NULL: not known). An error of kind
// "open program" leaves the arguments' types as text, with blanks between them, and on the
// following lines what they are called; success leaves a JSON list of the arrays whose elements
// were needed. Behind either stands, on a line of its own, what a file of jax.export says of its
// function: {"inputs": 3, "kept": [0, 2], "arguments": tree, "results": tree, "hasVjp": false}; a
// tree is ["leaf"], ["none"], ["tuple", [tree, …]], likewise "list" and "custom", or ["dictionary",
// [[name, tree], …]].
HLO_API hlo_module *hlo_api_module_parse(const char *text, uint32_t length, uint32_t format,
                                         const char *shapes, uint32_t shapes_length,
                                         const char *platform, uint32_t platform_length,
                                         int32_t vjp, int32_t array_count,
                                         hlo_array *const *arrays);
HLO_API void hlo_api_module_destroy(hlo_module *module);
// Leaves the program as text: HLO_API_FORMAT_HLO or HLO_API_FORMAT_STABLEHLO. Returns 0.
HLO_API int32_t hlo_api_module_print(const hlo_module *module, uint32_t format);
// Leaves {"name", "computations": [{"name", "isEntry", "isFunction", "instructions": how many,
// "parameters": [{"name", "label", "shape"}], "result": shape}]}.
HLO_API void hlo_api_module_describe(const hlo_module *module);
// Leaves the instructions of the module's computation of that index: [{"name", "opcode", "shape",
// "operands": [places in the list], "attributes": [{"name", "text", "value"}], "parameter": its
// number, "line", "column"}]. Returns the root's place.
HLO_API int32_t hlo_api_computation_instructions(const hlo_module *module, int32_t computation);
// Leaves {"name", "flops", "transcendentals", "bytesRead", "bytesWritten", "complete",
// "instructions":
// [{"name", "opcode", and the same}]} of the computation of that index. Returns 0.
HLO_API int32_t hlo_api_computation_cost(const hlo_module *module, int32_t computation);
// The elements of a constant, by its place, as a new array.
HLO_API hlo_array *hlo_api_instruction_constant(const hlo_module *module, int32_t computation,
                                                int32_t place);

// ---- programs built instruction by instruction ----

// An empty module of that name.
HLO_API hlo_module *hlo_api_module_create(const char *name, uint32_t name_length);
// An empty computation of the module, which owns it and makes its name unique.
HLO_API hlo_computation *hlo_api_computation_create(hlo_module *module, const char *name,
                                                    uint32_t name_length);
// Parameter `number` of the computation.
HLO_API hlo_instruction *hlo_api_build_parameter(hlo_computation *computation, int32_t number,
                                                 const char *shape, uint32_t shape_length);
// A constant with the array's shape and elements, which are copied.
HLO_API hlo_instruction *hlo_api_build_constant(hlo_computation *computation,
                                                const hlo_array *array);
// Appends an instruction. operation: its number, see hlo_api_describe. shape: may be empty where
// the operands determine it. attributes: as in HLO text. broadcast_count: -1 for operands as they
// are; else the elementwise form that broadcasts them, with so many broadcast_dimensions.
HLO_API hlo_instruction *hlo_api_build(hlo_computation *computation, uint32_t operation,
                                       const char *shape, uint32_t shape_length,
                                       int32_t operand_count, hlo_instruction *const *operands,
                                       const char *attributes, uint32_t attributes_length,
                                       int32_t broadcast_count, const double *broadcast_dimensions);
// Leaves the instruction's shape as JSON.
HLO_API void hlo_api_instruction_shape(const hlo_instruction *instruction);
// Makes the root (NULL: the last instruction) and, where is_entry is not 0, the module's entry; the
// module is verified then. Returns 0.
HLO_API int32_t hlo_api_computation_finish(hlo_computation *computation, hlo_instruction *root,
                                           uint32_t is_entry);

// ---- compiled programs ----

typedef enum hlo_api_compile_flag {
  HLO_API_COMPILE_REFERENCE = 1,    // by the oracle: no passes, no kernels
  HLO_API_COMPILE_UNOPTIMIZED = 2,  // no passes
  HLO_API_COMPILE_FUSE_ALL = 4,     // code for fusions of few elements, too
  HLO_API_COMPILE_UNLESS_SMALL = 8, // no passes for programs over few elements
  // The host of hlo_api_executable_code: one without relaxed SIMD, or one with it. Neither: the
  // build's.
  HLO_API_COMPILE_FOR_SIMD = 16,
  HLO_API_COMPILE_FOR_RELAXED_SIMD = 32
} hlo_api_compile_flag;

// Compiles the module's computation of that name (length 0: the entry); the module may be destroyed
// before the executable. flags: of hlo_api_compile_flag.
HLO_API hlo_executable *hlo_api_compile(const hlo_module *module, const char *computation,
                                        uint32_t computation_length, uint32_t flags);
HLO_API void hlo_api_executable_destroy(hlo_executable *executable);
// Another executable of the same plans and code.
HLO_API hlo_executable *hlo_api_executable_share(const hlo_executable *executable);
// A handle of its own of the module that was compiled.
HLO_API hlo_module *hlo_api_executable_source(const hlo_executable *executable);
// Leaves {"isDynamic", "parameters": [shape…], "results": [shape…], "memory": {"arguments",
// "results", "constants", "temporaries", "peak"}}: tuples flattened, memory in bytes; isDynamic:
// the results' sizes may differ from run to run.
HLO_API void hlo_api_executable_describe(const hlo_executable *executable);
// The same as of a module, and of a computation, of what the passes made.
HLO_API int32_t hlo_api_executable_print(const hlo_executable *executable, uint32_t format);
HLO_API int32_t hlo_api_executable_cost(const hlo_executable *executable);

// Leaves a WebAssembly module with the code of the program's fusions. Returns how many functions it
// exports, "0", "1", …; 0: there is nothing to compile. Without them the program runs instruction
// by instruction.
HLO_API int32_t hlo_api_executable_code(const hlo_executable *executable, int32_t shared_memory);
// Whether other threads need the functions.
HLO_API int32_t hlo_api_executable_has_parts(const hlo_executable *executable);
// They have been put into the module's table, at these indices.
HLO_API void hlo_api_executable_install(hlo_executable *executable, int32_t count,
                                        const uint32_t *indices);

// ---- runs ----

// Runs the program to its end. arguments: of the parameters' flattened shapes. results: room for an
// array for each leaf of the program's root; they are the caller's, and NULL where the call fails.
// run: NULL, or where the run is kept while it is under way (NULL afterwards), so that a host that
// unwinds the call, by an exception in a custom call, can destroy what was begun. Leaves what the
// program printed, also where it fails; returns the length of that, or -1.
HLO_API int32_t hlo_api_executable_run(const hlo_executable *executable, int32_t count,
                                       hlo_array *const *arguments, hlo_array **results,
                                       hlo_run **run);

// The same step by step, for programs that are followed, stopped or fed on the way.
// The executable must outlive the run; arguments, of the parameters' flattened shapes, may be
// destroyed before.
HLO_API hlo_run *hlo_api_run_start(const hlo_executable *executable, int32_t count,
                                   hlo_array *const *arguments);
// At most `limit` steps (0: to the end). 1: the program has ended, 0: it has not.
HLO_API int32_t hlo_api_run_continue(hlo_run *run, uint32_t limit);
// A result of a program that has ended, of those of its flattened root, as a new array.
HLO_API hlo_array *hlo_api_run_result(hlo_run *run, int32_t index);
// Leaves what the program printed so far; returns its length.
HLO_API uint32_t hlo_api_run_output(const hlo_run *run);
HLO_API void hlo_api_run_destroy(hlo_run *run);

// Adds one item to the run's infeed. Returns 0.
HLO_API int32_t hlo_api_run_feed(hlo_run *run, int32_t count, hlo_array *const *arrays);
// Arrays in the oldest item of the run's outfeed; -1 when it is empty.
HLO_API int32_t hlo_api_run_outfeed_count(const hlo_run *run);
HLO_API hlo_array *hlo_api_run_outfeed_take(hlo_run *run, int32_t index);
HLO_API void hlo_api_run_outfeed_drop(hlo_run *run);

// Processes of one program that talk to each other: arguments of all in turn, replica by replica.
HLO_API hlo_run_group *hlo_api_group_start(const hlo_executable *executable, int32_t replicas,
                                           int32_t partitions, int32_t count,
                                           hlo_array *const *arguments);
// At most `limit` steps of all together (0: to the end). 1: all have ended, 0: they have not.
HLO_API int32_t hlo_api_group_continue(hlo_run_group *group, uint32_t limit);
// One process's run, which is the group's: it is not destroyed alone. NULL: there is no such
// process.
HLO_API hlo_run *hlo_api_group_process(hlo_run_group *group, int32_t process);
HLO_API void hlo_api_group_destroy(hlo_run_group *group);

// ---- custom calls that the host carries out ----

// Gives what hlo_api_custom_call_result has not: 1, or 0 after hlo_api_custom_call_fail. It may use
// all of this interface but the run that it was called from.
typedef int32_t hlo_api_custom_function(const hlo_custom_call *call);
// Makes a function known under the name, for programs compiled from now on; NULL: it is known no
// more. Programs compiled with it look it up in each call. Returns 0.
HLO_API int32_t hlo_api_custom_call_register(const char *target, uint32_t target_length,
                                             hlo_api_custom_function *function);
// Leaves {"target", "backendConfig", "operands": how many, "results": [shape…]}. Returns 0.
HLO_API int32_t hlo_api_custom_call_describe(const hlo_custom_call *call);
// A copy of an operand, row-major.
HLO_API hlo_array *hlo_api_custom_call_operand(const hlo_custom_call *call, int32_t index);
// Copies an array's elements into a result. Returns 0.
HLO_API int32_t hlo_api_custom_call_result(const hlo_custom_call *call, int32_t index,
                                           const hlo_array *array);
HLO_API void hlo_api_custom_call_fail(const char *message, uint32_t message_length);

// ---- indexing maps: which elements of one instruction an element of another needs ----

typedef enum hlo_api_indexing_flag {
  HLO_API_INDEXING_PHYSICAL = 1,        // over memory instead of indices
  HLO_API_INDEXING_INPUT_TO_OUTPUT = 2, // from elements to those that need them
  HLO_API_INDEXING_TO_PARAMETERS = 4,   // composed down to the computation's parameters
  HLO_API_INDEXING_TO_ALL = 8           // down to every instruction on the way
} hlo_api_indexing_flag;

// The maps of an instruction; the module must outlive the answer. Empty names: the entry, its root,
// its operands. flags: of hlo_api_indexing_flag. input, output: numbers of leaves (output -1:
// each).
HLO_API hlo_api_indexing *hlo_api_indexing_create(const hlo_module *module, const char *computation,
                                                  uint32_t computation_length,
                                                  const char *instruction,
                                                  uint32_t instruction_length, const char *target,
                                                  uint32_t target_length, uint32_t flags,
                                                  int32_t input, int32_t output);
HLO_API void hlo_api_indexing_destroy(hlo_api_indexing *indexing);
// Leaves the maps as text. Returns 0.
HLO_API int32_t hlo_api_indexing_print(const hlo_api_indexing *indexing);
// Leaves {"computation", "instruction", "entries": [{"from": {"name", "leaf", "shape"}, "to": {…},
// "unknown", "maps": [{"text", "dimensions": [{"lower", "upper"}], "ranges", "runtime", "results",
// "constraints": [{"expression", "lower", "upper"}]}]}]}. Returns 0.
HLO_API int32_t hlo_api_indexing_describe(const hlo_api_indexing *indexing);
// Leaves the row-major positions of the elements that an entry's maps give for an index, at most
// `limit`, as a JSON list. Returns 1 when these are all, 0 when not.
HLO_API int32_t hlo_api_indexing_elements(const hlo_api_indexing *indexing, int32_t entry,
                                          const double *index, int32_t rank, int32_t limit);
// Parses one map, simplifies it, and leaves it as text. Returns 0.
HLO_API int32_t hlo_api_map_simplify(const char *text, uint32_t length);

#endif
