// Runs elementwise functions over views: in place if all views visit memory in the same order, else
// tile by tile through dense scratch blocks.
#include "kernels/elementwise/lanes.h"

#include "kernels/machine.h"

// One view as the tile loop sees it: its dimensions in the result's memory order.
typedef struct lane_source {
  hlo_view tile;  // dims of a whole tile; data is set for each
  hlo_view block; // dense memory for one tile, where the tile is not dense itself; else data NULL
  int64_t strides[HLO_MAX_RANK]; // of the dimensions outside of the tile
  bool constant;                 // the same tile every time
} lane_source;

// Loops over tiles: the dimensions 0 … split of the reordered shape, `split` in steps of several.
typedef struct tile_loop {
  int32_t rank, split;
  int64_t dims[HLO_MAX_RANK];
  int64_t step; // along split
} tile_loop;

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

static void *element_at(const hlo_view *view, int64_t offset) {
  return (char *)view->data + offset * hlo_type_bytes(view->type);
}

// The dimensions larger than 1, by falling stride of the result.
static int32_t memory_order(const hlo_view *result, int32_t *order) {
  int32_t rank = 0;
  for (int32_t i = 0; i < result->rank; i++) {
    if (result->dims[i] == 1) continue;
    int32_t at = rank++;
    int64_t stride = magnitude(result->strides[i]);
    for (; at > 0 && magnitude(result->strides[order[at - 1]]) < stride; at--) {
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  return rank;
}

// Whole inner dimensions up to a block, then a part of the next one.
static tile_loop plan_tiles(const hlo_view *result, int32_t rank, const int32_t *order) {
  tile_loop loop = {.rank = rank, .split = rank - 1};
  int64_t inner = 1;
  for (int32_t i = 0; i < rank; i++) loop.dims[i] = result->dims[order[i]];
  while (loop.split > 0 && inner * loop.dims[loop.split] <= HLO_LANE_BLOCK) {
    inner *= loop.dims[loop.split--];
  }
  loop.step = HLO_LANE_BLOCK / inner;
  if (loop.step > loop.dims[loop.split]) loop.step = loop.dims[loop.split];
  return loop;
}

static hlo_status plan_source(const hlo_evaluator *evaluator, const tile_loop *loop,
                              const hlo_view *view, const int32_t *order, lane_source *out,
                              hlo_error *error) {
  out->tile = *view;
  out->tile.rank = loop->rank - loop->split;
  out->constant = true;
  int64_t elements = 1;
  for (int32_t i = 0; i < loop->rank; i++) {
    int64_t stride = view->rank == 0 ? 0 : view->strides[order[i]];
    out->strides[i] = stride;
    if (i <= loop->split && stride != 0) out->constant = false;
    if (i < loop->split) continue;
    int32_t inner = i - loop->split;
    out->tile.strides[inner] = stride;
    out->tile.dims[inner] = inner == 0 ? loop->step : loop->dims[i];
    elements *= out->tile.dims[inner];
  }
  out->block.data = NULL;
  if (hlo_view_is_row_major(&out->tile)) return HLO_OK;
  out->block = out->tile;
  out->block.data =
      hlo_arena_array(evaluator->scratch, (size_t)elements, (size_t)hlo_type_bytes(view->type));
  if (out->block.data == NULL) return hlo_fail_out_of_memory(error);
  int64_t stride = 1;
  for (int32_t i = out->block.rank - 1; i >= 0; i--) {
    out->block.strides[i] = stride;
    stride *= out->block.dims[i];
  }
  return HLO_OK;
}

static void move_to(lane_source *source, const hlo_view *view, const tile_loop *loop,
                    const int64_t *index, int64_t count) {
  int64_t offset = 0;
  for (int32_t i = 0; i <= loop->split; i++) offset += index[i] * source->strides[i];
  source->tile.data = element_at(view, offset);
  source->tile.dims[0] = count;
  source->block.dims[0] = count;
}

// The memory of the operand's tile, gathered if need be.
static const void *gather(lane_source *source, bool first) {
  if (source->block.data == NULL) return source->tile.data;
  if (first || !source->constant) hlo_view_copy(&source->block, &source->tile);
  return source->block.data;
}

// Steps to the next tile; false after the last.
static bool next_tile(const tile_loop *loop, int64_t *index) {
  index[loop->split] += loop->step;
  if (index[loop->split] < loop->dims[loop->split]) return true;
  index[loop->split] = 0;
  return hlo_next_index(loop->split, loop->dims, index);
}

static hlo_status run_tiles(const hlo_evaluator *evaluator, hlo_block_function *function,
                            void *context, int32_t operand_count, const hlo_view *operands,
                            const hlo_view *result, hlo_error *error) {
  int32_t order[HLO_MAX_RANK];
  int32_t rank = memory_order(result, order);
  tile_loop loop = plan_tiles(result, rank, order);
  lane_source *sources; // the result's is the last
  const void **lanes;
  HLO_ALLOC(sources, evaluator->scratch, operand_count + 1, error);
  HLO_ALLOC(lanes, evaluator->scratch, operand_count + 1, error);
  for (int32_t i = 0; i <= operand_count; i++) {
    const hlo_view *view = i < operand_count ? &operands[i] : result;
    HLO_TRY(plan_source(evaluator, &loop, view, order, &sources[i], error));
  }
  lane_source *target = &sources[operand_count];
  int64_t inner = 1, index[HLO_MAX_RANK] = {0};
  for (int32_t i = loop.split + 1; i < rank; i++) inner *= loop.dims[i];
  bool first = true;
  do {
    int64_t left = loop.dims[loop.split] - index[loop.split];
    int64_t count = left < loop.step ? left : loop.step;
    for (int32_t i = 0; i < operand_count; i++) {
      move_to(&sources[i], &operands[i], &loop, index, count);
      lanes[i] = gather(&sources[i], first);
    }
    first = false;
    move_to(target, result, &loop, index, count);
    bool direct = target->block.data == NULL;
    void *memory = direct ? target->tile.data : target->block.data;
    HLO_TRY(function(context, memory, lanes, count * inner, error));
    if (!direct) hlo_view_copy(&target->tile, &target->block);
  } while (next_tile(&loop, index));
  return HLO_OK;
}

static hlo_status run_dense(const hlo_evaluator *evaluator, hlo_block_function *function,
                            void *context, int32_t operand_count, const hlo_view *operands,
                            const hlo_view *result, int64_t n, hlo_error *error) {
  const void *few[4], **lanes = few;
  if (operand_count > 4) HLO_ALLOC(lanes, evaluator->scratch, operand_count, error);
  for (int64_t done = 0; done < n; done += HLO_CALL_ELEMENTS) {
    int64_t count = n - done < HLO_CALL_ELEMENTS ? n - done : HLO_CALL_ELEMENTS;
    for (int32_t i = 0; i < operand_count; i++) lanes[i] = element_at(&operands[i], done);
    HLO_TRY(function(context, element_at(result, done), lanes, count, error));
  }
  return HLO_OK;
}

hlo_status hlo_run_over_views(const hlo_evaluator *evaluator, hlo_block_function *function,
                              void *context, int32_t operand_count, const hlo_view *operands,
                              const hlo_view *result, hlo_error *error) {
  int64_t n = hlo_view_elements(result);
  if (n == 0) return HLO_OK;
  bool parallel = n == 1 || hlo_views_are_parallel(result, result);
  for (int32_t i = 0; i < operand_count && n > 1; i++) {
    parallel = parallel && hlo_views_are_parallel(&operands[i], result);
  }
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status =
      parallel ? run_dense(evaluator, function, context, operand_count, operands, result, n, error)
               : run_tiles(evaluator, function, context, operand_count, operands, result, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
