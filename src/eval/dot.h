// Sums of products over views, for the operations that are dots of parts of their operands. Must
// not know which operation asks.
#ifndef HLO_EVAL_DOT_H
#define HLO_EVAL_DOT_H

#include "eval/structural.h"

// The dimensions of one operand. The lists are paired with the other operand's; a contracting
// dimension of size 1 may also stand alone.
typedef struct hlo_dot_dimensions {
  int32_t batch_count, contracting_count;
  const int64_t *batch, *contracting;
  int32_t free_count;
  int64_t free[HLO_MAX_RANK];
} hlo_dot_dimensions;

hlo_dot_dimensions hlo_dot_dimensions_of(const hlo_instruction *instruction,
                                         const hlo_view *operand, hlo_attribute_id batch,
                                         hlo_attribute_id contracting);

// The result's dimensions are the batch dimensions, the free ones of the left and of the right
// operand. Scratch memory is given back.
hlo_status hlo_dot_multiply(const hlo_evaluator *evaluator, const hlo_dot_dimensions *left,
                            const hlo_dot_dimensions *right, const hlo_view *lhs,
                            const hlo_view *rhs, const hlo_view *result, hlo_error *error);

#endif
