// What a plan says about memory before anything runs: where results may be made in place, which
// steps run over plain memory without views, and peak memory. See planner.h.
#include "run/plan/planner.h"

#include <string.h>

static bool dies(const hlo_step *step, int32_t slot) {
  for (int32_t i = 0; i < step->dying_count; i++) {
    if (step->dying[i] == slot) return true;
  }
  return false;
}

static hlo_status list_reusable(hlo_planner *p, hlo_step *step, hlo_error *error) {
  hlo_opcode opcode = step->instruction->opcode;
  bool updates = (hlo_op_get(opcode)->properties & HLO_PROPERTY_UPDATES) != 0;
  int32_t candidates = hlo_op_is_pointwise(opcode) || step->lanes > 0 ? step->operand_leaves
                       : updates                                      ? 1
                                                                      : 0;
  if (step->kind != HLO_STEP_EVALUATE || step->result_leaves != 1 || candidates == 0) return HLO_OK;
  int32_t *slots;
  HLO_ALLOC(slots, &p->set->arena, candidates, error);
  const hlo_shape *result = p->plan->slot_shapes[step->results[0]];
  for (int32_t i = 0; i < candidates; i++) {
    int32_t slot = step->operands[i];
    const hlo_shape *shape = p->plan->slot_shapes[slot];
    bool fits = hlo_type_bytes(shape->type) == hlo_type_bytes(result->type);
    if (fits && hlo_shape_same_order(shape, result) && dies(step, slot)) {
      slots[step->reusable_count++] = slot;
    }
  }
  step->reusable = slots;
  return HLO_OK;
}

static bool is_plain(const hlo_shape *shape, int64_t elements) {
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         hlo_shape_elements(shape) == elements && hlo_shape_memory_elements(shape) == elements;
}

static void plan_lanes(const hlo_planner *p, hlo_step *step) {
  const hlo_instruction *x = step->instruction;
  if (step->kind != HLO_STEP_EVALUATE || !hlo_op_is_elementwise(x->opcode)) return;
  if (step->operand_leaves > HLO_STEP_LANE_OPERANDS || step->result_leaves != 1) return;
  const hlo_shape *result = p->plan->slot_shapes[step->results[0]];
  if (!hlo_shape_is_array(result)) return;
  int64_t elements = hlo_shape_elements(result);
  if (elements == 0 || !is_plain(result, elements)) return;
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    const hlo_shape *shape = p->plan->slot_shapes[step->operands[i]];
    if (!is_plain(shape, elements) || (elements > 1 && !hlo_shape_same_order(shape, result)))
      return;
  }
  if (hlo_lane_op_match(x, &step->lane_op)) step->lanes = elements;
  step->may_be_sized = p->set->has_sizes;
}

hlo_status hlo_planner_prepare_steps(hlo_planner *p, hlo_error *error) {
  if (p->set->reference) return HLO_OK;
  for (int32_t s = 0; s < p->plan->step_count; s++) {
    plan_lanes(p, &p->plan->steps[s]);
    HLO_TRY(list_reusable(p, &p->plan->steps[s], error));
  }
  return HLO_OK;
}

// --- the most memory at a time ---

// Slots that hold the same buffer have the same root, which counts them.
typedef struct memory_count {
  const hlo_plan *plan;
  int32_t *root, *holders; // by slot; root -1: no memory of this frame's
  int64_t bytes, most;
} memory_count;

