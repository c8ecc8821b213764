// CHLO's special functions as HLO instructions. Must not know the operations' text.
#ifndef HLO_TEXT_STABLEHLO_CHLO_FUNCTIONS_H
#define HLO_TEXT_STABLEHLO_CHLO_FUNCTIONS_H

#include "text/stablehlo_import.h"

typedef hlo_status hlo_chlo_unary(stablehlo_importer *importer, hlo_instruction *x,
                                  hlo_instruction **out, hlo_error *error);

// Of arrays of floats; formats narrower than f32 are computed in f32. Errors relative to the exact
// value, in units in the last place, measured against mpmath: erf_inv 4, erfc 5, bessel_i1e 4;
// lgamma and digamma 10, where the value is below 1 absolutely. The last three are computed in f64.
hlo_chlo_unary hlo_chlo_erf_inv, hlo_chlo_erfc, hlo_chlo_lgamma, hlo_chlo_digamma,
    hlo_chlo_bessel_i1e;

// The float next to x in the direction of y.
hlo_status hlo_chlo_next_after(stablehlo_importer *importer, hlo_instruction *x, hlo_instruction *y,
                               hlo_instruction **out, hlo_error *error);

#endif
