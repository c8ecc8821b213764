// Selects the kernel of an f32 convolution: Winograd's algorithm, or GEMM over rows of positions.
// See convolution.h.
#include "hlo/attributes/window.h"
#include "kernels/convolution/winograd.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

enum { SPATIAL = HLO_CONVOLUTION_SPATIAL };

// 3x3 windows of stride 1 with enough features and tiles. With four features the transforms cost
// more than the saved products, and with few 2x2 tiles the filter transforms do. Tiles may overlap
// the edges as long as a third of the products is still saved.
static bool is_for_winograd(const hlo_convolution *c) {
  int64_t tiles = c->batch, positions = c->batch;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    int64_t steps =
        field[HLO_WINDOW_STRIDE] | field[HLO_WINDOW_LHS_DILATION] | field[HLO_WINDOW_RHS_DILATION];
    if (field[HLO_WINDOW_SIZE] != 3 || steps != 1) return false;
    tiles *= (c->result.dims[i + SPATIAL] + 1) / 2;
    positions *= c->result.dims[i + SPATIAL];
  }
  return c->spatial_rank == 2 && c->groups == 1 && !c->is_precise && c->input.type == HLO_F32 &&
         c->features >= 8 && c->features % 4 == 0 && c->outputs % HLO_PACKED_COLUMNS == 0 &&
         tiles >= 16 && 3 * 16 * tiles <= 2 * 9 * positions;
}

// Runs the whole convolution; the result's features are contiguous.
static hlo_status run_adjacent(const hlo_convolution *c, bool as_it_is, hlo_error *error) {
  bool done = false;
  if (is_for_winograd(c)) {
    HLO_TRY(hlo_convolve_by_winograd(c, &done, error));
    if (!done && c->evaluator->packed) HLO_TRY(hlo_winograd_convolve_unpacked(c, &done, error));
  }
  if (done) return HLO_OK;
  return hlo_convolve_by_rows(c, as_it_is, error);
}

hlo_status hlo_convolve_as_a_whole(const hlo_convolution *c, bool *done, hlo_error *error) {
  int32_t feature = c->spatial_rank + 1;
  bool as_it_is;
  hlo_convolution_inspect_image(c, &as_it_is, done);
  if (!*done) return HLO_OK;
  if (c->evaluator->packing != NULL)
    return is_for_winograd(c) ? hlo_winograd_pack(c, error) : hlo_convolution_pack_groups(c, error);
  if (c->result.type == HLO_F32 && (c->result.strides[feature] == 1 || c->all_outputs == 1))
    return run_adjacent(c, as_it_is, error);
  hlo_convolution converted = *c;
  hlo_evaluator evaluator = *c->evaluator;
  evaluator.offer = NULL;
  converted.evaluator = &evaluator;
  HLO_TRY(hlo_scratch_view(c->evaluator, HLO_F32, feature + 1, c->result.dims, &converted.result,
                           error));
  HLO_TRY(run_adjacent(&converted, as_it_is, error));
  return hlo_convert_view(c->evaluator, &c->result, &converted.result, error);
}
