// Places of what is true: a result whose size depends on data, for the host alone.
#ifndef HLO_KERNELS_INDEXED_TRUE_PLACES_H
#define HLO_KERNELS_INDEXED_TRUE_PLACES_H

#include <stdint.h>

// How many of the marks are not 0.
int64_t hlo_count_true(int64_t size, const uint8_t *marks);
// Writes the places of the first `count` marks that are not 0; there are as many at least.
void hlo_true_places(const uint8_t *marks, int64_t count, int32_t *places);

#endif
