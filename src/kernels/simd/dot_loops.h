// Dot products of matrices with SIMD, for one type of elements, by the register tiles of
// dot_tiles.h. B is packed into panels of two vectors (dot_packing.h) when several row tiles share
// it and its rows are long, A is read where it lies. Included once per file.
//
// The includer defines what dot_tiles.h wants, ADD(a, b), and ADD_PRODUCT(sum, a, b): the same on
// single elements.
//
// Sums are never long: HLO_SUM_BLOCK products are added one after the other, up to LONG_SUM in such
// blocks likewise, and what is longer by math/long_sums.h.
#include "base/read_ahead.h"
#include "kernels/machine.h"
#include "kernels/simd/dot_packing.h"
#include "math/long_sums.h"

#include "kernels/pool.h"
#include "kernels/simd/kernels.h"

enum {
  FLAT_ROWS = 2 * TILE_ROWS, // so many stay in the first cache where they are pages apart
#if TILE_OF_SIX
  DEPTH_BLOCK = HLO_SUM_BLOCK, // where B is packed, which then fills whole lines of it
  SHORT = HLO_GEMM_SHORT_ROW /
          (int)sizeof(ELEMENT), // row of B: the caches deliver its panels as they are
#else
  SHORT = HLO_GEMM_SHORT_ROW_APART / (int)sizeof(ELEMENT), // more tiles read each panel
#endif
  LONG_SUM = HLO_BLOCKS_IN_ORDER * DEPTH_BLOCK, // products
};

static int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }

// About what products take, and reading so many elements of a large matrix, in nanoseconds.
static double time_of_products(int64_t n) {
  return (double)n * sizeof(ELEMENT) / (4 * HLO_F32_PRODUCTS_PER_NS);
}
static double time_of_reading(int64_t n) {
  return (double)n * sizeof(ELEMENT) / (4 * HLO_READ_F32_PER_NS);
}

// How many of `count` things belong to a part, for all parts to be nearly the same. All of them
// take so long.
static int64_t share(int64_t count, double nanoseconds) {
  int32_t parts = hlo_pool_parts(count, nanoseconds);
  return (count + parts - 1) / parts;
}
static int32_t parts_of(int64_t count, int64_t shared) {
  return (int32_t)((count + shared - 1) / shared);
}

// --- long sums ---

HLO_DEFINE_LONG_SUMS(rows, ELEMENT)

// Rows of sums that go on in C, with a block's sums and what they lose, dense.
static void add_block(int64_t m, int64_t n, const ELEMENT *block, ELEMENT *c, int64_t ldc,
                      ELEMENT *lost) {
  for (int64_t r = 0; r < m; r++, block += n, lost += n, c += ldc)
    hlo_add_block_rows(n, block, c, lost);
}
static void end_sums(int64_t m, int64_t n, const ELEMENT *lost, ELEMENT *c, int64_t ldc) {
  for (int64_t r = 0; r < m; r++, lost += n, c += ldc) hlo_end_sums_rows(n, lost, c);
}

// A product with many rows: each part is for some rows and columns of the result, and packs what it
// needs of B, so much at a time that it stays in the second cache.
typedef struct block_product {
  int64_t m, n, k, lda, ldb, ldc;
  const ELEMENT *a, *b;
  ELEMENT *c, *packed;                 // packed: room for each thread
  int64_t rows, columns, parts_across; // of a part, columns a multiple of PANEL; of all columns
  const hlo_epilogue *epilogue;
} block_product;

// Whether all of B is packed already, one depth block after the other.
static bool is_packed(const block_product *w) { return w->ldb == 0; }
// Whether columns of B are what lies side by side in memory, -ldb apart.
static bool is_turned(const block_product *w) { return w->ldb < 0; }

// Elements between packed panels of so many rows.
static int64_t panel_stride(int64_t depth) {
#if TILE_OF_SIX
  return depth * PANEL;
#else
  (void)depth;
  return APART;
#endif
}

// What is packed at a time, at most.
static int64_t group_elements(int64_t n, int64_t k) {
  return smaller(panels(n), HLO_GEMM_GROUP) * panel_stride(smaller(k, DEPTH_BLOCK));
}
// And with long sums after them.
static int64_t elements_of_a_thread(int64_t n, int64_t k) {
  int64_t columns = smaller(panels(n), HLO_GEMM_GROUP) * PANEL;
  return group_elements(n, k) + (k > LONG_SUM ? 2 * HLO_GEMM_LONG_SUM_ROWS * columns : 0);
}

