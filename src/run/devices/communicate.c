// The list of communicating operations, and the short ones among them: device numbers. See
// communicate.h.
#include "run/devices/communicate.h"

#include "run/devices/collective.h"
#include "run/exec/run.h"

#include <string.h>

// --- device numbers ---

static hlo_status return_number(hlo_frame *frame, const hlo_step *step, int32_t number,
                                bool *finished, hlo_error *error) {
  HLO_TRY(hlo_step_allocate_results(frame, step, error));
  *(uint32_t *)frame->slots[step->results[0]]->data = (uint32_t)number;
  *finished = true;
  return HLO_OK;
}

static hlo_status replica_id(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                             hlo_error *error) {
  return return_number(frame, step, run->process / run->group->partitions, finished, error);
}

static hlo_status partition_id(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                               hlo_error *error) {
  return return_number(frame, step, run->process % run->group->partitions, finished, error);
}

// Here, not in feed.c: hosts ask after every run.
int32_t hlo_run_outfeed_count(const hlo_run *run) {
  return run->outfeed.first == NULL ? -1 : run->outfeed.first->count;
}

// --- the list ---

hlo_communicate_function *hlo_communicate_lookup(hlo_opcode opcode) {
  static const struct {
    hlo_opcode opcode;
    hlo_communicate_function *function;
  } rows[] = {
      {HLO_OP_REPLICA_ID, replica_id},       {HLO_OP_PARTITION_ID, partition_id},
      {HLO_OP_INFEED, hlo_run_infeed},       {HLO_OP_OUTFEED, hlo_run_outfeed},
      {HLO_OP_SEND, hlo_run_send},           {HLO_OP_RECV, hlo_run_recv},
      {HLO_OP_RECV_DONE, hlo_run_recv_done},
  };
  if (hlo_collective_kind_of(opcode) != NULL) return hlo_run_collective;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode == opcode) return rows[i].function;
  }
  return NULL;
}

hlo_communicate_function *hlo_communicate_lookup_target(const char *target) {
  bool is_parallel = target != NULL && strcmp(target, "interpreter.run_parallel") == 0;
  return is_parallel ? hlo_run_parallel : NULL;
}

hlo_status hlo_communicate_check(const hlo_step *step, hlo_error *error) {
  if (step->communicate == hlo_run_parallel) return hlo_parallel_check(step, error);
  if (step->communicate == hlo_run_collective) return hlo_collective_check(step, error);
  return HLO_OK;
}

void hlo_communicate_describe(const hlo_run *run, hlo_string *out) {
  const hlo_instruction *instruction = hlo_frame_step(run->frame)->instruction;
  hlo_string_add_format(out, "waits at %%%.*s (%s", 200, instruction->name,
                        hlo_op_get(instruction->opcode)->name);
  int64_t channel = hlo_get_int(instruction, HLO_ATTRIBUTE_CHANNEL_ID, 0);
  if (channel > 0) hlo_string_add_format(out, ", channel %lld", (long long)channel);
  hlo_string_add(out, ") for ");
  if (run->gathering != NULL) hlo_collective_describe(run, out);
  else hlo_transfer_describe(run, out);
}
