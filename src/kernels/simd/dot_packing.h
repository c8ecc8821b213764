// B in the form that tiles go through: panels, which are PANEL columns of so many rows, one row
// after the other. Included once per file, after what dot_tiles.h wants.
#include "kernels/machine.h"
#include "kernels/simd/dot_tiles.h"
#include "shape/transpose_square.h"

// Of what is left at edges, little code is enough.
#define FEW_TIMES _Pragma("clang loop unroll(disable) vectorize(disable)")

static int64_t panels(int64_t n) { return (n + PANEL - 1) / PANEL; }

// Rows of one panel, for so many columns; those that are missing are 0. Element [i][j] of B stands
// at i * down + j * across.
static __attribute__((noinline)) void pack_elements(int64_t width, int64_t depth, const ELEMENT *b,
                                                    intptr_t down, intptr_t across,
                                                    ELEMENT *packed) {
  ELEMENT masks[PANEL] = {0};
  memset(masks, -1, (size_t)width * sizeof *masks);
  v128_t first = wasm_v128_load(masks), second = wasm_v128_load(masks + LANES);
  intptr_t left = (intptr_t)depth;
  // What stands after a row is the next one, but for the last rows.
  for (; across == 1 && (left - 1) * down + width >= PANEL; left--, b += down, packed += PANEL) {
    wasm_v128_store(packed, wasm_v128_and(wasm_v128_load(b), first));
    wasm_v128_store(packed + LANES, wasm_v128_and(wasm_v128_load(b + LANES), second));
  }
  for (; left > 0; left--, b += down) {
    const ELEMENT *from = b;
    FEW_TIMES for (intptr_t j = 0; j < PANEL; j++, from += across) *packed++ =
        j < (intptr_t)width ? *from : 0;
  }
}

// One depth block of B as panels, `stride` apart: packed[p][i][0..8). Several panels at a time, so
// that memory is read in stretches and not a part of a line from each row.
static __attribute__((noinline)) void pack(int64_t n, int64_t depth, const ELEMENT *b, int64_t ldb,
                                           ELEMENT *packed, int64_t stride) {
  int64_t whole = n / PANEL;
  for (int64_t p = 0; p < whole; p += HLO_PANELS_PACKED_AT_ONCE) {
    intptr_t count = (intptr_t)smaller(HLO_PANELS_PACKED_AT_ONCE, whole - p);
    ELEMENT *rows = packed + p * stride;
    for (int64_t i = 0; i < depth; i++, rows += PANEL) {
      const ELEMENT *from = b + i * ldb + p * PANEL;
      ELEMENT *to = rows;
      for (intptr_t q = 0; q < count; q++, from += PANEL, to += stride) {
        v128_t lo = wasm_v128_load(from), hi = wasm_v128_load(from + LANES);
        wasm_v128_store(to, lo);
        wasm_v128_store(to + LANES, hi);
      }
    }
  }
  if (whole < panels(n))
    pack_elements(n - whole * PANEL, depth, b + whole * PANEL, (intptr_t)ldb, 1,
                  packed + whole * stride);
}

// The same where columns of B are what lies side by side in memory, ldb apart.
static __attribute__((noinline)) void pack_turned(int64_t n, int64_t depth, const ELEMENT *b,
                                                  int64_t ldb, ELEMENT *packed, int64_t stride) {
  enum { SIZE = (int)sizeof(ELEMENT) };
  intptr_t across = (intptr_t)ldb, length = (intptr_t)depth;
  for (; n > 0; n -= PANEL, b += PANEL * across, packed += stride) {
    intptr_t i = 0;
    for (; n >= PANEL && i + LANES <= length; i += LANES) {
      FEW_TIMES for (intptr_t j = 0; j < PANEL; j += LANES) {
        char *to = (char *)(packed + i * PANEL + j);
        const char *from = (const char *)(b + j * across + i);
        if (SIZE == 4) hlo_transpose_square_4(to, PANEL * SIZE, from, across * SIZE);
        else hlo_transpose_square_8(to, PANEL * SIZE, from, across * SIZE);
      }
    }
    pack_elements(smaller(n, PANEL), length - i, b + i, 1, across, packed + i * PANEL);
  }
}
