// The ways to compute a convolution. The planner takes the cheapest of those that fit. See
// convolution.h.
#include "base/checked.h"
#include "hlo/attributes/window.h"
#include "kernels/convolution/winograd.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"
#include "math/long_sums.h"

enum { SPATIAL = HLO_CONVOLUTION_SPATIAL };

typedef struct strategy {
  const char *name;
  bool (*fits)(const hlo_convolution *convolution);
  double (*cost)(const hlo_convolution *convolution); // nanoseconds, about
  // Packs a constant kernel for the evaluator's `packing`, or declines to. NULL: as it is.
  hlo_convolution_function *prepare, *run;
  bool stores_anywhere; // else `run` wants a result in the work type whose features are contiguous
} strategy;

// --- what the kernels can do ---

static bool goes_by_kernels(const hlo_convolution *c) {
  int64_t elements;
  bool as_it_is;
  return c->order <= HLO_ORDER_FUSED && c->kernels != NULL && c->columns > 0 &&
         hlo_convolution_inspect_image(c, &elements, &as_it_is);
}

static bool has_channels(const hlo_convolution *c) {
  return c->batch_groups == 1 && c->features == 1 && c->outputs == 1 && c->groups > 1 &&
         c->kernels != NULL && c->kernels->depthwise != NULL;
}

static bool is_depthwise(const hlo_convolution *c) { return has_channels(c) && goes_by_kernels(c); }

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
         c->order == HLO_ORDER_FREE && c->features >= 8 && c->features % 4 == 0 &&
         c->outputs % HLO_PACKED_COLUMNS == 0 && tiles >= 16 &&
         3 * 16 * tiles <= 2 * 9 * positions && goes_by_kernels(c);
}

// Sums in the result are of as many terms as windows of neighbouring elements overlap; in blocks,
// as long sums are, if that is not too many.
static bool adds_few_terms(const hlo_convolution *c) {
  int64_t terms = 1;
  for (int32_t i = 0; i < c->spatial_rank && terms <= HLO_BLOCKS_IN_ORDER; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    int64_t overlap = (field[HLO_WINDOW_SIZE] - 1) / field[HLO_WINDOW_LHS_DILATION] + 1;
    terms *= overlap < c->input.dims[i + SPATIAL] ? overlap : c->input.dims[i + SPATIAL];
  }
  return terms <= (c->features <= HLO_SUM_BLOCK ? HLO_BLOCKS_IN_ORDER : HLO_BLOCKS_IN_ORDER / 4);
}

static bool is_transposable(const hlo_convolution *c) {
  const int64_t large = INT64_C(1) << 20;
  int64_t columns;
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    int64_t low = field[HLO_WINDOW_PAD_LOW];
    if (field[HLO_WINDOW_STRIDE] != 1 || field[HLO_WINDOW_LHS_DILATION] > large ||
        field[HLO_WINDOW_RHS_DILATION] > large || low > large * large || low < -large * large)
      return false;
  }
  return c->order == HLO_ORDER_FREE && c->spatial_rank > 0 && c->columns > 0 &&
         hlo_checked_mul(c->taps, c->outputs, &columns) && columns < large &&
         c->evaluator->backend != NULL && adds_few_terms(c);
}

static bool has_phases(const hlo_convolution *c) {
  int64_t phases;
  double taps;
  return c->order <= HLO_ORDER_FUSED && c->columns > 0 && hlo_convolution_has_holes(c) &&
         hlo_convolution_phases(c, &phases, &taps);
}

static bool always(const hlo_convolution *c) {
  (void)c;
  return true;
}

// --- what they cost ---

// Panels of output features are filled up.
static double time_of_products(const hlo_convolution *c, double products) {
  int64_t panels = (c->outputs + HLO_PACKED_COLUMNS - 1) / HLO_PACKED_COLUMNS,
          columns = panels * HLO_PACKED_COLUMNS;
  double numbers = products * (double)c->size / sizeof(float);
  if (has_channels(c)) return numbers / HLO_DEPTHWISE_PRODUCTS_PER_NS;
  double filled = (double)columns / (double)c->outputs;
  double positions = (double)hlo_view_elements(&c->result) / (double)c->outputs;
  return numbers * filled / HLO_F32_PRODUCTS_PER_NS +
         (columns == c->outputs ? 0 : positions * HLO_CONVOLUTION_NS_OF_AN_EDGE);
}

static double time_to_copy(const hlo_convolution *c, double elements) {
  return elements * (double)c->size / (sizeof(float) * HLO_CONVOLUTION_COPIED_PER_NS);
}

static double time_to_pad(const hlo_convolution *c) {
  int64_t elements;
  bool as_it_is;
  hlo_convolution_inspect_image(c, &elements, &as_it_is);
  return as_it_is ? 0 : time_to_copy(c, (double)elements);
}

