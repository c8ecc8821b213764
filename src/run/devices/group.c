// Groups of processes: which process runs next, and what is wrong when none can. See group.h.
#include "run/devices/group.h"

#include "run/devices/collective.h"
#include "run/devices/communicate.h"
#include "run/exec/run.h"

#include <string.h>

// Steps that a process takes before it is another's turn.
enum { TURN = 256, MOST_LISTED = 8 };

static int32_t process_count(const hlo_run_group *group) {
  return group->replicas * group->partitions;
}

int32_t hlo_run_group_process_count(const hlo_run_group *group) { return process_count(group); }

hlo_run *hlo_run_group_process(hlo_run_group *group, int32_t process) {
  return process < 0 || process >= process_count(group) ? NULL : group->processes[process];
}

void hlo_group_clear(hlo_run_group *group) {
  if (group->gatherings != NULL) hlo_gatherings_clear(group);
  hlo_parcel_queue_clear(&group->messages);
  hlo_parcel_queue_clear(&group->infeed);
}

hlo_status hlo_run_group_create(int32_t replicas, int32_t partitions, hlo_run_group **out,
                                hlo_error *error) {
  *out = NULL;
  if (replicas < 1 || partitions < 1 || replicas > HLO_MAX_PROCESSES ||
      partitions > HLO_MAX_PROCESSES / replicas) {
    return hlo_fail(error, HLO_INVALID_ARGUMENT,
                    "%d replicas of %d partitions: there must be 1 to %d processes", (int)replicas,
                    (int)partitions, (int)HLO_MAX_PROCESSES);
  }
  size_t list = (size_t)replicas * (size_t)partitions * sizeof(hlo_run *);
  hlo_run_group *group = hlo_memory_alloc(sizeof *group + list);
  if (group == NULL) return hlo_fail_out_of_memory(error);
  *group = (hlo_run_group){.replicas = replicas, .partitions = partitions};
  group->processes = (hlo_run **)(group + 1);
  memset(group->processes, 0, list);
  *out = group;
  return HLO_OK;
}

void hlo_run_group_destroy(hlo_run_group *group) {
  if (group == NULL) return;
  for (int32_t i = 0; i < process_count(group); i++) hlo_run_destroy(group->processes[i]);
  hlo_group_clear(group);
  hlo_memory_release(group);
}

hlo_status hlo_run_group_start(const hlo_executable *executable, int32_t replicas,
                               int32_t partitions, int32_t argument_count,
                               hlo_array *const *arguments, hlo_run_group **out, hlo_error *error) {
  hlo_run_group *group;
  *out = NULL;
  HLO_TRY(hlo_run_group_create(replicas, partitions, &group, error));
  int32_t parameters = hlo_executable_parameter_count(executable);
  int64_t wanted = (int64_t)process_count(group) * parameters;
  hlo_status status = HLO_OK;
  if (argument_count != wanted) {
    status = hlo_fail(error, HLO_INVALID_ARGUMENT,
                      "%d processes of a program of %d parameters take %lld arguments, got %d",
                      (int)process_count(group), (int)parameters, (long long)wanted,
                      (int)argument_count);
  }
  for (int32_t i = 0; status == HLO_OK && i < process_count(group); i++) {
    hlo_array *const *first = parameters > 0 ? arguments + (int64_t)i * parameters : NULL;
    status = hlo_run_start(executable, parameters, first, &group->processes[i], error);
    if (status != HLO_OK) break;
    group->processes[i]->group = group;
    group->processes[i]->process = i;
  }
  if (status != HLO_OK) {
    hlo_run_group_destroy(group);
    return status;
  }
  *out = group;
  return HLO_OK;
}

// --- names and errors ---

// Says in an error of one of several processes which one it was.
static void name_process(const hlo_run_group *group, int32_t process, hlo_error *error) {
  if (error == NULL || process_count(group) == 1 || error->status == HLO_OUT_OF_MEMORY) return;
  hlo_string text = {0};
  hlo_string_add(&text, " (in ");
  hlo_group_add_name(group, process, &text);
  hlo_string_add_char(&text, ')');
  size_t length = strlen(error->message);
  if (!text.failed && length + text.length < sizeof error->message) {
    memcpy(error->message + length, text.text, text.length + 1);
  }
  hlo_string_free(&text);
}

hlo_status hlo_group_fail_deadlock(const hlo_run_group *group, hlo_error *error) {
  const hlo_instruction *place = NULL;
  hlo_string text = {0};
  int32_t listed = 0, waiting = 0;
  for (int32_t i = 0; i < process_count(group); i++) {
    const hlo_run *run = group->processes[i];
    if (run->frame == NULL) continue;
    waiting++;
    if (listed == MOST_LISTED) continue;
    if (listed++ > 0) hlo_string_add(&text, "; ");
    else place = hlo_frame_step(run->frame)->instruction;
    hlo_group_add_name(group, i, &text);
    hlo_string_add_char(&text, ' ');
    hlo_communicate_describe(run, &text);
  }
  if (waiting > listed) hlo_string_add_format(&text, "; and %d more", (int)(waiting - listed));
  hlo_status status = text.failed
                          ? hlo_fail_out_of_memory(error)
                          : hlo_instruction_fail(place, HLO_RUNTIME_ERROR, error,
                                                 "deadlock, no process can go on: %s", text.text);
  hlo_string_free(&text);
  return status;
}

hlo_status hlo_group_check_end(const hlo_run_group *group, hlo_error *error) {
  const hlo_parcel *message = group->messages.first;
  if (message == NULL) return HLO_OK;
  hlo_string text = {0};
  hlo_group_add_name(group, message->sender, &text);
  hlo_status status = text.failed
                          ? hlo_fail_out_of_memory(error)
                          : hlo_instruction_fail(message->instruction, HLO_RUNTIME_ERROR, error,
                                                 "what %s sent on channel %lld was never received",
                                                 text.text, (long long)message->channel);
  hlo_string_free(&text);
  return status;
}

// --- taking turns ---

// The next process from group->turn on that can take a step; -1: none.
static int32_t next_process(const hlo_run_group *group) {
  for (int32_t i = 0; i < process_count(group); i++) {
    int32_t process = (group->turn + i) % process_count(group);
    const hlo_run *run = group->processes[process];
    if (run->frame != NULL && !run->waiting) return process;
  }
  return -1;
}

static bool all_ended(const hlo_run_group *group) {
  for (int32_t i = 0; i < process_count(group); i++) {
    if (group->processes[i]->frame != NULL) return false;
  }
  return true;
}

hlo_status hlo_run_group_continue(hlo_run_group *group, int64_t step_limit, bool *done,
                                  hlo_error *error) {
  int64_t left = step_limit > 0 ? step_limit : INT64_MAX;
  *done = false;
  while (left > 0) {
    int32_t process = next_process(group);
    if (process < 0 && !all_ended(group)) return hlo_group_fail_deadlock(group, error);
    if (process < 0) {
      HLO_TRY(hlo_group_check_end(group, error));
      *done = true;
      return HLO_OK;
    }
    int64_t most = left < TURN ? left : TURN;
    hlo_status status = hlo_run_advance(group->processes[process], most, error);
    if (status != HLO_OK) {
      name_process(group, process, error);
      return status;
    }
    left -= most - group->processes[process]->steps_left;
    group->turn = (process + 1) % process_count(group);
  }
  return HLO_OK;
}
