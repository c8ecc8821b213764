// What the strategies of window_op.h share.
#include "kernels/window/window_op.h"

#include "kernels/elementwise/lanes.h"

hlo_status hlo_window_copy(const hlo_window_op *op, const hlo_view *to, const hlo_view *from,
                           hlo_error *error) {
  if (to->type != from->type) return hlo_convert_view(op->evaluator, to, from, error);
  hlo_copy_view(op->evaluator, to, from);
  return HLO_OK;
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

void hlo_window_order(const hlo_view *view, int32_t *order) {
  for (int32_t d = 0; d < view->rank; d++) {
    int32_t at = d;
    for (; at > 0 && magnitude(view->strides[order[at - 1]]) < magnitude(view->strides[d]); at--)
      order[at] = order[at - 1];
    order[at] = d;
  }
}

hlo_status hlo_window_scratch(const hlo_window_op *op, hlo_type type, const hlo_view *like,
                              const int64_t *dims, hlo_view *out, hlo_error *error) {
  int32_t order[HLO_MAX_RANK];
  int64_t stride = 1;
  HLO_TRY(hlo_scratch_view(op->evaluator, type, like->rank, dims, out, error));
  hlo_window_order(like, order);
  for (int32_t i = like->rank - 1; i >= 0; i--) {
    out->strides[order[i]] = stride;
    stride *= dims[order[i]];
  }
  return HLO_OK;
}

int64_t hlo_window_gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
