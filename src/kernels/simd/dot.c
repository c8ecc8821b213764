// Dot products of f32 matrices, and the segmented products of convolution.
#define ELEMENT                float
#define LOAD_SPLAT             wasm_v128_load32_splat
#define MULTIPLY_ADD           hlo_simd_f32x4_multiply_add
#define MULTIPLY               wasm_f32x4_mul
#define PLUS                   wasm_f32x4_add
#define ADD(a, b)              ((a) + (b))
#define ADD_PRODUCT(sum, a, b) ((sum) + (a) * (b))
#include "kernels/machine.h"
#include "kernels/simd/dot_loops.h"
#include "kernels/simd/dot_segments.h"
#include "kernels/simd/exact.h"
#include "kernels/simd/multiply_add.h"

int64_t hlo_kernel_dot_f32_scratch(int64_t n, int64_t k) { return scratch_bytes(n, k); }

// --- few columns ---

enum { NARROW_ROWS = 4 };

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

// As many columns as a vector has lanes, or one less, and little to sum: elements of four rows of A
// times rows of B. At the lower edge some rows are computed twice.
static __attribute__((noinline)) void narrow_columns(int64_t m, int64_t n, int64_t k,
                                                     const float *a, int64_t lda, const float *b,
                                                     int64_t ldb, float *c, int64_t ldc) {
  v128_t rows[HLO_NARROW_SHALLOW];
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

// Other numbers of columns, or more to sum: rows of A times columns of B, which are adjacent as
// rows.

// The sum of each vector's lanes.
static inline v128_t sums_of_lanes(v128_t a, v128_t b, v128_t c, v128_t d) {
  v128_t ab = PLUS(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
  v128_t cd = PLUS(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
  return PLUS(wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5), wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7));
}

static inline void store_column(float *to, intptr_t ldc, v128_t sums) {
  wasm_v128_store32_lane(to, sums, 0);
  wasm_v128_store32_lane(to + ldc, sums, 1);
  wasm_v128_store32_lane(to + 2 * ldc, sums, 2);
  wasm_v128_store32_lane(to + 3 * ldc, sums, 3);
}

static inline __attribute__((always_inline)) void add_products(int two, const v128_t x[NARROW_ROWS],
                                                               const float *b, intptr_t ldb,
                                                               v128_t sums[2][NARROW_ROWS]) {
  v128_t y = wasm_v128_load(b), z = two ? wasm_v128_load(b + ldb) : y;
  for (int r = 0; r < NARROW_ROWS; r++) {
    sums[0][r] = MULTIPLY_ADD(x[r], y, sums[0][r]);
    if (two) sums[1][r] = MULTIPLY_ADD(x[r], z, sums[1][r]);
  }
}

// c[r] = four rows of A times one row of B, or two, which are filled up to whole vectors.
static inline __attribute__((always_inline)) void multiply_four_rows(int two, intptr_t k,
                                                                     const float *a, intptr_t lda,
                                                                     const float *b, intptr_t ldb,
                                                                     float *c, intptr_t ldc) {
  v128_t sums[2][NARROW_ROWS], x[NARROW_ROWS];
  intptr_t i = 0;
  for (int r = 0; r < NARROW_ROWS; r++) sums[0][r] = sums[1][r] = wasm_i32x4_splat(0);
  _Pragma("clang loop unroll(disable)") for (; i + LANES <= k; i += LANES) {
    for (int r = 0; r < NARROW_ROWS; r++) x[r] = wasm_v128_load(a + r * lda + i);
    add_products(two, x, b + i, ldb, sums);
  }
  if (i < k) {
    for (int r = 0; r < NARROW_ROWS; r++) x[r] = load_some(a + r * lda + i, k - i);
    add_products(two, x, b + i, ldb, sums);
  }
  for (int j = 0; j <= two; j++)
    store_column(c + j, ldc, sums_of_lanes(sums[j][0], sums[j][1], sums[j][2], sums[j][3]));
}
static __attribute__((noinline)) void four_rows_by_one(intptr_t k, const float *a, intptr_t lda,
                                                       const float *b, float *c, intptr_t ldc) {
  multiply_four_rows(0, k, a, lda, b, 0, c, ldc);
}
static __attribute__((noinline)) void four_rows_by_two(intptr_t k, const float *a, intptr_t lda,
                                                       const float *b, intptr_t ldb, float *c,
                                                       intptr_t ldc) {
  multiply_four_rows(1, k, a, lda, b, ldb, c, ldc);
}

static void multiply_columns(const thin_product *w, int64_t m, const float *a, float *c) {
  bool few = m < NARROW_ROWS;
  intptr_t k = (intptr_t)w->k, ldb = (intptr_t)w->ldb;
  intptr_t down = few ? 0 : (intptr_t)w->lda, below = few ? 0 : (intptr_t)w->ldc;
  for (int64_t row = 0; row < m; row += few ? 1 : NARROW_ROWS) {
    int64_t i = few ? row : smaller(row, m - NARROW_ROWS), j = 0;
    const float *x = a + i * w->lda, *y = w->b;
    float *to = c + i * w->ldc;
    for (; j + 2 <= w->n; j += 2, y += 2 * ldb) four_rows_by_two(k, x, down, y, ldb, to + j, below);
    if (j < w->n) four_rows_by_one(k, x, down, y, to + j, below);
  }
}

static bool fills_vectors(int64_t n, int64_t k) {
  return n >= LANES - 1 && n <= LANES && k <= HLO_NARROW_SHALLOW;
}

static HLO_SMALL_CODE void narrow_part(void *data, int32_t part, int32_t thread) {
  const thin_product *w = data;
  int64_t first = part * w->shared, rows = smaller(w->shared, w->m - first);
  const float *a = w->a + first * w->lda;
  float *c = w->c + first * w->ldc;
  (void)thread;
  if (fills_vectors(w->n, w->k))
    narrow_columns(rows, w->n, w->k, a, w->lda, w->b, w->ldb, c, w->ldc);
  else multiply_columns(w, rows, a, c);
}

// Columns of B as rows, filled up to whole vectors.
static HLO_SMALL_CODE void turn_columns(thin_product *w, float *out) {
  int64_t length = (w->k + LANES - 1) / LANES * LANES;
  for (int64_t j = 0; j < w->n; j++) {
    for (int64_t p = 0; p < length; p++) out[j * length + p] = p < w->k ? w->b[p * w->ldb + j] : 0;
  }
  w->b = out;
  w->ldb = length;
}

void hlo_kernel_dot_f32(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                        int64_t ldb, void *c, int64_t ldc, void *scratch,
                        const hlo_epilogue *epilogue) {
  float columns[(PANEL - 1) * HLO_NARROW_DEPTH];
  bool few_rows = m < NARROW_ROWS, one = n == 1;
  bool narrow = n < PANEL && !(few_rows && one) &&
                k <= (few_rows || one ? HLO_NARROW_SHALLOW : HLO_NARROW_DEPTH);
  if (!narrow || m == 0 || n == 0 || k == 0 || epilogue != NULL) {
    multiply(m, n, k, a, lda, b, ldb, c, ldc, scratch, epilogue);
    return;
  }
  thin_product work = {.m = m, .n = n, .k = k, .a = a, .lda = lda, .b = b, .ldb = ldb, .c = c};
  work.ldc = ldc;
  work.shared = m;
  if (!fills_vectors(n, k)) turn_columns(&work, columns);
  if (m <= HLO_GEMM_ROWS_OF_A_PART) {
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

// --- convolutions ---

_Static_assert(HLO_PACKED_COLUMNS == PANEL && HLO_THIN_ROWS >= TILE_ROWS, "backend.h");

int64_t hlo_kernel_pack_f32_size(int64_t n, int64_t k) { return pack_size_of_windows(n, k); }

static void multiply_f32_windows(const hlo_segmented_product *product) {
  if (product->exact && !hlo_host_fuses()) hlo_kernel_exact_segments(product);
  else multiply_windows(product);
}

const hlo_convolution_kernels hlo_kernels_convolution_f32 = {
    pack_size_of_windows, pack_windows, multiply_f32_windows, hlo_kernel_depthwise_f32};
