// Reduces by any computation, step by step: lanes are elements of the results, and each step
// applies the computation to all of them, so values are combined in the logical order of the
// reduced dimensions under every layout. See reduce.h.
#include "kernels/reduce/reduce.h"

#include "kernels/elementwise/apply.h"
#include "kernels/machine.h"

#include <string.h>

// A reduction and the lanes at hand.
typedef struct reducer {
  const hlo_evaluator *evaluator;
  const hlo_reduction *reduction;
  const hlo_reduce_views *views;
  hlo_applier *applier;
  hlo_row_source *sources;
  hlo_view *values;       // running results, dense
  const void **arguments; // of the computation: running results, then elements
  void **outputs;
} reducer;

static hlo_status prepare_reducer(reducer *r, const hlo_lane_tile *tile,
                                  const hlo_computation *computation, hlo_error *error) {
  const hlo_evaluator *evaluator = r->evaluator;
  int32_t count = r->views->count;
  int64_t lanes = hlo_lane_tile_capacity(tile);
  HLO_TRY(hlo_applier_create(evaluator, computation, lanes, &r->applier, error));
  HLO_ALLOC(r->sources, evaluator->scratch, count, error);
  HLO_ALLOC(r->values, evaluator->scratch, count, error);
  HLO_ALLOC(r->arguments, evaluator->scratch, 2 * (int64_t)count, error);
  HLO_ALLOC(r->outputs, evaluator->scratch, count, error);
  for (int32_t i = 0; i < count; i++) {
    const hlo_view *operand = &r->views->operands[i];
    hlo_view *value = &r->values[i];
    HLO_TRY(hlo_row_source_init(evaluator, tile, operand, &r->sources[i], error));
    HLO_TRY(hlo_scratch_view(evaluator, r->views->results[i].type, 1, &lanes, value, error));
    r->outputs[i] = value->data;
    r->arguments[i] = value->data;
  }
  return HLO_OK;
}

// Sets the running results to their initial values, or to the first elements. Returns the number
// of steps that are done with that.
static int64_t start_values(reducer *r, const hlo_lane_tile *tile) {
  const hlo_view *initial = r->views->initial;
  int64_t lanes = hlo_lane_tile_lanes(tile);
  for (int32_t i = 0; i < r->views->count; i++) {
    hlo_view *value = &r->values[i];
    value->dims[0] = lanes;
    hlo_row_source_start(&r->sources[i], tile);
    if (initial != NULL) {
      hlo_view_fill(value, initial[i].data);
    } else {
      const void *row = hlo_row_source_next(&r->sources[i]);
      memcpy(value->data, row, (size_t)(lanes * hlo_type_bytes(value->type)));
    }
  }
  return initial != NULL ? 0 : 1;
}

static hlo_status reduce_tile(reducer *r, const hlo_lane_tile *tile, hlo_error *error) {
  int32_t count = r->views->count;
  for (int64_t step = start_values(r, tile); step < r->reduction->steps; step++) {
    for (int32_t i = 0; i < count; i++) {
      r->arguments[count + i] = hlo_row_source_next(&r->sources[i]);
    }
    HLO_TRY(
        hlo_applier_run(r->applier, hlo_lane_tile_lanes(tile), r->arguments, r->outputs, error));
  }
  for (int32_t i = 0; i < count; i++) {
    hlo_view to = hlo_lane_tile_of_result(tile, &r->views->results[i]), from = to;
    from.data = r->values[i].data;
    hlo_view_set_row_major(&from);
    hlo_view_copy(&to, &from);
  }
  return HLO_OK;
}

hlo_status hlo_reduce_by_steps(const hlo_evaluator *evaluator, const hlo_computation *computation,
                               const hlo_reduction *reduction, const hlo_reduce_views *views,
                               hlo_error *error) {
  reducer r = {.evaluator = evaluator, .reduction = reduction, .views = views};
  hlo_lane_tile tile;
  hlo_lane_tile_start(&tile, reduction, &views->operands[0], HLO_APPLY_BLOCK);
  HLO_TRY(prepare_reducer(&r, &tile, computation, error));
  do HLO_TRY(reduce_tile(&r, &tile, error));
  while (hlo_lane_tile_next(&tile));
  return HLO_OK;
}
