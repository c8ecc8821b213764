// The resumable machine: a stack of frames, each walking its plan's steps. Calls, loops and
// branches push frames instead of recursing, so a run can stop between any two steps. See
// executable.h.
#include "run/exec/run.h"
#include "run/exec/fused.h"
#include "run/exec/oracle.h"
#include "run/exec/sized.h"
#include "run/loops/run_loop.h"

#include <string.h>

// Loops run the same computations again and again, and keep their frames.
static hlo_frame *reuse_idle_frame(hlo_run *run, const hlo_plan *plan) {
  if (run->idle == NULL) return NULL;
  hlo_frame **idle = &run->idle[plan->computation->index], *frame = *idle;
  *idle = NULL;
  return frame;
}

static hlo_status push_frame(hlo_run *run, const hlo_plan *plan, hlo_error *error) {
  size_t slots = (size_t)plan->slot_count * sizeof(hlo_buffer *);
  hlo_frame *frame = reuse_idle_frame(run, plan);
  if (frame == NULL) {
    frame = hlo_memory_alloc(sizeof *frame + slots);
    if (frame == NULL) return hlo_fail_out_of_memory(error);
    memset(frame, 0, sizeof *frame + slots);
  }
  frame->caller = run->frame;
  frame->plan = plan;
  frame->step = 0;
  frame->in_body = frame->in_loop = false;
  frame->ahead = 0;
  for (int32_t i = 0; i < plan->constant_count; i++) {
    frame->slots[plan->constants[i].slot] = plan->constants[i].buffer;
    hlo_buffer_retain(plan->constants[i].buffer);
  }
  run->frame = frame;
  run->frame_count++;
  return HLO_OK;
}

// Frames of the outermost computation are not kept: it runs once.
static bool keep_idle_frame(hlo_run *run, hlo_frame *frame) {
  if (frame->caller == NULL) return false;
  if (run->idle == NULL) {
    size_t size =
        (size_t)run->executable->program->plans.module->computation_count * sizeof *run->idle;
    run->idle = hlo_memory_alloc(size);
    if (run->idle == NULL) return false;
    memset(run->idle, 0, size);
  }
  hlo_frame **idle = &run->idle[frame->plan->computation->index];
  if (*idle != NULL) return false;
  *idle = frame;
  return true;
}

static void pop_frame(hlo_run *run) {
  hlo_frame *frame = run->frame;
  for (int32_t i = 0; i < frame->plan->slot_count; i++) {
    hlo_buffer_release(frame->slots[i]);
    frame->slots[i] = NULL;
  }
  run->frame = frame->caller;
  run->frame_count--;
  if (!keep_idle_frame(run, frame)) hlo_memory_release(frame);
}

static void release_slot(hlo_frame *frame, int32_t slot) {
  hlo_buffer_release(frame->slots[slot]);
  frame->slots[slot] = NULL;
}

static bool is_result(const hlo_step *step, int32_t slot) {
  if (step->result_leaves == 0) return false;
  int32_t first = step->results[0]; // a step's result slots are numbered in a row
  return slot >= first && slot < first + step->result_leaves;
}

// Slots that die with a step are let go as early as possible, so that what is computed from them
// may take over their memory: operands before a callee's frame starts, unread results after the
// step.
static void release_dying_operands(hlo_frame *frame, const hlo_step *step) {
  for (int32_t i = 0; i < step->dying_count; i++) {
    if (!is_result(step, step->dying[i])) release_slot(frame, step->dying[i]);
  }
}

static void observe(const hlo_run *run, const hlo_frame *frame, const hlo_step *step) {
  if (run->observer == NULL) return;
  hlo_view views[16];
  int32_t count = step->result_leaves < 16 ? step->result_leaves : 16;
  for (int32_t i = 0; i < count; i++) {
    hlo_step_view_slots(frame, 1, &step->results[i], &views[i]);
  }
  run->observer(run->observer_host, step->instruction, count, views);
}

