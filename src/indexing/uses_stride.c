// Strides of accesses along loops: coalescing. See uses.h.
#include "indexing/uses_position.h"

#include "indexing/maps/affine_sum.h"

// How an expression moves when one variable v grows by 1.
typedef struct slope {
  int64_t step, run; // by step, within every run values of v from a multiple of run on
} slope;

static bool depends_on(const hlo_affine *a, hlo_indexing_loop v) {
  if (v.index >= IMAGE_MOST_VARIABLES) return (a->variables >> v.kind & 1) != 0;
  return (hlo_affine_variable_mask(a, v.kind) >> v.index & 1) != 0;
}

static bool compute_slope(const hlo_affine *a, hlo_indexing_loop v, slope *out);

// Runs of both lengths begin together at multiples of the common divisor only.
static int64_t common_run(int64_t a, int64_t b) {
  if (a == INT64_MAX) return b;
  return b == INT64_MAX ? a : hlo_gcd(a, b);
}

// floordiv and mod by n: the dividend c·v + Σ f·t + k stays within one multiple of n while c·v goes
// through one multiple of g, which divides n and every f.
static bool compute_divided_slope(const hlo_affine *a, hlo_indexing_loop v, slope *out) {
  hlo_affine_terms terms;
  int64_t n = hlo_affine_divisor(a), g = n, step = 0;
  if (n <= 0) return false;
  *out = (slope){0, INT64_MAX};
  hlo_affine_terms_of(&terms, a->left);
  for (int32_t i = 0; i < terms.count; i++) {
    const hlo_affine *t = terms.terms[i].atom;
    slope of_term;
    if (hlo_affine_is_variable(t) && t->kind == v.kind && t->index == v.index) {
      step = terms.terms[i].factor;
      continue;
    }
    if (!compute_slope(t, v, &of_term) || of_term.step != 0) return false;
    out->run = common_run(out->run, of_term.run);
    g = hlo_gcd(g, terms.terms[i].factor);
  }
  if (a->kind == HLO_AFFINE_MOD) out->step = step;
  if (step == 0) return true;
  if (step < 0 || g % step != 0 || hlo_floor_mod(terms.constant, g) >= step) return false;
  out->run = common_run(out->run, g / step);
  return true;
}

static bool compute_slope(const hlo_affine *a, hlo_indexing_loop v, slope *out) {
  *out = (slope){0, INT64_MAX};
  if (!depends_on(a, v)) return true;
  if (hlo_affine_is_variable(a)) {
    out->step = 1;
    return true;
  }
  if (a->kind == HLO_AFFINE_FLOORDIV || a->kind == HLO_AFFINE_MOD)
    return compute_divided_slope(a, v, out);
  if (a->kind == HLO_AFFINE_PRODUCT) return false;
  for (int32_t i = 0; i < a->term_count; i++) {
    slope of_term;
    int64_t step;
    if (!compute_slope(a->terms[i].atom, v, &of_term) ||
        !hlo_checked_mul(of_term.step, a->terms[i].factor, &step) ||
        !hlo_checked_add(out->step, step, &out->step))
      return false;
    out->run = common_run(out->run, of_term.run);
  }
  return true;
}

// Runtime variables whose values are others when v is.
static uint64_t dependent_runtimes(const hlo_indexing *access, hlo_indexing_loop v) {
  int32_t count = access->map->variable_count[HLO_AFFINE_RUNTIME];
  uint64_t dependent = 0, before = 1;
  while (dependent != before) {
    before = dependent;
    for (int32_t i = 0; i < count && i < IMAGE_MOST_VARIABLES; i++)
      for (int32_t d = 0; d < access->runtimes[i].rank; d++) {
        const hlo_affine *position = access->runtimes[i].position[d];
        if (depends_on(position, v) ||
            (hlo_affine_variable_mask(position, HLO_AFFINE_RUNTIME) & dependent) != 0)
          dependent |= UINT64_C(1) << i;
      }
  }
  return dependent;
}

static bool is_loop_of(const hlo_map *map, hlo_indexing_loop v) {
  return (v.kind == HLO_AFFINE_DIM || v.kind == HLO_AFFINE_RANGE) && v.index >= 0 &&
         v.index < map->variable_count[v.kind];
}

