// Register tiles of a product of matrices, for one type of elements: ROWS rows and two vectors of
// results stay in locals while the contracting dimension runs. At most 15 vectors are to be live at
// a time: V8 keeps no more in registers. Included once per file; must not know how matrices are cut
// into blocks.
//
// The includer defines ELEMENT, one of the contracting dimension and as large as one of the result;
// LOAD_SPLAT(p) and MULTIPLY_ADD(a, b, acc) on vectors; PRODUCT_IS_APART if MULTIPLY_ADD is never
// one instruction. MULTIPLY(a, b) and PLUS(a, b), if they are defined, make sums that begin with a
// product and not with 0.
#include "kernels/simd.h"

#include <stdint.h>
#include <string.h>

#if defined(__wasm_relaxed_simd__) && !defined(PRODUCT_IS_APART)
#define TILE_OF_SIX 1
#else
#define TILE_OF_SIX 0
#endif

enum {
  LANES = 16 / (int)sizeof(ELEMENT),
  PANEL = 2 * LANES, // columns of a register tile: two vectors
#if TILE_OF_SIX
  TILE_ROWS = 6, // 12 accumulators + 2 of B + 1 of A
#else
  TILE_ROWS = 4, // mul + add needs a vector more for the product
#endif
};

// What a tile sums over: `count` stretches of `length` elements of each row of A, at these offsets
// from the row's start, and as many rows of B, one after the other.
typedef struct segments {
  int64_t count, length;
  const int64_t *offsets;
} segments;

static const int64_t no_offset = 0;

// tile: c[r][0..8) = (accumulate ? c : 0) + a[r] * b[..)[0..8), for r < ROWS; b rows are ldb apart.
// So many tiles below each other.
typedef void tile_kernel(const segments *s, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                         int64_t ldb, ELEMENT *c, int64_t ldc, int accumulate, int64_t tiles);

// Unrolled over rows by the preprocessor, so that every accumulator is a local.
#define ROW_LOAD(r)                                                                                \
  v128_t lo##r = accumulate ? wasm_v128_load(c + (r) * ldc) : wasm_i32x4_splat(0);                 \
  v128_t hi##r = accumulate ? wasm_v128_load(c + (r) * ldc + LANES) : wasm_i32x4_splat(0);
#define ROW_STEP(r)                                                                                \
  {                                                                                                \
    v128_t x = LOAD_SPLAT(from + (r) * lda);                                                       \
    lo##r = MULTIPLY_ADD(x, b0, lo##r);                                                            \
    hi##r = MULTIPLY_ADD(x, b1, hi##r);                                                            \
  }
