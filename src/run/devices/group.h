// Several processes that run one program, or several, together: replicas x partitions of them,
// stepped in turn by one thread. Processes talk through collectives, send and recv; one that
// cannot go on waits, and when none can the run fails with an error that says who waits for whom.
#ifndef HLO_RUN_DEVICES_GROUP_H
#define HLO_RUN_DEVICES_GROUP_H

#include "run/executable.h"

typedef struct hlo_run_group hlo_run_group;
enum { HLO_MAX_PROCESSES = 1 << 16 };

// Starts replicas x partitions processes of one executable. Arguments: those of hlo_run_start for
// each process in turn, replica by replica; borrowed until this returns.
hlo_status hlo_run_group_start(const hlo_executable *executable, int32_t replicas,
                               int32_t partitions, int32_t argument_count,
                               hlo_array *const *arguments, hlo_run_group **out, hlo_error *error);
// Takes at most step_limit steps of all processes together (0: to the end). *done says whether all
// have ended. HLO_RUNTIME_ERROR when processes wait for each other in vain, disagree about a
// collective, or end with messages that nobody received.
hlo_status hlo_run_group_continue(hlo_run_group *group, int64_t step_limit, bool *done,
                                  hlo_error *error);
int32_t hlo_run_group_process_count(const hlo_run_group *group);
// Process replica * partitions + partition: for hlo_run_result, hlo_run_output, feeds and
// observers. The group's.
hlo_run *hlo_run_group_process(hlo_run_group *group, int32_t process);
void hlo_run_group_destroy(hlo_run_group *group); // at any time; NULL is fine

// --- for run/ ---
typedef struct hlo_plan hlo_plan;
// Processes without a frame yet: all NULL.
hlo_status hlo_run_group_create(int32_t replicas, int32_t partitions, hlo_run_group **out,
                                hlo_error *error);
void hlo_group_clear(hlo_run_group *group); // messages and gatherings
// The error of a group in which nobody can go on.
hlo_status hlo_group_fail_deadlock(const hlo_run_group *group, hlo_error *error);
// What must hold when all processes have ended.
hlo_status hlo_group_check_end(const hlo_run_group *group, hlo_error *error);
// "replica 1", "partition 0", "replica 1 partition 0": what tells the process from the others.
void hlo_group_add_name(const hlo_run_group *group, int32_t process, hlo_string *out);

#endif