// Packing pays where rows of B are long, since panels of short ones come from the caches as fast,
// and where many rows read it; few ones get it from the second cache in nine tenths of the time,
// unless all rows of B want the same places of the first. So do powers of two that are less, if
// many rows go by.
static bool is_short(const block_product *w) {
  int64_t bytes = w->ldb * (int64_t)sizeof *w->b, apart = bytes & -bytes;
  bool stays = smaller(w->k, HLO_GEMM_DEPTH_IN_PLACE) * apart <= HLO_FREE_WAYS * HLO_PAGE_BYTES;
  return w->ldb > 0 && w->ldb <= SHORT && (stays || w->m <= HLO_GEMM_FEW_ROWS);
}
static bool is_in_place(const block_product *w, int64_t n) {
  bool few = w->m <= HLO_GEMM_FEW_ROWS && w->n * w->k <= HLO_GEMM_NEAR_B &&
             w->ldb * (int64_t)sizeof *w->b % HLO_PAGE_BYTES != 0;
  return w->ldb > 0 && n % PANEL == 0 && (few || is_short(w));
}
static int64_t depth_block(const block_product *w) {
  return smaller(w->k, is_short(w) ? HLO_GEMM_DEPTH_IN_PLACE : DEPTH_BLOCK);
}
static int64_t group_columns(const block_product *w) {
  return (depth_block(w) <= HLO_GEMM_DEPTH_IN_PLACE ? HLO_GEMM_GROUP : HLO_GEMM_GROUP / 2) * PANEL;
}

// Rows from r on, and some columns, are done.
static HLO_SMALL_CODE void finish_rows(const block_product *w, int64_t r, int64_t rows,
                                       int64_t column, int64_t columns) {
  const hlo_epilogue *epilogue = w->epilogue;
  int64_t first = epilogue->first_row + r, end = column + columns;
  if (!epilogue->whole_rows) epilogue->run(epilogue->data, first, first + rows, column, end);
  else if (end == w->n) epilogue->run(epilogue->data, first, first + rows, 0, end);
}

// m > 0 rows times n columns, in panels that are `stride` apart. Two or four rows below tiles of
// six are strips: tiles of five would take a fifteenth longer per row.
static __attribute__((noinline)) void multiply_block(int64_t m, int64_t n, const segments *s,
                                                     const ELEMENT *a, int64_t lda,
                                                     const ELEMENT *b, int64_t ldb, int64_t stride,
                                                     ELEMENT *c, int64_t ldc, int accumulate) {
  int64_t rest = TILE_OF_SIX ? m % TILE_ROWS : 0, whole = m - rest;
  for (; rest > 0 && rest % STRIP_ROWS == 0 && n >= STRIP_PANELS * PANEL;
       n -= STRIP_PANELS * PANEL) {
    strips(s, a + whole * lda, lda, b, ldb, stride, c + whole * ldc, ldc, accumulate,
           rest / STRIP_ROWS);
    for (int q = 0; q < STRIP_PANELS; q++, b += stride, c += PANEL)
      multiply_tiles(s, a, lda, b, ldb, stride, c, ldc, accumulate, whole / TILE_ROWS);
  }
  for (; n > 0; n -= ACROSS * PANEL, b += ACROSS * stride, c += ACROSS * PANEL) {
    multiply_panels(m, smaller(ACROSS * PANEL, n), s, a, lda, b, ldb, stride, c, ldc, accumulate);
  }
}

static __attribute__((noinline)) void read_ahead(int64_t rows, int64_t length, const ELEMENT *a,
                                                 int64_t lda) {
  enum { SIZE = (int)sizeof(ELEMENT) };
  hlo_read_ahead(rows, length * SIZE, a, lda * SIZE);
}

static void read_panels_ahead(const ELEMENT *panel, int64_t count) {
  read_ahead(4, count / 4, panel, count / 4);
}

