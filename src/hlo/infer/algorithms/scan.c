// Inference rule of scan: a computation that goes through arrays along a dimension, a slice at a
// time, and hands values on from step to step. Source: the documentation of chlo.scan, and what XLA
// accepts.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

typedef struct scan {
  const hlo_instruction *x;
  const hlo_computation *body;
  int64_t dimension, size; // that is gone through
  bool is_dynamic;         // the size is only a bound
  int32_t inputs, outputs, carries;
} scan;

static hlo_status read_counts(scan *s, hlo_error *error) {
  const hlo_instruction *x = s->x;
  int32_t count;
  int64_t carries = hlo_get_int(x, HLO_ATTRIBUTE_NUM_CARRIES, 0);
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_DIMENSIONS, 1, error));
  if (carries < 0 || carries > x->operand_count)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "num_carries must be from 0 to the number of operands, %d: %lld",
                                x->operand_count, (long long)carries);
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_TO_APPLY, s->body, x->operand_count, error));
  const hlo_shape *root = s->body->root->shape;
  int32_t results = hlo_shape_is_tuple(root) ? root->element_count : 1;
  s->dimension = dimensions[0];
  s->carries = (int32_t)carries;
  s->inputs = x->operand_count - s->carries;
  s->outputs = results - s->carries;
  if (s->outputs >= 0) return HLO_OK;
  return hlo_instruction_fail(
      x, HLO_SHAPE_ERROR, error,
      "to_apply must give outputs and then %d carried values, not %d values", s->carries, results);
}

static hlo_status unify_size(scan *s, const hlo_shape *shape, hlo_error *error) {
  if (s->size < 0) s->size = shape->dims[s->dimension];
  if (s->size == shape->dims[s->dimension]) return HLO_OK;
  return hlo_instruction_fail(
      s->x, HLO_SHAPE_ERROR, error, "the sizes of dimension %lld differ: %lld and %lld",
      (long long)s->dimension, (long long)s->size, (long long)shape->dims[s->dimension]);
}

static hlo_status check_input(scan *s, int32_t k, hlo_arena *arena, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(s->x, k), *slice;
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  int32_t rank = 0;
  HLO_TRY(hlo_require_dimension(s->x, HLO_ATTRIBUTE_DIMENSIONS, s->dimension, shape, error));
  HLO_TRY(unify_size(s, shape, error));
  s->is_dynamic |= hlo_shape_is_dynamic_in(shape, (int32_t)s->dimension);
  for (int32_t d = 0; d < shape->rank; d++) {
    if (d == s->dimension) continue;
    dynamic[rank] = hlo_shape_is_dynamic_in(shape, d);
    dims[rank++] = shape->dims[d];
  }
  HLO_TRY(hlo_result_shape(s->x, arena, shape->type, rank, dims, dynamic, &slice, error));
  return hlo_require_parameter(s->x, HLO_ATTRIBUTE_TO_APPLY, s->body, k, slice, error);
}

static hlo_status check_operands(scan *s, hlo_arena *arena, hlo_error *error) {
  for (int32_t k = 0; k < s->x->operand_count; k++) {
    HLO_TRY(hlo_require_array(s->x, k, HLO_CLASSES_ANY, error));
    if (k < s->inputs) HLO_TRY(check_input(s, k, arena, error));
    else
      HLO_TRY(hlo_require_parameter(s->x, HLO_ATTRIBUTE_TO_APPLY, s->body, k,
                                    hlo_operand_shape(s->x, k), error));
  }
  return HLO_OK;
}

// Without inputs the program states the size, in its outputs.
static hlo_status resolve_size(scan *s, const hlo_shape *declared, hlo_error *error) {
  const hlo_shape *output = declared;
  if (s->size >= 0) return HLO_OK;
  if (declared != NULL && hlo_shape_is_tuple(declared))
    output = declared->element_count > 0 ? declared->elements[0] : NULL;
  bool known = s->outputs > 0 && output != NULL && hlo_shape_is_array(output) &&
               s->dimension >= 0 && s->dimension < output->rank &&
               !hlo_shape_is_dynamic_in(output, (int32_t)s->dimension);
  if (known) return unify_size(s, output, error);
  return hlo_instruction_fail(s->x, HLO_SHAPE_ERROR, error,
                              "has no input, and no output of a stated size, that says how many "
                              "steps there are");
}

static hlo_status output_shape(const scan *s, const hlo_shape *slice, hlo_arena *arena,
                               const hlo_shape **out, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK + 1];
  bool dynamic[HLO_MAX_RANK + 1];
  if (!hlo_shape_is_array(slice) || s->dimension < 0 || s->dimension > slice->rank)
    return hlo_fail_about(s->x,
                          "to_apply must give arrays with the dimensions before the one that is "
                          "gone through",
                          slice, NULL, error);
  for (int32_t d = 0; d <= slice->rank; d++) {
    int32_t from = d < s->dimension ? d : d - 1;
    bool is_slice = d != s->dimension;
    dims[d] = is_slice ? slice->dims[from] : s->size;
    dynamic[d] = is_slice ? hlo_shape_is_dynamic_in(slice, from) : s->is_dynamic;
  }
  return hlo_result_shape(s->x, arena, slice->type, slice->rank + 1, dims, dynamic, out, error);
}

hlo_status hlo_infer_scan(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  scan s = {.x = x, .body = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY), .size = -1};
  const hlo_shape **results;
  HLO_TRY(read_counts(&s, error));
  HLO_TRY(check_operands(&s, arena, error));
  HLO_TRY(resolve_size(&s, declared, error));
  HLO_ALLOC(results, arena, s.outputs + s.carries, error);
  const hlo_shape *root = s.body->root->shape;
  for (int32_t i = 0; i < s.outputs; i++)
    HLO_TRY(output_shape(&s, hlo_shape_element(root, i), arena, &results[i], error));
  for (int32_t i = 0; i < s.carries; i++) {
    const hlo_shape *given = hlo_shape_element(root, s.outputs + i);
    results[s.outputs + i] = hlo_operand_shape(x, s.inputs + i);
    if (!hlo_shape_compatible(given, results[s.outputs + i]))
      return hlo_fail_about(x, "to_apply must give carried values of the shape that it takes",
                            given, results[s.outputs + i], error);
  }
  if (!hlo_shape_is_tuple(root)) {
    *out = results[0];
    return HLO_OK;
  }
  return hlo_shape_make_tuple(arena, s.outputs + s.carries, results, out, error);
}
