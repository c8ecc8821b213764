// See dot_bf16.h.
//
// Four rows at a time, a quarter of the matrix apart: several memory streams give more bandwidth.
#include "kernels/product/other_types/dot_bf16.h"

#include "kernels/machine.h"
#include "math/float_formats.h"
#include "math/long_sums.h"

#include <string.h>

typedef uint16_t u16_vector __attribute__((vector_size(16)));
typedef float f32_vector __attribute__((vector_size(16)));

enum { ROWS = 4, LANES = 8 };

static inline u16_vector load(const uint16_t *from) {
  u16_vector x;
  memcpy(&x, from, sizeof x);
  return x;
}

static inline f32_vector load_f32(const float *from) {
  f32_vector x;
  memcpy(&x, from, sizeof x);
  return x;
}

// bf16 is the upper half of f32.
static inline f32_vector lower(u16_vector x) {
  const u16_vector zero = {0};
  return (f32_vector)__builtin_shufflevector(zero, x, 0, 8, 1, 9, 2, 10, 3, 11);
}
static inline f32_vector upper(u16_vector x) {
  const u16_vector zero = {0};
  return (f32_vector)__builtin_shufflevector(zero, x, 4, 12, 5, 13, 6, 14, 7, 15);
}

HLO_DEFINE_LONG_SUMS(f32, float)

enum { BLOCK = LANES * HLO_SUM_BLOCK };

// Lane-wise partial dot products of four rows over whole vectors. Not inlined: V8 tiers up a
// function that is called repeatedly.
static __attribute__((noinline)) void dot_block(intptr_t count, const uint16_t *a, intptr_t apart,
                                                const float *x, float *out) {
  f32_vector sums[ROWS][2] = {0};
  const uint16_t *rows[ROWS] = {a, a + apart, a + 2 * apart, a + 3 * apart};
  for (intptr_t i = 0; i < count; i += LANES) {
    f32_vector low = load_f32(x + i), high = load_f32(x + i + LANES / 2);
    _Pragma("unroll") for (int r = 0; r < ROWS; r++) {
      u16_vector y = load(rows[r] + i);
      sums[r][0] += lower(y) * low;
      sums[r][1] += upper(y) * high;
    }
  }
  for (int r = 0; r < ROWS; r++) {
    f32_vector both = sums[r][0] + sums[r][1];
    memcpy(out + r * LANES / 2, &both, sizeof both);
  }
}

static void dot_rows(int64_t k, const uint16_t *a, intptr_t apart, const float *x, float *out) {
  enum { HALF = LANES / 2 };
  float sums[ROWS * HALF], block[ROWS * HALF], lost[ROWS * HALF] = {0};
  intptr_t whole = (intptr_t)(k / LANES * LANES);
  for (intptr_t i = 0; i == 0 || i < whole; i += BLOCK) {
    dot_block(whole - i < BLOCK ? whole - i : BLOCK, a + i, apart, x + i, i == 0 ? sums : block);
    if (i > 0) hlo_add_block_f32(ROWS * HALF, block, sums, lost);
  }
  if (whole > BLOCK) hlo_end_sums_f32(ROWS * HALF, lost, sums);
  for (int r = 0; r < ROWS; r++) {
    const float *both = sums + r * HALF;
    out[r] = (both[0] + both[2]) + (both[1] + both[3]);
    for (intptr_t j = whole; j < k; j++) out[r] += hlo_bf16_to_f32(a[r * apart + j]) * x[j];
  }
}

void hlo_dot_rows_bf16(int64_t m, int64_t k, const uint16_t *a, int64_t lda, const float *x,
                       float *c, int64_t ldc) {
  float sums[ROWS];
  int64_t quarter = m / ROWS;
  for (int64_t i = 0; i < quarter; i++) {
    dot_rows(k, a + i * lda, (intptr_t)(quarter * lda), x, sums);
    for (int64_t r = 0; r < ROWS; r++) c[(i + r * quarter) * ldc] = sums[r];
  }
  for (int64_t i = ROWS * quarter; i < m; i++) { // the same row four times
    dot_rows(k, a + i * lda, 0, x, sums);
    c[i * ldc] = sums[0];
  }
}

// c += x[0] b[0] + x[step] b[1] + …, of so many rows at once.
static __attribute__((noinline)) void add_rows(int64_t n, const float *x, intptr_t step,
                                               const uint16_t *b, intptr_t apart, float *c) {
  f32_vector factors[ROWS];
  for (int r = 0; r < ROWS; r++) factors[r] = (f32_vector){0} + x[r * step];
  intptr_t j = 0, count = (intptr_t)n;
  for (; j + LANES <= count; j += LANES, c += LANES, b += LANES) {
    f32_vector low = load_f32(c), high = load_f32(c + LANES / 2);
    _Pragma("unroll") for (int r = 0; r < ROWS; r++) {
      u16_vector y = load(b + r * apart);
      low += lower(y) * factors[r];
      high += upper(y) * factors[r];
    }
    memcpy(c, &low, sizeof low);
    memcpy(c + LANES / 2, &high, sizeof high);
  }
  for (; j < count; j++, c++, b++) {
    for (int r = 0; r < ROWS; r++) *c += hlo_bf16_to_f32(b[r * apart]) * factors[r][0];
  }
}

// c = the sum of the rows of b from `first` to `end` of each quarter, and at its end of those that
// are left.
static void add_block(int64_t n, int64_t first, int64_t end, int64_t k, const float *x,
                      const uint16_t *b, int64_t ldb, float *c) {
  int64_t quarter = k / ROWS;
  memset(c, 0, (size_t)n * sizeof *c);
  for (int64_t i = first; i < end; i++)
    add_rows(n, x + i, (intptr_t)quarter, b + i * ldb, (intptr_t)(quarter * ldb), c);
  for (int64_t i = ROWS * quarter; end == quarter && i < k; i++) {
    for (int64_t j = 0; j < n; j++) c[j] += hlo_bf16_to_f32(b[i * ldb + j]) * x[i];
  }
}

void hlo_dot_columns_bf16(int64_t n, int64_t k, const float *x, const uint16_t *b, int64_t ldb,
                          float *c) {
  enum { STEP = HLO_SUM_BLOCK / ROWS };
  float block[HLO_CONVERTED_STRETCH], lost[HLO_CONVERTED_STRETCH];
  int64_t quarter = k / ROWS;
  for (int64_t left = n; left > 0;
       left -= HLO_CONVERTED_STRETCH, b += HLO_CONVERTED_STRETCH, c += HLO_CONVERTED_STRETCH) {
    int64_t width = left < HLO_CONVERTED_STRETCH ? left : HLO_CONVERTED_STRETCH;
    add_block(width, 0, quarter < STEP ? quarter : STEP, k, x, b, ldb, c);
    if (quarter <= STEP) continue;
    memset(lost, 0, (size_t)width * sizeof *lost);
    for (int64_t i = STEP; i < quarter; i += STEP) {
      add_block(width, i, quarter < i + STEP ? quarter : i + STEP, k, x, b, ldb, block);
      hlo_add_block_f32(width, block, c, lost);
    }
    hlo_end_sums_f32(width, lost, c);
  }
}
