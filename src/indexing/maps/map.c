// Making, composing, comparing and evaluating maps. See map.h.
#include "indexing/maps/map.h"

#include <string.h>

static hlo_status copy(hlo_arena *arena, const void *from, size_t count, size_t size,
                       const void **out, hlo_error *error) {
  void *memory = hlo_arena_array(arena, count, size);
  if (memory == NULL) return hlo_fail_out_of_memory(error);
  if (count > 0) memcpy(memory, from, count * size);
  *out = memory;
  return HLO_OK;
}

#define COPY(field, count)                                                                         \
  HLO_TRY(copy(arena, fields->field, (size_t)(count), sizeof *fields->field,                       \
               (const void **)&map->field, error))

hlo_status hlo_map_create(hlo_affine_context *context, const hlo_map *fields, const hlo_map **out,
                          hlo_error *error) {
  HLO_TRY(hlo_affine_status(context, error));
  hlo_arena *arena = hlo_affine_arena(context);
  hlo_map *map;
  HLO_ALLOC(map, arena, 1, error);
  *map = *fields;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    COPY(variables[kind], fields->variable_count[kind]);
  COPY(results, fields->result_count);
  COPY(constraints, fields->constraint_count);
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    for (int32_t i = 0; i < map->variable_count[kind]; i++)
      if (hlo_interval_is_empty(map->variables[kind][i].range)) map->known_empty = true;
  for (int32_t i = 0; i < map->constraint_count; i++)
    if (hlo_interval_is_empty(map->constraints[i].range)) map->known_empty = true;
  *out = map;
  return HLO_OK;
}

hlo_status hlo_map_identity(hlo_affine_context *context, int32_t rank, const int64_t *dims,
                            const hlo_map **out, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(context);
  hlo_map_variable *variables;
  const hlo_affine **results;
  HLO_ALLOC(variables, arena, rank, error);
  HLO_ALLOC(results, arena, rank, error);
  for (int32_t d = 0; d < rank; d++) {
    variables[d].range = hlo_interval_make(0, dims[d] - 1);
    results[d] = hlo_affine_variable(context, HLO_AFFINE_DIM, d);
  }
  hlo_map fields = {.result_count = rank, .results = results};
  fields.variable_count[HLO_AFFINE_DIM] = rank;
  fields.variables[HLO_AFFINE_DIM] = variables;
  return hlo_map_create(context, &fields, out, error);
}

// --- composing ---

typedef struct composition {
  hlo_affine_context *context;
  const hlo_map *first, *second;
  hlo_map fields;
  hlo_map_variable *variables[HLO_AFFINE_VARIABLE_KINDS];
  const hlo_affine **results;
  hlo_map_constraint *constraints;
  const hlo_affine **first_results;                // in the variables of the composition
  hlo_affine_replacements from_first, from_second; // into the variables of the composition
} composition;

// Names that both maps use would no longer tell the variables apart.
static bool is_named_in(const hlo_map *map, const char *name) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    for (int32_t i = 0; i < map->variable_count[kind]; i++) {
      const char *other = map->variables[kind][i].name;
      if (other != NULL && strcmp(other, name) == 0) return true;
    }
  return false;
}

static hlo_status place_variables(composition *c, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(c->context);
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    int32_t of_first = c->first->variable_count[kind];
    int32_t of_second = kind == HLO_AFFINE_DIM ? 0 : c->second->variable_count[kind];
    hlo_map_variable *variables;
    HLO_ALLOC(variables, arena, (size_t)of_first + (size_t)of_second, error);
    if (of_second > 0)
      memcpy(variables, c->second->variables[kind], sizeof *variables * (size_t)of_second);
    if (of_first > 0)
      memcpy(variables + of_second, c->first->variables[kind],
             sizeof *variables * (size_t)of_first);
    for (int32_t i = 0; i < of_second; i++)
      if (variables[i].name != NULL && is_named_in(c->first, variables[i].name))
        variables[i].name = NULL;
    c->fields.variable_count[kind] = of_first + of_second;
    c->fields.variables[kind] = c->variables[kind] = variables;
    if (of_second == 0) continue;
    const hlo_affine **moved;
    HLO_ALLOC(moved, arena, of_first, error);
    for (int32_t i = 0; i < of_first; i++)
      moved[i] = hlo_affine_variable(c->context, (hlo_affine_kind)kind, of_second + i);
    c->from_first.by[kind] = moved;
  }
  return HLO_OK;
}

// The results of first must lie in the ranges of second's dims.
static void constrain_results(composition *c) {
  for (int32_t i = 0; i < c->first->result_count; i++) {
    const hlo_affine *result = c->first_results[i];
    hlo_interval range = c->second->variables[HLO_AFFINE_DIM][i].range;
    if (hlo_interval_is_unbounded(range)) continue;
    if (hlo_affine_is_variable(result) && result->kind != HLO_AFFINE_RUNTIME) {
      hlo_interval *own = &c->variables[result->kind][result->index].range;
      *own = hlo_interval_intersect(*own, range);
    } else c->constraints[c->fields.constraint_count++] = (hlo_map_constraint){result, range};
  }
}

static void add_constraints(composition *c, const hlo_map *map,
                            const hlo_affine_replacements *replacements) {
  for (int32_t i = 0; i < map->constraint_count; i++) {
    hlo_map_constraint constraint = map->constraints[i];
    constraint.expression = hlo_affine_substitute(c->context, constraint.expression, replacements);
    c->constraints[c->fields.constraint_count++] = constraint;
  }
}

