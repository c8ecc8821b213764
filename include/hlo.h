// The public C API of the engine: arrays, programs from text or bytes, compilation, execution. It
// is the only header an embedder includes, and its functions are what the WebAssembly builds
// export; examples/embed.c is a complete program.
//
//   module = hlo_api_module_parse(…);              // text or bytes → verified program
//   executable = hlo_api_compile(module, …);       // → optimised plan
//   hlo_api_executable_run(executable, …);         // arrays → arrays
//
// Ownership. Handles are opaque. A handle that a function returns belongs to the caller, who
// destroys it once, with the destroy function of its type; destroying NULL does nothing.
// Computations and instructions belong to their module, processes to their group. Arguments are
// borrowed for the duration of the call unless the function says otherwise.
//
// Errors. A function that returns a handle returns NULL on failure; one that returns a count or a
// state returns a negative number. hlo_api_error_* describe the failure until the next call of a
// function that can fail. After any error, out of memory included, the engine stays usable.
//
// Texts. Strings are UTF-8 with a length in bytes; no terminator is needed. Results that are text
// are written to one buffer of the engine ("Writes … to the text buffer"), valid until the next
// call that writes to it: hlo_api_text, hlo_api_text_length.
//
// Shapes are XLA's: "f32[2,3]{1,0}", "(s32[], pred[4])". As JSON they are
//   {"text":"f32[2,<=3]{1,0}", "type":"f32", "dims":[2,3], "dynamic":[false,true], "layout":{…},
//    "bytes":24, "elements":[…]}
// with "elements" for tuples only. Where arrays are listed, tuples are flattened: one array for
// each leaf, in order. Byte counts are double where 32 bits are too few.
//
// Threads. The error and the text buffer are one per process: call from one thread at a time. The
// engine reads no files, no clock and no locale.
#ifndef HLO_H
#define HLO_H

#include <stdint.h>

#if defined(__wasm__)
#define HLO_API __attribute__((used, visibility("default")))
#else
#define HLO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hlo_array hlo_array;               // a shape and its elements
typedef struct hlo_module hlo_module;             // a program: computations of instructions
typedef struct hlo_computation hlo_computation;   // of a module
typedef struct hlo_instruction hlo_instruction;   // of a computation
typedef struct hlo_executable hlo_executable;     // a compiled program
typedef struct hlo_run hlo_run;                   // an execution in progress
typedef struct hlo_run_group hlo_run_group;       // executions that communicate with each other
typedef struct hlo_custom_call hlo_custom_call;   // a call of a host function in progress
typedef struct hlo_api_indexing hlo_api_indexing; // indexing maps of instructions
typedef struct hlo_api_map hlo_api_map;           // one indexing map

// ---- the engine ----

// Writes three lines to the text buffer: the build's name; the element types, separated by commas,
// each as "f32 float 32 4" (name, class, bits, bytes in memory); the operations in the order of
// their numbers, separated by commas, elementwise ones with their operand count: "add 2".
HLO_API void hlo_api_describe(void);
// Writes the operations to the text buffer as JSON, in the order of their numbers: [{"name",
// "stablehlo", "minOperands", "maxOperands" (-1: unbounded), "attributes", "elementwise", "runs"}].
HLO_API void hlo_api_describe_ops(void);

// The kind of the last error: "parse error", "shape error", "unsupported", "invalid argument", "out
// of memory", "runtime error", "cancelled", "open program"; "ok" when the last call succeeded.
HLO_API const char *hlo_api_error_kind(void);    // zero-terminated
HLO_API const char *hlo_api_error_message(void); // zero-terminated
// Its position in the program's text, counted from 1; 0 when it has none.
HLO_API int32_t hlo_api_error_line(void);
HLO_API int32_t hlo_api_error_column(void);

// The text buffer, zero-terminated, and its length in bytes without the terminator.
HLO_API const char *hlo_api_text(void);
HLO_API uint32_t hlo_api_text_length(void);

// Memory for the caller's arguments, for hosts that can only pass addresses in the engine's memory:
// at least `size` bytes, aligned to 64; NULL when out of memory.
HLO_API void *hlo_api_allocate(uint32_t size);
HLO_API void hlo_api_release(void *pointer); // NULL does nothing
// To be called when an exception of the host has left a call: gives back what the call held, if it
// was one that parses, compiles, prints or computes indexing maps. Others hold objects only.
HLO_API void hlo_api_abandon(void);
// Bytes held by arrays, programs, runs and hlo_api_allocate: now, and at most so far.
HLO_API double hlo_api_memory_in_use(void);
HLO_API double hlo_api_memory_peak(void);
// Allocations beyond the limit fail with "out of memory". INFINITY: no limit (the default).
HLO_API void hlo_api_set_memory_limit(double bytes);

