// Cumulative sums and products in XLA's order: see in_order.h.
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/reduce/in_order.h"

#include <string.h>

enum {
  BLOCK = 16,
};

// A view of every `step`-th element along a dimension: `count` of them from `first` on.
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

// The preceding partial result is the first operand: the last bits of complex products depend on
// the order.
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

// Scans each block separately, forwards or backwards.
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

// Combines the totals of all preceding (backwards: following) blocks into the elements of each
// block.
static hlo_status propagate_block_totals(hlo_folder *folder, int32_t dimension, bool backwards,
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
  HLO_TRY(propagate_block_totals(folder, dimension, backwards, result, error));
  if (initial == NULL || one_block) return HLO_OK;
  return hlo_folder_fold(folder, result, &start, error);
}

// --- few elements ---

// Elements that are evenly spaced, in bytes.
typedef struct line {
  char *first;
  int64_t step;
} line;

static char *at(const line *x, int64_t i) { return x->first + i * x->step; }

// *a becomes *first op *second, one of which it may be.
static void combine(const hlo_folder *folder, char *a, const char *first, const char *second) {
  const void *operands[2] = {first, second};
  if (folder->opcode == HLO_OP_ADD && folder->types[0] == HLO_F32) { // most often, without a call
    float x, y;
    memcpy(&x, first, sizeof x);
    memcpy(&y, second, sizeof y);
    x += y;
    memcpy(a, &x, sizeof x);
    return;
  }
  folder->kernel(a, operands, 1);
}

// Scans contiguous f32 blocks, so that only the additions within a block form a dependency chain.
static bool sum_adjacent(const hlo_folder *folder, bool backwards, int64_t n, const line *elements,
                         const line *result) {
  const float *x = (const float *)(const void *)elements->first;
  float *sums = (float *)(void *)result->first;
  if (backwards || folder->opcode != HLO_OP_ADD || folder->types[0] != HLO_F32 ||
      elements->step != sizeof *x || result->step != sizeof *x)
    return false;
  for (int64_t i = 0; i < n; i += BLOCK) {
    float sum = sums[i] = x[i];
    for (int64_t k = i + 1; k < i + BLOCK && k < n; k++) sums[k] = sum += x[k];
  }
  return true;
}

// Adds the totals of the preceding blocks, and the initial value, to each block.
static bool add_adjacent(const hlo_folder *folder, int64_t n, const line *before,
                         const char *initial, const line *result) {
  float *sums = (float *)(void *)result->first, first = 0;
  const float *starts = (const float *)(const void *)before->first;
  if (initial == NULL || folder->opcode != HLO_OP_ADD || folder->types[0] != HLO_F32 ||
      result->step != sizeof *sums)
    return false;
  memcpy(&first, initial, sizeof first);
  for (int64_t k = 0; k < BLOCK; k++) sums[k] += first;
  for (int64_t i = BLOCK; i < n; i += BLOCK, starts++) {
    for (int64_t k = i; k < i + BLOCK && k < n; k++) sums[k] = sums[k] + *starts + first;
  }
  return true;
}

// As cumulate_blocks.
static void cumulate_line_blocks(const hlo_folder *folder, bool backwards, int64_t n,
                                 const line *elements, const line *result) {
  for (int64_t i = 0; i < n; i++) {
    int64_t end = (i / BLOCK + 1) * BLOCK;
    if (!backwards && i % BLOCK > 0)
      combine(folder, at(result, i), at(result, i - 1), at(result, i));
    for (int64_t k = i + 1; backwards && k < end && k < n; k++)
      combine(folder, at(result, i), at(result, i), at(elements, k));
  }
}

