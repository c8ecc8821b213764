// Depthwise convolution with SIMD, for one type of elements: channels in lanes, several positions
// at a time so that each weight is loaded once for all of them. Included once per file.
//
// The includer defines ELEMENT and MULTIPLY_ADD(a, b, acc) on vectors.
#include "kernels/machine.h"
#include "kernels/simd/kernels.h"
#include "kernels/simd/relaxed.h"
#include "math/long_sums.h"

enum { LANES = 16 / (int)sizeof(ELEMENT) };

// `count` rows of results, two vectors of channels from j on, then one, then elements.
#define SUMS(r) v128_t low##r = wasm_i32x4_splat(0), high##r = low##r;
#define STEPS(r)                                                                                   \
  {                                                                                                \
    const ELEMENT *x = from + (r) * lda;                                                           \
    low##r = MULTIPLY_ADD(wasm_v128_load(x), weight, low##r);                                      \
    high##r = MULTIPLY_ADD(wasm_v128_load(x + LANES), next, high##r);                              \
  }
#define STORES(r)                                                                                  \
  wasm_v128_store(c + (r) * ldc, low##r);                                                          \
  wasm_v128_store(c + (r) * ldc + LANES, high##r);
#define SUM(r)         v128_t sum##r = wasm_i32x4_splat(0);
#define STEP(r)        sum##r = MULTIPLY_ADD(wasm_v128_load(from + (r) * lda), weight, sum##r);
#define STORE(r)       wasm_v128_store(c + (r) * ldc, sum##r);
#define POSITIONS_1(X) X(0)
#define POSITIONS_4(X) X(0) X(1) X(2) X(3)
#define DEFINE(count)                                                                              \
  static __attribute__((noinline)) void positions_##count(const hlo_depthwise_product *product,    \
                                                          const ELEMENT *a, ELEMENT *c) {          \
    const intptr_t lda = (intptr_t)product->lda, ldc = (intptr_t)product->ldc;                     \
    const intptr_t n = (intptr_t)product->n, ldb = (intptr_t)product->ldb;                         \
    const intptr_t segments = (intptr_t)product->segments;                                         \
    const int64_t *offsets = product->offsets;                                                     \
    intptr_t j = 0;                                                                                \
    for (; j + 2 * LANES <= n; j += 2 * LANES, a += 2 * LANES, c += 2 * LANES) {                   \
      const ELEMENT *b = (const ELEMENT *)product->b + j;                                          \
      POSITIONS_##count(SUMS);                                                                     \
      _Pragma("clang loop unroll(disable)") for (intptr_t s = 0; s < segments; s++, b += ldb) {    \
        const ELEMENT *from = a + offsets[s];                                                      \
        v128_t weight = wasm_v128_load(b), next = wasm_v128_load(b + LANES);                       \
        POSITIONS_##count(STEPS);                                                                  \
      }                                                                                            \
      POSITIONS_##count(STORES);                                                                   \
    }                                                                                              \
    for (; j + LANES <= n; j += LANES, a += LANES, c += LANES) {                                   \
      const ELEMENT *b = (const ELEMENT *)product->b + j;                                          \
      POSITIONS_##count(SUM);                                                                      \
      for (intptr_t s = 0; s < segments; s++, b += ldb) {                                          \
        const ELEMENT *from = a + offsets[s];                                                      \
        v128_t weight = wasm_v128_load(b);                                                         \
        POSITIONS_##count(STEP);                                                                   \
      }                                                                                            \
      POSITIONS_##count(STORE);                                                                    \
    }                                                                                              \
    for (; j < n; j++, a++, c++) {                                                                 \
      for (int r = 0; r < count; r++) {                                                            \
        ELEMENT sum = 0;                                                                           \
        for (intptr_t s = 0; s < segments; s++) {                                                  \
          sum += a[r * lda + offsets[s]] * ((const ELEMENT *)product->b)[s * ldb + j];             \
        }                                                                                          \
        c[r * ldc] = sum;                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE(1)
DEFINE(4)

// --- three taps along the rows, as far apart as they: each element is loaded once for all ---

// An element and the taps that meet it: the first one at its own position, the others before it.
#define LOAD(i)                   x = wasm_v128_load(from + (i) * lda);
#define TAP(r, tap)               sum##r = MULTIPLY_ADD(x, weight##tap, sum##r);
#define TAPS_OF(i, before, first) LOAD(i) TAP(i, 0) TAP(before, 1) TAP(first, 2)
#define LAST(last, before, next, behind)                                                           \
  LOAD(next) TAP(last, 1) TAP(before, 2) LOAD(behind) TAP(last, 2)
#define ELEMENTS_4     TAPS_OF(2, 1, 0) TAPS_OF(3, 2, 1)
#define ELEMENTS_7     ELEMENTS_4 TAPS_OF(4, 3, 2) TAPS_OF(5, 4, 3) TAPS_OF(6, 5, 4)
#define ELEMENTS_8     ELEMENTS_7 TAPS_OF(7, 6, 5)
#define LAST_4         LAST(3, 2, 4, 5)
#define LAST_7         LAST(6, 5, 7, 8)
#define LAST_8         LAST(7, 6, 8, 9)
#define POSITIONS_7(X) POSITIONS_4(X) X(4) X(5) X(6)
#define POSITIONS_8(X) POSITIONS_7(X) X(7)
#define DEFINE_TRIPLES(count)                                                                      \
  static __attribute__((noinline)) void triples_##count(const hlo_depthwise_product *product,      \
                                                        const ELEMENT *a, ELEMENT *c) {            \
    const intptr_t lda = (intptr_t)product->lda, ldc = (intptr_t)product->ldc;                     \
    const intptr_t n = (intptr_t)product->n, ldb = (intptr_t)product->ldb;                         \
    const intptr_t segments = (intptr_t)product->segments;                                         \
    const int64_t *offsets = product->offsets;                                                     \
    for (intptr_t j = 0; j < n; j += LANES, a += LANES, c += LANES) {                              \
      const ELEMENT *b = (const ELEMENT *)product->b + j;                                          \
      POSITIONS_##count(SUM);                                                                      \
      _Pragma("clang loop unroll(disable)") for (intptr_t s = 0; s < segments;                     \
                                                 s += 3, b += 3 * ldb) {                           \
        const ELEMENT *from = a + offsets[s];                                                      \
        v128_t weight0 = wasm_v128_load(b), weight1 = wasm_v128_load(b + ldb);                     \
        v128_t weight2 = wasm_v128_load(b + 2 * ldb), x;                                           \
        LOAD(0) TAP(0, 0) LOAD(1) TAP(1, 0) TAP(0, 1);                                             \
        ELEMENTS_##count LAST_##count;                                                             \
      }                                                                                            \
      POSITIONS_##count(STORE);                                                                    \
    }                                                                                              \
  }
DEFINE_TRIPLES(4)
DEFINE_TRIPLES(7)
DEFINE_TRIPLES(8)

static bool is_in_triples(const hlo_depthwise_product *product) {
  const int64_t *offsets = product->offsets;
  if (product->segments % 3 != 0 || product->n % LANES != 0) return false;
  for (int64_t s = 0; s < product->segments; s += 3) {
    if (offsets[s + 1] - offsets[s] != product->lda) return false;
    if (offsets[s + 2] - offsets[s] != 2 * product->lda) return false;
  }
  return true;
}

// The same number of positions of one block.
static HLO_SMALL_CODE void multiply_positions(const hlo_depthwise_product *product, int64_t left,
                                              const ELEMENT *a, ELEMENT *c) {
  bool in_triples = is_in_triples(product);
  void (*four)(const hlo_depthwise_product *, const ELEMENT *, ELEMENT *) =
      in_triples ? triples_4 : positions_4;
  int64_t lda = product->lda, ldc = product->ldc;
  for (; in_triples && left % 7 == 0 && left > 0; left -= 7, a += 7 * lda, c += 7 * ldc) {
    triples_7(product, a, c);
  }
  if (in_triples && left >= 8) { // at the end some are computed twice
    for (int64_t i = 0; i < left; i += 8) {
      int64_t first = i < left - 8 ? i : left - 8;
      triples_8(product, a + first * lda, c + first * ldc);
    }
    left = 0;
  }
  for (; left >= 4; left -= 4, a += 4 * lda, c += 4 * ldc) four(product, a, c);
  for (; left > 0; left--, a += lda, c += ldc) positions_1(product, a, c);
}

// --- many taps: some at a time, of some positions and channels ---

HLO_DEFINE_LONG_SUMS(channels, ELEMENT)

enum {
  STEP = HLO_SUM_BLOCK / 3 * 3, // taps
  LONG_SUM = HLO_BLOCKS_IN_ORDER * STEP
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void add_row(int64_t n, const ELEMENT *row, ELEMENT *to, bool accumulate) {
  for (int64_t j = 0; j < n; j++) to[j] = accumulate ? to[j] + row[j] : row[j];
}

static HLO_SMALL_CODE void multiply_square(hlo_depthwise_product part, int64_t taps, int64_t m,
                                           const ELEMENT *a, ELEMENT *c, int64_t ldc) {
  ELEMENT block[HLO_DEPTHWISE_POSITIONS * HLO_DEPTHWISE_CHANNELS],
      some[HLO_DEPTHWISE_POSITIONS * HLO_DEPTHWISE_CHANNELS],
      lost[HLO_DEPTHWISE_POSITIONS * HLO_DEPTHWISE_CHANNELS] = {0};
  int64_t n = part.n;
  part.ldc = n;
  for (int64_t s = 0; s < taps; s += STEP) {
    ELEMENT *to = s < LONG_SUM ? c : some;
    int64_t apart = s < LONG_SUM ? ldc : n;
    part.segments = smaller(STEP, taps - s);
    multiply_positions(&part, m, a, block);
    for (int64_t r = 0; r < m; r++) add_row(n, block + r * n, to + r * apart, s % LONG_SUM > 0);
    bool ends = s + part.segments == taps || (s + STEP) % LONG_SUM == 0;
    for (int64_t r = 0; ends && s >= LONG_SUM && r < m; r++)
      hlo_add_block_channels(n, some + r * n, c + r * ldc, lost + r * n);
    part.offsets += STEP;
    part.b = (const ELEMENT *)part.b + STEP * part.ldb;
  }
  for (int64_t r = 0; taps > LONG_SUM && r < m; r++)
    hlo_end_sums_channels(n, lost + r * n, c + r * ldc);
}

static HLO_SMALL_CODE void multiply_many_taps(const hlo_depthwise_product *product,
                                              const ELEMENT *a, ELEMENT *c) {
  for (int64_t j = 0; j < product->n; j += HLO_DEPTHWISE_CHANNELS) {
    hlo_depthwise_product part = *product;
    part.n = smaller(HLO_DEPTHWISE_CHANNELS, product->n - j);
    part.b = (const ELEMENT *)part.b + j;
    for (int64_t i = 0; i < product->m; i += HLO_DEPTHWISE_POSITIONS) {
      multiply_square(part, product->segments, smaller(HLO_DEPTHWISE_POSITIONS, product->m - i),
                      a + i * product->lda + j, c + i * product->ldc + j, product->ldc);
    }
  }
}

static HLO_SMALL_CODE void multiply_channels(const hlo_depthwise_product *product) {
  bool at_once = product->segments <= HLO_SUM_BLOCK || product->exact;
  for (int64_t block = 0; block < product->blocks; block++) {
    if (at_once) multiply_positions(product, product->m, product->a[block], product->c[block]);
    else multiply_many_taps(product, product->a[block], product->c[block]);
  }
}
