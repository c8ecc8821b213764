// Dots whose contracting dimensions have size 1: outer products, which need no sum.
#ifndef HLO_KERNELS_PRODUCT_OUTER_PRODUCT_H
#define HLO_KERNELS_PRODUCT_OUTER_PRODUCT_H

#include "kernels/eval.h"

// An operand, and the result dimension that each of its dimensions becomes; -1 for the contracting
// ones.
typedef struct hlo_outer_factor {
  const hlo_view *view;
  int32_t places[HLO_MAX_RANK];
} hlo_outer_factor;

// Multiplies the two factors, each broadcast to the result's dimensions, in the work type; results
// are rounded or wrapped once. Scratch memory of the evaluator.
hlo_status hlo_outer_product(const hlo_evaluator *evaluator, hlo_type work_type,
                             const hlo_outer_factor *left, const hlo_outer_factor *right,
                             const hlo_view *result, hlo_error *error);

#endif
