// Two sums of exact products side by side, each rounded to f32 as it goes, see exact.c.
#ifndef HLO_KERNELS_SIMD_EXACT_SUMS_H
#define HLO_KERNELS_SIMD_EXACT_SUMS_H

#include "kernels/simd/simd.h"

#include <stdint.h>

// Conversions are slow: a sum is rounded to f32 by adding and taking away a number whose last place
// is where that of an f32 would be.
typedef struct rounding {
  v128_t exponent, scale;
} rounding;

enum { SIDE = 4 };

// In memory, since vectors that a function knows are made again wherever they are used.
static inline rounding rounding_to_f32(void) {
  return (rounding){.exponent = wasm_i64x2_splat(INT64_C(0x7ff) << 52),
                    .scale = wasm_f64x2_splat(0x1.8p29)};
}

static inline v128_t add_products(const rounding *r, v128_t sums, v128_t x, v128_t y) {
  v128_t sum = wasm_f64x2_add(wasm_f64x2_mul(x, y), sums);
  v128_t large = wasm_f64x2_mul(wasm_v128_and(sum, r->exponent), r->scale);
  return wasm_f64x2_sub(wasm_f64x2_add(sum, large), large);
}

static inline v128_t load_pair(const float *from) {
  return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from));
}
static inline v128_t load_twice(const float *from) {
  return wasm_f64x2_promote_low_f32x4(wasm_v128_load32_splat(from));
}
static inline void store_pair(float *to, v128_t sums) {
  wasm_v128_store64_lane(to, wasm_f32x4_demote_f64x2_zero(sums), 0);
}

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

#endif
