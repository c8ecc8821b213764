// Values whose sizes are known only at run time: an instruction is the static one that it is at the
// sizes of its operands (hlo/analysis/actual_sizes.h), over views cut to them. Source of semantics:
// "SetDimensionSize" and "DynamicReshape" of the operation semantics.
#include "hlo/analysis/actual_sizes.h"
#include "reference/values.h"

// Memory for a result of the stated shape `bound` at the sizes of `now`.
static hlo_status create_result(const hlo_value_operation *x, const hlo_shape *bound,
                                const hlo_shape *now, hlo_value *out, hlo_error *error) {
  bool dynamic[HLO_MAX_RANK], any = false, fits = now->rank == bound->rank;
  for (int32_t d = 0; fits && d < now->rank; d++) {
    dynamic[d] = now->dims[d] != bound->dims[d] || (now->dynamic != NULL && now->dynamic[d]);
    any = any || dynamic[d];
    fits = now->dims[d] <= bound->dims[d];
  }
  if (!fits) {
    char text[HLO_SHAPE_TEXT_SIZE], most[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(x->instruction, HLO_RUNTIME_ERROR, error,
                                "the result has shape %s now, which %s does not hold",
                                hlo_shape_to_text(text, now), hlo_shape_to_text(most, bound));
  }
  HLO_TRY(hlo_value_create(x->reference->arena, bound, out, error));
  return any ? hlo_value_set_sizes(x->reference->arena, out, now->dims, dynamic, error) : HLO_OK;
}

static hlo_status read_size(const hlo_value_operation *x, int32_t k, int32_t dimension,
                            int64_t bound, int64_t *out, hlo_error *error) {
  *out = hlo_integer_of(hlo_element_get(x->operands[k].shape->type, x->operands[k].data));
  if (*out >= 0 && *out <= bound) return HLO_OK;
  return hlo_instruction_fail(x->instruction, HLO_RUNTIME_ERROR, error,
                              "the size %lld of dimension %d is not between 0 and its bound, %lld",
                              (long long)*out, (int)dimension, (long long)bound);
}

// SetDimensionSize: the operand with another size along a dimension. All of its memory stays, so
// that a larger size shows again what a smaller one hid.
hlo_status hlo_reference_set_dimension_size(const hlo_value_operation *x, hlo_error *error) {
  const hlo_value *operand = x->operands;
  int64_t d = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0];
  bool dynamic[HLO_MAX_RANK];
  hlo_view now;
  hlo_value_view(operand, &now);
  for (int32_t i = 0; i < now.rank; i++)
    dynamic[i] = i == d || (operand->dynamic != NULL && operand->dynamic[i]);
  HLO_TRY(read_size(x, 1, (int32_t)d, operand->shape->dims[d], &now.dims[d], error));
  hlo_value whole = {.shape = operand->shape, .data = operand->data};
  HLO_TRY(hlo_value_copy(x->reference->arena, &whole, x->instruction->shape, x->result, error));
  return hlo_value_set_sizes(x->reference->arena, x->result, now.dims, dynamic, error);
}

// DynamicReshape: the elements in row-major order, in the sizes that the other operands say.
hlo_status hlo_reference_dynamic_reshape(const hlo_value_operation *x, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  const hlo_shape *shape = x->instruction->shape, *now;
  for (int32_t d = 0; d < shape->rank; d++) {
    bool is_dynamic = shape->dynamic != NULL && shape->dynamic[d];
    HLO_TRY(read_size(x, d + 1, d, shape->dims[d], &dims[d], error));
    if (is_dynamic || dims[d] == shape->dims[d]) continue;
    return hlo_instruction_fail(x->instruction, HLO_RUNTIME_ERROR, error,
                                "the size of the static dimension %d is %lld, not %lld", (int)d,
                                (long long)shape->dims[d], (long long)dims[d]);
  }
  HLO_TRY(hlo_shape_make_dynamic(x->reference->arena, shape->type, shape->rank, dims,
                                 shape->dynamic, &now, error));
  hlo_view from, to;
  hlo_value_view(&x->operands[0], &from);
  if (hlo_view_elements(&from) != hlo_shape_elements(now)) {
    char text[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(x->instruction, HLO_RUNTIME_ERROR, error,
                                "the operand has %lld elements now: they do not make %s",
                                (long long)hlo_view_elements(&from), hlo_shape_to_text(text, now));
  }
  HLO_TRY(create_result(x, shape, now, x->result, error));
  hlo_value_view(x->result, &to);
  hlo_operation operation = {x->reference, x->instruction, &from, &to};
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

hlo_status hlo_reference_evaluate_sized(const hlo_value_operation *x, hlo_error *error) {
  const hlo_instruction *bound = x->instruction, *now;
  hlo_arena *arena = x->reference->arena;
  int32_t leaves = hlo_shape_leaf_count(bound->shape), count = bound->operand_count;
  bool at_bounds = runs_at_bounds(bound->opcode), is_tuple = hlo_shape_is_tuple(bound->shape);
  bool updates = (hlo_op_get(bound->opcode)->properties & HLO_PROPERTY_UPDATES) != 0;
  int32_t whole = at_bounds ? count : updates ? leaves : 0; // operands left uncut
  const hlo_shape **shapes;
  hlo_view *views;
  HLO_ALLOC(shapes, arena, count, error);
  HLO_ALLOC(views, arena, count + leaves, error);
  for (int32_t k = 0; k < count; k++) {
    hlo_value_view(&x->operands[k], &views[k]);
    HLO_TRY(hlo_shape_make_dynamic(arena, views[k].type, views[k].rank, views[k].dims,
                                   x->operands[k].dynamic, &shapes[k], error));
  }
  HLO_TRY(hlo_instruction_at_sizes(bound, shapes, arena, &now, error));
  for (int32_t k = 0; k < count; k++) {
    const hlo_shape *shape = k < whole ? x->operands[k].shape : now->operands[k]->shape;
    view_with(&x->operands[k], shape->dims, &views[k]);
  }
  *x->result = (hlo_value){.shape = bound->shape};
  if (is_tuple) HLO_ALLOC(x->result->elements, arena, leaves, error);
  for (int32_t i = 0; i < leaves; i++) {
    hlo_value *to = is_tuple ? &x->result->elements[i] : x->result;
    HLO_TRY(create_result(x, hlo_shape_leaf(bound->shape, i), hlo_shape_leaf(now->shape, i), to,
                          error));
    hlo_value_view(to, &views[count + i]);
    if (whole > 0) view_with(to, to->shape->dims, &views[count + i]);
  }
  return hlo_reference_evaluate(x->reference, at_bounds ? bound : now, views, views + count, error);
}
