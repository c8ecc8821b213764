// What a process takes from the host and gives to it: infeed and outfeed, and values between slots
// and parcels. See communicate.h and executable.h.
#include "run/devices/communicate.h"
#include "run/exec/run.h"
#include "run/exec/sized.h"

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

// --- infeed and outfeed ---

// The leaves of the results are those of the data and, last, the token. For no data at all nothing
// is read.
hlo_status hlo_run_infeed(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                          hlo_error *error) {
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  int32_t count = step->result_leaves - 1;
  *finished = true;
  if (count == 0) return HLO_OK;
  hlo_parcel *parcel = hlo_parcel_queue_remove(&run->infeed);
  if (parcel == NULL) parcel = hlo_parcel_queue_remove(&run->group->infeed);
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
static hlo_status apply_actual_sizes(hlo_parcel *parcel, hlo_error *error) {
  for (int32_t i = 0; i < parcel->count; i++) {
    hlo_array *array = parcel->arrays[i];
    if (array->buffer == NULL || array->buffer->sizes == NULL) continue;
    HLO_TRY(
        hlo_sized_to_array(array->shape, array->buffer, array->shape, &parcel->arrays[i], error));
    hlo_array_destroy(array);
  }
  return HLO_OK;
}

hlo_status hlo_run_outfeed(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                           hlo_error *error) {
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  hlo_parcel *parcel;
  HLO_TRY(hlo_parcel_from_slots(frame, step->operand_starts[1], step->operands, &parcel, error));
  hlo_status status = apply_actual_sizes(parcel, error);
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

hlo_array *hlo_run_outfeed_take(hlo_run *run, int32_t index) {
  hlo_parcel *parcel = run->outfeed.first;
  if (parcel == NULL || index < 0 || index >= parcel->count) return NULL;
  hlo_array *array = parcel->arrays[index];
  parcel->arrays[index] = NULL;
  return array;
}

void hlo_run_outfeed_drop(hlo_run *run) {
  hlo_parcel_destroy(hlo_parcel_queue_remove(&run->outfeed));
}
