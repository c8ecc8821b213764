// Reducing computations that only pick one of their arguments, as those of argmax do.
#ifndef HLO_CODEGEN_LOWER_CHOICE_H
#define HLO_CODEGEN_LOWER_CHOICE_H

#include "hlo/hlo.h"

typedef enum hlo_choice {
  HLO_CHOICE_NONE, // may do anything
  HLO_CHOICE_ANY,  // may be applied to elements in any grouping and, NaNs aside, in any order
  // The same, and gives the first of the largest or smallest elements, the first NaN before others.
  HLO_CHOICE_FIRST_LARGEST,
  HLO_CHOICE_FIRST_SMALLEST,
} hlo_choice;

// What a computation of 2 · leaves scalars does; NONE unless it consists of comparisons, logic,
// selections, minima and maxima alone. by_number: the last leaf is the element's number, different
// for all, and the order in which NaNs are combined may be told by it. *out_of_memory is set if
// that could not be found out.
hlo_choice hlo_emit_match_choice(const hlo_computation *computation, int32_t leaves, bool by_number,
                                 bool *out_of_memory);

#endif