// Where rows of a depth block are added up: in C, or beside it if C has the sums of LONG_SUM
// products or more.
typedef struct group_sums {
  ELEMENT *c, *beside, *lost;
  int64_t ldc, columns; // of C, and of the rows beside it
} group_sums;

static bool is_aside(int64_t d) { return d >= LONG_SUM; }

// Rows that have been added up to the end of the depth block at d.
static HLO_SMALL_CODE void close_depth(const group_sums *sums, int64_t row, int64_t rows, int64_t d,
                                       int64_t depth, bool is_last) {
  ELEMENT *c = sums->c + row * sums->ldc, *lost = sums->lost + row * sums->columns;
  if (!is_aside(d) || !(is_last || (d + depth) % LONG_SUM == 0)) return;
  if (d < 2 * LONG_SUM) memset(lost, 0, (size_t)(rows * sums->columns) * sizeof *lost);
  add_block(rows, sums->columns, sums->beside + row * sums->columns, c, sums->ldc, lost);
  if (is_last) end_sums(rows, sums->columns, lost, c, sums->ldc);
}

// Rows times the columns from `column` on.
static HLO_SMALL_CODE void multiply_group(const block_product *w, int64_t m, int64_t column,
                                          int64_t n, int64_t first_row, const ELEMENT *a,
                                          ELEMENT *c, ELEMENT *packed) {
  bool ready = is_packed(w), in_place = is_in_place(w, n), turned = is_turned(w);
  const ELEMENT *b = w->b + (turned ? column * -w->ldb : column);
  ELEMENT *beside = packed + group_elements(w->n, w->k);
  const group_sums sums = {c + column, beside, beside + HLO_GEMM_LONG_SUM_ROWS * n, w->ldc, n};
  int64_t depth = depth_block(w), most = smaller(HLO_GEMM_BLOCK_OF_A / depth, HLO_GEMM_MOST_ROWS);
  if (depth <= HLO_GEMM_FLAT_DEPTH && w->ldc * (int64_t)sizeof *c % HLO_PAGE_BYTES == 0)
    most = FLAT_ROWS;
  int64_t blocks = (m + most - 1) / most;
  int64_t rows = ((m + blocks - 1) / blocks + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
  for (int64_t d = 0; d < w->k; d += depth, b += turned ? depth : depth * w->ldb) {
    const segments s = {1, smaller(depth, w->k - d), &no_offset};
    const ELEMENT *panel = in_place ? b : packed;
    int64_t ldb = in_place ? w->ldb : PANEL, stride = in_place ? PANEL : panel_stride(s.length);
    if (ready) {
      panel = w->b + d * panels(w->n) * PANEL + column * s.length;
      stride = s.length * PANEL;
      read_panels_ahead(panel, panels(n) * stride);
    } else if (turned) {
      pack_turned(n, s.length, b, -w->ldb, packed, stride);
    } else if (!in_place) {
      pack(n, s.length, b, w->ldb, packed, stride);
    }
    bool is_last = d + s.length == w->k,
         is_far = m > HLO_GEMM_TALL * n && m * w->k > HLO_GEMM_FAR_A;
    ELEMENT *to = is_aside(d) ? sums.beside : sums.c;
    int64_t ldto = is_aside(d) ? n : w->ldc;
    for (int64_t r = 0; r < m; r += rows) {
      int64_t count = smaller(rows, m - r);
      if (is_far) read_ahead(count, s.length, a + r * w->lda + d, w->lda);
      multiply_block(count, n, &s, a + r * w->lda + d, w->lda, panel, ldb, stride, to + r * ldto,
                     ldto, d % LONG_SUM > 0);
      close_depth(&sums, r, count, d, depth, is_last);
      if (is_last && w->epilogue != NULL) finish_rows(w, first_row + r, count, column, n);
    }
  }
}

static HLO_SMALL_CODE void multiply_part(void *data, int32_t part, int32_t thread) {
  const block_product *w = data;
  int64_t row = part / w->parts_across * w->rows, first = part % w->parts_across * w->columns;
  int64_t last = smaller(row + w->rows, w->m), end = smaller(first + w->columns, w->n);
  int64_t rows = is_aside(w->k - 1) ? HLO_GEMM_LONG_SUM_ROWS : w->rows;
  ELEMENT *packed = w->packed + thread * elements_of_a_thread(w->n, w->k);
  int64_t columns = group_columns(w);
  for (; row < last; row += rows) {
    for (int64_t j = first; j < end; j += columns) {
      multiply_group(w, smaller(rows, last - row), j, smaller(columns, end - j), row,
                     w->a + row * w->lda, w->c + row * w->ldc, packed);
    }
  }
}

static HLO_SMALL_CODE void multiply_blocks(block_product *w) {
  int64_t width = panels(w->n);
  int64_t parts = hlo_pool_parts(width * w->m, time_of_products(w->m * w->n * w->k));
  // Parts for other rows pack the same columns again, which many rows pay for.
  int64_t across = w->m / parts >= HLO_GEMM_ROWS_OF_A_PART ? 1 : smaller(parts, width);
  w->columns = ceiling(width, across) * PANEL;
  w->parts_across = ceiling(w->n, w->columns);
  w->rows = ceiling(ceiling(w->m, ceiling(parts, across)), TILE_ROWS) * TILE_ROWS;
  hlo_pool_run(multiply_part, w, (int32_t)(ceiling(w->m, w->rows) * w->parts_across));
}

// --- few rows or one column: reading B, or A, is most of the work ---

// A product of which a part is for some columns, or some rows, of the result; or for some rows of
// B, whose sums stand beside and are added at the end, if it is not the first ones.
typedef struct thin_product {
  int64_t m, n, k, lda, ldb, ldc;
  const ELEMENT *a, *b;
  ELEMENT *c, *sums;
  int64_t shared, depth;
} thin_product;

// Rows that are read at the same time are taken far apart: from neighbouring ones memory delivers
// at half its speed.

// c[0..n) += x[0] b[0] + x[step] b[1] + x[2 step] b[2] + x[3 step] b[3], rows of B ldb apart.
static __attribute__((noinline)) void add_four_rows(int64_t n, const ELEMENT *x, int64_t step,
                                                    const ELEMENT *b, int64_t ldb, ELEMENT *c) {
  v128_t x0 = LOAD_SPLAT(x), x1 = LOAD_SPLAT(x + step);
  v128_t x2 = LOAD_SPLAT(x + 2 * step), x3 = LOAD_SPLAT(x + 3 * step);
  const ELEMENT *b1 = b + ldb, *b2 = b1 + ldb, *b3 = b2 + ldb;
  intptr_t j = 0, count = (intptr_t)n;
  for (; j + LANES <= count; j += LANES) {
    v128_t sum = MULTIPLY_ADD(x0, wasm_v128_load(b + j), wasm_v128_load(c + j));
    sum = MULTIPLY_ADD(x1, wasm_v128_load(b1 + j), sum);
    sum = MULTIPLY_ADD(x2, wasm_v128_load(b2 + j), sum);
    sum = MULTIPLY_ADD(x3, wasm_v128_load(b3 + j), sum);
    wasm_v128_store(c + j, sum);
  }
  FEW_TIMES for (; j < count; j++) {
    for (int l = 0; l < 4; l++) c[j] = ADD_PRODUCT(c[j], x[l * step], b[l * ldb + j]);
  }
}

enum {
  STRETCH = HLO_GEMV_STRETCH /
            (int)sizeof(ELEMENT), // of one row of results, which stays in the first cache
  MOST_BESIDE =
      STRETCH > HLO_GEMV_STRETCH_OF_ROWS *TILE_ROWS ? STRETCH : HLO_GEMV_STRETCH_OF_ROWS *TILE_ROWS,
};

// Rows of B from `first` to `end`, of each quarter of its rows, and at the end those that are left.
static HLO_SMALL_CODE void add_rows_of_b(int64_t m, int64_t width, int64_t first, int64_t end,
                                         int64_t k, const ELEMENT *a, int64_t lda, const ELEMENT *b,
                                         int64_t ldb, ELEMENT *c, int64_t ldc) {
  int64_t quarter = k / 4;
  for (int64_t r = 0; r < m; r++) memset(c + r * ldc, 0, (size_t)width * sizeof *c);
  for (int64_t i = first; i < end; i++) {
    for (int64_t r = 0; r < m; r++)
      add_four_rows(width, a + r * lda + i, quarter, b + i * ldb, quarter * ldb, c + r * ldc);
  }
  for (int64_t i = 4 * quarter; end == quarter && i < k; i++) {
    for (int64_t r = 0; r < m; r++) {
      FEW_TIMES for (int64_t l = 0; l < width; l++) {
        c[r * ldc + l] = ADD_PRODUCT(c[r * ldc + l], a[r * lda + i], b[i * ldb + l]);
      }
    }
  }
}

// B goes by once, a row of each quarter at a time, in stretches for which the results stay in the
// first cache.
static HLO_SMALL_CODE void multiply_streaming(int64_t m, int64_t n, int64_t k, const ELEMENT *a,
                                              int64_t lda, const ELEMENT *b, int64_t ldb,
                                              ELEMENT *c, int64_t ldc) {
  ELEMENT block[MOST_BESIDE], lost[MOST_BESIDE];
  int64_t stretch = m == 1 ? STRETCH : HLO_GEMV_STRETCH_OF_ROWS, step = HLO_SUM_BLOCK / 4,
          quarter = k / 4;
  for (int64_t j = 0; j < n; j += stretch) {
    int64_t width = smaller(stretch, n - j);
    add_rows_of_b(m, width, 0, smaller(step, quarter), k, a, lda, b + j, ldb, c + j, ldc);
    if (quarter <= step) continue;
    memset(lost, 0, (size_t)(m * width) * sizeof *lost);
    for (int64_t i = step; i < quarter; i += step) {
      add_rows_of_b(m, width, i, smaller(i + step, quarter), k, a, lda, b + j, ldb, block, width);
      add_block(m, width, block, c + j, ldc, lost);
    }
    end_sums(m, width, lost, c + j, ldc);
  }
}

static HLO_SMALL_CODE void streaming_part(void *data, int32_t part, int32_t thread) {
  const thin_product *w = data;
  int32_t across = parts_of(w->n, w->shared);
  int64_t first = part % across * w->shared, d = part / across * w->depth;
  ELEMENT *sums = d == 0 ? w->c : w->sums + (part / across - 1) * w->m * w->n;
  (void)thread;
  multiply_streaming(w->m, smaller(w->shared, w->n - first), smaller(w->depth, w->k - d), w->a + d,
                     w->lda, w->b + d * w->ldb + first, w->ldb, sums + first,
                     d == 0 ? w->ldc : w->n);
}

// Of B, into which sums are cut, however many threads there are. Sums over all of B's columns would
// be large where those are enough to be cut themselves.
static int64_t depths_of(int64_t n, int64_t k) {
  return n >= 4 * HLO_GEMM_WIDE || k < 2 * HLO_GEMM_DEEP
             ? 1
             : smaller(k / HLO_GEMM_DEEP, HLO_GEMM_MOST_DEPTHS);
}

static HLO_SMALL_CODE void multiply_few_rows_streaming(thin_product *w) {
  w->depth = ceiling(w->k, 4 * depths_of(w->n, w->k)) * 4;
  int32_t depths = parts_of(w->k, w->depth);
  int64_t width = panels(w->n), most = width * depths;
  int32_t parts = hlo_pool_parts(most, time_of_reading(w->n * w->k)), threads = hlo_pool_threads();
  // Whole panels, so that the same columns are computed as vectors.
  int64_t least = smaller(HLO_GEMM_WIDE / PANEL, ceiling(width, ceiling(threads, depths)));
  w->shared = ceiling(width, ceiling(parts, depths));
  if (w->shared < least) w->shared = least;
  w->shared *= PANEL;
  int32_t all = depths * parts_of(w->n, w->shared);
  if (parts > 1) hlo_pool_run(streaming_part, w, all);
  for (int32_t part = 0; parts == 1 && part < all; part++) streaming_part(w, part, 0);
  for (int32_t d = 1; d < depths; d++) {
    const ELEMENT *sums = w->sums + (d - 1) * w->m * w->n;
    for (int64_t r = 0; r < w->m; r++, sums += w->n) {
      ELEMENT *c = w->c + r * w->ldc;
      for (int64_t j = 0; j < w->n; j++) c[j] = ADD(c[j], sums[j]);
    }
  }
}

// --- one column: each row has sums in lanes ---

enum { COLUMN_BLOCK = LANES * HLO_SUM_BLOCK };

// The products of four rows, from i up to `end`.
INLINE void add_four_rows_of_a(intptr_t i, intptr_t end, const ELEMENT *a, intptr_t lda,
                               const ELEMENT *b, v128_t sums[4]) {
  const ELEMENT *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda;
  v128_t sum0 = wasm_i32x4_splat(0), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  for (; i < end; i += LANES) {
    v128_t x = wasm_v128_load(b + i);
    sum0 = MULTIPLY_ADD(wasm_v128_load(a + i), x, sum0);
    sum1 = MULTIPLY_ADD(wasm_v128_load(a1 + i), x, sum1);
    sum2 = MULTIPLY_ADD(wasm_v128_load(a2 + i), x, sum2);
    sum3 = MULTIPLY_ADD(wasm_v128_load(a3 + i), x, sum3);
  }
  sums[0] = sum0, sums[1] = sum1, sums[2] = sum2, sums[3] = sum3;
}

// The same of one row: four vectors after the other, whose sums do not wait for each other.
INLINE void add_row_of_a(intptr_t i, intptr_t end, const ELEMENT *a, const ELEMENT *b,
                         v128_t sums[4]) {
  v128_t sum0 = wasm_i32x4_splat(0), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  for (; i + 4 * LANES <= end; i += 4 * LANES) {
    sum0 = MULTIPLY_ADD(wasm_v128_load(a + i), wasm_v128_load(b + i), sum0);
    sum1 = MULTIPLY_ADD(wasm_v128_load(a + i + LANES), wasm_v128_load(b + i + LANES), sum1);
    sum2 = MULTIPLY_ADD(wasm_v128_load(a + i + 2 * LANES), wasm_v128_load(b + i + 2 * LANES), sum2);
    sum3 = MULTIPLY_ADD(wasm_v128_load(a + i + 3 * LANES), wasm_v128_load(b + i + 3 * LANES), sum3);
  }
  for (; i < end; i += LANES)
    sum0 = MULTIPLY_ADD(wasm_v128_load(a + i), wasm_v128_load(b + i), sum0);
  sums[0] = sum0, sums[1] = sum1, sums[2] = sum2, sums[3] = sum3;
}

// Whole vectors of four rows, or of one, in blocks, and LONG_SUM of their products at a time.
static __attribute__((noinline)) void add_long_rows(bool four, intptr_t whole, const ELEMENT *a,
                                                    intptr_t lda, const ELEMENT *b,
                                                    ELEMENT parts[4][LANES]) {
  ELEMENT some[4][LANES], lost[4][LANES] = {0};
  intptr_t i = 0, end;
  do {
    v128_t sums[4], totals[4] = {0};
    for (bool goes_on = true; goes_on; i = end) {
      end = i + (four ? COLUMN_BLOCK : 4 * COLUMN_BLOCK);
      if (end > whole) end = whole;
      if (four) add_four_rows_of_a(i, end, a, lda, b, sums);
      else add_row_of_a(i, end, a, b, sums);
      for (int r = 0; r < 4; r++) totals[r] = PLUS(totals[r], sums[r]);
      goes_on = end < whole && end % (LONG_SUM * LANES) != 0;
    }
    bool is_first = i <= LONG_SUM * LANES;
    for (int r = 0; r < 4; r++) wasm_v128_store(is_first ? parts[r] : some[r], totals[r]);
    if (!is_first) hlo_add_block_rows(4 * LANES, some[0], parts[0], lost[0]);
  } while (i < whole);
  if (whole > LONG_SUM * LANES) hlo_end_sums_rows(4 * LANES, lost[0], parts[0]);
}

INLINE ELEMENT sum_of_lanes(ELEMENT parts[LANES]) {
  for (int half = LANES / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; l++) parts[l] = ADD(parts[l], parts[l + half]);
  }
  return parts[0];
}

