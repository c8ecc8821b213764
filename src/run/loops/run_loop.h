// Loops that run as one generated function (codegen/encode/driver.h): what the host puts into its
// block of memory, and what it reads from there.
#ifndef HLO_RUN_LOOPS_RUN_LOOP_H
#define HLO_RUN_LOOPS_RUN_LOOP_H

#include "codegen/encode/driver.h"
#include "run/exec/run.h"

// One leaf of the state, or memory of the round.
typedef struct hlo_loop_memory {
  bool is_number; // it is in the block itself, at `at`; else the block has its address there
  bool is_fixed;  // the body hands it on as it got it
  int32_t at;
  int64_t bytes;
} hlo_loop_memory;

// A step that the engine carries out, with the addresses of its operands and results at `at`.
typedef struct hlo_loop_call {
  const hlo_plan *plan;
  const hlo_step *step;
  int32_t at;
} hlo_loop_call;

struct hlo_loop {
  int64_t block_bytes, scratch_bytes;
  int64_t steps;           // of a round
  int32_t leaves, extra;   // of the state; arrays in addition to it
  hlo_loop_memory *memory; // leaves, then extra
  int32_t call_count;
  hlo_loop_call *calls;
};

// What the emitted function calls for steps of the engine's: hlo_driver_function.
void hlo_loop_call_step(void *block, int32_t number, int32_t a, int32_t b, int32_t c);
// Goes on with a WHILE step whose state is in its result slots, while run->steps_left lasts, and
// says why it has stopped.
hlo_status hlo_loop_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                            hlo_driver_state *out, hlo_error *error);

#endif