// ---- shapes and arrays ----

// Parses a shape and writes it to the text buffer as JSON, as all shapes are written: {"text",
// "type"} and "elements" of a tuple, else "dims", "dynamic", "layout", "bytes", "strides" (in
// elements), "trueRank". Returns 0.
HLO_API int32_t hlo_api_shape_parse(const char *text, uint32_t length);

// A new array of that shape (no tuple) with undefined elements. The caller fills all of its memory,
// padding included, through hlo_api_array_data.
HLO_API hlo_array *hlo_api_array_create(const char *shape, uint32_t shape_length);
// A new array from a shape and a literal: "f32[2] {1, 2}".
HLO_API hlo_array *hlo_api_array_parse(const char *text, uint32_t length);
HLO_API void hlo_api_array_destroy(hlo_array *array);
// The array's elements in the order of its layout, aligned to 64: as many bytes as its shape has.
// Only those of a new array are written to, before it is used: arguments, results and constants may
// share memory.
HLO_API void *hlo_api_array_data(const hlo_array *array);
// Writes the array's shape to the text buffer as JSON.
HLO_API void hlo_api_array_shape(const hlo_array *array);
// Of a result with dynamic dimensions, writes the shape that the program declares to the text
// buffer as JSON and returns 1. Returns 0 for any other array.
HLO_API int32_t hlo_api_array_bound(const hlo_array *array);
// A new array with the same elements in another layout. `shape` has the same type and dimensions.
HLO_API hlo_array *hlo_api_array_relayout(const hlo_array *array, const char *shape,
                                          uint32_t shape_length);
// The indices, s32, at which a vector of pred in the default layout is true: as many as there are,
// which no program could give, since shapes in it do not depend on data.
HLO_API hlo_array *hlo_api_array_true_places(const hlo_array *array);
// Writes the elements to the text buffer as a literal: "{{8, 10, 12}, {11, 13, 15}}". Returns 0.
HLO_API int32_t hlo_api_array_print(const hlo_array *array);

// ---- programs ----

typedef enum hlo_api_format {
  HLO_API_FORMAT_DETECT = 0,
  HLO_API_FORMAT_HLO = 1,      // HLO text, or a serialized HloModuleProto
  HLO_API_FORMAT_STABLEHLO = 2 // MLIR text or bytecode, or a file of jax.export
} hlo_api_format;

// Parses and verifies a program.
//   format       an hlo_api_format
//   shapes       the shapes of the entry's arguments, separated by blanks, for programs that leave
//                sizes open; otherwise empty
//   platform     which platform's branch a program for several runs ("cpu", "cuda", …); empty: any
//   vjp          of a file of jax.export: 0 for the function, 1 for its derivative, 2 for the
//                derivative of that
//   arrays       none, or one for each of `shapes`: the arguments' values, which sizes may depend
//                on; NULL where a value is unknown
//
// Success writes a JSON list of the arrays whose elements were needed to the text buffer. An error
// of kind "open program" writes the arguments' types, separated by blanks, and on the following
// lines their names. In both cases a last line has what a file of jax.export says about its
// function, if the program is one:
//   {"inputs": 3, "kept": [0, 2], "arguments": tree, "results": tree, "hasVjp": false}
// where a tree is one of
//   ["leaf"], ["none"], ["tuple", [tree, …]], ["list", [tree, …]], ["custom", [tree, …]],
//   ["dictionary", [[name, tree], …]]
HLO_API hlo_module *hlo_api_module_parse(const char *text, uint32_t length, uint32_t format,
                                         const char *shapes, uint32_t shapes_length,
                                         const char *platform, uint32_t platform_length,
                                         int32_t vjp, int32_t array_count,
                                         hlo_array *const *arrays);
HLO_API void hlo_api_module_destroy(hlo_module *module);
// Writes 32 hexadecimal digits to the text buffer, which are others for other texts: without the
// key, which has 16 bytes, nobody can find two texts with the same. Returns 0.
HLO_API int32_t hlo_api_digest(const char *text, uint32_t length, const char *key,
                               uint32_t key_length);
