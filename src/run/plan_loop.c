// Makes one function of a loop: goes through its condition and its body as the executor would, and
// decides for each slot where its array or number stands. Numbers are values of the driver's;
// arrays have registers, which steps take over from each other as buffers are taken over at run
// time, and which go round. See loop.h. Must not know how code is written.
#include "run/loop.h"

#include "emit/elementwise.h"
#include "run/fused.h"
#include "run/planner.h"

#include <string.h>

enum { MOST_RUNS = 8, MOST_OPERANDS = 3 };

typedef struct loop_register {
  int64_t bytes;
  int32_t holders; // slots; a fixed one is never free
  bool is_fixed;
} loop_register;

typedef struct loop_slot {
  bool is_number;
  bool has_value, has_memory; // of a number: one of them, or both
  bool is_constant;
  int32_t number; // of an array: its register, -1: none
  hlo_value value;
  hlo_place memory;
} loop_slot;

typedef struct loop_planner {
  hlo_plan_set *set;
  hlo_arena *scratch;
  hlo_driver *driver;
  hlo_loop *loop;
  int32_t memory_capacity, call_capacity;
  loop_register *registers; // by number
  int32_t register_count, register_capacity;
  int64_t extra_bytes;  // of arrays beside the state
  const hlo_plan *plan; // under way
  loop_slot *slots;
  bool refuses; // no code can be made
  hlo_error *error;
  hlo_status status; // or memory is out
} loop_planner;

static bool fail(loop_planner *p) {
  p->status = hlo_fail_out_of_memory(p->error);
  return false;
}

static bool is_plain(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_shape_packed_bits(shape) == 0 &&
         hlo_shape_memory_elements(shape) == hlo_shape_elements(shape);
}

static bool is_number(const hlo_shape *shape) {
  return hlo_shape_elements(shape) == 1 && hlo_value_parts(shape->type) > 0;
}

static const hlo_shape *shape_of(const loop_planner *p, int32_t slot) {
  return p->plan->slot_shapes[slot];
}

// --- registers ---

static bool add_memory(loop_planner *p, hlo_loop_memory memory) {
  hlo_loop *loop = p->loop;
  int32_t count = loop->leaves + loop->extra;
  if (count == p->memory_capacity) {
    int32_t capacity = 2 * count + 8;
    hlo_loop_memory *more = hlo_arena_array(&p->set->arena, (size_t)capacity, sizeof *more);
    if (more == NULL) return fail(p);
    if (count > 0) memcpy(more, loop->memory, (size_t)count * sizeof *more);
    loop->memory = more;
    p->memory_capacity = capacity;
  }
  loop->memory[count] = memory;
  loop->extra++;
  return true;
}

static int32_t add_register(loop_planner *p, int64_t bytes, bool is_fixed) {
  int32_t word, number = hlo_driver_add_register(p->driver, is_fixed, &word);
  if (number >= p->register_capacity) {
    int32_t capacity = 2 * number + 8;
    loop_register *more = hlo_arena_array(p->scratch, (size_t)capacity, sizeof *more);
    if (more == NULL) {
      fail(p);
      return 0;
    }
    if (p->register_count > 0) memcpy(more, p->registers, (size_t)p->register_count * sizeof *more);
    p->registers = more;
    p->register_capacity = capacity;
  }
  p->registers[p->register_count++] = (loop_register){.bytes = bytes, .is_fixed = is_fixed};
  p->extra_bytes += bytes;
  add_memory(p, (hlo_loop_memory){.is_fixed = is_fixed, .at = word, .bytes = bytes});
  return number;
}

// A free register for so many bytes.
static int32_t find_register(loop_planner *p, int64_t bytes) {
  for (int32_t i = 0; i < p->register_count; i++) {
    const loop_register *r = &p->registers[i];
    if (!r->is_fixed && r->holders == 0 && r->bytes == bytes) return i;
  }
  return add_register(p, bytes, false);
}

