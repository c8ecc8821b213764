// Maps through whole computations, instruction by instruction, and so through fusions and calls.
// See indexing.h.
#include "indexing/analysis.h"

hlo_status hlo_indexing_analysis_create(hlo_arena *arena, hlo_indexing_analysis **out,
                                        hlo_error *error) {
  HLO_ALLOC(*out, arena, 1, error);
  (*out)->arena = arena;
  return hlo_affine_context_create(arena, &(*out)->context, error);
}

hlo_affine_context *hlo_indexing_context(const hlo_indexing_analysis *analysis) {
  return analysis->context;
}

const hlo_indexing_set *hlo_indexing_get(const hlo_indexing_table *table, const hlo_instruction *x,
                                         int32_t leaf) {
  static const hlo_indexing_set empty;
  const hlo_indexing_set *set = hlo_leaf_map_get(&table->sets, x, leaf);
  return set == NULL ? &empty : set;
}

// --- walking ---

typedef struct reached_leaf {
  const hlo_instruction *x;
  int32_t leaf;
} reached_leaf;

typedef struct walk {
  hlo_indexing_analysis *analysis;
  hlo_leaf_map *sets; // of leaves that are reached
  // Reached leaves that are still to be left, as a heap: those of the last instruction first.
  reached_leaf *open;
  int32_t open_count, open_capacity;
  int64_t steps; // sets of maps by one instruction that were looked at
} walk;

// Each of n elements of a tuple that is read asks for a set of each.
enum { MOST_STEPS = 1 << 22 };

static void swap_open(walk *w, int32_t i, int32_t k) {
  reached_leaf old = w->open[i];
  w->open[i] = w->open[k];
  w->open[k] = old;
}

static bool comes_first(const walk *w, int32_t i, int32_t k) {
  return w->open[i].x->id > w->open[k].x->id;
}

static hlo_status push_open(walk *w, const hlo_instruction *x, int32_t leaf, hlo_error *error) {
  HLO_GROW_LIST(w->open, w->analysis->arena, w->open_count, w->open_capacity, error);
  int32_t i = w->open_count++;
  w->open[i] = (reached_leaf){x, leaf};
  for (; i > 0 && comes_first(w, i, (i - 1) / 2); i = (i - 1) / 2) swap_open(w, i, (i - 1) / 2);
  return HLO_OK;
}

static reached_leaf pop_open(walk *w) {
  reached_leaf first = w->open[0];
  w->open[0] = w->open[--w->open_count];
  for (int32_t i = 0, child; (child = 2 * i + 1) < w->open_count; i = child) {
    if (child + 1 < w->open_count && comes_first(w, child + 1, child)) child++;
    if (!comes_first(w, child, i)) break;
    swap_open(w, i, child);
  }
  return first;
}

static bool is_reached(const hlo_indexing_set *set) {
  return set != NULL && (set->is_unknown || set->count > 0);
}

static const hlo_indexing_set *set_of(const walk *w, const hlo_instruction *x, int32_t leaf) {
  return hlo_leaf_map_get(w->sets, x, leaf);
}

// The set of a leaf, to add to.
static hlo_status reach(walk *w, const hlo_instruction *x, int32_t leaf, hlo_indexing_set **out,
                        hlo_error *error) {
  *out = hlo_leaf_map_get(w->sets, x, leaf);
  if (*out != NULL) return HLO_OK;
  HLO_ALLOC(*out, w->analysis->arena, 1, error);
  HLO_TRY(hlo_leaf_map_put(w->sets, w->analysis->arena, x, leaf, *out, error));
  return push_open(w, x, leaf, error);
}

static hlo_status start_walk(walk *w, const hlo_instruction *x, int32_t leaf, hlo_error *error) {
  if (leaf < 0 || leaf >= hlo_shape_leaf_count(x->shape))
    return hlo_instruction_fail(x, HLO_INVALID_ARGUMENT, error, "has no output %d", leaf);
  const hlo_shape *shape = hlo_shape_leaf(x->shape, leaf);
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  hlo_affine_context *context = w->analysis->context;
  hlo_indexing identity = {0};
  hlo_indexing_set *set;
  HLO_TRY(hlo_map_identity(context, shape->rank, shape->dims, &identity.map, error));
  HLO_TRY(hlo_indexing_simplify(context, &identity, 0, &identity, error));
  HLO_TRY(reach(w, x, leaf, &set, error));
  return hlo_indexing_set_add(context, set, &identity, error);
}

