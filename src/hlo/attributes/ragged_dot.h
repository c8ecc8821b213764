// What the dimension numbers of a ragged-dot mean. Source: StableHLO's chlo.ragged_dot and the
// documentation of jax.lax.ragged_dot_general.
#ifndef HLO_HLO_ATTRIBUTES_RAGGED_DOT_H
#define HLO_HLO_ATTRIBUTES_RAGGED_DOT_H

#include "hlo/hlo.h"

// The ragged dimension of the left operand is cut into groups, one after the other, whose sizes the
// third operand holds.
typedef enum hlo_ragged_mode {
  HLO_RAGGED_FREE,        // each group of rows is multiplied with its own right matrix
  HLO_RAGGED_CONTRACTING, // each group is summed up by itself: the result has a leading dimension
  HLO_RAGGED_BATCH,       // a dot like any other
} hlo_ragged_mode;

// Group sizes are one list, or a list for each index of the prefix: dimensions of the left operand
// that stand before the ragged one, batch dimensions first.
typedef struct hlo_ragged_dot {
  hlo_ragged_mode mode;
  int64_t ragged; // the dimension of the left operand
  int32_t prefix_count;
  int64_t prefix[HLO_MAX_RANK];
} hlo_ragged_dot;

// For an instruction whose lhs_ragged_dims is one dimension of its left operand.
hlo_ragged_dot hlo_ragged_dot_of(const hlo_instruction *x);

#endif
