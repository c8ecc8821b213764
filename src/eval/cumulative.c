// See cumulative.h. The computation is taken to be associative, as ReduceWindow allows, but not
// commutative: where there are few lanes beside the dimension, segments along it become lanes, and
// what comes before a segment is combined into it afterwards.
#include "eval/cumulative.h"

enum { ENOUGH_LANES = 256, WANTED_LANES = 1024, SHORTEST_SEGMENT = 32 };

typedef struct cumulation {
  hlo_folder *folder;
  int32_t dimension;
  bool backwards;
  hlo_view *elements, *results;             // walked backwards where asked to
  hlo_view *before, *here, *what, *earlier; // parts of them in one step
} cumulation;

// `count` elements along the dimension from `first` on, `step` apart.
static void select_part(const hlo_view *view, int32_t dimension, int64_t first, int64_t count,
                        int64_t step, hlo_view *out) {
  *out = *view;
  out->data = hlo_view_at(view, first * view->strides[dimension]);
  out->dims[dimension] = count;
  out->strides[dimension] *= step;
}

// The results at first, first + step, … become those before them combined with their elements.
static hlo_status step_at(cumulation *c, int64_t first, int64_t count, int64_t step,
                          hlo_error *error) {
  for (int32_t k = 0; k < c->folder->count; k++) {
    select_part(&c->results[k], c->dimension, first - 1, count, step, &c->before[k]);
    select_part(&c->results[k], c->dimension, first, count, step, &c->here[k]);
    select_part(&c->elements[k], c->dimension, first, count, step, &c->what[k]);
    hlo_view_copy(&c->here[k], c->backwards ? &c->what[k] : &c->before[k]);
  }
  return hlo_folder_fold(c->folder, c->here, c->backwards ? c->before : c->what, error);
}

// Combines the last result before a segment into all results of the segment.
static hlo_status join(cumulation *c, int64_t first, int64_t length, hlo_error *error) {
  for (int32_t k = 0; k < c->folder->count; k++) {
    select_part(&c->results[k], c->dimension, first - 1, length, 0, &c->before[k]);
    select_part(&c->results[k], c->dimension, first, length, 1, &c->here[k]);
    if (!c->backwards) hlo_view_copy(&c->earlier[k], &c->before[k]);
  }
  if (c->backwards) return hlo_folder_fold(c->folder, c->here, c->before, error);
  HLO_TRY(hlo_folder_fold(c->folder, c->earlier, c->here, error));
  for (int32_t k = 0; k < c->folder->count; k++) hlo_view_copy(&c->here[k], &c->earlier[k]);
  return HLO_OK;
}

static int64_t segments_of(const hlo_view *view, int32_t dimension) {
  int64_t size = view->dims[dimension], lanes = hlo_view_elements(view) / size;
  if (lanes >= ENOUGH_LANES || size < 2 * SHORTEST_SEGMENT) return 1;
  int64_t wanted = WANTED_LANES / lanes, most = size / SHORTEST_SEGMENT;
  return wanted < most ? wanted : most;
}

static hlo_status cumulate(cumulation *c, hlo_error *error) {
  int64_t size = c->results[0].dims[c->dimension];
  int64_t segments = segments_of(&c->results[0], c->dimension), length = size / segments;
  for (int32_t k = 0; k < c->folder->count; k++) {
    select_part(&c->elements[k], c->dimension, 0, segments, length, &c->what[k]);
    select_part(&c->results[k], c->dimension, 0, segments, length, &c->here[k]);
    hlo_view_copy(&c->here[k], &c->what[k]);
    hlo_view part = c->results[k];
    part.dims[c->dimension] = length;
    HLO_TRY(hlo_scratch_view(c->folder->evaluator, part.type, part.rank, part.dims, &c->earlier[k],
                             error));
  }
  for (int64_t i = 1; i < length; i++) HLO_TRY(step_at(c, i, segments, length, error));
  for (int64_t s = 1; s < segments; s++) HLO_TRY(join(c, s * length, length, error));
  for (int64_t i = segments * length; i < size; i++) HLO_TRY(step_at(c, i, 1, 1, error));
  return HLO_OK;
}

static void walk_backwards(hlo_view *view, int32_t dimension) {
  view->data = hlo_view_at(view, (view->dims[dimension] - 1) * view->strides[dimension]);
  view->strides[dimension] = -view->strides[dimension];
}

hlo_status hlo_cumulate(hlo_folder *folder, int32_t dimension, bool backwards,
                        const hlo_view *elements, const hlo_view *results, hlo_error *error) {
  hlo_arena *scratch = folder->evaluator->scratch;
  int32_t count = folder->count;
  cumulation c = {.folder = folder, .dimension = dimension, .backwards = backwards};
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  HLO_ALLOC(c.elements, scratch, count, error);
  HLO_ALLOC(c.results, scratch, count, error);
  HLO_ALLOC(c.before, scratch, count, error);
  HLO_ALLOC(c.here, scratch, count, error);
  HLO_ALLOC(c.what, scratch, count, error);
  HLO_ALLOC(c.earlier, scratch, count, error);
  for (int32_t k = 0; k < count; k++) {
    c.elements[k] = elements[k];
    c.results[k] = results[k];
    if (!backwards) continue;
    walk_backwards(&c.elements[k], dimension);
    walk_backwards(&c.results[k], dimension);
  }
  return cumulate(&c, error);
}
