// Memory of slots: buffers for results, views, other layouts. See run.h.
#include "run/exec/run.h"
#include "run/exec/sized.h"

bool hlo_step_may_reuse(const hlo_frame *frame, const hlo_step *step, int32_t slot,
                        const hlo_shape *result) {
  const hlo_shape *shape = frame->plan->slot_shapes[slot];
  bool dies = false;
  for (int32_t i = 0; i < step->dying_count; i++) dies = dies || step->dying[i] == slot;
  return dies && frame->slots[slot]->references == 1 &&
         hlo_type_bytes(shape->type) == hlo_type_bytes(result->type) &&
         hlo_shape_same_order(shape, result);
}

// A new buffer for a slot; padding holds the layout's padding value.
hlo_status hlo_step_allocate_result(hlo_frame *frame, int32_t slot, hlo_error *error) {
  const hlo_shape *shape = frame->plan->slot_shapes[slot];
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(shape), &frame->slots[slot], error));
  return hlo_fill_padding(shape, frame->slots[slot]->data, error);
}

hlo_status hlo_step_allocate_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    HLO_TRY(hlo_step_allocate_result(frame, step->results[i], error));
  }
  return HLO_OK;
}

void hlo_step_view_slots(const hlo_frame *frame, int32_t count, const int32_t *slots,
                         hlo_view *out) {
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = frame->plan->slot_shapes[slots[i]];
    hlo_buffer *buffer = frame->slots[slots[i]];
    out[i].type = shape->type;
    out[i].rank = 0;
    if (buffer != NULL) hlo_sized_view(shape, buffer, &out[i]);
  }
}
