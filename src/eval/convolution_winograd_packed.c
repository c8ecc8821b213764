// Constant filters, transformed for Winograd's algorithm when a plan is made, and back where an
// image turns out to be none for it. What is infinite there spreads as the filters' signs say, so
// filters are packed only if those come back. Must not know how images are convolved.
#include "eval/convolution_winograd.h"

#include <string.h>

enum {
  PANEL = HLO_PACKED_COLUMNS,
  AT_ONCE = 8 * PANEL, // features of the result whose filters stay in the cache
  TAPS = HLO_WINOGRAD_TAPS,
  LINE = HLO_WINOGRAD_LINE,
};

// Three taps of four points.
static void taps_of(const float *points, int64_t step, float *taps, int64_t apart) {
  taps[0] = points[0];
  taps[apart] = points[step] - points[2 * step];
  taps[2 * apart] = points[3 * step];
}

// Packed filters to what they were made of, but for rounding: a dense kernel.
static void transform_back(const hlo_convolution *c, const float *packed, float *kernel) {
  int64_t apart = hlo_winograd_apart(c), tap = c->features * c->outputs;
  for (int64_t i = 0; i < c->features; i++) {
    for (int64_t k = 0; k < c->outputs; k++, kernel++) {
      const float *points = packed + LINE + (k / PANEL * c->features + i) * PANEL + k % PANEL;
      float rows[4][3];
      for (int y = 0; y < 4; y++) taps_of(points + 4 * y * apart, apart, rows[y], 1);
      for (int x = 0; x < 3; x++) taps_of(&rows[0][x], 3, kernel + x * tap, 3 * tap);
    }
  }
}

static int sign_of(float x) { return (x > 0) - (x < 0); }

static bool have_same_signs(int64_t count, const float *a, const float *b) {
  for (int64_t i = 0; i < count; i++) {
    if (sign_of(a[i]) != sign_of(b[i])) return false;
  }
  return true;
}

hlo_status hlo_winograd_pack(const hlo_convolution *c, hlo_error *error) {
  hlo_arena *scratch = c->evaluator->scratch;
  int64_t apart = hlo_winograd_apart(c), count = LINE + HLO_WINOGRAD_POINTS * apart;
  int64_t elements = c->columns * c->outputs;
  const float *kernel = (const float *)(const void *)c->kernel;
  float *sums, *packed, *back;
  void *to;
  HLO_ALLOC(sums, scratch, TAPS * c->outputs, error);
  float weight = hlo_winograd_weight(c, sums);
  if (weight == __builtin_inff()) return HLO_OK;
  HLO_ALLOC(packed, scratch, count, error);
  HLO_ALLOC(back, scratch, elements, error);
  packed[0] = weight;
  for (int64_t k = 0; k < c->outputs; k += AT_ONCE) {
    int64_t left = c->outputs - k;
    hlo_winograd_transform_filters(c, k, left < AT_ONCE ? left : AT_ONCE,
                                   packed + LINE + k * c->features, apart);
  }
  transform_back(c, packed, back);
  if (!have_same_signs(elements, kernel, back)) return HLO_OK;
  HLO_TRY(c->evaluator->packing->make(c->evaluator->packing, count * (int64_t)sizeof *packed, &to,
                                      error));
  memcpy(to, packed, (size_t)count * sizeof *packed);
  return HLO_OK;
}

hlo_status hlo_winograd_convolve_unpacked(const hlo_convolution *c, bool *done, hlo_error *error) {
  hlo_evaluator evaluator = *c->evaluator;
  hlo_convolution other = *c;
  float *kernel;
  HLO_ALLOC(kernel, evaluator.scratch, c->columns * c->outputs, error);
  transform_back(c, (const float *)(const void *)c->kernel, kernel);
  evaluator.packed = false;
  other.evaluator = &evaluator;
  other.kernel = (const char *)kernel;
  other.is_precise = true; // so that other kernels do it
  return hlo_convolve_by_kernels(&other, done, error);
}
