// Depthwise convolutions of f32 that add each product with one rounding, see kernels/simd/exact.c.
#include "kernels/simd/exact.h"
#include "kernels/simd/exact_sums.h"

// SIDE positions by as many channels.
static __attribute__((noinline)) void depthwise_square(const rounding *memory,
                                                       const hlo_depthwise_product *p,
                                                       const float *a, int64_t lda, const float *b,
                                                       float *c, int64_t ldc) {
  const rounding r = *memory;
  v128_t sums[SIDE][2] = {0};
  for (int64_t s = 0; s < p->segments; s++, b += p->ldb) {
    const float *from = a + p->offsets[s];
    v128_t low = load_pair(b), high = load_pair(b + 2);
    _Pragma("unroll") for (int i = 0; i < SIDE; i++) {
      sums[i][0] = add_products(&r, sums[i][0], load_pair(from + i * lda), low);
      sums[i][1] = add_products(&r, sums[i][1], load_pair(from + i * lda + 2), high);
    }
  }
  _Pragma("unroll") for (int i = 0; i < SIDE; i++) {
    store_pair(c + i * ldc, sums[i][0]);
    store_pair(c + i * ldc + 2, sums[i][1]);
  }
}

static void depthwise_elements(const hlo_depthwise_product *p, const float *a, float *c) {
  const float *b = p->b;
  for (int64_t i = 0; i < p->m; i++, a += p->lda, c += p->ldc) {
    for (int64_t j = 0; j < p->n; j++) {
      float sum = 0;
      for (int64_t s = 0; s < p->segments; s++)
        sum = (float)((double)a[p->offsets[s] + j] * (double)b[s * p->ldb + j] + (double)sum);
      c[j] = sum;
    }
  }
}

void hlo_kernel_exact_depthwise(const hlo_depthwise_product *p) {
  const rounding r = rounding_to_f32();
  int64_t rows = p->m < SIDE ? 1 : SIDE;
  for (int64_t block = 0; block < p->blocks; block++) {
    const float *a = p->a[block];
    float *c = p->c[block];
    if (p->n < SIDE) depthwise_elements(p, a, c);
    for (int64_t row = 0; p->n >= SIDE && row < p->m; row += rows) {
      int64_t i = smaller(row, p->m - rows);
      for (int64_t column = 0; column < p->n; column += SIDE) {
        int64_t j = smaller(column, p->n - SIDE);
        depthwise_square(&r, p, a + i * p->lda + j, rows == 1 ? 0 : p->lda, (const float *)p->b + j,
                         c + i * p->ldc + j, rows == 1 ? 0 : p->ldc);
      }
    }
  }
}