static void hold(loop_planner *p, int32_t slot, int32_t number) {
  p->slots[slot].number = number;
  p->slots[slot].memory = (hlo_place){HLO_PLACE_REGISTER, number};
  p->registers[number].holders++;
}

static void let_go(loop_planner *p, int32_t slot) {
  loop_slot *s = &p->slots[slot];
  if (s->number >= 0) p->registers[s->number].holders--;
  s->number = -1;
}

// --- slots ---

static bool start_plan(loop_planner *p, const hlo_plan *plan) {
  p->plan = plan;
  p->slots = hlo_arena_array(p->scratch, (size_t)plan->slot_count + 1, sizeof *p->slots);
  if (p->slots == NULL) return fail(p);
  for (int32_t i = 0; i < plan->slot_count; i++) {
    if (!is_plain(shape_of(p, i))) return false;
    p->slots[i] = (loop_slot){.is_number = is_number(shape_of(p, i)), .number = -1};
  }
  for (int32_t i = 0; i < plan->constant_count; i++) {
    loop_slot *slot = &p->slots[plan->constants[i].slot];
    const void *data = plan->constants[i].buffer->data;
    slot->memory = (hlo_place){HLO_PLACE_FIXED, (int64_t)(intptr_t)data};
    slot->is_constant = slot->has_memory = true;
    if (!slot->is_number) continue;
    hlo_type type = shape_of(p, plan->constants[i].slot)->type;
    slot->value = hlo_value_constant(hlo_driver_graph(p->driver), type, data);
    slot->has_value = true;
  }
  return true;
}

// The number's value.
static hlo_value value_of(loop_planner *p, int32_t slot) { return p->slots[slot].value; }

// Where the slot's array or number is in memory; a number is put there.
static hlo_place place_of(loop_planner *p, int32_t slot) {
  loop_slot *s = &p->slots[slot];
  if (s->is_number && !s->has_memory) {
    hlo_type type = shape_of(p, slot)->type;
    s->memory = (hlo_place){HLO_PLACE_BLOCK, hlo_driver_reserve(p->driver, 16)};
    hlo_driver_store(p->driver, type, s->value, s->memory);
    s->has_memory = true;
  }
  return s->memory;
}

// Memory for a step's result: that of the slot `reused`, or new.
static void make_result(loop_planner *p, int32_t slot, int32_t reused) {
  loop_slot *s = &p->slots[slot];
  if (s->is_number) {
    s->memory = (hlo_place){HLO_PLACE_BLOCK, hlo_driver_reserve(p->driver, 16)};
    s->has_memory = true;
    return;
  }
  int32_t number =
      reused >= 0 ? p->slots[reused].number : find_register(p, hlo_shape_bytes(shape_of(p, slot)));
  if (p->status == HLO_OK) hold(p, slot, number);
}

// The results of a step that has been called are there: numbers become values.
static void read_results(loop_planner *p, const hlo_step *step) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    loop_slot *s = &p->slots[step->results[i]];
    if (!s->is_number) continue;
    s->value = hlo_driver_load(p->driver, shape_of(p, step->results[i])->type, s->memory);
    s->has_value = true;
  }
}

static bool dies(const hlo_step *step, int32_t slot) {
  for (int32_t i = 0; i < step->dying_count; i++) {
    if (step->dying[i] == slot) return true;
  }
  return false;
}

// Whether a step's result may be made in the slot's memory.
static bool is_free(const loop_planner *p, const hlo_step *step, int32_t slot) {
  const loop_slot *s = &p->slots[slot];
  return s->number >= 0 && dies(step, slot) && !p->registers[s->number].is_fixed &&
         p->registers[s->number].holders == 1;
}

// --- steps ---

static bool are_numbers(const loop_planner *p, const hlo_step *step) {
  bool are = step->result_leaves == 1 && p->slots[step->results[0]].is_number &&
             step->operand_leaves <= MOST_OPERANDS;
  for (int32_t i = 0; i < step->operand_leaves && are; i++)
    are = p->slots[step->operands[i]].is_number;
  return are;
}

