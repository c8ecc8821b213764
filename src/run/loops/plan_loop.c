// Makes one function of a loop, with the loops and branches inside of it: where its state is at the
// start of a round, and how the results of a round become the state of the next one. Registers are
// permuted for that, so that nothing is copied which can be renamed. See loop_planner.h.
#include "run/loops/loop_planner.h"

#include "hlo/analysis/cost.h"
#include "kernels/machine.h"

enum {
  // Of a round: so much is not interrupted. In a loop of unknown length so many are done in vain.
  MOST_STEPS = 20000,
  MOST_DEPTH = 4,     // inner loops have functions of their own, too
  MOST_ARRAYS = 1000, // of a state: a place for each is looked for among all
};

static bool add_steps(hlo_loop_planner *p);

// What one leaf of a state or of a branch's result is to be.
typedef struct leaf {
  bool is_kept;       // it stays what it is
  hlo_loop_slot slot; // of an array: under the name of a register
} leaf;

static leaf *new_leaves(hlo_loop_planner *p, int32_t count) {
  leaf *leaves = hlo_arena_array(p->scratch, (size_t)count + 1, sizeof *leaves);
  if (leaves == NULL) hlo_loop_fail(p);
  return leaves;
}

static hlo_loop_slot number_slot(hlo_value value) {
  return (hlo_loop_slot){.is_number = true, .number = -1, .value = value};
}

static hlo_loop_slot register_slot(int32_t number) {
  return (hlo_loop_slot){.number = number, .memory = {.kind = HLO_PLACE_REGISTER, .at = number}};
}

static bool is_kept(const hlo_plan *body, int32_t leaf) { return body->results[leaf] == leaf; }

// --- who holds what ---

// By register: how many hold it now. NULL: memory is out.
static int32_t *note_holders(hlo_loop_planner *p) {
  int32_t *holders = hlo_arena_array(p->scratch, (size_t)p->register_count + 1, sizeof *holders);
  if (holders == NULL) {
    hlo_loop_fail(p);
    return NULL;
  }
  for (int32_t i = 0; i < p->register_count; i++) holders[i] = p->registers[i].holders;
  holders[p->register_count] = -1; // the end
  return holders;
}

// As it was then; what has come since is free.
static void restore_holders(hlo_loop_planner *p, const int32_t *holders) {
  int32_t i = 0;
  for (; holders[i] >= 0; i++) p->registers[i].holders = holders[i];
  for (; i < p->register_count; i++) p->registers[i].holders = 0;
}

// Parameters of the plan under way are these.
static void bind(hlo_loop_planner *p, int32_t count, const leaf *leaves) {
  for (int32_t i = 0; i < count; i++) {
    p->slots[i] = leaves[i].slot;
    if (leaves[i].slot.number >= 0) p->registers[leaves[i].slot.number].holders++;
  }
}

