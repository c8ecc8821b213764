// Generates code for the steps of a computation inside of a loop: visits them in the executor's
// order, and decides for each slot where its array or scalar lives. Scalars are values of the
// driver; arrays have registers, which steps reuse as buffers are reused at run time. See
// loop_planner.h.
#include "run/loops/loop_planner.h"

#include "codegen/graph/elementwise.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "run/exec/fused.h"

enum { MOST_RUNS = 8, MOST_OPERANDS = 3 };

bool hlo_loop_fail(hlo_loop_planner *p) {
  p->status = hlo_fail_out_of_memory(p->error);
  return false;
}

bool hlo_loop_is_plain(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_shape_packed_bits(shape) == 0 &&
         hlo_shape_memory_elements(shape) == hlo_shape_elements(shape);
}

bool hlo_loop_is_number(const hlo_shape *shape) {
  return hlo_shape_elements(shape) == 1 && hlo_value_parts(shape->type) > 0;
}

static const hlo_shape *shape_of(const hlo_loop_planner *p, int32_t slot) {
  return p->plan->slot_shapes[slot];
}

// --- registers ---

bool hlo_loop_add_memory(hlo_loop_planner *p, hlo_loop_memory memory) {
  hlo_loop *loop = p->loop;
  int32_t count = loop->leaves + loop->extra;
  hlo_loop_memory *list =
      hlo_arena_grow_list(&p->set->arena, loop->memory, count, &p->memory_capacity, sizeof *list);
  if (list == NULL) return hlo_loop_fail(p);
  loop->memory = list;
  loop->memory[count] = memory;
  loop->extra++;
  return true;
}

int32_t hlo_loop_add_register(hlo_loop_planner *p, int64_t bytes, bool is_fixed) {
  int32_t word, number = hlo_driver_add_register(p->driver, is_fixed, &word);
  hlo_loop_register *list = hlo_arena_grow_list(p->scratch, p->registers, p->register_count,
                                                &p->register_capacity, sizeof *list);
  if (list == NULL) {
    hlo_loop_fail(p);
    return 0;
  }
  p->registers = list;
  p->registers[p->register_count++] = (hlo_loop_register){.bytes = bytes, .is_fixed = is_fixed};
  p->extra_bytes += bytes;
  hlo_loop_add_memory(p, (hlo_loop_memory){.is_fixed = is_fixed, .at = word, .bytes = bytes});
  return number;
}

void hlo_loop_note_write(hlo_loop_planner *p, int32_t number) {
  if (number < p->state_registers) p->has_acted = true;
}

// A free register for so many bytes.
int32_t hlo_loop_free_register(hlo_loop_planner *p, int64_t bytes) {
  for (int32_t i = 0; i < p->register_count; i++) {
    const hlo_loop_register *r = &p->registers[i];
    if (r->is_fixed || r->holders > 0 || r->bytes != bytes) continue;
    hlo_loop_note_write(p, i);
    return i;
  }
  return hlo_loop_add_register(p, bytes, false);
}

void hlo_loop_hold(hlo_loop_planner *p, int32_t slot, int32_t number) {
  p->slots[slot].number = number;
  p->slots[slot].memory = (hlo_place){.kind = HLO_PLACE_REGISTER, .at = number};
  p->registers[number].holders++;
}

void hlo_loop_let_go(hlo_loop_planner *p, int32_t slot) {
  hlo_loop_slot *s = &p->slots[slot];
  if (s->number >= 0) p->registers[s->number].holders--;
  s->number = -1;
}

// --- slots ---

bool hlo_loop_start_plan(hlo_loop_planner *p, const hlo_plan *plan) {
  p->plan = plan;
  p->slots = hlo_arena_array(p->scratch, (size_t)plan->slot_count + 1, sizeof *p->slots);
  if (p->slots == NULL) return hlo_loop_fail(p);
  for (int32_t i = 0; i < plan->slot_count; i++) {
    if (!hlo_loop_is_plain(shape_of(p, i))) return false;
    p->slots[i] = (hlo_loop_slot){.is_number = hlo_loop_is_number(shape_of(p, i)), .number = -1};
  }
  for (int32_t i = 0; i < plan->constant_count; i++) {
    hlo_loop_slot *slot = &p->slots[plan->constants[i].slot];
    const void *data = plan->constants[i].buffer->data;
    slot->memory = (hlo_place){.kind = HLO_PLACE_FIXED, .at = (int64_t)(intptr_t)data};
    slot->has_memory = true;
    if (!slot->is_number) continue;
    hlo_type type = shape_of(p, plan->constants[i].slot)->type;
    slot->value = hlo_value_constant(hlo_driver_graph(p->driver), type, data);
  }
  return true;
}