// Writes the program to the text buffer. format: HLO_API_FORMAT_HLO or HLO_API_FORMAT_STABLEHLO.
// Returns 0.
HLO_API int32_t hlo_api_module_print(const hlo_module *module, uint32_t format);
// Writes {"name", "computations": [{"name", "isEntry", "isFunction", "instructions": count,
// "parameters": [{"name", "label", "shape"}], "result": shape}]} to the text buffer.
HLO_API void hlo_api_module_describe(const hlo_module *module);
// Writes the instructions of the computation with that index to the text buffer: [{"name",
// "opcode", "shape", "operands": [indices into the list], "attributes": [{"name", "text",
// "value"}], "parameter": its number, "line", "column"}]. Returns the index of the root.
HLO_API int32_t hlo_api_computation_instructions(const hlo_module *module, int32_t computation);
// Writes {"name", "flops", "transcendentals", "bytesRead", "bytesWritten", "complete",
// "instructions": [the same of each, and "opcode"]} of the computation with that index to the text
// buffer. Returns 0.
HLO_API int32_t hlo_api_computation_cost(const hlo_module *module, int32_t computation);
// The value of a constant as a new array. instruction: its index in the computation.
HLO_API hlo_array *hlo_api_instruction_constant(const hlo_module *module, int32_t computation,
                                                int32_t instruction);

// ---- programs built instruction by instruction ----

// A new empty module of that name.
HLO_API hlo_module *hlo_api_module_create(const char *name, uint32_t name_length);
// Appends an empty computation to the module, which makes its name unique.
HLO_API hlo_computation *hlo_api_computation_create(hlo_module *module, const char *name,
                                                    uint32_t name_length);
// Appends parameter `number`. Its name, where one is given, is made unique.
HLO_API hlo_instruction *hlo_api_build_parameter(hlo_computation *computation, int32_t number,
                                                 const char *shape, uint32_t shape_length,
                                                 const char *name, uint32_t name_length);
// Appends a constant with a copy of the array's elements.
HLO_API hlo_instruction *hlo_api_build_constant(hlo_computation *computation,
                                                const hlo_array *array);
// Appends an instruction.
//   operation             its number, see hlo_api_describe
//   shape                 of the result; may be empty where the operands determine it
//   attributes            as in HLO text
//   broadcast_count       -1: the operands as they are; otherwise the operands of an elementwise
//                         operation are broadcast as XlaBuilder does
//   broadcast_dimensions  `broadcast_count` of them: where the dimensions of the operand of lower
//                         rank lie in the other
HLO_API hlo_instruction *hlo_api_build(hlo_computation *computation, uint32_t operation,
                                       const char *shape, uint32_t shape_length,
                                       int32_t operand_count, hlo_instruction *const *operands,
                                       const char *attributes, uint32_t attributes_length,
                                       int32_t broadcast_count, const double *broadcast_dimensions);
// Writes the instruction's shape to the text buffer as JSON.
HLO_API void hlo_api_instruction_shape(const hlo_instruction *instruction);
// Sets the computation's root (NULL: its last instruction). If is_entry is not 0, makes it the
// module's entry and verifies the module. Returns 0.
HLO_API int32_t hlo_api_computation_finish(hlo_computation *computation, hlo_instruction *root,
                                           uint32_t is_entry);

// ---- compiled programs ----

typedef enum hlo_api_compile_flag {
  HLO_API_COMPILE_REFERENCE = 1,    // interpret by the reference evaluator: no passes, no kernels
  HLO_API_COMPILE_UNOPTIMIZED = 2,  // no passes
  HLO_API_COMPILE_FUSE_ALL = 4,     // generate code also for fusions of few elements
  HLO_API_COMPILE_UNLESS_SMALL = 8, // no passes for programs over few elements
  // The target of the code that hlo_api_executable_code generates: WebAssembly without or with
  // relaxed SIMD. Neither: what the build itself is for.
  HLO_API_COMPILE_FOR_SIMD = 16,
  HLO_API_COMPILE_FOR_RELAXED_SIMD = 32
} hlo_api_compile_flag;

// Compiles the computation of that name (length 0: the entry). flags: a combination of
// hlo_api_compile_flag. The module may be destroyed before the executable.
HLO_API hlo_executable *hlo_api_compile(const hlo_module *module, const char *computation,
                                        uint32_t computation_length, uint32_t flags);
