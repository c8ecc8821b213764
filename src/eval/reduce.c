// Reduce: any number of operands, any computation. Source of semantics: "Reduce" of the operation
// semantics. Lanes are elements of the results, and each step applies the computation to all of
// them, so values are combined in the logical order of the reduced dimensions under every layout.
#include "eval/reduce.h"
#include "eval/apply.h"

#include <string.h>

// The operands of one reduction and the lanes at hand.
typedef struct reducer {
  const hlo_evaluator *evaluator;
  const hlo_reduction *reduction;
  hlo_applier *applier;
  int32_t count; // of operands, initial values and results
  const hlo_view *operands, *initial, *results;
  hlo_row_source *sources;
  hlo_view *values;       // running results, dense
  const void **arguments; // of the computation: running results, then elements
  void **outputs;
} reducer;

static hlo_status make_reducer(reducer *r, const hlo_lane_tile *tile,
                               const hlo_computation *computation, hlo_error *error) {
  const hlo_evaluator *evaluator = r->evaluator;
  int64_t lanes = hlo_lane_tile_capacity(tile);
  HLO_TRY(hlo_applier_make(evaluator, computation, lanes, &r->applier, error));
  HLO_ALLOC(r->sources, evaluator->scratch, r->count, error);
  HLO_ALLOC(r->values, evaluator->scratch, r->count, error);
  HLO_ALLOC(r->arguments, evaluator->scratch, 2 * (int64_t)r->count, error);
  HLO_ALLOC(r->outputs, evaluator->scratch, r->count, error);
  for (int32_t i = 0; i < r->count; i++) {
    hlo_view *value = &r->values[i];
    HLO_TRY(hlo_row_source_make(evaluator, tile, &r->operands[i], &r->sources[i], error));
    HLO_TRY(hlo_scratch_view(evaluator, r->results[i].type, 1, &lanes, value, error));
    r->outputs[i] = value->data;
    r->arguments[i] = value->data;
  }
  return HLO_OK;
}

static hlo_status reduce_tile(reducer *r, const hlo_lane_tile *tile, hlo_error *error) {
  int64_t lanes = hlo_lane_tile_lanes(tile);
  for (int32_t i = 0; i < r->count; i++) {
    r->values[i].dims[0] = lanes;
    hlo_view_fill(&r->values[i], r->initial[i].data);
    hlo_row_source_start(&r->sources[i], tile);
  }
  for (int64_t step = 0; step < r->reduction->steps; step++) {
    for (int32_t i = 0; i < r->count; i++) {
      r->arguments[r->count + i] = hlo_row_source_next(&r->sources[i]);
    }
    HLO_TRY(hlo_applier_run(r->applier, lanes, r->arguments, r->outputs, error));
  }
  for (int32_t i = 0; i < r->count; i++) {
    hlo_view to = hlo_lane_tile_of_result(tile, &r->results[i]), from = to;
    from.data = r->values[i].data;
    hlo_view_set_row_major(&from);
    hlo_view_copy(&to, &from);
  }
  return HLO_OK;
}

static hlo_status reduce_by_computation(reducer *r, const hlo_computation *computation,
                                        hlo_error *error) {
  hlo_lane_tile tile;
  hlo_lane_tile_start(&tile, r->reduction, &r->operands[0], HLO_APPLY_BLOCK);
  HLO_TRY(make_reducer(r, &tile, computation, error));
  do HLO_TRY(reduce_tile(r, &tile, error));
  while (hlo_lane_tile_next(&tile));
  return HLO_OK;
}

hlo_status hlo_eval_reduce(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY);
  hlo_reduction reduction = hlo_reduction_of(instruction, &operands[0]);
  int32_t count = instruction->operand_count / 2;
  const hlo_view *initial = operands + count;
  if (reduction.lanes == 0) return HLO_OK;
  if (reduction.steps == 0) {
    for (int32_t i = 0; i < count; i++) hlo_view_fill(&results[i], initial[i].data);
    return HLO_OK;
  }
  hlo_opcode opcode = count == 1 ? hlo_applied_op(computation, operands[0].type) : HLO_OP_COUNT;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status;
  if (opcode != HLO_OP_COUNT && operands[0].type == results[0].type) {
    status = hlo_reduce_by_op(evaluator, &reduction, opcode, operands, initial, results, error);
  } else {
    reducer r = {.evaluator = evaluator,
                 .reduction = &reduction,
                 .count = count,
                 .operands = operands,
                 .initial = initial,
                 .results = results};
    status = reduce_by_computation(&r, computation, error);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