// The number's value.
static hlo_value value_of(hlo_loop_planner *p, int32_t slot) { return p->slots[slot].value; }

// Where the slot's array or number is in memory; a number is put there.
hlo_place hlo_loop_place_of(hlo_loop_planner *p, int32_t slot) {
  hlo_loop_slot *s = &p->slots[slot];
  if (s->is_number && !s->has_memory) {
    hlo_type type = shape_of(p, slot)->type;
    s->memory = (hlo_place){.kind = HLO_PLACE_BLOCK, .at = hlo_driver_reserve(p->driver, 16)};
    hlo_driver_store(p->driver, type, s->value, s->memory);
    s->has_memory = true;
  }
  return s->memory;
}

void hlo_loop_copy(hlo_loop_planner *p, int32_t slot, int32_t number) {
  hlo_driver_copy(p->driver, (hlo_place){.kind = HLO_PLACE_REGISTER, .at = number},
                  hlo_loop_place_of(p, slot), hlo_shape_bytes(shape_of(p, slot)));
}

// Memory for a step's result: that of the slot `reused`, or new.
static void allocate_result(hlo_loop_planner *p, int32_t slot, int32_t reused) {
  hlo_loop_slot *s = &p->slots[slot];
  if (s->is_number) {
    s->memory = (hlo_place){.kind = HLO_PLACE_BLOCK, .at = hlo_driver_reserve(p->driver, 16)};
    s->has_memory = true;
    return;
  }
  int32_t number = reused >= 0 ? p->slots[reused].number
                               : hlo_loop_free_register(p, hlo_shape_bytes(shape_of(p, slot)));
  hlo_loop_note_write(p, number);
  if (p->status == HLO_OK) hlo_loop_hold(p, slot, number);
}

// The results of a step that has been called are there: numbers become values.
static void read_results(hlo_loop_planner *p, const hlo_step *step) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    hlo_loop_slot *s = &p->slots[step->results[i]];
    if (!s->is_number) continue;
    s->value = hlo_driver_load(p->driver, shape_of(p, step->results[i])->type, s->memory);
  }
}

static bool dies(const hlo_step *step, int32_t slot) {
  for (int32_t i = 0; i < step->dying_count; i++) {
    if (step->dying[i] == slot) return true;
  }
  return false;
}

// Whether a step's result may be made in the slot's memory.
bool hlo_loop_is_free(const hlo_loop_planner *p, const hlo_step *step, int32_t slot) {
  const hlo_loop_slot *s = &p->slots[slot];
  return s->number >= 0 && dies(step, slot) && !p->registers[s->number].is_fixed &&
         p->registers[s->number].holders == 1;
}

// --- steps ---

static bool has_scalar_results(const hlo_loop_planner *p, const hlo_step *step) {
  bool gives = true;
  for (int32_t i = 0; i < step->result_leaves && gives; i++)
    gives = p->slots[step->results[i]].is_number;
  return gives;
}

static bool are_numbers(const hlo_loop_planner *p, const hlo_step *step) {
  bool are = has_scalar_results(p, step);
  for (int32_t i = 0; i < step->operand_leaves && are; i++)
    are = p->slots[step->operands[i]].is_number;
  return are;
}

static int32_t slot_of(const hlo_step *step, int32_t operand) {
  return step->operands[step->operand_starts[operand]];
}

