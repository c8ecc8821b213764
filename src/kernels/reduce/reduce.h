// Shared by the strategies of Reduce: kept and reduced dimensions, and rows of the operand as dense
// lanes.
#ifndef HLO_KERNELS_REDUCE_REDUCE_H
#define HLO_KERNELS_REDUCE_REDUCE_H

#include "kernels/structural.h"

// The dimensions of the operands of a reduction. All operands have the same dims.
typedef struct hlo_reduction {
  int32_t kept_rank, reduced_rank;
  int32_t kept[HLO_MAX_RANK];    // in order of the first operand's memory, largest stride first
  int32_t reduced[HLO_MAX_RANK]; // in logical order: the order of combination
  int32_t result[HLO_MAX_RANK];  // dimension of the results that kept[i] becomes
  int64_t lanes;                 // elements of a result
  int64_t steps;                 // elements that are combined into each
} hlo_reduction;

hlo_reduction hlo_reduction_of(const hlo_view *operand, int32_t count, const int64_t *dimensions);

// A tile of the results: all of the kept dimensions after `split`, `step` indices along `split`,
// one along the dimensions before it. index: the position along the kept dimensions.
typedef struct hlo_lane_tile {
  const hlo_reduction *reduction;
  int64_t dims[HLO_MAX_RANK]; // of the kept dimensions
  int32_t split;
  int64_t step;
  int64_t inner; // lanes per unit of split
  int64_t index[HLO_MAX_RANK];
  int64_t count; // along split, at the current index
} hlo_lane_tile;

// The first tile of at most max_lanes lanes. There must be lanes.
void hlo_lane_tile_start(hlo_lane_tile *tile, const hlo_reduction *reduction,
                         const hlo_view *operand, int64_t max_lanes);
bool hlo_lane_tile_next(hlo_lane_tile *tile); // false after the last
static inline int64_t hlo_lane_tile_lanes(const hlo_lane_tile *tile) {
  return tile->count * tile->inner;
}
// Largest number of lanes of any tile.
static inline int64_t hlo_lane_tile_capacity(const hlo_lane_tile *tile) {
  return tile->step * tile->inner;
}
// The tile's part of a result, its dims in the order of dense lanes.
hlo_view hlo_lane_tile_of_result(const hlo_lane_tile *tile, const hlo_view *result);

// Iterates over the steps of a reduction and yields the lanes of a tile, gathered if they are not
// dense.
typedef struct hlo_row_source {
  const hlo_reduction *reduction;
  const hlo_view *operand;
  hlo_view rows;    // several rows of the operand: inner reduced dimension, then the tile's
  hlo_view block;   // dense memory for them; data is NULL when rows are dense already
  int64_t capacity; // rows at a time
  int64_t dims[HLO_MAX_RANK];  // of the reduced dimensions; one of size 1 when there is none
  int64_t index[HLO_MAX_RANK]; // of the next block
  const char *row;             // the next row, of `left` in this block, `distance` bytes apart
  int64_t left, distance;
} hlo_row_source;

// For tiles of up to hlo_lane_tile_capacity(tile) lanes.
hlo_status hlo_row_source_init(const hlo_evaluator *evaluator, const hlo_lane_tile *tile,
                               const hlo_view *operand, hlo_row_source *out, hlo_error *error);
void hlo_row_source_start(hlo_row_source *source, const hlo_lane_tile *tile);
// The lanes of the next step; reduction->steps calls.
const void *hlo_row_source_next(hlo_row_source *source);

// Prepares source->left rows (at least one) at source->row; there must be steps left.
void hlo_row_source_fill(hlo_row_source *source);

// The operands of a reduction by a computation: as many of each as there are results.
typedef struct hlo_reduce_views {
  int32_t count;
  const hlo_view *operands;
  const hlo_view *initial; // scalars; NULL: each result starts with its first element
  const hlo_view *results;
} hlo_reduce_views;

// Reduces by any computation, one step after the other for all lanes.
hlo_status hlo_reduce_by_steps(const hlo_evaluator *evaluator, const hlo_computation *computation,
                               const hlo_reduction *reduction, const hlo_reduce_views *views,
                               hlo_error *error);
// The same for many steps: splits the reduced elements into segments, reduces these as additional
// lanes, then reduces the partial results likewise.
hlo_status hlo_reduce_by_segments(const hlo_evaluator *evaluator,
                                  const hlo_computation *computation,
                                  const hlo_reduction *reduction, const hlo_reduce_views *views,
                                  hlo_error *error);

// Reduces one operand by an op of hlo_applied_op.
hlo_status hlo_reduce_by_op(const hlo_evaluator *evaluator, const hlo_reduction *reduction,
                            hlo_opcode opcode, const hlo_view *operand, const hlo_view *initial,
                            const hlo_view *result, hlo_error *error);

#endif