// Only what lies inside the array that is arrived at: an update's map leaves that open.
static hlo_status limit_to(hlo_affine_context *context, const hlo_indexing_set *step,
                           const hlo_shape *shape, hlo_indexing_set *out, hlo_error *error) {
  *out = (hlo_indexing_set){.is_unknown = step->is_unknown};
  hlo_indexing inside = {0};
  if (step->count == 0) return HLO_OK;
  HLO_TRY(hlo_map_identity(context, shape->rank, shape->dims, &inside.map, error));
  hlo_indexing_set identity = {.count = 1, .items = &inside};
  return hlo_indexing_set_compose(context, step, &identity, out, error);
}

// Whether the step leads from each element of one shape to the one at the same index of the other.
static bool is_identity(const hlo_indexing_set *step, const hlo_shape *from, const hlo_shape *to) {
  if (step->is_unknown || step->count != 1 || from->rank != to->rank) return false;
  const hlo_map *map = step->items[0].map;
  bool is_plain = !map->known_empty && map->constraint_count == 0 &&
                  map->variable_count[HLO_AFFINE_RANGE] == 0 &&
                  map->variable_count[HLO_AFFINE_RUNTIME] == 0;
  for (int32_t d = 0; d < to->rank && is_plain; d++) {
    const hlo_affine *result = map->results[d];
    hlo_interval range = map->variables[HLO_AFFINE_DIM][d].range;
    is_plain = result->kind == HLO_AFFINE_DIM && result->index == d &&
               from->dims[d] == to->dims[d] && range.lower == 0 && range.upper == to->dims[d] - 1;
  }
  return is_plain;
}

// Adds to a leaf's set the ways to `from`: the leaf is the same array, or has the same indices.
static hlo_status go_by_alias(walk *w, const hlo_indexing_set *from, const hlo_instruction *to,
                              int32_t leaf, hlo_error *error) {
  if (!is_reached(from) || !hlo_shape_is_array(hlo_shape_leaf(to->shape, leaf))) return HLO_OK;
  hlo_indexing_set *out;
  HLO_TRY(reach(w, to, leaf, &out, error));
  if (from->is_unknown) hlo_indexing_set_to_unknown(out);
  for (int32_t i = 0; i < from->count; i++)
    HLO_TRY(hlo_indexing_set_add(w->analysis->context, out, &from->items[i], error));
  return HLO_OK;
}

// Adds to a leaf's set the ways there from `from`, where elements of such a shape are reached, by
// one instruction's maps `step`.
static hlo_status go(walk *w, const hlo_indexing_set *from, const hlo_shape *from_shape,
                     const hlo_indexing_set *step, const hlo_instruction *to, int32_t leaf,
                     hlo_error *error) {
  if (!is_reached(from) || !is_reached(step)) return HLO_OK;
  const hlo_shape *shape = hlo_shape_leaf(to->shape, leaf);
  if (is_identity(step, from_shape, shape)) return go_by_alias(w, from, to, leaf, error);
  hlo_indexing_set inside, *out;
  hlo_affine_context *context = w->analysis->context;
  HLO_TRY(limit_to(context, step, shape, &inside, error));
  HLO_TRY(reach(w, to, leaf, &out, error));
  return hlo_indexing_set_compose(context, from, &inside, out, error);
}

// Looks at so many more sets of maps.
static hlo_status count_steps(walk *w, const hlo_instruction *x, int32_t count, hlo_error *error) {
  w->steps += count;
  if (w->steps <= MOST_STEPS) return HLO_OK;
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                              "indexing maps through so many arrays are more than %d",
                              (int)MOST_STEPS);
}

static hlo_status walk_to_operands(walk *w, const hlo_instruction *x, int32_t leaf,
                                   hlo_error *error) {
  const hlo_indexing_set *from = set_of(w, x, leaf), *steps;
  if (hlo_rule_is_alias(x)) {
    int32_t operand = hlo_rule_alias_operand(x, &leaf);
    return go_by_alias(w, from, x->operands[operand], leaf, error);
  }
  const hlo_shape *shape = hlo_shape_leaf(x->shape, leaf);
  HLO_TRY(count_steps(w, x, hlo_indexing_operand_leaves(x), error));
  HLO_TRY(hlo_indexing_output_to_input(w->analysis, x, leaf, &steps, error));
  for (int32_t k = 0, next = 0; k < x->operand_count; k++) {
    int32_t count = hlo_shape_leaf_count(x->operands[k]->shape);
    for (int32_t i = 0; i < count; i++)
      HLO_TRY(go(w, from, shape, &steps[next++], x->operands[k], i, error));
  }
  return HLO_OK;
}

