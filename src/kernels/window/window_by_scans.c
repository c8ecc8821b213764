// See window_op.h. The algorithm of van Herk (1992) and Gil and Werman (1993): the padded dimension
// is cut in blocks as long as the window, and scanned in each from both ends. A window that starts
// inside of a block is what the block has from there on, combined with what the next one has before
// the window's end. It serves sums too: nothing is subtracted, and the scans are cumulative sums,
// whose errors do not grow with their length.
#include "base/checked.h"
#include "kernels/cumulative/cumulative.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/window/window_op.h"

#include <string.h>

enum { MOST_GROWTH = 8 };

static hlo_status run_kernel(void *context, void *result, const void *const *operands, int64_t n,
                             hlo_error *error) {
  (void)error;
  ((const hlo_window_op *)context)->kernel(result, operands, n);
  return HLO_OK;
}

// The dimension padded to as many places as wanted: `window` more than windows reach, in whole
// blocks.
static hlo_status pad_dimension(const hlo_window_op *op, int32_t d, int64_t low, int64_t places,
                                const hlo_view *from, hlo_view *out, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK], first = low < 0 ? 0 : low;
  for (int32_t i = 0; i < from->rank; i++) dims[i] = i == d ? places : from->dims[i];
  HLO_TRY(hlo_window_scratch(op, op->type, from, dims, out, error));
  hlo_view part = *from, inside = *out;
  int64_t count = from->dims[d] - (first - low);
  if (count > places - first) count = places - first;
  if (count < places) hlo_view_fill(out, op->neutral);
  if (count <= 0) return HLO_OK;
  part.dims[d] = inside.dims[d] = count;
  part.data = hlo_view_at(from, (first - low) * from->strides[d]);
  inside.data = hlo_view_at(out, first * out->strides[d]);
  return hlo_window_copy(op, &inside, &part, error);
}

// Of each block of `window` elements: *rests of all from an element on, *starts of all before it.
// Elements of a block are `step` apart; padded, rests and starts lie alike.
static hlo_status scan_blocks(const hlo_window_op *op, int64_t window, int64_t step,
                              const hlo_view *padded, const hlo_view *rests, const hlo_view *starts,
                              hlo_error *error) {
  const hlo_view neutral = {.type = op->type, .data = (void *)(uintptr_t)op->neutral};
  int64_t blocks = hlo_view_elements(padded) / (window * step);
  hlo_view from = {.type = op->type,
                   .rank = 3,
                   .dims = {blocks, window, step},
                   .strides = {window * step, step, 1},
                   .data = padded->data};
  hlo_view to = from, firsts = from;
  hlo_folder folder;
  HLO_TRY(hlo_folder_init_for_op(op->evaluator, op->opcode, op->type, &folder, error));
  to.data = rests->data;
  HLO_TRY(hlo_cumulate(&folder, 1, true, &from, &neutral, &to, error));
  firsts.data = starts->data;
  firsts.dims[1] = 1;
  hlo_view_fill(&firsts, op->neutral);
  from.dims[1] = to.dims[1] = window - 1;
  to.data = hlo_view_at(starts, step);
  return hlo_cumulate(&folder, 1, false, &from, &neutral, &to, error);
}

hlo_status hlo_window_by_scans(const hlo_window_op *op, int32_t d, const int64_t *field,
                               const hlo_view *from, const void *start, const hlo_view *to,
                               bool *done, hlo_error *error) {
  int64_t window = field[HLO_WINDOW_SIZE], reach, places, stride = field[HLO_WINDOW_STRIDE];
  const hlo_view initial = {.type = op->type, .data = (void *)(uintptr_t)start};
  hlo_view padded, rests, starts, made = *to;
  *done = window > 1 && hlo_checked_mul(window, field[HLO_WINDOW_RHS_DILATION], &reach) &&
          hlo_checked_mul(to->dims[d] - 1, stride, &places) &&
          places <= MOST_GROWTH * (from->dims[d] + to->dims[d]) &&
          reach <= MOST_GROWTH * (from->dims[d] + to->dims[d]);
  if (!*done) return HLO_OK;
  places = (places / reach + 2) * reach;
  HLO_TRY(pad_dimension(op, d, field[HLO_WINDOW_PAD_LOW], places, from, &padded, error));
  HLO_TRY(hlo_window_scratch(op, op->type, &padded, padded.dims, &rests, error));
  HLO_TRY(hlo_window_scratch(op, op->type, &padded, padded.dims, &starts, error));
  int64_t step = padded.strides[d] * field[HLO_WINDOW_RHS_DILATION];
  HLO_TRY(scan_blocks(op, window, step, &padded, &rests, &starts, error));
  starts.data = hlo_view_at(&starts, window * step);
  rests.dims[d] = starts.dims[d] = to->dims[d];
  rests.strides[d] = starts.strides[d] = stride * padded.strides[d];
  if (to->type != op->type) HLO_TRY(hlo_window_scratch(op, op->type, to, to->dims, &made, error));
  const hlo_view operands[3] = {rests, starts, made};
  void *context = (void *)(uintptr_t)op;
  HLO_TRY(hlo_run_over_views(op->evaluator, run_kernel, context, 2, operands, &made, error));
  if (memcmp(start, op->neutral, (size_t)hlo_type_bytes(op->type)) != 0) {
    const hlo_view both[2] = {initial, made};
    HLO_TRY(hlo_run_over_views(op->evaluator, run_kernel, context, 2, both, &made, error));
  }
  return to->type == op->type ? HLO_OK : hlo_window_copy(op, to, &made, error);
}
