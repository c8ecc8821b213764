// Tile propagation with sizes left open. See uses.h.
//
// Every index is built from progressions, offset + i * stride for i below a size: those of the
// variables, scaled, added and divided. Where the result is a progression only for some sizes, both
// cases are followed: a division of whole blocks or inside of one, a sum without gaps or of one
// term.
#include "indexing/rules/rules.h"
#include "indexing/uses.h"

#include "indexing/maps/affine_sum.h"
#include "indexing/maps/image.h"

#include <string.h>

enum { MAX_CHOICES = 4, MAX_TERMS = 8, MAX_CONSTRAINTS = 16 };

typedef struct progression {
  const hlo_affine *offset, *size;
  int64_t stride; // at least 1
} progression;

// One way through the cases: choice k is taken by bit k of `cases`.
typedef struct tiler {
  hlo_affine_context *context;
  const hlo_map *access;
  uint32_t cases;
  int32_t choice_count;
  struct {
    const hlo_affine *left;
    int64_t divisor;
    bool is_whole;
  } divisions[MAX_CHOICES]; // an index and its remainder go together
  int32_t division_count;
  hlo_map_constraint constraints[MAX_CONSTRAINTS];
  int32_t constraint_count;
  bool failed;
} tiler;

static progression fail(tiler *t) {
  t->failed = true;
  const hlo_affine *one = hlo_affine_constant(t->context, 1);
  return (progression){one, one, 1};
}

static bool choose(tiler *t) {
  if (t->choice_count < MAX_CHOICES) return (t->cases >> t->choice_count++ & 1) == 0;
  t->failed = true;
  return false;
}

// No size is larger: they grow with those of the result's tile, which are the array's at most.
static int64_t greatest(tiler *t, const hlo_affine *size) {
  int32_t rank = t->access->variable_count[HLO_AFFINE_DIM];
  int64_t values[2 * HLO_MAX_RANK] = {0}, most = INT64_MAX;
  for (int32_t d = 0; d < rank; d++)
    values[rank + d] = t->access->variables[HLO_AFFINE_DIM][d].range.upper + 1;
  hlo_error error = {0};
  hlo_affine_values all = {.values = {[HLO_AFFINE_DIM] = values}};
  if (hlo_affine_evaluate(size, &all, &most, &error) != HLO_OK) t->failed = true;
  hlo_error_clear(&error);
  return most;
}

static void require(tiler *t, const hlo_affine *expression, int64_t lower, int64_t upper) {
  if (hlo_affine_is_constant(expression)) {
    t->failed |= expression->constant < lower || expression->constant > upper;
    return;
  }
  for (int32_t i = 0; i < t->constraint_count; i++)
    if (t->constraints[i].expression == expression && t->constraints[i].range.lower == lower &&
        t->constraints[i].range.upper == upper)
      return;
  if (t->constraint_count == MAX_CONSTRAINTS) t->failed = true;
  else
    t->constraints[t->constraint_count++] =
        (hlo_map_constraint){expression, hlo_interval_make(lower, upper)};
}

static bool is_single(const progression *p) {
  return hlo_affine_is_constant(p->size) && p->size->constant == 1;
}

static progression of_variable(tiler *t, const hlo_affine *variable) {
  const hlo_affine *one = hlo_affine_constant(t->context, 1);
  if (variable->kind == HLO_AFFINE_RUNTIME) return (progression){variable, one, 1};
  if (variable->kind == HLO_AFFINE_DIM) {
    int32_t rank = t->access->variable_count[HLO_AFFINE_DIM];
    const hlo_affine *size =
        hlo_affine_variable(t->context, HLO_AFFINE_DIM, rank + variable->index);
    return (progression){variable, size, 1};
  }
  hlo_interval range = t->access->variables[HLO_AFFINE_RANGE][variable->index].range;
  return (progression){hlo_affine_constant(t->context, range.lower),
                       hlo_affine_constant(t->context, range.upper - range.lower + 1), 1};
}

static progression of_expression(tiler *t, const hlo_affine *a);

// Whether the tile of what is divided consists of whole blocks, rather than lying in one.
static bool is_whole(tiler *t, const hlo_affine *left, int64_t divisor) {
  for (int32_t i = 0; i < t->division_count; i++)
    if (t->divisions[i].left == left && t->divisions[i].divisor == divisor)
      return t->divisions[i].is_whole;
  bool whole = choose(t);
  if (t->failed) return whole;
  int32_t k = t->division_count++;
  t->divisions[k].left = left;
  t->divisions[k].divisor = divisor;
  t->divisions[k].is_whole = whole;
  return whole;
}

