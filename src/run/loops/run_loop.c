// Runs loops that are one generated function. See loop.h.
#include "run/loops/run_loop.h"

#include "kernels/machine.h"

#include <stddef.h>
#include <string.h>

enum { ALIGNMENT = 16, FEW = 8 };

// What stands in front of the block.
typedef struct loop_run {
  hlo_run *run;
  const hlo_step *step;
  hlo_status status;
  hlo_error *error;
} loop_run;

enum { HEADER = (sizeof(loop_run) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

static loop_run *loop_run_of(void *block) { return (loop_run *)((char *)block - HEADER); }

// In WebAssembly an address is 32 bits; natively nobody calls the emitted function.
static void *get_address(const char *block, int32_t at) {
  uint32_t address;
  memcpy(&address, block + at, sizeof address);
  return (void *)(uintptr_t)address;
}

static void set_address(char *block, int32_t at, const void *data) {
  uint32_t address = (uint32_t)(uintptr_t)data;
  memcpy(block + at, &address, sizeof address);
}

// --- steps of the engine's ---

static hlo_status call_step(hlo_run *run, const hlo_loop_call *call, const char *block,
                            hlo_error *error) {
  const hlo_step *step = call->step;
  int32_t count = step->operand_leaves + step->result_leaves;
  if (step->lanes > 0) {
    const void *operands[HLO_STEP_LANE_OPERANDS];
    for (int32_t i = 0; i < step->operand_leaves; i++)
      operands[i] = get_address(block, call->at + 4 * i);
    step->lane_op.run(&step->lane_op, get_address(block, call->at + 4 * step->operand_leaves),
                      operands, step->lanes);
    return HLO_OK;
  }
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  if (step->contraction != NULL) {
    return hlo_contraction_run(step->contraction, &evaluator, get_address(block, call->at),
                               get_address(block, call->at + 4), get_address(block, call->at + 8),
                               error);
  }
  hlo_view few[FEW], *views = few;
  if (count > FEW) HLO_ALLOC(views, &run->scratch, count, error);
  for (int32_t i = 0; i < count; i++) {
    bool is_operand = i < step->operand_leaves;
    int32_t slot = is_operand ? step->operands[i] : step->results[i - step->operand_leaves];
    hlo_view_set(&views[i], call->plan->slot_shapes[slot], get_address(block, call->at + 4 * i));
  }
  hlo_view *results = views + step->operand_leaves;
  if (step->kind == HLO_STEP_CUSTOM) return hlo_step_call_custom(run, step, views, results, error);
  evaluator.packed = step->packed;
  return hlo_evaluate(&evaluator, step->instruction, views, results, error);
}

void hlo_loop_call_step(void *block, int32_t number, int32_t a, int32_t b, int32_t c) {
  loop_run *loop = loop_run_of(block);
  const hlo_loop_call *call = &loop->step->loop->calls[number];
  (void)a, (void)b, (void)c;
  hlo_arena_mark mark = hlo_arena_get_mark(&loop->run->scratch);
  loop->status = call_step(loop->run, call, block, loop->error);
  hlo_arena_rewind(&loop->run->scratch, mark);
  if (loop->status == HLO_OK) return;
  hlo_error_locate(loop->error, call->step->instruction->line, call->step->instruction->column);
  ((hlo_driver_block *)block)->state = HLO_DRIVER_FAILED;
}

// --- state ---

// A leaf of the state as the loop needs it: memory of its own, if it changes.
static hlo_status prepare_leaf(hlo_buffer **slot, const hlo_loop_memory *memory, char *block,
                               hlo_buffer **out, hlo_error *error) {
  hlo_buffer *buffer = *slot;
  if (memory->is_number) {
    memcpy(block + memory->at, buffer->data, (size_t)memory->bytes);
    return HLO_OK;
  }
  if (memory->is_fixed || buffer->references == 1) {
    *slot = NULL;
  } else {
    hlo_buffer *own;
    HLO_TRY(hlo_buffer_create(memory->bytes, &own, error));
    memcpy(own->data, buffer->data, (size_t)memory->bytes);
    hlo_buffer_release(buffer);
    *slot = NULL;
    buffer = own;
  }
  *out = buffer;
  set_address(block, memory->at, buffer->data);
  return HLO_OK;
}

// buffers: by memory; NULL of numbers.
static hlo_status prepare_state(const hlo_loop *loop, hlo_frame *frame, const hlo_step *step,
                                char *block, hlo_buffer **buffers, hlo_error *error) {
  for (int32_t i = 0; i < loop->leaves; i++) {
    hlo_buffer **slot = &frame->slots[step->results[i]];
    HLO_TRY(prepare_leaf(slot, &loop->memory[i], block, &buffers[i], error));
  }
  for (int32_t i = loop->leaves; i < loop->leaves + loop->extra; i++) {
    HLO_TRY(hlo_buffer_create(loop->memory[i].bytes, &buffers[i], error));
    set_address(block, loop->memory[i].at, buffers[i]->data);
  }
  return HLO_OK;
}

// The buffer at whose memory the leaf is now: mostly that after the last one that was found, since
// states are handed on in order.
static hlo_status return_leaf(const hlo_loop *loop, int32_t leaf, const char *block,
                              hlo_buffer **buffers, int32_t *last, hlo_buffer **slot,
                              hlo_error *error) {
  const hlo_loop_memory *memory = &loop->memory[leaf];
  if (memory->is_number) {
    hlo_buffer_release(*slot);
    HLO_TRY(hlo_buffer_create(memory->bytes, slot, error));
    memcpy((*slot)->data, block + memory->at, (size_t)memory->bytes);
    return HLO_OK;
  }
  const void *address = get_address(block, memory->at);
  int32_t count = loop->leaves + loop->extra;
  for (int32_t tried = 0, i = *last; tried < count; tried++) {
    if (++i >= count) i = 0;
    if (memory->is_fixed) i = leaf;
    if (buffers[i] == NULL || (!memory->is_fixed && buffers[i]->data != address)) {
      if (memory->is_fixed) break;
      continue;
    }
    *slot = buffers[i];
    buffers[i] = NULL;
    *last = i;
    break;
  }
  return HLO_OK;
}

static hlo_status run_rounds(hlo_run *run, const hlo_step *step, char *block) {
  const hlo_program *program = run->executable->program;
  hlo_emitted_function *function = program->plans.functions[step->kernel_number];
  hlo_driver_block *head = (hlo_driver_block *)block;
  loop_run *loop = loop_run_of(block);
  do {
    int64_t rounds = run->steps_left / step->loop->steps + 1;
    if (rounds > HLO_CALL_ELEMENTS / step->loop->steps + 1)
      rounds = HLO_CALL_ELEMENTS / step->loop->steps + 1;
    if (rounds > HLO_CALL_ROUNDS) rounds = HLO_CALL_ROUNDS;
    head->state = HLO_DRIVER_MORE;
    function((const void *const *)(void *)block, (int32_t)rounds, 0, 0, 0);
    run->steps_left -= rounds * step->loop->steps;
  } while (head->state == HLO_DRIVER_MORE && run->steps_left > 0);
  return loop->status;
}

static hlo_status execute(hlo_run *run, hlo_frame *frame, const hlo_step *step, char *block,
                          hlo_buffer **buffers, hlo_driver_state *out, hlo_error *error) {
  const hlo_loop *loop = step->loop;
  char *scratch = hlo_arena_array_raw(&run->scratch, 1, (size_t)loop->scratch_bytes + 1);
  if (scratch == NULL) return hlo_fail_out_of_memory(error);
  set_address(block, offsetof(hlo_driver_block, scratch), scratch);
  *loop_run_of(block) = (loop_run){.run = run, .step = step, .error = error};
  HLO_TRY(prepare_state(loop, frame, step, block, buffers, error));
  HLO_TRY(run_rounds(run, step, block));
  *out = (hlo_driver_state)((hlo_driver_block *)block)->state;
  for (int32_t i = 0, last = -1; i < loop->leaves; i++) {
    HLO_TRY(return_leaf(loop, i, block, buffers, &last, &frame->slots[step->results[i]], error));
  }
  return HLO_OK;
}

hlo_status hlo_loop_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                            hlo_driver_state *out, hlo_error *error) {
  const hlo_loop *loop = step->loop;
  int32_t count = loop->leaves + loop->extra;
  hlo_arena_mark mark = hlo_arena_get_mark(&run->scratch);
  char *memory = hlo_arena_array(&run->scratch, 1, HEADER + (size_t)loop->block_bytes);
  hlo_buffer **buffers = hlo_arena_array(&run->scratch, (size_t)count + 1, sizeof *buffers);
  hlo_status status = memory == NULL || buffers == NULL
                          ? hlo_fail_out_of_memory(error)
                          : execute(run, frame, step, memory + HEADER, buffers, out, error);
  for (int32_t i = 0; buffers != NULL && i < count; i++) hlo_buffer_release(buffers[i]);
  hlo_arena_rewind(&run->scratch, mark);
  return status;
}
