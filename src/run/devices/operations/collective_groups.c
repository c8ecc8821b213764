// Which processes take part in a collective together. See collective.h.
//
// Source: the "channel_id", "use_global_device_ids" and "replica_groups" of the operation
// semantics, and "Parallel execution" of the StableHLO specification. They agree but for the order
// of a group that takes in all partitions of its replicas; hlo_run_group says which one holds.
#include "run/devices/collective.h"

#include "run/exec/run.h"

#include <string.h>

static hlo_grouping grouping_of(const hlo_instruction *instruction,
                                const hlo_collective_kind *kind) {
  static const struct {
    const char *name;
    hlo_grouping grouping;
  } modes[] = {{"cross_replica", HLO_GROUPING_REPLICAS},
               {"cross_partition", HLO_GROUPING_PARTITIONS},
               {"cross_replica_and_partition", HLO_GROUPING_BOTH},
               {"flattened_id", HLO_GROUPING_FLATTENED}};
  const char *mode = hlo_get_text(instruction, HLO_ATTRIBUTE_MODE);
  for (size_t i = 0; mode != NULL && i < sizeof modes / sizeof *modes; i++) {
    if (strcmp(mode, modes[i].name) == 0) return modes[i].grouping;
  }
  bool has_channel = hlo_get_int(instruction, HLO_ATTRIBUTE_CHANNEL_ID, 0) > 0;
  bool is_global = hlo_get_int(instruction, HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 0) != 0;
  return !has_channel ? HLO_GROUPING_REPLICAS
         : is_global  ? HLO_GROUPING_FLATTENED
                      : kind->with_channel;
}

// How many numbers there are in the grouping's terms, and the process's own.
static int32_t number_count(hlo_grouping grouping, const hlo_run_group *group) {
  return grouping == HLO_GROUPING_PARTITIONS  ? group->partitions
         : grouping == HLO_GROUPING_FLATTENED ? hlo_run_group_process_count(group)
                                              : group->replicas;
}
static int32_t number_of(hlo_grouping grouping, const hlo_run_group *group, int32_t process) {
  return grouping == HLO_GROUPING_PARTITIONS  ? process % group->partitions
         : grouping == HLO_GROUPING_FLATTENED ? process
                                              : process / group->partitions;
}

static const char *word_for(hlo_grouping grouping) {
  return grouping == HLO_GROUPING_PARTITIONS  ? "partition"
         : grouping == HLO_GROUPING_FLATTENED ? "process"
                                              : "replica";
}

// The numbers of one group: a row of replica_groups, all pairs of a permutation, or everybody.
typedef struct number_list {
  int32_t count;
  const int64_t *numbers; // NULL: 0, 1, 2, …
  bool is_outside;        // the process's own number is not among them
} number_list;

// Numbers that take part in a permutation; others give zeros without waiting for anyone.
static hlo_status numbers_of_pairs(const hlo_attribute *pairs, int32_t total, int32_t own,
                                   hlo_arena *scratch, number_list *out, hlo_error *error) {
  bool *there;
  int64_t *numbers;
  HLO_ALLOC(there, scratch, total, error);
  HLO_ALLOC(numbers, scratch, total, error);
  for (int32_t i = 0; i < pairs->count; i++) {
    if (pairs->ints[i] < total) there[pairs->ints[i]] = true;
  }
  *out = (number_list){.numbers = numbers, .is_outside = !there[own]};
  for (int32_t i = 0; i < total; i++) {
    if (there[i]) numbers[out->count++] = i;
  }
  return HLO_OK;
}

