// Cumulative sums and products in XLA's order: see in_order.h. Must not know windows.
#include "eval/in_order.h"
#include "eval/lanes.h"
#include "eval/parts.h"

#include <string.h>

enum { BLOCK = 16, TILE = 1 << 16, ENOUGH_LANES = 32 };

// Of the elements along a dimension every `step`-th, `count` of them from `first` on.
static hlo_view every(const hlo_view *view, int32_t dimension, int64_t first, int64_t count,
                      int64_t step) {
  hlo_view out = *view;
  out.data = hlo_view_at(view, first * view->strides[dimension]);
  out.dims[dimension] = count;
  out.strides[dimension] *= step;
  return out;
}

// How many blocks have an element at position k, of n elements in all.
static int64_t blocks_with(int64_t k, int64_t n) { return k < n ? (n - k - 1) / BLOCK + 1 : 0; }

static hlo_status run_kernel(void *context, void *result, const void *const *operands, int64_t n,
                             hlo_error *error) {
  (void)error;
  ((const hlo_folder *)context)->kernel(result, operands, n);
  return HLO_OK;
}

// What comes before an element in its block is the first operand: the last bits of products of
// complex numbers depend on that.
static hlo_status fold(hlo_folder *folder, bool backwards, const hlo_view *result,
                       const hlo_view *other, hlo_error *error) {
  const hlo_view operands[2] = {*(backwards ? result : other), *(backwards ? other : result)};
  return hlo_run_over_views(folder->evaluator, run_kernel, folder, 2, operands, result, error);
}

// result[k] becomes result[k] op elements[other], in all blocks at once.
static hlo_status fold_position(hlo_folder *folder, int32_t dimension, const hlo_view *result,
                                int64_t k, const hlo_view *elements, int64_t other,
                                hlo_error *error) {
  int64_t count = blocks_with(k > other ? k : other, result->dims[dimension]);
  if (count == 0) return HLO_OK;
  hlo_view to = every(result, dimension, k, count, BLOCK);
  hlo_view from = every(elements, dimension, other, count, BLOCK);
  return fold(folder, other > k, &to, &from, error);
}

// Each element combined with those before it in its block, or with those behind it in their order.
static hlo_status cumulate_blocks(hlo_folder *folder, int32_t dimension, bool backwards,
                                  const hlo_view *elements, const hlo_view *result,
                                  hlo_error *error) {
  for (int64_t k = 1; k < BLOCK && !backwards; k++)
    HLO_TRY(fold_position(folder, dimension, result, k, result, k - 1, error));
  for (int64_t distance = 1; distance < BLOCK && backwards; distance++) {
    for (int64_t k = 0; k + distance < BLOCK; k++)
      HLO_TRY(fold_position(folder, dimension, result, k, elements, k + distance, error));
  }
  return HLO_OK;
}

static hlo_status cumulate(hlo_folder *folder, int32_t dimension, bool backwards,
                           const hlo_view *elements, const hlo_view *initial,
                           const hlo_view *result, hlo_error *error);

// Combines what whole blocks before each block hold, or those behind it, into its elements.
static hlo_status join_blocks(hlo_folder *folder, int32_t dimension, bool backwards,
                              const hlo_view *result, hlo_error *error) {
  int64_t n = result->dims[dimension], blocks = blocks_with(0, n);
  hlo_view totals, before;
  if (blocks == 1) return HLO_OK;
  // The last block, which may not be whole, is before no other.
  hlo_view ends = backwards ? every(result, dimension, 0, blocks, BLOCK)
                            : every(result, dimension, BLOCK - 1, blocks - 1, BLOCK);
  const hlo_evaluator *evaluator = folder->evaluator;
  HLO_TRY(hlo_scratch_view(evaluator, ends.type, ends.rank, ends.dims, &totals, error));
  HLO_TRY(hlo_scratch_view(evaluator, ends.type, ends.rank, ends.dims, &before, error));
  hlo_view_copy(&totals, &ends);
  HLO_TRY(cumulate(folder, dimension, backwards, &totals, NULL, &before, error));
  for (int64_t k = 0; k < BLOCK; k++) {
    int64_t first = backwards ? k : BLOCK + k;
    int64_t count = backwards ? blocks - 1 : blocks_with(first, n);
    if (count == 0) break;
    hlo_view to = every(result, dimension, first, count, BLOCK);
    hlo_view from = every(&before, dimension, backwards, count, 1);
    HLO_TRY(hlo_folder_fold(folder, &to, &from, error));
  }
  return HLO_OK;
}

