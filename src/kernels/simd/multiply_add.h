// a b + sum in four lanes of f32 or two of f64, with one rounding where the build is relaxed and
// the host fuses, else with two.
#ifndef HLO_KERNELS_SIMD_MULTIPLY_ADD_H
#define HLO_KERNELS_SIMD_MULTIPLY_ADD_H

#include "math/vector_math.h"

#include <stdbool.h>

typedef double hlo_f64x2 __attribute__((vector_size(16)));

#if defined(__wasm_relaxed_simd__)
static inline hlo_f32x4 hlo_multiply_add(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 sum) {
  return __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
}
static inline hlo_f64x2 hlo_multiply_add_f64(hlo_f64x2 a, hlo_f64x2 b, hlo_f64x2 sum) {
  return __builtin_wasm_relaxed_madd_f64x2(a, b, sum);
}
#else
static inline hlo_f32x4 hlo_multiply_add(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 sum) {
  return a * b + sum;
}
static inline hlo_f64x2 hlo_multiply_add_f64(hlo_f64x2 a, hlo_f64x2 b, hlo_f64x2 sum) {
  return a * b + sum;
}
#endif

// Whether it is one rounding. That is up to the host, which does the same everywhere.
bool hlo_host_fuses(void);

#endif
