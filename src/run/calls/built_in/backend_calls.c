// Custom calls that XLA's CPU backend writes into optimised programs. See custom_call.h.
#include "hlo/infer/infer.h"
#include "kernels/structural.h"
#include "run/calls/custom_call.h"

// What XLA's CPU backend makes of a sort of which only the first ones are wanted: the operation of
// that name; the result's last dimension says how many.
hlo_status hlo_backend_top_k(const hlo_custom_call *call, hlo_error *error) {
  const hlo_shape *stated = call->instruction->shape, *shape;
  int32_t rank = call->result_count > 0 ? call->results[0].rank : 0;
  bool fits = call->operand_count == 1 && call->result_count == 2 && rank > 0;
  fits = fits && call->operands[0].rank == rank &&
         call->results[0].dims[rank - 1] <= call->operands[0].dims[rank - 1]; // as it is now
  hlo_instruction x = *call->instruction;
  hlo_attribute attributes[] = {
      hlo_attribute_make_int(HLO_ATTRIBUTE_K, fits ? call->results[0].dims[rank - 1] : 0),
      hlo_attribute_make_int(HLO_ATTRIBUTE_LARGEST, 1)};
  x.opcode = HLO_OP_TOPK;
  x.attributes = attributes;
  x.attribute_count = 2;
  if (fits) {
    HLO_TRY(hlo_infer_rule(&x, NULL, call->evaluator->scratch, &shape, error));
    fits = hlo_shape_compatible(shape, stated);
  }
  if (!fits)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes one array, and gives the greatest elements of its rows and "
                                "where they are");
  return hlo_custom_call_evaluate(call, &x, error);
}

// --- dynamic dimensions, as XLA's backends take them apart: an array of the bounds' size and s32
// scalars, one for each dimension

static bool are_sizes(int32_t count, const hlo_view *views, int32_t rank) {
  for (int32_t d = 0; d < count; d++)
    if (views[d].type != HLO_S32 || views[d].rank != 0) return false;
  return count == rank;
}

static hlo_status copy_part(const hlo_custom_call *call, bool fits, hlo_error *error) {
  if (!fits || call->operands[0].type != call->results[0].type ||
      call->operands[0].rank != call->results[0].rank)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "is between an array and one with an s32 scalar per dimension");
  hlo_view from = call->operands[0], to = call->results[0];
  for (int32_t d = 0; d < from.rank; d++)
    from.dims[d] = to.dims[d] = from.dims[d] < to.dims[d] ? from.dims[d] : to.dims[d];
  hlo_view_copy(&to, &from);
  return HLO_OK;
}

// The results have their sizes already: the executor reads them.
hlo_status hlo_slice_to_dynamic(const hlo_custom_call *call, hlo_error *error) {
  return copy_part(
      call,
      call->operand_count > 0 && call->result_count == 1 &&
          are_sizes(call->operand_count - 1, call->operands + 1, call->operands[0].rank),
      error);
}

hlo_status hlo_pad_to_static(const hlo_custom_call *call, hlo_error *error) {
  HLO_TRY(
      copy_part(call,
                call->operand_count == 1 && call->result_count > 0 &&
                    are_sizes(call->result_count - 1, call->results + 1, call->operands[0].rank),
                error));
  for (int32_t d = 0; d < call->operands[0].rank; d++)
    *(int32_t *)call->results[d + 1].data = (int32_t)call->operands[0].dims[d];
  return HLO_OK;
}
