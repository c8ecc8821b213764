// Structure and control flow: operations on values as a whole. Source of semantics: "Tuple",
// "GetTupleElement", "Call", "While", "Conditional", "OptimizationBarrier", "AfterAll" of the
// operation semantics; of scan, the documentation of chlo.scan.
#include "hlo/alias_form.h"
#include "reference/index.h"
#include "reference/values.h"

// --- structure ---

static hlo_status constant(const hlo_reference *reference, const hlo_instruction *x,
                           const hlo_value *operands, hlo_value *result, hlo_error *error) {
  (void)operands;
  hlo_value literal;
  if (x->literal == NULL)
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                                "its values were left out when the program was printed");
  HLO_TRY(hlo_value_of_literal(reference->arena, x->literal, &literal, error));
  return hlo_value_as(reference->arena, &literal, x->shape, result, error);
}

static hlo_status tuple(const hlo_reference *reference, const hlo_instruction *x,
                        const hlo_value *operands, hlo_value *result, hlo_error *error) {
  *result = (hlo_value){.shape = x->shape};
  HLO_ALLOC(result->elements, reference->arena, x->operand_count, error);
  for (int32_t i = 0; i < x->operand_count; i++) result->elements[i] = operands[i];
  return HLO_OK;
}

// An element of a tuple; of what finishes what another instruction began, its results.
static hlo_status element(const hlo_reference *reference, const hlo_instruction *x,
                          const hlo_value *operands, hlo_value *result, hlo_error *error) {
  const hlo_value *from = &operands[0].elements[hlo_alias_element(x)];
  return hlo_value_as(reference->arena, from, x->shape, result, error);
}

// The first operand: barriers, domains, dependencies, and what goes on with what was begun.
static hlo_status first_operand(const hlo_reference *reference, const hlo_instruction *x,
                                const hlo_value *operands, hlo_value *result, hlo_error *error) {
  return hlo_value_as(reference->arena, &operands[0], x->shape, result, error);
}

static hlo_status token(const hlo_reference *reference, const hlo_instruction *x,
                        const hlo_value *operands, hlo_value *result, hlo_error *error) {
  (void)operands;
  return hlo_value_create(reference->arena, x->shape, result, error);
}

// What begins something that another instruction finishes gives a tuple of its operands, the
// results, and contexts that nobody looks at.
static hlo_status start(const hlo_reference *reference, const hlo_instruction *x,
                        const hlo_value *operands, const hlo_value *outcome, hlo_value *result,
                        hlo_error *error) {
  const hlo_start_form *form = hlo_start_form_of(x->opcode);
  HLO_TRY(hlo_value_create(reference->arena, x->shape, result, error));
  hlo_value given = {.shape = x->shape->elements[form->operands]};
  bool is_list = x->opcode == HLO_OP_ASYNC_START || x->operand_count > 1;
  HLO_ALLOC(given.elements, reference->arena, x->operand_count, error);
  for (int32_t i = 0; i < x->operand_count; i++) given.elements[i] = operands[i];
  if (!is_list) given = operands[0];
  HLO_TRY(hlo_value_as(reference->arena, &given, x->shape->elements[form->operands],
                       &result->elements[form->operands], error));
  return hlo_value_as(reference->arena, outcome, x->shape->elements[form->results],
                      &result->elements[form->results], error);
}

// --- calls ---

static hlo_status run_as(const hlo_reference *reference, const hlo_instruction *x,
                         const hlo_computation *computation, const hlo_value *arguments,
                         hlo_value *result, hlo_error *error) {
  hlo_value value;
  HLO_TRY(hlo_reference_run(reference, computation, arguments, &value, error));
  return hlo_value_as(reference->arena, &value, x->shape, result, error);
}

// Call, fusion: the computation of the operands.
static hlo_status call(const hlo_reference *reference, const hlo_instruction *x,
                       const hlo_value *operands, hlo_value *result, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (computation == NULL) computation = hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  return run_as(reference, x, computation, operands, result, error);
}

// Begun and, as nothing goes on beside anything else here, done.
static hlo_status async_start(const hlo_reference *reference, const hlo_instruction *x,
                              const hlo_value *operands, hlo_value *result, hlo_error *error) {
  hlo_value outcome;
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  HLO_TRY(hlo_reference_run(reference, computation, operands, &outcome, error));
  return start(reference, x, operands, &outcome, result, error);
}

static hlo_status copy_start(const hlo_reference *reference, const hlo_instruction *x,
                             const hlo_value *operands, hlo_value *result, hlo_error *error) {
  return start(reference, x, operands, &operands[0], result, error);
}

static bool is_true(const hlo_value *value) { return *(const uint8_t *)value->data != 0; }

