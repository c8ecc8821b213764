// How many values an expression takes, and which, when its variables go through their ranges under
// the constraints of a map. For the files uses_*.c.
#ifndef HLO_INDEXING_MAPS_IMAGE_H
#define HLO_INDEXING_MAPS_IMAGE_H

#include "indexing/maps/map.h"

enum {
  IMAGE_MOST_VARIABLES = 64,
  IMAGE_ASSIGNMENTS = 1 << 13, // budget of one question: what no formula counts is tried out
};

// The assignments of a map's range and runtime variables; it has no dims. Runtime variables are
// taken as fixed, though unknown, but for those in `varying` (by number).
typedef struct hlo_image_domain {
  hlo_affine_context *context;
  const hlo_map *map;
  uint64_t varying;
  int64_t budget; // assignments that may still be tried
} hlo_image_domain;

typedef struct hlo_index_image {
  bool is_exact;  // else count is only an upper bound, and the rest means nothing
  int64_t count;  // distinct values, saturating
  bool is_placed; // no runtime variable moves it: lower and upper are values
  int64_t lower, upper;
  bool is_progression; // all values from lower to upper in steps of stride
  int64_t stride;      // at least 1
} hlo_index_image;

// Which variables occur in a: bit i for number i of the kind. Numbers of 64 and more set all bits.
uint64_t hlo_affine_variable_mask(const hlo_affine *a, hlo_affine_kind kind);
// Never fails for arithmetic: what overflows is not exact.
hlo_status hlo_image_of(hlo_image_domain *domain, const hlo_affine *a, hlo_index_image *out,
                        hlo_error *error);
// The number of assignments to range variables that satisfy the constraints, or an upper bound.
void hlo_image_count_assignments(hlo_image_domain *domain, int64_t *count, bool *is_exact);

#endif
