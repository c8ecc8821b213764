// The list of communicating operations, and the short ones among them: device numbers, infeed and
// outfeed. See communicate.h.
#include "run/communicate.h"

#include "run/collective.h"
#include "run/run.h"
#include "run/sized.h"

#include <string.h>

hlo_status hlo_communicate_require_process(const hlo_run *run, const hlo_step *step,
                                           hlo_error *error) {
  if (run->nesting == 0) return HLO_OK;
  return hlo_instruction_fail(step->instruction, HLO_UNSUPPORTED, error,
                              "cannot stand in a computation that is applied to elements");
}

// --- parcels and slots ---

hlo_status hlo_parcel_from_slots(const hlo_frame *frame, int32_t count, const int32_t *slots,
                                 hlo_parcel **out, hlo_error *error) {
  HLO_TRY(hlo_parcel_create(count, out, error));
  for (int32_t i = 0; i < count; i++) {
    hlo_buffer *buffer = frame->slots[slots[i]];
    if (buffer != NULL) hlo_buffer_retain(buffer);
    hlo_status status =
        hlo_array_create(frame->plan->slot_shapes[slots[i]], buffer, &(*out)->arrays[i], error);
    if (status == HLO_OK) continue;
    hlo_parcel_destroy(*out);
    return status;
  }
  return HLO_OK;
}

static hlo_status fail_parcel(const hlo_step *step, const char *what, const hlo_shape *got,
                              const hlo_shape *wanted, hlo_error *error) {
  char a[HLO_SHAPE_TEXT_SIZE], b[HLO_SHAPE_TEXT_SIZE];
  return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error, "takes %s, but %s is %s",
                              hlo_shape_to_text(a, wanted), what, hlo_shape_to_text(b, got));
}

hlo_status hlo_parcel_to_slots(const hlo_parcel *parcel, hlo_frame *frame, int32_t count,
                               const int32_t *slots, const hlo_step *step, const char *what,
                               hlo_error *error) {
  if (parcel->count != count) {
    return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error,
                                "takes %d values, but %s has %d", (int)count, what,
                                (int)parcel->count);
  }
  for (int32_t i = 0; i < count; i++) {
    const hlo_array *array = parcel->arrays[i];
    const hlo_shape *wanted = frame->plan->slot_shapes[slots[i]];
    if (!hlo_shape_admits(wanted, array->shape)) {
      return fail_parcel(step, what, array->shape, wanted, error);
    }
    if (!hlo_shape_is_array(wanted)) continue;
    hlo_buffer **slot = &frame->slots[slots[i]];
    if (array->buffer->sizes == NULL) HLO_TRY(hlo_sized_from_array(array, wanted, slot, error));
    else HLO_TRY(hlo_buffer_in_layout(array->buffer, array->shape, wanted, slot, error));
  }
  return HLO_OK;
}

// --- device numbers ---

static hlo_status give_number(hlo_frame *frame, const hlo_step *step, int32_t number,
                              bool *finished, hlo_error *error) {
  HLO_TRY(hlo_step_make_results(frame, step, error));
  *(uint32_t *)frame->slots[step->results[0]]->data = (uint32_t)number;
  *finished = true;
  return HLO_OK;
}

static hlo_status replica_id(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                             hlo_error *error) {
  return give_number(frame, step, run->process / run->group->partitions, finished, error);
}

static hlo_status partition_id(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                               hlo_error *error) {
  return give_number(frame, step, run->process % run->group->partitions, finished, error);
}

// --- infeed and outfeed ---

// The leaves of the results are those of the data and, last, the token. For no data at all nothing
// is read.
static hlo_status infeed(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                         hlo_error *error) {
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  int32_t count = step->result_leaves - 1;
  *finished = true;
  if (count == 0) return HLO_OK;
  hlo_parcel *parcel = hlo_parcel_queue_take(&run->infeed);
  if (parcel == NULL) parcel = hlo_parcel_queue_take(&run->group->infeed);
  if (parcel == NULL) {
    return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error,
                                "nothing is left in the infeed");
  }
  hlo_status status = hlo_parcel_to_slots(parcel, frame, count, step->results, step,
                                          "what comes from the infeed", error);
  hlo_parcel_destroy(parcel);
  return status;
}

// The host gets what is there, not what there is room for.
static hlo_status take_actual_sizes(hlo_parcel *parcel, hlo_error *error) {
  for (int32_t i = 0; i < parcel->count; i++) {
    hlo_array *array = parcel->arrays[i];
    if (array->buffer == NULL || array->buffer->sizes == NULL) continue;
    HLO_TRY(
        hlo_sized_to_array(array->shape, array->buffer, array->shape, &parcel->arrays[i], error));
    hlo_array_destroy(array);
  }
  return HLO_OK;
}

static hlo_status outfeed(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                          hlo_error *error) {
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  hlo_parcel *parcel;
  HLO_TRY(hlo_parcel_from_slots(frame, step->operand_starts[1], step->operands, &parcel, error));
  hlo_status status = take_actual_sizes(parcel, error);
  if (status == HLO_OK) hlo_parcel_queue_add(&run->outfeed, parcel);
  else hlo_parcel_destroy(parcel);
  *finished = true;
  return status;
}

hlo_status hlo_run_feed(hlo_run *run, int32_t count, hlo_array *const *arrays, hlo_error *error) {
  hlo_parcel *parcel;
  HLO_TRY(hlo_parcel_create(count, &parcel, error));
  for (int32_t i = 0; i < count; i++) {
    hlo_buffer *buffer = arrays[i]->buffer;
    hlo_buffer_retain(buffer);
    hlo_status status = hlo_array_create(arrays[i]->shape, buffer, &parcel->arrays[i], error);
    if (status == HLO_OK) continue;
    hlo_parcel_destroy(parcel);
    return status;
  }
  hlo_parcel_queue_add(&run->infeed, parcel);
  return HLO_OK;
}

int32_t hlo_run_outfeed_count(const hlo_run *run) {
  return run->outfeed.first == NULL ? -1 : run->outfeed.first->count;
}

hlo_array *hlo_run_outfeed_take(hlo_run *run, int32_t index) {
  hlo_parcel *parcel = run->outfeed.first;
  if (parcel == NULL || index < 0 || index >= parcel->count) return NULL;
  hlo_array *array = parcel->arrays[index];
  parcel->arrays[index] = NULL;
  return array;
}

void hlo_run_outfeed_drop(hlo_run *run) {
  hlo_parcel_destroy(hlo_parcel_queue_take(&run->outfeed));
}

// --- the list ---

hlo_communicate_function *hlo_communicate_find(hlo_opcode opcode) {
  static const struct {
    hlo_opcode opcode;
    hlo_communicate_function *function;
  } rows[] = {
      {HLO_OP_REPLICA_ID, replica_id},
      {HLO_OP_PARTITION_ID, partition_id},
      {HLO_OP_INFEED, infeed},
      {HLO_OP_OUTFEED, outfeed},
      {HLO_OP_SEND, hlo_run_send},
      {HLO_OP_RECV, hlo_run_recv},
      {HLO_OP_RECV_DONE, hlo_run_recv_done},
  };
  if (hlo_collective_find(opcode) != NULL) return hlo_run_collective;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode == opcode) return rows[i].function;
  }
  return NULL;
}

hlo_communicate_function *hlo_communicate_find_target(const char *target) {
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