static progression of_division(tiler *t, const hlo_affine *a) {
  hlo_affine_context *context = t->context;
  int64_t divisor = hlo_affine_divisor(a);
  progression p = of_expression(t, a->left);
  if (divisor < 1 || t->failed || (p.stride != 1 && !is_single(&p))) return fail(t);
  bool is_mod = a->kind == HLO_AFFINE_MOD;
  const hlo_affine *by = hlo_affine_constant(context, divisor);
  const hlo_affine *rest = hlo_affine_mod(context, p.offset, by);
  const hlo_affine *offset = is_mod ? rest : hlo_affine_floordiv(context, p.offset, by);
  if (is_single(&p)) return (progression){offset, p.size, 1};
  if (!is_whole(t, a->left, divisor)) {
    require(t, hlo_affine_add(context, rest, p.size), 1, divisor);
    return (progression){offset, is_mod ? p.size : hlo_affine_constant(context, 1), 1};
  }
  require(t, rest, 0, 0);
  require(t, hlo_affine_mod(context, p.size, by), 0, 0);
  if (is_mod) return (progression){hlo_affine_constant(context, 0), by, 1};
  return (progression){offset, hlo_affine_floordiv(context, p.size, by), 1};
}

static progression of_term(tiler *t, const hlo_affine_term *term) {
  const hlo_affine *atom = term->atom;
  progression p = fail(t);
  t->failed = false;
  if (hlo_affine_is_variable(atom)) p = of_variable(t, atom);
  else if (atom->kind != HLO_AFFINE_PRODUCT) p = of_division(t, atom);
  else return fail(t);
  p.offset = hlo_affine_scale(t->context, p.offset, term->factor);
  int64_t step = hlo_saturating_mul(p.stride, term->factor);
  if (step < 0) { // from the last one
    const hlo_affine *reach = hlo_affine_shift(t->context, p.size, -1);
    p.offset = hlo_affine_add_scaled(t->context, p.offset, reach, step);
  }
  p.stride = step < 0 ? -step : step;
  if (p.stride == INT64_MAX) return fail(t);
  return p;
}

// All sums of one of each; b's stride is no less than a's.
static progression join(tiler *t, progression a, progression b) {
  const hlo_affine *offset = hlo_affine_add(t->context, a.offset, b.offset);
  if (is_single(&b)) return (progression){offset, a.size, a.stride};
  if (is_single(&a)) return (progression){offset, b.size, b.stride};
  if (b.stride % a.stride != 0) return fail(t);
  int64_t ratio = b.stride / a.stride;
  if (ratio > 1 && !hlo_affine_is_constant(a.size) && !choose(t)) {
    require(t, b.size, 1, 1);
    return (progression){offset, a.size, a.stride};
  }
  if (ratio > 1) require(t, a.size, ratio, greatest(t, a.size));
  const hlo_affine *more = hlo_affine_shift(t->context, b.size, -1);
  return (progression){offset, hlo_affine_add_scaled(t->context, a.size, more, ratio), a.stride};
}

static uint64_t variables_of(const hlo_affine *a) {
  uint64_t dims = hlo_affine_variable_mask(a, HLO_AFFINE_DIM);
  uint64_t ranges = hlo_affine_variable_mask(a, HLO_AFFINE_RANGE);
  return dims | ranges << 32;
}

static progression of_expression(tiler *t, const hlo_affine *a) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a);
  const hlo_affine *one = hlo_affine_constant(t->context, 1);
  progression parts[MAX_TERMS], sum = {hlo_affine_constant(t->context, terms.constant), one, 1};
  if (terms.count > MAX_TERMS) return fail(t);
  uint64_t seen = 0;
  for (int32_t i = 0; i < terms.count; i++) {
    uint64_t own = variables_of(terms.terms[i].atom);
    if ((seen & own) != 0) return fail(t); // terms that depend on each other
    seen |= own;
    progression p = of_term(t, &terms.terms[i]);
    if (t->failed) return p;
    int32_t at = i;
    for (; at > 0 && parts[at - 1].stride > p.stride; at--) parts[at] = parts[at - 1];
    parts[at] = p;
  }
  for (int32_t i = 0; i < terms.count && !t->failed; i++) sum = join(t, sum, parts[i]);
  return sum;
}

// Are the operand's indices independent, so that all combinations of their values are needed? The
// quotient and the remainder of one division are.
static bool are_apart(const hlo_map *access) {
  for (int32_t i = 0; i < access->result_count; i++)
    for (int32_t k = 0; k < i; k++) {
      const hlo_affine *a = access->results[i], *b = access->results[k];
      if ((variables_of(a) & variables_of(b)) == 0) continue;
      bool is_pair = (a->kind == HLO_AFFINE_MOD && b->kind == HLO_AFFINE_FLOORDIV) ||
                     (a->kind == HLO_AFFINE_FLOORDIV && b->kind == HLO_AFFINE_MOD);
      if (!is_pair || a->left != b->left || a->right != b->right) return false;
    }
  return true;
}

