// What differs between the build with relaxed SIMD and the one without. Folders that include
// neither this nor multiply_add.h are compiled once for both (wasm/flags.mk).
#ifndef HLO_KERNELS_SIMD_RELAXED_H
#define HLO_KERNELS_SIMD_RELAXED_H

#include "kernels/simd/simd.h"

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

// Whether dot_bytes.c has something: by relaxed SIMD, or natively by an imitation of it, for tests.
#if defined(__wasm_relaxed_simd__) || !defined(__wasm__)
#define HLO_MULTIPLIES_BYTES 1
#else
#define HLO_MULTIPLIES_BYTES 0
#endif

#endif