// What an instruction makes of numbers. False: of these nobody can say.
static bool compute_value(hlo_loop_planner *p, const hlo_instruction *x, const hlo_value *operands,
                          hlo_value *out) {
  bool moves = x->opcode == HLO_OP_COPY || x->opcode == HLO_OP_RESHAPE ||
               x->opcode == HLO_OP_BROADCAST || x->opcode == HLO_OP_TRANSPOSE;
  if (moves) *out = operands[0];
  else if ((!hlo_op_is_elementwise(x->opcode) && x->opcode != HLO_OP_CONSTANT) ||
           !hlo_emit_elementwise(hlo_driver_graph(p->driver), x, operands, out))
    return false;
  *out = hlo_driver_keep(p->driver, x->shape->type, *out);
  return true;
}

// An elementwise step on numbers: mostly nothing happens before somebody asks for its value.
static bool add_number(hlo_loop_planner *p, const hlo_step *step) {
  hlo_value operands[MOST_OPERANDS];
  if (step->kind != HLO_STEP_EVALUATE || !are_numbers(p, step) ||
      step->operand_leaves > MOST_OPERANDS)
    return false;
  for (int32_t i = 0; i < step->operand_leaves; i++) operands[i] = value_of(p, step->operands[i]);
  return compute_value(p, step->instruction, operands, &p->slots[step->results[0]].value);
}

static bool add_share(hlo_loop_planner *p, const hlo_step *step) {
  hlo_loop_slot *from = &p->slots[step->operands[0]], *to = &p->slots[step->results[0]];
  hlo_type type = shape_of(p, step->results[0])->type;
  if (from->is_number != to->is_number) return false;
  if (from->is_number && shape_of(p, step->operands[0])->type != type) {
    to->memory = hlo_loop_place_of(p, step->operands[0]);
    to->value = hlo_driver_load(p->driver, type, to->memory);
    to->has_memory = true;
    return true;
  }
  *to = *from;
  if (to->number >= 0) p->registers[to->number].holders++;
  return true;
}

// The operand in whose memory the kernel may make the result, or -1.
static int32_t reused_by_kernel(const hlo_loop_planner *p, const hlo_step *step, int32_t result) {
  int32_t operand = step->kernel->in_place[result], uses = 0;
  if (operand < 0) return -1;
  int32_t slot = slot_of(step, operand);
  const hlo_shape *from = shape_of(p, slot), *to = shape_of(p, step->results[result]);
  for (int32_t i = 0; i < step->operand_leaves; i++) uses += step->operands[i] == slot;
  bool fits =
      hlo_type_bytes(from->type) == hlo_type_bytes(to->type) && hlo_shape_same_order(from, to);
  return uses == 1 && fits && hlo_loop_is_free(p, step, slot) ? slot : -1;
}

static bool add_kernel(hlo_loop_planner *p, const hlo_step *step) {
  const hlo_emit_kernel *kernel = step->kernel;
  if (kernel == NULL || hlo_fused_has_parts(kernel)) return false;
  hlo_place *places = hlo_arena_array(p->scratch, (size_t)kernel->argument_count, sizeof *places);
  if (places == NULL) return hlo_loop_fail(p);
  for (int32_t i = 0; i < step->result_leaves; i++)
    allocate_result(p, step->results[i], reused_by_kernel(p, step, i));
  for (int32_t i = 0; i < kernel->argument_count && p->status == HLO_OK; i++) {
    const hlo_emit_argument *argument = &kernel->arguments[i];
    if (argument->kind == HLO_ARGUMENT_OPERAND)
      places[i] = hlo_loop_place_of(p, slot_of(step, argument->index));
    if (argument->kind == HLO_ARGUMENT_RESULT)
      places[i] = p->slots[step->results[argument->index]].memory;
  }
  if (p->status != HLO_OK) return false;
  hlo_driver_call(p->driver, step->kernel_number, kernel, places);
  read_results(p, step);
  return true;
}

