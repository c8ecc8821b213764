// Interval analysis of nodes: which numbers their 32-bit lanes can hold, to decide where narrower
// lanes suffice.
#ifndef HLO_CODEGEN_SCHEDULE_LANE_RANGES_H
#define HLO_CODEGEN_SCHEDULE_LANE_RANGES_H

#include "codegen/encode/maker.h"
#include "indexing/maps/interval.h"

// Of nodes 1 up to `count` that are known to the maker, as signed numbers of 32 bits: all of them
// where nothing is known, or lanes are no integers. NULL when memory is out.
hlo_interval *hlo_lane_ranges_compute(hlo_maker *m, int32_t count);

#endif
