// Sets of maps with their runtime variables: adding, composing, simplifying. See rules.h.
//
// For simplifying, the positions of runtime values are results of the map like any others, after
// its own, so that they follow every change of variables.
#include "indexing/rules/rules.h"

// Of one set; with more it is unknown. A ladder of n steps, each of which reads the one before in
// two ways, composes n * n / 2 maps, in some 16 KB each.
enum { MOST_MAPS = 64 };
// Ranges and runtime values of one map; a chain of windows adds one or more at each step.
enum { MOST_VARIABLES = 48 };

static bool has_too_many_variables(const hlo_map *map) {
  return map->variable_count[HLO_AFFINE_RANGE] + map->variable_count[HLO_AFFINE_RUNTIME] >
         MOST_VARIABLES;
}

void hlo_indexing_set_to_unknown(hlo_indexing_set *set) {
  *set = (hlo_indexing_set){.is_unknown = true};
}

// --- adding ---

static int order(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int compare_runtimes(const hlo_indexing_runtime *a, const hlo_indexing_runtime *b) {
  int result = order(a->producer->id, b->producer->id);
  if (result == 0) result = order(a->producer->computation->index, b->producer->computation->index);
  if (result == 0) result = order(a->leaf, b->leaf);
  if (result == 0) result = order(a->clamp.lower, b->clamp.lower);
  if (result == 0) result = order(a->clamp.upper, b->clamp.upper);
  if (result == 0) result = order(a->rank, b->rank);
  for (int32_t d = 0; d < a->rank && result == 0; d++)
    result = hlo_affine_compare(a->position[d], b->position[d]);
  return result;
}

static int compare(const hlo_indexing *a, const hlo_indexing *b) {
  int result = hlo_map_compare(a->map, b->map);
  int32_t count = a->map->variable_count[HLO_AFFINE_RUNTIME];
  for (int32_t i = 0; i < count && result == 0; i++)
    result = compare_runtimes(&a->runtimes[i], &b->runtimes[i]);
  return result;
}

hlo_status hlo_indexing_set_add(hlo_affine_context *context, hlo_indexing_set *set,
                                const hlo_indexing *indexing, hlo_error *error) {
  if (set->is_unknown || indexing->map->known_empty) return HLO_OK;
  int32_t place = 0;
  for (; place < set->count; place++) {
    int result = compare(&set->items[place], indexing);
    if (result == 0) return HLO_OK;
    if (result > 0) break;
  }
  if (set->count == MOST_MAPS || has_too_many_variables(indexing->map)) {
    hlo_indexing_set_to_unknown(set);
    return HLO_OK;
  }
  HLO_GROW_LIST(set->items, hlo_affine_arena(context), set->count, set->capacity, error);
  for (int32_t i = set->count++; i > place; i--) set->items[i] = set->items[i - 1];
  set->items[place] = *indexing;
  return HLO_OK;
}

// --- simplifying ---

typedef struct joint { // a map whose last results are the positions of its runtime values
  hlo_affine_context *context;
  const hlo_map *map;
  int32_t own_results;
  hlo_indexing_runtime *runtimes; // positions unset
  int32_t runtime_count;
} joint;

static hlo_status concatenate(hlo_affine_context *context, const hlo_indexing *indexing, joint *out,
                              hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(context);
  const hlo_map *map = indexing->map;
  *out = (joint){.context = context,
                 .own_results = map->result_count,
                 .runtime_count = map->variable_count[HLO_AFFINE_RUNTIME]};
  int32_t total = map->result_count, next = map->result_count;
  for (int32_t i = 0; i < out->runtime_count; i++) total += indexing->runtimes[i].rank;
  const hlo_affine **results;
  HLO_ALLOC(results, arena, total, error);
  HLO_ALLOC(out->runtimes, arena, out->runtime_count, error);
  for (int32_t i = 0; i < map->result_count; i++) results[i] = map->results[i];
  for (int32_t i = 0; i < out->runtime_count; i++) {
    out->runtimes[i] = indexing->runtimes[i];
    for (int32_t d = 0; d < indexing->runtimes[i].rank; d++)
      results[next++] = indexing->runtimes[i].position[d];
  }
  hlo_map fields = *map;
  fields.result_count = total;
  fields.results = results;
  return hlo_map_create(context, &fields, &out->map, error);
}

static void place_positions(const joint *j) {
  const hlo_affine *const *position = j->map->results + j->own_results;
  for (int32_t i = 0; i < j->runtime_count; i++) {
    j->runtimes[i].position = position;
    position += j->runtimes[i].rank;
  }
}

static hlo_status part(const joint *j, hlo_indexing *out, hlo_error *error) {
  place_positions(j);
  hlo_map fields = *j->map;
  fields.result_count = j->own_results;
  out->runtimes = j->runtimes;
  return hlo_map_create(j->context, &fields, &out->map, error);
}

// The runtime variables that simplifying left, with their positions among the results.
static hlo_status keep_runtimes(joint *j, const hlo_map *simple, const hlo_map_origins *origins,
                                hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(j->context);
  int32_t kept = simple->variable_count[HLO_AFFINE_RUNTIME], next = j->own_results;
  const hlo_affine **results;
  hlo_indexing_runtime *runtimes;
  HLO_ALLOC(results, arena, simple->result_count, error);
  HLO_ALLOC(runtimes, arena, kept, error);
  for (int32_t i = 0; i < j->own_results; i++) results[i] = simple->results[i];
  for (int32_t i = 0; i < kept; i++) {
    int32_t before = origins->of[HLO_AFFINE_RUNTIME][i], at = j->own_results;
    for (int32_t k = 0; k < before; k++) at += j->runtimes[k].rank;
    runtimes[i] = j->runtimes[before];
    for (int32_t d = 0; d < runtimes[i].rank; d++) results[next++] = simple->results[at + d];
  }
  hlo_map fields = *simple;
  fields.result_count = next;
  fields.results = results;
  j->runtimes = runtimes;
  j->runtime_count = kept;
  return hlo_map_create(j->context, &fields, &j->map, error);
}

// Two runtime variables with one value: puts the first in place of the second. True if there were.
static bool merge_runtimes(joint *j, hlo_map_variable *variables,
                           hlo_affine_replacements *replacements, const hlo_affine **by) {
  place_positions(j);
  for (int32_t i = 0; i < j->runtime_count; i++) {
    for (int32_t k = i + 1; k < j->runtime_count; k++) {
      if (compare_runtimes(&j->runtimes[i], &j->runtimes[k]) != 0) continue;
      variables[i].range = hlo_interval_intersect(variables[i].range, variables[k].range);
      variables[i].is_gate |= variables[k].is_gate;
      variables[k].is_gate = false;
      by[k] = hlo_affine_variable(j->context, HLO_AFFINE_RUNTIME, i);
      replacements->by[HLO_AFFINE_RUNTIME] = by;
      return true;
    }
  }
  return false;
}

static hlo_status substitute(joint *j, const hlo_map_variable *runtimes,
                             const hlo_affine_replacements *replacements, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(j->context);
  const hlo_affine **results;
  hlo_map_constraint *constraints;
  HLO_ALLOC(results, arena, j->map->result_count, error);
  HLO_ALLOC(constraints, arena, j->map->constraint_count, error);
  for (int32_t i = 0; i < j->map->result_count; i++)
    results[i] = hlo_affine_substitute(j->context, j->map->results[i], replacements);
  for (int32_t i = 0; i < j->map->constraint_count; i++) {
    constraints[i] = j->map->constraints[i];
    constraints[i].expression =
        hlo_affine_substitute(j->context, constraints[i].expression, replacements);
  }
  hlo_map fields = *j->map;
  fields.variables[HLO_AFFINE_RUNTIME] = runtimes;
  fields.results = results;
  fields.constraints = constraints;
  return hlo_map_create(j->context, &fields, &j->map, error);
}

// Simplifies until no runtime variable goes: with one go its position and what only that needed.
hlo_status hlo_indexing_simplify(hlo_affine_context *context, const hlo_indexing *indexing,
                                 uint32_t flags, hlo_indexing *out, hlo_error *error) {
  joint j;
  HLO_TRY(concatenate(context, indexing, &j, error));
  for (;;) {
    const hlo_map *simple;
    hlo_map_origins origins;
    int32_t before = j.runtime_count;
    HLO_TRY(hlo_map_simplify(context, j.map, flags | HLO_SIMPLIFY_KEEP_GATES, &simple, &origins,
                             error));
    if (simple->known_empty) {
      *out = (hlo_indexing){.map = simple};
      return HLO_OK;
    }
    HLO_TRY(keep_runtimes(&j, simple, &origins, error));
    hlo_affine_replacements replacements = {0};
    const hlo_affine **by;
    hlo_map_variable *variables;
    HLO_ALLOC(by, hlo_affine_arena(context), j.runtime_count, error);
    HLO_ALLOC(variables, hlo_affine_arena(context), j.runtime_count, error);
    for (int32_t i = 0; i < j.runtime_count; i++)
      variables[i] = j.map->variables[HLO_AFFINE_RUNTIME][i];
    if (merge_runtimes(&j, variables, &replacements, by))
      HLO_TRY(substitute(&j, variables, &replacements, error));
    else if (j.runtime_count == before) break;
  }
  return part(&j, out, error);
}

// --- composing ---

// The positions of first's runtime values in the variables of the composition, where second's come
// first; second's with first's results for its dims.
static hlo_status compose_runtimes(hlo_affine_context *context, const hlo_indexing *first,
                                   const hlo_indexing *second, hlo_indexing_runtime **out,
                                   hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(context);
  hlo_affine_replacements moved = {0}, entered = {0};
  for (int kind = HLO_AFFINE_RANGE; kind <= HLO_AFFINE_RUNTIME; kind++) {
    const hlo_affine **by;
    HLO_ALLOC(by, arena, first->map->variable_count[kind], error);
    for (int32_t i = 0; i < first->map->variable_count[kind]; i++)
      by[i] = hlo_affine_variable(context, (hlo_affine_kind)kind,
                                  second->map->variable_count[kind] + i);
    moved.by[kind] = by;
  }
  const hlo_affine **results;
  HLO_ALLOC(results, arena, first->map->result_count, error);
  for (int32_t i = 0; i < first->map->result_count; i++)
    results[i] = hlo_affine_substitute(context, first->map->results[i], &moved);
  entered.by[HLO_AFFINE_DIM] = results;
  int32_t of_second = second->map->variable_count[HLO_AFFINE_RUNTIME];
  int32_t count = of_second + first->map->variable_count[HLO_AFFINE_RUNTIME];
  HLO_ALLOC(*out, arena, count, error);
  for (int32_t i = 0; i < count; i++) {
    const hlo_indexing_runtime *from =
        i < of_second ? &second->runtimes[i] : &first->runtimes[i - of_second];
    const hlo_affine **position;
    HLO_ALLOC(position, arena, from->rank, error);
    for (int32_t d = 0; d < from->rank; d++)
      position[d] =
          hlo_affine_substitute(context, from->position[d], i < of_second ? &entered : &moved);
    (*out)[i] = *from;
    (*out)[i].position = position;
  }
  return HLO_OK;
}

hlo_status hlo_indexing_compose(hlo_affine_context *context, const hlo_indexing *first,
                                const hlo_indexing *second, hlo_indexing *out, hlo_error *error) {
  hlo_indexing both;
  hlo_indexing_runtime *runtimes;
  HLO_TRY(compose_runtimes(context, first, second, &runtimes, error));
  HLO_TRY(hlo_map_compose(context, first->map, second->map, &both.map, error));
  both.runtimes = runtimes;
  return hlo_indexing_simplify(context, &both, 0, out, error);
}

hlo_status hlo_indexing_set_compose(hlo_affine_context *context, const hlo_indexing_set *first,
                                    const hlo_indexing_set *second, hlo_indexing_set *out,
                                    hlo_error *error) {
  if ((first->is_unknown && (second->is_unknown || second->count > 0)) ||
      (second->is_unknown && (first->is_unknown || first->count > 0)))
    hlo_indexing_set_to_unknown(out);
  for (int32_t i = 0; i < first->count && !out->is_unknown; i++) {
    for (int32_t k = 0; k < second->count && !out->is_unknown; k++) {
      hlo_indexing both;
      hlo_status status =
          hlo_indexing_compose(context, &first->items[i], &second->items[k], &both, error);
      if (status == HLO_UNSUPPORTED) {
        hlo_error_clear(error);
        hlo_indexing_set_to_unknown(out);
      } else {
        HLO_TRY(status);
        HLO_TRY(hlo_indexing_set_add(context, out, &both, error));
      }
    }
  }
  return HLO_OK;
}
