// Makes plans: numbers the slots, resolves tuples away, finds each slot's last use. See plan.h.
#include "run/plan/plan.h"
#include "reference/reference.h"

#include "kernels/eval.h"
#include "run/devices/communicate.h"
#include "run/plan/planner.h"

#include <string.h>

static hlo_status new_slots(hlo_planner *p, const hlo_instruction *instruction, hlo_error *error) {
  int32_t *slots;
  HLO_ALLOC(slots, &p->set->arena, hlo_leaves_of(instruction), error);
  p->slots[instruction->id] = slots;
  return hlo_planner_add_slots(p, instruction->shape, slots, error);
}

static hlo_status plan_parameters(hlo_planner *p, hlo_error *error) {
  const hlo_computation *computation = p->plan->computation;
  for (int32_t i = 0; i < computation->parameter_count; i++) {
    HLO_TRY(new_slots(p, computation->parameters[i], error));
  }
  p->plan->parameter_leaves = p->plan->slot_count;
  return HLO_OK;
}

// Makes the leaves of a literal constants of the slots, and moves *slots on after them.
static hlo_status add_leaves(hlo_planner *p, const hlo_literal *literal, const int32_t **slots,
                             hlo_error *error) {
  for (int32_t i = 0; i < literal->shape->element_count; i++)
    HLO_TRY(add_leaves(p, &literal->elements[i], slots, error));
  if (hlo_shape_is_tuple(literal->shape)) return HLO_OK;
  int32_t slot = *(*slots)++;
  if (literal->data == NULL) return HLO_OK; // a token
  hlo_buffer *buffer;
  HLO_TRY(hlo_buffer_of_literal(p->plan->computation->module, literal, &buffer, error));
  return hlo_planner_add_constant(p, slot, buffer, error);
}

static hlo_status plan_constant(hlo_planner *p, const hlo_instruction *instruction,
                                hlo_error *error) {
  HLO_TRY(new_slots(p, instruction, error));
  if (instruction->literal == NULL) {
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error,
                                "its values were left out when the program was printed; print it "
                                "with large constants");
  }
  const int32_t *slots = p->slots[instruction->id];
  return add_leaves(p, instruction->literal, &slots, error);
}

static hlo_status plan_callees(hlo_planner *p, const hlo_instruction *instruction, hlo_step *step,
                               hlo_error *error) {
  hlo_plan **plans;
  int32_t count = 0;
  for (int32_t a = 0; a < instruction->attribute_count; a++) {
    hlo_attribute_kind kind = hlo_attribute_get_kind(instruction->attributes[a].id);
    if (kind != HLO_KIND_COMPUTATION && kind != HLO_KIND_COMPUTATIONS) continue;
    count += instruction->attributes[a].count;
  }
  HLO_ALLOC(plans, &p->set->arena, count, error);
  step->plans = plans;
  // The order in which runs expect them, whatever the order in the text.
  static const hlo_attribute_id order[] = {HLO_ATTRIBUTE_CONDITION,
                                           HLO_ATTRIBUTE_BODY,
                                           HLO_ATTRIBUTE_TRUE_COMPUTATION,
                                           HLO_ATTRIBUTE_FALSE_COMPUTATION,
                                           HLO_ATTRIBUTE_BRANCH_COMPUTATIONS,
                                           HLO_ATTRIBUTE_TO_APPLY,
                                           HLO_ATTRIBUTE_SELECT,
                                           HLO_ATTRIBUTE_SCATTER,
                                           HLO_ATTRIBUTE_CALLS,
                                           HLO_ATTRIBUTE_CALLED_COMPUTATIONS};
  for (size_t o = 0; o < sizeof order / sizeof *order; o++) {
    const hlo_attribute *attribute = hlo_find_attribute(instruction, order[o]);
    if (step->kind == HLO_STEP_CUSTOM && order[o] == HLO_ATTRIBUTE_CALLED_COMPUTATIONS) continue;
    for (int32_t c = 0; attribute != NULL && c < attribute->count; c++) {
      HLO_TRY(hlo_plan_create(p->set, attribute->computations[c], error));
      plans[step->plan_count++] = p->set->plans[attribute->computations[c]->index];
    }
  }
  return HLO_OK;
}

static bool is_row_major(const hlo_shape *shape) { return hlo_layout_is_default(shape->layout); }

static bool is_dense(const hlo_shape *shape) {
  return hlo_shape_memory_elements(shape) == hlo_shape_elements(shape) &&
         hlo_shape_packed_bits(shape) == 0;
}