// While: body of body of … the operand, as long as the condition holds of it.
static hlo_status run_while(const hlo_reference *reference, const hlo_instruction *x,
                            hlo_arena arenas[3], hlo_value *state, hlo_error *error) {
  const hlo_computation *condition = hlo_get_computation(x, HLO_ATTRIBUTE_CONDITION);
  const hlo_computation *body = hlo_get_computation(x, HLO_ATTRIBUTE_BODY);
  hlo_reference inner = *reference;
  inner.arena = &arenas[2];
  for (int turn = 0;; turn = !turn) { // the state is in one arena, the next one goes to the other
    hlo_value more, next;
    hlo_arena_free(&arenas[turn]);
    hlo_arena_free(inner.arena);
    HLO_TRY(hlo_reference_run(&inner, condition, state, &more, error));
    if (!is_true(&more)) return HLO_OK;
    HLO_TRY(hlo_reference_run(&inner, body, state, &next, error));
    HLO_TRY(hlo_value_copy(&arenas[turn], &next, x->shape, state, error));
  }
}

static hlo_status while_loop(const hlo_reference *reference, const hlo_instruction *x,
                             const hlo_value *operands, hlo_value *result, hlo_error *error) {
  hlo_arena arenas[3] = {{0}};
  hlo_value state = operands[0];
  hlo_status status = run_while(reference, x, arenas, &state, error);
  if (status == HLO_OK) status = hlo_value_copy(reference->arena, &state, x->shape, result, error);
  for (int i = 0; i < 3; i++) hlo_arena_free(&arenas[i]);
  return status;
}

// Conditional: the branch that the first operand says, of its own operand. A number that is no
// branch's means the last one.
static hlo_status conditional(const hlo_reference *reference, const hlo_instruction *x,
                              const hlo_value *operands, hlo_value *result, hlo_error *error) {
  const hlo_attribute *branches = hlo_find_attribute(x, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS);
  if (operands[0].shape->type == HLO_PRED) {
    bool truth = is_true(&operands[0]);
    const hlo_computation *computation =
        branches != NULL ? branches->computations[truth ? 0 : 1]
                         : hlo_get_computation(x, truth ? HLO_ATTRIBUTE_TRUE_COMPUTATION
                                                        : HLO_ATTRIBUTE_FALSE_COMPUTATION);
    return run_as(reference, x, computation, &operands[truth ? 1 : 2], result, error);
  }
  int64_t branch = hlo_element_get(operands[0].shape->type, operands[0].data).i;
  if (branch < 0 || branch >= branches->count) branch = branches->count - 1;
  return run_as(reference, x, branches->computations[branch], &operands[branch + 1], result, error);
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

static void copy_elements(const hlo_view *to, const hlo_view *from) {
  for (hlo_index i = hlo_index_over(from); hlo_index_next(&i);)
    hlo_store_scalar(to, i.at, hlo_scalar_at(from, i.at));
}

typedef struct scan {
  const hlo_instruction *x;
  const hlo_computation *body;
  int64_t dimension, steps;
  int32_t inputs, outputs, carries;
} scan;

// Dynamic sizes of an output: as many slices as there are steps, as large as a slice is (NULL:
// there was none).
static hlo_status set_output_sizes(const hlo_reference *reference, const scan *s,
                                   const hlo_view *slice, hlo_value *output, hlo_error *error) {
  const hlo_shape *shape = output->shape;
  int64_t sizes[HLO_MAX_RANK];
  if (shape->dynamic == NULL) return HLO_OK;
  for (int32_t d = 0, from = 0; d < shape->rank; d++) {
    bool is_slice = d != s->dimension;
    sizes[d] = !shape->dynamic[d] ? shape->dims[d] : !is_slice ? s->steps : 0;
    if (is_slice && slice != NULL) sizes[d] = slice->dims[from++];
  }
  return hlo_value_set_sizes(reference->arena, output, sizes, shape->dynamic, error);
}

// One step: the arguments are slices of the inputs and the carried values, which the body's last
// results replace; its first results become slices of the outputs.
static hlo_status scan_step(const hlo_reference *reference, const scan *s, int64_t step,
                            const hlo_value *operands, hlo_value *carried, hlo_value *outputs,
                            hlo_error *error) {
  hlo_value *arguments, results, *leaves = &results;
  HLO_ALLOC(arguments, reference->arena, s->inputs + s->carries, error);
  for (int32_t k = 0; k < s->inputs; k++) {
    hlo_view slice, to;
    HLO_TRY(
        hlo_value_create(reference->arena, s->body->parameters[k]->shape, &arguments[k], error));
    view_slice(&operands[k], s->dimension, step, &slice);
    if (s->body->parameters[k]->shape->dynamic != NULL)
      HLO_TRY(hlo_value_set_sizes(reference->arena, &arguments[k], slice.dims,
                                  s->body->parameters[k]->shape->dynamic, error));
    hlo_value_view(&arguments[k], &to);
    copy_elements(&to, &slice);
  }
  for (int32_t k = 0; k < s->carries; k++) arguments[s->inputs + k] = carried[k];
  HLO_TRY(hlo_reference_run(reference, s->body, arguments, &results, error));
  if (hlo_shape_is_tuple(results.shape)) leaves = results.elements;
  for (int32_t k = 0; k < s->outputs; k++) {
    hlo_view slice, from;
    view_slice(&outputs[k], s->dimension, step, &slice);
    hlo_value_view(&leaves[k], &from);
    copy_elements(&slice, &from);
    HLO_TRY(set_output_sizes(reference, s, &from, &outputs[k], error));
  }
  for (int32_t k = 0; k < s->carries; k++) carried[k] = leaves[s->outputs + k];
  return HLO_OK;
}

// Scan: the body goes through slices of the inputs along a dimension, from the first on or from the
// last, and hands values on from step to step.
static hlo_status run_scan(const hlo_reference *reference, const hlo_instruction *x,
                           const hlo_value *operands, hlo_value *result, hlo_error *error) {
  scan s = {.x = x, .body = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY)};
  int32_t count;
  s.dimension = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count)[0];
  s.carries = (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_NUM_CARRIES, 0);
  s.inputs = x->operand_count - s.carries;
  HLO_TRY(hlo_value_create(reference->arena, x->shape, result, error));
  bool is_tuple = hlo_shape_is_tuple(x->shape);
  hlo_value *results = is_tuple ? result->elements : result, *carried;
  s.outputs = (is_tuple ? x->shape->element_count : 1) - s.carries;
  s.steps = s.outputs > 0 ? results[0].shape->dims[s.dimension] : 0; // without inputs
  for (int32_t k = 0; k < s.inputs; k++) { // inputs of other sizes end where the shortest does
    hlo_view input;
    hlo_value_view(&operands[k], &input);
    if (k == 0 || input.dims[s.dimension] < s.steps) s.steps = input.dims[s.dimension];
  }
  for (int32_t k = 0; k < s.outputs; k++)
    HLO_TRY(set_output_sizes(reference, &s, NULL, &results[k], error));
  HLO_ALLOC(carried, reference->arena, s.carries, error);
  for (int32_t k = 0; k < s.carries; k++) carried[k] = operands[s.inputs + k];
  for (int64_t i = 0; i < s.steps; i++) {
    bool is_reverse = hlo_get_int(x, HLO_ATTRIBUTE_IS_REVERSE, 0) != 0;
    HLO_TRY(scan_step(reference, &s, is_reverse ? s.steps - 1 - i : i, operands, carried, results,
                      error));
  }
  for (int32_t k = 0; k < s.carries; k++) {
    hlo_value *to = &results[s.outputs + k];
    HLO_TRY(hlo_value_as(reference->arena, &carried[k], to->shape, to, error));
  }
  return HLO_OK;
}

