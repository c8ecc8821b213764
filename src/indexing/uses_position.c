// See uses_position.h.
#include "indexing/uses_position.h"

#include "indexing/maps/affine_sum.h"

#include <string.h>

bool hlo_affine_is_linear(const hlo_affine *a) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a);
  for (int32_t i = 0; i < terms.count; i++)
    if (!hlo_affine_is_variable(terms.terms[i].atom)) return false;
  return true;
}

const hlo_affine *hlo_map_position(hlo_affine_context *context, const hlo_map *map,
                                   const int64_t *strides) {
  hlo_affine_sum sum = hlo_affine_sum_start(context);
  for (int32_t d = 0; d < map->result_count; d++)
    hlo_affine_sum_add(&sum, map->results[d], strides[d]);
  return hlo_affine_sum_finish(&sum);
}

// --- footprints ---

typedef struct footprint_maker {
  hlo_affine_context *context;
  const hlo_shape *array;
  hlo_map fields;
  hlo_map_variable *ranges;
  const hlo_affine **results; // the indices; [0] is left free
  hlo_map_constraint *constraints;
} footprint_maker;

static hlo_status start(footprint_maker *m, const hlo_map *map, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(m->context);
  int32_t dims = map->variable_count[HLO_AFFINE_DIM], next = 0;
  int32_t count = dims + map->variable_count[HLO_AFFINE_RANGE];
  hlo_affine_replacements moved = {0};
  HLO_ALLOC(m->ranges, arena, count, error);
  HLO_ALLOC(m->results, arena, 1 + map->result_count + count, error);
  HLO_ALLOC(m->constraints, arena, map->constraint_count + map->result_count, error);
  m->fields.variables[HLO_AFFINE_RUNTIME] = map->variables[HLO_AFFINE_RUNTIME];
  m->fields.variable_count[HLO_AFFINE_RUNTIME] = map->variable_count[HLO_AFFINE_RUNTIME];
  m->fields.variable_count[HLO_AFFINE_RANGE] = count;
  for (int kind = HLO_AFFINE_DIM; kind <= HLO_AFFINE_RANGE; kind++) {
    const hlo_affine **by;
    HLO_ALLOC(by, arena, map->variable_count[kind], error);
    for (int32_t i = 0; i < map->variable_count[kind]; i++) {
      m->ranges[next].range = map->variables[kind][i].range;
      by[i] = hlo_affine_variable(m->context, HLO_AFFINE_RANGE, next++);
    }
    moved.by[kind] = by;
  }
  for (int32_t i = 0; i < map->result_count; i++)
    m->results[1 + i] = hlo_affine_substitute(m->context, map->results[i], &moved);
  for (int32_t i = 0; i < map->constraint_count; i++)
    m->constraints[i] = (hlo_map_constraint){
        hlo_affine_substitute(m->context, map->constraints[i].expression, &moved),
        map->constraints[i].range};
  m->fields.constraint_count = map->constraint_count;
  return HLO_OK;
}

static const hlo_interval *range_of(const footprint_maker *m, const hlo_affine *variable) {
  return variable->kind == HLO_AFFINE_RANGE
             ? &m->ranges[variable->index].range
             : &m->fields.variables[HLO_AFFINE_RUNTIME][variable->index].range;
}

// Of a linear expression but for one of its terms, -1: of all.
static hlo_interval linear_range(const footprint_maker *m, const hlo_affine_terms *terms,
                                 int32_t except) {
  hlo_interval range = hlo_interval_make(terms->constant, terms->constant);
  for (int32_t i = 0; i < terms->count; i++)
    if (i != except)
      range = hlo_interval_add(
          range, hlo_interval_scale(*range_of(m, terms->terms[i].atom), terms->terms[i].factor));
  return range;
}

// The map of an update leaves it to others that its results lie in the array.
static void limit_to_array(footprint_maker *m) {
  for (int32_t d = 0; d < m->array->rank; d++) {
    hlo_interval inside = hlo_interval_make(0, m->array->dims[d] - 1);
    const hlo_affine *index = m->results[1 + d];
    hlo_affine_terms terms;
    hlo_affine_terms_of(&terms, index);
    if (hlo_affine_is_linear(index) && hlo_interval_contains(inside, linear_range(m, &terms, -1)))
      continue;
    m->constraints[m->fields.constraint_count++] = (hlo_map_constraint){index, inside};
  }
}

