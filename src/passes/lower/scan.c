// Lowers scans to loops: no scan is left for the executor. See passes.h.
#include "hlo/builder.h"
#include "hlo/infer/constraint.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "shape/literal.h"

// One scan. The loop's state is a tuple: the step's number, inputs, outputs, carried values, and
// the sizes that slices of outputs had, as s32, for each dimension in which those are dynamic.
typedef struct scan {
  const hlo_instruction *x;
  hlo_module *module;
  int64_t dimension, size;
  int32_t inputs, outputs, carries, sizes, count; // count: of the state's elements
  int32_t sized_input;      // whose actual size is the number of steps; -1: none, `size` is
  hlo_instruction **values; // of the state, in the computation being made
  const hlo_shape *state;
} scan;

enum { STEP, FIRST_INPUT };

static hlo_status build_integer(hlo_computation *to, int64_t value, hlo_instruction **out,
                                hlo_error *error) {
  int32_t element = (int32_t)value;
  hlo_literal literal = {.shape = hlo_shape_scalar(HLO_S32), .data = &element};
  return hlo_build_constant(to, &literal, out, error);
}

// y in the layout of the shape.
static hlo_status build_like(hlo_instruction *y, const hlo_shape *shape, hlo_instruction **out,
                             hlo_error *error) {
  *out = y;
  if (hlo_shape_equal(y->shape, shape)) return HLO_OK;
  return hlo_build(y->computation, HLO_OP_COPY, shape, 1, &y, 0, NULL, out, error);
}

static hlo_status build_zeros(const scan *s, hlo_computation *to, const hlo_shape *shape,
                              hlo_instruction **out, hlo_error *error) {
  char element[16] = {0};
  hlo_literal literal = {.shape = hlo_shape_scalar(shape->type), .data = element};
  hlo_attribute none;
  HLO_TRY(hlo_build_constant(to, &literal, out, error));
  HLO_TRY(
      hlo_attribute_make_ints(&s->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 0, NULL, &none, error));
  if (hlo_shape_is_dynamic(shape)) // sizes come when the loop is done
    HLO_TRY(
        hlo_shape_make(&s->module->arena, shape->type, shape->rank, shape->dims, &shape, error));
  return hlo_build(to, HLO_OP_BROADCAST, shape, 1, out, 1, &none, out, error);
}

static hlo_status build_element(hlo_instruction *tuple, int64_t index, hlo_instruction **out,
                                hlo_error *error) {
  hlo_attribute attribute = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, index);
  return hlo_build(tuple->computation, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &tuple, 1, &attribute,
                   out, error);
}

// A computation of the state, whose elements become s->values.
static hlo_status begin(scan *s, const char *name, hlo_computation **out, hlo_error *error) {
  hlo_instruction *state;
  HLO_TRY(hlo_computation_create(s->module, name, out, error));
  HLO_TRY(hlo_build_parameter(*out, 0, s->state, "state", &state, error));
  for (int32_t i = 0; i < s->count; i++) HLO_TRY(build_element(state, i, &s->values[i], error));
  return HLO_OK;
}

static hlo_status size_of(hlo_instruction *array, int64_t dimension, hlo_instruction **out,
                          hlo_error *error) {
  hlo_attribute attribute;
  hlo_computation *to = array->computation;
  HLO_TRY(hlo_attribute_make_ints(&to->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension,
                                  &attribute, error));
  return hlo_build(to, HLO_OP_GET_DIMENSION_SIZE, NULL, 1, &array, 1, &attribute, out, error);
}

static hlo_status set_size(const hlo_shape *shape, int64_t dimension, hlo_instruction *size,
                           hlo_instruction **x, hlo_error *error) {
  hlo_attribute attribute;
  hlo_computation *to = size->computation;
  hlo_instruction *operands[] = {*x, size};
  HLO_TRY(hlo_attribute_make_ints(&to->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension,
                                  &attribute, error));
  return hlo_build(to, HLO_OP_SET_DIMENSION_SIZE, shape, 2, operands, 1, &attribute, x, error);
}