void hlo_run_finish_step(hlo_run *run, hlo_frame *frame) {
  const hlo_step *step = &frame->plan->steps[frame->step];
  observe(run, frame, step);
  for (int32_t i = 0; i < step->dying_count; i++) release_slot(frame, step->dying[i]);
  frame->in_body = false;
  frame->step++;
}

// Copies a leaf from a slot of one frame into an empty slot of another.
static hlo_status bind_slot(hlo_frame *to, int32_t to_slot, const hlo_frame *from,
                            int32_t from_slot, hlo_error *error) {
  hlo_buffer *buffer;
  HLO_TRY(hlo_buffer_in_layout(from->slots[from_slot], from->plan->slot_shapes[from_slot],
                               to->plan->slot_shapes[to_slot], &buffer, error));
  to->slots[to_slot] = buffer;
  return HLO_OK;
}

// A frame for a callee with `count` arguments from the slots listed in the caller's frame.
static hlo_status enter(hlo_run *run, const hlo_plan *plan, int32_t count, const int32_t *slots,
                        hlo_error *error) {
  hlo_frame *caller = run->frame;
  HLO_TRY(push_frame(run, plan, error));
  for (int32_t i = 0; i < count; i++) HLO_TRY(bind_slot(run->frame, i, caller, slots[i], error));
  return HLO_OK;
}

// Arguments that a callee never reads must not keep their memory alive.
static void release_unused(hlo_frame *frame) {
  for (int32_t i = 0; i < frame->plan->unused_count; i++) {
    release_slot(frame, frame->plan->unused[i]);
  }
}

static hlo_status enter_call(hlo_run *run, const hlo_step *step, hlo_error *error) {
  hlo_frame *caller = run->frame;
  HLO_TRY(enter(run, step->plans[0], step->operand_leaves, step->operands, error));
  release_dying_operands(caller, step);
  release_unused(run->frame);
  return HLO_OK;
}

// A pred chooses branch 0 when true; an index out of range chooses the last branch.
static int32_t branch_of(const hlo_frame *frame, const hlo_step *step) {
  int32_t slot = step->operands[0];
  const void *data = frame->slots[slot]->data;
  if (frame->plan->slot_shapes[slot]->type == HLO_PRED) return *(const uint8_t *)data != 0 ? 0 : 1;
  int32_t index = *(const int32_t *)data;
  return index < 0 || index >= step->plan_count ? step->plan_count - 1 : index;
}

static hlo_status enter_branch(hlo_run *run, const hlo_step *step, hlo_error *error) {
  hlo_frame *caller = run->frame;
  int32_t branch = branch_of(caller, step);
  // Operand 0 chooses; operand 1 + branch is the branch's argument (XLA), and no operand stands for
  // a branch without parameters.
  int32_t first = 0, count = 0;
  if (step->plans[branch]->computation->parameter_count > 0) {
    first = step->operand_starts[branch + 1];
    count = step->operand_starts[branch + 2] - first;
  }
  HLO_TRY(enter(run, step->plans[branch], count, step->operands + first, error));
  release_dying_operands(caller, step);
  release_unused(run->frame);
  return HLO_OK;
}

static hlo_status enter_condition(hlo_run *run, const hlo_step *step, hlo_error *error) {
  run->frame->in_body = false;
  HLO_TRY(enter(run, step->plans[0], step->result_leaves, step->results, error));
  release_unused(run->frame);
  return HLO_OK;
}

// The carry moves into the body's frame, so that the body may update it in place.
static hlo_status enter_body(hlo_run *run, const hlo_step *step, hlo_error *error) {
  hlo_frame *caller = run->frame;
  caller->in_body = true;
  HLO_TRY(enter(run, step->plans[1], step->result_leaves, step->results, error));
  for (int32_t i = 0; i < step->result_leaves; i++) release_slot(caller, step->results[i]);
  release_unused(run->frame);
  return HLO_OK;
}

