// Compiled programs and their runs. A plan is a list of steps per computation; a run is a resumable
// machine with an explicit frame stack that can stop between any two steps.
#ifndef HLO_RUN_EXECUTABLE_H
#define HLO_RUN_EXECUTABLE_H

#include "base/string.h"
#include "codegen/codegen.h"
#include "hlo/hlo.h"
#include "kernels/backend.h"
#include "passes/passes.h"
#include "run/array.h"

typedef struct hlo_executable hlo_executable;
typedef struct hlo_run hlo_run;

typedef struct hlo_compile_options {
  // The oracle (src/reference) runs the program, or, where that needs the executor, evaluates its
  // instructions: no backend, no optimisation.
  bool reference;
  const hlo_backend *backend;         // NULL: no kernels
  hlo_target target;                  // of the code for fusions and loops
  const hlo_computation *computation; // the one to run; NULL: the module's entry
  // Run an optimised copy of the program (passes/passes.h). Observers see its instructions then.
  bool optimize;
  // But only if it gains by that (hlo_gains_by_optimizing).
  bool unless_small;
  hlo_pass_options passes;
} hlo_compile_options;

// Fails with HLO_UNSUPPORTED (naming and locating the instruction) for what cannot run. The
// executable shares the module, which must not be changed any more.
hlo_status hlo_compile(const hlo_module *module, const hlo_compile_options *options,
                       hlo_executable **out, hlo_error *error);
// Another executable of the same plans and code, with a state of its own: as if compiled again.
hlo_status hlo_executable_share(const hlo_executable *executable, hlo_executable **out,
                                hlo_error *error);
void hlo_executable_destroy(hlo_executable *executable); // NULL is fine
// Code for the fusions of the program. The host may compile it and install the functions, at any
// time; until then, and where it does not, fusions run instruction by instruction. None without a
// backend.
int32_t hlo_executable_kernel_count(const hlo_executable *executable);
// Adds the bytes of a WebAssembly module that exports function i as i: codegen/codegen.h.
hlo_status hlo_executable_code(const hlo_executable *executable, bool shared_memory,
                               hlo_string *out, hlo_error *error);
// Whether there is a fusion that does enough for several threads.
bool hlo_executable_has_parts(const hlo_executable *executable);
void hlo_executable_install(hlo_executable *executable, int32_t kernel,
                            hlo_emitted_function *function);
const hlo_module *hlo_executable_source(const hlo_executable *executable); // that was compiled
// The program that runs: the optimised copy, or else the module that was compiled.
const hlo_module *hlo_executable_module(const hlo_executable *executable);
const hlo_computation *hlo_executable_computation(const hlo_executable *executable); // that runs
// The sizes of results may differ from run to run.
bool hlo_executable_has_dynamic_sizes(const hlo_executable *executable);
int32_t hlo_executable_parameter_count(const hlo_executable *executable);
const hlo_shape *hlo_executable_parameter(const hlo_executable *executable, int32_t index);
int32_t hlo_executable_result_count(const hlo_executable *executable); // leaves of the root
const hlo_shape *hlo_executable_result(const hlo_executable *executable, int32_t index);

// Bytes of arrays, known before anything runs. Not counted: what single operations use while they
// work, custom calls, feeds.
typedef struct hlo_memory_report {
  int64_t arguments, results, constants;
  int64_t temporaries; // at most at a time, besides the three above
  int64_t peak;        // at most, all of it
} hlo_memory_report;
hlo_memory_report hlo_executable_memory(const hlo_executable *executable);

// Arguments: one array per leaf of the parameters in order (tuples flattened), compatible in type
// and dims, any layout (relaid out where it differs); borrowed until this returns. Where a
// parameter's dimension is dynamic an array may have less than its bound, and results have the
// sizes that came out: see array.h.
hlo_status hlo_run_start(const hlo_executable *executable, int32_t argument_count,
                         hlo_array *const *arguments, hlo_run **out, hlo_error *error);
// Runs at most step_limit steps (0: to the end). *done says whether the program has ended. The run
// is a group of one process; for several see group.h.
hlo_status hlo_run_continue(hlo_run *run, int64_t step_limit, bool *done, hlo_error *error);
// After the end: leaf `index` of the result as a new array owned by the caller.
hlo_status hlo_run_result(hlo_run *run, int32_t index, hlo_array **out, hlo_error *error);
// Runs to the end and gives all results, hlo_executable_result_count() new arrays owned by the
// caller; none where it fails.
hlo_status hlo_run_finish(hlo_run *run, hlo_array **results, hlo_error *error);
// What the program printed so far (interpreter.print).
const hlo_string *hlo_run_output(const hlo_run *run);
void hlo_run_destroy(hlo_run *run); // at any time; NULL is fine

// Infeed and outfeed: queues of items, each a list of arrays (a tuple's leaves). Every infeed
// instruction reads one item, every outfeed instruction adds one. Arrays given are borrowed.
hlo_status hlo_run_feed(hlo_run *run, int32_t count, hlo_array *const *arrays, hlo_error *error);
// Arrays in the oldest item of the outfeed, -1 when it is empty.
int32_t hlo_run_outfeed_count(const hlo_run *run);
// Array `index` of that item: the caller's from now on. NULL when it was taken already.
hlo_array *hlo_run_outfeed_take(hlo_run *run, int32_t index);
// Removes that item with what is left in it.
void hlo_run_outfeed_drop(hlo_run *run);

// All of it at once. results: hlo_executable_result_count(executable) arrays owned by the caller.
hlo_status hlo_execute(const hlo_executable *executable, int32_t argument_count,
                       hlo_array *const *arguments, hlo_array **results, hlo_error *error);

// Called after every step when set (stepper, interpreter.print/probe): instruction and views of its
// result leaves.
typedef void hlo_step_observer(void *host, const hlo_instruction *instruction, int32_t leaf_count,
                               const hlo_view *leaves);
void hlo_run_set_observer(hlo_run *run, hlo_step_observer *observer, void *host);

#endif
