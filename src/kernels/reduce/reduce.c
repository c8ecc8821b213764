// Reduce: any number of operands, any computation. Source of semantics: "Reduce" of the operation
// semantics. Lanes are elements of the results, and each step applies the computation to all of
// them, so values are combined in the logical order of the reduced dimensions under every layout.
// Over no dimensions each element is still combined with the start value, as StableHLO's
// interpreter does; XLA's CPU backend takes the start value for neutral there and drops it.
#include "kernels/reduce/reduce.h"
#include "kernels/elementwise/apply.h"
#include "kernels/machine.h"
#include "kernels/reduce/in_order.h"

#include <string.h>

enum { MOST_IN_ORDER = 32 }; // elements combined into one

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

static hlo_status make_reducer(reducer *r, const hlo_lane_tile *tile,
                               const hlo_computation *computation, hlo_error *error) {
  const hlo_evaluator *evaluator = r->evaluator;
  int32_t count = r->views->count;
  int64_t lanes = hlo_lane_tile_capacity(tile);
  HLO_TRY(hlo_applier_make(evaluator, computation, lanes, &r->applier, error));
  HLO_ALLOC(r->sources, evaluator->scratch, count, error);
  HLO_ALLOC(r->values, evaluator->scratch, count, error);
  HLO_ALLOC(r->arguments, evaluator->scratch, 2 * (int64_t)count, error);
  HLO_ALLOC(r->outputs, evaluator->scratch, count, error);
  for (int32_t i = 0; i < count; i++) {
    const hlo_view *operand = &r->views->operands[i];
    hlo_view *value = &r->values[i];
    HLO_TRY(hlo_row_source_make(evaluator, tile, operand, &r->sources[i], error));
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
  HLO_TRY(make_reducer(&r, &tile, computation, error));
  do HLO_TRY(reduce_tile(&r, &tile, error));
  while (hlo_lane_tile_next(&tile));
  return HLO_OK;
}

// One operand by one op, in XLA's order; long dimensions are those of narrow floats.
static hlo_status reduce_in_order(const hlo_evaluator *evaluator,
                                  const hlo_computation *computation, hlo_opcode opcode,
                                  const hlo_reduce_views *views, int32_t count,
                                  const int64_t *dimensions, hlo_error *error) {
  hlo_view operand;
  HLO_TRY(hlo_reduce_long_dimensions(evaluator, opcode, views->operands, count, dimensions,
                                     &operand, error));
  hlo_reduction reduction = hlo_reduction_of(&operand, count, dimensions);
  const hlo_reduce_views shorter = {1, &operand, views->initial, views->results};
  return hlo_reduce_by_steps(evaluator, computation, &reduction, &shorter, error);
}

hlo_status hlo_eval_reduce(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY);
  int32_t dimension_count, count = instruction->operand_count / 2;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &dimension_count);
  hlo_reduction reduction = hlo_reduction_of(&operands[0], dimension_count, dimensions);
  hlo_reduce_views views = {count, operands, operands + count, results};
  if (reduction.lanes == 0) return HLO_OK;
  if (reduction.steps == 0) {
    for (int32_t i = 0; i < count; i++) hlo_view_fill(&results[i], views.initial[i].data);
    return HLO_OK;
  }
  bool same_type = count == 1 && operands[0].type == results[0].type;
  hlo_opcode opcode = same_type ? hlo_applied_op(computation, operands[0].type) : HLO_OP_COUNT;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status;
  bool loses = opcode == HLO_OP_ADD && reduction.steps > MOST_IN_ORDER &&
               hlo_has_long_windows(&operands[0], dimension_count, dimensions);
  if (!loses && hlo_goes_in_order(opcode, operands[0].type, reduction.steps, MOST_IN_ORDER)) {
    status =
        reduce_in_order(evaluator, computation, opcode, &views, dimension_count, dimensions, error);
  } else if (opcode == HLO_OP_COUNT) {
    status = hlo_reduce_by_segments(evaluator, computation, &reduction, &views, error);
  } else {
    status =
        hlo_reduce_by_op(evaluator, &reduction, opcode, operands, views.initial, results, error);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
