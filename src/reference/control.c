// Structure and control flow: operations on values as a whole. Source of semantics: "Tuple",
// "GetTupleElement", "Call", "While", "Conditional", "OptimizationBarrier", "AfterAll" of the
// operation semantics; of scan, the documentation of chlo.scan.
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

// What begins something that another instruction finishes gives a tuple of its operands, the
// results, and contexts that nobody looks at.
static hlo_status start(const hlo_value_operation *x, const hlo_value *outcome, hlo_error *error) {
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
  return start(x, &x->operands[0], error);
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
  return start(x, &outcome, error);
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

// --- Scan ---

// The slice of an array at a position along a dimension, which it lacks.
static void view_slice(const hlo_value *value, int64_t dimension, int64_t position, hlo_view *out) {
  hlo_value_view(value, out);
  out->data =
      (char *)out->data + position * out->strides[dimension] * (int64_t)hlo_type_bytes(out->type);
  out->rank--;
  for (int32_t d = (int32_t)dimension; d < out->rank; d++) {
    out->dims[d] = out->dims[d + 1];
    out->strides[d] = out->strides[d + 1];
  }
}

typedef struct scan {
  const hlo_reference *reference;
  const hlo_computation *body;
  int64_t dimension, steps;
  int32_t inputs, outputs, carries;
  const hlo_value *operands;
  hlo_value *carried, *results;
} scan;

// Dynamic sizes of an output: as many slices as there are steps, as large as a slice is (NULL:
// there was none).
static hlo_status set_output_sizes(const scan *s, const hlo_view *slice, hlo_value *output,
                                   hlo_error *error) {
  const hlo_shape *shape = output->shape;
  int64_t sizes[HLO_MAX_RANK];
  if (shape->dynamic == NULL) return HLO_OK;
  for (int32_t d = 0, from = 0; d < shape->rank; d++) {
    bool is_slice = d != s->dimension;
    sizes[d] = !shape->dynamic[d] ? shape->dims[d] : !is_slice ? s->steps : 0;
    if (is_slice && slice != NULL) sizes[d] = slice->dims[from++];
  }
  return hlo_value_set_sizes(s->reference->arena, output, sizes, shape->dynamic, error);
}

// A copy of the slice of an input, for the body.
static hlo_status take_slice(const scan *s, int32_t k, int64_t step, hlo_value *out,
                             hlo_error *error) {
  const hlo_shape *shape = s->body->parameters[k]->shape;
  hlo_view slice, to;
  HLO_TRY(hlo_value_create(s->reference->arena, shape, out, error));
  view_slice(&s->operands[k], s->dimension, step, &slice);
  if (shape->dynamic != NULL)
    HLO_TRY(hlo_value_set_sizes(s->reference->arena, out, slice.dims, shape->dynamic, error));
  hlo_value_view(out, &to);
  hlo_reference_copy(&to, &slice);
  return HLO_OK;
}

// One step: the arguments are slices of the inputs and the carried values, which the body's last
// results replace; its first results become slices of the outputs.
static hlo_status scan_step(const scan *s, int64_t step, hlo_error *error) {
  hlo_value *arguments, outcome, *leaves = &outcome;
  HLO_ALLOC(arguments, s->reference->arena, s->inputs + s->carries, error);
  for (int32_t k = 0; k < s->inputs; k++) HLO_TRY(take_slice(s, k, step, &arguments[k], error));
  for (int32_t k = 0; k < s->carries; k++) arguments[s->inputs + k] = s->carried[k];
  HLO_TRY(hlo_reference_run(s->reference, s->body, arguments, &outcome, error));
  if (hlo_shape_is_tuple(outcome.shape)) leaves = outcome.elements;
  for (int32_t k = 0; k < s->outputs; k++) {
    hlo_view slice, from;
    view_slice(&s->results[k], s->dimension, step, &slice);
    hlo_value_view(&leaves[k], &from);
    hlo_reference_copy(&slice, &from);
    HLO_TRY(set_output_sizes(s, &from, &s->results[k], error));
  }
  for (int32_t k = 0; k < s->carries; k++) s->carried[k] = leaves[s->outputs + k];
  return HLO_OK;
}

static scan describe_scan(const hlo_value_operation *x) {
  scan s = {.reference = x->reference, .operands = x->operands};
  bool is_tuple = hlo_shape_is_tuple(x->instruction->shape);
  s.body = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY);
  s.dimension = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0];
  s.carries = (int32_t)hlo_get_int(x->instruction, HLO_ATTRIBUTE_NUM_CARRIES, 0);
  s.inputs = x->instruction->operand_count - s.carries;
  s.outputs = (is_tuple ? x->instruction->shape->element_count : 1) - s.carries;
  s.results = is_tuple ? x->result->elements : x->result;
  s.steps = s.outputs > 0 ? s.results[0].shape->dims[s.dimension] : 0; // without inputs
  for (int32_t k = 0; k < s.inputs; k++) { // inputs of other sizes end where the shortest does
    hlo_view input;
    hlo_value_view(&x->operands[k], &input);
    if (k == 0 || input.dims[s.dimension] < s.steps) s.steps = input.dims[s.dimension];
  }
  return s;
}

// Scan: the body goes through slices of the inputs along a dimension, from the first on or from the
// last, and hands values on from step to step.
hlo_status hlo_reference_scan(const hlo_value_operation *x, hlo_error *error) {
  bool is_reverse = hlo_get_int(x->instruction, HLO_ATTRIBUTE_IS_REVERSE, 0) != 0;
  HLO_TRY(hlo_value_create(x->reference->arena, x->instruction->shape, x->result, error));
  scan s = describe_scan(x);
  for (int32_t k = 0; k < s.outputs; k++) HLO_TRY(set_output_sizes(&s, NULL, &s.results[k], error));
  HLO_ALLOC(s.carried, x->reference->arena, s.carries, error);
  for (int32_t k = 0; k < s.carries; k++) s.carried[k] = x->operands[s.inputs + k];
  for (int64_t i = 0; i < s.steps; i++)
    HLO_TRY(scan_step(&s, is_reverse ? s.steps - 1 - i : i, error));
  for (int32_t k = 0; k < s.carries; k++) {
    hlo_value *to = &s.results[s.outputs + k];
    HLO_TRY(hlo_value_as(x->reference->arena, &s.carried[k], to->shape, to, error));
  }
  return HLO_OK;
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