static hlo_status compare(hlo_instruction *a, const char *direction, hlo_instruction *b,
                          hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[] = {a, b};
  hlo_attribute attribute = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, direction);
  return hlo_build(a->computation, HLO_OP_COMPARE, NULL, 2, operands, 1, &attribute, out, error);
}

// operands: a condition, and the scalars that the message names as {0}, {1}, …
static hlo_status assert_at_run(const scan *s, const char *quoted, int32_t count,
                                hlo_instruction *const *operands, hlo_error *error) {
  const hlo_attribute attributes[] = {
      hlo_attribute_make_text(HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, "shape_assertion"),
      hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1),
      hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, quoted)};
  hlo_instruction *call;
  const hlo_shape *nothing;
  HLO_TRY(hlo_shape_make_tuple(&s->module->arena, 0, NULL, &nothing, error));
  HLO_TRY(hlo_build(operands[0]->computation, HLO_OP_CUSTOM_CALL, nothing, count, operands, 3,
                    attributes, &call, error));
  call->line = s->x->line;
  call->column = s->x->column;
  return HLO_OK;
}

// The number of steps, in a computation of the state.
static hlo_status number_of_steps(const scan *s, hlo_computation *to, hlo_instruction **out,
                                  hlo_error *error) {
  if (s->sized_input < 0) return build_integer(to, s->size, out, error);
  return size_of(s->values[FIRST_INPUT + s->sized_input], s->dimension, out, error);
}

static hlo_status build_condition(scan *s, hlo_computation **out, hlo_error *error) {
  hlo_instruction *steps, *root;
  HLO_TRY(begin(s, "scan_condition", out, error));
  HLO_TRY(number_of_steps(s, *out, &steps, error));
  HLO_TRY(compare(s->values[STEP], "LT", steps, &root, error));
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
  bool dynamic[HLO_MAX_RANK] = {false};
  int32_t rank = output->shape->rank;
  const hlo_shape *shape;
  hlo_computation *to = output->computation;
  for (int32_t d = 0, from = 0; d < rank; d++)
    if (d != s->dimension) dynamic[d] = hlo_shape_is_dynamic_in(slice->shape, from++);
  HLO_TRY(hlo_shape_make_dynamic(&s->module->arena, output->shape->type, rank,
                                 slice_sizes(s, output->shape, dims), dynamic, &shape, error));
  HLO_TRY(hlo_build(to, HLO_OP_RESHAPE, shape, 1, &slice, 0, NULL, &operands[1], error));
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
    else HLO_TRY(build_like(s->values[first_carry + k - s->inputs], shape, &operands[k], error));
  }
  HLO_TRY(hlo_attribute_make_computation(&s->module->arena, HLO_ATTRIBUTE_TO_APPLY, function,
                                         &callee, error));
  return hlo_build(to, HLO_OP_CALL, NULL, s->x->operand_count, operands, 1, &callee, out, error);
}

// Slices of an output must have the same size at every step. value: the index of that size in the
// state, which is set to the slice's.
static hlo_status keep_size(const scan *s, hlo_instruction *slice, int64_t from, int64_t d,
                            hlo_instruction *zero, hlo_instruction **value, hlo_error *error) {
  hlo_instruction *operands[4], *is_first;
  HLO_TRY(size_of(slice, from, &operands[1], error));
  operands[3] = *value;
  HLO_TRY(compare(s->values[STEP], "EQ", zero, &is_first, error));
  HLO_TRY(compare(operands[1], "EQ", operands[3], &operands[0], error));
  hlo_instruction *either[] = {is_first, operands[0]};
  HLO_TRY(hlo_build(slice->computation, HLO_OP_OR, NULL, 2, either, 0, NULL, &operands[0], error));
  HLO_TRY(build_integer(slice->computation, d, &operands[2], error));
  *value = operands[1];
  return assert_at_run(s,
                       "\"an output has {0} elements along dimension {1}, in earlier steps {2}\"",
                       4, operands, error);
}