// ±s + r in [a, b], where r has only runtime variables, and s takes all values that this asks for
// whatever r is: then s is ±(t - r) with t in [a, b], which counts the same assignments.
static bool match_shift(const footprint_maker *m, const hlo_map_constraint *c, int32_t *index,
                        const hlo_affine **by) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, c->expression);
  int32_t at = -1;
  if (!hlo_affine_is_linear(c->expression)) return false;
  for (int32_t i = 0; i < terms.count; i++) {
    if (terms.terms[i].atom->kind != HLO_AFFINE_RANGE) continue;
    if (at >= 0) return false;
    at = i;
  }
  if (at < 0 || (terms.terms[at].factor != 1 && terms.terms[at].factor != -1)) return false;
  int64_t sign = terms.terms[at].factor;
  const hlo_affine *s = terms.terms[at].atom;
  hlo_interval r = linear_range(m, &terms, at), s_range = *range_of(m, s);
  hlo_interval wanted = hlo_interval_add(c->range, hlo_interval_negate(r));
  if (!hlo_interval_contains(s_range, hlo_interval_scale(wanted, sign))) return false;
  *index = s->index;
  const hlo_affine *rest = hlo_affine_add_scaled(m->context, c->expression, s, -sign);
  rest = hlo_affine_add_scaled(m->context, s, rest, -1);
  *by = hlo_affine_scale(m->context, rest, sign);
  return true;
}

static hlo_status solve_shifts(footprint_maker *m, hlo_error *error) {
  for (int32_t i = m->fields.constraint_count - 1; i >= 0; i--) {
    int32_t index;
    const hlo_affine *by, **all;
    if ((m->constraints[i].expression->variables >> HLO_AFFINE_RUNTIME & 1) == 0 ||
        !match_shift(m, &m->constraints[i], &index, &by))
      continue;
    HLO_ALLOC(all, hlo_affine_arena(m->context), m->fields.variable_count[HLO_AFFINE_RANGE], error);
    all[index] = by;
    const hlo_affine_replacements replacements = {{[HLO_AFFINE_RANGE] = all}};
    m->ranges[index].range = m->constraints[i].range;
    m->constraints[i] = m->constraints[--m->fields.constraint_count];
    for (int32_t d = 1; d <= m->array->rank; d++)
      m->results[d] = hlo_affine_substitute(m->context, m->results[d], &replacements);
    for (int32_t k = 0; k < m->fields.constraint_count; k++)
      m->constraints[k].expression =
          hlo_affine_substitute(m->context, m->constraints[k].expression, &replacements);
    i = m->fields.constraint_count; // from the start
  }
  return HLO_OK;
}

hlo_status hlo_map_footprint(hlo_affine_context *context, const hlo_indexing *indexing,
                             const hlo_shape *array, const hlo_map **out, hlo_error *error) {
  footprint_maker m = {.context = context, .array = array};
  int64_t strides[HLO_MAX_RANK], size = 1;
  HLO_TRY(start(&m, indexing->map, error));
  limit_to_array(&m);
  HLO_TRY(solve_shifts(&m, error));
  for (int32_t d = array->rank - 1; d >= 0; d--) {
    strides[d] = size;
    size = hlo_saturating_mul(size, array->dims[d]);
  }
  const hlo_map indices = {.result_count = array->rank, .results = m.results + 1};
  m.results[0] = hlo_map_position(context, &indices, strides);
  bool is_simple = m.fields.constraint_count == 0 && hlo_affine_is_linear(m.results[0]);
  for (int32_t d = 1; d <= array->rank; d++) is_simple &= hlo_affine_is_linear(m.results[d]);
  m.fields.result_count = 1 + array->rank;
  for (int32_t i = 0; i < m.fields.variable_count[HLO_AFFINE_RANGE]; i++)
    m.results[m.fields.result_count++] = hlo_affine_variable(context, HLO_AFFINE_RANGE, i);
  m.fields.variables[HLO_AFFINE_RANGE] = m.ranges;
  m.fields.results = m.results;
  m.fields.constraints = m.constraints;
  m.fields.known_empty = indexing->map->known_empty;
  HLO_TRY(hlo_map_create(context, &m.fields, out, error));
  if (is_simple) return HLO_OK;
  return hlo_map_simplify(context, *out, HLO_SIMPLIFY_KEEP_GATES, out, NULL, error);
}
