// Cumulative sums, products, maxima and minima of f32 with SIMD. Eight elements are scanned by
// themselves, in three steps; only combining them with what came before waits for the eight before.
// Must not know about shapes.
#include "kernels/kernels.h"
#include "kernels/simd.h"

typedef v128_t combination(v128_t a, v128_t b);

static inline v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
static inline v128_t multiply(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

static inline v128_t turn(v128_t x, bool backwards) {
  return backwards ? wasm_i32x4_shuffle(x, x, 3, 2, 1, 0) : x;
}

static inline __attribute__((always_inline)) v128_t scan_four(combination *combine, v128_t neutral,
                                                              v128_t x) {
  x = combine(wasm_i32x4_shuffle(neutral, x, 0, 4, 5, 6), x);
  return combine(wasm_i32x4_shuffle(neutral, x, 0, 1, 4, 5), x);
}

static inline __attribute__((always_inline)) v128_t last_of(v128_t x) {
  return wasm_i32x4_shuffle(x, x, 3, 3, 3, 3);
}

// neutral: combined with anything, it changes nothing.
static inline __attribute__((always_inline)) float scan(combination *combine, float neutral,
                                                        bool backwards, int64_t n,
                                                        const float *from, float *to,
                                                        float initial) {
  v128_t nothing = wasm_f32x4_splat(neutral), before = wasm_f32x4_splat(initial);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    int64_t low = backwards ? n - i - 4 : i, high = backwards ? n - i - 8 : i + 4;
    v128_t x = scan_four(combine, nothing, turn(wasm_v128_load(from + low), backwards));
    v128_t y = scan_four(combine, nothing, turn(wasm_v128_load(from + high), backwards));
    y = combine(last_of(x), y);
    wasm_v128_store(to + low, turn(combine(before, x), backwards));
    wasm_v128_store(to + high, turn(combine(before, y), backwards));
    before = combine(before, last_of(y));
  }
  for (; i < n; i++) {
    int64_t at = backwards ? n - i - 1 : i;
    before = combine(before, wasm_f32x4_splat(from[at]));
    to[at] = wasm_f32x4_extract_lane(before, 0);
  }
  return wasm_f32x4_extract_lane(before, 0);
}

#define DEFINE(name, combine, neutral)                                                             \
  static float name(bool backwards, int64_t n, const float *from, float *to, float initial) {      \
    return backwards ? scan(combine, neutral, true, n, from, to, initial)                          \
                     : scan(combine, neutral, false, n, from, to, initial);                        \
  }
DEFINE(sums, add, -0.0f)
DEFINE(products, multiply, 1)
DEFINE(maxima, hlo_simd_f32x4_max, -__builtin_inff())
DEFINE(minima, hlo_simd_f32x4_min, __builtin_inff())

float hlo_kernel_scan_f32(hlo_combine_op op, bool backwards, int64_t n, const float *from,
                          float *to, float initial) {
  static float (*const scans[])(bool, int64_t, const float *, float *, float) = {
      [HLO_COMBINE_ADD] = sums,
      [HLO_COMBINE_MULTIPLY] = products,
      [HLO_COMBINE_MAXIMUM] = maxima,
      [HLO_COMBINE_MINIMUM] = minima,
  };
  return scans[op](backwards, n, from, to, initial);
}
