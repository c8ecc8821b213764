// See outer_product.h. A product is not added to a zero, so that it may be -0, as in XLA's CPU
// backend; and batches without sums are as fast as a multiplication.
#include "kernels/product/outer_product.h"

#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"

typedef struct lane_product {
  hlo_pointwise_kernel *multiply;
} lane_product;

static hlo_status multiply_lanes(void *context, void *result, const void *const *operands,
                                 int64_t n, hlo_error *error) {
  (void)error;
  ((const lane_product *)context)->multiply(result, operands, n);
  return HLO_OK;
}

// An array as an array of the work type, over the groups of its loops: itself, or converted, in
// scratch memory.
static hlo_status as_work_type(const hlo_contraction *c, const hlo_evaluator *evaluator,
                               int32_t array, const void *data, hlo_view *own, hlo_view *out,
                               hlo_error *error) {
  static const int32_t groups[HLO_CONTRACTION_ARRAYS][3] = {
      {HLO_BATCHES, HLO_ROWS}, {HLO_BATCHES, HLO_COLUMNS}, {HLO_BATCHES, HLO_ROWS, HLO_COLUMNS}};
  hlo_contraction_view(c, array, array == HLO_PRODUCT ? 3 : 2, groups[array], data, own);
  *out = *own;
  if (own->type == c->work_type) return HLO_OK;
  return hlo_scratch_view(evaluator, c->work_type, own->rank, own->dims, out, error);
}

// The factor converted and broadcast to the result's dimensions.
static hlo_status spread(const hlo_contraction *c, const hlo_evaluator *evaluator, int32_t array,
                         const void *data, const hlo_view *result, hlo_view *out,
                         hlo_error *error) {
  hlo_view own, same;
  HLO_TRY(as_work_type(c, evaluator, array, data, &own, &same, error));
  if (same.type != own.type) HLO_TRY(hlo_convert_view(evaluator, &same, &own, error));
  int32_t batches = c->starts[HLO_ROWS], rows = c->starts[HLO_COLUMNS], next = 0;
  *out = *result;
  out->type = same.type;
  out->data = same.data;
  for (int32_t i = 0; i < result->rank; i++) {
    bool occurs = i < batches || (array == HLO_LEFT) == (i < rows);
    out->strides[i] = occurs ? same.strides[next++] : 0;
  }
  return HLO_OK;
}

hlo_status hlo_run_outer_product(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                                 const void *a, const void *b, void *c, hlo_error *error) {
  const hlo_contraction *x = &plan->contraction;
  lane_product product = {hlo_pointwise_get(HLO_OP_MULTIPLY, x->work_type)};
  hlo_view factors[2], result, wide;
  HLO_TRY(as_work_type(x, evaluator, HLO_PRODUCT, c, &result, &wide, error));
  HLO_TRY(spread(x, evaluator, HLO_LEFT, a, &result, &factors[0], error));
  HLO_TRY(spread(x, evaluator, HLO_RIGHT, b, &result, &factors[1], error));
  HLO_TRY(hlo_run_over_views(evaluator, multiply_lanes, &product, 2, factors, &wide, error));
  return wide.type == result.type ? HLO_OK : hlo_convert_view(evaluator, &result, &wide, error);
}
