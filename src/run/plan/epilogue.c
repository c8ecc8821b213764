// Epilogues: elementwise work and row reductions on a product's result, applied to parts of it
// while those are in cache. A fusion that can be applied this way is moved next to its product. See
// planner.h.
#include "kernels/machine.h"
#include "run/plan/planner.h"

#include <string.h>

enum { NOBODY = -1, SEVERAL = -2 };

typedef struct placing {
  const hlo_plan *plan;
  int32_t *reader;  // by slot: the step that reads it, or one of the above
  int32_t *writer;  // by slot: the step that makes it, or NOBODY
  bool *is_placed;  // by step
  int32_t count;    // of steps in their new order
  hlo_step *placed; // in that
} placing;

static void list_readers(placing *p) {
  const hlo_plan *plan = p->plan;
  for (int32_t i = 0; i < plan->slot_count; i++) p->reader[i] = p->writer[i] = NOBODY;
  for (int32_t s = 0; s < plan->step_count; s++) {
    const hlo_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->operand_leaves; i++) {
      int32_t *reader = &p->reader[step->operands[i]];
      *reader = *reader == NOBODY ? s : SEVERAL;
    }
    for (int32_t i = 0; i < step->result_leaves; i++) p->writer[step->results[i]] = s;
  }
  for (int32_t i = 0; i < plan->result_leaves; i++) p->reader[plan->results[i]] = SEVERAL;
}

static bool is_product(const hlo_step *step) {
  const hlo_instruction *x = step->instruction;
  if (step->kind != HLO_STEP_EVALUATE) return false;
  return x->opcode == HLO_OP_CONVOLUTION ||
         (x->opcode == HLO_OP_DOT && x->shape->rank > 0 &&
          x->shape->dims[x->shape->rank - 1] >= HLO_EPILOGUE_FEWEST_COLUMNS);
}

static int32_t operand_of(const hlo_step *step, int32_t slot) {
  for (int32_t k = 0; k < step->instruction->operand_count; k++) {
    if (step->operands[step->operand_starts[k]] == slot) return k;
  }
  return NOBODY;
}

// All other operands are there by now.
static bool is_ready(const placing *p, const hlo_step *step, int32_t slot) {
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    int32_t writer = p->writer[step->operands[i]];
    if (step->operands[i] != slot && writer != NOBODY && !p->is_placed[writer]) return false;
  }
  return true;
}

static void place(placing *p, int32_t s) {
  p->placed[p->count++] = p->plan->steps[s];
  p->is_placed[s] = true;
}

static void place_followers(placing *p, hlo_step *product) {
  const hlo_step *steps = p->plan->steps;
  int32_t slot = product->results[0], between = 0, s = p->reader[slot];
  for (; s >= 0 && steps[s].kind == HLO_STEP_SHARE; between++) {
    slot = steps[s].results[0];
    s = p->reader[slot];
  }
  if (s < 0 || steps[s].kernel == NULL || !is_ready(p, &steps[s], slot)) return;
  int32_t operand = operand_of(&steps[s], slot);
  if (operand < 0 || steps[s].kernel->reads[operand].row == 0) return;
  slot = product->results[0];
  for (int32_t i = 0; i < between; i++) {
    int32_t share = p->reader[slot];
    slot = steps[share].results[0];
    place(p, share);
  }
  place(p, s);
  product->followers = between + 1;
  product->chained = operand;
}

hlo_status hlo_planner_place_epilogues(hlo_planner *planner, hlo_error *error) {
  hlo_plan *plan = planner->plan;
  placing p = {.plan = plan};
  hlo_arena scratch = {0};
  size_t slots = (size_t)plan->slot_count, steps = (size_t)plan->step_count;
  p.reader = hlo_arena_array(&scratch, slots, sizeof *p.reader);
  p.writer = hlo_arena_array(&scratch, slots, sizeof *p.writer);
  p.is_placed = hlo_arena_array(&scratch, steps, sizeof *p.is_placed);
  p.placed = hlo_arena_array(&scratch, steps, sizeof *p.placed);
  bool failed = p.reader == NULL || p.writer == NULL || p.is_placed == NULL || p.placed == NULL;
  if (!failed) {
    list_readers(&p);
    for (int32_t s = 0; s < plan->step_count; s++) {
      if (p.is_placed[s]) continue;
      hlo_step *step = &p.placed[p.count];
      place(&p, s);
      if (is_product(step)) place_followers(&p, step);
    }
    memcpy(plan->steps, p.placed, steps * sizeof *p.placed);
  }
  hlo_arena_free(&scratch);
  return failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}
