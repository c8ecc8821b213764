// The state of planning a loop as one function, shared by loop.c and loop_steps.c.
#ifndef HLO_RUN_LOOPS_LOOP_PLANNER_H
#define HLO_RUN_LOOPS_LOOP_PLANNER_H

#include "run/loops/run_loop.h"
#include "run/plan/planner.h"

typedef struct hlo_loop_register {
  int64_t bytes;
  int32_t holders; // slots
  bool is_fixed;   // it is never free
} hlo_loop_register;

// Where a slot's number or array is.
typedef struct hlo_loop_slot {
  bool is_number;  // one element, of a type that there are values of
  bool has_memory; // of a number, which has a value, too
  int32_t number;  // of an array: its register, or -1
  hlo_value value;
  hlo_place memory;
} hlo_loop_slot;

typedef struct hlo_loop_planner {
  hlo_plan_set *set;
  hlo_arena *scratch;
  hlo_driver *driver;
  hlo_loop *loop;
  int32_t memory_capacity, call_capacity;
  hlo_loop_register *registers; // by number
  int32_t register_count, register_capacity;
  int64_t extra_bytes; // of arrays in addition to the state
  int32_t depth;       // of loops and branches around the plan under way
  int64_t rounds;      // of all loops around it, in a round of the outermost
  // A round that has got into a loop of unknown length may be given up and started again. Till then
  // nothing may have happened that cannot be undone.
  bool may_give_up;
  int32_t state_registers; // the first ones, which have the state at the start of a round
  bool has_acted;          // the state is overwritten, or somebody outside has seen something
  const hlo_plan *plan;
  hlo_loop_slot *slots; // of the plan
  bool refuses;         // no code can be made
  hlo_error *error;
  hlo_status status; // or memory is out
} hlo_loop_planner;

// --- loop_steps.c ---
bool hlo_loop_fail(hlo_loop_planner *p); // memory is out
bool hlo_loop_is_plain(const hlo_shape *shape);
bool hlo_loop_is_number(const hlo_shape *shape);
bool hlo_loop_add_memory(hlo_loop_planner *p, hlo_loop_memory memory);
int32_t hlo_loop_add_register(hlo_loop_planner *p, int64_t bytes, bool is_fixed);
// The register's array changes.
void hlo_loop_note_write(hlo_loop_planner *p, int32_t number);
// A register that is free; it has to be held before the next one is looked for.
int32_t hlo_loop_free_register(hlo_loop_planner *p, int64_t bytes);
// The slot holds the register.
void hlo_loop_hold(hlo_loop_planner *p, int32_t slot, int32_t number);
// Whether a step's result may be made in the slot's memory.
bool hlo_loop_is_free(const hlo_loop_planner *p, const hlo_step *step, int32_t slot);
// Where the slot's array or number is in memory; a number is put there.
hlo_place hlo_loop_place_of(hlo_loop_planner *p, int32_t slot);
// Copies a slot's array into a register.
void hlo_loop_copy(hlo_loop_planner *p, int32_t slot, int32_t number);
// From now on this plan is under way, with its constants.
bool hlo_loop_start_plan(hlo_loop_planner *p, const hlo_plan *plan);
// A step without a computation of its own. False: no code can be made.
bool hlo_loop_add_step(hlo_loop_planner *p, const hlo_step *step);
// After the last use of what the slot holds.
void hlo_loop_let_go(hlo_loop_planner *p, int32_t slot);

#endif
