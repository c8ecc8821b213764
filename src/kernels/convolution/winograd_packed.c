// Constant filters, transformed for Winograd's algorithm at planning time, and transformed back if
// an image turns out to be unsuitable. The signs of infinite results depend on the filters' signs,
// so filters are packed only if the round trip preserves those.
#include "kernels/convolution/winograd.h"

#include <string.h>

#define NOINLINE __attribute__((noinline))

enum {
  PANEL = HLO_PACKED_COLUMNS,
  POINTS = HLO_WINOGRAD_POINTS,
  TAPS = HLO_WINOGRAD_TAPS,
  LINE = HLO_WINOGRAD_LINE,
};

// Three taps of four points.
static void taps_of(const float *points, int64_t step, float *taps, int64_t apart) {
  taps[0] = points[0];
  taps[apart] = points[step] - points[2 * step];
  taps[2 * apart] = points[3 * step];
}

// Inverse-transforms a panel of filters of one feature to its taps, `apart` from each other, up to
// rounding. Not inlined: V8 tiers up a function that is called again.
static NOINLINE void transform_back(const float *points, int64_t apart, float *kernel,
                                    int64_t tap) {
  for (int k = 0; k < PANEL; k++, points++, kernel++) {
    float rows[4][3];
    for (int y = 0; y < 4; y++) taps_of(points + 4 * y * apart, apart, rows[y], 1);
    for (int x = 0; x < 3; x++) taps_of(&rows[0][x], 3, kernel + x * tap, 3 * tap);
  }
}

static int sign_of(float x) { return (x > 0) - (x < 0); }

static NOINLINE bool panel_round_trips(const float *points, int64_t apart, const float *kernel,
                                       int64_t tap) {
  float taps[TAPS * PANEL];
  transform_back(points, apart, taps, PANEL);
  for (int64_t i = 0; i < TAPS; i++) {
    for (int64_t k = 0; k < PANEL; k++) {
      if (sign_of(taps[i * PANEL + k]) != sign_of(kernel[i * tap + k])) return false;
    }
  }
  return true;
}

// Whether all filters come back with their signs.
static hlo_status round_trips(const hlo_convolution *c, bool *same, hlo_error *error) {
  int64_t apart = PANEL * c->features + LINE;
  const float *kernel = (const float *)(const void *)c->kernel;
  float *panel;
  HLO_ALLOC(panel, c->evaluator->scratch, POINTS * apart, error);
  *same = true;
  for (int64_t k = 0; k < c->outputs && *same; k += PANEL) {
    hlo_winograd_transform_filters(c, k, PANEL, panel, apart);
    for (int64_t i = 0; i < c->features && *same; i++)
      *same = panel_round_trips(panel + i * PANEL, apart, kernel + i * c->outputs + k,
                                c->features * c->outputs);
  }
  return HLO_OK;
}

hlo_status hlo_winograd_pack(const hlo_convolution *c, hlo_error *error) {
  hlo_packing *packing = c->evaluator->packing;
  int64_t apart = hlo_winograd_point_stride(c),
          bytes = (LINE + POINTS * apart) * (int64_t)sizeof(float);
  float *sums;
  void *to;
  bool same;
  HLO_ALLOC(sums, c->evaluator->scratch, TAPS * c->outputs, error);
  float weight = hlo_winograd_weight(c, sums);
  if (weight == __builtin_inff()) return HLO_OK;
  HLO_TRY(round_trips(c, &same, error));
  if (!same) return HLO_OK;
  HLO_TRY(packing->make(packing, bytes, &to, error));
  float *packed = to;
  for (int64_t point = 0; point <= POINTS; point++)
    memset(packed + point * apart, 0, LINE * sizeof *packed); // what is before, between and after
  packed[0] = weight;
  for (int64_t k = 0; k < c->outputs; k += PANEL)
    hlo_winograd_transform_filters(c, k, PANEL, packed + LINE + k * c->features, apart);
  return HLO_OK;
}

hlo_status hlo_winograd_convolve_unpacked(const hlo_convolution *c, hlo_error *error) {
  hlo_evaluator evaluator = *c->evaluator;
  hlo_convolution other = *c;
  int64_t tap = c->features * c->outputs;
  const float *points = (const float *)(const void *)c->kernel + LINE;
  float *kernel;
  HLO_ALLOC(kernel, evaluator.scratch, TAPS * tap, error);
  for (int64_t k = 0; k < c->outputs; k += PANEL) {
    for (int64_t i = 0; i < c->features; i++, points += PANEL)
      transform_back(points, hlo_winograd_point_stride(c), kernel + i * c->outputs + k, tap);
  }
  evaluator.packed = false;
  other.evaluator = &evaluator;
  other.kernel = (const char *)kernel;
  return hlo_convolve_direct(&other, error);
}
