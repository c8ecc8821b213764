// Dots are planned. Constant operands of products, usually weights, are packed into the kernel's
// form once, and stay in that form alone where nothing else reads them. See planner.h.
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

// Of a dot: plans it, for the constant elements in `constants`.
static hlo_status plan_contraction(weights *w, hlo_step *step, const hlo_evaluator *evaluator,
                                   const void *const *constants, int32_t *packed,
                                   hlo_error *error) {
  const hlo_shape **shapes = w->planner->plan->slot_shapes;
  hlo_view views[3];
  hlo_contraction_plan plan, *kept;
  for (int32_t i = 0; i < 3; i++)
    hlo_view_set(&views[i], shapes[i < 2 ? step->operands[i] : step->results[0]], NULL);
  if (hlo_view_elements(&views[2]) == 0) return HLO_OK;
  hlo_contraction_describe(step->instruction, &views[0], &views[1], &views[2], &plan.contraction);
  plan.contraction.constants[0] = constants[0];
  plan.contraction.constants[1] = constants[1];
  hlo_contraction_plan_make(evaluator->backend, &plan);
  if (plan.strategy->prepare != NULL)
    HLO_TRY(plan.strategy->prepare(&plan, evaluator, &w->planner->set->arena, error));
  *packed = hlo_contraction_packed_operand(&plan);
  size_t size = hlo_contraction_plan_size(&plan);
  kept = hlo_arena_alloc(&w->planner->set->arena, size);
  if (kept == NULL) return hlo_fail_out_of_memory(error);
  memcpy(kept, &plan, size);
  step->contraction = kept;
  step->may_be_sized = w->planner->set->has_sizes;
  return HLO_OK;
}

static hlo_status pack_convolution(weights *w, hlo_step *step, const hlo_evaluator *evaluator,
                                   const void *constant, int32_t *packed, hlo_error *error) {
  const hlo_shape **shapes = w->planner->plan->slot_shapes;
  if (constant == NULL) return HLO_OK;
  hlo_view operands[2] = {hlo_view_of(shapes[step->operands[0]], NULL),
                          hlo_view_of(shapes[step->operands[1]], (void *)constant)};
  hlo_view result = hlo_view_of(shapes[step->results[0]], NULL);
  HLO_TRY(hlo_evaluate(evaluator, step->instruction, operands, &result, error));
  step->packed = w->packed != NULL;
  *packed = step->packed ? 1 : -1;
  return HLO_OK;
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

// The elements of a constant in the slot that is worth packing, else NULL.
static const void *constant_in(const weights *w, int32_t slot) {
  const hlo_constant_slot *constant = constant_of(w->planner->plan, slot);
  if (w->planner->set->backend == NULL || w->planner->set->has_sizes || constant == NULL ||
      constant->buffer == NULL || constant->buffer->size < HLO_PACK_FEWEST_BYTES)
    return NULL;
  return constant->buffer->data;
}

// In place of its constant, the step reads what was packed.
static hlo_status replace_operand(weights *w, hlo_step *step, int32_t operand, hlo_error *error) {
  hlo_plan *plan = w->planner->plan;
  int32_t origin = step->operands[operand], slot;
  HLO_TRY(share_slot(w, origin, &slot, error));
  step->operands[operand] = slot;
  if (--w->readers[origin] > 0) return HLO_OK;
  hlo_constant_slot *unread = constant_of(plan, origin);
  hlo_buffer_release(unread->buffer);
  unread->buffer = NULL;
  return HLO_OK;
}

static bool has_static_shapes(const hlo_plan *plan, const hlo_step *step) {
  return !hlo_shape_is_dynamic(plan->slot_shapes[step->operands[0]]) &&
         !hlo_shape_is_dynamic(plan->slot_shapes[step->operands[1]]) &&
         !hlo_shape_is_dynamic(plan->slot_shapes[step->results[0]]);
}

static hlo_status plan_product(weights *w, hlo_step *step, hlo_error *error) {
  hlo_opcode opcode = step->instruction->opcode;
  if (step->kind != HLO_STEP_EVALUATE || !has_static_shapes(w->planner->plan, step)) return HLO_OK;
  hlo_evaluator evaluator = {
      .scratch = &w->scratch, .backend = w->planner->set->backend, .packing = &w->packing};
  const void *constants[2] = {constant_in(w, step->operands[0]), constant_in(w, step->operands[1])};
  int32_t packed = -1;
  w->packed = NULL;
  hlo_status status = opcode == HLO_OP_DOT
                          ? plan_contraction(w, step, &evaluator, constants, &packed, error)
                          : pack_convolution(w, step, &evaluator, constants[1], &packed, error);
  if (status != HLO_OK) hlo_buffer_release(w->packed);
  return status == HLO_OK && packed >= 0 ? replace_operand(w, step, packed, error) : status;
}

static void drop_unread(hlo_plan *plan) {
  int32_t count = 0;
  for (int32_t i = 0; i < plan->constant_count; i++) {
    if (plan->constants[i].buffer != NULL) plan->constants[count++] = plan->constants[i];
  }
  plan->constant_count = count;
}

static bool is_product(const hlo_step *step) {
  return step->instruction->opcode == HLO_OP_DOT || step->instruction->opcode == HLO_OP_CONVOLUTION;
}

static hlo_status plan_products(weights *w, hlo_error *error) {
  hlo_plan *plan = w->planner->plan;
  int32_t products = 0;
  for (int32_t s = 0; s < plan->step_count; s++) products += is_product(&plan->steps[s]);
  if (products == 0) return HLO_OK;
  HLO_ALLOC(w->readers, &w->scratch, plan->slot_count, error);
  count_readers(w);
  for (int32_t s = 0; s < plan->step_count; s++) {
    if (is_product(&plan->steps[s])) HLO_TRY(plan_product(w, &plan->steps[s], error));
  }
  return HLO_OK;
}

hlo_status hlo_planner_plan_products(hlo_planner *planner, hlo_error *error) {
  const hlo_plan *plan = planner->plan;
  if (planner->set->reference) return HLO_OK;
  weights w = {.packing = {allocate}, .planner = planner, .first_constant = plan->constant_count};
  hlo_status status = plan_products(&w, error);
  hlo_arena_free(&w.scratch);
  drop_unread(planner->plan);
  return status;
}