static hlo_status numbers_of(const hlo_instruction *instruction, hlo_grouping grouping,
                             const hlo_run_group *group, int32_t own, hlo_arena *scratch,
                             number_list *out, hlo_error *error) {
  const hlo_attribute *pairs = hlo_find_attribute(instruction, HLO_ATTRIBUTE_SOURCE_TARGET_PAIRS);
  const hlo_attribute *groups = hlo_find_attribute(instruction, HLO_ATTRIBUTE_REPLICA_GROUPS);
  const hlo_attribute *list = pairs != NULL ? pairs : groups;
  int32_t total = number_count(grouping, group);
  *out = (number_list){.count = total};
  for (int32_t i = 0; list != NULL && i < list->count; i++) {
    if (list->ints[i] < total) continue;
    return hlo_instruction_fail(instruction, HLO_RUNTIME_ERROR, error,
                                "%s name %s %lld, but the program runs as %d replicas of %d "
                                "partitions",
                                hlo_attribute_name(list->id), word_for(grouping),
                                (long long)list->ints[i], (int)group->replicas,
                                (int)group->partitions);
  }
  if (pairs != NULL) return numbers_of_pairs(pairs, total, own, scratch, out, error);
  if (groups == NULL || groups->count == 0) return HLO_OK;
  const int64_t *row = groups->ints;
  for (int32_t r = 0; r < groups->row_count; row += groups->row_lengths[r++]) {
    for (int64_t i = 0; i < groups->row_lengths[r]; i++) {
      if (row[i] != own) continue;
      *out = (number_list){.count = (int32_t)groups->row_lengths[r], .numbers = row};
      return HLO_OK;
    }
  }
  *out = (number_list){.is_outside = true};
  return HLO_OK;
}

static void add_member(hlo_process_group *out, int32_t process, int64_t number) {
  out->processes[out->count] = process;
  out->numbers[out->count++] = number;
}

// The processes that the numbers mean, seen from `process`.
static hlo_status list_members(hlo_grouping grouping, const number_list *list,
                               const hlo_run_group *group, int32_t process, hlo_arena *scratch,
                               hlo_process_group *out, hlo_error *error) {
  int32_t partitions = group->partitions;
  bool both = grouping == HLO_GROUPING_BOTH, partitions_first = both && group->partitions_outermost;
  int32_t inner = both && !partitions_first ? partitions : 1;
  int32_t outer = partitions_first ? partitions : 1;
  int64_t size = (int64_t)list->count * inner * outer;
  HLO_ALLOC(out->processes, scratch, size, error);
  HLO_ALLOC(out->numbers, scratch, size, error);
  for (int32_t o = 0; o < outer; o++) {
    for (int32_t i = 0; i < list->count; i++) {
      int32_t number = list->numbers == NULL ? i : (int32_t)list->numbers[i];
      for (int32_t k = 0; k < inner; k++) {
        int32_t member = number;
        if (grouping == HLO_GROUPING_PARTITIONS) {
          member = process / partitions * partitions + number;
        } else if (grouping == HLO_GROUPING_REPLICAS) {
          member = number * partitions + process % partitions;
        } else if (both) {
          member = number * partitions + (partitions_first ? o : k);
        }
        add_member(out, member, number);
      }
    }
  }
  return HLO_OK;
}

hlo_status hlo_process_group_of(const hlo_instruction *instruction, const hlo_collective_kind *kind,
                                const hlo_run_group *group, int32_t process, hlo_arena *scratch,
                                hlo_process_group *out, hlo_error *error) {
  hlo_grouping grouping = grouping_of(instruction, kind);
  number_list list;
  *out = (hlo_process_group){0};
  int32_t own = number_of(grouping, group, process);
  HLO_TRY(numbers_of(instruction, grouping, group, own, scratch, &list, error));
  if (!list.is_outside) {
    return list_members(grouping, &list, group, process, scratch, out, error);
  }
  if (!kind->tolerates_outsiders) {
    return hlo_instruction_fail(instruction, HLO_RUNTIME_ERROR, error,
                                "%s %d is in none of the replica_groups", word_for(grouping),
                                (int)own);
  }
  out->is_outside = true;
  HLO_ALLOC(out->processes, scratch, 1, error);
  HLO_ALLOC(out->numbers, scratch, 1, error);
  add_member(out, process, own);
  return HLO_OK;
}