static bool add_call(hlo_loop_planner *p, const hlo_step *step) {
  hlo_loop *loop = p->loop;
  int32_t count = step->operand_leaves + step->result_leaves, reused = -1;
  hlo_place *places = hlo_arena_array(p->scratch, (size_t)count + 1, sizeof *places);
  if (places == NULL) return hlo_loop_fail(p);
  for (int32_t i = 0; i < step->reusable_count && reused < 0; i++) {
    if (hlo_loop_is_free(p, step, step->reusable[i])) reused = step->reusable[i];
  }
  for (int32_t i = 0; i < step->operand_leaves; i++)
    places[i] = hlo_loop_place_of(p, step->operands[i]);
  for (int32_t i = 0; i < step->result_leaves; i++) allocate_result(p, step->results[i], reused);
  if (p->status != HLO_OK) return false;
  for (int32_t i = 0; i < step->result_leaves; i++)
    places[step->operand_leaves + i] = p->slots[step->results[i]].memory;
  hlo_loop_call *calls = hlo_arena_grow_list(&p->set->arena, loop->calls, loop->call_count,
                                             &p->call_capacity, sizeof *calls);
  if (calls == NULL) return hlo_loop_fail(p);
  loop->calls = calls;
  if (hlo_has_side_effect(step->instruction)) p->has_acted = true;
  int32_t at =
      hlo_driver_call_engine(p->driver, hlo_loop_call_step, loop->call_count, count, places);
  loop->calls[loop->call_count++] = (hlo_loop_call){p->plan, step, at};
  read_results(p, step);
  return true;
}

// Where a dynamic-slice or dynamic-update-slice starts, if it does so by one number per dimension
// in few runs of memory.
static bool locate_box(hlo_loop_planner *p, const hlo_step *step, int32_t first,
                       const hlo_shape *array, const hlo_shape *box, hlo_place in, hlo_place *out) {
  hlo_type types[HLO_DRIVER_MAX_RANK];
  hlo_value starts[HLO_DRIVER_MAX_RANK];
  for (int32_t d = 0; d < array->rank; d++) {
    int32_t slot = step->operands[first + d];
    types[d] = shape_of(p, slot)->type;
    starts[d] = value_of(p, slot);
  }
  p->refuses = !hlo_driver_locate_box(p->driver, in, array, box, types, starts, out);
  return !p->refuses;
}

static bool has_few_runs(const hlo_shape *array, const hlo_shape *box) {
  return hlo_layout_is_default(array->layout) && hlo_layout_is_default(box->layout) &&
         hlo_driver_box_runs(array, box) <= MOST_RUNS;
}

static bool is_box(const hlo_loop_planner *p, const hlo_step *step, int32_t first,
                   const hlo_shape *array, const hlo_shape *box) {
  bool is = step->operand_leaves == first + array->rank && array->rank <= HLO_DRIVER_MAX_RANK &&
            has_few_runs(array, box);
  for (int32_t i = first; i < step->operand_leaves && is; i++)
    is = p->slots[step->operands[i]].is_number && shape_of(p, step->operands[i])->rank == 0;
  return is;
}

// The step's result is the box in that place.
static bool read_box(hlo_loop_planner *p, const hlo_step *step, hlo_place from) {
  int32_t result = step->results[0];
  const hlo_shape *array = shape_of(p, step->operands[0]), *box = shape_of(p, result);
  if (p->slots[result].is_number) {
    p->slots[result].value = hlo_driver_load(p->driver, box->type, from);
    return true;
  }
  allocate_result(p, result, -1);
  if (p->status == HLO_OK)
    hlo_driver_copy_box(p->driver, array, box, from, p->slots[result].memory, false);
  return p->status == HLO_OK;
}

// A number for all elements.
static bool add_broadcast(hlo_loop_planner *p, const hlo_step *step) {
  int32_t operand = step->operands[0], result = step->results[0];
  const hlo_shape *shape = shape_of(p, result);
  int64_t size = hlo_type_bytes(shape->type), bytes = hlo_shape_bytes(shape);
  if (!p->slots[operand].is_number || p->slots[result].is_number || (size != 4 && size != 8) ||
      hlo_value_parts(shape->type) > size / 4 || bytes > HLO_DRIVER_FEW_BYTES)
    return false;
  allocate_result(p, result, -1);
  if (p->status == HLO_OK)
    hlo_driver_fill(p->driver, shape->type, value_of(p, operand), p->slots[result].memory, bytes);
  return p->status == HLO_OK;
}

// The slot's array or number goes into the box in that place.
static void write_box(hlo_loop_planner *p, int32_t slot, const hlo_shape *array, hlo_place to) {
  const hlo_shape *box = shape_of(p, slot);
  if (p->slots[slot].is_number) hlo_driver_store(p->driver, box->type, value_of(p, slot), to);
  else hlo_driver_copy_box(p->driver, array, box, to, hlo_loop_place_of(p, slot), true);
}