hlo_status hlo_map_compose(hlo_affine_context *context, const hlo_map *first, const hlo_map *second,
                           const hlo_map **out, hlo_error *error) {
  if (first->result_count != second->variable_count[HLO_AFFINE_DIM])
    return hlo_fail(error, HLO_INVALID_ARGUMENT,
                    "maps do not compose: %d results of the first, %d dimensions of the second",
                    first->result_count, second->variable_count[HLO_AFFINE_DIM]);
  hlo_arena *arena = hlo_affine_arena(context);
  composition c = {.context = context, .first = first, .second = second};
  HLO_TRY(place_variables(&c, error));
  HLO_ALLOC(c.first_results, arena, first->result_count, error);
  HLO_ALLOC(c.results, arena, second->result_count, error);
  HLO_ALLOC(c.constraints, arena,
            first->constraint_count + second->constraint_count + first->result_count, error);
  for (int32_t i = 0; i < first->result_count; i++)
    c.first_results[i] = hlo_affine_substitute(context, first->results[i], &c.from_first);
  c.from_second.by[HLO_AFFINE_DIM] = c.first_results;
  for (int32_t i = 0; i < second->result_count; i++)
    c.results[i] = hlo_affine_substitute(context, second->results[i], &c.from_second);
  constrain_results(&c);
  add_constraints(&c, first, &c.from_first);
  add_constraints(&c, second, &c.from_second);
  c.fields.result_count = second->result_count;
  c.fields.results = c.results;
  c.fields.constraints = c.constraints;
  c.fields.known_empty = first->known_empty || second->known_empty;
  return hlo_map_create(context, &c.fields, out, error);
}

// --- comparing ---

static int order(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int compare_intervals(hlo_interval a, hlo_interval b) {
  int result = order(a.lower, b.lower);
  return result != 0 ? result : order(a.upper, b.upper);
}

static int compare_variables(const hlo_map *a, const hlo_map *b) {
  int result = 0;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS && result == 0; kind++)
    for (int32_t i = 0; i < a->variable_count[kind] && result == 0; i++)
      result = compare_intervals(a->variables[kind][i].range, b->variables[kind][i].range);
  return result;
}

static int compare_constraints(const hlo_map_constraint *a, const hlo_map_constraint *b) {
  int result = hlo_affine_compare(a->expression, b->expression);
  return result != 0 ? result : compare_intervals(a->range, b->range);
}

int hlo_map_compare(const hlo_map *a, const hlo_map *b) {
  int result = order(a->known_empty, b->known_empty);
  if (result != 0 || a->known_empty) return result;
  for (int kind = HLO_AFFINE_VARIABLE_KINDS - 1; kind >= 0 && result == 0; kind--)
    result = order(b->variable_count[kind], a->variable_count[kind]);
  if (result == 0) result = order(a->result_count, b->result_count);
  for (int32_t i = 0; i < a->result_count && result == 0; i++)
    result = hlo_affine_compare(a->results[i], b->results[i]);
  if (result == 0) result = compare_variables(a, b);
  if (result == 0) result = order(a->constraint_count, b->constraint_count);
  for (int32_t i = 0; i < a->constraint_count && result == 0; i++)
    result = compare_constraints(&a->constraints[i], &b->constraints[i]);
  return result;
}

static bool has_constraint(const hlo_map *map, const hlo_map_constraint *constraint) {
  for (int32_t i = 0; i < map->constraint_count; i++)
    if (compare_constraints(&map->constraints[i], constraint) == 0) return true;
  return false;
}

bool hlo_map_equal(const hlo_map *a, const hlo_map *b) {
  if (a->known_empty || b->known_empty) return a->known_empty == b->known_empty;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    if (a->variable_count[kind] != b->variable_count[kind]) return false;
  if (a->result_count != b->result_count || a->constraint_count != b->constraint_count ||
      compare_variables(a, b) != 0)
    return false;
  for (int32_t i = 0; i < a->result_count; i++)
    if (a->results[i] != b->results[i]) return false;
  for (int32_t i = 0; i < a->constraint_count; i++)
    if (!has_constraint(b, &a->constraints[i]) || !has_constraint(a, &b->constraints[i]))
      return false;
  return true;
}

// --- evaluating ---

hlo_status hlo_map_holds(const hlo_map *map, const hlo_affine_values *values, bool *out,
                         hlo_error *error) {
  *out = false;
  if (map->known_empty) return HLO_OK;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    for (int32_t i = 0; i < map->variable_count[kind]; i++)
      if (!hlo_interval_has(map->variables[kind][i].range, values->values[kind][i])) return HLO_OK;
  for (int32_t i = 0; i < map->constraint_count; i++) {
    int64_t value;
    HLO_TRY(hlo_affine_evaluate(map->constraints[i].expression, values, &value, error));
    if (!hlo_interval_has(map->constraints[i].range, value)) return HLO_OK;
  }
  *out = true;
  return HLO_OK;
}

hlo_status hlo_map_evaluate(const hlo_map *map, const hlo_affine_values *values, int64_t *results,
                            hlo_error *error) {
  for (int32_t i = 0; i < map->result_count; i++)
    HLO_TRY(hlo_affine_evaluate(map->results[i], values, &results[i], error));
  return HLO_OK;
}
