// Constant operands of products, usually weights, are packed into the kernel's form once, when the
// plan is made, and stay in that form alone where nothing else reads them. See planner.h.
#include "run/plan/planner.h"

#include "kernels/eval.h"
#include "kernels/machine.h"

#include <string.h>

typedef struct weights {
  hlo_packing packing;
  hlo_planner *planner;
  hlo_arena scratch;
  int32_t first_constant; // that is packed
  int32_t *readers;       // by slot, of those that are not
  hlo_buffer *packed;     // just now
} weights;

static void count_readers(const weights *w) {
  const hlo_plan *plan = w->planner->plan;
  for (int32_t s = 0; s < plan->step_count; s++) {
    const hlo_step *step = &plan->steps[s];
    for (int32_t i = 0; i < step->operand_leaves; i++) w->readers[step->operands[i]]++;
  }
  for (int32_t i = 0; i < plan->result_leaves; i++) w->readers[plan->results[i]]++;
}

static hlo_status allocate(hlo_packing *packing, int64_t bytes, void **to, hlo_error *error) {
  weights *w = (weights *)packing;
  HLO_TRY(hlo_buffer_create(bytes, &w->packed, error));
  *to = w->packed->data;
  return HLO_OK;
}

static hlo_constant_slot *constant_of(const hlo_plan *plan, int32_t slot) {
  for (int32_t i = 0; i < plan->constant_count; i++) {
    if (plan->constants[i].slot == slot) return &plan->constants[i];
  }
  return NULL;
}

static hlo_status evaluate(weights *w, const hlo_step *step, const hlo_buffer *constant,
                           hlo_error *error) {
  const hlo_shape **shapes = w->planner->plan->slot_shapes;
  hlo_evaluator evaluator = {
      .scratch = &w->scratch, .backend = w->planner->set->backend, .packing = &w->packing};
  hlo_view operands[2] = {hlo_view_of(shapes[step->operands[0]], NULL),
                          hlo_view_of(shapes[step->operands[1]], constant->data)};
  hlo_view result = hlo_view_of(shapes[step->results[0]], NULL);
  w->packed = NULL;
  hlo_status status = hlo_evaluate(&evaluator, step->instruction, operands, &result, error);
  if (status == HLO_OK) return status;
  hlo_buffer_release(w->packed);
  return status;
}

// A slot for what was packed, which is taken over: one that has the same for another product, or a
// new one.
static hlo_status share_slot(const weights *w, int32_t origin, int32_t *slot, hlo_error *error) {
  hlo_planner *p = w->planner;
  hlo_buffer *packed = w->packed;
  for (int32_t i = w->first_constant; i < p->plan->constant_count; i++) {
    const hlo_buffer *known = p->plan->constants[i].buffer;
    *slot = p->plan->constants[i].slot;
    bool same = known->size == packed->size &&
                hlo_shape_equal(p->plan->slot_shapes[*slot], p->plan->slot_shapes[origin]);
    if (!same || memcmp(known->data, packed->data, (size_t)packed->size) != 0) continue;
    hlo_buffer_release(packed);
    return HLO_OK;
  }
  hlo_status status = hlo_planner_add_slots(p, p->plan->slot_shapes[origin], slot, error);
  if (status == HLO_OK) return hlo_planner_add_constant(p, *slot, packed, error);
  hlo_buffer_release(packed);
  return status;
}

static hlo_status pack_operand(weights *w, hlo_step *step, hlo_error *error) {
  hlo_plan *plan = w->planner->plan;
  int32_t origin = step->operands[1], slot;
  const hlo_constant_slot *constant = constant_of(plan, origin);
  if (constant == NULL || constant->buffer->size < HLO_PACK_FEWEST_BYTES) return HLO_OK;
  HLO_TRY(evaluate(w, step, constant->buffer, error));
  if (w->packed == NULL) return HLO_OK;
  HLO_TRY(share_slot(w, origin, &slot, error));
  step->operands[1] = slot;
  step->packed = true;
  if (--w->readers[origin] > 0) return HLO_OK;
  hlo_constant_slot *unread = constant_of(plan, origin);
  hlo_buffer_release(unread->buffer);
  unread->buffer = NULL;
  return HLO_OK;
}

static void drop_unread(hlo_plan *plan) {
  int32_t count = 0;
  for (int32_t i = 0; i < plan->constant_count; i++) {
    if (plan->constants[i].buffer != NULL) plan->constants[count++] = plan->constants[i];
  }
  plan->constant_count = count;
}

static hlo_status pack_operands(weights *w, hlo_error *error) {
  hlo_plan *plan = w->planner->plan;
  HLO_ALLOC(w->readers, &w->scratch, plan->slot_count, error);
  count_readers(w);
  for (int32_t s = 0; s < plan->step_count; s++) {
    hlo_step *step = &plan->steps[s];
    hlo_opcode opcode = step->instruction->opcode;
    if (opcode == HLO_OP_DOT || opcode == HLO_OP_CONVOLUTION) HLO_TRY(pack_operand(w, step, error));
  }
  return HLO_OK;
}

hlo_status hlo_planner_pack_constants(hlo_planner *planner, hlo_error *error) {
  const hlo_plan *plan = planner->plan;
  weights w = {.packing = {allocate}, .planner = planner, .first_constant = plan->constant_count};
  hlo_status status = pack_operands(&w, error);
  hlo_arena_free(&w.scratch);
  drop_unread(planner->plan);
  return status;
}