// --- custom calls ---

static hlo_status custom_call(const hlo_reference *reference, const hlo_instruction *x,
                              const hlo_value *operands, hlo_value *result, hlo_error *error) {
  int32_t count = 0, results;
  hlo_view *views;
  const hlo_value **leaves;
  if (reference->custom_call == NULL)
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error, "nobody carries out custom calls here");
  HLO_TRY(hlo_value_create(reference->arena, x->shape, result, error));
  results = hlo_value_leaves(result, NULL);
  for (int32_t k = 0; k < x->operand_count; k++) count += hlo_value_leaves(&operands[k], NULL);
  HLO_ALLOC(leaves, reference->arena, count + results, error);
  HLO_ALLOC(views, reference->arena, count + results, error);
  for (int32_t k = 0, at = 0; k < x->operand_count; k++)
    at += hlo_value_leaves(&operands[k], leaves + at);
  hlo_value_leaves(result, leaves + count);
  for (int32_t i = 0; i < count + results; i++) hlo_value_view_leaf(leaves[i], &views[i]);
  return reference->custom_call(reference->host, x, count, views, results, views + count, error);
}

hlo_value_function *hlo_reference_control_function(hlo_opcode opcode) {
  static hlo_value_function *const functions[HLO_OP_COUNT] = {
      [HLO_OP_CONSTANT] = constant,
      [HLO_OP_TUPLE] = tuple,
      [HLO_OP_GET_TUPLE_ELEMENT] = element,
      [HLO_OP_OPTIMIZATION_BARRIER] = first_operand,
      [HLO_OP_DOMAIN] = first_operand,
      [HLO_OP_ADD_DEPENDENCY] = first_operand,
      [HLO_OP_AFTER_ALL] = token,
      [HLO_OP_CALL] = call,
      [HLO_OP_FUSION] = call,
      [HLO_OP_WHILE] = while_loop,
      [HLO_OP_CONDITIONAL] = conditional,
      [HLO_OP_SCAN] = run_scan,
      [HLO_OP_CUSTOM_CALL] = custom_call,
      [HLO_OP_COPY_START] = copy_start,
      [HLO_OP_COPY_DONE] = element,
      [HLO_OP_ASYNC_START] = async_start,
      [HLO_OP_ASYNC_UPDATE] = first_operand,
      [HLO_OP_ASYNC_DONE] = element,
  };
  return functions[opcode];
}
