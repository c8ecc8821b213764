// Rows of f32 combined element by element with SIMD: sums, products, maxima, minima. Must not know
// about shapes.
#include "kernels/kernels.h"
#include "kernels/simd.h"

typedef v128_t combination(v128_t a, v128_t b);

static inline v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
static inline v128_t multiply(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

static inline __attribute__((always_inline)) void combine_rows(combination *combine, float initial,
                                                               int64_t count,
                                                               const float *const *rows, int64_t n,
                                                               float *to) {
  v128_t start = wasm_f32x4_splat(initial);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    v128_t a = start, b = start, c = start, d = start;
    for (int64_t k = 0; k < count; k++) {
      const float *row = rows[k] + i;
      a = combine(a, wasm_v128_load(row));
      b = combine(b, wasm_v128_load(row + 4));
      c = combine(c, wasm_v128_load(row + 8));
      d = combine(d, wasm_v128_load(row + 12));
    }
    wasm_v128_store(to + i, a);
    wasm_v128_store(to + i + 4, b);
    wasm_v128_store(to + i + 8, c);
    wasm_v128_store(to + i + 12, d);
  }
  for (; i + 4 <= n; i += 4) {
    v128_t a = start;
    for (int64_t k = 0; k < count; k++) a = combine(a, wasm_v128_load(rows[k] + i));
    wasm_v128_store(to + i, a);
  }
  for (; i < n; i++) {
    v128_t a = start;
    for (int64_t k = 0; k < count; k++) a = combine(a, wasm_v128_load32_zero(rows[k] + i));
    wasm_v128_store32_lane(to + i, a, 0);
  }
}

#define DEFINE(name, combine)                                                                      \
  static void name(float initial, int64_t count, const float *const *rows, int64_t n, float *to) { \
    combine_rows(combine, initial, count, rows, n, to);                                            \
  }
DEFINE(sums, add)
DEFINE(products, multiply)
DEFINE(maxima, hlo_simd_f32x4_max)
DEFINE(minima, hlo_simd_f32x4_min)

void hlo_kernel_combine_rows_f32(hlo_combine_op op, float initial, int64_t count,
                                 const float *const *rows, int64_t n, float *to) {
  static void (*const all[])(float, int64_t, const float *const *, int64_t, float *) = {
      [HLO_COMBINE_ADD] = sums,
      [HLO_COMBINE_MULTIPLY] = products,
      [HLO_COMBINE_MAXIMUM] = maxima,
      [HLO_COMBINE_MINIMUM] = minima,
  };
  all[op](initial, count, rows, n, to);
}