HLO_API void hlo_api_executable_destroy(hlo_executable *executable);
// A new executable with the same plan and code, without compiling again.
HLO_API hlo_executable *hlo_api_executable_share(const hlo_executable *executable);
// A new handle of the module that was compiled.
HLO_API hlo_module *hlo_api_executable_source(const hlo_executable *executable);
// Writes {"isDynamic", "parameters": [shape…], "results": [shape…], "memory": {"arguments",
// "results", "constants", "temporaries", "peak"}} to the text buffer: tuples flattened, memory in
// bytes. isDynamic: the sizes of results may differ from run to run.
HLO_API void hlo_api_executable_describe(const hlo_executable *executable);
// hlo_api_module_print and hlo_api_computation_cost of the optimised program.
HLO_API int32_t hlo_api_executable_print(const hlo_executable *executable, uint32_t format);
HLO_API int32_t hlo_api_executable_cost(const hlo_executable *executable);

// Writes a WebAssembly module with the code of the program's fusions to the text buffer. Returns
// the number of functions that it exports, named "0", "1", …; 0 when there is nothing to compile.
// shared_memory: whether the module imports its memory as a shared one. Until the functions are
// installed, the program runs instruction by instruction.
HLO_API int32_t hlo_api_executable_code(const hlo_executable *executable, int32_t shared_memory);
// Whether threads besides the caller's call these functions, too.
HLO_API int32_t hlo_api_executable_has_parts(const hlo_executable *executable);
// Installs the functions, which the host has put into the function table at these indices.
HLO_API void hlo_api_executable_install(hlo_executable *executable, int32_t count,
                                        const uint32_t *indices);

// ---- runs ----

// Runs the program to its end.
//   arguments  `count` arrays, one for each leaf of the parameters, of the parameters' types and
//              sizes (or smaller, where a dimension is dynamic) in any layout; they may be
//              destroyed afterwards
//   results    receives one new array for each leaf of the program's root; NULL for each on failure
//   run        NULL; or receives the run while it is in progress and NULL afterwards, so that a
//              host that unwinds this call (an exception in a custom call) can destroy the run and
//              the results so far
// Writes what the program printed to the text buffer, also on failure. Returns its length in bytes.
HLO_API int32_t hlo_api_executable_run(const hlo_executable *executable, int32_t count,
                                       hlo_array *const *arguments, hlo_array **results,
                                       hlo_run **run);

// Starts a run that advances step by step, can be abandoned between any two steps, and can be fed.
// Arguments as above. The executable must outlive the run.
HLO_API hlo_run *hlo_api_run_start(const hlo_executable *executable, int32_t count,
                                   hlo_array *const *arguments);
// Executes at most `limit` steps (0: no limit). Returns 1 when the program has ended, 0 when not.
HLO_API int32_t hlo_api_run_continue(hlo_run *run, uint32_t limit);
// Leaf `index` of the result of a program that has ended, as a new array.
HLO_API hlo_array *hlo_api_run_result(hlo_run *run, int32_t index);
// Writes what the program has printed so far to the text buffer; returns its length in bytes.
HLO_API uint32_t hlo_api_run_output(const hlo_run *run);
HLO_API void hlo_api_run_destroy(hlo_run *run); // at any time

// Appends an item of `count` arrays to the run's infeed queue. Returns 0.
HLO_API int32_t hlo_api_run_feed(hlo_run *run, int32_t count, hlo_array *const *arrays);
// The number of arrays in the first item of the run's outfeed queue; -1 when the queue is empty.
HLO_API int32_t hlo_api_run_outfeed_count(const hlo_run *run);
// Array `index` of that item, which belongs to the caller from now on: NULL the second time.
HLO_API hlo_array *hlo_api_run_outfeed_take(hlo_run *run, int32_t index);
// Removes that item from the queue.
HLO_API void hlo_api_run_outfeed_drop(hlo_run *run);

// Starts replicas × partitions processes of one program that communicate through collectives.
// arguments: `count` arrays, those of each process in turn, replica by replica. The executable must
// outlive the group.
HLO_API hlo_run_group *hlo_api_group_start(const hlo_executable *executable, int32_t replicas,
                                           int32_t partitions, int32_t count,
                                           hlo_array *const *arguments);
