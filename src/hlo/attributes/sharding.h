// Where the parts of an array are: XLA's text for it, "{devices=[2,1,2]<=[4] …}".
#ifndef HLO_HLO_ATTRIBUTES_SHARDING_H
#define HLO_HLO_ATTRIBUTES_SHARDING_H

#include "hlo/hlo.h"

// A grid of devices: dimension d of the array is cut into tiles[d] parts. Further dimensions of the
// grid hold devices with the same part.
typedef struct hlo_sharding {
  int32_t rank; // of the grid; 0: every device has the whole array
  int64_t tiles[HLO_MAX_RANK];
  int32_t device_count;
  const int64_t *devices; // in row-major order of the grid, each once: 0 … device_count - 1
  // By device: the first of those whose parts are summed with its one; NULL: nothing is summed.
  const int64_t *first_shares;
} hlo_sharding;

enum { HLO_SHARDING_MOST_DEVICES = 4096 };

// {replicated}, {manual} and {maximal device=0} are grids of rank 0. Fails with the reason alone.
hlo_status hlo_sharding_parse(const char *text, hlo_arena *arena, hlo_sharding *out,
                              hlo_error *error);

// Of an all-reduce that sums shares.
enum { HLO_SHARE_SUM_ATTRIBUTES = 4 };
// Place i of `count` shares with those whose first place is first[i], too; numbers: the devices at
// the places, NULL: their own numbers. add: a computation that adds two scalars.
hlo_status hlo_share_sum_attributes(hlo_arena *arena, int32_t count, const int64_t *first,
                                    const int64_t *numbers, hlo_computation *add,
                                    hlo_attribute *out, hlo_error *error);

#endif