// As cumulate, of a single line. Elements and result are apart.
static hlo_status cumulate_line(const hlo_folder *folder, bool backwards, int64_t n,
                                const line *elements, const char *initial, const line *result,
                                hlo_error *error) {
  size_t size = (size_t)hlo_type_bytes(folder->types[0]);
  int64_t blocks = blocks_with(0, n);
  bool is_made = blocks > 1 && sum_adjacent(folder, backwards, n, elements, result);
  for (int64_t i = 0; i < n && !is_made; i++) {
    memcpy(at(result, i), at(elements, i), size);
    if (initial != NULL && blocks == 1 && (i == 0 || backwards))
      combine(folder, at(result, i), at(result, i), initial);
  }
  if (!is_made) cumulate_line_blocks(folder, backwards, n, elements, result);
  if (blocks == 1) return HLO_OK;
  line totals = {.step = (int64_t)size}, before = totals;
  totals.first = hlo_arena_array_raw(folder->evaluator->scratch, 2 * (size_t)blocks, size);
  if (totals.first == NULL) return hlo_fail_out_of_memory(error);
  before.first = at(&totals, blocks);
  // The last block, which may not be whole, is before no other.
  int64_t count = backwards ? blocks : blocks - 1;
  for (int64_t b = 0; b < count; b++)
    memcpy(at(&totals, b), at(result, b * BLOCK + (backwards ? 0 : BLOCK - 1)), size);
  HLO_TRY(cumulate_line(folder, backwards, count, &totals, NULL, &before, error));
  if (is_made && add_adjacent(folder, n, &before, initial, result)) return HLO_OK;
  for (int64_t i = 0; i < n; i++) {
    int64_t b = backwards ? i / BLOCK + 1 : i / BLOCK - 1;
    if (b >= 0 && b < count) combine(folder, at(result, i), at(result, i), at(&before, b));
    if (initial != NULL) combine(folder, at(result, i), at(result, i), initial);
  }
  return HLO_OK;
}

static hlo_status cumulate_lines(hlo_folder *folder, int32_t dimension, bool backwards,
                                 const hlo_view *elements, const hlo_view *initial,
                                 const hlo_view *result, hlo_error *error) {
  int64_t index[HLO_MAX_RANK], dims[HLO_MAX_RANK], size = hlo_type_bytes(result->type);
  for (int32_t d = 0; d < result->rank; d++) {
    index[d] = 0;
    dims[d] = d == dimension ? 1 : result->dims[d];
  }
  do {
    int64_t from = 0, to = 0;
    for (int32_t d = 0; d < result->rank; d++) {
      from += index[d] * elements->strides[d];
      to += index[d] * result->strides[d];
    }
    line x = {hlo_view_at(elements, from), elements->strides[dimension] * size};
    line sums = {hlo_view_at(result, to), result->strides[dimension] * size};
    hlo_arena_mark mark = hlo_arena_get_mark(folder->evaluator->scratch);
    HLO_TRY(
        cumulate_line(folder, backwards, result->dims[dimension], &x, initial->data, &sums, error));
    hlo_arena_rewind(folder->evaluator->scratch, mark);
  } while (hlo_next_index(result->rank, dims, index));
  return HLO_OK;
}

// --- many rows ---

// The view with that dimension moved last.
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

// A dense copy's view of a part, with the last dimension outermost.
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

// Scans along the contiguous dimension with many rows: tiles of rows are transposed, so that each
// step runs over contiguous elements.
static hlo_status cumulate_rows(hlo_folder *folder, int32_t dimension, bool backwards,
                                const hlo_view *elements, const hlo_view *initial,
                                const hlo_view *result, hlo_error *error) {
  hlo_arena *scratch = folder->evaluator->scratch;
  hlo_view from = with_last(elements, dimension), to = with_last(result, dimension), part, tile;
  int64_t n = result->dims[dimension];
  hlo_parts parts;
  hlo_parts_start(&parts, to.rank - 1, to.dims, HLO_CUMULATIVE_TILE / n);
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
  if (lanes < HLO_CUMULATIVE_TILE_LANES && lanes * n <= HLO_CUMULATIVE_FEW &&
      elements->data != result->data)
    return cumulate_lines(folder, dimension, backwards, elements, initial, result, error);
  bool rows = elements->strides[dimension] == 1 && lanes >= HLO_CUMULATIVE_TILE_LANES &&
              HLO_CUMULATIVE_TILE / n >= HLO_CUMULATIVE_TILE_LANES;
  return (rows ? cumulate_rows : cumulate)(folder, dimension, backwards, elements, initial, result,
                                           error);
}