static bool add_dynamic_slice(hlo_loop_planner *p, const hlo_step *step) {
  const hlo_shape *array = shape_of(p, step->operands[0]), *box = shape_of(p, step->results[0]);
  hlo_place from;
  return is_box(p, step, 1, array, box) &&
         locate_box(p, step, 1, array, box, hlo_loop_place_of(p, step->operands[0]), &from) &&
         read_box(p, step, from);
}

// Moves the place of an array to that of the slice: false if it has gaps.
static bool locate_slice(const hlo_instruction *x, hlo_place *place) {
  const hlo_shape *array = x->operands[0]->shape;
  int64_t starts[HLO_DRIVER_MAX_RANK];
  int32_t count;
  const int64_t *slices = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE, &count);
  if (array->rank > HLO_DRIVER_MAX_RANK || count != 3 * array->rank) return false;
  for (int32_t d = 0; d < array->rank; d++) {
    starts[d] = slices[3 * d];
    if (slices[3 * d + 2] != 1 && x->shape->dims[d] > 1) return false;
  }
  *place = hlo_driver_part(*place, array, starts);
  return true;
}

static bool add_slice(hlo_loop_planner *p, const hlo_step *step) {
  hlo_place place = hlo_loop_place_of(p, step->operands[0]);
  return has_few_runs(shape_of(p, step->operands[0]), shape_of(p, step->results[0])) &&
         locate_slice(step->instruction, &place) && read_box(p, step, place);
}

