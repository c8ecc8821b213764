// a b + sum and from - a b in four lanes of f32 or two of f64. Elementary functions, single numbers
// included, are made of these, so they are in a layer below kernels; nothing else outside of
// kernels/simd depends on the instruction set of the build.
#ifndef HLO_MATH_MULTIPLY_ADD_H
#define HLO_MATH_MULTIPLY_ADD_H

#include "math/vector_math.h"

#include <stdbool.h>

typedef double hlo_f64x2 __attribute__((vector_size(16)));

// With one rounding in the relaxed build where the host fuses, else with two.
#if defined(__wasm_relaxed_simd__)
static inline hlo_f32x4 hlo_multiply_add(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 sum) {
  return __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
}
static inline hlo_f32x4 hlo_multiply_subtract(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 from) {
  return __builtin_wasm_relaxed_nmadd_f32x4(a, b, from);
}
static inline hlo_f64x2 hlo_multiply_add_f64(hlo_f64x2 a, hlo_f64x2 b, hlo_f64x2 sum) {
  return __builtin_wasm_relaxed_madd_f64x2(a, b, sum);
}
#else
static inline hlo_f32x4 hlo_multiply_add(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 sum) {
  return a * b + sum;
}
static inline hlo_f32x4 hlo_multiply_subtract(hlo_f32x4 a, hlo_f32x4 b, hlo_f32x4 from) {
  return from - a * b;
}
static inline hlo_f64x2 hlo_multiply_add_f64(hlo_f64x2 a, hlo_f64x2 b, hlo_f64x2 sum) {
  return a * b + sum;
}
#endif

// Whether it is one rounding. That is up to the host, which does the same everywhere.
bool hlo_host_fuses(void);

#endif
