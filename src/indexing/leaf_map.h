// What is known of leaves of instructions, found by instruction and leaf: only those that something
// was put to take memory, since a question about one element of a wide tuple reaches few others.
#ifndef HLO_INDEXING_LEAF_MAP_H
#define HLO_INDEXING_LEAF_MAP_H

#include "hlo/hlo.h"

typedef struct hlo_leaf_entry {
  const hlo_instruction *x; // NULL: a free place
  int32_t leaf;
  void *value;
} hlo_leaf_entry;

// Zero-initialised: empty.
typedef struct hlo_leaf_map {
  hlo_leaf_entry *places;
  int32_t count, capacity; // a power of two
} hlo_leaf_map;

void *hlo_leaf_map_get(const hlo_leaf_map *map, const hlo_instruction *x,
                       int32_t leaf); // NULL: nothing
// Of a leaf that has nothing yet.
hlo_status hlo_leaf_map_put(hlo_leaf_map *map, hlo_arena *arena, const hlo_instruction *x,
                            int32_t leaf, void *value, hlo_error *error);

#endif
