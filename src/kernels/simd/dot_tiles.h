// Register tiles of a product of matrices, for one type of elements: some rows and vectors of
// results stay in locals while the contracting dimension runs. At most 15 vectors are to be live at
// a time: V8 keeps no more in registers. Included once per file.
//
// The includer defines ELEMENT, one of the contracting dimension and as large as one of the result;
// LOAD_SPLAT(p), PLUS(a, b) and MULTIPLY_ADD(a, b, acc) on vectors; PRODUCT_IS_APART if
// MULTIPLY_ADD is never one instruction. MULTIPLY(a, b), if it is defined, makes sums that begin
// with a product and not with 0.
#include "kernels/machine.h"
#include "kernels/simd/relaxed.h"
#include "math/long_sums.h"

#include <stdint.h>
#include <string.h>

#if !defined(PRODUCT_IS_APART) && HLO_MAY_FUSE
#define TILE_OF_SIX 1
#else
#define TILE_OF_SIX 0
#endif

enum {
  LANES = 16 / (int)sizeof(ELEMENT),
  PANEL = 2 * LANES, // columns of B that lie together: two vectors
  STRIP_ROWS = 2,    // of a tile that is several panels wide
#if TILE_OF_SIX
  TILE_ROWS = 6,    // of one that is a panel wide: 12 accumulators + 2 of B + 1 of A
  STRIP_PANELS = 3, // as many accumulators, for two rows that are left
  ACROSS = 1,       // panels of the tiles that do most of the work
#else
  // 8 accumulators, and a product needs a vector more. Four rows are more addresses than mul + add
  // leave time for, and take an eighth longer: they are for what is only a panel wide.
  TILE_ROWS = 4,
  STRIP_PANELS = 2,
  ACROSS = 2,
// Panels that are packed for a product begin so far from each other, so that one address is
// enough for two of them: they have so many rows at most, and both stay in the first cache.
#if defined(PRODUCT_IS_APART)
  DEPTH_BLOCK = HLO_GEMM_DEPTH_APART,
  APART = DEPTH_BLOCK * PANEL,
#else
  DEPTH_BLOCK = HLO_SUM_BLOCK,
  APART = (DEPTH_BLOCK + 16) * PANEL, // no power of two
#endif
#endif
};

// What a tile sums over: `count` stretches of `length` elements of each row of A, at these offsets
// from the row's start, and as many rows of B, one after the other.
typedef struct segments {
  int64_t count, length;
  const int64_t *offsets;
} segments;

static const int64_t no_offset = 0;

#define UNROLL _Pragma("unroll")
#define INLINE static inline __attribute__((always_inline))

// Sums stand in the order in which a step makes them: compilers keep to it, and another one takes
// more registers. Each is of this row and this vector of a tile that is so many panels wide.
enum { MOST_SUMS = TILE_OF_SIX ? 12 : 8 };
INLINE int row_of(int sum, int wide) { return wide == 1 ? sum / 2 : sum % STRIP_ROWS; }
INLINE int vector_of(int sum, int wide) { return wide == 1 ? sum % 2 : sum / STRIP_ROWS; }

// Adds to the sums of some rows times a panel: so many columns of A, rows of B.
INLINE void add_tile(int rows, int64_t count, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                     int64_t ldb, v128_t *sums) {
  const ELEMENT *end = a + count;
  _Pragma("clang loop unroll(disable)") for (; a != end; a++, b += ldb) {
    v128_t b0 = wasm_v128_load(b), b1 = wasm_v128_load(b + LANES);
    UNROLL for (int r = 0; r < rows; r++) {
      v128_t x = LOAD_SPLAT(a + r * lda);
      sums[2 * r] = MULTIPLY_ADD(x, b0, sums[2 * r]);
      sums[2 * r + 1] = MULTIPLY_ADD(x, b1, sums[2 * r + 1]);
    }
  }
}

// The same of two rows times some panels, which are `stride` apart.
INLINE void add_strip(int64_t count, const ELEMENT *a, int64_t lda, const ELEMENT *b, int64_t ldb,
                      int64_t stride, v128_t *sums) {
  const ELEMENT *end = a + count, *below = a + lda;
  _Pragma("clang loop unroll(disable)") for (; a != end; a++, below++, b += ldb) {
    v128_t x = LOAD_SPLAT(a), y = LOAD_SPLAT(below);
    UNROLL for (int v = 0; v < 2 * STRIP_PANELS; v++) {
      v128_t z = wasm_v128_load(b + v / 2 * stride + v % 2 * LANES);
      sums[2 * v] = MULTIPLY_ADD(x, z, sums[2 * v]);
      sums[2 * v + 1] = MULTIPLY_ADD(y, z, sums[2 * v + 1]);
    }
  }
}