// The sizes of the slice that is output i, of which *next is the next one's place in the state.
static hlo_status keep_sizes(const scan *s, int32_t i, hlo_instruction *slice,
                             hlo_instruction *zero, int32_t *next, hlo_error *error) {
  const hlo_shape *shape = hlo_shape_element(s->x->shape, i);
  for (int32_t d = 0, from = 0; d < shape->rank; d++) {
    if (d == s->dimension) continue;
    if (hlo_shape_is_dynamic_in(shape, d))
      HLO_TRY(keep_size(s, slice, from, d, zero, &s->values[(*next)++], error));
    from++;
  }
  return HLO_OK;
}

static hlo_status build_body(scan *s, hlo_computation **out, hlo_error *error) {
  hlo_instruction *zero, *one, *place, *call, *result, *root;
  int32_t next_size = s->count - s->sizes;
  HLO_TRY(begin(s, "scan_body", out, error));
  HLO_TRY(build_integer(*out, 0, &zero, error));
  HLO_TRY(build_integer(*out, 1, &one, error));
  place = s->values[STEP];
  hlo_instruction *sum[] = {s->values[STEP], one};
  if (hlo_get_int(s->x, HLO_ATTRIBUTE_IS_REVERSE, 0) != 0) {
    hlo_instruction *difference[] = {NULL, sum[1]}, *last[] = {NULL, place};
    HLO_TRY(number_of_steps(s, *out, &difference[0], error));
    HLO_TRY(hlo_build(*out, HLO_OP_SUBTRACT, NULL, 2, difference, 0, NULL, &last[0], error));
    HLO_TRY(hlo_build(*out, HLO_OP_SUBTRACT, NULL, 2, last, 0, NULL, &place, error));
  }
  HLO_TRY(call_function(s, *out, place, zero, &call, error));
  for (int32_t i = 0; i < s->outputs + s->carries; i++) {
    hlo_instruction **value = &s->values[FIRST_INPUT + s->inputs + i];
    result = call;
    if (hlo_shape_is_tuple(call->shape)) HLO_TRY(build_element(call, i, &result, error));
    if (i < s->outputs) HLO_TRY(keep_sizes(s, i, result, zero, &next_size, error));
    if (i < s->outputs) HLO_TRY(write_slice(s, *value, result, place, zero, value, error));
    else HLO_TRY(build_like(result, (*value)->shape, value, error));
  }
  HLO_TRY(hlo_build(*out, HLO_OP_ADD, NULL, 2, sum, 0, NULL, &s->values[STEP], error));
  HLO_TRY(hlo_build(*out, HLO_OP_TUPLE, NULL, s->count, s->values, 0, NULL, &root, error));
  return hlo_build_finish(*out, root, error);
}

// *out: the initial state of the loop, a tuple.
static hlo_status build_start(scan *s, hlo_computation *to, hlo_instruction **out,
                              hlo_error *error) {
  hlo_instruction *const *operands = s->x->operands;
  HLO_TRY(build_integer(to, 0, &s->values[STEP], error));
  for (int32_t k = 0; k < s->inputs; k++) s->values[FIRST_INPUT + k] = operands[k];
  for (int32_t i = 0; i < s->outputs; i++)
    HLO_TRY(build_zeros(s, to, hlo_shape_element(s->x->shape, i),
                        &s->values[FIRST_INPUT + s->inputs + i], error));
  for (int32_t i = 0; i < s->carries; i++)
    s->values[FIRST_INPUT + s->inputs + s->outputs + i] = operands[s->inputs + i];
  for (int32_t i = s->count - s->sizes; i < s->count; i++) s->values[i] = s->values[STEP];
  return hlo_build(to, HLO_OP_TUPLE, NULL, s->count, s->values, 0, NULL, out, error);
}

static hlo_status build_loop(scan *s, hlo_instruction *start, hlo_instruction **out,
                             hlo_error *error) {
  hlo_computation *condition, *body;
  hlo_attribute attributes[2];
  s->state = start->shape;
  HLO_TRY(build_condition(s, &condition, error));
  HLO_TRY(build_body(s, &body, error));
  HLO_TRY(hlo_attribute_make_computation(&s->module->arena, HLO_ATTRIBUTE_CONDITION, condition,
                                         &attributes[0], error));
  HLO_TRY(hlo_attribute_make_computation(&s->module->arena, HLO_ATTRIBUTE_BODY, body,
                                         &attributes[1], error));
  return hlo_build(start->computation, HLO_OP_WHILE, NULL, 1, &start, 2, attributes, out, error);
}