// Executes at most `limit` steps of all processes together (0: no limit). Returns 1 when all have
// ended, 0 when not.
HLO_API int32_t hlo_api_group_continue(hlo_run_group *group, uint32_t limit);
// The run of one process, numbered as the arguments are, for results, output and feeds; it belongs
// to the group. NULL when there is no such process.
HLO_API hlo_run *hlo_api_group_process(hlo_run_group *group, int32_t process);
HLO_API void hlo_api_group_destroy(hlo_run_group *group); // at any time

// ---- custom calls that the host implements ----

// Carries out a custom call: reads operands, sets every result, and returns 1; or calls
// hlo_api_custom_call_fail and returns 0. It may call any function of this header, but not continue
// or destroy the run that is in progress.
typedef int32_t hlo_api_custom_function(const hlo_custom_call *call);
// Registers a function under a target name of 1 to 127 bytes, of which there may be 64, in place of
// what had the name before; NULL removes it. Programs look the name up at each call. Returns 0.
HLO_API int32_t hlo_api_custom_call_register(const char *target, uint32_t target_length,
                                             hlo_api_custom_function *function);
// Writes {"target", "backendConfig", "operands": count, "results": [shape…]} to the text buffer.
// Returns 0.
HLO_API int32_t hlo_api_custom_call_describe(const hlo_custom_call *call);
// A copy of operand `index` as a new array, row-major.
HLO_API hlo_array *hlo_api_custom_call_operand(const hlo_custom_call *call, int32_t index);
// Copies the array's elements into result `index`. Returns 0.
HLO_API int32_t hlo_api_custom_call_result(const hlo_custom_call *call, int32_t index,
                                           const hlo_array *array);
// Sets the message of the error that the run fails with.
HLO_API void hlo_api_custom_call_fail(const char *message, uint32_t message_length);

// ---- indexing maps: which elements of one instruction an element of another needs ----

typedef enum hlo_api_indexing_flag {
  HLO_API_INDEXING_PHYSICAL = 1,        // over memory instead of indices
  HLO_API_INDEXING_INPUT_TO_OUTPUT = 2, // from elements to those that need them
  HLO_API_INDEXING_TO_PARAMETERS = 4,   // composed down to the computation's parameters
  HLO_API_INDEXING_TO_ALL = 8           // down to every instruction on the way
} hlo_api_indexing_flag;

// Computes the maps of an instruction. The module must outlive them.
//   computation, instruction  by name; empty: the entry, its root
//   target                    the instruction that the maps lead to; empty: the operands
//   flags                     a combination of hlo_api_indexing_flag
//   input, output             leaf numbers (output -1: every leaf)
HLO_API hlo_api_indexing *hlo_api_indexing_create(const hlo_module *module, const char *computation,
                                                  uint32_t computation_length,
                                                  const char *instruction,
                                                  uint32_t instruction_length, const char *target,
                                                  uint32_t target_length, uint32_t flags,
                                                  int32_t input, int32_t output);
HLO_API void hlo_api_indexing_destroy(hlo_api_indexing *indexing);
// Writes the maps to the text buffer as text. Returns 0.
HLO_API int32_t hlo_api_indexing_print(const hlo_api_indexing *indexing);
// Writes {"computation", "instruction", "entries": [{"from": {"name", "leaf", "shape"}, "to": {…},
// "unknown", "maps": [{"text", "dimensions": [{"lower", "upper"}], "ranges", "runtime", "results",
// "constraints": [{"expression", "lower", "upper"}]}]}]} to the text buffer. Returns 0.
HLO_API int32_t hlo_api_indexing_describe(const hlo_api_indexing *indexing);
// Writes the row-major positions of the elements that an entry's maps give for an index of `rank`
// coordinates to the text buffer as a JSON list, at most `limit`. Returns 1 when these are all, 0
// when not.
HLO_API int32_t hlo_api_indexing_elements(const hlo_api_indexing *indexing, int32_t entry,
                                          const double *index, int32_t rank, int32_t limit);
// Operand utilisation. Writes {"elements": of the array that the entry leads to, "distinct": how
// many of them are read when everything is computed, "reads": in all, each element computed on its
// own, "exact"} to the text buffer; unless exact, distinct and reads are upper bounds, null if none
// is known. Returns 0.
HLO_API int32_t hlo_api_indexing_utilization(const hlo_api_indexing *indexing, int32_t entry);
// Coalescing. For each of the entry's maps, writes the steps in memory, in elements of the array
// that it leads to, along each of the loops that the map has: [[{"kind": "dimension" or "range",
// "index", "iterations", "known", "stride", "run", "guarded"}]]. A loop is the number of a
// dimension, or -1 - the number of a range. run: the stride does not hold onto multiples of run;
// null: it always holds. guarded: some iterations may be outside of the domain. Returns 0.
HLO_API int32_t hlo_api_indexing_strides(const hlo_api_indexing *indexing, int32_t entry,
                                         const double *loops, int32_t loop_count);
