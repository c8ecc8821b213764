// The tiles of the plain build, for f32: native kernels have those of the relaxed one, but for
// pairs of integers. Elements are small integers, so that sums are exact.
#define ELEMENT float
#define PRODUCT_IS_APART
#define LOAD_SPLAT              wasm_v128_load32_splat
#define MULTIPLY                wasm_f32x4_mul
#define PLUS                    wasm_f32x4_add
#define MULTIPLY_ADD(a, b, acc) PLUS(acc, MULTIPLY(a, b))
#define ADD(a, b)               ((a) + (b))
#define ADD_PRODUCT(sum, a, b)  ((sum) + (a) * (b))
#include "kernels/simd/dot_loops.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

static uint32_t state = 1;

static int64_t random_below(int64_t limit) {
  state = state * 1664525 + 1013904223;
  return (int64_t)(state >> 8) % limit;
}

static float *small_numbers(int64_t count) {
  float *array = malloc((size_t)(count + 1) * sizeof *array);
  for (int64_t i = 0; i < count; i++) array[i] = (float)(random_below(7) - 3);
  return array;
}

// What stands behind rows of c stays.
static void test_product(int64_t m, int64_t n, int64_t k) {
  int64_t lda = k + random_below(3), ldb = n + random_below(3), ldc = n + random_below(3);
  float *a = small_numbers(m * lda), *b = small_numbers(k * ldb), *c = small_numbers(m * ldc);
  float *before = malloc((size_t)(m * ldc + 1) * sizeof *before);
  memcpy(before, c, (size_t)(m * ldc) * sizeof *c);
  void *scratch = aligned_alloc(64, (size_t)(scratch_bytes(n, k) / 64 + 1) * 64);
  multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, NULL);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m * ldc; i++) {
    float sum = i % ldc < n ? 0 : before[i];
    for (int64_t p = 0; p < k && i % ldc < n; p++)
      sum += a[i / ldc * lda + p] * b[p * ldb + i % ldc];
    wrong += c[i] != sum;
  }
  CHECK_MESSAGE(wrong == 0, "%d x %d x %d: %d wrong", (int)m, (int)n, (int)k, (int)wrong);
  free(a), free(b), free(c), free(before), free(scratch);
}

// Sums that are -0 if they begin with a product are +0.
static void test_negative_zeros(int64_t m, int64_t n, int64_t k) {
  float *a = malloc((size_t)(m * k) * sizeof *a), *b = malloc((size_t)(k * n) * sizeof *b);
  float *c = malloc((size_t)(m * n) * sizeof *c);
  for (int64_t i = 0; i < m * k; i++) a[i] = -0.0F;
  for (int64_t i = 0; i < k * n; i++) b[i] = 1;
  void *scratch = aligned_alloc(64, (size_t)(scratch_bytes(n, k) / 64 + 1) * 64);
  multiply(m, n, k, a, k, b, n, c, n, scratch, NULL);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m * n; i++) wrong += c[i] != 0 || signbit(c[i]) != 0;
  CHECK_MESSAGE(wrong == 0, "%d x %d x %d of -0: %d wrong", (int)m, (int)n, (int)k, (int)wrong);
  free(a), free(b), free(c), free(scratch);
}

// Sums over several stretches of a row, times up to two panels, as convolutions make them, with and
// without what is there before.
static void test_segments(int64_t m, int64_t width, int64_t length, int accumulate) {
  enum { COUNT = 3 };
  const int64_t offsets[COUNT] = {2 * length + 1, 0, length}, k = COUNT * length;
  const segments s = {COUNT, length, offsets};
  int64_t lda = k + 1, ldc = width + random_below(3);
  float *a = small_numbers(m * lda), *b = small_numbers(k * width), *c = small_numbers(m * ldc);
  float *wanted = malloc((size_t)(m * ldc + 1) * sizeof *wanted);
  float *packed = malloc((size_t)(ACROSS * PANEL * k) * sizeof *packed);
  memcpy(wanted, c, (size_t)(m * ldc) * sizeof *c);
  for (int64_t i = 0; i < m * ldc; i++) {
    if (i % ldc >= width) continue;
    if (!accumulate) wanted[i] = 0;
    for (int64_t p = 0; p < k; p++)
      wanted[i] += a[i / ldc * lda + offsets[p / length] + p % length] * b[p * width + i % ldc];
  }
  pack(width, k, b, width, packed, k * PANEL);
  multiply_panels(m, width, &s, a, lda, packed, PANEL, k * PANEL, c, ldc, accumulate);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m * ldc; i++) wrong += c[i] != wanted[i];
  CHECK_MESSAGE(wrong == 0, "stretches, %d x %d x %d: %d wrong", (int)m, (int)width, (int)k,
                (int)wrong);
  free(a), free(b), free(c), free(wanted), free(packed);
}

int main(void) {
  CHECK(!TILE_OF_SIX && ACROSS == 2);
  for (int i = 0; i < 300; i++) test_product(random_below(30), random_below(40), random_below(40));
  for (int i = 0; i < 10; i++) {
    test_product(1 + random_below(130), 1 + random_below(50), 200 + random_below(700));
    test_product(1 + random_below(6), 100 + random_below(400), 150 + random_below(90));
    test_product(5 + random_below(70), 8 * (9 + random_below(30)), 1 + random_below(90));
  }
  for (int64_t k = 1; k <= 9; k++) test_product(1 + random_below(5), 1, k);
  for (int i = 0; i < 6; i++) { // sums of many blocks
    test_product(1 + random_below(9), 1 + random_below(30), 12000 + random_below(30000));
    test_product(1 + random_below(9), 1, 1000 + random_below(100000));
    test_product(1 + random_below(6), 8 + random_below(30), 3000 + random_below(9000));
  }
  for (int i = 0; i < 60; i++)
    test_negative_zeros(1 + random_below(50), 1 + random_below(60), 1 + random_below(40));
  for (int64_t m = 1; m <= 9; m++) {
    for (int64_t width = 1; width <= ACROSS * PANEL; width++)
      test_segments(m, width, 1 + random_below(9), (int)random_below(2));
  }
  return CHECK_RESULT();
}
