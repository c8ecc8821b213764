// Steps through which a process talks to other processes and to the host.
#ifndef HLO_RUN_DEVICES_COMMUNICATE_H
#define HLO_RUN_DEVICES_COMMUNICATE_H

#include "run/devices/parcel.h"
#include "run/plan/plan.h"

// NULL for an operation, or a custom call target, that is nothing of the kind.
hlo_communicate_function *hlo_communicate_lookup(hlo_opcode opcode);
hlo_communicate_function *hlo_communicate_lookup_target(const char *target);
// Checks what inference cannot see, when the step is planned.
hlo_status hlo_communicate_check(const hlo_step *step, hlo_error *error);
// "waits at %x (all-reduce, channel 1) for replica 2": of a run that waits.
void hlo_communicate_describe(const struct hlo_run *run, hlo_string *out);

// --- for the functions ---
// Fails in a computation that is applied element by element: it is no process.
hlo_status hlo_communicate_require_process(const struct hlo_run *run, const hlo_step *step,
                                           hlo_error *error);
// feed.c
hlo_communicate_function hlo_run_infeed, hlo_run_outfeed;
// A parcel of the buffers in the slots.
hlo_status hlo_parcel_from_slots(const struct hlo_frame *frame, int32_t count, const int32_t *slots,
                                 hlo_parcel **out, hlo_error *error);
// Puts the parcel's arrays into empty slots. HLO_RUNTIME_ERROR, which says `what` it is, when
// their shapes are others.
hlo_status hlo_parcel_to_slots(const hlo_parcel *parcel, struct hlo_frame *frame, int32_t count,
                               const int32_t *slots, const hlo_step *step, const char *what,
                               hlo_error *error);

// transfer.c
hlo_communicate_function hlo_run_send, hlo_run_recv, hlo_run_recv_done;
void hlo_transfer_describe(const struct hlo_run *run, hlo_string *out);
// parallel.c
hlo_communicate_function hlo_run_parallel;
hlo_status hlo_parallel_check(const hlo_step *step, hlo_error *error);

#endif
