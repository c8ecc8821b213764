// Simplifies whole maps: rounds over constraints, ranges and results until nothing changes, then
// what is not needed goes (simplify_unused.c). See simplifier.h.
#include "indexing/maps/simplifier.h"

#include <string.h>

enum {
  MOST_ROUNDS = 64, // bounds that chase each other round a circle of constraints give up
  MOST_PASSES = 4,  // of everything, until the written form stays
};

static hlo_status start(hlo_simplifier *s, hlo_affine_context *context, const hlo_map *map,
                        uint32_t flags, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(context);
  *s = (hlo_simplifier){.context = context, .flags = flags, .ignored = IGNORE_NOTHING};
  s->known_empty = map->known_empty;
  s->simple.context = s->quotients.context = s->finished.context = context;
  s->expanded.context = s->interval.context = context;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    int32_t count = s->variable_count[kind] = map->variable_count[kind];
    HLO_ALLOC(s->variables[kind], arena, count, error);
    for (int32_t i = 0; i < count; i++) {
      s->variables[kind][i] = map->variables[kind][i];
      if (hlo_interval_is_empty(s->variables[kind][i].range)) s->known_empty = true;
    }
  }
  s->constraint_count = map->constraint_count;
  HLO_ALLOC(s->constraints, arena, map->constraint_count, error);
  s->result_count = map->result_count;
  HLO_ALLOC(s->results, arena, map->result_count, error);
  for (int32_t i = 0; i < map->constraint_count; i++) s->constraints[i] = map->constraints[i];
  for (int32_t i = 0; i < map->result_count; i++) s->results[i] = map->results[i];
  return HLO_OK;
}

// --- strides: s mod n in [r, r] makes s the variable s * n + r ---

// A constraint that gives a range variable a stride.
static bool is_stride(const hlo_map_constraint *c, const hlo_affine **variable, int64_t *n,
                      int64_t *r) {
  int64_t sign, constant, rest;
  *n = c->expression->kind == HLO_AFFINE_MOD ? hlo_affine_divisor(c->expression) : 0;
  if (*n <= 1 || !hlo_interval_is_point(c->range) ||
      !hlo_simplifier_is_shifted_variable(c->expression->left, variable, &sign, &constant) ||
      (*variable)->kind != HLO_AFFINE_RANGE || !hlo_checked_sub(c->range.lower, constant, &rest) ||
      rest == INT64_MIN)
    return false;
  *r = hlo_floor_mod(sign * rest, *n);
  return true;
}

static void substitute_range(hlo_simplifier *s, int32_t index, const hlo_affine *by) {
  const hlo_affine **all = hlo_arena_array(
      hlo_affine_arena(s->context), (size_t)s->variable_count[HLO_AFFINE_RANGE], sizeof *all);
  if (all == NULL) return;
  all[index] = by;
  const hlo_affine_replacements replacements = {{[HLO_AFFINE_RANGE] = all}};
  for (int32_t i = 0; i < s->result_count; i++)
    s->results[i] = hlo_affine_substitute(s->context, s->results[i], &replacements);
  for (int32_t i = 0; i < s->constraint_count; i++)
    s->constraints[i].expression =
        hlo_affine_substitute(s->context, s->constraints[i].expression, &replacements);
}

static bool rescale(hlo_simplifier *s) {
  for (int32_t i = 0; i < s->constraint_count; i++) {
    const hlo_affine *variable;
    int64_t n, r;
    if (!is_stride(&s->constraints[i], &variable, &n, &r)) continue;
    hlo_interval *range = &s->variables[HLO_AFFINE_RANGE][variable->index].range;
    *range = hlo_interval_undo_scale(hlo_interval_shift(*range, -r), n);
    if (hlo_interval_is_empty(*range)) s->known_empty = true;
    s->constraints[i] = s->constraints[--s->constraint_count];
    const hlo_affine *scaled = hlo_affine_scale(s->context, variable, n);
    substitute_range(s, variable->index, hlo_affine_shift(s->context, scaled, r));
    hlo_simplifier_forget(s);
    return true;
  }
  return false;
}

// --- rounds ---

static bool simplify_results(hlo_simplifier *s) {
  bool changed = false;
  for (int32_t i = 0; i < s->result_count; i++) {
    const hlo_affine *simple = hlo_simplifier_simplify(s, s->results[i]);
    changed |= simple != s->results[i];
    s->results[i] = simple;
  }
  return changed;
}

// False when bounds still move after many rounds.
static bool run_rounds(hlo_simplifier *s) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    if (s->known_empty || hlo_affine_has_failed(s->context)) return true;
    bool changed = hlo_simplifier_solve_constraints(s);
    if (s->known_empty) return true;
    changed |= simplify_results(s);
    changed |= rescale(s);
    if (!changed) return true;
  }
  return false;
}

// --- the simplified map ---

static void display(hlo_simplifier *s) {
  for (int32_t i = 0; i < s->result_count; i++)
    s->results[i] = hlo_simplifier_display(s, s->results[i]);
  for (int32_t i = 0; i < s->constraint_count; i++)
    s->constraints[i].expression = hlo_simplifier_display(s, s->constraints[i].expression);
  for (int32_t i = 1; i < s->constraint_count; i++) {
    hlo_map_constraint c = s->constraints[i];
    int32_t j = i;
    for (; j > 0 && hlo_affine_compare(c.expression, s->constraints[j - 1].expression) < 0; j--)
      s->constraints[j] = s->constraints[j - 1];
    s->constraints[j] = c;
  }
}

