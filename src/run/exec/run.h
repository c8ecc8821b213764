// Runs from inside: frames, processes and the group they belong to, shared by the files of run/.
#ifndef HLO_RUN_EXEC_RUN_H
#define HLO_RUN_EXEC_RUN_H

#include "base/string.h"
#include "kernels/eval.h"
#include "run/calls/probe.h"
#include "run/devices/group.h"
#include "run/devices/parcel.h"
#include "run/executable.h"
#include "run/plan/plan.h"

// What executables have in common: it never changes, but that code is installed.
typedef struct hlo_program {
  int32_t shares;        // besides the first one
  hlo_module *module;    // that was compiled
  hlo_module *optimized; // what the plans are of; NULL: of `module`
  hlo_plan_set plans;
  const hlo_plan *entry;
  const hlo_computation *by_oracle; // of `module`, which src/reference can run alone; else NULL
  const hlo_shape **parameters, **results; // of the entry, tuples flattened
  const hlo_backend *backend;
} hlo_program;

struct hlo_executable {
  hlo_program *program;
  hlo_random_state *random; // of all its runs
};

// One computation under way. Its slots hold counted buffers, NULL when not (or no longer) there.
typedef struct hlo_frame {
  struct hlo_frame *caller;
  const hlo_plan *plan;
  int32_t step;
  bool in_body;        // of the WHILE step under way: the body runs, not the condition
  bool in_loop;        // that step is under way, and its state in its result slots
  int32_t ahead;       // so many of the next steps were carried out together with an earlier one
  hlo_buffer *slots[]; // plan->slot_count
} hlo_frame;

// Processes that have arrived at one collective, and those that it waits for: collective.h.
typedef struct hlo_gathering hlo_gathering;

// Runs that can talk to each other: processes, replicas x partitions of them.
struct hlo_run_group {
  int32_t replicas, partitions;
  // How a group of replicas is ordered when it takes in all their partitions: XLA puts the
  // partitions of a replica together, StableHLO the replicas of a partition.
  bool partitions_outermost;
  hlo_run **processes; // replica by replica; process = replica * partitions + partition
  int32_t turn;        // the process that goes on next
  hlo_gathering *gatherings;
  hlo_parcel_queue messages; // sent and not yet received
  hlo_parcel_queue infeed;   // for any process whose own is empty
};

// One process of a group; a run of its own is a group of one.
struct hlo_run {
  const hlo_executable *executable;
  hlo_frame *frame; // the innermost, NULL at the end
  int32_t frame_count;
  hlo_frame **idle; // by index of the computation: a frame that is done, for the next one. Or NULL
  int64_t steps_left;   // of those that hlo_run_advance may take
  int32_t nesting;      // runs inside runs: computations applied element by element
  hlo_buffer **results; // of the entry, once frame is NULL
  const hlo_plan *plan; // the outermost frame's
  hlo_arena scratch;
  hlo_string output; // what the program printed
  hlo_probe_list probed;
  hlo_probe_list *probes; // that list, or the one of the run that this one is a part of
  hlo_step_observer *observer;
  void *observer_host;
  hlo_run_group *group;
  int32_t process;          // in the group
  bool waiting;             // the step under way cannot go on before another process has
  hlo_gathering *gathering; // at which it waits, or NULL
  hlo_parcel_queue infeed, outfeed;
  hlo_run_group *started; // by the step under way, which waits for its end (parallel.c)
  hlo_run_group alone;    // the group of a run of its own
  hlo_run *self;
};

// A run of any planned computation, of its own, or, where `outer` is not NULL, inside another run
// of the same process. Buffers are retained by the run; their memory has the slot shapes' layouts.
hlo_status hlo_run_create(const hlo_executable *executable, const hlo_plan *plan,
                          hlo_buffer *const *arguments, const hlo_run *outer, hlo_run **out,
                          hlo_error *error);
// Takes steps until the run has ended, waits, or has taken step_limit of them (0: no limit).
hlo_status hlo_run_advance(hlo_run *run, int64_t step_limit, hlo_error *error);
// The step under way is done: on to the next one.
void hlo_run_finish_step(hlo_run *run, hlo_frame *frame);
static inline const hlo_step *hlo_frame_step(const hlo_frame *frame) {
  return &frame->plan->steps[frame->step];
}
// A buffer of the array in its slot's layout: the same one where it fits, else relaid out. The
// caller owns one reference.
hlo_status hlo_buffer_in_layout(hlo_buffer *buffer, const hlo_shape *from, const hlo_shape *to,
                                hlo_buffer **out, hlo_error *error);

// --- step.c ---
// Carries out one EVALUATE, CUSTOM or SHARE step.
hlo_status hlo_step_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step, hlo_error *error);
// Whether a result of that shape may take over the slot's buffer: read for the last time here, held
// by nobody else, laid out alike.
bool hlo_step_may_reuse(const hlo_frame *frame, const hlo_step *step, int32_t slot,
                        const hlo_shape *result);
// An undefined buffer for a slot; its padding is filled.
hlo_status hlo_step_allocate_result(hlo_frame *frame, int32_t slot, hlo_error *error);
// Carries out a step with lanes. Needs no scratch memory.
hlo_status hlo_step_run_lanes(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                              hlo_error *error);
// Carries out a step that is a plain product.
hlo_status hlo_step_run_dot(hlo_run *run, hlo_frame *frame, const hlo_step *step, hlo_error *error);
// Undefined buffers for the step's results.
hlo_status hlo_step_allocate_results(hlo_frame *frame, const hlo_step *step, hlo_error *error);
// Views of slots; of one that holds no array, the type alone.
void hlo_step_view_slots(const hlo_frame *frame, int32_t count, const int32_t *slots,
                         hlo_view *out);
// What the evaluator may use of the run.
hlo_evaluator hlo_step_evaluator(hlo_run *run);
// The oracle's, in `out`, where it evaluates in place of kernels; else NULL.
const struct hlo_reference *hlo_step_reference(hlo_run *run, struct hlo_reference *out);
// Evaluates an instruction on views: by the oracle where the program asks for it.
hlo_status hlo_step_evaluate(hlo_run *run, const hlo_evaluator *evaluator,
                             const hlo_instruction *instruction, const hlo_view *operands,
                             const hlo_view *results, hlo_error *error);
// Calls a CUSTOM step's function on views of its operands and results.
hlo_status hlo_step_call_custom(hlo_run *run, const hlo_step *step, const hlo_view *operands,
                                const hlo_view *results, hlo_error *error);

#endif
