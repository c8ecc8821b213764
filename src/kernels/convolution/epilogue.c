// Runs the epilogue of a convolution on its result while that is in cache. See convolution.h.
#include "kernels/convolution/convolution.h"

hlo_status hlo_convolution_accept_epilogue(const hlo_convolution *c, bool in_rows,
                                           const hlo_epilogue **out, hlo_error *error) {
  hlo_epilogue_offer *offer = c->evaluator->offer;
  *out = NULL;
  if (offer == NULL || !in_rows || hlo_backend_threads(c->evaluator->backend) > 1 ||
      !hlo_views_are_parallel(&c->result, &c->result))
    return HLO_OK;
  HLO_TRY(offer->begin(offer, c->all_outputs, error));
  if (offer->accepted) *out = &offer->epilogue;
  return HLO_OK;
}