// Tile propagation. The array that the entry leads from is cut into tiles of these sizes, numbered
// d0, d1, …; for each map, writes the tile that it needs: [{"dims": [{"offset": an expression,
// "size", "stride"}], "exact", "guarded", "runtime": names of what runtime variables are read
// from}], null where no offset, size and stride describe it. exact: every element of the tile is
// needed. guarded: some tile numbers need less. Returns 0.
HLO_API int32_t hlo_api_indexing_tiles(const hlo_api_indexing *indexing, int32_t entry,
                                       const double *sizes, int32_t rank);
// The same with sizes left open: for each map a list of cases, [[{"dims": [{"offset", "size":
// expressions over the offsets d0, d1, … of a tile, in elements, and its sizes s0, s1, …,
// "stride"}], "exact", "guarded", "constraints": [{"expression", "lower", "upper"}], for which
// tiles the case holds, "runtime"}]]. Returns 0.
HLO_API int32_t hlo_api_indexing_symbolic_tiles(const hlo_api_indexing *indexing, int32_t entry);

// Bytes that cross between memory and the instructions of a computation (by name; empty: the entry)
// when all run as one fusion, and when each runs on its own. Writes {"computation", "fusedRead",
// "fusedLoaded", "fusedWritten", "unfusedRead", "unfusedWritten", "exact"} to the text buffer; read
// counts an element once, loaded every time; null: no bound is known. Returns 0.
HLO_API int32_t hlo_api_module_traffic(const hlo_module *module, const char *computation,
                                       uint32_t computation_length);

// ---- one indexing map as a value; maps are immutable ----

// Parses a map: "(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 3], s0 in [0, 3]".
HLO_API hlo_api_map *hlo_api_map_create(const char *text, uint32_t length);
HLO_API void hlo_api_map_destroy(hlo_api_map *map);
// Writes {"text", "dimensions": [{"name", "lower", "upper"}], "ranges", "runtime", "results",
// "constraints": [{"expression", "lower", "upper"}], "empty"} to the text buffer. Returns 0.
HLO_API int32_t hlo_api_map_describe(const hlo_api_map *map);
typedef enum hlo_api_map_step {
  HLO_API_MAP_STEP_SIMPLIFY = 0,
  HLO_API_MAP_STEP_REMOVE_UNUSED = 1, // ranges and runtime variables that nothing depends on
  HLO_API_MAP_STEP_RESCALE = 2        // a range s with s mod n in [r, r] becomes s * n + r
} hlo_api_map_step;
HLO_API hlo_api_map *hlo_api_map_rewrite(const hlo_api_map *map, int32_t step);
// First `first`, then `second`, whose dimensions are the results of `first`. Not simplified.
HLO_API hlo_api_map *hlo_api_map_compose(const hlo_api_map *first, const hlo_api_map *second);
// The map where these constraints hold as well: lines of a domain.
HLO_API hlo_api_map *hlo_api_map_restrict(const hlo_api_map *map, const char *constraints,
                                          uint32_t constraints_length);
// Do both relate the same indices to the same results? Returns 1 or 0; 2 if domains are unbounded
// or too large to decide it.
HLO_API int32_t hlo_api_map_compare(const hlo_api_map *first, const hlo_api_map *second);
// values: of all dimensions, ranges and runtime variables. Writes {"results": […]}, or {} outside
// of the domain, to the text buffer. Returns 0.
HLO_API int32_t hlo_api_map_evaluate(const hlo_api_map *map, const double *values, int32_t count);
// Writes the points [{"dimensions", "ranges", "runtime", "results"}] to the text buffer, at most
// `limit`, for one value of each dimension or, if count is 0, for all. Returns 1 when these are
// all, 0 when not.
HLO_API int32_t hlo_api_map_points(const hlo_api_map *map, const double *dimensions, int32_t count,
                                   int32_t limit);
// Parses one map, simplifies it, and writes it to the text buffer. Returns 0.
HLO_API int32_t hlo_api_map_simplify(const char *text, uint32_t length);

#ifdef __cplusplus
}
#endif

#endif
