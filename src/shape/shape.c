// Creates, copies and validates shapes.
#include "shape/shape.h"

#include "base/checked.h"
#include "shape/layout.h"

#include <string.h>

static const hlo_shape scalars[HLO_TYPE_COUNT] = {
    {.type = HLO_TYPE_INVALID},
#define TYPE(id, name, mlir, class, bits, bytes) {.type = HLO_##id},
#include "shape/types.def"
#undef TYPE
};

const hlo_shape *hlo_shape_scalar(hlo_type type) {
  return &scalars[(unsigned)type < HLO_TYPE_COUNT ? type : HLO_TYPE_INVALID];
}

// Sizes of 0 count as 1: no product of some of the dimensions may overflow, whichever they are.
static hlo_status check_size(hlo_type type, int32_t rank, const int64_t *dims, const bool *dynamic,
                             hlo_error *error) {
  int64_t bytes = hlo_type_bytes(type);
  for (int32_t i = 0; i < rank; i++) {
    bool unbounded = dims[i] == HLO_UNBOUNDED && dynamic != NULL && dynamic[i];
    if (dims[i] < 0 && !unbounded) {
      return hlo_fail(error, HLO_SHAPE_ERROR, "dimension %d has the negative size %lld", (int)i,
                      (long long)dims[i]);
    }
    if (!hlo_checked_mul(bytes, dims[i] > 1 ? dims[i] : 1, &bytes)) {
      return hlo_fail(error, HLO_SHAPE_ERROR, "the array's size in bytes overflows 64 bits");
    }
  }
  return HLO_OK;
}

static hlo_status check_array(hlo_type type, int32_t rank, const int64_t *dims, const bool *dynamic,
                              hlo_error *error) {
  if ((unsigned)type >= HLO_TYPE_COUNT || type == HLO_TYPE_INVALID || type == HLO_TUPLE) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "%s is not the type of an array", hlo_type_name(type));
  }
  if (rank < 0 || rank > HLO_MAX_RANK) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "the rank is %d, the most supported is %d", (int)rank,
                    (int)HLO_MAX_RANK);
  }
  if (!hlo_type_is_array(type) && rank != 0) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "a %s has no dimensions", hlo_type_name(type));
  }
  return check_size(type, rank, dims, dynamic, error);
}

static bool any_dynamic(const hlo_shape *shape) {
  for (int32_t i = 0; shape->dynamic != NULL && i < shape->rank; i++) {
    if (shape->dynamic[i]) return true;
  }
  return false;
}

// A copy of an array, token or opaque with the type and layout given. Static marks are dropped.
static hlo_status copy_leaf(hlo_arena *arena, const hlo_shape *from, hlo_type type,
                            const hlo_layout *layout, hlo_shape **out, hlo_error *error) {
  hlo_shape *shape;
  HLO_ALLOC(shape, arena, 1, error);
  shape->type = type;
  shape->rank = from->rank;
  if (from->rank > 0) {
    size_t rank = (size_t)from->rank;
    int64_t *dims;
    HLO_ALLOC(dims, arena, rank, error);
    memcpy(dims, from->dims, rank * sizeof *dims);
    shape->dims = dims;
    if (any_dynamic(from)) {
      bool *dynamic;
      HLO_ALLOC(dynamic, arena, rank, error);
      memcpy(dynamic, from->dynamic, rank * sizeof *dynamic);
      shape->dynamic = dynamic;
    }
  }
  if (!hlo_layout_is_plain(layout)) {
    HLO_TRY(hlo_layout_copy(arena, layout, &shape->layout, error));
  }
  *out = shape;
  return HLO_OK;
}

hlo_status hlo_shape_make_dynamic(hlo_arena *arena, hlo_type type, int32_t rank,
                                  const int64_t *dims, const bool *dynamic, const hlo_shape **out,
                                  hlo_error *error) {
  HLO_TRY(check_array(type, rank, dims, dynamic, error));
  hlo_shape from = {.type = type, .rank = rank, .dims = dims, .dynamic = dynamic};
  hlo_shape *shape;
  HLO_TRY(copy_leaf(arena, &from, type, NULL, &shape, error));
  *out = shape;
  return HLO_OK;
}

hlo_status hlo_shape_make(hlo_arena *arena, hlo_type type, int32_t rank, const int64_t *dims,
                          const hlo_shape **out, hlo_error *error) {
  return hlo_shape_make_dynamic(arena, type, rank, dims, NULL, out, error);
}

// Adds the number of shapes in `shape`, itself included, to *count.
static hlo_status count_shapes(const hlo_shape *shape, int32_t depth, int32_t *count,
                               hlo_error *error) {
  if (depth > HLO_MAX_TUPLE_DEPTH) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "tuples nest more than %d levels deep",
                    (int)HLO_MAX_TUPLE_DEPTH);
  }
  if (++*count > HLO_MAX_TUPLE_SHAPES) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "a tuple holds more than %d shapes",
                    (int)HLO_MAX_TUPLE_SHAPES);
  }
  for (int32_t i = 0; i < shape->element_count; i++) {
    HLO_TRY(count_shapes(shape->elements[i], depth + 1, count, error));
  }
  return HLO_OK;
}

