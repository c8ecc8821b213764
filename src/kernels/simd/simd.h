// wasm SIMD intrinsics: the compiler's own when building wasm, SIMDe's when building natively for
// the sanitizers.
#ifndef HLO_KERNELS_SIMD_SIMD_H
#define HLO_KERNELS_SIMD_SIMD_H

#if defined(__wasm__)
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

#include <stdint.h>

// What kernels do once for many vectors, or at edges, gains nothing by being inlined and unrolled.
#define HLO_SMALL_CODE __attribute__((minsize))

// The larger and the smaller of each pair as wasm defines it: NaN wins, and -0 < +0. SIMDe takes
// either of two zeros.
static inline v128_t hlo_simd_f32x4_max(v128_t a, v128_t b) {
#if defined(__wasm__)
  return wasm_f32x4_max(a, b);
#else
  return wasm_v128_bitselect(wasm_v128_and(a, b), wasm_f32x4_max(a, b), wasm_f32x4_eq(a, b));
#endif
}
static inline v128_t hlo_simd_f32x4_min(v128_t a, v128_t b) {
#if defined(__wasm__)
  return wasm_f32x4_min(a, b);
#else
  return wasm_v128_bitselect(wasm_v128_or(a, b), wasm_f32x4_min(a, b), wasm_f32x4_eq(a, b));
#endif
}

#endif
