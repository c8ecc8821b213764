// A hash table with open addressing, at most half full. See leaf_map.h.
#include "indexing/leaf_map.h"

enum { FIRST_CAPACITY = 16 };

// Where the leaf stands, or the free place where it would.
static hlo_leaf_entry *find(const hlo_leaf_map *map, const hlo_instruction *x, int32_t leaf) {
  uint64_t key = (uint64_t)(uintptr_t)x + (uint64_t)(uint32_t)leaf * sizeof *x;
  uint32_t i = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32); // 2^64 / golden ratio
  for (;; i++) {
    hlo_leaf_entry *e = &map->places[i & (uint32_t)(map->capacity - 1)];
    if (e->x == NULL || (e->x == x && e->leaf == leaf)) return e;
  }
}

void *hlo_leaf_map_get(const hlo_leaf_map *map, const hlo_instruction *x, int32_t leaf) {
  return map->capacity == 0 ? NULL : find(map, x, leaf)->value;
}

static hlo_status grow(hlo_leaf_map *map, hlo_arena *arena, hlo_error *error) {
  hlo_leaf_map larger = {.capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2};
  HLO_ALLOC(larger.places, arena, larger.capacity, error);
  for (int32_t i = 0; i < map->capacity; i++)
    if (map->places[i].x != NULL)
      *find(&larger, map->places[i].x, map->places[i].leaf) = map->places[i];
  larger.count = map->count;
  *map = larger;
  return HLO_OK;
}

hlo_status hlo_leaf_map_put(hlo_leaf_map *map, hlo_arena *arena, const hlo_instruction *x,
                            int32_t leaf, void *value, hlo_error *error) {
  if (map->count >= map->capacity / 2) HLO_TRY(grow(map, arena, error));
  *find(map, x, leaf) = (hlo_leaf_entry){x, leaf, value};
  map->count++;
  return HLO_OK;
}
