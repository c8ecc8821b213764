// Dot products of f32 matrices with SIMD. Register tiles of ROWS x 8 results stay in locals while
// the contracting dimension runs; B is packed into panels of 8 columns when several row tiles share
// it, A is read where it lies. Tile heights follow the measurements in bench/limits.md: 15 live
// vectors at most. Must not know about shapes or layouts.
#include "kernels/kernels.h"
#include "kernels/simd.h"

#include <string.h>

enum {
  PANEL = 8,         // columns of a register tile: two vectors
  DEPTH_BLOCK = 256, // of the contracting dimension: a panel of B (8 KB) stays in the first cache
  ROW_BLOCK = 96,    // rows of A that stay in the second cache while all panels pass
#if defined(__wasm_relaxed_simd__)
  TILE_ROWS = 6, // 12 accumulators + 2 of B + 1 of A
#else
  TILE_ROWS = 4, // mul + add needs a vector more for the product
#endif
};

// tile: c[r][0..8) = (accumulate ? c : 0) + a[r][0..k) * b[0..k)[0..8), for r < ROWS; b rows are
// ldb apart.
typedef void tile_kernel(int64_t k, const float *a, int64_t lda, const float *b, int64_t ldb,
                         float *c, int64_t ldc, int accumulate);

// Unrolled over rows by the preprocessor, so that every accumulator is a local.
#define ROW_LOAD(r)                                                                                \
  v128_t lo##r = accumulate ? wasm_v128_load(c + (r) * ldc) : wasm_f32x4_splat(0);                 \
  v128_t hi##r = accumulate ? wasm_v128_load(c + (r) * ldc + 4) : wasm_f32x4_splat(0);
#define ROW_STEP(r)                                                                                \
  {                                                                                                \
    v128_t s = wasm_v128_load32_splat(a + (r) * lda + i);                                          \
    lo##r = hlo_simd_f32x4_multiply_add(s, b0, lo##r);                                             \
    hi##r = hlo_simd_f32x4_multiply_add(s, b1, hi##r);                                             \
  }