// Four rows of A times a dense column.
static __attribute__((noinline)) void dot_four_rows(int64_t k, const ELEMENT *a, int64_t lda,
                                                    const ELEMENT *b, ELEMENT *c, int64_t ldc) {
  intptr_t whole = (intptr_t)(k / LANES * LANES);
  ELEMENT parts[4][LANES];
  if (whole > COLUMN_BLOCK) {
    add_long_rows(true, whole, a, (intptr_t)lda, b, parts);
  } else {
    v128_t sums[4];
    add_four_rows_of_a(0, whole, a, (intptr_t)lda, b, sums);
    for (int r = 0; r < 4; r++) wasm_v128_store(parts[r], sums[r]);
  }
  FEW_TIMES for (int r = 0; r < 4; r++) {
    ELEMENT sum = sum_of_lanes(parts[r]);
    FEW_TIMES for (int64_t l = whole; l < k; l++) sum = ADD_PRODUCT(sum, a[r * lda + l], b[l]);
    c[r * ldc] = sum;
  }
}

static __attribute__((noinline)) ELEMENT dot_row(int64_t k, const ELEMENT *a, const ELEMENT *b) {
  intptr_t whole = (intptr_t)(k / LANES * LANES);
  ELEMENT parts[4][LANES];
  add_long_rows(false, whole, a, 0, b, parts);
  FEW_TIMES for (int l = 0; l < LANES; l++) parts[0][l] =
      ADD(ADD(parts[0][l], parts[1][l]), ADD(parts[2][l], parts[3][l]));
  ELEMENT sum = sum_of_lanes(parts[0]);
  FEW_TIMES for (int64_t l = whole; l < k; l++) sum = ADD_PRODUCT(sum, a[l], b[l]);
  return sum;
}