// The result is the operand's memory seen under another shape: nothing needs to move.
static bool shares_memory(const hlo_planner *p, const hlo_instruction *instruction) {
  if (!(hlo_op_get(instruction->opcode)->properties & HLO_PROPERTY_RESHAPES)) return false;
  if (p->set->reference) return false;
  const hlo_shape *to = instruction->shape;
  const hlo_shape *from = p->plan->slot_shapes[p->slots[instruction->operands[0]->id][0]];
  if (!hlo_shape_is_array(to) || hlo_type_bits(to->type) != hlo_type_bits(from->type)) return false;
  if (is_row_major(to) && is_row_major(from)) return true;
  if (instruction->opcode == HLO_OP_BITCAST) return is_dense(to) && is_dense(from);
  return hlo_shape_same_dimensions(to, from) && hlo_layout_equal(to->layout, from->layout);
}

static hlo_status step_kind_of(const hlo_planner *p, const hlo_instruction *instruction,
                               hlo_step *step, hlo_error *error) {
  if (hlo_op_get(instruction->opcode)->properties & HLO_PROPERTY_CUSTOM) {
    const char *target = hlo_get_text(instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
    step->communicate = hlo_communicate_lookup_target(target);
    step->kind = step->communicate != NULL ? HLO_STEP_COMMUNICATE : HLO_STEP_CUSTOM;
    step->custom = hlo_custom_call_lookup(target);
    if (step->custom == hlo_lapack_call)
      return hlo_lapack_create_plan(instruction, &p->set->arena, &step->lapack, error);
    if (step->custom == NULL && step->communicate == NULL) step->custom = hlo_custom_call_late;
    return HLO_OK;
  }
  if (shares_memory(p, instruction)) step->kind = HLO_STEP_SHARE;
  else if ((step->communicate = hlo_communicate_lookup(instruction->opcode)) != NULL)
    step->kind = HLO_STEP_COMMUNICATE;
  else if (instruction->opcode == HLO_OP_WHILE) step->kind = HLO_STEP_WHILE;
  else if (instruction->opcode == HLO_OP_CONDITIONAL) step->kind = HLO_STEP_CONDITIONAL;
  else if (hlo_op_get(instruction->opcode)->properties & HLO_PROPERTY_CALLS)
    step->kind = HLO_STEP_CALL;
  else if (p->set->reference ? hlo_reference_has(instruction->opcode)
                             : hlo_evaluator_supports(instruction->opcode))
    step->kind = HLO_STEP_EVALUATE;
  else
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error,
                                "this engine does not run the operation yet");
  return HLO_OK;
}

// Makes code for a fusion or a loop, if the set has it made and it can be.
static hlo_status plan_kernel(hlo_plan_set *set, hlo_step *step, hlo_error *error) {
  const hlo_emit_kernel *kernel = NULL;
  if (!set->emits) return HLO_OK;
  if (step->kind == HLO_STEP_WHILE) HLO_TRY(hlo_planner_compile_loop(set, step, &kernel, error));
  if (step->instruction->opcode == HLO_OP_FUSION) {
    HLO_TRY(hlo_emit_fusion(set->target, &set->arena, step->instruction, &set->imports,
                            &step->kernel, error));
    kernel = step->kernel;
  }
  if (kernel == NULL) return HLO_OK;
  int32_t capacity = set->kernel_capacity;
  HLO_GROW_LIST(set->kernels, &set->arena, set->kernel_count, set->kernel_capacity, error);
  if (set->kernel_capacity != capacity)
    HLO_ALLOC(set->functions, &set->arena, set->kernel_capacity, error);
  step->kernel_number = set->kernel_count;
  set->kernels[set->kernel_count++] = kernel;
  return HLO_OK;
}

static hlo_status plan_step(hlo_planner *p, const hlo_instruction *instruction, hlo_error *error) {
  hlo_step *step = &p->plan->steps[p->plan->step_count];
  step->instruction = instruction;
  HLO_TRY(step_kind_of(p, instruction, step, error));
  if (hlo_planner_is_start(instruction->opcode)) {
    HLO_TRY(hlo_planner_add_start(p, instruction, &step->results, &step->result_leaves, error));
  } else {
    HLO_TRY(new_slots(p, instruction, error));
    step->result_leaves = hlo_leaves_of(instruction);
    step->results = p->slots[instruction->id];
  }
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    step->operand_leaves += hlo_leaves_of(instruction->operands[i]);
  }
  int32_t *operands, *starts, n = 0;
  HLO_ALLOC(operands, &p->set->arena, step->operand_leaves, error);
  HLO_ALLOC(starts, &p->set->arena, instruction->operand_count + 1, error);
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    int32_t count = hlo_leaves_of(instruction->operands[i]);
    if (count > 0) {
      memcpy(operands + n, p->slots[instruction->operands[i]->id],
             (size_t)count * sizeof *operands);
    }
    starts[i] = n;
    n += count;
  }
  starts[instruction->operand_count] = n;
  step->operands = operands;
  step->operand_starts = starts;
  HLO_TRY(plan_callees(p, instruction, step, error));
  HLO_TRY(plan_kernel(p->set, step, error));
  if (step->kind == HLO_STEP_COMMUNICATE) HLO_TRY(hlo_communicate_check(step, error));
  p->plan->step_count++;
  return HLO_OK;
}

