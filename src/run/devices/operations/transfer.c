// Send and recv between processes. A send posts its data at once and never waits; recv-done waits
// until something for it was posted on its channel. Which process a message is for is said by
// source_target_pairs, in the frontend attribute in which XLA keeps them; without, the first that
// receives on the channel gets it. The host takes no part: a host transfer needs a process at the
// other end as well. Source: "Send", "Recv" of the operation semantics.
#include "hlo/attributes/transfer_pairs.h"
#include "run/devices/communicate.h"
#include "run/exec/run.h"

#include <string.h>

enum { NOBODY = -2 };

// The instruction that began the transfer, for a done.
static const hlo_instruction *start_of(const hlo_instruction *instruction) {
  const hlo_instruction *start =
      instruction->opcode == HLO_OP_RECV_DONE ? instruction->operands[0] : instruction;
  return start->opcode == HLO_OP_RECV ? start : instruction;
}

static int64_t channel_of(const hlo_instruction *instruction) {
  int64_t channel = hlo_get_int(instruction, HLO_ATTRIBUTE_CHANNEL_ID, 0);
  return channel != 0 ? channel : hlo_get_int(start_of(instruction), HLO_ATTRIBUTE_CHANNEL_ID, 0);
}

// The process at the other end: HLO_ANY_PROCESS when the program does not say, NOBODY when it says
// that there is none.
static int32_t partner_of(const hlo_instruction *instruction, int32_t process, bool is_source) {
  const char *text = hlo_transfer_pairs(instruction);
  if (text == NULL) text = hlo_transfer_pairs(start_of(instruction));
  if (text == NULL) return HLO_ANY_PROCESS;
  int64_t pair[2];
  while (hlo_transfer_next_pair(&text, pair)) {
    if (pair[is_source ? 0 : 1] == process) return (int32_t)pair[is_source ? 1 : 0];
  }
  return NOBODY;
}

// Those who wait for messages look again.
static void wake_receivers(hlo_run_group *group) {
  for (int32_t i = 0; i < hlo_run_group_process_count(group); i++) {
    hlo_run *run = group->processes[i];
    if (run->gathering == NULL) run->waiting = false;
  }
}

hlo_status hlo_run_send(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                        hlo_error *error) {
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  const hlo_instruction *instruction = step->instruction;
  int32_t receiver = partner_of(instruction, run->process, true);
  *finished = true;
  if (receiver == NOBODY) return HLO_OK;
  if (receiver >= hlo_run_group_process_count(run->group)) {
    return hlo_instruction_fail(instruction, HLO_RUNTIME_ERROR, error, "sends to process %d of %d",
                                (int)receiver, (int)hlo_run_group_process_count(run->group));
  }
  hlo_parcel *message;
  HLO_TRY(hlo_parcel_from_slots(frame, step->operand_starts[1], step->operands, &message, error));
  message->instruction = instruction;
  message->channel = channel_of(instruction);
  message->sender = run->process;
  message->receiver = receiver;
  hlo_parcel_queue_add(&run->group->messages, message);
  wake_receivers(run->group);
  return HLO_OK;
}

static hlo_status return_zeros(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  HLO_TRY(hlo_step_allocate_results(frame, step, error));
  for (int32_t i = 0; i < step->result_leaves; i++) {
    hlo_buffer *buffer = frame->slots[step->results[i]];
    if (buffer != NULL) memset(buffer->data, 0, (size_t)buffer->size);
  }
  return HLO_OK;
}

// Of what a recv gives, only the done reads anything, and not here.
hlo_status hlo_run_recv(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                        hlo_error *error) {
  (void)run;
  *finished = true;
  return return_zeros(frame, step, error);
}

hlo_status hlo_run_recv_done(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                             hlo_error *error) {
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  int32_t sender = partner_of(step->instruction, run->process, false);
  *finished = true;
  if (sender == NOBODY) return return_zeros(frame, step, error);
  hlo_parcel *message = hlo_parcel_queue_receive(
      &run->group->messages, channel_of(step->instruction), sender, run->process);
  if (message == NULL) {
    run->waiting = true;
    *finished = false;
    return HLO_OK;
  }
  hlo_status status = hlo_parcel_to_slots(message, frame, step->result_leaves - 1, step->results,
                                          step, "what was sent", error);
  hlo_parcel_destroy(message);
  return status;
}

void hlo_transfer_describe(const hlo_run *run, hlo_string *out) {
  const hlo_instruction *instruction = hlo_frame_step(run->frame)->instruction;
  int32_t sender = partner_of(instruction, run->process, false);
  bool from_host = hlo_get_int(start_of(instruction), HLO_ATTRIBUTE_IS_HOST_TRANSFER, 0) != 0;
  hlo_string_add(out, "a send ");
  if (hlo_get_int(instruction, HLO_ATTRIBUTE_CHANNEL_ID, 0) <= 0) {
    hlo_string_add_format(out, "on channel %lld ", (long long)channel_of(instruction));
  }
  if (sender >= 0 && sender < hlo_run_group_process_count(run->group)) {
    hlo_string_add(out, "of ");
    hlo_group_add_name(run->group, sender, out);
  } else {
    hlo_string_add(out, from_host ? "(no host is connected)" : "of any process");
  }
}