static void column_part(void *data, int32_t part, int32_t thread) {
  const thin_product *w = data;
  int64_t quarter = w->m / 4, first = part * w->shared;
  (void)thread;
  for (int64_t r = first; r < smaller(first + w->shared, quarter); r++) {
    dot_four_rows(w->k, w->a + r * w->lda, quarter * w->lda, w->b, w->c + r * w->ldc,
                  quarter * w->ldc);
  }
}

static HLO_SMALL_CODE void multiply_one_column(int64_t m, int64_t k, const ELEMENT *a, int64_t lda,
                                               const ELEMENT *b, ELEMENT *c, int64_t ldc) {
  int64_t quarter = m / 4;
  thin_product work = {.m = m, .k = k, .a = a, .lda = lda, .b = b, .c = c, .ldc = ldc};
  work.shared = share(quarter, time_of_reading(m * k));
  if (quarter > 0) hlo_pool_run(column_part, &work, parts_of(quarter, work.shared));
  for (int64_t r = 4 * quarter; r < m; r++) c[r * ldc] = dot_row(k, a + r * lda, b);
}

// One row times eight vectors next to each other: sums of fewer would wait for each other. (Two
// rows are a strip.)
enum { BESIDE = 8 * LANES };

INLINE void row_by_vectors(int64_t k, const ELEMENT *a, const ELEMENT *b, int64_t ldb, ELEMENT *c,
                           int accumulate) {
  v128_t sums[BESIDE / LANES] = {0};
  const ELEMENT *end = a + k;
  _Pragma("clang loop unroll(disable)") for (; a != end; a++, b += ldb) {
    v128_t x = LOAD_SPLAT(a);
    UNROLL for (int v = 0; v < BESIDE / LANES; v++) sums[v] =
        MULTIPLY_ADD(x, wasm_v128_load(b + v * LANES), sums[v]);
  }
  UNROLL for (int v = 0; v < BESIDE / LANES; v++) {
    ELEMENT *to = c + v * LANES;
    wasm_v128_store(to, accumulate ? PLUS(wasm_v128_load(to), sums[v]) : sums[v]);
  }
}
static __attribute__((noinline)) void multiply_row(int64_t k, const ELEMENT *a, const ELEMENT *b,
                                                   int64_t ldb, ELEMENT *c) {
  row_by_vectors(k, a, b, ldb, c, 0);
}
static __attribute__((noinline)) void add_row(int64_t k, const ELEMENT *a, const ELEMENT *b,
                                              int64_t ldb, ELEMENT *c) {
  row_by_vectors(k, a, b, ldb, c, 1);
}

