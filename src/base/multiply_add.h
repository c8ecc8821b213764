// a b + sum in four lanes. Must not know what is added up.
#ifndef HLO_BASE_MULTIPLY_ADD_H
#define HLO_BASE_MULTIPLY_ADD_H

#include "base/vector_math.h"

#include <stdbool.h>

// With one rounding in the relaxed build where the host fuses, else with two.
static inline hlo_f32x4 hlo_multiply_add(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 sum) {
#if defined(__wasm_relaxed_simd__)
  return __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
#else
  return a * b + sum;
#endif
}

// Whether it is one rounding. That is up to the host, which does the same everywhere.
bool hlo_host_fuses(void);

#endif
