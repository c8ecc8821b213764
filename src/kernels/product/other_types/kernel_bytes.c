// Dot products of matrices of s8 by the instruction that multiplies sixteen bytes at a time and
// adds four products to each lane, which takes half the time of pairs of s16. Relaxed
// SIMD defines its result only for right factors of seven bits, but a host must be consistent: most
// read that factor as a full byte, signed or unsigned, which two probe products reveal. On unsigned
// hosts 128 is added to every element of B, and 128 times the sum of A's row is subtracted.
#include "kernels/machine.h"
#include "kernels/pool.h"
#include "kernels/simd/kernels.h"
#include "kernels/simd/relaxed.h"

#if HLO_MULTIPLIES_BYTES
#define ELEMENT                 uint32_t // four s8 along the contracting dimension
#define LOAD_SPLAT              wasm_v128_load32_splat
#define MULTIPLY_ADD(a, b, acc) multiply_add(a, b, acc)
#define PLUS                    wasm_i32x4_add

#if defined(__wasm__)
static inline v128_t multiply_add(v128_t a, v128_t b, v128_t acc) {
  return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, b, acc);
}
#else
// Emulates a host that reads the right factor as unsigned.
static inline v128_t multiply_add(v128_t a, v128_t b, v128_t acc) {
  int8_t left[16];
  uint8_t right[16];
  uint32_t sums[4];
  wasm_v128_store(left, a);
  wasm_v128_store(right, b);
  wasm_v128_store(sums, acc);
  for (int i = 0; i < 16; i++) sums[i / 4] += (uint32_t)(left[i] * right[i]);
  return wasm_v128_load(sums);
}
#endif

#include "kernels/simd/dot_tiles.h"

enum {
  QUAD = 4,            // bytes of an element
  AT_ONCE = 2 * PANEL, // columns that are packed together
};

// The bias to add to the bytes of B on this host: 128 or 0; -1 if the instruction is unusable here.
// Both factors are loaded from memory, so that the compiler cannot fold the products.
static int32_t bias_of_host(void) {
  static const volatile int32_t extremes[] = {INT8_MIN, INT8_MAX, UINT8_MAX};
  int32_t last = extremes[2], signs = 0, magnitudes = 0;
  for (int i = 0; i < 2; i++) {
    v128_t product = multiply_add(wasm_i8x16_splat((int8_t)extremes[i]),
                                  wasm_i8x16_splat((int8_t)last), wasm_i32x4_splat(0));
    int32_t sum = wasm_i32x4_extract_lane(product, 0);
    signs += sum == -QUAD * extremes[i];
    magnitudes += sum == QUAD * last * extremes[i];
  }
  return magnitudes == 2 ? 128 : signs == 2 ? 0 : -1;
}

bool hlo_kernel_multiplies_bytes(void) { return bias_of_host() >= 0; }

static int64_t quads(int64_t k) { return (k + QUAD - 1) / QUAD; }

static int64_t depth_block(int64_t k) { return smaller(quads(k), HLO_S8_DEPTH_BLOCK); }

// Rows of A that are multiplied at a time, whatever is left of the contracting dimension.
static int64_t rows_at_once(int64_t k) {
  return HLO_S8_BLOCK_OF_A / depth_block(k) / TILE_ROWS * TILE_ROWS;
}

