// Dot products of f32 matrices, and of what convolution is made of. Must not know about shapes or
// layouts.
#define ELEMENT                float
#define LOAD_SPLAT             wasm_v128_load32_splat
#define MULTIPLY_ADD           hlo_simd_f32x4_multiply_add
#define MULTIPLY               wasm_f32x4_mul
#define PLUS                   wasm_f32x4_add
#define ADD(a, b)              ((a) + (b))
#define ADD_PRODUCT(sum, a, b) ((sum) + (a) * (b))
#include "base/multiply_add.h"
#include "kernels/dot_loops.h"
#include "kernels/exact.h"

int64_t hlo_kernel_dot_f32_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

// --- few columns and little to sum: rows of A pass by those of B ---

enum { SHALLOW = 32, NARROW_ROWS = 4 };

static v128_t load_some(const float *from, int64_t count) {
  if (count == LANES) return wasm_v128_load(from);
  if (count == 1) return wasm_v128_load32_zero(from);
  v128_t two = wasm_v128_load64_zero(from);
  return count == 2 ? two : wasm_v128_load32_lane(from + 2, two, 2);
}

static void store_some(float *to, v128_t value, int64_t count) {
  if (count == LANES) wasm_v128_store(to, value);
  else if (count == 1) wasm_v128_store32_lane(to, value, 0);
  else wasm_v128_store64_lane(to, value, 0);
  if (count == 3) wasm_v128_store32_lane(to + 2, value, 2);
}

// Some columns, one of four rows at a time; at the lower edge some rows are computed twice, of
// fewer than four each one four times.
static __attribute__((noinline)) void narrow_columns(int64_t m, int64_t n, int64_t k,
                                                     const float *a, int64_t lda, const float *b,
                                                     int64_t ldb, float *c, int64_t ldc) {
  v128_t rows[SHALLOW];
  bool few = m < NARROW_ROWS;
  intptr_t down = few ? 0 : (intptr_t)lda, below = few ? 0 : (intptr_t)ldc;
  _Pragma("clang loop unroll(disable)") for (int64_t p = 0; p < k; p++) rows[p] =
      load_some(b + p * ldb, n);
  for (int64_t row = 0; row < m; row += few ? 1 : NARROW_ROWS) {
    int64_t i = few ? row : smaller(row, m - NARROW_ROWS);
    const float *x = a + i * lda, *end = x + k;
    const v128_t *y = rows;
    v128_t sum0 = wasm_i32x4_splat(0), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    _Pragma("clang loop unroll(disable)") for (; x != end; x++, y++) {
      sum0 = MULTIPLY_ADD(LOAD_SPLAT(x), *y, sum0);
      sum1 = MULTIPLY_ADD(LOAD_SPLAT(x + down), *y, sum1);
      sum2 = MULTIPLY_ADD(LOAD_SPLAT(x + 2 * down), *y, sum2);
      sum3 = MULTIPLY_ADD(LOAD_SPLAT(x + 3 * down), *y, sum3);
    }
    const v128_t sums[NARROW_ROWS] = {sum0, sum1, sum2, sum3};
    float *to = c + i * ldc;
    _Pragma("clang loop unroll(disable)") for (int r = 0; r < NARROW_ROWS; r++, to += below)
        store_some(to, sums[r], n);
  }
}

// The columns at the right edge are computed with those before them.
static HLO_SMALL_CODE void narrow_part(void *data, int32_t part, int32_t thread) {
  const thin_product *w = data;
  int64_t first = part * w->shared, rows = smaller(w->shared, w->m - first);
  (void)thread;
  for (int64_t column = 0; column < w->n; column += LANES) {
    int64_t width = smaller(w->n, LANES), j = smaller(column, w->n - width);
    narrow_columns(rows, width, w->k, w->a + first * w->lda, w->lda, w->b + j, w->ldb,
                   w->c + first * w->ldc + j, w->ldc);
  }
}