// multiply_block of a few blocks of the contracting dimension, with B as it is.
static HLO_SMALL_CODE void multiply_depths(int64_t m, int64_t n, int64_t k, const ELEMENT *a,
                                           int64_t lda, const ELEMENT *b, int64_t ldb, ELEMENT *c,
                                           int64_t ldc) {
  for (int64_t d = 0; d < k; d += DEPTH_BLOCK) {
    const segments s = {1, smaller(DEPTH_BLOCK, k - d), &no_offset};
    multiply_block(m, n, &s, a + d, lda, b + d * ldb, ldb, PANEL, c, ldc, d > 0);
  }
}

// Few rows, and B small enough to stay in cache: B is read in place. n >= PANEL: at the edge a
// panel is computed with columns that are computed already.
static HLO_SMALL_CODE void multiply_few_rows(int64_t m, int64_t n, int64_t k, const ELEMENT *a,
                                             int64_t lda, const ELEMENT *b, int64_t ldb, ELEMENT *c,
                                             int64_t ldc) {
  int64_t done = 0;
  for (; m == 1 && done + BESIDE <= n; done += BESIDE) {
    multiply_row(smaller(DEPTH_BLOCK, k), a, b + done, ldb, c + done);
    for (int64_t d = DEPTH_BLOCK; d < k; d += DEPTH_BLOCK)
      add_row(smaller(DEPTH_BLOCK, k - d), a + d, b + d * ldb + done, ldb, c + done);
  }
  while (done < n) {
    int64_t whole = (n - done) / PANEL * PANEL;
    if (whole == 0) whole = PANEL, done = n - PANEL;
    multiply_depths(m, whole, k, a, lda, b + done, ldb, c + done, ldc);
    done += whole;
  }
}