static double products_of(const hlo_convolution *c) {
  return (double)hlo_view_elements(&c->result) * (double)c->columns;
}

static double cost_direct(const hlo_convolution *c) {
  return time_to_pad(c) + time_of_products(c, products_of(c));
}

static double cost_winograd(const hlo_convolution *c) {
  return time_to_pad(c) + time_of_products(c, products_of(c)) / 2;
}

static double cost_im2col(const hlo_convolution *c) {
  double rows = products_of(c) / (double)c->outputs;
  // In order, by portable kernels, the products take longer than anything else.
  return time_to_copy(c, rows) +
         (c->order == HLO_ORDER_FREE ? 2 : 8) * time_of_products(c, products_of(c));
}

// Y has a row for each element of the image; it is written, read, and added to the result.
static double cost_transposed(const hlo_convolution *c) {
  double rows = (double)hlo_view_elements(&c->input) /
                (double)(c->input.dims[c->spatial_rank + 1] * c->batch_groups);
  double products = rows * (double)c->columns * (double)c->all_outputs;
  const int64_t *last = hlo_convolution_field(c, c->spatial_rank - 1);
  double added = products / (double)c->features, runs = added / (double)c->outputs;
  bool in_stretches = c->result.strides[c->spatial_rank] == c->outputs ||
                      !hlo_convolution_is_adjacent(&c->result, c->work_type);
  if (last[HLO_WINDOW_RHS_DILATION] == 1 && c->groups == 1 && in_stretches)
    runs /= (double)last[HLO_WINDOW_SIZE];
  return products * (double)c->size / (sizeof(float) * HLO_F32_PRODUCTS_PER_NS) +
         3 * time_to_copy(c, added) + runs * HLO_CONVOLUTION_NS_OF_A_RUN +
         time_to_copy(c, (double)hlo_view_elements(&c->result));
}

static double cost_phases(const hlo_convolution *c) {
  int64_t phases;
  double taps;
  hlo_convolution_phases(c, &phases, &taps);
  double products = (double)hlo_view_elements(&c->result) * taps * (double)c->features;
  return (double)phases * HLO_CONVOLUTION_NS_OF_A_PHASE + time_of_products(c, products) +
         time_to_copy(c, (double)hlo_view_elements(&c->result));
}

// --- the strategies ---

static hlo_status run_winograd(const hlo_convolution *c, hlo_error *error) {
  bool suits;
  HLO_TRY(hlo_convolve_by_winograd(c, &suits, error));
  if (suits) return HLO_OK;
  return c->evaluator->packed ? hlo_winograd_convolve_unpacked(c, error)
                              : hlo_convolve_direct(c, error);
}

static hlo_status run_phases(const hlo_convolution *c, hlo_error *error) {
  return hlo_convolution_each_phase(c, hlo_convolve, error);
}

static const strategy strategies[] = {
    // name       fits             cost             prepare                      run
    {"winograd", is_for_winograd, cost_winograd, hlo_winograd_pack, run_winograd, false},
    {"depthwise", is_depthwise, cost_direct, NULL, hlo_convolve_depthwise, false},
    {"direct", goes_by_kernels, cost_direct, hlo_convolution_pack_groups, hlo_convolve_direct,
     false},
    {"phases", has_phases, cost_phases, NULL, run_phases, false},
    {"transposed", is_transposable, cost_transposed, NULL, hlo_convolve_transposed, false},
    {"im2col", always, cost_im2col, NULL, hlo_convolve_im2col, true},
};

static const strategy *choose(const hlo_convolution *c) {
  const strategy *best = NULL;
  double least = 0;
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
    if (!strategies[i].fits(c)) continue;
    double cost = strategies[i].cost(c);
    if (best != NULL && cost >= least) continue;
    best = &strategies[i];
    least = cost;
  }
  return best;
}

hlo_status hlo_convolve(const hlo_convolution *c, hlo_error *error) {
  const strategy *best = choose(c);
  if (c->name != NULL) {
    *c->name = best->name;
    return HLO_OK;
  }
  if (c->evaluator->packing != NULL)
    return best->prepare == NULL ? HLO_OK : best->prepare(c, error);
  if (best->stores_anywhere || hlo_convolution_is_adjacent(&c->result, c->work_type))
    return best->run(c, error);
  hlo_convolution adjacent = *c;
  hlo_evaluator evaluator = *c->evaluator;
  evaluator.offer = NULL;
  adjacent.evaluator = &evaluator;
  HLO_TRY(hlo_scratch_view(c->evaluator, c->work_type, c->result.rank, c->result.dims,
                           &adjacent.result, error));
  HLO_TRY(best->run(&adjacent, error));
  return hlo_convert_view(c->evaluator, &c->result, &adjacent.result, error);
}