INLINE void add(int rows, int wide, int64_t count, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                int64_t ldb, int64_t stride, v128_t *sums) {
  if (wide == 1) add_tile(rows, count, a, lda, b, ldb, sums);
#if !TILE_OF_SIX
  // Where distances are known, one address is enough.
  else if (ldb == PANEL && stride == APART) add_strip(count, a, lda, b, PANEL, APART, sums);
  else if (stride == PANEL) add_strip(count, a, lda, b, ldb, PANEL, sums);
#endif
  else add_strip(count, a, lda, b, ldb, stride, sums);
}

// What is added at the end, and not where the sums begin, does not make the sums longer.
INLINE void store(int rows, int wide, const v128_t *sums, ELEMENT *c, int64_t ldc, int accumulate) {
  UNROLL for (int i = 0; i < 2 * rows * wide; i++) {
    ELEMENT *to = c + row_of(i, wide) * ldc + vector_of(i, wide) * LANES;
    wasm_v128_store(to, accumulate ? PLUS(wasm_v128_load(to), sums[i]) : sums[i]);
  }
}

// tile: c[r][0..wide PANEL) = (accumulate ? c : 0) + a[r] * b[..)[0..wide PANEL), for r < rows. So
// many tiles below each other.
typedef void tile_kernel(const segments *s, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                         int64_t ldb, int64_t stride, ELEMENT *c, int64_t ldc, int accumulate,
                         int64_t tiles);

INLINE void tile(int rows, int wide, const segments *s, const ELEMENT *a, int64_t lda,
                 const ELEMENT *panel, int64_t ldb, int64_t stride, ELEMENT *c, int64_t ldc,
                 int accumulate, int64_t tiles) {
  for (; tiles > 0; tiles--, a += rows * lda, c += rows * ldc) {
    const ELEMENT *b = panel;
    v128_t sums[MOST_SUMS];
    UNROLL for (int i = 0; i < 2 * rows * wide; i++) sums[i] = wasm_i32x4_splat(0);
    for (int64_t part = 0; part < s->count; part++, b += s->length * ldb)
      add(rows, wide, s->length, a + s->offsets[part], lda, b, ldb, stride, sums);
    store(rows, wide, sums, c, ldc, accumulate);
  }
}

// Not inlined: V8 moves a function to its optimising tier when it is called again, never inside one
// call.
#define TILE(NAME, ROWS, WIDE)                                                                     \
  static __attribute__((noinline)) void NAME(                                                      \
      const segments *s, const ELEMENT *a, int64_t lda, const ELEMENT *b, int64_t ldb,             \
      int64_t stride, ELEMENT *c, int64_t ldc, int accumulate, int64_t tiles) {                    \
    tile(ROWS, WIDE, s, a, lda, b, ldb, stride, c, ldc, accumulate, tiles);                        \
  }
TILE(tile_1, 1, 1)
TILE(tile_2, 2, 1)
TILE(tile_3, 3, 1)
TILE(tile_4, 4, 1)
TILE(strips, STRIP_ROWS, STRIP_PANELS)
#if TILE_OF_SIX
TILE(tile_5, 5, 1)
TILE(tile_6, 6, 1)
static tile_kernel *const tile_kernels[] = {0, tile_1, tile_2, tile_3, tile_4, tile_5, tile_6};
#else
static tile_kernel *const tile_kernels[] = {0, tile_1, tile_2, tile_3, tile_4};
#endif

enum { MAIN_ROWS = TILE_OF_SIX ? TILE_ROWS : STRIP_ROWS };