// Checks that all inputs with dynamic size have the same size.
static hlo_status check_inputs(const scan *s, hlo_error *error) {
  hlo_instruction *operands[3];
  for (int32_t k = s->sized_input + 1; s->sized_input >= 0 && k < s->inputs; k++) {
    if (!hlo_shape_is_dynamic_in(s->x->operands[k]->shape, (int32_t)s->dimension)) continue;
    HLO_TRY(size_of(s->x->operands[s->sized_input], s->dimension, &operands[1], error));
    HLO_TRY(size_of(s->x->operands[k], s->dimension, &operands[2], error));
    HLO_TRY(compare(operands[1], "EQ", operands[2], &operands[0], error));
    HLO_TRY(assert_at_run(s, "\"inputs have {0} and {1} elements now\"", 3, operands, error));
  }
  return HLO_OK;
}

// Gives output i, which is at its bounds, its sizes.
static hlo_status set_sizes(const scan *s, hlo_instruction *loop, int32_t i, int32_t *next,
                            hlo_instruction **x, hlo_error *error) {
  const hlo_shape *shape = hlo_shape_element(s->x->shape, i);
  for (int32_t d = 0; d < shape->rank; d++) {
    hlo_instruction *size;
    if (!hlo_shape_is_dynamic_in(shape, d)) continue;
    if (d == s->dimension) HLO_TRY(size_of(s->x->operands[s->sized_input], d, &size, error));
    else HLO_TRY(build_element(loop, (*next)++, &size, error));
    HLO_TRY(set_size(shape, d, size, x, error));
  }
  return HLO_OK;
}

static int32_t find_dynamic_input(const scan *s) {
  for (int32_t k = 0; k < s->inputs; k++)
    if (hlo_shape_is_dynamic_in(s->x->operands[k]->shape, (int32_t)s->dimension)) return k;
  return -1;
}

static int32_t count_sizes(const scan *s) {
  int32_t count = 0;
  for (int32_t i = 0; i < s->outputs; i++) {
    const hlo_shape *shape = hlo_shape_element(s->x->shape, i);
    for (int32_t d = 0; d < shape->rank; d++)
      count += d != s->dimension && hlo_shape_is_dynamic_in(shape, d);
  }
  return count;
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
  s.sized_input = find_dynamic_input(&s);
  s.sizes = count_sizes(&s);
  s.count = FIRST_INPUT + s.inputs + results + s.sizes;
  s.size =
      (s.inputs > 0 ? x->operands[0]->shape : hlo_shape_element(x->shape, 0))->dims[s.dimension];
  if (s.size > INT32_MAX)
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error, "takes more than %d steps", INT32_MAX);
  hlo_instruction *loop, **values;
  HLO_ALLOC(s.values, &s.module->arena, s.count, error);
  HLO_ALLOC(values, &s.module->arena, results, error);
  int32_t next_size = s.count - s.sizes;
  HLO_TRY(check_inputs(&s, error));
  HLO_TRY(build_start(&s, x->computation, &loop, error));
  if (s.size > 0) HLO_TRY(build_loop(&s, loop, &loop, error));
  for (int32_t i = 0; i < results; i++) {
    HLO_TRY(build_element(loop, FIRST_INPUT + s.inputs + i, &values[i], error));
    if (i < s.outputs) HLO_TRY(set_sizes(&s, loop, i, &next_size, &values[i], error));
    HLO_TRY(build_like(values[i], hlo_shape_element(x->shape, i), &values[i], error));
  }
  *replacement = values[0];
  if (!hlo_shape_is_tuple(x->shape)) return HLO_OK;
  return hlo_build(x->computation, HLO_OP_TUPLE, x->shape, results, values, 0, NULL, replacement,
                   error);
}

hlo_status hlo_pass_scan(hlo_module *module, hlo_error *error) {
  HLO_TRY(hlo_module_rewrite(module, expand_scan, NULL, error));
  return hlo_module_remove_dead(module, error); // restores the order, callees first
}
