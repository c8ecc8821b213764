// The context's insides, for the files affine*.c.
#ifndef HLO_INDEXING_MAPS_AFFINE_CONTEXT_H
#define HLO_INDEXING_MAPS_AFFINE_CONTEXT_H

#include "indexing/maps/affine_sum.h"

enum { AFFINE_MOST_FACTORS = 16 }; // of one product

typedef enum hlo_affine_failure {
  AFFINE_FINE,
  AFFINE_OVERFLOW,
  AFFINE_TOO_LARGE,
  AFFINE_TOO_MANY_TERMS,
  AFFINE_TOO_MANY_FACTORS,
  AFFINE_DIVISION_BY_ZERO,
  AFFINE_OUT_OF_MEMORY,
} hlo_affine_failure;

struct hlo_affine_context {
  hlo_arena *arena;
  hlo_affine_failure failure;
  uint32_t count, capacity;
  const hlo_affine **slots; // open addressing by hash
  hlo_affine zero;
};

void hlo_affine_fail(hlo_affine_context *context, hlo_affine_failure failure);
// The stored expression equal to candidate, whose terms are copied when it is new.
const hlo_affine *hlo_affine_intern(hlo_affine_context *context, hlo_affine candidate);

#endif