// An elementwise step on numbers: nothing happens before somebody asks for its value.
static bool add_number(loop_planner *p, const hlo_step *step) {
  const hlo_instruction *x = step->instruction;
  loop_slot *result = &p->slots[step->results[0]];
  hlo_value operands[MOST_OPERANDS];
  bool moves = x->opcode == HLO_OP_COPY || x->opcode == HLO_OP_RESHAPE ||
               x->opcode == HLO_OP_BROADCAST || x->opcode == HLO_OP_TRANSPOSE;
  if (step->kind != HLO_STEP_EVALUATE || !are_numbers(p, step)) return false;
  for (int32_t i = 0; i < step->operand_leaves; i++) operands[i] = value_of(p, step->operands[i]);
  if (moves) result->value = operands[0];
  else if (!hlo_op_is_elementwise(x->opcode) ||
           !hlo_emit_elementwise(hlo_driver_graph(p->driver), x, operands, &result->value))
    return false;
  hlo_driver_keep(p->driver, x->shape->type, result->value);
  result->has_value = true;
  return true;
}

static bool add_share(loop_planner *p, const hlo_step *step) {
  loop_slot *from = &p->slots[step->operands[0]], *to = &p->slots[step->results[0]];
  hlo_type type = shape_of(p, step->results[0])->type;
  if (from->is_number != to->is_number) return false;
  if (from->is_number && shape_of(p, step->operands[0])->type != type) {
    to->memory = place_of(p, step->operands[0]);
    to->value = hlo_driver_load(p->driver, type, to->memory);
    to->has_value = to->has_memory = true;
    return true;
  }
  *to = *from;
  if (to->number >= 0) p->registers[to->number].holders++;
  return true;
}

static int32_t slot_of(const hlo_step *step, int32_t operand) {
  return step->operands[step->operand_starts[operand]];
}

// The operand in whose memory the kernel may make the result, or -1.
static int32_t reused_by_kernel(const loop_planner *p, const hlo_step *step, int32_t result) {
  int32_t operand = step->kernel->in_place[result], uses = 0;
  if (operand < 0) return -1;
  int32_t slot = slot_of(step, operand);
  const hlo_shape *from = shape_of(p, slot), *to = shape_of(p, step->results[result]);
  for (int32_t i = 0; i < step->operand_leaves; i++) uses += step->operands[i] == slot;
  bool fits =
      hlo_type_bytes(from->type) == hlo_type_bytes(to->type) && hlo_shape_same_order(from, to);
  return uses == 1 && fits && is_free(p, step, slot) ? slot : -1;
}

static bool add_kernel(loop_planner *p, const hlo_step *step) {
  const hlo_emit_kernel *kernel = step->kernel;
  if (kernel == NULL || hlo_fused_has_parts(kernel)) return false;
  hlo_place *places = hlo_arena_array(p->scratch, (size_t)kernel->argument_count, sizeof *places);
  if (places == NULL) return fail(p);
  for (int32_t i = 0; i < step->result_leaves; i++)
    make_result(p, step->results[i], reused_by_kernel(p, step, i));
  for (int32_t i = 0; i < kernel->argument_count && p->status == HLO_OK; i++) {
    const hlo_emit_argument *argument = &kernel->arguments[i];
    if (argument->kind == HLO_ARGUMENT_OPERAND)
      places[i] = place_of(p, slot_of(step, argument->index));
    if (argument->kind == HLO_ARGUMENT_RESULT)
      places[i] = p->slots[step->results[argument->index]].memory;
  }
  if (p->status != HLO_OK) return false;
  hlo_driver_call(p->driver, step->kernel_number, kernel, places);
  read_results(p, step);
  return true;
}