static int64_t scratch_bytes(int64_t n, int64_t k) {
  int64_t packed = hlo_pool_threads() * elements_of_a_thread(n, k),
          sums = (depths_of(n, k) - 1) * TILE_ROWS * n;
  return (packed > sums ? packed : sums) * (int64_t)sizeof(ELEMENT);
}

// A product with few rows that are no narrower than a panel, or one column, or nothing to sum over.
// False if it is none of those.
static HLO_SMALL_CODE bool multiply_thin(int64_t m, int64_t n, int64_t k, const ELEMENT *a,
                                         int64_t lda, const ELEMENT *b, int64_t ldb, ELEMENT *c,
                                         int64_t ldc, ELEMENT *sums) {
  if (k == 0) {
    for (int64_t r = 0; r < m; r++) memset(c + r * ldc, 0, (size_t)n * sizeof *c);
    return true;
  }
  if (n == 1 && ldb == 1) {
    multiply_one_column(m, k, a, lda, b, c, ldc);
    return true;
  }
  if (m > TILE_ROWS || n < PANEL) return false;
  thin_product work = {.m = m, .n = n, .k = k, .a = a, .lda = lda, .b = b, .ldb = ldb, .c = c};
  work.ldc = ldc;
  work.sums = sums;
  if (n * k > HLO_GEMM_CACHED_B) multiply_few_rows_streaming(&work);
  else multiply_few_rows(m, n, k, a, lda, b, ldb, c, ldc);
  return true;
}

static HLO_SMALL_CODE void multiply(int64_t m, int64_t n, int64_t k, const ELEMENT *a, int64_t lda,
                                    const ELEMENT *b, int64_t ldb, ELEMENT *c, int64_t ldc,
                                    void *scratch, const hlo_epilogue *epilogue) {
  if (m == 0 || n == 0) return;
  if (m * n * k <= HLO_GEMM_TINY && k > 0 && ldb > 0 && ldb <= SHORT && n % PANEL == 0 &&
      epilogue == NULL) {
    // In tiles the sums of so few rows would wait for each other.
    if (m <= 2) multiply_few_rows(m, n, k, a, lda, b, ldb, c, ldc);
    else multiply_depths(m, n, k, a, lda, b, ldb, c, ldc);
    return;
  }
  block_product work = {.m = m,
                        .n = n,
                        .k = k,
                        .lda = lda,
                        .ldb = ldb,
                        .ldc = ldc,
                        .a = a,
                        .b = b,
                        .c = c,
                        .packed = scratch,
                        .epilogue = epilogue};
  if (!multiply_thin(m, n, k, a, lda, b, ldb, c, ldc, scratch)) multiply_blocks(&work);
  else if (epilogue != NULL) finish_rows(&work, 0, m, 0, n);
}
