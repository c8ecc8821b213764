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
// rows, at least POSITIONS of them. Sums are made as in a tile.
INLINE void positions_at(const segments *s, const float *a, const float *b, float *to,
                         const float *begun) {
  v128_t sums[VECTORS] = {0};
  for (int64_t part = 0; part < s->count; part++) {
    const float *from = a + s->offsets[part], *end = from + s->length;
    for (; from != end; from++, b += PANEL) {
      v128_t x = wasm_v128_load32_splat(b);
      _Pragma("unroll") for (int v = 0; v < VECTORS; v++) sums[v] =
          hlo_simd_f32x4_multiply_add(wasm_v128_load(from + 4 * v), x, sums[v]);
    }
  }
  _Pragma("unroll") for (int v = 0; v < VECTORS; v++) wasm_v128_store(
      to + 4 * v, begun != NULL ? PLUS(wasm_v128_load(begun + 4 * v), sums[v]) : sums[v]);
}

// At the edge some sums are made twice.
static __attribute__((noinline)) void
multiply_positions(int64_t m, const segments *s, const float *a, const float *panel, float *c) {
  for (int64_t row = 0; row < m; row += POSITIONS) {
    int64_t i = smaller(row, m - POSITIONS);
    positions_at(s, a + i, panel, c + i, NULL);
  }
}

// c[i] += what the above would store there.
static __attribute__((noinline)) void add_positions(int64_t m, const segments *s, const float *a,
                                                    const float *panel, float *c) {
  float last[POSITIONS];
  int64_t edge = m % POSITIONS, whole = m - edge;
  for (int64_t i = 0; i < whole; i += POSITIONS) positions_at(s, a + i, panel, c + i, c + i);
  if (edge == 0) return;
  positions_at(s, a + m - POSITIONS, panel, last, c + m - POSITIONS);
  memcpy(c + whole, last + POSITIONS - edge, (size_t)edge * sizeof *c);
}

// Some rows and columns of a product: A's rows from a on, a panel or ACROSS of them.
typedef struct segment_part {
  const hlo_segmented_product *of;
  bool positions;
  int64_t m, width;
  const float *a, *panel;
  float *c;
  int64_t ldc;
} segment_part;

static void multiply_segments(const segment_part *part, const segments *s, int64_t done, float *c,
                              int64_t ldc, int accumulate) {
  const hlo_segmented_product *p = part->of;
  const float *panel = part->panel + done * PANEL;
  int64_t stride = p->segments * p->length * PANEL;
  if (part->positions)
    (accumulate ? add_positions : multiply_positions)(part->m, s, part->a, panel, c);
  else
    multiply_panels(part->m, part->width, s, part->a, p->lda, panel, PANEL, stride, c, ldc,
                    accumulate);
}

// The next products to be added one after the other: some segments, or a part of one.
typedef struct segment_step {
  segments now;
  int64_t segment, at, offset; // the next segment, and where in it; that of a part
} segment_step;

static bool next_segments(const hlo_segmented_product *p, segment_step *step) {
  if (step->segment == p->segments) return false;
  if (p->length <= HLO_SUM_BLOCK) {
    int64_t count = smaller(HLO_SUM_BLOCK / p->length, p->segments - step->segment);
    step->now = (segments){count, p->length, p->offsets + step->segment};
    step->segment += count;
    return true;
  }
  step->offset = p->offsets[step->segment] + step->at;
  step->now = (segments){1, smaller(HLO_SUM_BLOCK, p->length - step->at), &step->offset};
  step->at += step->now.length;
  if (step->at == p->length) step->segment++, step->at = 0;
  return true;
}

// Products up to the next LONG_SUM of them.
static HLO_SMALL_CODE int64_t add_segments(const segment_part *part, segment_step *step,
                                           int64_t done, float *c, int64_t ldc) {
  int64_t end = done + LONG_SUM;
  for (int accumulate = 0; done < end && next_segments(part->of, step); accumulate = 1) {
    multiply_segments(part, &step->now, done, c, ldc, accumulate);
    done += step->now.count * step->now.length;
  }
  return done;
}

static HLO_SMALL_CODE void multiply_long_segments(const segment_part *part) {
  float beside[HLO_SEGMENT_ROWS * ACROSS * PANEL], lost[HLO_SEGMENT_ROWS * ACROSS * PANEL] = {0};
  int64_t k = part->of->segments * part->of->length;
  segment_step step = {0};
  int64_t done = add_segments(part, &step, 0, part->c, part->ldc);
  while (done < k) {
    done = add_segments(part, &step, done, beside, part->width);
    add_block(part->m, part->width, beside, part->c, part->ldc, lost);
  }
  end_sums(part->m, part->width, lost, part->c, part->ldc);
}

// More than HLO_SUM_BLOCK products.
static HLO_SMALL_CODE void multiply_in_steps(segment_part part) {
  const hlo_segmented_product *p = part.of;
  int64_t m = part.m;
  if (p->segments * p->length <= LONG_SUM) {
    segment_step step = {0};
    add_segments(&part, &step, 0, part.c, part.ldc);
    return;
  }
  for (int64_t row = 0; row < m; row += part.m, part.a += part.m * p->lda) {
    bool fits =
        m - row <= HLO_SEGMENT_ROWS || (part.positions && m - row < HLO_SEGMENT_ROWS + POSITIONS);
    part.m = fits ? m - row : HLO_SEGMENT_ROWS;
    multiply_long_segments(&part);
    part.c += part.m * part.ldc;
  }
}

// Panels outermost but for groups of blocks whose rows of A stay in the second cache.
HLO_SMALL_CODE void hlo_kernel_dot_f32_segments(const hlo_segmented_product *product) {
  if (product->exact && !hlo_host_fuses()) {
    hlo_kernel_exact_segments(product);
    return;
  }
  int64_t k = product->segments * product->length, m = product->m;
  int64_t apart = product->lda > 0 ? smaller(product->lda, k) : k;
  int64_t group = HLO_GEMM_GROUP_ELEMENTS / (m * apart) + 1;
  bool at_once = k <= HLO_SUM_BLOCK || product->exact;
  const segments all = {product->segments, product->length, product->offsets};
  segment_part part = {.of = product, .m = m, .ldc = product->ldc};
  part.positions = product->n == 1 && product->lda == 1 && product->ldc == 1 && m >= POSITIONS;
  for (int64_t first = 0; first < product->blocks; first += group) {
    int64_t last = smaller(first + group, product->blocks);
    for (int64_t j = 0; j < product->n; j += ACROSS * PANEL) {
      part.width = smaller(ACROSS * PANEL, product->n - j);
      part.panel = (const float *)product->packed + j * k;
      read_panels_ahead(part.panel, panels(part.width) * k * PANEL);
      for (int64_t i = first; i < last; i++) {
        part.a = product->a[i];
        part.c = product->c[i] + product->column + j;
        if (at_once) multiply_segments(&part, &all, 0, part.c, part.ldc, 0);
        else multiply_in_steps(part);
      }
    }
  }
}
