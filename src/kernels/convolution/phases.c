// Splits a convolution with base dilation (transposed convolutions, gradients of strided ones) into
// phases without it (polyphase decomposition): positions that are a common multiple of stride and
// dilation apart use the same subset of the window's taps.
#include "hlo/attributes/window.h"
#include "kernels/convolution/convolution.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"

#include <string.h>

enum { SPATIAL = HLO_CONVOLUTION_SPATIAL };

static int64_t common_divisor(int64_t a, int64_t b) {
  return b == 0 ? a : common_divisor(b, a % b);
}

// Distances, along a dimension, of positions of one phase and of the taps that they use.
typedef struct period {
  int64_t positions, taps;
} period;

// False if the window fields are so large that arithmetic on them might overflow.
static bool compute_periods(const hlo_convolution *c, period *out) {
  const int64_t large = INT64_C(1) << 20;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    int64_t holes = field[HLO_WINDOW_LHS_DILATION], stride = field[HLO_WINDOW_STRIDE];
    int64_t apart = field[HLO_WINDOW_RHS_DILATION], low = field[HLO_WINDOW_PAD_LOW];
    if (holes > large || stride > large || apart > large || low > large || low < -large)
      return false;
    out[i] = (period){holes / common_divisor(holes, stride), holes / common_divisor(holes, apart)};
  }
  return true;
}

bool hlo_convolution_phases(const hlo_convolution *c, int64_t *phases, double *taps) {
  period periods[HLO_MAX_RANK];
  if (!compute_periods(c, periods)) return false;
  *phases = 1;
  *taps = (double)c->taps;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    int64_t positions = c->result.dims[i + SPATIAL];
    *phases *= periods[i].positions < positions ? periods[i].positions : positions;
    *taps /= (double)periods[i].taps;
  }
  return true;
}

// Restricts dimension i to the phase that begins at position `first`, and the kernel to the taps
// that meet elements there. False if there are none.
static bool cut_phase(hlo_convolution *phase, hlo_view *kernel, int32_t i, period p, int64_t first,
                      int64_t *field) {
  int32_t d = i + SPATIAL;
  int64_t holes = field[HLO_WINDOW_LHS_DILATION], apart = field[HLO_WINDOW_RHS_DILATION];
  int64_t at = first * field[HLO_WINDOW_STRIDE] - field[HLO_WINDOW_PAD_LOW], tap = 0;
  phase->result.data = hlo_view_at(&phase->result, first * phase->result.strides[d]);
  phase->result.dims[d] = (phase->result.dims[d] - first + p.positions - 1) / p.positions;
  phase->result.strides[d] *= p.positions;
  while (tap < p.taps && (at + tap * apart) % holes != 0) tap++;
  if (tap == p.taps || tap >= kernel->dims[i]) return false;
  kernel->data = hlo_view_at(kernel, tap * kernel->strides[i]);
  kernel->dims[i] = (kernel->dims[i] - tap + p.taps - 1) / p.taps;
  kernel->strides[i] *= p.taps;
  phase->taps *= kernel->dims[i];
  field[HLO_WINDOW_SIZE] = kernel->dims[i];
  field[HLO_WINDOW_STRIDE] = p.positions * field[HLO_WINDOW_STRIDE] / holes;
  field[HLO_WINDOW_RHS_DILATION] = p.taps * apart / holes;
  field[HLO_WINDOW_PAD_LOW] = -(at + tap * apart) / holes;
  field[HLO_WINDOW_LHS_DILATION] = 1;
  return true;
}

// The positions from `first` on along each dimension.
static hlo_status convolve_phase(const hlo_convolution *c, const period *periods,
                                 const int64_t *first, hlo_convolution_function *convolve,
                                 hlo_error *error) {
  int64_t fields[HLO_MAX_RANK * HLO_WINDOW_FIELDS];
  int32_t rank = c->spatial_rank;
  hlo_evaluator evaluator = *c->evaluator;
  hlo_convolution phase = *c;
  hlo_view kernel = {.type = c->work_type, .rank = rank + 2, .data = (void *)(uintptr_t)c->kernel};
  hlo_view dense;
  bool meets = true;
  evaluator.offer = NULL;
  phase.evaluator = &evaluator;
  phase.fields = fields;
  phase.taps = 1;
  for (int32_t i = 0; i < rank; i++) kernel.dims[i] = hlo_convolution_field(c, i)[HLO_WINDOW_SIZE];
  kernel.dims[rank] = c->features;
  kernel.dims[rank + 1] = c->all_outputs;
  hlo_view_set_row_major(&kernel);
  for (int32_t i = 0; i < rank; i++) {
    int64_t *field = fields + i * HLO_WINDOW_FIELDS;
    memcpy(field, hlo_convolution_field(c, i), HLO_WINDOW_FIELDS * sizeof *field);
    if (first[i] >= c->result.dims[i + SPATIAL]) return HLO_OK;
    meets = cut_phase(&phase, &kernel, i, periods[i], first[i], field) && meets;
  }
  if (!meets) {
    const double zero[2] = {0};
    hlo_view_fill(&phase.result, zero);
    return HLO_OK;
  }
  HLO_TRY(hlo_scratch_view(&evaluator, c->work_type, rank + 2, kernel.dims, &dense, error));
  hlo_view_copy(&dense, &kernel);
  phase.kernel = dense.data;
  phase.columns = phase.taps * phase.features;
  return convolve(&phase, error);
}

hlo_status hlo_convolution_each_phase(const hlo_convolution *c, hlo_convolution_function *convolve,
                                      hlo_error *error) {
  period periods[HLO_MAX_RANK];
  int64_t counts[HLO_MAX_RANK], first[HLO_MAX_RANK] = {0};
  compute_periods(c, periods);
  for (int32_t i = 0; i < c->spatial_rank; i++) counts[i] = periods[i].positions;
  do {
    hlo_arena_mark mark = hlo_arena_get_mark(c->evaluator->scratch);
    hlo_status status = convolve_phase(c, periods, first, convolve, error);
    hlo_arena_rewind(c->evaluator->scratch, mark);
    HLO_TRY(status);
  } while (hlo_next_index(c->spatial_rank, counts, first));
  return HLO_OK;
}
