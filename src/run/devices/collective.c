// The list of collectives. See collective.h.
#include "run/devices/collective.h"

#include "run/exec/run.h"

static const hlo_collective_kind kinds[] = {
    {HLO_OP_ALL_GATHER, HLO_GROUPING_BOTH, false, hlo_collective_all_gather,
     hlo_collective_gathered_sizes},
    {HLO_OP_ALL_GATHER_START, HLO_GROUPING_BOTH, false, hlo_collective_all_gather,
     hlo_collective_gathered_sizes},
    {HLO_OP_ALL_REDUCE, HLO_GROUPING_BOTH, false, hlo_collective_all_reduce,
     hlo_collective_same_sizes},
    {HLO_OP_ALL_REDUCE_START, HLO_GROUPING_BOTH, false, hlo_collective_all_reduce,
     hlo_collective_same_sizes},
    {HLO_OP_REDUCE_SCATTER, HLO_GROUPING_BOTH, false, hlo_collective_reduce_scatter,
     hlo_collective_scattered_sizes},
    {HLO_OP_ALL_TO_ALL, HLO_GROUPING_PARTITIONS, false, hlo_collective_all_to_all,
     hlo_collective_exchanged_sizes},
    {HLO_OP_RAGGED_ALL_TO_ALL, HLO_GROUPING_PARTITIONS, false, hlo_collective_ragged_all_to_all,
     hlo_collective_output_sizes},
    {HLO_OP_COLLECTIVE_BROADCAST, HLO_GROUPING_PARTITIONS, true, hlo_collective_broadcast,
     hlo_collective_root_sizes},
    {HLO_OP_COLLECTIVE_REDUCE, HLO_GROUPING_PARTITIONS, false, hlo_collective_reduce,
     hlo_collective_same_sizes},
    {HLO_OP_COLLECTIVE_PERMUTE, HLO_GROUPING_PARTITIONS, true, hlo_collective_permute,
     hlo_collective_source_sizes},
    {HLO_OP_COLLECTIVE_PERMUTE_START, HLO_GROUPING_PARTITIONS, true, hlo_collective_permute,
     hlo_collective_source_sizes},
};

const hlo_collective_kind *hlo_collective_kind_of(hlo_opcode opcode) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].opcode == opcode) return &kinds[i];
  }
  return NULL;
}

hlo_status hlo_collective_check(const hlo_step *step, hlo_error *error) {
  if (hlo_find_attribute(step->instruction, HLO_ATTRIBUTE_SLICE_SIZES) == NULL) return HLO_OK;
  return hlo_instruction_fail(step->instruction, HLO_UNSUPPORTED, error,
                              "the form with slice_sizes, which copies between parts of buffers, "
                              "does not run");
}