static bool add_call(loop_planner *p, const hlo_step *step) {
  hlo_loop *loop = p->loop;
  int32_t count = step->operand_leaves + step->result_leaves, reused = -1;
  hlo_place *places = hlo_arena_array(p->scratch, (size_t)count + 1, sizeof *places);
  if (places == NULL) return fail(p);
  for (int32_t i = 0; i < step->reusable_count && reused < 0; i++) {
    if (is_free(p, step, step->reusable[i])) reused = step->reusable[i];
  }
  for (int32_t i = 0; i < step->operand_leaves; i++) places[i] = place_of(p, step->operands[i]);
  for (int32_t i = 0; i < step->result_leaves; i++) make_result(p, step->results[i], reused);
  if (p->status != HLO_OK) return false;
  for (int32_t i = 0; i < step->result_leaves; i++)
    places[step->operand_leaves + i] = p->slots[step->results[i]].memory;
  if (loop->call_count == p->call_capacity) {
    hlo_loop_call *more =
        hlo_arena_array(&p->set->arena, 2 * (size_t)loop->call_count + 8, sizeof *more);
    if (more == NULL) return fail(p);
    if (loop->call_count > 0) memcpy(more, loop->calls, (size_t)loop->call_count * sizeof *more);
    loop->calls = more;
    p->call_capacity = 2 * loop->call_count + 8;
  }
  int32_t at =
      hlo_driver_call_engine(p->driver, hlo_loop_call_step, loop->call_count, count, places);
  loop->calls[loop->call_count++] = (hlo_loop_call){p->plan, step, at};
  read_results(p, step);
  return true;
}

// Where a dynamic-slice or dynamic-update-slice starts, if it does so by one number per dimension
// in few runs of memory.
static bool find_box(loop_planner *p, const hlo_step *step, int32_t first, const hlo_shape *array,
                     const hlo_shape *box, hlo_place in, hlo_place *out) {
  hlo_type types[HLO_DRIVER_MAX_RANK];
  hlo_value starts[HLO_DRIVER_MAX_RANK];
  for (int32_t d = 0; d < array->rank; d++) {
    int32_t slot = step->operands[first + d];
    types[d] = shape_of(p, slot)->type;
    starts[d] = value_of(p, slot);
  }
  p->refuses = !hlo_driver_find_box(p->driver, in, array, box, types, starts, out);
  return !p->refuses;
}

static bool is_box(const loop_planner *p, const hlo_step *step, int32_t first,
                   const hlo_shape *array, const hlo_shape *box) {
  bool is = step->operand_leaves == first + array->rank && array->rank <= HLO_DRIVER_MAX_RANK &&
            hlo_layout_is_default(array->layout) && hlo_layout_is_default(box->layout) &&
            hlo_driver_box_runs(array, box) <= MOST_RUNS;
  for (int32_t i = first; i < step->operand_leaves && is; i++)
    is = p->slots[step->operands[i]].is_number && shape_of(p, step->operands[i])->rank == 0;
  return is;
}

static bool add_slice(loop_planner *p, const hlo_step *step) {
  int32_t result = step->results[0];
  const hlo_shape *array = shape_of(p, step->operands[0]), *box = shape_of(p, result);
  hlo_place from;
  if (step->instruction->opcode != HLO_OP_DYNAMIC_SLICE || !is_box(p, step, 1, array, box))
    return false;
  if (!find_box(p, step, 1, array, box, place_of(p, step->operands[0]), &from)) return false;
  if (p->slots[result].is_number) {
    p->slots[result].value = hlo_driver_load(p->driver, box->type, from);
    p->slots[result].has_value = true;
    return true;
  }
  make_result(p, result, -1);
  if (p->status == HLO_OK)
    hlo_driver_copy_box(p->driver, array, box, from, p->slots[result].memory, false);
  return p->status == HLO_OK;
}

static bool add_update(loop_planner *p, const hlo_step *step) {
  int32_t operand = step->operands[0], update = step->operands[1], result = step->results[0];
  const hlo_shape *array = shape_of(p, operand), *box = shape_of(p, update);
  hlo_place to;
  if (step->instruction->opcode != HLO_OP_DYNAMIC_UPDATE_SLICE || !is_box(p, step, 2, array, box))
    return false;
  if (p->slots[operand].is_number) return false;
  bool in_place = is_free(p, step, operand);
  make_result(p, result, in_place ? operand : -1);
  if (p->status != HLO_OK) return false;
  if (!in_place)
    hlo_driver_copy(p->driver, p->slots[result].memory, place_of(p, operand),
                    hlo_shape_bytes(array));
  if (!find_box(p, step, 2, array, box, p->slots[result].memory, &to)) return false;
  if (p->slots[update].is_number) hlo_driver_store(p->driver, box->type, value_of(p, update), to);
  else hlo_driver_copy_box(p->driver, array, box, to, place_of(p, update), true);
  return true;
}

