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

static uint32_t bits_of(const float *number) {
  uint32_t bits;
  memcpy(&bits, number, sizeof bits);
  return bits;
}

static bool is_zero(const float *number) { return bits_of(number) << 1 == 0; }

static bool are_zeros(const float *numbers) {
  four_bits found = {0};
  for (int32_t i = 0; i < TILE; i += VECTOR)
    found |= *(const four_bits *)(const void *)(numbers + i);
  return (found[0] | found[1] | found[2] | found[3]) << 1 == 0;
}

static hlo_band measure_band(const float *row, int32_t k) {
  int32_t first = 0, end = k;
  while (first + TILE <= end && are_zeros(row + first)) first += TILE;
  while (first < end && is_zero(row + first)) first++;
  while (end - TILE >= first && are_zeros(row + end - TILE)) end -= TILE;
  while (end > first && is_zero(row + end - 1)) end--;
  return (hlo_band){first, end};
}

// The bands of all rows. False if together they cover too much, or one is so long that its sum has
// to be blocked, which only the dense kernel does.
static bool measure_short_bands(int64_t m, int64_t k, const float *a, int64_t lda,
                                hlo_band *bands) {
  double sum = 0, most = (double)m * (double)k / HLO_PART_OF_BANDS;
  if (k > INT32_MAX) return false;
  for (int64_t i = 0; i < m && sum <= most; i++) {
    bands[i] = measure_band(a + i * lda, (int32_t)k);
    if (bands[i].end - bands[i].first > LONGEST) return false;
    sum += bands[i].end - bands[i].first;
  }
  return sum <= most;
}

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
  int64_t m, n, lda, ldb, ldc;
  const float *a, *b;
  float *c;
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
                    w->a + i * w->lda + at, w->b + at * w->ldb + column, w->ldb,
                    w->c + i * w->ldc + column, at > band.first, &found);
        at += count;
      } while (at < band.end);
    }
  }
  w->bands->failed[part] = any_lane(found);
}

// Rows of b outside of all bands are multiplied only by skipped zeros: they must be finite, since
// 0 · ∞ is NaN.
static bool are_others_finite(const bands_work *w, int64_t k) {
  bool *met = w->bands->met;
  memset(met, 0, (size_t)k * sizeof *met);
  for (int64_t i = 0; i < w->m; i++) {
    hlo_band band = w->bands->of_rows[i];
    memset(met + band.first, true, (size_t)(band.end - band.first) * sizeof *met);
  }
  for (int64_t i = 0; i < k; i++) {
    if (!met[i] && !are_finite(w->n, w->b + i * w->ldb)) return false;
  }
  return true;
}

bool hlo_bands_run(const hlo_evaluator *evaluator, int64_t m, int64_t n, int64_t k, const float *a,
                   int64_t lda, const float *b, int64_t ldb, float *c, int64_t ldc,
                   const hlo_bands *bands) {
  const hlo_backend *backend = evaluator->backend;
  bands_work work = {bands, m, n, lda, ldb, ldc, a, b, c};
  if (!measure_short_bands(m, k, a, lda, bands->of_rows) || !are_others_finite(&work, k))
    return false;
  int32_t parts = (int32_t)((m + HLO_BANDS_ROWS_OF_A_PART - 1) / HLO_BANDS_ROWS_OF_A_PART);
  double time = (double)m * (double)n * (double)k / HLO_PART_OF_BANDS / HLO_BAND_PRODUCTS_PER_NS;
  bool is_cut = hlo_backend_parts(backend, parts, time) > 1, failed = false;
  if (is_cut) hlo_backend_parallel(backend, sum_rows, &work, parts);
  for (int32_t part = 0; part < parts; part++) {
    if (!is_cut) sum_rows(&work, part, 0);
    failed = failed || bands->failed[part];
  }
  return !failed;
}

hlo_status hlo_bands_init(const hlo_evaluator *evaluator, int64_t m, int64_t k, hlo_bands *out,
                          hlo_error *error) {
  HLO_ALLOC(out->of_rows, evaluator->scratch, m, error);
  HLO_ALLOC(out->met, evaluator->scratch, k, error);
  HLO_ALLOC(out->failed, evaluator->scratch, m / HLO_BANDS_ROWS_OF_A_PART + 1, error);
  return HLO_OK;
}
