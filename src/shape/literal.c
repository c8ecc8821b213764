// Creates literals.
#include "shape/literal.h"

#include <string.h>

// Zeros inside of the padding. hlo_view_copy only reads the zero.
static void zero_elements(const hlo_shape *shape, void *data) {
  static const char zero[16] = {0};
  hlo_view to = hlo_view_of(shape, data);
  hlo_view from = to;
  from.data = (void *)(uintptr_t)zero;
  for (int32_t i = 0; i < from.rank; i++) from.strides[i] = 0;
  hlo_view_copy(&to, &from);
}

// Not inlined: the views above would make every frame of the recursion large.
static __attribute__((noinline)) hlo_status make_array(hlo_arena *arena, const hlo_shape *shape,
                                                       hlo_literal *out, hlo_error *error) {
  int64_t elements = hlo_shape_memory_elements(shape);
  int64_t bytes = elements * hlo_type_bytes(shape->type);
  if ((uint64_t)bytes > SIZE_MAX) return hlo_fail_out_of_memory(error);
  // Aligned as arrays are, so that a program can compute with it where it is.
  out->data = hlo_arena_array_raw(arena, (size_t)bytes, 1);
  if (out->data == NULL) return hlo_fail_out_of_memory(error);
  memset(out->data, 0, (size_t)bytes);
  if (shape->layout == NULL || shape->layout->padding_value == NULL) return HLO_OK;
  HLO_TRY(hlo_fill_padding(shape, out->data, error));
  zero_elements(shape, out->data);
  return HLO_OK;
}

hlo_status hlo_literal_make(hlo_arena *arena, const hlo_shape *shape, hlo_literal *out,
                            hlo_error *error) {
  *out = (hlo_literal){.shape = shape};
  if (hlo_shape_is_array(shape)) return make_array(arena, shape, out, error);
  if (!hlo_shape_is_tuple(shape)) return HLO_OK;
  HLO_ALLOC(out->elements, arena, shape->element_count, error);
  for (int32_t i = 0; i < shape->element_count; i++) {
    HLO_TRY(hlo_literal_make(arena, shape->elements[i], &out->elements[i], error));
  }
  return HLO_OK;
}
