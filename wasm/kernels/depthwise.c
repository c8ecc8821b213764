// Depthwise convolution of f32 with SIMD: channels side by side, a few positions at a time so that
// a weight is loaded once for all of them. Must not know about shapes or layouts.
#include "kernels/kernels.h"
#include "kernels/simd.h"

// `count` rows of results, eight channels from j on, then four, then one.
#define SUMS(r) v128_t low##r = wasm_f32x4_splat(0), high##r = low##r;
#define STEPS(r)                                                                                   \
  {                                                                                                \
    const float *x = from + (r) * lda;                                                             \
    low##r = hlo_simd_f32x4_multiply_add(wasm_v128_load(x), weight, low##r);                       \
    high##r = hlo_simd_f32x4_multiply_add(wasm_v128_load(x + 4), next, high##r);                   \
  }
#define STORES(r)                                                                                  \
  wasm_v128_store(c + (r) * ldc, low##r);                                                          \
  wasm_v128_store(c + (r) * ldc + 4, high##r);
#define SUM(r) v128_t sum##r = wasm_f32x4_splat(0);
#define STEP(r)                                                                                    \
  sum##r = hlo_simd_f32x4_multiply_add(wasm_v128_load(from + (r) * lda), weight, sum##r);
#define STORE(r)       wasm_v128_store(c + (r) * ldc, sum##r);
#define POSITIONS_1(X) X(0)
#define POSITIONS_4(X) X(0) X(1) X(2) X(3)
#define DEFINE(count)                                                                              \
  static __attribute__((noinline)) void positions_##count(const hlo_depthwise_product *product,    \
                                                          const float *a, float *c) {              \
    const intptr_t lda = (intptr_t)product->lda, ldc = (intptr_t)product->ldc;                     \
    const intptr_t n = (intptr_t)product->n, segments = (intptr_t)product->segments;               \
    const int64_t *offsets = product->offsets;                                                     \
    intptr_t j = 0;                                                                                \
    for (; j + 8 <= n; j += 8, a += 8, c += 8) {                                                   \
      const float *b = product->b + j;                                                             \
      POSITIONS_##count(SUMS);                                                                     \
      _Pragma("clang loop unroll(disable)") for (intptr_t s = 0; s < segments; s++, b += n) {      \
        const float *from = a + offsets[s];                                                        \
        v128_t weight = wasm_v128_load(b), next = wasm_v128_load(b + 4);                           \
        POSITIONS_##count(STEPS);                                                                  \
      }                                                                                            \
      POSITIONS_##count(STORES);                                                                   \
    }                                                                                              \
    for (; j + 4 <= n; j += 4, a += 4, c += 4) {                                                   \
      const float *b = product->b + j;                                                             \
      POSITIONS_##count(SUM);                                                                      \
      for (intptr_t s = 0; s < segments; s++, b += n) {                                            \
        const float *from = a + offsets[s];                                                        \
        v128_t weight = wasm_v128_load(b);                                                         \
        POSITIONS_##count(STEP);                                                                   \
      }                                                                                            \
      POSITIONS_##count(STORE);                                                                    \
    }                                                                                              \
    for (; j < n; j++, a++, c++) {                                                                 \
      for (int r = 0; r < count; r++) {                                                            \
        float sum = 0;                                                                             \
        for (intptr_t s = 0; s < segments; s++) {                                                  \
          sum += a[r * lda + offsets[s]] * product->b[s * n + j];                                  \
        }                                                                                          \
        c[r * ldc] = sum;                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE(1)
DEFINE(4)

void hlo_kernel_depthwise_f32(const hlo_depthwise_product *product) {
  for (int64_t block = 0; block < product->blocks; block++) {
    const float *a = product->a[block];
    float *c = product->c[block];
    int64_t i = 0;
    for (; i + 4 <= product->m; i += 4) {
      positions_4(product, a + i * product->lda, c + i * product->ldc);
    }
    for (; i < product->m; i++) positions_1(product, a + i * product->lda, c + i * product->ldc);
  }
}