void hlo_kernel_dot_f32(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                        int64_t ldb, void *c, int64_t ldc, void *scratch,
                        const hlo_epilogue *epilogue) {
  bool narrow = n < PANEL && k <= SHALLOW && (m >= NARROW_ROWS || n > 1);
  if (!narrow || m == 0 || n == 0 || k == 0 || epilogue != NULL) {
    multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
    return;
  }
  thin_product work = {.m = m, .n = n, .k = k, .a = a, .lda = lda, .b = b, .ldb = ldb, .c = c};
  work.ldc = ldc;
  work.shared = m;
  if (m <= ROWS_OF_A_PART) {
    narrow_part(&work, 0, 0);
    return;
  }
  work.shared = share(m, time_of_products(m * PANEL * k));
  hlo_pool_run(narrow_part, &work, parts_of(m, work.shared));
}

void hlo_kernel_pack_blocks_f32(int64_t n, int64_t k, const float *b, int64_t ldb, void *packed) {
  for (int64_t d = 0; d < k; d += DEPTH_BLOCK) {
    int64_t depth = smaller(DEPTH_BLOCK, k - d);
    pack(n, depth, b + d * ldb, ldb, (float *)packed + panels(n) * PANEL * d, depth * PANEL);
  }
}

// --- products over segments: what convolution is made of ---

_Static_assert(HLO_PACKED_COLUMNS == PANEL && HLO_THIN_ROWS >= TILE_ROWS, "backend.h");

int64_t hlo_kernel_pack_f32_size(int64_t n, int64_t k) {
  return panels(n) * PANEL * k * (int64_t)sizeof(float);
}

void hlo_kernel_pack_f32(int64_t n, int64_t k, const float *b, int64_t ldb, void *packed) {
  pack(n, k, b, ldb, packed, k * PANEL);
}

enum { VECTORS = 4, POSITIONS = 4 * VECTORS };

// One column where rows of A are apart by one element, as in an image of one feature: lanes are
// rows, at least POSITIONS of them. Sums are made as in a tile; at the edge some are made twice.
static __attribute__((noinline)) void
multiply_positions(int64_t m, const segments *s, const float *a, const float *panel, float *c) {
  for (int64_t row = 0; row < m; row += POSITIONS) {
    int64_t i = smaller(row, m - POSITIONS);
    const float *b = panel;
    v128_t sums[VECTORS] = {0};
    for (int64_t part = 0; part < s->count; part++) {
      const float *from = a + i + s->offsets[part], *end = from + s->length;
      for (; from != end; from++, b += PANEL) {
        v128_t x = wasm_v128_load32_splat(b);
        _Pragma("unroll") for (int v = 0; v < VECTORS; v++) sums[v] =
            hlo_simd_f32x4_multiply_add(wasm_v128_load(from + 4 * v), x, sums[v]);
      }
    }
    _Pragma("unroll") for (int v = 0; v < VECTORS; v++) wasm_v128_store(c + i + 4 * v, sums[v]);
  }
}

// Panels outermost but for groups of blocks whose rows of A stay in the second cache.
HLO_SMALL_CODE void hlo_kernel_dot_f32_segments(const hlo_segmented_product *product) {
  if (product->exact && !hlo_host_fuses()) {
    hlo_kernel_exact_segments(product);
    return;
  }
  const segments s = {product->segments, product->length, product->offsets};
  int64_t k = s.count * s.length, m = product->m;
  int64_t apart = product->lda > 0 ? smaller(product->lda, k) : k;
  int64_t group = GROUP_ELEMENTS / (m * apart) + 1;
  bool positions = product->n == 1 && product->lda == 1 && product->ldc == 1 && m >= POSITIONS;
  for (int64_t first = 0; first < product->blocks; first += group) {
    int64_t last = smaller(first + group, product->blocks);
    for (int64_t j = 0; j < product->n; j += ACROSS * PANEL) {
      int64_t width = smaller(ACROSS * PANEL, product->n - j), stride = k * PANEL;
      const float *panel = (const float *)product->packed + j * k;
      read_panels_ahead(panel, panels(width) * stride);
      for (int64_t i = first; i < last; i++) {
        const float *a = product->a[i];
        float *c = product->c[i] + product->column + j;
        if (positions) multiply_positions(m, &s, a, panel, c);
        else
          multiply_panels(m, width, &s, a, product->lda, panel, PANEL, stride, c, product->ldc, 0);
      }
    }
  }
}
