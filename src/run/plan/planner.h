// The state of planning one computation, shared by plan.c and alias.c.
#ifndef HLO_RUN_PLAN_PLANNER_H
#define HLO_RUN_PLAN_PLANNER_H

#include "run/plan/plan.h"

typedef struct hlo_planner {
  hlo_plan_set *set;
  hlo_plan *plan;
  int32_t **slots; // by instruction id: the slots of its leaves
  int32_t slot_capacity;
  int32_t constant_capacity;
} hlo_planner;

static inline int32_t hlo_leaves_of(const hlo_instruction *instruction) {
  return hlo_shape_leaf_count(instruction->shape);
}

// --- slots.c ---
// A new slot for each leaf of the shape, numbered in a row.
hlo_status hlo_planner_add_slots(hlo_planner *planner, const hlo_shape *shape, int32_t *slots,
                                 hlo_error *error);
// Gives a slot a buffer for all frames, which the plan owns from now on, also on failure.
hlo_status hlo_planner_add_constant(hlo_planner *planner, int32_t slot, hlo_buffer *buffer,
                                    hlo_error *error);
// A new slot that holds zeros whenever a frame starts.
hlo_status hlo_planner_add_zeros(hlo_planner *planner, const hlo_shape *shape, int32_t *slot,
                                 hlo_error *error);

// --- products.c ---
// Plans dots, and gives products their constants as kernels want them where sizes are static.
hlo_status hlo_planner_plan_products(hlo_planner *planner, hlo_error *error);

// --- epilogue.c ---
// Puts fusions after the products that only they read, where they can run on parts of the result.
hlo_status hlo_planner_place_epilogues(hlo_planner *planner, hlo_error *error);

// --- loop.c ---
// Makes code for a WHILE whose computations are planned, and step->loop, if that can be done; else
// *out stays as it is.
hlo_status hlo_planner_compile_loop(hlo_plan_set *set, hlo_step *step, const hlo_emit_kernel **out,
                                    hlo_error *error);

// --- memory.c ---
// Where results may be made in place, and which steps run over plain memory. Needs the dying slots.
hlo_status hlo_planner_prepare_steps(hlo_planner *planner, hlo_error *error);
// Finds plan->most_bytes. Needs the above, and the plans of callees.
hlo_status hlo_planner_count_most_bytes(hlo_planner *planner, hlo_error *error);

// --- alias.c ---
// Plans an instruction that only renames leaves of its operands: no step.
hlo_status hlo_planner_add_alias(hlo_planner *planner, const hlo_instruction *instruction,
                                 hlo_error *error);
// True for instructions that begin what a done finishes.
bool hlo_planner_is_start(hlo_opcode opcode);
// The slots of a start: operands' slots again, new slots for the results (*results of them, at
// *first), zeros for the contexts.
hlo_status hlo_planner_add_start(hlo_planner *planner, const hlo_instruction *instruction,
                                 const int32_t **first, int32_t *results, hlo_error *error);

#endif