hlo_status hlo_shape_count_leaves(hlo_arena *arena, hlo_shape *tuple, hlo_error *error) {
  int32_t *ends, count = 0;
  HLO_ALLOC(ends, arena, tuple->element_count, error);
  for (int32_t i = 0; i < tuple->element_count; i++)
    ends[i] = count += hlo_shape_leaf_count(tuple->elements[i]);
  tuple->leaf_ends = ends;
  return HLO_OK;
}

static hlo_status copy_shape(hlo_arena *arena, const hlo_shape *from, const hlo_shape **out,
                             hlo_error *error) {
  hlo_shape *shape;
  if (!hlo_shape_is_tuple(from)) {
    HLO_TRY(copy_leaf(arena, from, from->type, from->layout, &shape, error));
  } else {
    const hlo_shape **elements;
    HLO_ALLOC(shape, arena, 1, error);
    HLO_ALLOC(elements, arena, from->element_count, error);
    shape->type = HLO_TUPLE;
    shape->element_count = from->element_count;
    shape->elements = elements;
    for (int32_t i = 0; i < from->element_count; i++) {
      HLO_TRY(copy_shape(arena, from->elements[i], &elements[i], error));
    }
    HLO_TRY(hlo_shape_count_leaves(arena, shape, error));
  }
  *out = shape;
  return HLO_OK;
}

hlo_status hlo_shape_copy(hlo_arena *arena, const hlo_shape *shape, const hlo_shape **out,
                          hlo_error *error) {
  int32_t count = 0;
  HLO_TRY(count_shapes(shape, 0, &count, error));
  return copy_shape(arena, shape, out, error);
}

hlo_status hlo_shape_make_tuple(hlo_arena *arena, int32_t count, const hlo_shape *const *elements,
                                const hlo_shape **out, hlo_error *error) {
  if (count < 0) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "a tuple of %d elements", (int)count);
  }
  hlo_shape tuple = {.type = HLO_TUPLE, .element_count = count, .elements = elements};
  return hlo_shape_copy(arena, &tuple, out, error);
}

hlo_status hlo_shape_with_layout(hlo_arena *arena, const hlo_shape *shape, const hlo_layout *layout,
                                 const hlo_shape **out, hlo_error *error) {
  hlo_layout kept;
  if (layout != NULL) {
    kept = *layout;
    if (kept.padded_dims == NULL) kept.padding_value = NULL;
    layout = &kept;
    HLO_TRY(hlo_layout_validate(shape, layout, error));
  }
  if (layout == NULL && hlo_shape_is_tuple(shape)) return hlo_shape_copy(arena, shape, out, error);
  hlo_shape *result;
  HLO_TRY(copy_leaf(arena, shape, shape->type, layout, &result, error));
  *out = result;
  return HLO_OK;
}

hlo_status hlo_shape_with_type(hlo_arena *arena, const hlo_shape *shape, hlo_type type,
                               bool kept_layout, const hlo_shape **out, hlo_error *error) {
  if (hlo_shape_is_tuple(shape)) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "a tuple has no element type to replace");
  }
  HLO_TRY(check_array(type, shape->rank, shape->dims, shape->dynamic, error));
  hlo_layout layout;
  const hlo_layout *used = NULL;
  if (kept_layout && shape->layout != NULL) {
    layout = *shape->layout;
    hlo_layout_fit_type(&layout, type);
    hlo_shape retyped = *shape;
    retyped.type = type;
    HLO_TRY(hlo_layout_validate(&retyped, &layout, error));
    used = &layout;
  }
  hlo_shape *result;
  HLO_TRY(copy_leaf(arena, shape, type, used, &result, error));
  *out = result;
  return HLO_OK;
}

static hlo_status validate(const hlo_shape *shape, int32_t depth, hlo_error *error) {
  if (!hlo_shape_is_tuple(shape)) {
    HLO_TRY(check_array(shape->type, shape->rank, shape->dims, NULL, error));
    if (shape->element_count != 0) {
      return hlo_fail(error, HLO_SHAPE_ERROR, "a shape that is no tuple has tuple elements");
    }
    return shape->layout == NULL ? HLO_OK : hlo_layout_validate(shape, shape->layout, error);
  }
  if (depth > HLO_MAX_TUPLE_DEPTH) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "tuples nest more than %d levels deep",
                    (int)HLO_MAX_TUPLE_DEPTH);
  }
  if (shape->rank != 0 || shape->layout != NULL || shape->element_count < 0) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "a tuple has neither dimensions nor a layout");
  }
  for (int32_t i = 0; i < shape->element_count; i++) {
    HLO_TRY(validate(shape->elements[i], depth + 1, error));
  }
  return HLO_OK;
}

hlo_status hlo_shape_validate(const hlo_shape *shape, hlo_error *error) {
  return validate(shape, 0, error);
}