// The plan's results become the leaves, at once. `outside`: by register, who else holds it.
static bool deliver(hlo_loop_planner *p, int32_t count, const leaf *leaves,
                    const int32_t *outside) {
  const hlo_plan *plan = p->plan;
  int32_t most = p->register_count + count, moves = 0, numbers = 0, known = 0;
  int32_t *to = hlo_arena_array(p->scratch, 2 * (size_t)most + 1, sizeof *to);
  bool *taken = hlo_arena_array(p->scratch, 2 * (size_t)most + 1, sizeof *taken);
  hlo_driver_assignment *list = hlo_arena_array(p->scratch, (size_t)count + 1, sizeof *list);
  if (to == NULL || taken == NULL || list == NULL) return hlo_loop_fail(p);
  int32_t *from = to + most;
  bool *named = taken + most;
  while (outside[known] >= 0) known++;
  for (int32_t i = 0; i < count; i++) {
    const hlo_loop_slot *made = &p->slots[plan->results[i]];
    if (leaves[i].is_kept) continue;
    if (made->is_number) {
      hlo_type type = plan->slot_shapes[plan->results[i]]->type;
      list[numbers++] = (hlo_driver_assignment){type, leaves[i].slot.value, made->value};
      continue;
    }
    int32_t number = made->number;
    bool is_ours = number >= 0 && !p->registers[number].is_fixed && !taken[number] &&
                   (number >= known || outside[number] == 0);
    if (!is_ours) {
      int64_t bytes = hlo_shape_bytes(plan->slot_shapes[plan->results[i]]);
      if (bytes > HLO_LOOP_MOST_COPIED) return false;
      number = hlo_loop_free_register(p, bytes);
      if (p->status != HLO_OK) return false;
      p->registers[number].holders++;
      hlo_loop_copy(p, plan->results[i], number);
    }
    taken[number] = named[leaves[i].slot.number] = true;
    to[moves] = leaves[i].slot.number;
    from[moves++] = number;
  }
  // What is no result takes the names that are left.
  for (int32_t i = 0; i < p->register_count; i++) {
    if (!named[i] || taken[i]) continue;
    for (int32_t k = 0; k < p->register_count; k++) {
      if (!taken[k] || named[k] || p->registers[k].bytes != p->registers[i].bytes) continue;
      named[k] = true;
      to[moves] = k;
      from[moves++] = i;
      break;
    }
  }
  hlo_driver_move(p->driver, moves, to, from);
  hlo_driver_set(p->driver, numbers, list);
  return true;
}

// --- rounds ---

// Whether the state has the same form wherever it goes.
static bool has_one_form(const hlo_step *step) {
  const hlo_plan *condition = step->plans[0], *body = step->plans[1];
  bool has = body->parameter_leaves == step->result_leaves &&
             condition->parameter_leaves == step->result_leaves;
  int32_t arrays = 0;
  for (int32_t i = 0; i < step->result_leaves && has; i++) {
    const hlo_shape *shape = body->slot_shapes[i], *next = body->slot_shapes[body->results[i]];
    const hlo_shape *stated = hlo_shape_leaf(step->instruction->shape, i);
    has = hlo_loop_is_plain(shape) && hlo_loop_is_plain(next) && hlo_loop_is_plain(stated) &&
          hlo_shape_same_order(shape, next) && hlo_shape_same_order(shape, stated) &&
          hlo_shape_same_order(shape, condition->slot_shapes[i]);
    arrays += !hlo_loop_is_number(shape);
    has = has && arrays <= MOST_ARRAYS;
  }
  return has;
}

static bool add_condition(hlo_loop_planner *p, const hlo_step *step, const leaf *state) {
  if (!hlo_loop_start_plan(p, step->plans[0])) return false;
  bind(p, step->result_leaves, state);
  bind(p, step->result_leaves, state); // once more: the body needs it
  if (!add_steps(p)) return false;
  const hlo_loop_slot *result = &p->slots[p->plan->results[0]];
  if (result->is_number) hlo_driver_leave_unless(p->driver, result->value);
  return result->is_number;
}

// What happens in a round.
static bool add_round(hlo_loop_planner *p, const hlo_step *step, const leaf *state) {
  const int32_t *outside = note_holders(p);
  if (outside == NULL || !add_condition(p, step, state)) return false;
  restore_holders(p, outside);
  if (!hlo_loop_start_plan(p, step->plans[1])) return false;
  bind(p, step->result_leaves, state);
  bool added = add_steps(p) && deliver(p, step->result_leaves, state, outside);
  restore_holders(p, outside);
  return added;
}

// --- loops inside ---

// Whether a loop is among the steps of which nobody knows how often it goes round.
static bool has_open_loop(const hlo_plan *plan, int32_t depth) {
  bool has = false;
  for (int32_t s = 0; s < plan->step_count && !has && depth < MOST_DEPTH; s++) {
    const hlo_step *step = &plan->steps[s];
    if (step->kind != HLO_STEP_WHILE && step->kind != HLO_STEP_CONDITIONAL) continue;
    has = step->kind == HLO_STEP_WHILE && hlo_trip_count(step->instruction) < 0;
    for (int32_t i = 0; i < step->plan_count && !has; i++)
      has = has_open_loop(step->plans[i], depth + 1);
  }
  return has;
}

