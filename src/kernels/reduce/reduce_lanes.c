// Lanes of a reduction: tiles of the results, and rows of the operands for them.
#include "kernels/machine.h"
#include "kernels/reduce/reduce.h"

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

hlo_reduction hlo_reduction_of(const hlo_view *operand, int32_t count, const int64_t *dimensions) {
  hlo_reduction out = {.lanes = 1, .steps = 1};
  bool gone[HLO_MAX_RANK] = {false};
  int32_t position = 0;
  for (int32_t i = 0; i < count; i++) gone[dimensions[i]] = true;
  for (int32_t d = 0; d < operand->rank; d++) {
    if (gone[d]) {
      out.steps *= operand->dims[d];
      out.reduced[out.reduced_rank++] = d;
      continue;
    }
    out.lanes *= operand->dims[d];
    int64_t stride = magnitude(operand->strides[d]);
    int32_t at = out.kept_rank++;
    for (; at > 0 && magnitude(operand->strides[out.kept[at - 1]]) < stride; at--) {
      out.kept[at] = out.kept[at - 1];
      out.result[at] = out.result[at - 1];
    }
    out.kept[at] = d;
    out.result[at] = position++;
  }
  return out;
}

// --- tiles of the results ---

static void count_along_split(hlo_lane_tile *tile) {
  int64_t left = tile->dims[tile->split] - tile->index[tile->split];
  tile->count = left < tile->step ? left : tile->step;
}

void hlo_lane_tile_start(hlo_lane_tile *tile, const hlo_reduction *reduction,
                         const hlo_view *operand, int64_t max_lanes) {
  tile->reduction = reduction;
  tile->split = reduction->kept_rank - 1;
  tile->inner = 1;
  for (int32_t i = 0; i < reduction->kept_rank; i++) {
    tile->dims[i] = operand->dims[reduction->kept[i]];
    tile->index[i] = 0;
  }
  if (reduction->kept_rank == 0) { // one lane, as of one dimension of size 1
    tile->split = 0;
    tile->dims[0] = 1;
    tile->index[0] = 0;
  }
  while (tile->split > 0 && tile->inner * tile->dims[tile->split] <= max_lanes) {
    tile->inner *= tile->dims[tile->split--];
  }
  tile->step = max_lanes / tile->inner;
  if (tile->step > tile->dims[tile->split]) tile->step = tile->dims[tile->split];
  count_along_split(tile);
}

bool hlo_lane_tile_next(hlo_lane_tile *tile) {
  tile->index[tile->split] += tile->step;
  bool more = tile->index[tile->split] < tile->dims[tile->split];
  if (!more) {
    tile->index[tile->split] = 0;
    more = hlo_next_index(tile->split, tile->dims, tile->index);
  }
  count_along_split(tile);
  return more;
}

// The part of a view that belongs to the tile; dimensions[i] is the view's for the tile's i-th.
static void select_tile(const hlo_lane_tile *tile, const hlo_view *view, const int32_t *dimensions,
                        int32_t first_dimension, hlo_view *out) {
  const hlo_reduction *reduction = tile->reduction;
  int64_t offset = 0;
  out->rank = first_dimension;
  for (int32_t i = 0; i < reduction->kept_rank; i++) {
    int64_t stride = view->strides[dimensions[i]];
    if (i <= tile->split) offset += tile->index[i] * stride;
    if (i < tile->split) continue;
    out->dims[out->rank] = i == tile->split ? tile->count : tile->dims[i];
    out->strides[out->rank++] = stride;
  }
  out->data = hlo_view_at(view, offset);
}

hlo_view hlo_lane_tile_of_result(const hlo_lane_tile *tile, const hlo_view *result) {
  hlo_view out;
  out.type = result->type;
  select_tile(tile, result, tile->reduction->result, 0, &out);
  return out;
}

// --- rows of an operand ---

// Dimension 0 of rows is the inner reduced dimension.
static void select_rows(hlo_row_source *source, const hlo_lane_tile *tile) {
  select_tile(tile, source->operand, tile->reduction->kept, 1, &source->rows);
}

static int32_t inner_of(const hlo_row_source *source) {
  int32_t rank = source->reduction->reduced_rank;
  return rank > 0 ? rank - 1 : 0;
}

hlo_status hlo_row_source_init(const hlo_evaluator *evaluator, const hlo_lane_tile *tile,
                               const hlo_view *operand, hlo_row_source *out, hlo_error *error) {
  const hlo_reduction *reduction = tile->reduction;
  int32_t rank = reduction->reduced_rank;
  out->reduction = reduction;
  out->operand = operand;
  out->rows.type = operand->type;
  out->dims[0] = 1;
  for (int32_t i = 0; i < rank; i++) out->dims[i] = operand->dims[reduction->reduced[i]];
  out->rows.strides[0] = rank > 0 ? operand->strides[reduction->reduced[rank - 1]] : 0;
  out->block.data = NULL;
  out->capacity = out->dims[inner_of(out)];
  select_rows(out, tile);
  out->rows.dims[0] = 1;
  if (hlo_view_is_row_major(&out->rows)) return HLO_OK; // each row is dense where it is
  int64_t lanes = hlo_lane_tile_capacity(tile), most = HLO_REDUCE_ROW_BLOCK / lanes;
  if (out->capacity > most) out->capacity = most > 1 ? most : 1;
  int64_t elements = out->capacity * lanes;
  return hlo_scratch_view(evaluator, operand->type, 1, &elements, &out->block, error);
}

void hlo_row_source_start(hlo_row_source *source, const hlo_lane_tile *tile) {
  select_rows(source, tile);
  for (int32_t i = 0; i <= inner_of(source); i++) source->index[i] = 0;
  source->left = 0;
}

// Selects the block of rows at the current index and advances the index past it.
static void next_block(hlo_row_source *source) {
  const hlo_reduction *reduction = source->reduction;
  int32_t inner = inner_of(source);
  int64_t offset = 0;
  for (int32_t i = 0; i < reduction->reduced_rank; i++) {
    offset += source->index[i] * source->operand->strides[reduction->reduced[i]];
  }
  source->left = source->dims[inner] - source->index[inner];
  if (source->left > source->capacity) source->left = source->capacity;
  hlo_view rows = source->rows;
  rows.dims[0] = source->left;
  rows.data = hlo_view_at(&source->rows, offset);
  if (source->block.data != NULL) {
    hlo_view block = rows;
    block.data = source->block.data;
    hlo_view_set_row_major(&block);
    hlo_view_copy(&block, &rows);
    rows = block;
  }
  source->row = rows.data;
  source->distance = rows.strides[0] * hlo_type_bytes(rows.type);
  source->index[inner] += source->left;
  if (source->index[inner] < source->dims[inner]) return;
  source->index[inner] = 0;
  hlo_next_index(inner, source->dims, source->index);
}

void hlo_row_source_fill(hlo_row_source *source) {
  if (source->left == 0) next_block(source);
}

const void *hlo_row_source_next(hlo_row_source *source) {
  hlo_row_source_fill(source);
  const void *row = source->row;
  source->row += source->distance;
  source->left--;
  return row;
}
