// Convolutions of f32 that add each product with one rounding, where no instruction does so:
// products are exact in f64, and their sums are rounded to f64 and then to f32, which differs from
// one rounding only where the first hits the middle of two f32.
#include "kernels/simd/exact.h"
#include "kernels/simd/exact_sums.h"

#include <string.h>

enum { PAIRS = 8, POSITIONS = 2 * PAIRS, PANEL = 8 };

// A tile of ROWS x 2 COLUMNS results, eight vectors in all. b: rows of PANEL columns as f64.
#define TILE(ROWS, COLUMNS)                                                                        \
  static __attribute__((noinline)) void tile_##ROWS(                                               \
      const rounding *memory, const hlo_segmented_product *p, const float *a, int64_t lda,         \
      const double *b, float *c, int64_t ldc) {                                                    \
    const rounding r = *memory;                                                                    \
    v128_t sums[ROWS][COLUMNS] = {0};                                                              \
    for (int64_t part = 0; part < p->segments; part++) {                                           \
      const float *from = a + p->offsets[part], *end = from + p->length;                           \
      for (; from != end; from++, b += PANEL) {                                                    \
        v128_t x[ROWS];                                                                            \
        _Pragma("unroll") for (int i = 0; i < ROWS; i++) x[i] = load_twice(from + i * lda);        \
        _Pragma("unroll") for (int j = 0; j < COLUMNS; j++) {                                      \
          v128_t y = wasm_v128_load(b + 2 * j);                                                    \
          _Pragma("unroll") for (int i = 0; i < ROWS; i++) sums[i][j] =                            \
              add_products(&r, sums[i][j], x[i], y);                                               \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    _Pragma("unroll") for (int i = 0; i < ROWS; i++) {                                             \
      _Pragma("unroll") for (int j = 0; j < COLUMNS; j++)                                          \
          store_pair(c + i * ldc + 2 * j, sums[i][j]);                                             \
    }                                                                                              \
  }
TILE(2, 4)
TILE(4, 2)

// POSITIONS rows, which lie side by side, of one column.
static __attribute__((noinline)) void positions(const rounding *memory,
                                                const hlo_segmented_product *p, const float *a,
                                                const float *b, float *c) {
  const rounding r = *memory;
  v128_t sums[PAIRS] = {0};
  for (int64_t part = 0; part < p->segments; part++) {
    const float *from = a + p->offsets[part], *end = from + p->length;
    for (; from != end; from++, b += PANEL) {
      v128_t y = load_twice(b);
      _Pragma("unroll") for (int i = 0; i < PAIRS; i++) sums[i] =
          add_products(&r, sums[i], load_pair(from + 2 * i), y);
    }
  }
  for (int i = 0; i < PAIRS; i++) store_pair(c + 2 * i, sums[i]);
}

// Some rows and a panel's columns. At the lower edge some rows are computed twice.
static HLO_SMALL_CODE void multiply_panel(const rounding *r, const hlo_segmented_product *p,
                                          int64_t width, const float *a, const double *b,
                                          float *c) {
  int64_t high = width > SIDE ? 2 : SIDE, wide = width > SIDE ? PANEL : SIDE;
  int64_t rows = p->m < high ? 1 : high;
  for (int64_t row = 0; row < p->m; row += rows) {
    int64_t i = smaller(row, p->m - rows);
    float beside[2 * PANEL], *to = c + i * p->ldc;
    bool whole = width == wide && rows == high;
    (high == 2 ? tile_2 : tile_4)(r, p, a + i * p->lda, rows == 1 ? 0 : p->lda, b,
                                  whole ? to : beside, whole ? p->ldc : wide);
    for (int64_t k = 0; k < rows && !whole; k++)
      memcpy(to + k * p->ldc, beside + k * wide, (size_t)width * sizeof *to);
  }
}

HLO_SMALL_CODE void hlo_kernel_exact_segments(const hlo_segmented_product *p) {
  const rounding r = rounding_to_f32();
  const float *packed = p->packed;
  bool aside = p->n == 1 && p->lda == 1 && p->ldc == 1 && p->m >= POSITIONS;
  double panel[PANEL * HLO_MOST_EXACT_PRODUCTS];
  int64_t size = PANEL * p->segments * p->length;
  for (int64_t j = 0; j < p->n; j += PANEL, packed += size) {
    for (int64_t i = 0; !aside && i < size; i += 2)
      wasm_v128_store(panel + i, load_pair(packed + i));
    for (int64_t block = 0; block < p->blocks; block++) {
      const float *a = p->a[block];
      float *c = (float *)p->c[block] + p->column + j;
      for (int64_t row = 0; aside && row < p->m; row += POSITIONS) {
        int64_t i = smaller(row, p->m - POSITIONS);
        positions(&r, p, a + i, packed, c + i);
      }
      if (!aside) multiply_panel(&r, p, smaller(PANEL, p->n - j), a, panel, c);
    }
  }
}

// Sums of such products are multiples of their last places, and so zero or large.
bool hlo_kernel_are_in_range(int64_t count, const float *numbers) {
  const uint32_t smallest = (127 - 40) << 23, largest = (127 + 50) << 23;
  uint32_t outside = 0;
  for (int64_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, numbers + i, sizeof bits);
    bits &= INT32_MAX;
    outside |= (bits != 0) & (bits - smallest > largest - smallest);
  }
  return outside == 0;
}
