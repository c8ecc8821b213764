// Small arrays and the scalars that they consist of.
#ifndef HLO_PASSES_LOOPS_SCALAR_REPLACEMENT_H
#define HLO_PASSES_LOOPS_SCALAR_REPLACEMENT_H

#include "kernels/machine.h"
#include "passes/loops/while_loop.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Whether an array has two to HLO_MOST_SCALARS elements, row-major, of a type that a local holds.
bool hlo_is_small_array(const hlo_shape *shape);
// Element `number` of an array in row-major order, for x: what has been put together of numbers has
// it.
hlo_status hlo_get_scalar(const hlo_instruction *x, hlo_instruction *array, int64_t number,
                          hlo_instruction **out, hlo_error *error);
// An array of that shape put together of its numbers, for x.
hlo_status hlo_build_array(const hlo_instruction *x, hlo_instruction *const *numbers,
                           const hlo_shape *shape, hlo_instruction **out, hlo_error *error);
// The arrays of a loop's state that the body puts together of numbers and reads by number are
// carried as numbers (scalar_state.c); the arrays stay in the state, for nobody. Sets *changed
// where the loop's computation has to be sorted.
hlo_status hlo_carry_scalars(hlo_instruction *loop, const int32_t *callers, bool *changed,
                             hlo_error *error);

#endif
