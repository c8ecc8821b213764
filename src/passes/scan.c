// Scans become loops: no scan is left for the executor. See passes.h. Must not know how loops run.
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "shape/literal.h"

// One scan. The loop's state is a tuple: the step's number, inputs, outputs, carried values.
typedef struct scan {
  const hlo_instruction *x;
  hlo_module *module;
  int64_t dimension, size;
  int32_t inputs, outputs, carries, count; // count: of the state's elements
  hlo_instruction **values;                // of the state, in the computation being made
  const hlo_shape *state;
} scan;

enum { STEP, FIRST_INPUT };

static hlo_status make_integer(hlo_computation *to, int64_t value, hlo_instruction **out,
                               hlo_error *error) {
  int32_t element = (int32_t)value;
  hlo_literal literal = {.shape = hlo_shape_scalar(HLO_S32), .data = &element};
  return hlo_build_constant(to, &literal, out, error);
}

// y laid out as the shape says.
static hlo_status make_like(hlo_instruction *y, const hlo_shape *shape, hlo_instruction **out,
                            hlo_error *error) {
  *out = y;
  if (hlo_shape_equal(y->shape, shape)) return HLO_OK;
  return hlo_build(y->computation, HLO_OP_COPY, shape, 1, &y, 0, NULL, out, error);
}

static hlo_status make_zeros(const scan *s, hlo_computation *to, const hlo_shape *shape,
                             hlo_instruction **out, hlo_error *error) {
  char element[16] = {0};
  hlo_literal literal = {.shape = hlo_shape_scalar(shape->type), .data = element};
  hlo_attribute none;
  HLO_TRY(hlo_build_constant(to, &literal, out, error));
  HLO_TRY(
      hlo_attribute_make_ints(&s->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 0, NULL, &none, error));
  return hlo_build(to, HLO_OP_BROADCAST, shape, 1, out, 1, &none, out, error);
}

static hlo_status take_element(hlo_instruction *tuple, int64_t index, hlo_instruction **out,
                               hlo_error *error) {
  hlo_attribute attribute = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, index);
  return hlo_build(tuple->computation, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &tuple, 1, &attribute,
                   out, error);
}

// A computation of the state, taken apart.
static hlo_status begin(scan *s, const char *name, hlo_computation **out, hlo_error *error) {
  hlo_instruction *state;
  HLO_TRY(hlo_computation_create(s->module, name, out, error));
  HLO_TRY(hlo_build_parameter(*out, 0, s->state, "state", &state, error));
  for (int32_t i = 0; i < s->count; i++) HLO_TRY(take_element(state, i, &s->values[i], error));
  return HLO_OK;
}

static hlo_status make_condition(scan *s, hlo_computation **out, hlo_error *error) {
  hlo_instruction *operands[2], *root;
  hlo_attribute less = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "LT");
  HLO_TRY(begin(s, "scan_condition", out, error));
  operands[0] = s->values[STEP];
  HLO_TRY(make_integer(*out, s->size, &operands[1], error));
  HLO_TRY(hlo_build(*out, HLO_OP_COMPARE, NULL, 2, operands, 1, &less, &root, error));
  return hlo_build_finish(*out, root, error);
}

// A slice of one in the dimension: of `shape`, which has another one in its place, or one less.
static const int64_t *slice_sizes(const scan *s, const hlo_shape *shape, int64_t *dims) {
  for (int32_t d = 0; d < shape->rank; d++) dims[d] = d == s->dimension ? 1 : shape->dims[d];
  return dims;
}

static void set_indices(const scan *s, int32_t rank, hlo_instruction *step, hlo_instruction *zero,
                        hlo_instruction **out) {
  for (int32_t d = 0; d < rank; d++) out[d] = d == s->dimension ? step : zero;
}