#define ROW_STORE(r)                                                                               \
  wasm_v128_store(c + (r) * ldc, lo##r);                                                           \
  wasm_v128_store(c + (r) * ldc + 4, hi##r);

#define ROWS_1(X) X(0)
#define ROWS_2(X) ROWS_1(X) X(1)
#define ROWS_3(X) ROWS_2(X) X(2)
#define ROWS_4(X) ROWS_3(X) X(3)
#define ROWS_5(X) ROWS_4(X) X(4)
#define ROWS_6(X) ROWS_5(X) X(5)

// Not inlined: V8 moves a function to its optimising tier when it is called again, never inside one
// call.
#define TILE(ROWS)                                                                                 \
  static __attribute__((noinline)) void tile_##ROWS(int64_t k, const float *a, int64_t lda,        \
                                                    const float *b, int64_t ldb, float *c,         \
                                                    int64_t ldc, int accumulate) {                 \
    ROWS_##ROWS(ROW_LOAD);                                                                         \
    _Pragma("clang loop unroll(disable)") for (int64_t i = 0; i < k; i++, b += ldb) {              \
      v128_t b0 = wasm_v128_load(b), b1 = wasm_v128_load(b + 4);                                   \
      ROWS_##ROWS(ROW_STEP);                                                                       \
    }                                                                                              \
    ROWS_##ROWS(ROW_STORE);                                                                        \
  }
TILE(1)
TILE(2)
TILE(3)
TILE(4)
#if defined(__wasm_relaxed_simd__)
TILE(5)
TILE(6)
static tile_kernel *const tiles[] = {0, tile_1, tile_2, tile_3, tile_4, tile_5, tile_6};
#else
static tile_kernel *const tiles[] = {0, tile_1, tile_2, tile_3, tile_4};
#endif

static int64_t panels(int64_t n) { return (n + PANEL - 1) / PANEL; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// One depth block of B as panels: packed[p][i][0..8), columns beyond n are zero.
static void pack(int64_t n, int64_t depth, const float *b, int64_t ldb, float *packed) {
  for (int64_t p = 0; p < panels(n); p++) {
    int64_t width = smaller(PANEL, n - p * PANEL);
    const float *from = b + p * PANEL;
    for (int64_t i = 0; i < depth; i++, from += ldb, packed += PANEL) {
      if (width == PANEL) {
        wasm_v128_store(packed, wasm_v128_load(from));
        wasm_v128_store(packed + 4, wasm_v128_load(from + 4));
      } else {
        memset(packed, 0, PANEL * sizeof *packed);
        memcpy(packed, from, (size_t)width * sizeof *packed);
      }
    }
  }
}

// A tile at the right edge: computed 8 wide beside the matrix, only the columns that exist are
// kept.
static void edge_tile(int64_t rows, int64_t width, int64_t k, const float *a, int64_t lda,
                      const float *b, float *c, int64_t ldc, int accumulate) {
  float beside[TILE_ROWS * PANEL] = {0};
  size_t bytes = (size_t)width * sizeof *c;
  for (int64_t r = 0; accumulate && r < rows; r++) memcpy(beside + r * PANEL, c + r * ldc, bytes);
  tiles[rows](k, a, lda, b, PANEL, beside, PANEL, accumulate);
  for (int64_t r = 0; r < rows; r++) memcpy(c + r * ldc, beside + r * PANEL, bytes);
}

// A block of rows times one packed depth block.
static void multiply_block(int64_t m, int64_t n, int64_t depth, const float *a, int64_t lda,
                           const float *packed, float *c, int64_t ldc, int accumulate) {
  for (int64_t p = 0; p < panels(n); p++) {
    const float *panel = packed + p * depth * PANEL;
    int64_t width = smaller(PANEL, n - p * PANEL);
    for (int64_t r = 0; r < m; r += TILE_ROWS) {
      int64_t rows = smaller(TILE_ROWS, m - r);
      float *to = c + r * ldc + p * PANEL;
      if (width == PANEL) tiles[rows](depth, a + r * lda, lda, panel, PANEL, to, ldc, accumulate);
      else edge_tile(rows, width, depth, a + r * lda, lda, panel, to, ldc, accumulate);
    }
  }
}

// Few rows: packing would cost as much as multiplying, so B is read in place.
static void multiply_few_rows(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
                              const float *b, int64_t ldb, float *c, int64_t ldc) {
  int64_t whole = n / PANEL * PANEL;
  for (int64_t j = 0; j < whole; j += PANEL) tiles[m](k, a, lda, b + j, ldb, c + j, ldc, 0);
  for (int64_t r = 0; r < m; r++) {
    for (int64_t j = whole; j < n; j++) {
      float sum = 0;
      for (int64_t i = 0; i < k; i++) sum += a[r * lda + i] * b[i * ldb + j];
      c[r * ldc + j] = sum;
    }
  }
}

int64_t hlo_kernel_dot_f32_scratch(int64_t n, int64_t k) {
  return panels(n) * PANEL * smaller(k, DEPTH_BLOCK) * (int64_t)sizeof(float);
}

void hlo_kernel_dot_f32(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
                        const float *b, int64_t ldb, float *c, int64_t ldc, void *scratch) {
  if (k == 0) {
    for (int64_t r = 0; r < m; r++) memset(c + r * ldc, 0, (size_t)n * sizeof *c);
    return;
  }
  if (m <= TILE_ROWS) {
    if (m > 0) multiply_few_rows(m, n, k, a, lda, b, ldb, c, ldc);
    return;
  }
  for (int64_t d = 0; d < k; d += DEPTH_BLOCK) {
    int64_t depth = smaller(DEPTH_BLOCK, k - d);
    pack(n, depth, b + d * ldb, ldb, scratch);
    for (int64_t r = 0; r < m; r += ROW_BLOCK) {
      multiply_block(smaller(ROW_BLOCK, m - r), n, depth, a + r * lda + d, lda, scratch,
                     c + r * ldc, ldc, d > 0);
    }
  }
}