// The array that an inner loop starts with is its own: that of the slot where nobody else needs it,
// else a copy.
static int32_t own_array(hlo_loop_planner *p, const hlo_step *step, int32_t slot) {
  int32_t uses = 0;
  for (int32_t i = 0; i < step->operand_leaves; i++) uses += step->operands[i] == slot;
  if (uses == 1 && hlo_loop_is_free(p, step, slot)) {
    int32_t number = p->slots[slot].number;
    p->slots[slot].number = -1;
    hlo_loop_note_write(p, number);
    return number;
  }
  int32_t number = hlo_loop_free_register(p, hlo_shape_bytes(p->plan->slot_shapes[slot]));
  if (p->status != HLO_OK) return 0;
  p->registers[number].holders++;
  hlo_loop_copy(p, slot, number);
  return number;
}

static bool add_while(hlo_loop_planner *p, const hlo_step *step) {
  const hlo_plan *plan = p->plan;
  hlo_loop_slot *slots = p->slots;
  int64_t trips = hlo_trip_count(step->instruction), rounds = p->rounds;
  int32_t count = step->result_leaves, numbers = 0;
  leaf *state = new_leaves(p, count);
  hlo_driver_assignment *list = hlo_arena_array(p->scratch, (size_t)count + 1, sizeof *list);
  if (state == NULL || list == NULL) return hlo_loop_fail(p);
  bool is_known = trips >= 0;
  if (is_known ? trips > MOST_STEPS || (trips + 1) * rounds > MOST_STEPS : !p->may_give_up)
    return false;
  if (!has_one_form(step)) return false;
  for (int32_t i = 0; i < count; i++) {
    int32_t start = step->operands[i];
    const hlo_shape *shape = plan->slot_shapes[start];
    state[i].is_kept = is_kept(step->plans[1], i);
    if (!hlo_shape_same_order(shape, step->plans[1]->slot_shapes[i])) return false;
    if (state[i].is_kept) {
      state[i].slot = slots[start];
    } else if (slots[start].is_number) {
      state[i].slot = number_slot(hlo_driver_new_number(p->driver, shape->type));
      list[numbers++] =
          (hlo_driver_assignment){shape->type, state[i].slot.value, slots[start].value};
    } else {
      state[i].slot = register_slot(own_array(p, step, start));
    }
    if (p->status != HLO_OK) return false;
  }
  hlo_driver_set(p->driver, numbers, list);
  // What the loop has taken is held by its own parameters alone.
  for (int32_t i = 0; i < count; i++) {
    if (!state[i].is_kept && state[i].slot.number >= 0)
      p->registers[state[i].slot.number].holders--;
  }
  if (is_known) p->rounds *= trips + 1;
  int64_t steps = p->loop->steps;
  p->loop->steps += p->rounds;
  int32_t outside = hlo_driver_begin_loop(p->driver);
  bool added = add_round(p, step, state);
  if (!is_known)
    hlo_driver_count_round(p->driver, (int32_t)(MOST_STEPS * p->rounds / (p->loop->steps - steps)));
  hlo_driver_end_loop(p->driver, outside);
  // What happens in one round has happened before the next.
  bool may_give_up = !is_known || has_open_loop(step->plans[1], 0);
  added = added && !(may_give_up && p->has_acted);
  p->plan = plan;
  p->slots = slots;
  p->rounds = rounds;
  for (int32_t i = 0; i < count; i++) slots[step->results[i]] = state[i].slot;
  for (int32_t i = 0; i < count; i++) {
    if (state[i].slot.number >= 0) p->registers[state[i].slot.number].holders++;
  }
  return added;
}

// --- branches ---

// Arguments of a branch: slots of the plan around it.
static bool bind_arguments(hlo_loop_planner *p, const hlo_plan *branch, int32_t count,
                           const int32_t *operands, const hlo_loop_slot *slots,
                           const hlo_plan *plan) {
  if (branch->parameter_leaves != count) return false;
  for (int32_t i = 0; i < count; i++) {
    const hlo_loop_slot *from = &slots[operands[i]];
    if (!hlo_shape_same_order(plan->slot_shapes[operands[i]], branch->slot_shapes[i])) return false;
    p->slots[i] = *from;
    if (from->number >= 0) p->registers[from->number].holders++;
  }
  return true;
}