static hlo_status read_slice(const scan *s, hlo_instruction *input, hlo_instruction *step,
                             hlo_instruction *zero, const hlo_shape *as, hlo_instruction **out,
                             hlo_error *error) {
  hlo_instruction *operands[HLO_MAX_RANK + 1] = {input};
  int64_t dims[HLO_MAX_RANK];
  hlo_attribute sizes;
  int32_t rank = input->shape->rank;
  hlo_computation *to = input->computation;
  HLO_TRY(hlo_attribute_make_ints(&s->module->arena, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, rank,
                                  slice_sizes(s, input->shape, dims), &sizes, error));
  set_indices(s, rank, step, zero, operands + 1);
  HLO_TRY(hlo_build(to, HLO_OP_DYNAMIC_SLICE, NULL, rank + 1, operands, 1, &sizes, out, error));
  return hlo_build(to, HLO_OP_RESHAPE, as, 1, out, 0, NULL, out, error);
}

static hlo_status write_slice(const scan *s, hlo_instruction *output, hlo_instruction *slice,
                              hlo_instruction *step, hlo_instruction *zero, hlo_instruction **out,
                              hlo_error *error) {
  hlo_instruction *operands[HLO_MAX_RANK + 2] = {output};
  int64_t dims[HLO_MAX_RANK];
  int32_t rank = output->shape->rank;
  hlo_computation *to = output->computation;
  HLO_TRY(
      hlo_build_reshape(to, slice, rank, slice_sizes(s, output->shape, dims), &operands[1], error));
  set_indices(s, rank, step, zero, operands + 2);
  return hlo_build(to, HLO_OP_DYNAMIC_UPDATE_SLICE, output->shape, rank + 2, operands, 0, NULL, out,
                   error);
}

static hlo_status call_function(const scan *s, hlo_computation *to, hlo_instruction *place,
                                hlo_instruction *zero, hlo_instruction **out, hlo_error *error) {
  hlo_computation *function = hlo_get_computation(s->x, HLO_ATTRIBUTE_TO_APPLY);
  hlo_instruction **operands;
  hlo_attribute callee;
  int32_t first_carry = FIRST_INPUT + s->inputs + s->outputs;
  HLO_ALLOC(operands, &s->module->arena, s->x->operand_count, error);
  for (int32_t k = 0; k < s->x->operand_count; k++) {
    const hlo_shape *shape = function->parameters[k]->shape;
    if (k < s->inputs)
      HLO_TRY(read_slice(s, s->values[FIRST_INPUT + k], place, zero, shape, &operands[k], error));
    else HLO_TRY(make_like(s->values[first_carry + k - s->inputs], shape, &operands[k], error));
  }
  HLO_TRY(hlo_attribute_make_computation(&s->module->arena, HLO_ATTRIBUTE_TO_APPLY, function,
                                         &callee, error));
  return hlo_build(to, HLO_OP_CALL, NULL, s->x->operand_count, operands, 1, &callee, out, error);
}

static hlo_status make_body(scan *s, hlo_computation **out, hlo_error *error) {
  hlo_instruction *zero, *one, *place, *call, *result, *root;
  HLO_TRY(begin(s, "scan_body", out, error));
  HLO_TRY(make_integer(*out, 0, &zero, error));
  HLO_TRY(make_integer(*out, 1, &one, error));
  place = s->values[STEP];
  hlo_instruction *sum[] = {s->values[STEP], one};
  if (hlo_get_int(s->x, HLO_ATTRIBUTE_IS_REVERSE, 0) != 0) {
    hlo_instruction *difference[] = {NULL, place};
    HLO_TRY(make_integer(*out, s->size - 1, &difference[0], error));
    HLO_TRY(hlo_build(*out, HLO_OP_SUBTRACT, NULL, 2, difference, 0, NULL, &place, error));
  }
  HLO_TRY(call_function(s, *out, place, zero, &call, error));
  HLO_TRY(hlo_build(*out, HLO_OP_ADD, NULL, 2, sum, 0, NULL, &s->values[STEP], error));
  for (int32_t i = 0; i < s->outputs + s->carries; i++) {
    hlo_instruction **value = &s->values[FIRST_INPUT + s->inputs + i];
    result = call;
    if (hlo_shape_is_tuple(call->shape)) HLO_TRY(take_element(call, i, &result, error));
    if (i < s->outputs) HLO_TRY(write_slice(s, *value, result, place, zero, value, error));
    else HLO_TRY(make_like(result, (*value)->shape, value, error));
  }
  HLO_TRY(hlo_build(*out, HLO_OP_TUPLE, NULL, s->count, s->values, 0, NULL, &root, error));
  return hlo_build_finish(*out, root, error);
}

