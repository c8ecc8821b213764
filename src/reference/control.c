// Structure and control flow: operations on values as a whole. Source of semantics: "Tuple",
// "GetTupleElement", "Call", "While", "Conditional", "OptimizationBarrier", "AfterAll" of the
// operation semantics.
#include "hlo/alias_form.h"
#include "reference/values.h"

// --- structure ---

hlo_status hlo_reference_constant(const hlo_value_operation *x, hlo_error *error) {
  hlo_value literal;
  if (x->instruction->literal == NULL)
    return hlo_instruction_fail(x->instruction, HLO_UNSUPPORTED, error,
                                "its values were left out when the program was printed");
  HLO_TRY(hlo_value_of_literal(x->reference->arena, x->instruction->literal, &literal, error));
  return hlo_value_operation_end(x, &literal, error);
}

static hlo_status tuple_of_operands(const hlo_value_operation *x, const hlo_shape *shape,
                                    hlo_value *out, hlo_error *error) {
  *out = (hlo_value){.shape = shape};
  HLO_ALLOC(out->elements, x->reference->arena, x->instruction->operand_count, error);
  for (int32_t i = 0; i < x->instruction->operand_count; i++) out->elements[i] = x->operands[i];
  return HLO_OK;
}

hlo_status hlo_reference_tuple(const hlo_value_operation *x, hlo_error *error) {
  return tuple_of_operands(x, x->instruction->shape, x->result, error);
}

// An element of a tuple; of what finishes what another instruction began, its results.
hlo_status hlo_reference_element(const hlo_value_operation *x, hlo_error *error) {
  return hlo_value_operation_end(x, &x->operands[0].elements[hlo_alias_element(x->instruction)],
                                 error);
}

// Barriers, domains, dependencies, and what goes on with what was begun.
hlo_status hlo_reference_first_operand(const hlo_value_operation *x, hlo_error *error) {
  return hlo_value_operation_end(x, &x->operands[0], error);
}

// A token; the number of the only device.
hlo_status hlo_reference_zero(const hlo_value_operation *x, hlo_error *error) {
  return hlo_value_create(x->reference->arena, x->instruction->shape, x->result, error);
}

hlo_status hlo_reference_start(const hlo_value_operation *x, const hlo_value *outcome,
                               hlo_error *error) {
  const hlo_shape *shape = x->instruction->shape;
  const hlo_start_form *form = hlo_start_form_of(x->instruction->opcode);
  hlo_value given = x->operands[0], *elements;
  HLO_TRY(hlo_value_create(x->reference->arena, shape, x->result, error));
  elements = x->result->elements;
  if (x->instruction->opcode == HLO_OP_ASYNC_START || x->instruction->operand_count > 1)
    HLO_TRY(tuple_of_operands(x, shape->elements[form->operands], &given, error));
  HLO_TRY(hlo_value_as(x->reference->arena, &given, shape->elements[form->operands],
                       &elements[form->operands], error));
  return hlo_value_as(x->reference->arena, outcome, shape->elements[form->results],
                      &elements[form->results], error);
}

hlo_status hlo_reference_copy_start(const hlo_value_operation *x, hlo_error *error) {
  return hlo_reference_start(x, &x->operands[0], error);
}

// --- calls ---

static hlo_status run_as(const hlo_value_operation *x, const hlo_computation *computation,
                         const hlo_value *arguments, hlo_error *error) {
  hlo_value value;
  HLO_TRY(hlo_reference_run(x->reference, computation, arguments, &value, error));
  return hlo_value_operation_end(x, &value, error);
}

// Call, fusion: the computation of the operands.
hlo_status hlo_reference_call(const hlo_value_operation *x, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY);
  if (computation == NULL) computation = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_CALLS);
  return run_as(x, computation, x->operands, error);
}

// Begun and, as nothing runs concurrently here, done.
hlo_status hlo_reference_async_start(const hlo_value_operation *x, hlo_error *error) {
  hlo_value outcome;
  const hlo_computation *computation = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_CALLS);
  HLO_TRY(hlo_reference_run(x->reference, computation, x->operands, &outcome, error));
  return hlo_reference_start(x, &outcome, error);
}

static bool is_true(const hlo_value *value) { return *(const uint8_t *)value->data != 0; }

static hlo_status run_while(const hlo_value_operation *x, hlo_arena arenas[3], hlo_value *state,
                            hlo_error *error) {
  const hlo_computation *condition = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_CONDITION);
  const hlo_computation *body = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_BODY);
  hlo_reference inner = *x->reference;
  inner.arena = &arenas[2];
  for (int turn = 0;; turn = !turn) { // the state is in one arena, the next one goes to the other
    hlo_value more, next;
    hlo_arena_free(&arenas[turn]);
    hlo_arena_free(inner.arena);
    HLO_TRY(hlo_reference_run(&inner, condition, state, &more, error));
    if (!is_true(&more)) return HLO_OK;
    HLO_TRY(hlo_reference_run(&inner, body, state, &next, error));
    HLO_TRY(hlo_value_copy(&arenas[turn], &next, x->instruction->shape, state, error));
  }
}

// While: body of body of … the operand, as long as the condition holds of it.
hlo_status hlo_reference_while(const hlo_value_operation *x, hlo_error *error) {
  hlo_arena arenas[3] = {{0}};
  hlo_value state = x->operands[0];
  hlo_status status = run_while(x, arenas, &state, error);
  if (status == HLO_OK)
    status = hlo_value_copy(x->reference->arena, &state, x->instruction->shape, x->result, error);
  for (int i = 0; i < 3; i++) hlo_arena_free(&arenas[i]);
  return status;
}

// Conditional: the branch that the first operand says, of its own operand. A number that is no
// branch's means the last one.
hlo_status hlo_reference_conditional(const hlo_value_operation *x, hlo_error *error) {
  const hlo_attribute *branches =
      hlo_find_attribute(x->instruction, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS);
  int64_t branch;
  if (x->operands[0].shape->type == HLO_PRED) branch = is_true(&x->operands[0]) ? 0 : 1;
  else branch = hlo_element_get(x->operands[0].shape->type, x->operands[0].data).i;
  if (branches == NULL) {
    hlo_attribute_id id =
        branch == 0 ? HLO_ATTRIBUTE_TRUE_COMPUTATION : HLO_ATTRIBUTE_FALSE_COMPUTATION;
    return run_as(x, hlo_get_computation(x->instruction, id), &x->operands[branch + 1], error);
  }
  if (branch < 0 || branch >= branches->count) branch = branches->count - 1;
  return run_as(x, branches->computations[branch], &x->operands[branch + 1], error);
}

// --- custom calls ---

hlo_status hlo_reference_custom_call(const hlo_value_operation *x, hlo_error *error) {
  int32_t operands, results;
  hlo_view *views;
  if (x->reference->custom_call == NULL)
    return hlo_instruction_fail(x->instruction, HLO_UNSUPPORTED, error,
                                "nobody carries out custom calls here");
  HLO_TRY(hlo_value_operation_begin(x, &operands, &results, &views, error));
  return x->reference->custom_call(x->reference->host, x->instruction, operands, views, results,
                                   views + operands, error);
}
