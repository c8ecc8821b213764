// Slots of a plan, and the memory of those that hold the same in every frame. See planner.h.
#include "run/plan/planner.h"

#include <string.h>

static hlo_status new_slot(hlo_planner *p, const hlo_shape *shape, int32_t *out, hlo_error *error) {
  hlo_plan *plan = p->plan;
  HLO_GROW_LIST(plan->slot_shapes, &p->set->arena, plan->slot_count, p->slot_capacity, error);
  HLO_TRY(hlo_shape_unpacked(&p->set->arena, shape, &plan->slot_shapes[plan->slot_count], error));
  *out = plan->slot_count++;
  return HLO_OK;
}

hlo_status hlo_planner_add_slots(hlo_planner *p, const hlo_shape *shape, int32_t *slots,
                                 hlo_error *error) {
  if (!hlo_shape_is_tuple(shape)) return new_slot(p, shape, slots, error);
  for (int32_t i = 0; i < shape->element_count; i++) {
    HLO_TRY(hlo_planner_add_slots(p, shape->elements[i], slots, error));
    slots += hlo_shape_leaf_count(shape->elements[i]);
  }
  return HLO_OK;
}

static hlo_status grow_constants(hlo_planner *p, hlo_error *error) {
  HLO_GROW_LIST(p->plan->constants, &p->set->arena, p->plan->constant_count, p->constant_capacity,
                error);
  return HLO_OK;
}

hlo_status hlo_planner_add_constant(hlo_planner *p, int32_t slot, hlo_buffer *buffer,
                                    hlo_error *error) {
  hlo_plan *plan = p->plan;
  hlo_status status = grow_constants(p, error);
  if (status == HLO_OK) plan->constants[plan->constant_count++] = (hlo_constant_slot){slot, buffer};
  else hlo_buffer_release(buffer);
  return status;
}

// The memory of a slot that has the same contents in every frame.
static hlo_status add_constant(hlo_planner *p, int32_t slot, hlo_buffer **out, hlo_error *error) {
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(p->plan->slot_shapes[slot]), out, error));
  return hlo_planner_add_constant(p, slot, *out, error);
}

hlo_status hlo_planner_add_zeros(hlo_planner *p, const hlo_shape *shape, int32_t *slot,
                                 hlo_error *error) {
  hlo_buffer *buffer;
  HLO_TRY(new_slot(p, shape, slot, error));
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  HLO_TRY(add_constant(p, *slot, &buffer, error));
  memset(buffer->data, 0, (size_t)buffer->size);
  return HLO_OK;
}
