// Dot products of f32 matrices, and of what convolution is made of. Must not know about shapes or
// layouts.
#define ELEMENT                float
#define LOAD_SPLAT             wasm_v128_load32_splat
#define MULTIPLY_ADD           hlo_simd_f32x4_multiply_add
#define ADD(a, b)              ((a) + (b))
#define ADD_PRODUCT(sum, a, b) ((sum) + (a) * (b))
#include "kernels/dot_loops.h"
#include "kernels/exact.h"

int64_t hlo_kernel_dot_f32_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

void hlo_kernel_dot_f32(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                        int64_t ldb, void *c, int64_t ldc, void *scratch,
                        const hlo_epilogue *epilogue) {
  multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
}

void hlo_kernel_pack_blocks_f32(int64_t n, int64_t k, const float *b, int64_t ldb, void *packed) {
  for (int64_t d = 0; d < k; d += DEPTH_BLOCK)
    pack(n, smaller(DEPTH_BLOCK, k - d), b + d * ldb, ldb, (float *)packed + panels(n) * PANEL * d);
}

// --- products over segments: what convolution is made of ---

_Static_assert(HLO_PACKED_COLUMNS == PANEL && HLO_THIN_ROWS >= TILE_ROWS, "backend.h");

int64_t hlo_kernel_pack_f32_size(int64_t n, int64_t k) {
  return panels(n) * PANEL * k * (int64_t)sizeof(float);
}

void hlo_kernel_pack_f32(int64_t n, int64_t k, const float *b, int64_t ldb, void *packed) {
  pack(n, k, b, ldb, packed);
}

enum { VECTORS = 4, POSITIONS = 4 * VECTORS };

// One column where rows of A are apart by one element, as in an image of one feature: lanes are
// rows, at least POSITIONS of them. Sums are made as in a tile; at the edge some are made twice.
static void multiply_positions(int64_t m, const segments *s, const float *a, const float *panel,
                               float *c) {
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
void hlo_kernel_dot_f32_segments(const hlo_segmented_product *product) {
  if (EXACT_APART && product->exact) {
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
    for (int64_t p = 0; p < panels(product->n); p++) {
      int64_t width = smaller(PANEL, product->n - p * PANEL);
      const float *panel = (const float *)product->packed + p * k * PANEL;
      for (int64_t i = first; i < last; i++) {
        const float *a = product->a[i];
        float *c = product->c[i] + product->column + p * PANEL;
        if (positions) multiply_positions(m, &s, a, panel, c);
        else multiply_panel(m, width, &s, a, product->lda, panel, PANEL, c, product->ldc, 0);
      }
    }
  }
}