// The map from the access's variables to the position in memory. Where *loop's variable is now, or
// index -1 when simplifying found its only value; *is_moved when runtime values that change with it
// stand in the position.
static hlo_status position_map(hlo_affine_context *context, const hlo_indexing *access,
                               const hlo_shape *operand, hlo_indexing_loop *loop,
                               const hlo_map **out, bool *is_moved, hlo_error *error) {
  int64_t strides[HLO_MAX_RANK];
  hlo_shape_strides(operand, strides);
  const hlo_affine *results[2] = {hlo_map_position(context, access->map, strides),
                                  hlo_affine_variable(context, loop->kind, loop->index)};
  hlo_map fields = *access->map;
  fields.results = results;
  fields.result_count = 2; // the variable too, so that it stays
  HLO_TRY(hlo_map_create(context, &fields, out, error));
  *is_moved = (hlo_affine_variable_mask(results[0], HLO_AFFINE_RUNTIME) &
               dependent_runtimes(access, *loop)) != 0;
  if (hlo_affine_is_linear(results[0]) || *is_moved) return HLO_OK;
  hlo_map_origins origins;
  HLO_TRY(hlo_map_simplify(context, *out, HLO_SIMPLIFY_KEEP_GATES, out, &origins, error));
  int32_t before = loop->index;
  loop->index = -1;
  for (int32_t i = 0; i < (*out)->variable_count[loop->kind]; i++)
    if (origins.of[loop->kind][i] == before) loop->index = i;
  return HLO_OK;
}

static void set_stride(const hlo_map *map, hlo_indexing_loop v, hlo_indexing_stride *out) {
  hlo_interval range = map->variables[v.kind][v.index].range;
  slope found;
  if (v.index >= IMAGE_MOST_VARIABLES || !compute_slope(map->results[0], v, &found)) return;
  if (found.run != INT64_MAX &&
      hlo_floor_div(range.lower, found.run) == hlo_floor_div(range.upper, found.run))
    found.run = INT64_MAX;
  if (found.run > 1)
    *out = (hlo_indexing_stride){.is_known = true, .stride = found.step, .run = found.run};
}

hlo_status hlo_indexing_stride_along(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                                     const hlo_shape *operand, hlo_indexing_loop loop,
                                     hlo_indexing_stride *out, hlo_error *error) {
  const hlo_map *map;
  if (!is_loop_of(access->map, loop))
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "an indexing map has no variable %d of kind %d",
                    loop.index, (int)loop.kind);
  *out = (hlo_indexing_stride){.is_known = false};
  bool is_guarded = false;
  for (int32_t i = 0; i < access->map->constraint_count; i++)
    is_guarded |= depends_on(access->map->constraints[i].expression, loop);
  hlo_affine_context *context = hlo_indexing_context(analysis);
  bool is_moved;
  hlo_status status = position_map(context, access, operand, &loop, &map, &is_moved, error);
  if (status == HLO_UNSUPPORTED) { // positions overflow
    hlo_error_clear(error);
    return HLO_OK;
  }
  HLO_TRY(status);
  if (map->known_empty || loop.index < 0)
    *out = (hlo_indexing_stride){.is_known = true, .run = INT64_MAX};
  else set_stride(map, loop, out);
  if (is_moved) out->is_known = false;
  out->is_guarded = is_guarded;
  return HLO_OK;
}

hlo_status hlo_indexing_strides_along(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                                      const hlo_shape *operand, const hlo_indexing_loop *loops,
                                      int32_t loop_count, hlo_indexing_stride *out,
                                      hlo_error *error) {
  for (int32_t i = 0; i < set->count; i++) {
    const hlo_map *map = set->items[i].map;
    int32_t innermost = loop_count - 1;
    for (; innermost >= 0; innermost--) {
      hlo_indexing_loop v = loops[innermost];
      if (is_loop_of(map, v) && !hlo_interval_is_point(map->variables[v.kind][v.index].range))
        break;
    }
    out[i] = (hlo_indexing_stride){.is_known = true, .run = INT64_MAX};
    if (innermost >= 0)
      HLO_TRY(hlo_indexing_stride_along(analysis, &set->items[i], operand, loops[innermost],
                                        &out[i], error));
  }
  return HLO_OK;
}
