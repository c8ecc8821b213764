// Rows of f32 combined element by element with SIMD: sums, products, maxima, minima.
#include "kernels/machine.h"
#include "kernels/simd/kernels.h"
#include "kernels/simd/simd.h"

typedef v128_t combination(v128_t a, v128_t b);

static inline v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
static inline v128_t multiply(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

// Blocked summation: rows from `k` to the block's end are summed, then the block sums are added, so
// that errors do not grow with the number of rows.
static inline int64_t end_of_block(int64_t k, int64_t count) {
  return count - k < HLO_SCAN_BLOCK ? count : k + HLO_SCAN_BLOCK;
}

static inline __attribute__((always_inline)) void combine_rows(combination *combine, float neutral,
                                                               float initial, int64_t count,
                                                               const float *const *rows, int64_t n,
                                                               float *to) {
  v128_t start = wasm_f32x4_splat(initial), nothing = wasm_f32x4_splat(neutral);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    v128_t a = start, b = start, c = start, d = start;
    v128_t e = start, f = start, g = start, h = start;
    for (int64_t k = 0, end; k < count; k = end) {
      end = end_of_block(k, count);
      for (int64_t row_number = k; row_number < end; row_number++) {
        const float *row = rows[row_number] + i;
        a = combine(a, wasm_v128_load(row));
        b = combine(b, wasm_v128_load(row + 4));
        c = combine(c, wasm_v128_load(row + 8));
        d = combine(d, wasm_v128_load(row + 12));
      }
      if (k > 0) a = combine(e, a), b = combine(f, b), c = combine(g, c), d = combine(h, d);
      if (end == count) break;
      e = a, f = b, g = c, h = d;
      a = b = c = d = nothing;
    }
    wasm_v128_store(to + i, a);
    wasm_v128_store(to + i + 4, b);
    wasm_v128_store(to + i + 8, c);
    wasm_v128_store(to + i + 12, d);
  }
  for (; i + 4 <= n; i += 4) {
    v128_t a = start;
    v128_t before = start;
    for (int64_t k = 0, end; k < count; k = end) {
      end = end_of_block(k, count);
      for (int64_t row = k; row < end; row++) a = combine(a, wasm_v128_load(rows[row] + i));
      if (k > 0) a = combine(before, a);
      if (end == count) break;
      before = a;
      a = nothing;
    }
    wasm_v128_store(to + i, a);
  }
  for (; i < n; i++) {
    v128_t a = start;
    v128_t before = start;
    for (int64_t k = 0, end; k < count; k = end) {
      end = end_of_block(k, count);
      for (int64_t row = k; row < end; row++) a = combine(a, wasm_v128_load32_zero(rows[row] + i));
      if (k > 0) a = combine(before, a);
      if (end == count) break;
      before = a;
      a = nothing;
    }
    wasm_v128_store32_lane(to + i, a, 0);
  }
}

#define DEFINE(name, combine, neutral)                                                             \
  static void name(float initial, int64_t count, const float *const *rows, int64_t n, float *to) { \
    combine_rows(combine, neutral, initial, count, rows, n, to);                                   \
  }
DEFINE(sums, add, -0.0f)
DEFINE(products, multiply, 1)
DEFINE(maxima, hlo_simd_f32x4_max, -__builtin_inff())
DEFINE(minima, hlo_simd_f32x4_min, __builtin_inff())

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
