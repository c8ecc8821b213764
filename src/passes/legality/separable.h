// How each value of a reducing function depends on the elements, for the files of this folder.
#ifndef HLO_PASSES_LEGALITY_SEPARABLE_H
#define HLO_PASSES_LEGALITY_SEPARABLE_H

#include "hlo/hlo.h"

// One value of the function: accumulator op term, computed in `type` and rounded to the value's
// type.
typedef struct hlo_accumulation {
  hlo_opcode op; // HLO_OP_COUNT: something else
  hlo_type type;
  const hlo_instruction *term; // of the function; without any running value
  bool subtracts;
} hlo_accumulation;

// Of a function of running values, then as many elements; the term may still need running values.
hlo_accumulation hlo_match_accumulation(const hlo_computation *function, int32_t k);
const hlo_instruction *hlo_value_of(const hlo_computation *function, int32_t k);

#endif