static bool add_step(loop_planner *p, const hlo_step *step) {
  if (step->kind == HLO_STEP_SHARE) return add_share(p, step);
  if (step->kind == HLO_STEP_CALL) return add_kernel(p, step);
  if (step->kind != HLO_STEP_EVALUATE && step->kind != HLO_STEP_CUSTOM) return false;
  if (add_number(p, step)) return true;
  if (p->status != HLO_OK) return false;
  if (step->kind == HLO_STEP_EVALUATE && (add_slice(p, step) || add_update(p, step))) return true;
  return p->status == HLO_OK && !p->refuses && add_call(p, step);
}

static bool add_steps(loop_planner *p) {
  for (int32_t i = 0; i < p->plan->unused_count; i++) let_go(p, p->plan->unused[i]);
  for (int32_t s = 0; s < p->plan->step_count; s++) {
    const hlo_step *step = &p->plan->steps[s];
    if (!add_step(p, step)) return false;
    for (int32_t i = 0; i < step->dying_count; i++) let_go(p, step->dying[i]);
  }
  p->loop->steps += p->plan->step_count;
  return true;
}

// --- the loop ---

static bool is_fixed(const hlo_plan *body, int32_t leaf) { return body->results[leaf] == leaf; }

// The state as a round finds it: numbers' values, and registers.
static bool start_state(loop_planner *p, const hlo_step *step, loop_slot *state) {
  const hlo_plan *condition = step->plans[0], *body = step->plans[1];
  if (body->parameter_leaves != step->result_leaves ||
      condition->parameter_leaves != step->result_leaves)
    return false;
  for (int32_t i = 0; i < step->result_leaves; i++) {
    const hlo_shape *shape = body->slot_shapes[i], *next = body->slot_shapes[body->results[i]];
    const hlo_shape *stated = hlo_shape_leaf(step->instruction->shape, i);
    if (!is_plain(shape) || !is_plain(next) || !is_plain(stated) ||
        !hlo_shape_same_order(shape, next) || !hlo_shape_same_order(shape, stated) ||
        !hlo_shape_same_order(shape, condition->slot_shapes[i]))
      return false;
    state[i] = (loop_slot){.is_number = is_number(shape), .number = -1};
    if (state[i].is_number) {
      int32_t cell;
      state[i].value = hlo_driver_carry(p->driver, shape->type, &cell);
      state[i].memory = (hlo_place){HLO_PLACE_BLOCK, cell};
      state[i].has_value = true;
      add_memory(p, (hlo_loop_memory){
                        .is_number = true, .at = cell, .bytes = hlo_type_bytes(shape->type)});
    } else {
      state[i].number = add_register(p, hlo_shape_bytes(shape), is_fixed(body, i));
      state[i].memory = (hlo_place){HLO_PLACE_REGISTER, state[i].number};
    }
    if (p->status != HLO_OK) return false;
  }
  p->loop->leaves = step->result_leaves;
  p->loop->extra = 0;
  p->extra_bytes = 0;
  p->loop->steps = 2; // to enter condition and body
  return true;
}

static void bind_state(loop_planner *p, const loop_slot *state, int32_t leaves) {
  for (int32_t i = 0; i < leaves; i++) {
    p->slots[i] = state[i];
    if (state[i].number >= 0) p->registers[state[i].number].holders++;
  }
}

