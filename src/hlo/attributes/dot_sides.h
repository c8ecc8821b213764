// The two sides of a dot and its relatives, and the result that follows from them.
#ifndef HLO_HLO_ATTRIBUTES_DOT_SIDES_H
#define HLO_HLO_ATTRIBUTES_DOT_SIDES_H

#include "hlo/hlo.h"

// Which dimensions of one side are contracted, and which are batch dimensions.
typedef struct hlo_dot_side {
  const hlo_shape *shape;
  int32_t contracting_count, batch_count;
  const int64_t *contracting, *batch;
  uint64_t used; // bit set of both
} hlo_dot_side;

// Checks all that they have in common. The left side is operand 0, the right one operand `k`.
hlo_status hlo_dot_read_sides(const hlo_instruction *x, int32_t k, hlo_dot_side *lhs,
                              hlo_dot_side *rhs, hlo_error *error);

// Notes dimensions of an attribute as used, which must not be yet.
hlo_status hlo_dot_mark_used(const hlo_instruction *x, hlo_attribute_id id, int32_t count,
                             const int64_t *dimensions, hlo_dot_side *side, hlo_error *error);

// `groups` leading groups unless -1, batch dimensions, then what is left of the left side, then of
// the right side.
hlo_status hlo_dot_result(const hlo_instruction *x, const hlo_dot_side *lhs,
                          const hlo_dot_side *rhs, int64_t groups, const hlo_shape *declared,
                          hlo_arena *arena, const hlo_shape **out, hlo_error *error);

#endif