#define ROW_STORE(r)                                                                               \
  wasm_v128_store(c + (r) * ldc, lo##r);                                                           \
  wasm_v128_store(c + (r) * ldc + LANES, hi##r);

#define ROWS_1(X) X(0)
#define ROWS_2(X) ROWS_1(X) X(1)
#define ROWS_3(X) ROWS_2(X) X(2)
#define ROWS_4(X) ROWS_3(X) X(3)
#define ROWS_5(X) ROWS_4(X) X(4)
#define ROWS_6(X) ROWS_5(X) X(5)

// Not inlined: V8 moves a function to its optimising tier when it is called again, never inside one
// call.
#define TILE(ROWS)                                                                                 \
  static __attribute__((noinline)) void tile_##ROWS(                                               \
      const segments *s, const ELEMENT *a, int64_t lda, const ELEMENT *panel, int64_t ldb,         \
      ELEMENT *c, int64_t ldc, int accumulate, int64_t tiles) {                                    \
    for (; tiles > 0; tiles--, a += (ROWS) * lda, c += (ROWS) * ldc) {                             \
      const ELEMENT *b = panel;                                                                    \
      ROWS_##ROWS(ROW_LOAD);                                                                       \
      for (int64_t part = 0; part < s->count; part++) {                                            \
        const ELEMENT *from = a + s->offsets[part], *end = from + s->length;                       \
        _Pragma("clang loop unroll(disable)") for (; from != end; from++, b += ldb) {              \
          v128_t b0 = wasm_v128_load(b), b1 = wasm_v128_load(b + LANES);                           \
          ROWS_##ROWS(ROW_STEP);                                                                   \
        }                                                                                          \
      }                                                                                            \
      ROWS_##ROWS(ROW_STORE);                                                                      \
    }                                                                                              \
  }
TILE(1)
TILE(2)
TILE(3)
TILE(4)
#if TILE_OF_SIX
TILE(5)
TILE(6)
static tile_kernel *const tile_kernels[] = {0, tile_1, tile_2, tile_3, tile_4, tile_5, tile_6};
#else
static tile_kernel *const tile_kernels[] = {0, tile_1, tile_2, tile_3, tile_4};
#endif

#if defined(MULTIPLY)
#define ROW_BEGIN(r)                                                                               \
  v128_t lo##r, hi##r;                                                                             \
  {                                                                                                \
    v128_t x = LOAD_SPLAT(from + (r) * lda);                                                       \
    lo##r = MULTIPLY(x, b0);                                                                       \
    hi##r = MULTIPLY(x, b1);                                                                       \
  }
#define ROW_END(r)                                                                                 \
  wasm_v128_store(c + (r) * ldc, PLUS(lo##r, zero));                                               \
  wasm_v128_store(c + (r) * ldc + LANES, PLUS(hi##r, zero));

#if TILE_OF_SIX
#define ROWS_OF_TILE ROWS_6
#else
#define ROWS_OF_TILE ROWS_4
#endif

// Tiles of TILE_ROWS whose sums are of one stretch of `length` and begin here: in some 25 cycles
// less than those that may go on, which is a twentieth where 64 elements are summed. What is added
// at the end makes +0 of -0, as beginning with 0 does.
static __attribute__((noinline)) void begin_tiles(int64_t length, const ELEMENT *a, int64_t lda,
                                                  const ELEMENT *panel, int64_t ldb, ELEMENT *c,
                                                  int64_t ldc, int64_t tiles) {
  v128_t zero = wasm_i32x4_splat(0);
  for (; tiles > 0; tiles--, a += TILE_ROWS * lda, c += TILE_ROWS * ldc) {
    const ELEMENT *b = panel, *from = a, *end = a + length;
    v128_t b0 = wasm_v128_load(b), b1 = wasm_v128_load(b + LANES);
    ROWS_OF_TILE(ROW_BEGIN);
    _Pragma("clang loop unroll(disable)") while (++from != end) {
      b += ldb;
      b0 = wasm_v128_load(b);
      b1 = wasm_v128_load(b + LANES);
      ROWS_OF_TILE(ROW_STEP);
    }
    ROWS_OF_TILE(ROW_END);
  }
}
#endif

// Whole tiles below each other.
static void multiply_tiles(const segments *s, const ELEMENT *a, int64_t lda, const ELEMENT *panel,
                           int64_t ldb, ELEMENT *c, int64_t ldc, int accumulate, int64_t tiles) {
#if defined(MULTIPLY)
  if (!accumulate && s->count == 1 && s->length > 0) {
    begin_tiles(s->length, a + s->offsets[0], lda, panel, ldb, c, ldc, tiles);
    return;
  }
#endif
  tile_kernels[TILE_ROWS](s, a, lda, panel, ldb, c, ldc, accumulate, tiles);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// A tile at the right edge: computed 8 wide beside the matrix, only the columns that exist are
// kept.
static HLO_SMALL_CODE void edge_tile(int64_t rows, int64_t width, const segments *s,
                                     const ELEMENT *a, int64_t lda, const ELEMENT *b, ELEMENT *c,
                                     int64_t ldc, int accumulate) {
  ELEMENT beside[TILE_ROWS * PANEL] = {0};
  size_t bytes = (size_t)width * sizeof *c;
  for (int64_t r = 0; accumulate && r < rows; r++) memcpy(beside + r * PANEL, c + r * ldc, bytes);
  tile_kernels[rows](s, a, lda, b, PANEL, beside, PANEL, accumulate, 1);
  for (int64_t r = 0; r < rows; r++) memcpy(c + r * ldc, beside + r * PANEL, bytes);
}

// m > 0 rows times a panel, in tiles of nearly the same height: first the higher ones. A panel at
// the edge is a packed one.
static HLO_SMALL_CODE void multiply_panel(int64_t m, int64_t width, const segments *s,
                                          const ELEMENT *a, int64_t lda, const ELEMENT *panel,
                                          int64_t ldb, ELEMENT *c, int64_t ldc, int accumulate) {
  int64_t count = (m + TILE_ROWS - 1) / TILE_ROWS, low = m / count, high = m % count;
  for (int64_t done = 0; done < count;) {
    int64_t rows = done < high ? low + 1 : low;
    int64_t tiles = width < PANEL ? 1 : done < high ? high : count - done;
    if (width < PANEL) edge_tile(rows, width, s, a, lda, panel, c, ldc, accumulate);
    else if (rows == TILE_ROWS) multiply_tiles(s, a, lda, panel, ldb, c, ldc, accumulate, tiles);
    else tile_kernels[rows](s, a, lda, panel, ldb, c, ldc, accumulate, tiles);
    a += tiles * rows * lda;
    c += tiles * rows * ldc;
    done += tiles;
  }
}