static hlo_status enter_while(hlo_run *run, const hlo_step *step, hlo_error *error) {
  hlo_frame *frame = run->frame;
  for (int32_t i = 0; i < step->result_leaves && !frame->in_loop; i++) {
    HLO_TRY(bind_slot(frame, step->results[i], frame, step->operands[i], error));
  }
  release_dying_operands(frame, step);
  hlo_driver_state state = HLO_DRIVER_LONG;
  if (hlo_fused_has_code(run, step) && run->observer == NULL)
    HLO_TRY(hlo_loop_execute(run, frame, step, &state, error));
  frame->in_loop = state == HLO_DRIVER_MORE;
  if (state == HLO_DRIVER_LONG) return enter_condition(run, step, error);
  if (state == HLO_DRIVER_DONE) hlo_run_finish_step(run, frame);
  return HLO_OK;
}

// Hands the finished frame's result leaves to the step that called it.
static hlo_status deliver(hlo_run *run, const hlo_step *step, hlo_error *error) {
  hlo_frame *callee = run->frame, *caller = callee->caller;
  for (int32_t i = 0; i < step->result_leaves; i++) {
    HLO_TRY(bind_slot(caller, step->results[i], callee, callee->plan->results[i], error));
  }
  pop_frame(run);
  return HLO_OK;
}

static hlo_status finish_outermost(hlo_run *run, hlo_error *error) {
  const hlo_plan *plan = run->plan;
  hlo_buffer **results = hlo_memory_alloc((size_t)plan->result_leaves * sizeof *results);
  if (results == NULL) return hlo_fail_out_of_memory(error);
  for (int32_t i = 0; i < plan->result_leaves; i++) {
    results[i] = run->frame->slots[plan->results[i]];
    if (results[i] != NULL) hlo_buffer_retain(results[i]);
  }
  run->results = results;
  pop_frame(run);
  return HLO_OK;
}

static hlo_status finish_frame(hlo_run *run, hlo_error *error) {
  hlo_frame *callee = run->frame, *caller = callee->caller;
  if (caller == NULL) return finish_outermost(run, error);
  const hlo_step *step = &caller->plan->steps[caller->step];
  if (step->kind == HLO_STEP_WHILE) {
    if (caller->in_body) {
      HLO_TRY(deliver(run, step, error));
      return enter_condition(run, step, error);
    }
    bool again = *(const uint8_t *)callee->slots[callee->plan->results[0]]->data != 0;
    pop_frame(run);
    if (again) return enter_body(run, step, error);
  } else {
    HLO_TRY(deliver(run, step, error));
  }
  hlo_run_finish_step(run, caller);
  return HLO_OK;
}

static hlo_status communicate(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                              hlo_error *error) {
  bool finished = false;
  hlo_arena_mark mark = hlo_arena_get_mark(&run->scratch);
  hlo_status status = step->communicate(run, frame, step, &finished, error);
  hlo_arena_rewind(&run->scratch, mark);
  if (status == HLO_OK && finished) hlo_run_finish_step(run, frame);
  return status;
}

static hlo_status run_step(hlo_run *run, hlo_error *error) {
  hlo_frame *frame = run->frame;
  const hlo_step *step = &frame->plan->steps[frame->step];
  if (frame->ahead > 0) {
    frame->ahead--;
    hlo_run_finish_step(run, frame);
    return HLO_OK;
  }
  bool is_plain = step->lanes > 0 || step->contraction != NULL;
  if (is_plain && !(step->may_be_sized && hlo_step_is_sized(frame, step))) {
    HLO_TRY(step->lanes > 0 ? hlo_step_run_lanes(run, frame, step, error)
                            : hlo_step_run_dot(run, frame, step, error));
    hlo_run_finish_step(run, frame);
    return HLO_OK;
  }
  switch (step->kind) {
  case HLO_STEP_COMMUNICATE:
    return communicate(run, frame, step, error);
  case HLO_STEP_CALL:
    if (hlo_fused_is_ready(run, step)) break;
    return enter_call(run, step, error);
  case HLO_STEP_WHILE:
    return enter_while(run, step, error);
  case HLO_STEP_CONDITIONAL:
    return enter_branch(run, step, error);
  default:
    break;
  }
  hlo_arena_mark mark = hlo_arena_get_mark(&run->scratch);
  hlo_status status = hlo_step_execute(run, frame, step, error);
  hlo_arena_rewind(&run->scratch, mark);
  if (status != HLO_OK) {
    hlo_error_locate(error, step->instruction->line, step->instruction->column);
    return status;
  }
  hlo_run_finish_step(run, frame);
  return HLO_OK;
}

