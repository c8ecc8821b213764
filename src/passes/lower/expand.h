// Functions of scalars as operations on whole arrays, for the files of this folder.
#ifndef HLO_PASSES_LOWER_EXPAND_H
#define HLO_PASSES_LOWER_EXPAND_H

#include "hlo/hlo.h"

// Whether the function consists of elementwise operations on scalars; its root may be a tuple.
bool hlo_is_expressible(const hlo_computation *function);
// Such a function applied to arrays of those dimensions, by instructions after x. made: by
// instruction of the function, what it becomes; without the root if that is a tuple.
hlo_status hlo_expand(const hlo_instruction *x, const hlo_shape *dims,
                      const hlo_computation *function, hlo_instruction *const *arguments,
                      hlo_instruction **made, hlo_error *error);

#endif
