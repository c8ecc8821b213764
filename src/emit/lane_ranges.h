// What numbers the 32-bit lanes of nodes can hold, for who has narrower lanes in mind. Must not
// know what becomes of them.
#ifndef HLO_EMIT_LANE_RANGES_H
#define HLO_EMIT_LANE_RANGES_H

#include "emit/maker.h"

// Lanes as signed numbers of 32 bits. All of them where nothing is known, or lanes are no integers.
typedef struct hlo_lane_range {
  int64_t least, most;
} hlo_lane_range;

// Of nodes 1 up to `count` that are known to the maker. NULL when memory is out.
hlo_lane_range *hlo_lane_ranges_find(hlo_maker *m, int32_t count);

static inline bool hlo_lane_range_is_within(hlo_lane_range r, int64_t least, int64_t most) {
  return least <= r.least && r.most <= most;
}
// Numbers without and with a sign of so many bits.
static inline bool hlo_lane_range_is_unsigned(hlo_lane_range r, int32_t bits) {
  return hlo_lane_range_is_within(r, 0, ((int64_t)1 << bits) - 1);
}
static inline bool hlo_lane_range_is_signed(hlo_lane_range r, int32_t bits) {
  int64_t half = (int64_t)1 << (bits - 1);
  return hlo_lane_range_is_within(r, -half, half - 1);
}

#endif
