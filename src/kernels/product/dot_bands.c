// See dot_bands.h. A row of the result is a sum of the rows of b that its band meets, k ascending.
#include "kernels/product/dot_bands.h"

#include "kernels/machine.h"
#include "math/long_sums.h"

#include <string.h>

enum {
  VECTOR = 4, // floats
  TILE = 8 * VECTOR,
  LONGEST = HLO_BLOCKS_IN_ORDER * HLO_SUM_BLOCK // of bands
};

typedef float four __attribute__((vector_size(16), aligned(4)));
typedef uint32_t four_bits __attribute__((vector_size(16), aligned(4)));

// --- bands of a constant ---

// A row of the operand on one side: its first number, and the distance of the next ones.
static const float *row_of(const hlo_contraction *c, int32_t side, int64_t row, int64_t *step) {
  int32_t group = side == HLO_LEFT ? HLO_ROWS : HLO_COLUMNS;
  const float *at = c->constants[side];
  for (int32_t i = c->starts[group + 1] - 1; i >= c->starts[group]; i--) {
    at += row % c->loops[i].size * c->loops[i].strides[side];
    row /= c->loops[i].size;
  }
  *step = c->loops[c->starts[HLO_TERMS]].strides[side];
  return at;
}

static hlo_band band_of(const hlo_contraction *c, int32_t side, int64_t row) {
  int64_t step, first = 0, end = c->k;
  const float *numbers = row_of(c, side, row, &step);
  while (first < end && numbers[first * step] == 0) first++;
  while (end > first && numbers[(end - 1) * step] == 0) end--;
  return (hlo_band){(int32_t)first, (int32_t)end, 0};
}

// Of so many rows, spread over all. Bands are at most a part of all rows together, and none so long
// that its sum has to be blocked, which only the dense kernel does.
static bool has_bands(const hlo_contraction *c, int32_t side, int64_t rows, int64_t count) {
  int64_t found = 0, most = count * c->k / HLO_PART_OF_BANDS;
  for (int64_t i = 0; i < count && found <= most; i++) {
    hlo_band band = band_of(c, side, count == rows ? i : i * (rows - 1) / (count - 1));
    if (band.end - band.first > LONGEST) return false;
    found += band.end - band.first;
  }
  return found <= most;
}

bool hlo_bands_fit(const hlo_backend *backend, const hlo_contraction *c, int32_t side) {
  int64_t rows = side == HLO_LEFT ? c->m : c->n;
  bool fits = backend != NULL && c->constants[side] != NULL && c->types[HLO_LEFT] == HLO_F32 &&
              c->types[HLO_RIGHT] == HLO_F32 && c->types[HLO_PRODUCT] == HLO_F32 &&
              c->batches == 1 && c->starts[HLO_LOOP_GROUPS] - c->starts[HLO_TERMS] == 1 &&
              c->m >= HLO_FEWEST_BANDS && c->n >= HLO_FEWEST_BANDS &&
              c->k >= HLO_SHORTEST_OF_BANDS && c->k <= INT32_MAX &&
              (double)c->m * (double)c->n * (double)c->k >= HLO_PRODUCTS_OF_BANDS;
  return fits && has_bands(c, side, rows, HLO_FEWEST_BANDS) && has_bands(c, side, rows, rows);
}

hlo_status hlo_bands_find(const hlo_contraction *c, hlo_arena *arena, hlo_bands *out,
                          hlo_error *error) {
  hlo_band *bands;
  bool *met;
  float *values;
  int64_t count = 0, step;
  HLO_ALLOC(bands, arena, c->m, error);
  HLO_ALLOC(met, arena, c->k, error);
  for (int64_t i = 0; i < c->m; i++) {
    bands[i] = band_of(c, HLO_LEFT, i);
    bands[i].at = count;
    count += bands[i].end - bands[i].first;
    memset(met + bands[i].first, true, (size_t)(bands[i].end - bands[i].first) * sizeof *met);
  }
  HLO_ALLOC(values, arena, count, error);
  for (int64_t i = 0; i < c->m; i++) {
    const float *row = row_of(c, HLO_LEFT, i, &step);
    for (int32_t p = bands[i].first; p < bands[i].end; p++)
      values[bands[i].at + p - bands[i].first] = row[p * step];
  }
  *out = (hlo_bands){bands, values, met};
  return HLO_OK;
}

// --- numbers that are infinite or NaN ---

static four_bits not_finite(four numbers) {
  const uint32_t exponent = UINT32_C(0x7f800000);
  four_bits bits = (four_bits)numbers & exponent;
  return (four_bits)(bits == exponent);
}

static bool any_lane(four_bits found) { return (found[0] | found[1] | found[2] | found[3]) != 0; }

static bool are_finite(int64_t count, const float *numbers) {
  four_bits found = {0};
  int64_t i = 0;
  for (; i + VECTOR <= count; i += VECTOR)
    found |= not_finite(*(const four *)(const void *)(numbers + i));
  for (; i < count; i++) found |= not_finite((four){numbers[i]});
  return !any_lane(found);
}

