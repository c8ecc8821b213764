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

// *out: the view itself, or scratch memory for its elements converted to the type.
static hlo_status of_type(const hlo_evaluator *evaluator, hlo_type type, const hlo_view *view,
                          hlo_view *out, hlo_error *error) {
  *out = *view;
  if (view->type == type) return HLO_OK;
  out->type = type;
  hlo_view_set_row_major(out);
  out->data = hlo_arena_array_raw(evaluator->scratch, (size_t)hlo_view_elements(view),
                                  (size_t)hlo_type_bytes(type));
  return out->data == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// The factor converted to the type and broadcast to the result's dimensions.
static hlo_status spread(const hlo_evaluator *evaluator, hlo_type type,
                         const hlo_outer_factor *factor, const hlo_view *result, hlo_view *out,
                         hlo_error *error) {
  hlo_view own;
  HLO_TRY(of_type(evaluator, type, factor->view, &own, error));
  if (own.type != factor->view->type)
    HLO_TRY(hlo_convert_view(evaluator, &own, factor->view, error));
  *out = *result;
  out->type = type;
  out->data = own.data;
  for (int32_t i = 0; i < result->rank; i++) out->strides[i] = 0;
  for (int32_t i = 0; i < own.rank; i++) {
    if (factor->places[i] >= 0) out->strides[factor->places[i]] = own.strides[i];
  }
  return HLO_OK;
}

hlo_status hlo_outer_product(const hlo_evaluator *evaluator, hlo_type work_type,
                             const hlo_outer_factor *left, const hlo_outer_factor *right,
                             const hlo_view *result, hlo_error *error) {
  lane_product product = {hlo_pointwise_get(HLO_OP_MULTIPLY, work_type)};
  hlo_view factors[2], wide;
  HLO_TRY(spread(evaluator, work_type, left, result, &factors[0], error));
  HLO_TRY(spread(evaluator, work_type, right, result, &factors[1], error));
  HLO_TRY(of_type(evaluator, work_type, result, &wide, error));
  HLO_TRY(hlo_run_over_views(evaluator, multiply_lanes, &product, 2, factors, &wide, error));
  return wide.type == result->type ? HLO_OK : hlo_convert_view(evaluator, result, &wide, error);
}