static int64_t add_bytes(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void hold(memory_count *m, int32_t slot, int32_t root) {
  m->root[slot] = root;
  if (root < 0) return;
  if (m->holders[root]++ == 0)
    m->bytes = add_bytes(m->bytes, hlo_shape_bytes(m->plan->slot_shapes[root]));
}

static void let_go(memory_count *m, int32_t slot) {
  int32_t root = m->root[slot];
  m->root[slot] = -1;
  if (root < 0 || --m->holders[root] > 0) return;
  m->bytes -= hlo_shape_bytes(m->plan->slot_shapes[root]);
}

// What there is now, and so many bytes more.
static void note(memory_count *m, int64_t beside) {
  int64_t now = add_bytes(m->bytes, beside);
  if (now > m->most) m->most = now;
}

// What the result takes over: of a shared buffer all of it, else what dies.
static int32_t taken_over(const memory_count *m, const hlo_step *step) {
  if (step->kind == HLO_STEP_SHARE) return m->root[step->operands[0]];
  for (int32_t i = 0; i < step->reusable_count; i++) {
    int32_t root = m->root[step->reusable[i]];
    if (root >= 0 && m->holders[root] == 1) return root;
  }
  return -1;
}

// A loop's computation hands the element of the state on as it got it.
static bool is_invariant(const hlo_plan *body, int32_t leaf) { return body->results[leaf] == leaf; }

// The state is in the memory that the loop starts with where that dies, else in memory of its own.
// What never changes stays where it is.
static void hold_state(memory_count *m, const hlo_step *step, int64_t *beyond) {
  const hlo_plan *body = step->plans[1];
  for (int32_t i = 0; i < step->result_leaves; i++) {
    int32_t slot = step->results[i], start = step->operands[i], root = m->root[start];
    bool taken = root >= 0 && m->holders[root] == 1 && dies(step, start);
    if (is_invariant(body, i) || taken) hold(m, slot, root);
    else hold(m, slot, slot);
    const hlo_shape *made = body->slot_shapes[body->results[i]];
    if (hlo_shape_is_array(made) && !hlo_shape_same_order(made, m->plan->slot_shapes[slot])) {
      *beyond = add_bytes(*beyond, hlo_shape_bytes(made)); // laid out anew at every pass
    }
  }
}

// A fusion that runs together with its product makes its results in addition to those, but for one
// in their place.
static int64_t bytes_of_epilogue(const memory_count *m, const hlo_step *product) {
  if (product->followers == 0) return 0;
  const hlo_step *fusion = product + product->followers;
  int64_t bytes = 0;
  for (int32_t i = 0; i < fusion->result_leaves; i++) {
    if (fusion->kernel->in_place[i] == product->chained) continue;
    bytes = add_bytes(bytes, hlo_shape_bytes(m->plan->slot_shapes[fusion->results[i]]));
  }
  return bytes;
}

static void count_step(memory_count *m, const hlo_step *step) {
  bool loops = step->kind == HLO_STEP_WHILE;
  int64_t called = loops ? step->plans[1]->most_bytes_beyond_state : 0;
  for (int32_t i = 0; i < step->plan_count && !(loops && i == 1); i++) {
    if (step->plans[i]->most_bytes > called) called = step->plans[i]->most_bytes;
  }
  if (loops) {
    hold_state(m, step, &called);
  } else {
    note(m, called);
    called = bytes_of_epilogue(m, step);
    bool shares = step->kind == HLO_STEP_SHARE && m->root[step->operands[0]] < 0;
    int32_t root = shares ? -1 : taken_over(m, step);
    for (int32_t i = 0; i < step->result_leaves; i++) {
      int32_t slot = step->results[i];
      hold(m, slot, shares ? -1 : root >= 0 ? root : slot);
    }
  }
  note(m, called);
  for (int32_t i = 0; i < step->dying_count; i++) let_go(m, step->dying[i]);
}

// Goes through the steps once; `owned`: as the body of a loop, which owns the state that changes.
static int64_t count_steps(memory_count *m, bool owned) {
  const hlo_plan *plan = m->plan;
  m->bytes = m->most = 0;
  for (int32_t i = 0; i < plan->slot_count; i++) m->root[i] = -1;
  for (int32_t i = 0; i < plan->slot_count; i++) m->holders[i] = 0;
  int32_t leaves = owned && plan->parameter_leaves == plan->result_leaves ? plan->result_leaves : 0;
  for (int32_t i = 0; i < leaves; i++) {
    if (!is_invariant(plan, i)) hold(m, i, i);
  }
  int64_t state = m->bytes;
  m->most = state;
  for (int32_t s = 0; s < plan->step_count; s++) count_step(m, &plan->steps[s]);
  return m->most - state;
}

hlo_status hlo_planner_count_most_bytes(hlo_planner *p, hlo_error *error) {
  memory_count m = {.plan = p->plan};
  hlo_arena scratch = {0};
  size_t slots = (size_t)p->plan->slot_count;
  m.root = hlo_arena_array(&scratch, slots, sizeof *m.root);
  m.holders = hlo_arena_array(&scratch, slots, sizeof *m.holders);
  bool failed = m.root == NULL || m.holders == NULL;
  if (!failed) {
    p->plan->most_bytes = count_steps(&m, false);
    p->plan->most_bytes_beyond_state = count_steps(&m, true);
  }
  hlo_arena_free(&scratch);
  return failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}