// Keeps dims and the number of results, so that it still composes.
static hlo_status build_empty(hlo_affine_context *context, const hlo_map *map, const hlo_map **out,
                              hlo_error *error) {
  const hlo_affine **zeros;
  HLO_ALLOC(zeros, hlo_affine_arena(context), map->result_count, error);
  for (int32_t i = 0; i < map->result_count; i++) zeros[i] = hlo_affine_constant(context, 0);
  hlo_map empty = {.result_count = map->result_count, .results = zeros, .known_empty = true};
  empty.variable_count[HLO_AFFINE_DIM] = map->variable_count[HLO_AFFINE_DIM];
  empty.variables[HLO_AFFINE_DIM] = map->variables[HLO_AFFINE_DIM];
  return hlo_map_create(context, &empty, out, error);
}

static hlo_status finish(const hlo_simplifier *s, const hlo_map **out, hlo_error *error) {
  hlo_map fields = {.result_count = s->result_count,
                    .results = s->results,
                    .constraint_count = s->constraint_count,
                    .constraints = s->constraints};
  memcpy(fields.variable_count, s->variable_count, sizeof fields.variable_count);
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    fields.variables[kind] = s->variables[kind];
  return hlo_map_create(s->context, &fields, out, error);
}

// One pass; *out is map itself when arithmetic overflows on the way.
static hlo_status simplify_once(hlo_affine_context *context, const hlo_map *map, uint32_t flags,
                                const hlo_map **out, hlo_map_origins *origins, hlo_error *error) {
  hlo_simplifier s;
  HLO_TRY(start(&s, context, map, flags, error));
  s.narrows_variables = true;
  if (!run_rounds(&s)) {
    HLO_TRY(start(&s, context, map, flags, error));
    run_rounds(&s);
  }
  hlo_simplifier_forget(&s);
  *out = map;
  *origins = (hlo_map_origins){0};
  if (!s.known_empty && !hlo_affine_has_failed(context))
    HLO_TRY(hlo_simplifier_drop_unused(&s, error));
  if (hlo_affine_forgive(context)) return hlo_affine_status(context, error);
  if (s.known_empty) return build_empty(context, map, out, error);
  display(&s);
  HLO_TRY(hlo_simplifier_renumber(&s, origins, error));
  if (hlo_affine_forgive(context)) {
    *origins = (hlo_map_origins){0};
    return hlo_affine_status(context, error);
  }
  return finish(&s, out, error);
}

// Origins of `later`, whose variables come from a map with origins `earlier`. NULL: not renumbered.
static hlo_status chain_origins(hlo_affine_context *context, const hlo_map *map,
                                const hlo_map_origins *earlier, hlo_map_origins *later,
                                hlo_error *error) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    int32_t *of;
    HLO_ALLOC(of, hlo_affine_arena(context), map->variable_count[kind], error);
    for (int32_t i = 0; i < map->variable_count[kind]; i++) {
      int32_t before = later->of[kind] == NULL ? i : later->of[kind][i];
      of[i] = earlier->of[kind] == NULL ? before : earlier->of[kind][before];
    }
    later->of[kind] = of;
  }
  return HLO_OK;
}

hlo_status hlo_map_simplify(hlo_affine_context *context, const hlo_map *map, uint32_t flags,
                            const hlo_map **out, hlo_map_origins *origins, hlo_error *error) {
  HLO_TRY(hlo_affine_status(context, error));
  hlo_map_origins all = {0}, once;
  HLO_TRY(chain_origins(context, map, &all, &all, error));
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    const hlo_map *simple;
    HLO_TRY(simplify_once(context, map, flags, &simple, &once, error));
    HLO_TRY(chain_origins(context, simple, &all, &once, error));
    all = once;
    bool stays = hlo_map_equal(simple, map);
    map = simple;
    if (stays || map->known_empty) break;
  }
  *out = map;
  if (origins != NULL) *origins = all;
  return HLO_OK;
}

// --- single steps ---

hlo_status hlo_map_remove_unused(hlo_affine_context *context, const hlo_map *map,
                                 const hlo_map **out, hlo_error *error) {
  hlo_simplifier s;
  HLO_TRY(start(&s, context, map, 0, error));
  if (!s.known_empty) HLO_TRY(hlo_simplifier_drop_unused(&s, error));
  if (s.known_empty) return build_empty(context, map, out, error);
  hlo_map_origins origins;
  HLO_TRY(hlo_simplifier_renumber(&s, &origins, error));
  HLO_TRY(hlo_affine_status(context, error));
  return finish(&s, out, error);
}

hlo_status hlo_map_rescale(hlo_affine_context *context, const hlo_map *map, const hlo_map **out,
                           hlo_error *error) {
  hlo_simplifier s;
  HLO_TRY(start(&s, context, map, 0, error));
  while (!s.known_empty && rescale(&s)) {
  }
  HLO_TRY(hlo_affine_status(context, error));
  if (s.known_empty) return build_empty(context, map, out, error);
  return finish(&s, out, error);
}