static hlo_status cumulate(hlo_folder *folder, int32_t dimension, bool backwards,
                           const hlo_view *elements, const hlo_view *initial,
                           const hlo_view *result, hlo_error *error) {
  bool one_block = result->dims[dimension] <= BLOCK;
  if (elements->data != result->data) hlo_view_copy(result, elements);
  hlo_view start = initial == NULL ? *result : *initial, all = *result;
  if (initial != NULL) {
    start.rank = result->rank;
    memcpy(start.dims, result->dims, sizeof start.dims);
    memset(start.strides, 0, sizeof start.strides);
    // In one block forwards it comes first of all, and through the first element into the others.
    if (one_block && !backwards) start.dims[dimension] = all.dims[dimension] = 1;
    if (one_block) HLO_TRY(hlo_folder_fold(folder, &all, &start, error));
  }
  HLO_TRY(cumulate_blocks(folder, dimension, backwards, elements, result, error));
  HLO_TRY(join_blocks(folder, dimension, backwards, result, error));
  if (initial == NULL || one_block) return HLO_OK;
  return hlo_folder_fold(folder, result, &start, error);
}

// The view with that dimension behind all others.
static hlo_view with_last(const hlo_view *view, int32_t dimension) {
  hlo_view out = *view;
  int32_t last = view->rank - 1;
  for (int32_t d = dimension; d < last; d++) {
    out.dims[d] = view->dims[d + 1];
    out.strides[d] = view->strides[d + 1];
  }
  out.dims[last] = view->dims[dimension];
  out.strides[last] = view->strides[dimension];
  return out;
}

// Dense memory for what a part holds, the last dimension outermost.
static hlo_view turned(const hlo_view *part, void *memory) {
  hlo_view out = *part;
  int32_t last = part->rank - 1;
  out.data = memory;
  out.strides[last] = 1;
  for (int32_t d = last - 1; d >= 0; d--) {
    out.strides[d] = out.strides[last];
    out.strides[last] *= part->dims[d];
  }
  return out;
}

// Where adjacent elements are combined and there are many such rows: tiles of them are transposed,
// so that each step runs over elements that are adjacent.
static hlo_status cumulate_rows(hlo_folder *folder, int32_t dimension, bool backwards,
                                const hlo_view *elements, const hlo_view *initial,
                                const hlo_view *result, hlo_error *error) {
  hlo_arena *scratch = folder->evaluator->scratch;
  hlo_view from = with_last(elements, dimension), to = with_last(result, dimension), part, tile;
  int64_t n = result->dims[dimension];
  hlo_parts parts;
  hlo_parts_start(&parts, to.rank - 1, to.dims, TILE / n);
  hlo_view x = {.type = to.type, .rank = 2, .strides = {0, 1}}, sums = x;
  size_t tile_size = (size_t)hlo_parts_capacity(&parts) * (size_t)n;
  x.data = hlo_arena_array_raw(scratch, tile_size, (size_t)hlo_type_bytes(to.type));
  sums.data = x.data; // backwards, elements are read again
  if (backwards)
    sums.data = hlo_arena_array_raw(scratch, tile_size, (size_t)hlo_type_bytes(to.type));
  if (x.data == NULL || sums.data == NULL) return hlo_fail_out_of_memory(error);
  do {
    x.dims[0] = sums.dims[0] = n;
    x.dims[1] = sums.dims[1] = x.strides[0] = sums.strides[0] = hlo_parts_size(&parts);
    hlo_parts_of_view(&parts, &from, &part);
    tile = turned(&part, x.data);
    hlo_view_copy(&tile, &part);
    hlo_arena_mark mark = hlo_arena_get_mark(scratch);
    HLO_TRY(cumulate(folder, 0, backwards, &x, initial, &sums, error));
    hlo_arena_rewind(scratch, mark);
    hlo_parts_of_view(&parts, &to, &part);
    tile = turned(&part, sums.data);
    hlo_view_copy(&part, &tile);
  } while (hlo_parts_next(&parts));
  return HLO_OK;
}

hlo_status hlo_cumulate_in_order(hlo_folder *folder, int32_t dimension, bool backwards,
                                 const hlo_view *elements, const hlo_view *initial,
                                 const hlo_view *result, hlo_error *error) {
  int64_t n = result->dims[dimension], lanes = hlo_view_elements(result) / n;
  bool rows =
      elements->strides[dimension] == 1 && lanes >= ENOUGH_LANES && TILE / n >= ENOUGH_LANES;
  return (rows ? cumulate_rows : cumulate)(folder, dimension, backwards, elements, initial, result,
                                           error);
}