// Scratch of one work share, in elements: for rows of A and for panels of B.
static int64_t room_for_a(int64_t k) { return rows_at_once(k) * depth_block(k); }
static int64_t room_for_b(int64_t n, int64_t k) {
  int64_t columns = (n + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
  return smaller(columns, HLO_S8_GROUP_COLUMNS) * depth_block(k);
}

int64_t hlo_kernel_dot_bytes_scratch(int64_t n, int64_t k) {
  if (k == 0) return 0;
  return hlo_pool_threads() * (room_for_a(k) + room_for_b(n, k)) * (int64_t)sizeof(ELEMENT);
}

// Packs rows of k bytes into elements; the last element is padded with zeros.
static void pack_rows(int64_t rows, int64_t k, const int8_t *a, int64_t lda, ELEMENT *to) {
  for (; rows > 0; rows--, a += lda, to += quads(k)) {
    to[quads(k) - 1] = 0;
    memcpy(to, a, (size_t)k);
  }
}

// Interleaves four rows of 16 columns into 16 elements; the last eight are stored `stride` after
// the first eight.
static inline void pack_quads(const int8_t *const *rows, v128_t bias, ELEMENT *to, int64_t stride) {
  v128_t a = wasm_v128_xor(wasm_v128_load(rows[0]), bias);
  v128_t b = wasm_v128_xor(wasm_v128_load(rows[1]), bias);
  v128_t c = wasm_v128_xor(wasm_v128_load(rows[2]), bias);
  v128_t d = wasm_v128_xor(wasm_v128_load(rows[3]), bias);
#define LOW_BYTES(x, y)                                                                            \
  wasm_i8x16_shuffle(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_BYTES(x, y)                                                                           \
  wasm_i8x16_shuffle(x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
  v128_t ab = LOW_BYTES(a, b), cd = LOW_BYTES(c, d);
  wasm_v128_store(to, wasm_i16x8_shuffle(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11));
  wasm_v128_store(to + LANES, wasm_i16x8_shuffle(ab, cd, 4, 12, 5, 13, 6, 14, 7, 15));
  ab = HIGH_BYTES(a, b), cd = HIGH_BYTES(c, d);
  to += stride;
  wasm_v128_store(to, wasm_i16x8_shuffle(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11));
  wasm_v128_store(to + LANES, wasm_i16x8_shuffle(ab, cd, 4, 12, 5, 13, 6, 14, 7, 15));
}

// Packs k rows and n columns of B into panels, n rounded up to AT_ONCE. Rows after the last one may
// hold anything: they are multiplied by the zero padding of A.
static void pack_columns(int64_t n, int64_t k, const int8_t *b, int64_t ldb, ELEMENT *packed) {
  v128_t bias = wasm_i8x16_splat((int8_t)bias_of_host());
  int64_t stride = quads(k) * PANEL;
  for (int64_t i = 0; i < k; i += QUAD, packed += PANEL) {
    const int8_t *rows[QUAD];
    for (int l = 0; l < QUAD; l++) rows[l] = b + smaller(i + l, k - 1) * ldb;
    ELEMENT *to = packed;
    int64_t j = 0;
    for (; j + AT_ONCE <= n; j += AT_ONCE, to += 2 * stride) {
      pack_quads(rows, bias, to, stride);
      for (int l = 0; l < QUAD; l++) rows[l] += AT_ONCE;
    }
    if (j == n) continue;
    int8_t beside[QUAD][AT_ONCE] = {0};
    for (int l = 0; l < QUAD; l++) {
      memcpy(beside[l], rows[l], (size_t)(n - j));
      rows[l] = beside[l];
    }
    pack_quads(rows, bias, to, stride);
  }
}

// A product split between threads by rows and columns of the result.
typedef struct bytes_product {
  int64_t m, n, k, lda, ldb, ldc;
  const int8_t *a, *b;
  ELEMENT *c, *scratch;                // scratch: for each thread
  int64_t rows, columns, parts_across; // of a part; of all columns
  const hlo_epilogue *epilogue;
} bytes_product;

// Initial sums that cancel the bias of B.
static void begin_sums(const bytes_product *w, int64_t row, int64_t rows, int64_t column,
                       int64_t columns) {
  int32_t bias = bias_of_host();
  for (int64_t r = row; r < row + rows; r++) {
    const int8_t *a = w->a + r * w->lda;
    ELEMENT *c = w->c + r * w->ldc + column, sum = 0;
    for (int64_t i = 0; i < w->k; i++) sum += (ELEMENT)a[i];
    sum *= (ELEMENT)-bias;
    for (int64_t j = 0; j < columns; j++) c[j] = sum;
  }
}

static void finish_rows(const bytes_product *w, int64_t row, int64_t end, int64_t column,
                        int64_t column_end) {
  const hlo_epilogue *epilogue = w->epilogue;
  if (epilogue == NULL || (epilogue->whole_rows && column_end < w->n)) return;
  if (epilogue->whole_rows) column = 0;
  epilogue->run(epilogue->data, epilogue->first_row + row, epilogue->first_row + end, column,
                column_end);
}

static void multiply_group(const bytes_product *w, int64_t row, int64_t end, int64_t column,
                           int64_t columns, ELEMENT *rows_of_a, ELEMENT *panels_of_b) {
  int64_t most = rows_at_once(w->k);
  for (int64_t d = 0; d < w->k; d += HLO_S8_DEPTH_BLOCK * QUAD) {
    int64_t k = smaller(w->k - d, HLO_S8_DEPTH_BLOCK * QUAD), depth = quads(k);
    const segments s = {1, depth, &no_offset};
    pack_columns(columns, k, w->b + d * w->ldb + column, w->ldb, panels_of_b);
    for (int64_t r = row; r < end; r += most) {
      int64_t rows = smaller(most, end - r);
      if (d == 0) begin_sums(w, r, rows, column, columns);
      pack_rows(rows, k, w->a + r * w->lda + d, w->lda, rows_of_a);
      for (int64_t j = 0; j < columns; j += ACROSS * PANEL) {
        multiply_panels(rows, smaller(ACROSS * PANEL, columns - j), &s, rows_of_a, depth,
                        panels_of_b + j * depth, PANEL, depth * PANEL,
                        w->c + r * w->ldc + column + j, w->ldc, 1);
      }
      if (d + k == w->k) finish_rows(w, r, r + rows, column, column + columns);
    }
  }
}

static void multiply_part(void *data, int32_t part, int32_t thread) {
  const bytes_product *w = data;
  int64_t row = part / w->parts_across * w->rows, j = part % w->parts_across * w->columns;
  int64_t end = smaller(row + w->rows, w->m), last = smaller(j + w->columns, w->n);
  int64_t room = room_for_a(w->k);
  ELEMENT *memory = w->scratch + thread * (room + room_for_b(w->n, w->k));
  for (; j < last; j += HLO_S8_GROUP_COLUMNS)
    multiply_group(w, row, end, j, smaller(last - j, HLO_S8_GROUP_COLUMNS), memory, memory + room);
}

void hlo_kernel_dot_bytes(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                          const void *b, int64_t ldb, void *c, int64_t ldc, void *scratch,
                          const hlo_epilogue *epilogue) {
  if (m == 0 || n == 0) return;
  bytes_product work = {m, n, k, lda, ldb, ldc, a, b, c, scratch, m, n, 1, epilogue};
  if (k == 0) {
    begin_sums(&work, 0, m, 0, n);
    finish_rows(&work, 0, m, 0, n);
    return;
  }
  int64_t groups = (n + AT_ONCE - 1) / AT_ONCE;
  int64_t parts =
      hlo_pool_parts(m * groups, (double)m * (double)n * (double)k / HLO_S8_PRODUCTS_PER_NS);
  int64_t across = smaller(parts, groups), down = smaller((parts + across - 1) / across, m);
  work.columns = (groups + across - 1) / across * AT_ONCE;
  work.parts_across = (n + work.columns - 1) / work.columns;
  work.rows = (m + down - 1) / down;
  hlo_pool_run(multiply_part, &work,
               (int32_t)((m + work.rows - 1) / work.rows * work.parts_across));
}
#endif
