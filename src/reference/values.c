// Values: memory for them, copies, and other layouts.
#include "reference/values.h"

static hlo_status create_array(hlo_arena *arena, hlo_value *out, hlo_error *error) {
  HLO_TRY(hlo_shape_unpacked(arena, out->shape, &out->shape, error));
  out->data = hlo_arena_array(arena, (size_t)hlo_shape_bytes(out->shape), 1);
  if (out->data == NULL) return hlo_fail_out_of_memory(error);
  return hlo_fill_padding(out->shape, out->data, error);
}

hlo_status hlo_value_create(hlo_arena *arena, const hlo_shape *shape, hlo_value *out,
                            hlo_error *error) {
  *out = (hlo_value){.shape = shape};
  if (hlo_shape_is_array(shape)) return create_array(arena, out, error);
  HLO_ALLOC(out->elements, arena, shape->element_count, error);
  for (int32_t i = 0; i < shape->element_count; i++)
    HLO_TRY(hlo_value_create(arena, shape->elements[i], &out->elements[i], error));
  return HLO_OK;
}

void hlo_value_view(const hlo_value *value, hlo_view *out) {
  hlo_view_set(out, value->shape, value->data);
  for (int32_t d = 0; value->sizes != NULL && d < out->rank; d++) out->dims[d] = value->sizes[d];
}

hlo_status hlo_value_set_sizes(hlo_arena *arena, hlo_value *value, const int64_t *sizes,
                               const bool *dynamic, hlo_error *error) {
  int64_t *own_sizes;
  bool *own_dynamic;
  HLO_ALLOC(own_sizes, arena, value->shape->rank, error);
  HLO_ALLOC(own_dynamic, arena, value->shape->rank, error);
  for (int32_t d = 0; d < value->shape->rank; d++) {
    own_sizes[d] = sizes[d];
    own_dynamic[d] = dynamic != NULL && dynamic[d];
  }
  value->sizes = own_sizes;
  value->dynamic = own_dynamic;
  return HLO_OK;
}

static hlo_status copy_array(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                             hlo_value *out, hlo_error *error) {
  hlo_view from, to;
  hlo_value_view(value, &from);
  HLO_TRY(hlo_value_create(arena, shape, out, error));
  const bool *dynamic = value->sizes != NULL ? value->dynamic : shape->dynamic;
  if (dynamic != NULL) HLO_TRY(hlo_value_set_sizes(arena, out, from.dims, dynamic, error));
  hlo_value_view(out, &to);
  bool is_whole = hlo_shape_same_dimensions(out->shape, value->shape);
  if (is_whole) { // with what lies beyond the sizes, which a larger size may show again
    hlo_view_set(&from, value->shape, value->data);
    hlo_view_set(&to, out->shape, out->data);
  }
  hlo_reference_copy(&to, &from);
  return HLO_OK;
}

// The value in the shape's layout; may_share: in the memory that it has, where that will do.
static hlo_status lay_out(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                          bool may_share, hlo_value *out, hlo_error *error) {
  *out = *value;
  if (hlo_shape_is_array(shape)) {
    bool fits = hlo_shape_same_order(value->shape, shape) &&
                (shape->dynamic == NULL || value->sizes != NULL);
    return may_share && fits ? HLO_OK : copy_array(arena, value, shape, out, error);
  }
  out->shape = shape;
  HLO_ALLOC(out->elements, arena, shape->element_count, error);
  for (int32_t i = 0; i < shape->element_count; i++)
    HLO_TRY(lay_out(arena, &value->elements[i], shape->elements[i], may_share, &out->elements[i],
                    error));
  return HLO_OK;
}

hlo_status hlo_value_copy(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                          hlo_value *out, hlo_error *error) {
  return lay_out(arena, value, shape, false, out, error);
}

hlo_status hlo_value_as(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                        hlo_value *out, hlo_error *error) {
  return lay_out(arena, value, shape, true, out, error);
}

// The literal's own memory: nobody writes to a value.
hlo_status hlo_value_of_literal(hlo_arena *arena, const hlo_literal *literal, hlo_value *out,
                                hlo_error *error) {
  *out = (hlo_value){.shape = literal->shape, .data = literal->data};
  if (hlo_shape_is_array(literal->shape))
    return hlo_shape_unpacked(arena, literal->shape, &out->shape, error);
  HLO_ALLOC(out->elements, arena, literal->shape->element_count, error);
  for (int32_t i = 0; i < literal->shape->element_count; i++)
    HLO_TRY(hlo_value_of_literal(arena, &literal->elements[i], &out->elements[i], error));
  return HLO_OK;
}

int32_t hlo_value_views(const hlo_value *value, hlo_view *out) {
  int32_t count = 0;
  if (!hlo_shape_is_tuple(value->shape)) {
    if (out == NULL) return 1;
    out->type = value->shape->type, out->rank = 0, out->data = NULL;
    if (hlo_shape_is_array(value->shape)) hlo_value_view(value, out);
    return 1;
  }
  for (int32_t i = 0; i < value->shape->element_count; i++)
    count += hlo_value_views(&value->elements[i], out == NULL ? NULL : out + count);
  return count;
}

hlo_status hlo_value_operation_begin(const hlo_value_operation *x, int32_t *operands,
                                     int32_t *results, hlo_view **views, hlo_error *error) {
  hlo_arena *arena = x->reference->arena;
  HLO_TRY(hlo_value_create(arena, x->instruction->shape, x->result, error));
  *operands = 0;
  for (int32_t k = 0; k < x->instruction->operand_count; k++)
    *operands += hlo_value_views(&x->operands[k], NULL);
  *results = hlo_value_views(x->result, NULL);
  HLO_ALLOC(*views, arena, *operands + *results, error);
  hlo_view *next = *views;
  for (int32_t k = 0; k < x->instruction->operand_count; k++)
    next += hlo_value_views(&x->operands[k], next);
  hlo_value_views(x->result, next);
  return HLO_OK;
}

hlo_status hlo_value_operation_end(const hlo_value_operation *x, const hlo_value *value,
                                   hlo_error *error) {
  return hlo_value_as(x->reference->arena, value, x->instruction->shape, x->result, error);
}