static bool add_concatenate(hlo_loop_planner *p, const hlo_step *step) {
  int32_t result = step->results[0], count;
  const hlo_shape *array = shape_of(p, result);
  const int64_t *dims = hlo_get_ints(step->instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  int64_t starts[HLO_DRIVER_MAX_RANK] = {0};
  bool fits = array->rank <= HLO_DRIVER_MAX_RANK && count == 1 && !p->slots[result].is_number &&
              step->operand_leaves <= MOST_RUNS;
  for (int32_t i = 0; i < step->operand_leaves && fits; i++)
    fits = has_few_runs(array, shape_of(p, step->operands[i]));
  if (!fits) return false;
  allocate_result(p, result, -1);
  for (int32_t i = 0; i < step->operand_leaves && p->status == HLO_OK; i++) {
    write_box(p, step->operands[i], array, hlo_driver_part(p->slots[result].memory, array, starts));
    starts[dims[0]] += shape_of(p, step->operands[i])->dims[dims[0]];
  }
  return p->status == HLO_OK;
}

static bool add_update(hlo_loop_planner *p, const hlo_step *step) {
  int32_t operand = step->operands[0], update = step->operands[1], result = step->results[0];
  const hlo_shape *array = shape_of(p, operand), *box = shape_of(p, update);
  hlo_place to;
  if (p->slots[operand].is_number || !is_box(p, step, 2, array, box)) return false;
  if (!hlo_shape_same_order(array, shape_of(p, result))) return false;
  bool in_place = hlo_loop_is_free(p, step, operand);
  allocate_result(p, result, in_place ? operand : -1);
  if (p->status != HLO_OK) return false;
  if (!in_place)
    hlo_driver_copy(p->driver, p->slots[result].memory, hlo_loop_place_of(p, operand),
                    hlo_shape_bytes(array));
  if (!locate_box(p, step, 2, array, box, p->slots[result].memory, &to)) return false;
  write_box(p, update, array, to);
  return true;
}

// A number of an array that is an operand of the fusion.
static bool load_element(hlo_loop_planner *p, const hlo_step *step, const hlo_instruction *x,
                         const hlo_value *values, hlo_value *out) {
  const hlo_instruction *array = x->operand_count > 0 ? x->operands[0] : NULL;
  if (array == NULL || array->opcode != HLO_OP_PARAMETER ||
      !hlo_layout_is_default(array->shape->layout) || array->shape->rank > HLO_DRIVER_MAX_RANK)
    return false;
  int32_t slot = slot_of(step, (int32_t)array->parameter_number);
  hlo_place place = hlo_loop_place_of(p, slot);
  if (!hlo_layout_is_default(shape_of(p, slot)->layout)) return false;
  if (x->opcode == HLO_OP_SLICE) {
    if (!locate_slice(x, &place)) return false;
  } else if (x->opcode == HLO_OP_DYNAMIC_SLICE && x->operand_count == 1 + array->shape->rank) {
    hlo_type types[HLO_DRIVER_MAX_RANK];
    hlo_value starts[HLO_DRIVER_MAX_RANK];
    for (int32_t d = 0; d < array->shape->rank; d++) {
      types[d] = x->operands[1 + d]->shape->type;
      starts[d] = values[x->operands[1 + d]->id];
      if (x->operands[1 + d]->shape->rank != 0) return false;
    }
    if (!hlo_driver_locate_box(p->driver, place, array->shape, x->shape, types, starts, &place))
      return false;
  } else {
    return false;
  }
  *out = hlo_driver_load(p->driver, x->shape->type, place);
  return true;
}

// A fusion that gives numbers as its instructions, where those are about numbers.
static bool add_fused_numbers(hlo_loop_planner *p, const hlo_step *step) {
  const hlo_computation *fused = hlo_get_computation(step->instruction, HLO_ATTRIBUTE_CALLS);
  if (fused == NULL || !has_scalar_results(p, step)) return false;
  hlo_value *values =
      hlo_arena_array(p->scratch, (size_t)fused->instruction_count + 1, sizeof *values);
  if (values == NULL) return hlo_loop_fail(p);
  const hlo_instruction *root = fused->root;
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  for (int32_t i = 0; i < fused->instruction_count; i++) {
    const hlo_instruction *x = fused->instructions[i];
    hlo_value operands[MOST_OPERANDS];
    if (is_tuple && x == root) continue;
    if (x->opcode == HLO_OP_PARAMETER) {
      values[i] = value_of(p, slot_of(step, (int32_t)x->parameter_number));
      continue;
    }
    if (!hlo_loop_is_plain(x->shape) || !hlo_loop_is_number(x->shape)) return false;
    bool are_known = x->operand_count <= MOST_OPERANDS;
    for (int32_t k = 0; k < x->operand_count && are_known; k++) {
      operands[k] = values[x->operands[k]->id];
      are_known = operands[k].part[0] != 0;
    }
    if (are_known ? !compute_value(p, x, operands, &values[i])
                  : !load_element(p, step, x, values, &values[i]))
      return false;
  }
  if ((is_tuple ? root->operand_count : 1) != step->result_leaves) return false;
  for (int32_t i = 0; i < step->result_leaves; i++)
    p->slots[step->results[i]].value = values[is_tuple ? root->operands[i]->id : root->id];
  return true;
}

// False where it is left to the engine, or nothing can be done.
static const struct {
  hlo_opcode opcode;
  bool (*add)(hlo_loop_planner *p, const hlo_step *step);
} movements[] = {
    {HLO_OP_DYNAMIC_SLICE, add_dynamic_slice},
    {HLO_OP_DYNAMIC_UPDATE_SLICE, add_update},
    {HLO_OP_SLICE, add_slice},
    {HLO_OP_CONCATENATE, add_concatenate},
    {HLO_OP_BROADCAST, add_broadcast},
};

bool hlo_loop_add_step(hlo_loop_planner *p, const hlo_step *step) {
  if (step->kind == HLO_STEP_SHARE) return add_share(p, step);
  if (step->kind == HLO_STEP_CALL && add_fused_numbers(p, step)) return true;
  if (step->kind == HLO_STEP_CALL) return p->status == HLO_OK && add_kernel(p, step);
  if (step->kind != HLO_STEP_EVALUATE && step->kind != HLO_STEP_CUSTOM) return false;
  if (add_number(p, step)) return true;
  if (p->status != HLO_OK) return false;
  for (size_t i = 0; i < sizeof movements / sizeof *movements; i++) {
    if (movements[i].opcode == step->instruction->opcode && movements[i].add(p, step)) return true;
  }
  return p->status == HLO_OK && !p->refuses && add_call(p, step);
}