// Arrays that only this branch needs are let go by the plan around it, for as long as it is under
// way.
static void lend(hlo_loop_planner *p, const hlo_step *step, int32_t count,
                 const int32_t *operands) {
  for (int32_t i = 0; i < count; i++) {
    int32_t uses = 0;
    for (int32_t k = 0; k < count; k++) uses += operands[k] == operands[i];
    if (uses == 1 && hlo_loop_is_free(p, step, operands[i]))
      p->registers[p->slots[operands[i]].number].holders--;
  }
}

static bool add_branch(hlo_loop_planner *p, const hlo_step *step, int32_t branch,
                       const leaf *results) {
  const hlo_plan *plan = p->plan, *callee = step->plans[branch];
  hlo_loop_slot *slots = p->slots;
  const int32_t *before = note_holders(p), *operands = step->operands;
  int32_t count = 0;
  if (before == NULL) return false;
  if (callee->computation->parameter_count > 0) {
    operands += step->operand_starts[branch + 1];
    count = step->operand_starts[branch + 2] - step->operand_starts[branch + 1];
  }
  lend(p, step, count, operands);
  const int32_t *outside = note_holders(p);
  bool added = outside != NULL && hlo_loop_start_plan(p, callee) &&
               bind_arguments(p, callee, count, operands, slots, plan) && add_steps(p) &&
               deliver(p, step->result_leaves, results, outside);
  restore_holders(p, before);
  p->plan = plan;
  p->slots = slots;
  return added;
}

// This branch and those after it, of which the last one is for all other numbers.
static bool add_branches(hlo_loop_planner *p, const hlo_step *step, int32_t branch,
                         const leaf *results) {
  int32_t chooser = step->operands[0];
  if (branch == step->plan_count - 1) return add_branch(p, step, branch, results);
  int32_t outside = hlo_driver_begin_if(p->driver, p->plan->slot_shapes[chooser]->type,
                                        p->slots[chooser].value, branch);
  bool added = add_branch(p, step, branch, results);
  hlo_driver_begin_else(p->driver);
  added = added && add_branches(p, step, branch + 1, results);
  hlo_driver_end_if(p->driver, outside);
  return added;
}

static bool add_conditional(hlo_loop_planner *p, const hlo_step *step) {
  int32_t count = step->result_leaves;
  leaf *results = new_leaves(p, count);
  if (results == NULL || !p->slots[step->operands[0]].is_number) return false;
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = p->plan->slot_shapes[step->results[i]];
    for (int32_t b = 0; b < step->plan_count; b++) {
      const hlo_shape *made = step->plans[b]->slot_shapes[step->plans[b]->results[i]];
      if (!hlo_loop_is_plain(made) || !hlo_shape_same_order(made, shape)) return false;
    }
    if (p->slots[step->results[i]].is_number) {
      results[i].slot = number_slot(hlo_driver_new_number(p->driver, shape->type));
      p->slots[step->results[i]] = results[i].slot;
    } else {
      int32_t number = hlo_loop_free_register(p, hlo_shape_bytes(shape));
      if (p->status != HLO_OK) return false;
      results[i].slot = register_slot(number);
      hlo_loop_hold(p, step->results[i], number);
    }
  }
  return add_branches(p, step, 0, results);
}

// Operands are computed where they are known in all branches and rounds.
static void compute_numbers(hlo_loop_planner *p, const hlo_step *step) {
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    hlo_loop_slot *slot = &p->slots[step->operands[i]];
    if (!slot->is_number || slot->has_memory) continue;
    hlo_type type = p->plan->slot_shapes[step->operands[i]]->type;
    hlo_value value = hlo_driver_new_number(p->driver, type);
    hlo_driver_set(p->driver, 1, &(hlo_driver_assignment){type, value, slot->value});
    slot->value = value;
  }
}

