// Cumulative sums, products, maxima and minima of f32 with SIMD. Groups of eight elements are
// scanned in three steps (Hillis and Steele); only combining a group with the carry depends on the
// group before.
#include "kernels/machine.h"
#include "kernels/simd/kernels.h"
#include "kernels/simd/simd.h"

typedef v128_t combination(v128_t a, v128_t b);

static inline v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
static inline v128_t multiply(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

static inline v128_t reverse_if(v128_t x, bool backwards) {
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

// neutral: the identity of the operation.
static inline __attribute__((always_inline)) void scan(combination *combine, float neutral,
                                                       bool backwards, int64_t n, const float *from,
                                                       float *to, double *running) {
  v128_t nothing = wasm_f32x4_splat(neutral), before = wasm_f32x4_splat((float)*running);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    int64_t low = backwards ? n - i - 4 : i, high = backwards ? n - i - 8 : i + 4;
    v128_t x = scan_four(combine, nothing, reverse_if(wasm_v128_load(from + low), backwards));
    v128_t y = scan_four(combine, nothing, reverse_if(wasm_v128_load(from + high), backwards));
    y = combine(last_of(x), y);
    wasm_v128_store(to + low, reverse_if(combine(before, x), backwards));
    wasm_v128_store(to + high, reverse_if(combine(before, y), backwards));
    before = combine(before, last_of(y));
  }
  for (; i < n; i++) {
    int64_t at = backwards ? n - i - 1 : i;
    before = combine(before, wasm_f32x4_splat(from[at]));
    to[at] = wasm_f32x4_extract_lane(before, 0);
  }
  *running = wasm_f32x4_extract_lane(before, 0);
}

// Scans eight elements; returns their sum, by which the carry grows.
static inline __attribute__((always_inline)) v128_t scan_eight(bool backwards, const float *low,
                                                               const float *high, float *to_low,
                                                               float *to_high, v128_t before) {
  v128_t nothing = wasm_f32x4_splat(-0.0f);
  v128_t x = scan_four(add, nothing, reverse_if(wasm_v128_load(low), backwards));
  v128_t y = scan_four(add, nothing, reverse_if(wasm_v128_load(high), backwards));
  y = add(last_of(x), y);
  wasm_v128_store(to_low, reverse_if(add(before, x), backwards));
  wasm_v128_store(to_high, reverse_if(add(before, y), backwards));
  return last_of(y);
}

// Blocked sums, whose errors do not grow with the number of elements: the carry into a block is
// f64, to which the block's sum is added.
static inline __attribute__((always_inline)) void
scan_sums(bool backwards, int64_t n, const float *from, float *to, double *running) {
  intptr_t way = backwards ? -1 : 1, i = 0;
  const float *x = backwards ? from + n - 4 : from; // the first four
  float *y = backwards ? to + n - 4 : to;
  double sum = *running;
  for (; i + HLO_SCAN_BLOCK <= n;
       i += HLO_SCAN_BLOCK, x += way * HLO_SCAN_BLOCK, y += way * HLO_SCAN_BLOCK) {
    v128_t before = wasm_f32x4_splat((float)sum), block = wasm_f32x4_splat(-0.0f);
    _Pragma("clang loop unroll(full)") for (intptr_t k = 0; k < HLO_SCAN_BLOCK; k += 8) {
      intptr_t at = way * k;
      v128_t eight = scan_eight(backwards, x + at, x + at + (backwards ? -4 : 4), y + at,
                                y + at + (backwards ? -4 : 4), before);
      before = add(before, eight);
      block = add(block, eight);
    }
    sum += (double)wasm_f32x4_extract_lane(block, 0);
  }
  for (; i < n; i++) {
    intptr_t at = backwards ? n - i - 1 : i;
    to[at] = (float)(sum += (double)from[at]);
  }
  *running = sum;
}

#define DEFINE(name, call)                                                                         \
  static void name(bool backwards, int64_t n, const float *from, float *to, double *running) {     \
    if (backwards) call(true, n, from, to, running);                                               \
    else call(false, n, from, to, running);                                                        \
  }
#define PRODUCTS(...) scan(multiply, 1, __VA_ARGS__)
#define MAXIMA(...)   scan(hlo_simd_f32x4_max, -__builtin_inff(), __VA_ARGS__)
#define MINIMA(...)   scan(hlo_simd_f32x4_min, __builtin_inff(), __VA_ARGS__)
DEFINE(sums, scan_sums)
DEFINE(products, PRODUCTS)
DEFINE(maxima, MAXIMA)
DEFINE(minima, MINIMA)

void hlo_kernel_scan_f32(hlo_combine_op op, bool backwards, int64_t n, const float *from, float *to,
                         double *running) {
  static void (*const scans[])(bool, int64_t, const float *, float *, double *) = {
      [HLO_COMBINE_ADD] = sums,
      [HLO_COMBINE_MULTIPLY] = products,
      [HLO_COMBINE_MAXIMUM] = maxima,
      [HLO_COMBINE_MINIMUM] = minima,
  };
  scans[op](backwards, n, from, to, running);
}