// Does the map leave out some elements of the result?
static bool is_partial(const hlo_map *access, const hlo_shape *result) {
  bool partial = access->constraint_count > 0;
  for (int32_t i = 0; i < access->variable_count[HLO_AFFINE_RUNTIME]; i++)
    partial |= access->variables[HLO_AFFINE_RUNTIME][i].is_gate;
  for (int32_t d = 0; d < access->variable_count[HLO_AFFINE_DIM]; d++)
    partial |= !hlo_interval_equal(access->variables[HLO_AFFINE_DIM][d].range,
                                   hlo_interval_make(0, result->dims[d] - 1));
  return partial;
}

// (offsets, sizes){runtime} -> (offsets, sizes), under what the case requires.
static hlo_status create_map(tiler *t, const progression *tile, const hlo_map **out,
                             hlo_error *error) {
  const hlo_map *access = t->access;
  hlo_arena *arena = hlo_affine_arena(t->context);
  int32_t rank = access->variable_count[HLO_AFFINE_DIM];
  hlo_map_variable *variables;
  const hlo_affine **results;
  HLO_ALLOC(variables, arena, 2 * rank, error);
  HLO_ALLOC(results, arena, 2 * access->result_count, error);
  for (int32_t d = 0; d < rank; d++) {
    variables[d].range = access->variables[HLO_AFFINE_DIM][d].range;
    variables[rank + d].range = hlo_interval_make(1, variables[d].range.upper + 1);
    hlo_string name = {0};
    hlo_affine_print_variable(&name, HLO_AFFINE_RANGE, d, NULL); // s0, s1, …
    if (!name.failed)
      variables[rank + d].name = hlo_arena_copy_text(arena, name.text, strlen(name.text));
    hlo_string_free(&name);
    if (variables[rank + d].name == NULL) return hlo_fail_out_of_memory(error);
  }
  for (int32_t d = 0; d < access->result_count; d++) {
    results[d] = tile[d].offset;
    results[access->result_count + d] = tile[d].size;
  }
  hlo_map fields = *access;
  fields.variable_count[HLO_AFFINE_DIM] = 2 * rank;
  fields.variables[HLO_AFFINE_DIM] = variables;
  fields.variable_count[HLO_AFFINE_RANGE] = 0;
  fields.result_count *= 2;
  fields.results = results;
  fields.constraint_count = t->constraint_count;
  fields.constraints = t->constraints;
  HLO_TRY(hlo_map_create(t->context, &fields, out, error));
  const hlo_map *simple;
  HLO_TRY(hlo_map_simplify(t->context, *out, 0, &simple, NULL, error));
  fields.results = simple->results;
  fields.known_empty = simple->known_empty;
  return hlo_map_create(t->context, &fields, out, error);
}

hlo_status hlo_indexing_symbolic_tiles_of(hlo_indexing_analysis *analysis,
                                          const hlo_indexing *access, const hlo_shape *result,
                                          hlo_indexing_symbolic_tile **tiles, int32_t *count,
                                          hlo_error *error) {
  hlo_affine_context *context = hlo_indexing_context(analysis);
  hlo_arena *arena = hlo_affine_arena(context);
  const hlo_map *map = access->map;
  *count = 0;
  HLO_ALLOC(*tiles, arena, 1 << MAX_CHOICES, error);
  bool is_known = !map->known_empty && map->variable_count[HLO_AFFINE_DIM] <= HLO_MAX_RANK &&
                  map->variable_count[HLO_AFFINE_RANGE] <= 32;
  for (uint32_t cases = 0; is_known && cases < 1 << MAX_CHOICES; cases++) {
    tiler t = {.context = context, .access = map, .cases = cases};
    progression *dims;
    hlo_indexing_symbolic_tile *tile = &(*tiles)[*count];
    HLO_ALLOC(dims, arena, map->result_count, error);
    HLO_ALLOC(tile->strides, arena, map->result_count, error);
    for (int32_t d = 0; d < map->result_count && !t.failed; d++) {
      dims[d] = of_expression(&t, map->results[d]);
      tile->strides[d] = is_single(&dims[d]) ? 1 : dims[d].stride;
    }
    if (hlo_affine_forgive(context) || t.failed) { // also where an expression overflows
      HLO_TRY(hlo_affine_status(context, error));
      continue;
    }
    if (cases >> t.choice_count != 0) continue; // the same as with fewer bits
    HLO_TRY(create_map(&t, dims, &tile->map, error));
    const hlo_map *simple;
    HLO_TRY(hlo_map_simplify(context, tile->map, 0, &simple, NULL, error));
    if (simple->known_empty) continue;
    tile->is_guarded = is_partial(map, result);
    tile->is_exact = are_apart(map) && !tile->is_guarded;
    tile->rank = map->result_count;
    tile->runtimes = access->runtimes;
    ++*count;
  }
  return HLO_OK;
}
