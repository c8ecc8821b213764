// Reducing computations that only pick one of their arguments, as those of argmax do.
#ifndef HLO_EMIT_CHOICE_H
#define HLO_EMIT_CHOICE_H

#include "hlo/hlo.h"

// Whether a computation of 2 · leaves scalars consists of comparisons, logic, selections, minima
// and maxima alone, and may be applied to elements in any grouping and, NaNs aside, in any order.
// by_number: the last leaf is the element's number, different for all, and the order in which NaNs
// are combined may be told by it. *out_of_memory is set if that
// could not be found out.
bool hlo_emit_is_choice(const hlo_computation *computation, int32_t leaves, bool by_number,
                        bool *out_of_memory);

#endif