static hlo_status walk_to_aliases(walk *w, const hlo_instruction *x, hlo_error *error) {
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  for (int32_t leaf = 0; leaf < leaves; leaf++) {
    int32_t of = leaf, operand = hlo_rule_alias_operand(x, &of);
    HLO_TRY(go_by_alias(w, set_of(w, x->operands[operand], of), x, leaf, error));
  }
  return HLO_OK;
}

static hlo_status walk_to_results(walk *w, const hlo_instruction *x, hlo_error *error) {
  if (hlo_rule_is_alias(x)) return walk_to_aliases(w, x, error);
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  for (int32_t k = 0, next = 0; k < x->operand_count; k++) {
    int32_t count = hlo_shape_leaf_count(x->operands[k]->shape);
    for (int32_t i = 0; i < count; i++, next++) {
      const hlo_indexing_set *from = set_of(w, x->operands[k], i), *steps;
      if (!is_reached(from)) continue;
      const hlo_shape *shape = hlo_shape_leaf(x->operands[k]->shape, i);
      HLO_TRY(count_steps(w, x, leaves, error));
      HLO_TRY(hlo_indexing_input_to_output(w->analysis, x, next, &steps, error));
      for (int32_t leaf = 0; leaf < leaves; leaf++)
        HLO_TRY(go(w, from, shape, &steps[leaf], x, leaf, error));
    }
  }
  return HLO_OK;
}

static hlo_status lookup_table(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                               int32_t leaf, bool forwards, const hlo_indexing_table **out,
                               hlo_error *error) {
  hlo_leaf_map *known = forwards ? &analysis->known_to : &analysis->known_from;
  *out = hlo_leaf_map_get(known, x, leaf);
  if (*out != NULL) return HLO_OK;
  hlo_indexing_table *table;
  HLO_ALLOC(table, analysis->arena, 1, error);
  walk w = {.analysis = analysis, .sets = &table->sets};
  HLO_TRY(start_walk(&w, x, leaf, error));
  const hlo_computation *computation = x->computation;
  while (w.open_count > 0 && !forwards) {
    reached_leaf at = pop_open(&w);
    HLO_TRY(walk_to_operands(&w, at.x, at.leaf, error));
  }
  for (int32_t i = x->id + 1; i < computation->instruction_count && forwards; i++)
    HLO_TRY(walk_to_results(&w, computation->instructions[i], error));
  HLO_TRY(hlo_leaf_map_put(known, analysis->arena, x, leaf, table, error));
  *out = table;
  return HLO_OK;
}

hlo_status hlo_indexing_from(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                             int32_t leaf, const hlo_indexing_table **out, hlo_error *error) {
  return lookup_table(analysis, x, leaf, false, out, error);
}

hlo_status hlo_indexing_to(hlo_indexing_analysis *analysis, const hlo_instruction *x, int32_t leaf,
                           const hlo_indexing_table **out, hlo_error *error) {
  return lookup_table(analysis, x, leaf, true, out, error);
}

// --- calls and fusions: parameters are the operands, leaf by leaf ---

static const hlo_computation *callee_of(const hlo_instruction *x) {
  const hlo_computation *callee = hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  return callee != NULL ? callee : hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
}

hlo_status hlo_call_to_operands(hlo_rule_request *r, hlo_error *error) {
  const hlo_computation *callee = callee_of(r->x);
  const hlo_indexing_table *table;
  HLO_TRY(hlo_indexing_from(r->analysis, callee->root, r->leaf, &table, error));
  for (int32_t k = 0, next = 0; k < callee->parameter_count; k++) {
    const hlo_instruction *parameter = callee->parameters[k];
    for (int32_t i = 0; i < hlo_shape_leaf_count(parameter->shape); i++)
      r->sets[next++] = *hlo_indexing_get(table, parameter, i);
  }
  return HLO_OK;
}

hlo_status hlo_call_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_computation *callee = callee_of(r->x);
  int32_t leaf = r->leaf, k = 0;
  for (; leaf >= hlo_shape_leaf_count(callee->parameters[k]->shape); k++)
    leaf -= hlo_shape_leaf_count(callee->parameters[k]->shape);
  const hlo_indexing_table *table;
  HLO_TRY(hlo_indexing_to(r->analysis, callee->parameters[k], leaf, &table, error));
  for (int32_t i = 0; i < hlo_shape_leaf_count(r->x->shape); i++)
    r->sets[i] = *hlo_indexing_get(table, callee->root, i);
  return HLO_OK;
}
