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

// Whether a product and its sum may be one instruction: not in the plain build.
#if defined(__wasm__) && !defined(__wasm_relaxed_simd__)
#define HLO_MAY_FUSE 0
#else
#define HLO_MAY_FUSE 1
#endif

// acc + a * b (multiply_add.h tells whether that is one rounding). Contracted only in the
// relaxed build, and only where the order of accumulation is free anyway.
static inline v128_t hlo_simd_f32x4_multiply_add(v128_t a, v128_t b, v128_t acc) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, acc);
#else
  return wasm_f32x4_add(acc, wasm_f32x4_mul(a, b));
#endif
}

static inline v128_t hlo_simd_f64x2_multiply_add(v128_t a, v128_t b, v128_t acc) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f64x2_relaxed_madd(a, b, acc);
#else
  return wasm_f64x2_add(acc, wasm_f64x2_mul(a, b));
#endif
}

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

// Whether dot_bytes.c has something: by relaxed SIMD, or natively by an imitation of it, for tests.
#if defined(__wasm_relaxed_simd__) || !defined(__wasm__)
#define HLO_MULTIPLIES_BYTES 1
#else
#define HLO_MULTIPLIES_BYTES 0
#endif

#endif