static bool add_control(hlo_loop_planner *p, const hlo_step *step) {
  if (p->depth == MOST_DEPTH || p->loop->steps > MOST_STEPS) return false;
  p->depth++;
  compute_numbers(p, step);
  bool added = step->kind == HLO_STEP_WHILE ? add_while(p, step) : add_conditional(p, step);
  p->depth--;
  return added && p->loop->steps <= MOST_STEPS;
}

// --- the loop ---

static bool is_control(const hlo_step *step) {
  return step->kind == HLO_STEP_WHILE || step->kind == HLO_STEP_CONDITIONAL;
}

// All steps of the plan under way; its parameters have to be there.
static bool add_steps(hlo_loop_planner *p) {
  for (int32_t i = 0; i < p->plan->unused_count; i++) hlo_loop_let_go(p, p->plan->unused[i]);
  for (int32_t s = 0; s < p->plan->step_count; s++) {
    const hlo_step *step = &p->plan->steps[s];
    if (!(is_control(step) ? add_control : hlo_loop_add_step)(p, step)) return false;
    for (int32_t i = 0; i < step->dying_count; i++) hlo_loop_let_go(p, step->dying[i]);
  }
  p->loop->steps += p->rounds * p->plan->step_count;
  return true;
}

// Small arrays of the state stay as they are until the round is over, if it may be given up.
static void keep_state(hlo_loop_planner *p) {
  p->state_registers = p->register_count;
  for (int32_t i = 0; i < p->register_count && p->may_give_up; i++) {
    if (p->registers[i].bytes <= HLO_LOOP_MOST_COPIED) p->registers[i].holders++;
  }
}

static bool compile_loop(hlo_loop_planner *p, const hlo_step *step) {
  leaf *state = new_leaves(p, step->result_leaves);
  if (state == NULL || !has_one_form(step)) return false;
  for (int32_t i = 0; i < step->result_leaves; i++) {
    const hlo_shape *shape = step->plans[1]->slot_shapes[i];
    if (hlo_loop_is_number(shape)) {
      int32_t cell;
      state[i].slot = number_slot(hlo_driver_carry(p->driver, shape->type, &cell));
      hlo_loop_add_memory(
          p,
          (hlo_loop_memory){.is_number = true, .at = cell, .bytes = hlo_type_bytes(shape->type)});
    } else {
      state[i].is_kept = is_kept(step->plans[1], i);
      state[i].slot =
          register_slot(hlo_loop_add_register(p, hlo_shape_bytes(shape), state[i].is_kept));
    }
    if (p->status != HLO_OK) return false;
  }
  p->loop->leaves = step->result_leaves;
  p->loop->extra = 0;
  p->extra_bytes = 0;
  p->loop->steps = 2; // to enter condition and body
  p->rounds = 1;
  p->may_give_up = has_open_loop(step->plans[1], 0);
  keep_state(p);
  return add_round(p, step, state) && !hlo_driver_is_large(p->driver);
}

hlo_status hlo_planner_compile_loop(hlo_plan_set *set, hlo_step *step, const hlo_emit_kernel **out,
                                    hlo_error *error) {
  if (set->has_sizes) return HLO_OK;
  hlo_arena scratch = {0};
  hlo_loop_planner p = {.set = set, .scratch = &scratch, .error = error, .status = HLO_OK};
  p.loop = hlo_arena_array(&set->arena, 1, sizeof *p.loop);
  p.driver = hlo_driver_create(set->target, &scratch, &set->arena, &set->imports);
  if (p.loop == NULL || p.driver == NULL) hlo_loop_fail(&p);
  bool made = p.status == HLO_OK && compile_loop(&p, step);
  if (made) p.status = hlo_driver_finish(p.driver, &p.loop->block_bytes, out, error);
  if (made && p.status == HLO_OK) {
    hlo_plan *body = step->plans[1];
    if (p.extra_bytes > body->most_bytes_beyond_state)
      body->most_bytes_beyond_state = p.extra_bytes;
    p.loop->scratch_bytes = (*out)->scratch_bytes;
    step->loop = p.loop;
  }
  hlo_driver_free(p.driver);
  hlo_arena_free(&scratch);
  return p.status;
}
