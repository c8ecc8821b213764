// Reduces many elements by a computation in segments, which are processed as lanes. That gives few
// results many lanes and keeps chains to some hundreds of elements, which bounds rounding errors.
// "Reduce" allows any grouping since the computation is associative; its order is kept, since it
// need not commute, and the initial value is combined once, at the front.
#include "kernels/machine.h"
#include "kernels/reduce/reduce.h"

// The outermost reduced dimensions become lanes as a whole; the one after them in segments of
// `length`, of which there are `segments`, and one of `rest` elements.
typedef struct segmentation {
  int32_t dimension, position; // of the operand; among the reduced ones
  int64_t segments, length, rest;
} segmentation;

// False if the reduction is short enough as a whole, or segments would have fewer than two
// elements.
static bool split_into_segments(const hlo_reduction *reduction, const hlo_view *operand,
                                segmentation *out) {
  int64_t lanes = reduction->lanes, inner = reduction->steps;
  for (int32_t i = 0; i < reduction->reduced_rank; i++) {
    int64_t size = operand->dims[reduction->reduced[i]], wanted = HLO_WANTED_LANES / lanes;
    inner /= size;
    if (size <= wanted || size == 1 || (size < 2 * HLO_REDUCE_LONG_SEGMENT && inner > 1)) {
      lanes *= size;
      continue;
    }
    if (wanted < size / HLO_REDUCE_LONG_SEGMENT) wanted = size / HLO_REDUCE_LONG_SEGMENT;
    if (wanted == 0) wanted = 1;
    out->dimension = reduction->reduced[i];
    out->position = i;
    out->length = (size - 1) / wanted + 1;
    out->segments = size / out->length;
    out->rest = size % out->length;
    return true;
  }
  return false;
}

// A view of `count` segments of `length` elements from element `first` on; the segmented dimension
// is split into two.
static hlo_view segments_of(const hlo_view *operand, int32_t dimension, int64_t first,
                            int64_t count, int64_t length) {
  hlo_view out = {.type = operand->type};
  out.data = hlo_view_at(operand, first * operand->strides[dimension]);
  for (int32_t i = 0; i < operand->rank; i++) {
    bool split = i == dimension;
    out.dims[out.rank] = split ? count : operand->dims[i];
    out.strides[out.rank++] = split ? operand->strides[i] * length : operand->strides[i];
    if (!split) continue;
    out.dims[out.rank] = length;
    out.strides[out.rank++] = operand->strides[i];
  }
  return out;
}

// Reduces a part of the segments, inside of each, into columns of the partial results.
static hlo_status reduce_part(const hlo_evaluator *evaluator, const hlo_computation *computation,
                              const hlo_reduction *reduction, const segmentation *s, bool is_rest,
                              const hlo_reduce_views *views, const hlo_view *partial,
                              hlo_error *error) {
  hlo_view *operands, *results;
  int64_t inner[HLO_MAX_RANK], first = is_rest ? s->segments * s->length : 0;
  int32_t inner_count = 0, column = 0;
  HLO_ALLOC(operands, evaluator->scratch, views->count, error);
  HLO_ALLOC(results, evaluator->scratch, views->count, error);
  inner[inner_count++] = s->dimension + 1;
  for (int32_t i = s->position + 1; i < reduction->reduced_rank; i++) {
    inner[inner_count++] = reduction->reduced[i] + 1;
  }
  // The partial results lack the inner reduced dimensions, all of which come after this one.
  column = s->dimension;
  for (int32_t i = 0; i < views->count; i++) {
    operands[i] = segments_of(&views->operands[i], s->dimension, first, is_rest ? 1 : s->segments,
                              is_rest ? s->rest : s->length);
    results[i] = partial[i];
    results[i].dims[column] = is_rest ? 1 : s->segments;
    results[i].data =
        hlo_view_at(&partial[i], is_rest ? s->segments * partial[i].strides[column] : 0);
  }
  hlo_reduction part = hlo_reduction_of(&operands[0], inner_count, inner);
  hlo_reduce_views part_views = {views->count, operands, NULL, results};
  return hlo_reduce_by_segments(evaluator, computation, &part, &part_views, error);
}

// Memory for the partial results: the operand without the inner reduced dimensions, and with one
// element per segment along the segmented one.
static hlo_status allocate_partial(const hlo_evaluator *evaluator, const hlo_reduction *reduction,
                                   const segmentation *s, const hlo_reduce_views *views,
                                   hlo_view *partial, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  int32_t rank = 0, next = s->position + 1;
  for (int32_t d = 0; d < views->operands[0].rank; d++) {
    bool is_inner = next < reduction->reduced_rank && reduction->reduced[next] == d;
    if (is_inner) next++;
    else dims[rank++] = views->operands[0].dims[d];
    if (d == s->dimension) dims[rank - 1] = s->segments + (s->rest > 0);
  }
  for (int32_t i = 0; i < views->count; i++) {
    HLO_TRY(hlo_scratch_view(evaluator, views->results[i].type, rank, dims, &partial[i], error));
  }
  return HLO_OK;
}

hlo_status hlo_reduce_by_segments(const hlo_evaluator *evaluator,
                                  const hlo_computation *computation,
                                  const hlo_reduction *reduction, const hlo_reduce_views *views,
                                  hlo_error *error) {
  segmentation s;
  hlo_view *partial;
  int64_t outer[HLO_MAX_RANK];
  if (reduction->steps < HLO_REDUCE_MANY_STEPS || views->operands[0].rank == HLO_MAX_RANK ||
      !split_into_segments(reduction, &views->operands[0], &s))
    return hlo_reduce_by_steps(evaluator, computation, reduction, views, error);
  HLO_ALLOC(partial, evaluator->scratch, views->count, error);
  HLO_TRY(allocate_partial(evaluator, reduction, &s, views, partial, error));
  HLO_TRY(reduce_part(evaluator, computation, reduction, &s, false, views, partial, error));
  if (s.rest > 0) {
    HLO_TRY(reduce_part(evaluator, computation, reduction, &s, true, views, partial, error));
  }
  for (int32_t i = 0; i <= s.position; i++) outer[i] = reduction->reduced[i];
  hlo_reduction last = hlo_reduction_of(&partial[0], s.position + 1, outer);
  hlo_reduce_views last_views = {views->count, partial, views->initial, views->results};
  return hlo_reduce_by_segments(evaluator, computation, &last, &last_views, error);
}
