// Carries out the steps that do not change the frame stack: evaluation, custom calls, shared
// memory. Decides where a result may reuse the memory of an operand at its last use.
#include "kernels/machine.h"
#include "reference/reference.h"
#include "run/exec/fused.h"
#include "run/exec/run.h"
#include "run/exec/sized.h"

#include <string.h>

enum { MAX_NESTING = 16, FEW = 8 };

// The operand whose buffer the result may overwrite: read for the last time here, held by nobody
// else, laid out alike. -1: none.
static int32_t reusable_operand(const hlo_frame *frame, const hlo_step *step) {
  for (int32_t i = 0; i < step->reusable_count; i++) {
    if (frame->slots[step->reusable[i]]->references == 1) return step->reusable[i];
  }
  return -1;
}

static hlo_status prepare_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  int32_t reused = reusable_operand(frame, step);
  if (reused < 0) return hlo_step_allocate_results(frame, step, error);
  frame->slots[step->results[0]] = frame->slots[reused];
  hlo_buffer_retain(frame->slots[reused]);
  return HLO_OK;
}

// An elementwise step over dense memory, and the chunks of it that a part does.
typedef struct lane_work {
  const hlo_lane_op *op;
  int64_t lanes, chunks_of_a_part;
  int32_t operand_count;
  const char *operands[HLO_STEP_LANE_OPERANDS];
  int64_t sizes[HLO_STEP_LANE_OPERANDS]; // of their elements
  char *result;
} lane_work;

static void run_lanes(void *data, int32_t part, int32_t thread) {
  const lane_work *work = data;
  const void *at[HLO_STEP_LANE_OPERANDS];
  int64_t share = work->chunks_of_a_part * HLO_CALL_ELEMENTS, first = part * share;
  int64_t end = work->lanes - first < share ? work->lanes : first + share;
  int64_t chunk = HLO_CALL_ELEMENTS;
  (void)thread;
  // In chunks, so that a wasm engine can switch to optimised code in between; then in larger ones,
  // since a call is an interruption of what the processor asks of memory.
  for (int64_t done = first; done < end; done += chunk) {
    if (done - first == HLO_LARGE_CHUNK) chunk = HLO_LARGE_CHUNK;
    int64_t n = end - done < chunk ? end - done : chunk;
    for (int32_t i = 0; i < work->operand_count; i++) {
      at[i] = work->operands[i] + done * work->sizes[i];
    }
    work->op->run(work->op, work->result + done * hlo_type_bytes(work->op->to), at, n);
  }
}

hlo_status hlo_step_run_lanes(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                              hlo_error *error) {
  const hlo_backend *backend = run->executable->program->backend;
  hlo_buffer **result = &frame->slots[step->results[0]];
  lane_work work = {.op = &step->lane_op, .lanes = step->lanes};
  work.operand_count = step->operand_leaves;
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    work.operands[i] = frame->slots[step->operands[i]]->data;
    work.sizes[i] = hlo_type_bytes(frame->plan->slot_shapes[step->operands[i]]->type);
  }
  int32_t reused = reusable_operand(frame, step);
  if (reused >= 0) {
    *result = frame->slots[reused];
    hlo_buffer_retain(*result);
  } else {
    HLO_TRY(hlo_buffer_create(step->lanes * hlo_type_bytes(work.op->to), result, error));
  }
  work.result = (*result)->data;
  work.chunks_of_a_part = INT64_MAX / HLO_CALL_ELEMENTS;
  int32_t parts = 1;
  if (step->lanes > HLO_CALL_ELEMENTS) {
    int64_t chunks = (step->lanes + HLO_CALL_ELEMENTS - 1) / HLO_CALL_ELEMENTS;
    parts = hlo_backend_parts(backend, chunks, (double)step->lanes / HLO_LANES_PER_NS);
    work.chunks_of_a_part = (chunks + parts - 1) / parts;
    parts = (int32_t)((chunks + work.chunks_of_a_part - 1) / work.chunks_of_a_part);
  }
  hlo_backend_parallel(backend, run_lanes, &work, parts);
  return HLO_OK;
}

// What follows may be done together with it.
hlo_status hlo_step_run_dot(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                            hlo_error *error) {
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  hlo_fused_offer offer;
  HLO_TRY(hlo_step_allocate_result(frame, step->results[0], error));
  if (step->followers > 0 && step->contraction->strategy->takes_epilogue)
    evaluator.offer = hlo_fused_offer_epilogue(run, frame, step, &offer);
  HLO_TRY(hlo_contraction_run(step->contraction, &evaluator, frame->slots[step->operands[0]]->data,
                              frame->slots[step->operands[1]]->data,
                              frame->slots[step->results[0]]->data, error));
  if (evaluator.offer != NULL && offer.offer.accepted) frame->ahead = step->followers;
  return HLO_OK;
}

// What follows a product may be done together with it.
static hlo_status execute_product(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                  hlo_evaluator *evaluator, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error) {
  hlo_fused_offer offer;
  evaluator->offer = hlo_fused_offer_epilogue(run, frame, step, &offer);
  HLO_TRY(hlo_evaluate(evaluator, step->instruction, operands, results, error));
  if (evaluator->offer != NULL && offer.offer.accepted) frame->ahead = step->followers;
  return HLO_OK;
}

static hlo_status execute_on_views(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                   hlo_view *operands, hlo_view *results, hlo_error *error) {
  hlo_step_view_slots(frame, step->operand_leaves, step->operands, operands);
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  hlo_step_view_slots(frame, step->result_leaves, step->results, results);
  if (step->kind == HLO_STEP_CUSTOM)
    return hlo_step_call_custom(run, step, operands, results, error);
  evaluator.packed = step->packed;
  if (step->followers > 0)
    return execute_product(run, frame, step, &evaluator, operands, results, error);
  return hlo_step_evaluate(run, &evaluator, step->instruction, operands, results, error);
}

hlo_status hlo_step_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                            hlo_error *error) {
  if (step->kind == HLO_STEP_CALL) return hlo_fused_execute(run, frame, step, error);
  if (hlo_step_is_sized(frame, step)) return hlo_step_execute_sized(run, frame, step, error);
  if (step->kind == HLO_STEP_SHARE) {
    hlo_buffer *buffer = frame->slots[step->operands[0]];
    hlo_buffer_retain(buffer);
    frame->slots[step->results[0]] = buffer;
    return HLO_OK;
  }
  HLO_TRY(prepare_results(frame, step, error));
  int32_t views = step->operand_leaves + step->result_leaves;
  hlo_view few[FEW], *all = few;
  if (views > FEW) HLO_ALLOC(all, &run->scratch, views, error);
  return execute_on_views(run, frame, step, all, all + step->operand_leaves, error);
}
