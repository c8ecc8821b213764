// Scan. Source of semantics: the documentation of chlo.scan.
#include "reference/values.h"

typedef struct scan {
  const hlo_value_operation *x;
  const hlo_computation *body;
  int64_t dimension, steps;
  int32_t inputs, outputs, carries;
  hlo_value *carried, *results;
} scan;

// The slice of an array at a position along a dimension, which it lacks.
static hlo_view slice_of(const hlo_value *value, int64_t dimension, int64_t position) {
  hlo_view out;
  hlo_value_view(value, &out);
  out.data = (char *)out.data + position * out.strides[dimension] * hlo_type_bytes(out.type);
  out.rank--;
  for (int32_t d = (int32_t)dimension; d < out.rank; d++) {
    out.dims[d] = out.dims[d + 1];
    out.strides[d] = out.strides[d + 1];
  }
  return out;
}

// Dynamic sizes of an output: as many slices as there are steps, as large as all slices are (NULL:
// there are none).
static hlo_status set_output_sizes(const scan *s, const hlo_view *slice, hlo_value *output,
                                   hlo_error *error) {
  const hlo_shape *shape = output->shape;
  int64_t sizes[HLO_MAX_RANK];
  if (shape->dynamic == NULL) return HLO_OK;
  for (int32_t d = 0, from = 0; d < shape->rank; d++) {
    bool is_slice = d != s->dimension;
    sizes[d] = !shape->dynamic[d] ? shape->dims[d] : is_slice ? 0 : s->steps;
    if (!is_slice || slice == NULL) continue;
    sizes[d] = slice->dims[from++];
    if (output->sizes == NULL || sizes[d] == output->sizes[d]) continue;
    return hlo_instruction_fail(
        s->x->instruction, HLO_RUNTIME_ERROR, error,
        "an output has %lld elements along dimension %d, in earlier steps %lld",
        (long long)sizes[d], (int)d, (long long)output->sizes[d]);
  }
  return hlo_value_set_sizes(s->x->reference->arena, output, sizes, shape->dynamic, error);
}

// A copy of the slice of an input, for the body.
static hlo_status copy_slice(const scan *s, int32_t k, int64_t step, hlo_value *out,
                             hlo_error *error) {
  const hlo_shape *shape = s->body->parameters[k]->shape;
  hlo_arena *arena = s->x->reference->arena;
  hlo_view slice = slice_of(&s->x->operands[k], s->dimension, step), to;
  HLO_TRY(hlo_value_create(arena, shape, out, error));
  if (shape->dynamic != NULL)
    HLO_TRY(hlo_value_set_sizes(arena, out, slice.dims, shape->dynamic, error));
  hlo_value_view(out, &to);
  hlo_reference_copy(&to, &slice);
  return HLO_OK;
}

// One step: the arguments are slices of the inputs and the carried values, which the body's last
// results replace; its first results become slices of the outputs.
static hlo_status run_step(const scan *s, int64_t step, hlo_error *error) {
  hlo_value *arguments, outcome, *leaves = &outcome;
  HLO_ALLOC(arguments, s->x->reference->arena, s->inputs + s->carries, error);
  for (int32_t k = 0; k < s->inputs; k++) HLO_TRY(copy_slice(s, k, step, &arguments[k], error));
  for (int32_t k = 0; k < s->carries; k++) arguments[s->inputs + k] = s->carried[k];
  HLO_TRY(hlo_reference_run(s->x->reference, s->body, arguments, &outcome, error));
  if (hlo_shape_is_tuple(outcome.shape)) leaves = outcome.elements;
  for (int32_t k = 0; k < s->outputs; k++) {
    hlo_view slice = slice_of(&s->results[k], s->dimension, step), from;
    hlo_value_view(&leaves[k], &from);
    hlo_reference_copy(&slice, &from);
    HLO_TRY(set_output_sizes(s, &from, &s->results[k], error));
  }
  for (int32_t k = 0; k < s->carries; k++) s->carried[k] = leaves[s->outputs + k];
  return HLO_OK;
}

// As many as the inputs are long: those whose sizes are known only now say it. Without inputs, the
// outputs.
static hlo_status count_steps(scan *s, hlo_error *error) {
  bool is_sized = false;
  const hlo_value *first = s->inputs > 0 ? s->x->operands : s->results;
  s->steps = s->inputs + s->outputs > 0 ? first->shape->dims[s->dimension] : 0;
  for (int32_t k = 0; k < s->inputs; k++) {
    const hlo_value *input = &s->x->operands[k];
    if (input->sizes == NULL || !input->dynamic[s->dimension]) continue;
    int64_t size = input->sizes[s->dimension];
    if (is_sized && size != s->steps)
      return hlo_instruction_fail(s->x->instruction, HLO_RUNTIME_ERROR, error,
                                  "inputs have %lld and %lld elements now", (long long)s->steps,
                                  (long long)size);
    is_sized = true;
    s->steps = size;
  }
  return HLO_OK;
}

// Scan: the body goes through slices of the inputs along a dimension, from the first on or from the
// last, and hands values on from step to step.
hlo_status hlo_reference_scan(const hlo_value_operation *x, hlo_error *error) {
  const hlo_instruction *instruction = x->instruction;
  const hlo_shape *shape = instruction->shape;
  bool is_reverse = hlo_get_int(instruction, HLO_ATTRIBUTE_IS_REVERSE, 0) != 0;
  int32_t carries = (int32_t)hlo_get_int(instruction, HLO_ATTRIBUTE_NUM_CARRIES, 0);
  HLO_TRY(hlo_value_create(x->reference->arena, shape, x->result, error));
  scan s = {.x = x,
            .body = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY),
            .dimension = hlo_int_list_of(instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0],
            .inputs = instruction->operand_count - carries,
            .outputs = (hlo_shape_is_tuple(shape) ? shape->element_count : 1) - carries,
            .carries = carries,
            .results = hlo_shape_is_tuple(shape) ? x->result->elements : x->result};
  HLO_TRY(count_steps(&s, error));
  HLO_ALLOC(s.carried, x->reference->arena, carries, error);
  for (int32_t k = 0; k < carries; k++) s.carried[k] = x->operands[s.inputs + k];
  for (int64_t i = 0; i < s.steps; i++)
    HLO_TRY(run_step(&s, is_reverse ? s.steps - 1 - i : i, error));
  for (int32_t k = 0; k < s.outputs && s.steps == 0; k++)
    HLO_TRY(set_output_sizes(&s, NULL, &s.results[k], error));
  for (int32_t k = 0; k < carries; k++) {
    hlo_value *to = &s.results[s.outputs + k];
    HLO_TRY(hlo_value_as(x->reference->arena, &s.carried[k], to->shape, to, error));
  }
  return HLO_OK;
}
