// Where the elements that a map leads to lie: the map's results as one position in the array.
// For the files uses_*.c.
#ifndef HLO_INDEXING_USES_POSITION_H
#define HLO_INDEXING_USES_POSITION_H

#include "indexing/maps/image.h"
#include "indexing/uses.h"

// Constant or sum of variables only.
bool hlo_affine_is_linear(const hlo_affine *a);

// Σ index · stride over the results of the map.
const hlo_affine *hlo_map_position(hlo_affine_context *context, const hlo_map *map,
                                   const int64_t *strides);

// The map with its dims as range variables in front of the others, limited to the array, with these
// results: the position in row-major order, the indices, then every range variable, so that none
// goes; simplified.
hlo_status hlo_map_footprint(hlo_affine_context *context, const hlo_indexing *indexing,
                             const hlo_shape *array, const hlo_map **out, hlo_error *error);

#endif
