// Runs emitted code over all rows of a fusion, so much at a time that the host's engine gets to
// optimise it between calls. See fused.h.
#include "run/fused.h"

#include "run/sized.h"

static hlo_emitted_function *function_of(const hlo_run *run, const hlo_step *step) {
  return run->executable->plans.functions[step->kernel_number];
}

bool hlo_fused_is_ready(const hlo_run *run, const hlo_step *step) {
  // Code is for the sizes that the program states.
  return step->kernel != NULL && function_of(run, step) != NULL &&
         !hlo_step_is_sized(run->frame, step);
}

static int32_t slot_of(const hlo_step *step, int32_t operand) {
  return step->operands[step->operand_starts[operand]];
}

// The operand's slot if its memory is free to take over; another operand must not be the same
// array.
static int32_t free_slot(const hlo_frame *frame, const hlo_step *step, int32_t operand,
                         const hlo_shape *result) {
  int32_t slot = operand < 0 ? -1 : slot_of(step, operand), uses = 0;
  if (slot < 0 || !hlo_step_may_take_over(frame, step, slot, result)) return -1;
  for (int32_t i = 0; i < step->operand_leaves; i++) uses += step->operands[i] == slot;
  return uses == 1 ? slot : -1;
}

static hlo_status prepare_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    const hlo_shape *shape = frame->plan->slot_shapes[step->results[i]];
    int32_t slot = free_slot(frame, step, step->kernel->in_place[i], shape);
    if (slot < 0) {
      HLO_TRY(hlo_step_make_result(frame, step->results[i], error));
      continue;
    }
    frame->slots[step->results[i]] = frame->slots[slot];
    hlo_buffer_retain(frame->slots[slot]);
  }
  return HLO_OK;
}

static hlo_status bind_arguments(hlo_run *run, const hlo_frame *frame, const hlo_step *step,
                                 const void ***out, hlo_error *error) {
  const hlo_emit_kernel *kernel = step->kernel;
  const void **arguments;
  HLO_ALLOC(arguments, &run->scratch, kernel->argument_count, error);
  for (int32_t i = 0; i < kernel->argument_count; i++) {
    const hlo_emit_argument *argument = &kernel->arguments[i];
    if (argument->kind == HLO_ARGUMENT_OPERAND) {
      arguments[i] = frame->slots[slot_of(step, argument->index)]->data;
    } else if (argument->kind == HLO_ARGUMENT_RESULT) {
      arguments[i] = frame->slots[step->results[argument->index]]->data;
    } else if (argument->kind == HLO_ARGUMENT_CONSTANT) {
      arguments[i] = argument->data;
    } else {
      arguments[i] = hlo_arena_alloc(&run->scratch, (size_t)kernel->scratch_bytes);
      if (arguments[i] == NULL) return hlo_fail_out_of_memory(error);
    }
  }
  *out = arguments;
  return HLO_OK;
}

hlo_status hlo_fused_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                             hlo_error *error) {
  const hlo_emit_kernel *kernel = step->kernel;
  hlo_emitted_function *function = function_of(run, step);
  const void **arguments;
  HLO_TRY(prepare_results(frame, step, error));
  HLO_TRY(bind_arguments(run, frame, step, &arguments, error));
  for (int64_t row = 0; row < kernel->rows; row += kernel->row_chunk) {
    int64_t row_end =
        row + kernel->row_chunk < kernel->rows ? row + kernel->row_chunk : kernel->rows;
    for (int64_t inner = 0; inner < kernel->inner; inner += kernel->inner_chunk) {
      int64_t end =
          inner + kernel->inner_chunk < kernel->inner ? inner + kernel->inner_chunk : kernel->inner;
      function(arguments, (int32_t)row, (int32_t)row_end, (int32_t)inner, (int32_t)end);
    }
  }
  return HLO_OK;
}
