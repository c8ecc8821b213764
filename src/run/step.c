// Carries out the steps that do not change the frame stack: evaluation, custom calls, shared
// memory. Decides here where a result may take over the memory of an operand that dies.
#include "run/run.h"
#include "run/sized.h"

#include <string.h>

enum { MAX_NESTING = 16, FEW = 8 };

static bool dies(const hlo_step *step, int32_t slot) {
  for (int32_t i = 0; i < step->dying_count; i++) {
    if (step->dying[i] == slot) return true;
  }
  return false;
}

static bool same_memory(const hlo_shape *a, const hlo_shape *b) {
  return hlo_type_bytes(a->type) == hlo_type_bytes(b->type) && hlo_shape_same_dimensions(a, b) &&
         (hlo_layout_equal(a->layout, b->layout) ||
          (hlo_layout_is_default(a->layout) && hlo_layout_is_default(b->layout)));
}

// The operand whose buffer the result may overwrite: read for the last time here, held by nobody
// else, laid out alike. -1: none.
static int32_t reusable_operand(const hlo_frame *frame, const hlo_step *step) {
  hlo_opcode opcode = step->instruction->opcode;
  int32_t candidates = hlo_op_is_pointwise(opcode) ? step->operand_leaves
                       : hlo_op_get(opcode)->properties & HLO_PROPERTY_UPDATES ? 1
                                                                               : 0;
  if (step->result_leaves != 1) return -1;
  const hlo_shape *result = frame->plan->slot_shapes[step->results[0]];
  for (int32_t i = 0; i < candidates; i++) {
    int32_t slot = step->operands[i];
    if (frame->slots[slot]->references == 1 && dies(step, slot) &&
        same_memory(frame->plan->slot_shapes[slot], result)) {
      return slot;
    }
  }
  return -1;
}

// A new buffer for a slot; padding holds the layout's padding value.
static hlo_status create_slot_buffer(hlo_frame *frame, int32_t slot, hlo_error *error) {
  const hlo_shape *shape = frame->plan->slot_shapes[slot];
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(shape), &frame->slots[slot], error));
  return hlo_fill_padding(shape, frame->slots[slot]->data, error);
}

hlo_status hlo_step_make_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    HLO_TRY(create_slot_buffer(frame, step->results[i], error));
  }
  return HLO_OK;
}

static hlo_status prepare_results(hlo_frame *frame, const hlo_step *step, bool in_place,
                                  hlo_error *error) {
  int32_t reused = in_place ? reusable_operand(frame, step) : -1;
  if (reused >= 0) {
    frame->slots[step->results[0]] = frame->slots[reused];
    hlo_buffer_retain(frame->slots[reused]);
    return HLO_OK;
  }
  return hlo_step_make_results(frame, step, error);
}

void hlo_step_view_slots(const hlo_frame *frame, int32_t count, const int32_t *slots,
                         hlo_view *out) {
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = frame->plan->slot_shapes[slots[i]];
    hlo_buffer *buffer = frame->slots[slots[i]];
    out[i].type = shape->type;
    out[i].rank = 0;
    if (buffer != NULL) out[i] = hlo_sized_view(shape, buffer);
  }
}

// hlo_evaluator.call: runs a computation that hlo_apply cannot take as vector code, in a run of its
// own.
static hlo_status call_computation(void *host, const hlo_computation *computation,
                                   int32_t argument_count, const hlo_view *arguments,
                                   int32_t result_count, const hlo_view *results,
                                   hlo_error *error) {
  hlo_run *outer = host, *inner = NULL;
  const hlo_plan *plan = outer->executable->plans.plans[computation->index];
  if (outer->nesting >= MAX_NESTING) {
    return hlo_fail(error, HLO_UNSUPPORTED, "computation %s: applied more than %d levels deep",
                    computation->name, (int)MAX_NESTING);
  }
  hlo_buffer **buffers;
  HLO_ALLOC(buffers, &outer->scratch, argument_count, error);
  hlo_status status = HLO_OK;
  for (int32_t i = 0; i < argument_count && status == HLO_OK; i++) {
    int64_t size = hlo_type_bytes(arguments[i].type);
    status = hlo_buffer_create(size, &buffers[i], error);
    if (status == HLO_OK) memcpy(buffers[i]->data, arguments[i].data, (size_t)size);
  }
  if (status == HLO_OK) {
    status = hlo_run_create(outer->executable, plan, buffers, outer, &inner, error);
  }
  for (int32_t i = 0; i < argument_count; i++) hlo_buffer_release(buffers[i]);
  bool done;
  if (status == HLO_OK) status = hlo_run_continue(inner, 0, &done, error);
  for (int32_t i = 0; i < result_count && status == HLO_OK; i++) {
    memcpy(results[i].data, inner->results[i]->data, (size_t)hlo_type_bytes(results[i].type));
  }
  hlo_run_destroy(inner);
  return status;
}

hlo_evaluator hlo_step_evaluator(hlo_run *run) {
  return (hlo_evaluator){.scratch = &run->scratch,
                         .backend = run->executable->backend,
                         .random = run->executable->random,
                         .call = call_computation,
                         .host = run};
}

static hlo_status execute_on_views(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                   hlo_view *operands, hlo_view *results, hlo_error *error) {
  hlo_step_view_slots(frame, step->operand_leaves, step->operands, operands);
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  hlo_step_view_slots(frame, step->result_leaves, step->results, results);
  if (step->kind == HLO_STEP_CUSTOM) {
    hlo_custom_call call = {.instruction = step->instruction,
                            .operand_count = step->operand_leaves,
                            .operands = operands,
                            .result_count = step->result_leaves,
                            .results = results,
                            .output = &run->output,
                            .evaluator = &evaluator};
    return step->custom(&call, error);
  }
  return hlo_evaluate(&evaluator, step->instruction, operands, results, error);
}

hlo_status hlo_step_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                            hlo_error *error) {
  if (hlo_step_is_sized(frame, step)) return hlo_step_execute_sized(run, frame, step, error);
  if (step->kind == HLO_STEP_SHARE) {
    hlo_buffer *buffer = frame->slots[step->operands[0]];
    hlo_buffer_retain(buffer);
    frame->slots[step->results[0]] = buffer;
    return HLO_OK;
  }
  HLO_TRY(prepare_results(frame, step, step->kind == HLO_STEP_EVALUATE, error));
  int32_t views = step->operand_leaves + step->result_leaves;
  hlo_view few[FEW], *all = few;
  if (views > FEW) HLO_ALLOC(all, &run->scratch, views, error);
  return execute_on_views(run, frame, step, all, all + step->operand_leaves, error);
}
