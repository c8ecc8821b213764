// Small arrays and the scalars that they consist of.
#ifndef HLO_PASSES_LOOPS_SCALAR_REPLACEMENT_H
#define HLO_PASSES_LOOPS_SCALAR_REPLACEMENT_H

#include "kernels/machine.h"
#include "passes/loops/while_loop.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Whether an array has two to HLO_MOST_SCALARS elements, row-major, of a type that a local holds.
bool hlo_is_small_array(const hlo_shape *shape);
// Element `number` of an array in row-major order, for use by x. An array built from scalars yields
// the scalar itself.
hlo_status hlo_get_scalar(const hlo_instruction *x, hlo_instruction *array, int64_t number,
                          hlo_instruction **out, hlo_error *error);
// An array of that shape built from its scalars in row-major order, for use by x.
hlo_status hlo_build_array(const hlo_instruction *x, hlo_instruction *const *numbers,
                           const hlo_shape *shape, hlo_instruction **out, hlo_error *error);
// The arrays of a loop's body that are built from scalars, or read one element at a time, become
// those scalars.
hlo_status hlo_replace_by_scalars(hlo_computation *body, hlo_arena *scratch, hlo_error *error);

#endif