// --- rows of the result; lanes of *found are set where one is infinite or NaN ---

typedef struct bands_work {
  const hlo_bands *bands;
  int64_t m, n, ldb, ldc;
  const float *b;
  float *c;
  bool *failed; // for each part, whether it met an infinity or NaN
} bands_work;

// With `accumulate`, adds the sums to c.

static void sum_tile(int32_t count, const float *weights, const float *b, int64_t ldb, float *c,
                     bool accumulate, four_bits *found) {
  four sums[TILE / VECTOR] = {0};
  for (int32_t p = 0; p < count; p++, b += ldb) {
    for (int j = 0; j < TILE / VECTOR; j++)
      sums[j] += weights[p] * *(const four *)(const void *)(b + j * VECTOR);
  }
  for (int j = 0; accumulate && j < TILE / VECTOR; j++)
    sums[j] += *(const four *)(const void *)(c + j * VECTOR);
  for (int j = 0; j < TILE / VECTOR; j++) *found |= not_finite(sums[j]);
  memcpy(c, sums, sizeof sums);
}

static void sum_vector(int32_t count, const float *weights, const float *b, int64_t ldb, float *c,
                       bool accumulate, four_bits *found) {
  four sum = {0};
  for (int32_t p = 0; p < count; p++, b += ldb) sum += weights[p] * *(const four *)(const void *)b;
  if (accumulate) sum += *(const four *)(const void *)c;
  *found |= not_finite(sum);
  *(four *)(void *)c = sum;
}

static void sum_columns(int64_t n, int32_t count, const float *weights, const float *b, int64_t ldb,
                        float *c, bool accumulate, four_bits *found) {
  int64_t j = 0;
  for (; j + TILE <= n; j += TILE) sum_tile(count, weights, b + j, ldb, c + j, accumulate, found);
  for (; j + VECTOR <= n; j += VECTOR)
    sum_vector(count, weights, b + j, ldb, c + j, accumulate, found);
  for (; j < n; j++) {
    float sum = 0;
    for (int32_t p = 0; p < count; p++) sum += weights[p] * b[p * ldb + j];
    if (accumulate) sum += c[j];
    *found |= not_finite((four){sum});
    c[j] = sum;
  }
}

static void sum_rows(void *data, int32_t part, int32_t thread) {
  const bands_work *w = data;
  int64_t first = (int64_t)part * HLO_BANDS_ROWS_OF_A_PART, end = first + HLO_BANDS_ROWS_OF_A_PART;
  four_bits found = {0};
  (void)thread;
  if (end > w->m) end = w->m;
  for (int64_t column = 0; column < w->n; column += HLO_BANDS_NEAR_COLUMNS) {
    int64_t left = w->n - column;
    for (int64_t i = first; i < end; i++) {
      hlo_band band = w->bands->of_rows[i];
      int32_t at = band.first;
      do {
        int32_t count = band.end - at < HLO_SUM_BLOCK ? band.end - at : HLO_SUM_BLOCK;
        sum_columns(left < HLO_BANDS_NEAR_COLUMNS ? left : HLO_BANDS_NEAR_COLUMNS, count,
                    w->bands->values + band.at + at - band.first, w->b + at * w->ldb + column,
                    w->ldb, w->c + i * w->ldc + column, at > band.first, &found);
        at += count;
      } while (at < band.end);
    }
  }
  w->failed[part] = any_lane(found);
}

// Rows of b outside of all bands are multiplied only by skipped zeros: they must be finite, since
// 0 · ∞ is NaN.
static bool are_others_finite(const bands_work *w, int64_t k) {
  for (int64_t i = 0; i < k; i++) {
    if (!w->bands->met[i] && !are_finite(w->n, w->b + i * w->ldb)) return false;
  }
  return true;
}

hlo_status hlo_bands_run(const hlo_bands *bands, const hlo_evaluator *evaluator, int64_t m,
                         int64_t n, int64_t k, const float *b, int64_t ldb, float *c, int64_t ldc,
                         bool *done, hlo_error *error) {
  const hlo_backend *backend = evaluator->backend;
  bands_work work = {.bands = bands, .m = m, .n = n, .ldb = ldb, .ldc = ldc, .b = b, .c = c};
  int32_t parts = (int32_t)((m + HLO_BANDS_ROWS_OF_A_PART - 1) / HLO_BANDS_ROWS_OF_A_PART);
  HLO_ALLOC(work.failed, evaluator->scratch, parts, error);
  *done = are_others_finite(&work, k);
  if (!*done) return HLO_OK;
  double time = (double)m * (double)n * (double)k / HLO_PART_OF_BANDS / HLO_BAND_PRODUCTS_PER_NS;
  bool is_cut = hlo_backend_parts(backend, parts, time) > 1;
  if (is_cut) hlo_backend_parallel(backend, sum_rows, &work, parts);
  for (int32_t part = 0; part < parts; part++) {
    if (!is_cut) sum_rows(&work, part, 0);
    *done = *done && !work.failed[part];
  }
  return HLO_OK;
}
