// Values whose sizes are known only at run time: an instruction is the static one that it is at the
// sizes of its operands (hlo/analysis/actual_sizes.h), over views cut to them. Source of semantics:
// "SetDimensionSize" and "DynamicReshape" of the operation semantics.
#include "hlo/analysis/actual_sizes.h"
#include "reference/operation.h"
#include "reference/values.h"

// The shape at the sizes of now.
static hlo_status shape_now(const hlo_reference *reference, const hlo_value *value,
                            const hlo_shape **out, hlo_error *error) {
  hlo_view view;
  hlo_value_view(value, &view);
  return hlo_shape_make_dynamic(reference->arena, view.type, view.rank, view.dims, value->dynamic,
                                out, error);
}

// Memory for a result of the stated shape `bound` at the sizes of `now`.
static hlo_status create_result(const hlo_reference *reference, const hlo_instruction *x,
                                const hlo_shape *bound, const hlo_shape *now, hlo_value *out,
                                hlo_error *error) {
  bool dynamic[HLO_MAX_RANK], any = false, fits = now->rank == bound->rank;
  for (int32_t d = 0; fits && d < now->rank; d++) {
    dynamic[d] = now->dims[d] != bound->dims[d] || (now->dynamic != NULL && now->dynamic[d]);
    any = any || dynamic[d];
    fits = now->dims[d] <= bound->dims[d];
  }
  if (!fits) {
    char text[HLO_SHAPE_TEXT_SIZE], most[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(x, HLO_RUNTIME_ERROR, error,
                                "the result has shape %s now, which %s does not hold",
                                hlo_shape_to_text(text, now), hlo_shape_to_text(most, bound));
  }
  HLO_TRY(hlo_value_create(reference->arena, bound, out, error));
  return any ? hlo_value_set_sizes(reference->arena, out, now->dims, dynamic, error) : HLO_OK;
}

static hlo_status read_size(const hlo_instruction *x, const hlo_value *operand, int32_t dimension,
                            int64_t bound, int64_t *out, hlo_error *error) {
  *out = hlo_integer_of(hlo_element_get(operand->shape->type, operand->data));
  if (*out >= 0 && *out <= bound) return HLO_OK;
  return hlo_instruction_fail(x, HLO_RUNTIME_ERROR, error,
                              "the size %lld of dimension %d is not between 0 and its bound, %lld",
                              (long long)*out, (int)dimension, (long long)bound);
}

// SetDimensionSize: the operand with another size along a dimension. All of its memory stays, so
// that a larger size shows again what a smaller one hid.
static hlo_status set_dimension_size(const hlo_reference *reference, const hlo_instruction *x,
                                     const hlo_value *operands, hlo_value *result,
                                     hlo_error *error) {
  int64_t d = hlo_int_list_of(x, HLO_ATTRIBUTE_DIMENSIONS).ints[0];
  bool dynamic[HLO_MAX_RANK];
  hlo_view now;
  hlo_value_view(&operands[0], &now);
  for (int32_t i = 0; i < now.rank; i++)
    dynamic[i] = i == d || (operands[0].dynamic != NULL && operands[0].dynamic[i]);
  HLO_TRY(read_size(x, &operands[1], (int32_t)d, operands[0].shape->dims[d], &now.dims[d], error));
  hlo_value whole = {.shape = operands[0].shape, .data = operands[0].data};
  HLO_TRY(hlo_value_copy(reference->arena, &whole, x->shape, result, error));
  return hlo_value_set_sizes(reference->arena, result, now.dims, dynamic, error);
}

// DynamicReshape: the elements in row-major order, in the sizes that the other operands say.
static hlo_status dynamic_reshape(const hlo_reference *reference, const hlo_instruction *x,
                                  const hlo_value *operands, hlo_value *result, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  const hlo_shape *now;
  for (int32_t d = 0; d < x->shape->rank; d++) {
    bool is_dynamic = x->shape->dynamic != NULL && x->shape->dynamic[d];
    HLO_TRY(read_size(x, &operands[d + 1], d, x->shape->dims[d], &dims[d], error));
    if (is_dynamic || dims[d] == x->shape->dims[d]) continue;
    return hlo_instruction_fail(x, HLO_RUNTIME_ERROR, error,
                                "the size of the static dimension %d is %lld, not %lld", (int)d,
                                (long long)x->shape->dims[d], (long long)dims[d]);
  }
  HLO_TRY(hlo_shape_make_dynamic(reference->arena, x->shape->type, x->shape->rank, dims,
                                 x->shape->dynamic, &now, error));
  hlo_view from, to;
  hlo_value_view(&operands[0], &from);
  if (hlo_view_elements(&from) != hlo_shape_elements(now)) {
    char text[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(x, HLO_RUNTIME_ERROR, error,
                                "the operand has %lld elements now: they do not make %s",
                                (long long)hlo_view_elements(&from), hlo_shape_to_text(text, now));
  }
  HLO_TRY(create_result(reference, x, x->shape, now, result, error));
  hlo_value_view(result, &to);
  hlo_operation operation = {reference, x, &from, &to};
  return hlo_reference_reshape(&operation, error);
}

// Operations whose elements do not depend on where a dimension ends run on all of the memory, so
// that what lies beyond the sizes is XLA's too.
static bool runs_at_bounds(hlo_opcode opcode) {
  return (hlo_op_is_elementwise(opcode) && opcode != HLO_OP_MAP) || opcode == HLO_OP_TRANSPOSE ||
         opcode == HLO_OP_BROADCAST || opcode == HLO_OP_DYNAMIC_SLICE || opcode == HLO_OP_GATHER ||
         opcode == HLO_OP_BITCAST_CONVERT;
}

// A view of the value with the given dims, which its memory has.
static void view_with(const hlo_value *value, const int64_t *dims, hlo_view *out) {
  hlo_view_set(out, value->shape, value->data);
  for (int32_t d = 0; d < out->rank; d++) out->dims[d] = dims[d];
}

static hlo_status evaluate_at_sizes(const hlo_reference *reference, const hlo_instruction *x,
                                    const hlo_value *operands, hlo_value *result,
                                    hlo_error *error) {
  bool at_bounds = runs_at_bounds(x->opcode), is_tuple = hlo_shape_is_tuple(x->shape);
  bool updates = (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_UPDATES) != 0;
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  int32_t whole = at_bounds ? x->operand_count : updates ? leaves : 0; // operands left uncut
  const hlo_shape **shapes;
  const hlo_instruction *now;
  hlo_view *views;
  HLO_ALLOC(shapes, reference->arena, x->operand_count, error);
  HLO_ALLOC(views, reference->arena, x->operand_count + leaves, error);
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(shape_now(reference, &operands[k], &shapes[k], error));
  HLO_TRY(hlo_instruction_at_sizes(x, shapes, reference->arena, &now, error));
  for (int32_t k = 0; k < x->operand_count; k++)
    view_with(&operands[k], k < whole ? operands[k].shape->dims : now->operands[k]->shape->dims,
              &views[k]);
  *result = (hlo_value){.shape = x->shape};
  if (is_tuple) HLO_ALLOC(result->elements, reference->arena, leaves, error);
  for (int32_t i = 0; i < leaves; i++) {
    hlo_value *to = is_tuple ? &result->elements[i] : result;
    HLO_TRY(create_result(reference, x, hlo_shape_leaf(x->shape, i), hlo_shape_leaf(now->shape, i),
                          to, error));
    hlo_value_view(to, &views[x->operand_count + i]);
    if (whole > 0) view_with(to, to->shape->dims, &views[x->operand_count + i]);
  }
  return hlo_reference_evaluate(reference, at_bounds ? x : now, views, views + x->operand_count,
                                error);
}

hlo_status hlo_reference_evaluate_sized(const hlo_reference *reference, const hlo_instruction *x,
                                        const hlo_value *operands, hlo_value *result,
                                        hlo_error *error) {
  if (x->opcode == HLO_OP_SET_DIMENSION_SIZE)
    return set_dimension_size(reference, x, operands, result, error);
  if (x->opcode == HLO_OP_DYNAMIC_RESHAPE)
    return dynamic_reshape(reference, x, operands, result, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (hlo_shape_is_array(operands[k].shape)) continue;
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                                "does not take values whose sizes are known only at run time");
  }
  return evaluate_at_sizes(reference, x, operands, result, error);
}
