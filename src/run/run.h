// The frames of a run, shared by executable.c and run.c. Must not know about hosts.
#ifndef HLO_RUN_RUN_H
#define HLO_RUN_RUN_H

#include "base/string.h"
#include "run/executable.h"
#include "run/plan.h"

struct hlo_executable {
  hlo_plan_set plans;
  const hlo_plan *entry;
  const hlo_backend *backend;
};

// One computation under way. Its slots hold counted buffers, NULL when not (or no longer) there.
typedef struct hlo_frame {
  struct hlo_frame *caller;
  const hlo_plan *plan;
  int32_t step;
  bool in_body;        // of the WHILE step under way: the body runs, not the condition
  hlo_buffer *slots[]; // plan->slot_count
} hlo_frame;

struct hlo_run {
  const hlo_executable *executable;
  hlo_frame *frame; // the innermost, NULL at the end
  int32_t frame_count;
  int32_t nesting;      // runs inside runs: computations applied element by element
  hlo_buffer **results; // of the entry, once frame is NULL
  const hlo_plan *plan; // the outermost frame's
  hlo_arena scratch;
  hlo_string output; // what the program printed
  hlo_step_observer *observer;
  void *observer_host;
};

// A run of any planned computation. Buffers are retained by the run; their memory has the slot
// shapes' layouts.
hlo_status hlo_run_create(const hlo_executable *executable, const hlo_plan *plan,
                          hlo_buffer *const *arguments, int32_t nesting, hlo_run **out,
                          hlo_error *error);
// A buffer of the array in its slot's layout: the same one where it fits, else relaid out. The
// caller owns one reference.
hlo_status hlo_buffer_in_layout(hlo_buffer *buffer, const hlo_shape *from, const hlo_shape *to,
                                hlo_buffer **out, hlo_error *error);
// Carries out one EVALUATE, CUSTOM or SHARE step (step.c).
hlo_status hlo_step_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step, hlo_error *error);

#endif