hlo_status hlo_run_advance(hlo_run *run, int64_t step_limit, hlo_error *error) {
  if (step_limit == 0 && run->frame != NULL && hlo_oracle_may_run(run)) {
    HLO_TRY(hlo_oracle_run(run, error));
    pop_frame(run);
  }
  run->steps_left = step_limit > 0 ? step_limit : INT64_MAX;
  for (; run->frame != NULL && !run->waiting && run->steps_left > 0; run->steps_left--) {
    bool at_end = run->frame->step == run->frame->plan->step_count;
    HLO_TRY(at_end ? finish_frame(run, error) : run_step(run, error));
  }
  return HLO_OK;
}

hlo_status hlo_run_continue(hlo_run *run, int64_t step_limit, bool *done, hlo_error *error) {
  *done = false;
  if (run->group != &run->alone && run->nesting == 0) {
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "a process runs only with its group");
  }
  HLO_TRY(hlo_run_advance(run, step_limit, error));
  if (run->waiting) return hlo_group_fail_deadlock(run->group, error);
  *done = run->frame == NULL;
  return *done && run->nesting == 0 ? hlo_group_check_end(run->group, error) : HLO_OK;
}

hlo_status hlo_run_create(const hlo_executable *executable, const hlo_plan *plan,
                          hlo_buffer *const *arguments, const hlo_run *outer, hlo_run **out,
                          hlo_error *error) {
  *out = NULL;
  hlo_run *run = hlo_memory_alloc(sizeof *run);
  if (run == NULL) return hlo_fail_out_of_memory(error);
  *run = (hlo_run){.executable = executable, .plan = plan, .self = run};
  run->alone = (hlo_run_group){.replicas = 1, .partitions = 1, .processes = &run->self};
  run->group = &run->alone;
  run->probes = outer != NULL ? outer->probes : &run->probed;
  if (outer != NULL) {
    run->nesting = outer->nesting + 1;
    run->group = outer->group;
    run->process = outer->process;
  }
  hlo_status status = push_frame(run, plan, error);
  if (status != HLO_OK) {
    hlo_run_destroy(run);
    return status;
  }
  for (int32_t i = 0; i < plan->parameter_leaves; i++) {
    run->frame->slots[i] = arguments[i];
    if (arguments[i] != NULL) hlo_buffer_retain(arguments[i]);
  }
  // The oracle evaluates what the plan may have left out.
  if (executable->program->by_oracle == NULL) release_unused(run->frame);
  *out = run;
  return HLO_OK;
}

void hlo_run_set_observer(hlo_run *run, hlo_step_observer *observer, void *host) {
  run->observer = observer;
  run->observer_host = host;
}

const hlo_string *hlo_run_output(const hlo_run *run) { return &run->output; }

void hlo_run_destroy(hlo_run *run) {
  if (run == NULL) return;
  hlo_run_group_destroy(run->started);
  while (run->frame != NULL) pop_frame(run);
  for (int32_t i = 0;
       run->idle != NULL && i < run->executable->program->plans.module->computation_count; i++) {
    hlo_memory_release(run->idle[i]);
  }
  hlo_memory_release(run->idle);
  for (int32_t i = 0; run->results != NULL && i < run->plan->result_leaves; i++) {
    hlo_buffer_release(run->results[i]);
  }
  hlo_memory_release(run->results);
  hlo_string_free(&run->output);
  hlo_probe_list_clear(&run->probed);
  hlo_arena_free(&run->scratch);
  hlo_parcel_queue_clear(&run->infeed);
  hlo_parcel_queue_clear(&run->outfeed);
  hlo_group_clear(&run->alone);
  hlo_memory_release(run);
}
