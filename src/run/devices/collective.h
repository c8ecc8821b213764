// Collectives: operations whose result needs a value from each process of a group. A process that
// arrives waits until its whole group has; then the results of all are computed at once.
//
// To add one: a row in ops.def with the property COLLECTIVE, a row in collective.c's list, and a
// function that computes all results.
#ifndef HLO_RUN_DEVICES_COLLECTIVE_H
#define HLO_RUN_DEVICES_COLLECTIVE_H

#include "kernels/eval.h"
#include "run/devices/communicate.h"
#include "run/devices/group.h"

// One process's part.
typedef struct hlo_participant {
  int64_t number; // in the terms of replica_groups and source_target_pairs
  const hlo_view *operands;
  hlo_view *results; // memory with undefined contents
} hlo_participant;

// All values that one group's collective is about. Operands, and results, have the same shapes
// everywhere, but for the sizes of dynamic dimensions, which views have been cut to.
typedef struct hlo_collective {
  const hlo_instruction *instruction; // that of whoever arrived first
  const hlo_evaluator *evaluator;
  const struct hlo_reference
      *reference; // where the oracle evaluates in place of kernels; else NULL
  int32_t operand_count, result_count;
  int32_t count;
  const hlo_participant *participants; // in the order of the group
  bool is_outside;                     // one process that is in none of the groups
} hlo_collective;

typedef hlo_status hlo_collective_function(const hlo_collective *collective, hlo_error *error);
// The sizes of participant `to`'s result `index`, from those of the operands.
typedef hlo_status hlo_collective_sizes(const hlo_collective *collective, int32_t to, int32_t index,
                                        int64_t *dims, hlo_error *error);

// How attributes name a process (collective_groups.c).
typedef enum hlo_grouping {
  HLO_GROUPING_REPLICAS,   // replica numbers; groups across the replicas of one partition
  HLO_GROUPING_PARTITIONS, // partition numbers; groups across the partitions of one replica
  HLO_GROUPING_BOTH,       // replica numbers; groups take in all partitions
  HLO_GROUPING_FLATTENED,  // replica * partitions + partition
} hlo_grouping;

typedef struct hlo_collective_kind {
  hlo_opcode opcode;
  // What a channel without use_global_device_ids makes of it: BOTH or PARTITIONS.
  hlo_grouping with_channel;
  bool tolerates_outsiders; // a process in none of the groups gets zeros
  hlo_collective_function *compute;
  hlo_collective_sizes *sizes;
} hlo_collective_kind;

// NULL for an operation that is none.
const hlo_collective_kind *hlo_collective_kind_of(hlo_opcode opcode);
hlo_status hlo_collective_check(const hlo_step *step, hlo_error *error);

// --- collective_gathering.c ---
hlo_communicate_function hlo_run_collective;
// Gives up those under way.
void hlo_gatherings_clear(hlo_run_group *group);
// Whom the waiting run waits for, and what they do instead.
void hlo_collective_describe(const struct hlo_run *run, hlo_string *out);

// --- collective_groups.c ---
// The processes of one group in order, with their numbers in the attribute's terms; the arrays live
// in scratch memory.
typedef struct hlo_process_group {
  int32_t count;
  int32_t *processes;
  int64_t *numbers;
  bool is_outside;
} hlo_process_group;
// The group of `process`. HLO_RUNTIME_ERROR when it is in none, or one names a process that is not
// there.
hlo_status hlo_process_group_of(const hlo_instruction *instruction, const hlo_collective_kind *kind,
                                const hlo_run_group *group, int32_t process, hlo_arena *scratch,
                                hlo_process_group *out, hlo_error *error);

// --- collective_move.c, collective_reduce.c ---
hlo_collective_function hlo_collective_all_gather, hlo_collective_all_to_all,
    hlo_collective_ragged_all_to_all, hlo_collective_broadcast, hlo_collective_permute,
    hlo_collective_all_reduce, hlo_collective_reduce_scatter, hlo_collective_reduce;
// --- collective_sizes.c ---
hlo_collective_sizes hlo_collective_same_sizes, hlo_collective_gathered_sizes,
    hlo_collective_scattered_sizes, hlo_collective_exchanged_sizes, hlo_collective_root_sizes,
    hlo_collective_source_sizes, hlo_collective_output_sizes;

// The position in its group of the root of operand k: the first, or the one that everyone names.
// One outside of the group is its last.
hlo_status hlo_collective_root(const hlo_collective *collective, int32_t k, int32_t *out,
                               hlo_error *error);
// Zeros for one that nobody sends to.
void hlo_collective_fill_zeros(const hlo_view *view);
// Whom a permutation sends the participant's result from; NULL: nobody.
const hlo_participant *hlo_collective_source(const hlo_collective *collective,
                                             const hlo_participant *to);
// The part of a view that is `size` long along a dimension, from `start` on.
hlo_view hlo_collective_part(const hlo_view *view, int32_t dimension, int64_t start, int64_t size);
// Fails unless `large` is `count` times `small` along the dimension in which they differ.
hlo_status hlo_collective_require_parts(const hlo_collective *collective, int32_t dimension,
                                        const hlo_view *large, const hlo_view *small,
                                        hlo_error *error);
static inline int32_t hlo_collective_dimension(const hlo_collective *collective) {
  int32_t count;
  return (int32_t)hlo_get_ints(collective->instruction, HLO_ATTRIBUTE_DIMENSIONS, &count)[0];
}

#endif