#if defined(MULTIPLY)
// Tiles of MAIN_ROWS whose sums are of one stretch of `length`: in some 25 cycles less than those
// that begin with 0, which is a twentieth where 64 elements are summed. What is added at the end
// makes +0 of -0, as beginning with 0 does.
INLINE void tiles_of_stretch(int64_t length, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                             int64_t ldb, int64_t stride, ELEMENT *c, int64_t ldc, int64_t tiles,
                             int accumulate) {
  v128_t zero = wasm_i32x4_splat(0);
  for (; tiles > 0; tiles--, a += MAIN_ROWS * lda, c += MAIN_ROWS * ldc) {
    v128_t sums[MOST_SUMS];
    UNROLL for (int i = 0; i < 2 * MAIN_ROWS * ACROSS; i++) {
      int v = vector_of(i, ACROSS);
      sums[i] = MULTIPLY(LOAD_SPLAT(a + row_of(i, ACROSS) * lda),
                         wasm_v128_load(b + v / 2 * stride + v % 2 * LANES));
    }
    add(MAIN_ROWS, ACROSS, length - 1, a + 1, lda, b + ldb, ldb, stride, sums);
    UNROLL for (int i = 0; !accumulate && i < 2 * MAIN_ROWS * ACROSS; i++) sums[i] =
        PLUS(sums[i], zero);
    store(MAIN_ROWS, ACROSS, sums, c, ldc, accumulate);
  }
}
static __attribute__((noinline)) void begin_tiles(int64_t length, const ELEMENT *a, int64_t lda,
                                                  const ELEMENT *b, int64_t ldb, int64_t stride,
                                                  ELEMENT *c, int64_t ldc, int64_t tiles) {
  tiles_of_stretch(length, a, lda, b, ldb, stride, c, ldc, tiles, 0);
}
static __attribute__((noinline)) void continue_tiles(int64_t length, const ELEMENT *a, int64_t lda,
                                                     const ELEMENT *b, int64_t ldb, int64_t stride,
                                                     ELEMENT *c, int64_t ldc, int64_t tiles) {
  tiles_of_stretch(length, a, lda, b, ldb, stride, c, ldc, tiles, 1);
}
#endif

// Tiles of MAIN_ROWS times ACROSS panels, below each other.
static void multiply_tiles(const segments *s, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                           int64_t ldb, int64_t stride, ELEMENT *c, int64_t ldc, int accumulate,
                           int64_t tiles) {
#if defined(MULTIPLY)
  if (s->count == 1 && s->length > 0) {
    (accumulate ? continue_tiles : begin_tiles)(s->length, a + s->offsets[0], lda, b, ldb, stride,
                                                c, ldc, tiles);
    return;
  }
#endif
  tile_kernel *kernel = TILE_OF_SIX ? tile_kernels[TILE_ROWS] : strips;
  kernel(s, a, lda, b, ldb, stride, c, ldc, accumulate, tiles);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// A tile at the right edge: computed in a buffer, of which only the columns that exist are kept.
static HLO_SMALL_CODE void edge_tile(int64_t rows, int64_t width, const segments *s,
                                     const ELEMENT *a, int64_t lda, const ELEMENT *b, ELEMENT *c,
                                     int64_t ldc, int accumulate) {
  ELEMENT beside[TILE_ROWS * PANEL] = {0};
  size_t bytes = (size_t)width * sizeof *c;
  for (int64_t r = 0; accumulate && r < rows; r++) memcpy(beside + r * PANEL, c + r * ldc, bytes);
  tile_kernels[rows](s, a, lda, b, PANEL, 0, beside, PANEL, accumulate, 1);
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
    else if (TILE_OF_SIX && rows == TILE_ROWS)
      multiply_tiles(s, a, lda, panel, ldb, 0, c, ldc, accumulate, tiles);
    else tile_kernels[rows](s, a, lda, panel, ldb, 0, c, ldc, accumulate, tiles);
    a += tiles * rows * lda;
    c += tiles * rows * ldc;
    done += tiles;
  }
}

// m > 0 rows times up to ACROSS panels that are `stride` apart. Where those are two, rows go in
// pairs, but for the last three of an odd number.
static HLO_SMALL_CODE void multiply_panels(int64_t m, int64_t width, const segments *s,
                                           const ELEMENT *a, int64_t lda, const ELEMENT *b,
                                           int64_t ldb, int64_t stride, ELEMENT *c, int64_t ldc,
                                           int accumulate) {
  int64_t rest = m;
  if (!TILE_OF_SIX && width == ACROSS * PANEL && m > 1) {
    rest = m % 2 * 3;
    multiply_tiles(s, a, lda, b, ldb, stride, c, ldc, accumulate, (m - rest) / STRIP_ROWS);
    a += (m - rest) * lda;
    c += (m - rest) * ldc;
    if (rest == 0) return;
  }
  for (int p = 0; p < ACROSS && width > 0; p++, width -= PANEL, b += stride, c += PANEL)
    multiply_panel(rest, smaller(width, PANEL), s, a, lda, b, ldb, c, ldc, accumulate);
}