static bool add_condition(loop_planner *p, const hlo_step *step, const loop_slot *state) {
  if (!start_plan(p, step->plans[0])) return false;
  bind_state(p, state, step->result_leaves);
  bind_state(p, state, step->result_leaves); // once more: the body needs it
  if (!add_steps(p)) return false;
  const loop_slot *result = &p->slots[p->plan->results[0]];
  if (!result->is_number) return false;
  hlo_driver_leave_unless(p->driver, result->value);
  for (int32_t i = 0; i < p->register_count; i++) p->registers[i].holders = 0;
  return true;
}

// Gives each leaf of the next round's state a register of its own, and those the names that the
// round started with.
static bool move_registers(loop_planner *p, const hlo_step *step, const loop_slot *state) {
  int32_t most = p->register_count + step->result_leaves, count = 0;
  int32_t *to = hlo_arena_array(p->scratch, 3 * (size_t)most + 1, sizeof *to);
  if (to == NULL) return fail(p);
  int32_t *from = to + most;
  bool *taken = hlo_arena_array(p->scratch, (size_t)most + 1, sizeof *taken);
  bool *named = hlo_arena_array(p->scratch, (size_t)most + 1, sizeof *named);
  if (taken == NULL || named == NULL) return fail(p);
  for (int32_t i = 0; i < step->result_leaves; i++) {
    if (state[i].is_number || is_fixed(p->plan, i)) continue;
    int32_t slot = p->plan->results[i], number = p->slots[slot].number;
    if (number < 0 || p->registers[number].is_fixed || taken[number]) {
      int64_t bytes = hlo_shape_bytes(shape_of(p, slot));
      int32_t copy = find_register(p, bytes);
      if (p->status != HLO_OK) return false;
      p->registers[copy].holders++;
      hlo_driver_copy(p->driver, (hlo_place){HLO_PLACE_REGISTER, copy}, place_of(p, slot), bytes);
      number = copy;
    }
    taken[number] = true;
    named[state[i].number] = true;
    to[count] = state[i].number;
    from[count++] = number;
  }
  // What is not the state any more takes the names that are left.
  for (int32_t i = 0; i < p->register_count; i++) {
    if (!named[i] || taken[i]) continue;
    for (int32_t k = 0; k < p->register_count; k++) {
      if (!taken[k] || named[k] || p->registers[k].bytes != p->registers[i].bytes) continue;
      to[count] = k;
      from[count++] = i;
      named[k] = true;
      break;
    }
  }
  hlo_driver_move(p->driver, count, to, from);
  return true;
}

static bool add_body(loop_planner *p, const hlo_step *step, const loop_slot *state) {
  if (!start_plan(p, step->plans[1])) return false;
  bind_state(p, state, step->result_leaves);
  if (!add_steps(p)) return false;
  hlo_value *values = hlo_arena_array(p->scratch, (size_t)step->result_leaves + 1, sizeof *values);
  if (values == NULL) return fail(p);
  int32_t count = 0;
  for (int32_t i = 0; i < step->result_leaves; i++) {
    if (state[i].is_number) values[count++] = value_of(p, p->plan->results[i]);
  }
  if (!move_registers(p, step, state)) return false;
  hlo_driver_set_carried(p->driver, values);
  return true;
}

static bool make_loop(loop_planner *p, const hlo_step *step) {
  loop_slot *state = hlo_arena_array(p->scratch, (size_t)step->result_leaves + 1, sizeof *state);
  if (state == NULL) return fail(p);
  return start_state(p, step, state) && add_condition(p, step, state) && add_body(p, step, state);
}

hlo_status hlo_planner_make_loop(hlo_plan_set *set, hlo_step *step, const hlo_emit_kernel **out,
                                 hlo_error *error) {
  if (hlo_module_has_dynamic_sizes(set->module)) return HLO_OK;
  hlo_arena scratch = {0};
  loop_planner p = {.set = set, .scratch = &scratch, .error = error, .status = HLO_OK};
  p.loop = hlo_arena_array(&set->arena, 1, sizeof *p.loop);
  p.driver = hlo_driver_create(&scratch, &set->arena, &set->imports);
  if (p.loop == NULL || p.driver == NULL) fail(&p);
  bool made = p.status == HLO_OK && make_loop(&p, step);
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
