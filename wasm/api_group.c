// The exported C API: groups of processes, infeed and outfeed. Conventions in api.h.
#include "api.h"

#include "run/group.h"

// Arguments of all processes in turn, replica by replica.
HLO_EXPORT
hlo_run_group *hlo_api_group_start(const hlo_executable *executable, int32_t replicas,
                                   int32_t partitions, int32_t count, hlo_array *const *arguments) {
  hlo_run_group *group = NULL;
  hlo_run_group_start(executable, replicas, partitions, count, arguments, &group, hlo_api_begin());
  return group;
}

// At most `limit` steps of all processes together (0: to the end). 1: all have ended, 0: they have
// not, -1: it failed.
HLO_EXPORT int32_t hlo_api_group_continue(hlo_run_group *group, uint32_t limit) {
  bool done;
  hlo_status status = hlo_run_group_continue(group, limit, &done, hlo_api_begin());
  return status != HLO_OK ? -1 : done;
}

// One process's run, for hlo_api_run_result, _output, _feed and _outfeed_…: the group's, which must
// not be destroyed alone. 0 when there is no such process.
HLO_EXPORT hlo_run *hlo_api_group_process(hlo_run_group *group, int32_t process) {
  return hlo_run_group_process(group, process);
}
HLO_EXPORT void hlo_api_group_destroy(hlo_run_group *group) { hlo_run_group_destroy(group); }

// Adds one item to the run's infeed. Returns 0, or -1 on error.
HLO_EXPORT int32_t hlo_api_run_feed(hlo_run *run, int32_t count, hlo_array *const *arrays) {
  return hlo_run_feed(run, count, arrays, hlo_api_begin()) == HLO_OK ? 0 : -1;
}
// Arrays in the oldest item of the run's outfeed; 0xffffffff when it is empty.
HLO_EXPORT int32_t hlo_api_run_outfeed_count(const hlo_run *run) {
  return hlo_run_outfeed_count(run);
}
HLO_EXPORT hlo_array *hlo_api_run_outfeed_take(hlo_run *run, int32_t index) {
  hlo_api_begin();
  return hlo_run_outfeed_take(run, index);
}
HLO_EXPORT void hlo_api_run_outfeed_drop(hlo_run *run) { hlo_run_outfeed_drop(run); }
