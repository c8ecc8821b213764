// Contractions of one term: outer products, which need no sum.
#ifndef HLO_KERNELS_PRODUCT_OUTER_PRODUCT_H
#define HLO_KERNELS_PRODUCT_OUTER_PRODUCT_H

#include "kernels/product/strategies.h"

// Multiplies the two factors, each broadcast to the result's dimensions, in the work type; results
// are rounded or wrapped once. Scratch memory of the evaluator.
hlo_run_contraction hlo_run_outer_product;

#endif
