// Carries out the steps that do not change the frame stack: evaluation, custom calls, shared
// memory. Decides where a result may reuse the memory of an operand at its last use.
#include "reference/reference.h"
#include "run/exec/fused.h"
#include "run/exec/run.h"
#include "run/exec/sized.h"

#include <string.h>

enum { MAX_NESTING = 16, FEW = 8, LANES_IN_A_NANOSECOND = 4, LARGE_CHUNK = 16 * HLO_LANE_CHUNK };

bool hlo_step_may_take_over(const hlo_frame *frame, const hlo_step *step, int32_t slot,
                            const hlo_shape *result) {
  const hlo_shape *shape = frame->plan->slot_shapes[slot];
  bool dies = false;
  for (int32_t i = 0; i < step->dying_count; i++) dies = dies || step->dying[i] == slot;
  return dies && frame->slots[slot]->references == 1 &&
         hlo_type_bytes(shape->type) == hlo_type_bytes(result->type) &&
         hlo_shape_same_order(shape, result);
}

// The operand whose buffer the result may overwrite: read for the last time here, held by nobody
// else, laid out alike. -1: none.
static int32_t reusable_operand(const hlo_frame *frame, const hlo_step *step) {
  for (int32_t i = 0; i < step->reusable_count; i++) {
    if (frame->slots[step->reusable[i]]->references == 1) return step->reusable[i];
  }
  return -1;
}

// A new buffer for a slot; padding holds the layout's padding value.
hlo_status hlo_step_make_result(hlo_frame *frame, int32_t slot, hlo_error *error) {
  const hlo_shape *shape = frame->plan->slot_shapes[slot];
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(shape), &frame->slots[slot], error));
  return hlo_fill_padding(shape, frame->slots[slot]->data, error);
}

hlo_status hlo_step_make_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    HLO_TRY(hlo_step_make_result(frame, step->results[i], error));
  }
  return HLO_OK;
}

static hlo_status prepare_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  int32_t reused = reusable_operand(frame, step);
  if (reused < 0) return hlo_step_make_results(frame, step, error);
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
  int64_t share = work->chunks_of_a_part * HLO_LANE_CHUNK, first = part * share;
  int64_t end = work->lanes - first < share ? work->lanes : first + share;
  int64_t chunk = HLO_LANE_CHUNK;
  (void)thread;
  // In chunks, so that a wasm engine can switch to optimised code in between; then in larger ones,
  // since a call is an interruption of what the processor asks of memory.
  for (int64_t done = first; done < end; done += chunk) {
    if (done - first == LARGE_CHUNK) chunk = LARGE_CHUNK;
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
  work.chunks_of_a_part = INT64_MAX / HLO_LANE_CHUNK;
  int32_t parts = 1;
  if (step->lanes > HLO_LANE_CHUNK) {
    int64_t chunks = (step->lanes + HLO_LANE_CHUNK - 1) / HLO_LANE_CHUNK;
    parts = hlo_backend_parts(backend, chunks, (double)step->lanes / LANES_IN_A_NANOSECOND);
    work.chunks_of_a_part = (chunks + parts - 1) / parts;
    parts = (int32_t)((chunks + work.chunks_of_a_part - 1) / work.chunks_of_a_part);
  }
  hlo_backend_parallel(backend, run_lanes, &work, parts);
  return HLO_OK;
}

hlo_status hlo_step_run_dot(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                            hlo_error *error) {
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  HLO_TRY(hlo_step_make_result(frame, step->results[0], error));
  return hlo_plain_dot_run(step->dot, &evaluator, frame->slots[step->operands[0]]->data,
                           frame->slots[step->operands[1]]->data,
                           frame->slots[step->results[0]]->data, error);
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

// hlo_evaluator.call: runs a computation that hlo_apply cannot take as vector code, in a run of its
// own.
static hlo_status call_computation(void *host, const hlo_computation *computation,
                                   int32_t argument_count, const hlo_view *arguments,
                                   int32_t result_count, const hlo_view *results,
                                   hlo_error *error) {
  hlo_run *outer = host, *inner = NULL;
  const hlo_plan *plan = outer->executable->program->plans.plans[computation->index];
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
                         .backend = run->executable->program->backend,
                         .random = run->executable->random,
                         .call = call_computation,
                         .host = run};
}

// A custom call inside a computation that the oracle applies.
static hlo_status call_for_oracle(void *host, const hlo_instruction *instruction,
                                  int32_t operand_count, const hlo_view *operands,
                                  int32_t result_count, const hlo_view *results, hlo_error *error) {
  hlo_run *run = host;
  const char *target = hlo_get_text(instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  hlo_step step = {.instruction = instruction,
                   .operand_leaves = operand_count,
                   .result_leaves = result_count,
                   .custom = hlo_custom_call_find(target)};
  if (step.custom == NULL) step.custom = hlo_custom_call_late;
  if (step.custom == hlo_lapack_call)
    HLO_TRY(hlo_lapack_make_plan(instruction, &run->scratch, &step.lapack, error));
  return hlo_step_call_custom(run, &step, operands, results, error);
}

const hlo_reference *hlo_step_reference(hlo_run *run, hlo_reference *out) {
  if (!run->executable->program->plans.reference) return NULL;
  *out = (hlo_reference){.arena = &run->scratch,
                         .random = run->executable->random,
                         .custom_call = call_for_oracle,
                         .host = run};
  return out;
}

hlo_status hlo_step_evaluate(hlo_run *run, const hlo_evaluator *evaluator,
                             const hlo_instruction *instruction, const hlo_view *operands,
                             const hlo_view *results, hlo_error *error) {
  hlo_reference memory;
  const hlo_reference *reference = hlo_step_reference(run, &memory);
  if (reference != NULL)
    return hlo_reference_evaluate(reference, instruction, operands, results, error);
  return hlo_evaluate(evaluator, instruction, operands, results, error);
}

hlo_status hlo_step_call_custom(hlo_run *run, const hlo_step *step, const hlo_view *operands,
                                const hlo_view *results, hlo_error *error) {
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  hlo_reference reference;
  hlo_custom_call call = {.instruction = step->instruction,
                          .operand_count = step->operand_leaves,
                          .operands = operands,
                          .result_count = step->result_leaves,
                          .results = results,
                          .output = &run->output,
                          .probes = run->probes,
                          .evaluator = &evaluator,
                          .reference = hlo_step_reference(run, &reference),
                          .plan = step->lapack};
  return step->custom(&call, error);
}

// What follows a product may be done together with it.
static hlo_status execute_product(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                  hlo_evaluator *evaluator, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error) {
  hlo_fused_offer offer;
  evaluator->offer = hlo_fused_make_offer(run, frame, step, &offer);
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