static const hlo_shape *result_shape(const hlo_instruction *x, int32_t index) {
  return hlo_shape_is_tuple(x->shape) ? x->shape->elements[index] : x->shape;
}

// What the loop starts from; *out: as a tuple.
static hlo_status make_start(scan *s, hlo_computation *to, hlo_instruction **out,
                             hlo_error *error) {
  hlo_instruction *const *operands = s->x->operands;
  HLO_TRY(make_integer(to, 0, &s->values[STEP], error));
  for (int32_t k = 0; k < s->inputs; k++) s->values[FIRST_INPUT + k] = operands[k];
  for (int32_t i = 0; i < s->outputs; i++)
    HLO_TRY(
        make_zeros(s, to, result_shape(s->x, i), &s->values[FIRST_INPUT + s->inputs + i], error));
  for (int32_t i = 0; i < s->carries; i++)
    s->values[s->count - s->carries + i] = operands[s->inputs + i];
  return hlo_build(to, HLO_OP_TUPLE, NULL, s->count, s->values, 0, NULL, out, error);
}

static hlo_status make_loop(scan *s, hlo_instruction *start, hlo_instruction **out,
                            hlo_error *error) {
  hlo_computation *condition, *body;
  hlo_attribute attributes[2];
  s->state = start->shape;
  HLO_TRY(make_condition(s, &condition, error));
  HLO_TRY(make_body(s, &body, error));
  HLO_TRY(hlo_attribute_make_computation(&s->module->arena, HLO_ATTRIBUTE_CONDITION, condition,
                                         &attributes[0], error));
  HLO_TRY(hlo_attribute_make_computation(&s->module->arena, HLO_ATTRIBUTE_BODY, body,
                                         &attributes[1], error));
  return hlo_build(start->computation, HLO_OP_WHILE, NULL, 1, &start, 2, attributes, out, error);
}

static hlo_status expand_scan(void *context, hlo_instruction *x, hlo_instruction **replacement,
                              hlo_error *error) {
  (void)context;
  if (x->opcode != HLO_OP_SCAN) return HLO_OK;
  int32_t results = hlo_shape_is_tuple(x->shape) ? x->shape->element_count : 1, ignored;
  scan s = {.x = x, .module = x->computation->module};
  s.dimension = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &ignored)[0];
  s.carries = (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_NUM_CARRIES, 0);
  s.inputs = x->operand_count - s.carries;
  s.outputs = results - s.carries;
  s.count = FIRST_INPUT + s.inputs + results;
  s.size = (s.inputs > 0 ? x->operands[0]->shape : result_shape(x, 0))->dims[s.dimension];
  hlo_instruction *loop, **values;
  HLO_ALLOC(s.values, &s.module->arena, s.count, error);
  HLO_ALLOC(values, &s.module->arena, results, error);
  HLO_TRY(make_start(&s, x->computation, &loop, error));
  if (s.size > 0) HLO_TRY(make_loop(&s, loop, &loop, error));
  for (int32_t i = 0; i < results; i++) {
    HLO_TRY(take_element(loop, FIRST_INPUT + s.inputs + i, &values[i], error));
    HLO_TRY(make_like(values[i], result_shape(x, i), &values[i], error));
  }
  *replacement = values[0];
  if (!hlo_shape_is_tuple(x->shape)) return HLO_OK;
  return hlo_build(x->computation, HLO_OP_TUPLE, x->shape, results, values, 0, NULL, replacement,
                   error);
}

hlo_status hlo_pass_scan(hlo_module *module, hlo_error *error) {
  HLO_TRY(hlo_module_rewrite(module, expand_scan, NULL, error));
  return hlo_module_remove_dead(module, error); // puts the loops' computations before their callers
}
