// See sized.h.
#include "run/exec/sized.h"

#include "run/calls/custom_call.h"

#include <string.h>

// --- sizes of buffers ---

hlo_status hlo_sized_set(hlo_buffer *buffer, int32_t rank, const int64_t *sizes, hlo_error *error) {
  size_t size = (size_t)rank * sizeof *sizes;
  buffer->sizes = hlo_memory_alloc(size);
  if (buffer->sizes == NULL) return hlo_fail_out_of_memory(error);
  memcpy(buffer->sizes, sizes, size);
  return HLO_OK;
}

hlo_status hlo_sized_copy(hlo_buffer *to, const hlo_buffer *from, int32_t rank, hlo_error *error) {
  return from->sizes == NULL ? HLO_OK : hlo_sized_set(to, rank, from->sizes, error);
}

void hlo_sized_view(const hlo_shape *shape, const hlo_buffer *buffer, hlo_view *out) {
  hlo_view_set(out, shape, buffer->data);
  for (int32_t d = 0; buffer->sizes != NULL && d < shape->rank; d++) {
    if (buffer->sizes[d] != HLO_STATIC_SIZE) out->dims[d] = buffer->sizes[d];
  }
}

hlo_status hlo_sized_create(const hlo_shape *shape, hlo_buffer **out, hlo_error *error) {
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(shape), out, error));
  memset((*out)->data, 0, (size_t)(*out)->size);
  return HLO_OK;
}

// --- the host's arrays ---

hlo_status hlo_sized_from_array(const hlo_array *array, const hlo_shape *shape, hlo_buffer **out,
                                hlo_error *error) {
  if (shape->dynamic == NULL || !hlo_shape_is_array(shape)) {
    return hlo_buffer_in_layout(array->buffer, array->shape, shape, out, error);
  }
  int64_t sizes[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++) {
    sizes[d] = shape->dynamic[d] ? array->shape->dims[d] : HLO_STATIC_SIZE;
  }
  hlo_buffer *unpacked = NULL;
  hlo_arena arena = {0};
  const hlo_shape *plain;
  HLO_TRY(hlo_sized_create(shape, out, error));
  hlo_status status = hlo_sized_set(*out, shape->rank, sizes, error);
  if (status == HLO_OK) status = hlo_shape_unpacked(&arena, array->shape, &plain, error);
  if (status == HLO_OK) {
    status = hlo_buffer_in_layout(array->buffer, array->shape, plain, &unpacked, error);
  }
  if (status == HLO_OK) {
    hlo_view to, from = hlo_view_of(plain, unpacked->data);
    hlo_sized_view(shape, *out, &to);
    hlo_view_copy(&to, &from);
  } else {
    hlo_buffer_release(*out);
  }
  hlo_buffer_release(unpacked);
  hlo_arena_free(&arena);
  return status;
}

// The shape with these sizes and, of the stated layout, the order of dimensions.
static hlo_status shape_at(hlo_arena *arena, const hlo_shape *stated, const hlo_view *view,
                           const hlo_shape **out, hlo_error *error) {
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(arena, stated->type, view->rank, view->dims, &shape, error));
  if (stated->layout == NULL) {
    *out = shape;
    return HLO_OK;
  }
  hlo_layout layout = {.rank = view->rank, .minor_to_major = stated->layout->minor_to_major};
  return hlo_shape_with_layout(arena, shape, &layout, out, error);
}

hlo_status hlo_sized_to_array(const hlo_shape *shape, hlo_buffer *buffer, const hlo_shape *stated,
                              hlo_array **out, hlo_error *error) {
  hlo_view from;
  hlo_sized_view(shape, buffer, &from);
  hlo_arena arena = {0};
  const hlo_shape *actual;
  *out = NULL;
  hlo_status status = shape_at(&arena, stated, &from, &actual, error);
  if (status == HLO_OK) status = hlo_array_create(actual, NULL, out, error);
  hlo_arena_free(&arena);
  if (status == HLO_OK) status = hlo_shape_copy(&(*out)->arena, stated, &(*out)->bound, error);
  if (status != HLO_OK) {
    hlo_array_destroy(*out);
    *out = NULL;
    return status;
  }
  hlo_view to = hlo_view_of((*out)->shape, (*out)->buffer->data);
  hlo_view_copy(&to, &from);
  return HLO_OK;
}

// --- steps (what they do: sized_step.c) ---

bool hlo_slot_is_sized(const hlo_frame *frame, int32_t slot) {
  return frame->slots[slot] != NULL && frame->slots[slot]->sizes != NULL;
}

bool hlo_step_is_sized(const hlo_frame *frame, const hlo_step *step) {
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    if (hlo_slot_is_sized(frame, step->operands[i])) return true;
  }
  return step->custom == hlo_slice_to_dynamic ||
         (hlo_op_get(step->instruction->opcode)->properties & HLO_PROPERTY_SIZES) != 0;
}

hlo_status hlo_step_require_static(const hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    if (!hlo_slot_is_sized(frame, step->operands[i])) continue;
    return hlo_instruction_fail(step->instruction, HLO_UNSUPPORTED, error,
                                "does not take values whose sizes are known only at run time");
  }
  return HLO_OK;
}

hlo_status hlo_buffer_in_layout(hlo_buffer *buffer, const hlo_shape *from, const hlo_shape *to,
                                hlo_buffer **out, hlo_error *error) {
  *out = buffer;
  if ((from->layout == NULL && to->layout == NULL) || !hlo_shape_is_array(from) ||
      hlo_layout_equal(from->layout, to->layout) ||
      (hlo_layout_is_default(from->layout) && hlo_layout_is_default(to->layout))) {
    if (buffer != NULL) hlo_buffer_retain(buffer);
    return HLO_OK;
  }
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(to), out, error));
  hlo_status status = hlo_relayout(to, (*out)->data, from, buffer->data, error);
  if (status == HLO_OK) status = hlo_sized_copy(*out, buffer, from->rank, error);
  if (status != HLO_OK) hlo_buffer_release(*out);
  return status;
}
