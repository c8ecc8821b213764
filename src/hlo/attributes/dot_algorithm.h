// The algorithms that a dot may request: HLO's names, and StableHLO's parameters.
#ifndef HLO_HLO_ATTRIBUTES_DOT_ALGORITHM_H
#define HLO_HLO_ATTRIBUTES_DOT_ALGORITHM_H

#include "hlo/hlo.h"

// Source: XLA's PrecisionConfig and StableHLO's dot_algorithm, as documented.
typedef struct hlo_dot_algorithm {
  const char *name;                     // "dot_bf16_bf16_f32_x3"
  const char *lhs, *rhs, *accumulation; // MLIR's names of types; operands "f8…": any of 8 bits
  int32_t lhs_components, rhs_components, primitive_operations;
  bool allows_imprecise_accumulation;
} hlo_dot_algorithm;
extern const hlo_dot_algorithm hlo_dot_algorithms[];
extern const int32_t hlo_dot_algorithm_count;

// The algorithm of that name; NULL when none has it.
const hlo_dot_algorithm *hlo_dot_algorithm_find(const char *name);
// The instruction asks for no algorithm, for "unset", or for one that is known.
hlo_status hlo_require_dot_algorithm(const hlo_instruction *x, hlo_error *error);

#endif
