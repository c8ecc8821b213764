// Dots whose sums have one product each.
#ifndef HLO_KERNELS_PRODUCT_OUTER_PRODUCT_H
#define HLO_KERNELS_PRODUCT_OUTER_PRODUCT_H

#include "kernels/eval.h"

// An operand and, for each of its dimensions, the dimension of the result that it is; -1 for those
// of one element that the result does not have.
typedef struct hlo_outer_factor {
  const hlo_view *view;
  int32_t places[HLO_MAX_RANK];
} hlo_outer_factor;

// The product of what two arrays have at each place of the result, made in the type given and
// rounded or wrapped once. Scratch memory of the evaluator.
hlo_status hlo_outer_product(const hlo_evaluator *evaluator, hlo_type work_type,
                             const hlo_outer_factor *left, const hlo_outer_factor *right,
                             const hlo_view *result, hlo_error *error);

#endif
