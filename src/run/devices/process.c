// One process of a group: its name in messages, and what only a process may do. See group.h and
// communicate.h.
#include "run/devices/communicate.h"
#include "run/devices/group.h"
#include "run/exec/run.h"

hlo_status hlo_communicate_require_process(const hlo_run *run, const hlo_step *step,
                                           hlo_error *error) {
  if (run->nesting == 0) return HLO_OK;
  return hlo_instruction_fail(step->instruction, HLO_UNSUPPORTED, error,
                              "cannot stand in a computation that is applied to elements");
}

void hlo_group_add_name(const hlo_run_group *group, int32_t process, hlo_string *out) {
  int32_t replica = process / group->partitions, partition = process % group->partitions;
  bool one_replica = group->replicas == 1, one_partition = group->partitions == 1;
  if (!one_replica || one_partition) hlo_string_add_format(out, "replica %d", (int)replica);
  if (!one_replica && !one_partition) hlo_string_add_char(out, ' ');
  if (!one_partition) hlo_string_add_format(out, "partition %d", (int)partition);
}