static hlo_status plan_instruction(hlo_planner *p, const hlo_instruction *instruction,
                                   hlo_error *error) {
  if (instruction->opcode == HLO_OP_PARAMETER) return HLO_OK;
  if (instruction->opcode == HLO_OP_CONSTANT) return plan_constant(p, instruction, error);
  int32_t properties = hlo_op_get(instruction->opcode)->properties;
  if (properties & HLO_PROPERTY_TOKEN) return new_slots(p, instruction, error);
  if (properties & HLO_PROPERTY_ALIAS) return hlo_planner_add_alias(p, instruction, error);
  return plan_step(p, instruction, error);
}

// Lists, for each step, the slots whose last reader (or, unread, whose writer) it is.
static hlo_status list_last_uses(hlo_planner *p, hlo_error *error) {
  hlo_plan *plan = p->plan;
  int32_t *last;
  enum { NEVER = -1, ALWAYS = -2 };
  HLO_ALLOC(last, &p->set->arena, plan->slot_count, error);
  for (int32_t i = 0; i < plan->slot_count; i++) last[i] = NEVER;
  for (int32_t s = 0; s < plan->step_count; s++) {
    const hlo_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->result_leaves; i++) last[step->results[i]] = s;
    for (int32_t i = 0; i < step->operand_leaves; i++) last[step->operands[i]] = s;
  }
  for (int32_t i = 0; i < plan->result_leaves; i++) last[plan->results[i]] = ALWAYS;
  int32_t *counts, *dying;
  HLO_ALLOC(counts, &p->set->arena, plan->step_count + 1, error);
  HLO_ALLOC(dying, &p->set->arena, plan->slot_count, error);
  HLO_ALLOC(plan->unused, &p->set->arena, plan->slot_count, error);
  for (int32_t i = 0; i < plan->slot_count; i++) {
    if (last[i] >= 0) counts[last[i]]++;
    else if (last[i] == NEVER) plan->unused[plan->unused_count++] = i;
  }
  int32_t start = 0;
  for (int32_t s = 0; s < plan->step_count; s++) {
    plan->steps[s].dying = dying + start;
    start += counts[s];
  }
  for (int32_t i = 0; i < plan->slot_count; i++) {
    if (last[i] < 0) continue;
    hlo_step *step = &plan->steps[last[i]];
    dying[(step->dying - dying) + step->dying_count++] = i;
  }
  return HLO_OK;
}

static hlo_status plan_computation(hlo_planner *p, hlo_error *error) {
  const hlo_computation *computation = p->plan->computation;
  hlo_plan *plan = p->plan;
  HLO_ALLOC(p->slots, &p->set->arena, computation->instruction_count, error);
  HLO_ALLOC(plan->steps, &p->set->arena, computation->instruction_count, error);
  HLO_TRY(plan_parameters(p, error));
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    HLO_TRY(plan_instruction(p, computation->instructions[i], error));
  }
  plan->result_leaves = hlo_leaves_of(computation->root);
  plan->results = p->slots[computation->root->id];
  HLO_TRY(hlo_planner_plan_products(p, error));
  if (p->set->kernel_count > 0) HLO_TRY(hlo_planner_place_epilogues(p, error));
  HLO_TRY(list_last_uses(p, error));
  HLO_TRY(hlo_planner_prepare_steps(p, error));
  return hlo_planner_count_most_bytes(p, error);
}

// Recursion follows the call graph, which the verifier holds to HLO_MAX_CALL_DEPTH levels.
hlo_status hlo_plan_create(hlo_plan_set *set, const hlo_computation *computation,
                           hlo_error *error) {
  if (set->plans == NULL) {
    HLO_ALLOC(set->plans, &set->arena, set->module->computation_count, error);
    set->has_sizes = hlo_module_has_dynamic_sizes(set->module);
  }
  if (set->plans[computation->index] != NULL) return HLO_OK;
  hlo_plan *plan;
  HLO_ALLOC(plan, &set->arena, 1, error);
  plan->computation = computation;
  set->plans[computation->index] = plan;
  hlo_planner p = {.set = set, .plan = plan};
  return plan_computation(&p, error);
}

void hlo_plan_set_free(hlo_plan_set *set) {
  for (int32_t i = 0; set->plans != NULL && i < set->module->computation_count; i++) {
    hlo_plan *plan = set->plans[i];
    for (int32_t c = 0; plan != NULL && c < plan->constant_count; c++) {
      hlo_buffer_release(plan->constants[c].buffer);
    }
  }
  hlo_arena_free(&set->arena);
  set->plans = NULL;
}
