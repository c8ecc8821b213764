// The exported C API: groups of processes, infeed and outfeed. Conventions and contracts in
// include/hlo.h.
#include "api/api.h"

#include "run/devices/group.h"

hlo_run_group *hlo_api_group_start(const hlo_executable *executable, int32_t replicas,
                                   int32_t partitions, int32_t count, hlo_array *const *arguments) {
  hlo_run_group *group = NULL;
  hlo_run_group_start(executable, replicas, partitions, count, arguments, &group, hlo_api_begin());
  return group;
}

int32_t hlo_api_group_continue(hlo_run_group *group, uint32_t limit) {
  bool done;
  hlo_status status = hlo_run_group_continue(group, limit, &done, hlo_api_begin());
  return status != HLO_OK ? -1 : done;
}

hlo_run *hlo_api_group_process(hlo_run_group *group, int32_t process) {
  return hlo_run_group_process(group, process);
}
void hlo_api_group_destroy(hlo_run_group *group) { hlo_run_group_destroy(group); }

int32_t hlo_api_run_feed(hlo_run *run, int32_t count, hlo_array *const *arrays) {
  return hlo_run_feed(run, count, arrays, hlo_api_begin()) == HLO_OK ? 0 : -1;
}
int32_t hlo_api_run_outfeed_count(const hlo_run *run) { return hlo_run_outfeed_count(run); }
hlo_array *hlo_api_run_outfeed_take(hlo_run *run, int32_t index) {
  hlo_api_begin();
  return hlo_run_outfeed_take(run, index);
}
void hlo_api_run_outfeed_drop(hlo_run *run) { hlo_run_outfeed_drop(run); }
