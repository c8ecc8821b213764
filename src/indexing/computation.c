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
  return &table->sets[table->starts[x->id] + leaf];
}

// --- walking ---

typedef struct walk {
  hlo_indexing_analysis *analysis;
  const hlo_computation *computation;
  int32_t *starts;
  hlo_indexing_set *sets;
  int64_t steps; // sets of maps by one instruction that were looked at
} walk;

// Each of n elements of a tuple that is read asks for a set of each.
enum { MOST_STEPS = 1 << 22 };

static hlo_indexing_set *set_of(walk *w, const hlo_instruction *x, int32_t leaf) {
  return &w->sets[w->starts[x->id] + leaf];
}

static hlo_status start_walk(walk *w, hlo_indexing_analysis *analysis, const hlo_instruction *x,
                             int32_t leaf, hlo_error *error) {
  const hlo_computation *computation = x->computation;
  *w = (walk){.analysis = analysis, .computation = computation};
  if (leaf < 0 || leaf >= hlo_shape_leaf_count(x->shape))
    return hlo_instruction_fail(x, HLO_INVALID_ARGUMENT, error, "has no output %d", leaf);
  HLO_ALLOC(w->starts, analysis->arena, computation->instruction_count, error);
  int32_t total = 0;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    w->starts[i] = total;
    total += hlo_shape_leaf_count(computation->instructions[i]->shape);
  }
  HLO_ALLOC(w->sets, analysis->arena, total, error);
  const hlo_shape *shape = hlo_shape_leaf(x->shape, leaf);
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  hlo_indexing identity = {0};
  HLO_TRY(hlo_map_identity(analysis->context, shape->rank, shape->dims, &identity.map, error));
  HLO_TRY(indexing_simplify(analysis->context, &identity, 0, &identity, error));
  return indexing_set_add(analysis->context, set_of(w, x, leaf), &identity, error);
}

static bool is_reached(const hlo_indexing_set *set) { return set->is_unknown || set->count > 0; }

// Only what lies inside the array that is arrived at: an update's map leaves that open.
static hlo_status limit_to(hlo_affine_context *context, const hlo_indexing_set *step,
                           const hlo_shape *shape, hlo_indexing_set *out, hlo_error *error) {
  *out = (hlo_indexing_set){.is_unknown = step->is_unknown};
  hlo_indexing inside = {0};
  if (step->count == 0) return HLO_OK;
  HLO_TRY(hlo_map_identity(context, shape->rank, shape->dims, &inside.map, error));
  hlo_indexing_set identity = {.count = 1, .items = &inside};
  return indexing_set_compose(context, step, &identity, out, error);
}

// Adds to a leaf's set the ways there from `from` by one instruction's maps `step`.
static hlo_status go(walk *w, const hlo_indexing_set *from, const hlo_indexing_set *step,
                     const hlo_instruction *to, int32_t leaf, hlo_error *error) {
  if (!is_reached(from) || !is_reached(step)) return HLO_OK;
  hlo_indexing_set inside;
  hlo_affine_context *context = w->analysis->context;
  HLO_TRY(limit_to(context, step, hlo_shape_leaf(to->shape, leaf), &inside, error));
  return indexing_set_compose(context, from, &inside, set_of(w, to, leaf), error);
}

// Looks at so many more sets of maps.
static hlo_status count_steps(walk *w, const hlo_instruction *x, int32_t count, hlo_error *error) {
  w->steps += count;
  if (w->steps <= MOST_STEPS) return HLO_OK;
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                              "indexing maps through so many arrays are more than %d",
                              (int)MOST_STEPS);
}

static hlo_status walk_to_operands(walk *w, const hlo_instruction *x, hlo_error *error) {
  int32_t leaves = hlo_shape_leaf_count(x->shape), operands = hlo_indexing_operand_leaves(x);
  for (int32_t leaf = 0; leaf < leaves; leaf++) {
    const hlo_indexing_set *from = set_of(w, x, leaf), *steps;
    if (!is_reached(from)) continue;
    HLO_TRY(count_steps(w, x, operands, error));
    HLO_TRY(hlo_indexing_output_to_input(w->analysis, x, leaf, &steps, error));
    for (int32_t k = 0, next = 0; k < x->operand_count; k++) {
      int32_t count = hlo_shape_leaf_count(x->operands[k]->shape);
      for (int32_t i = 0; i < count; i++)
        HLO_TRY(go(w, from, &steps[next++], x->operands[k], i, error));
    }
  }
  return HLO_OK;
}

static hlo_status walk_to_results(walk *w, const hlo_instruction *x, hlo_error *error) {
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  for (int32_t k = 0, next = 0; k < x->operand_count; k++) {
    int32_t count = hlo_shape_leaf_count(x->operands[k]->shape);
    for (int32_t i = 0; i < count; i++, next++) {
      const hlo_indexing_set *from = set_of(w, x->operands[k], i), *steps;
      if (!is_reached(from)) continue;
      HLO_TRY(count_steps(w, x, leaves, error));
      HLO_TRY(hlo_indexing_input_to_output(w->analysis, x, next, &steps, error));
      for (int32_t leaf = 0; leaf < leaves; leaf++)
        HLO_TRY(go(w, from, &steps[leaf], x, leaf, error));
    }
  }
  return HLO_OK;
}

static hlo_status find_table(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                             int32_t leaf, bool forwards, const hlo_indexing_table **out,
                             hlo_error *error) {
  for (known_table *known = analysis->known; known != NULL; known = known->next) {
    if (known->x != x || known->leaf != leaf || known->forwards != forwards) continue;
    *out = known->table;
    return HLO_OK;
  }
  walk w;
  HLO_TRY(start_walk(&w, analysis, x, leaf, error));
  const hlo_computation *computation = x->computation;
  for (int32_t i = x->id; i >= 0 && !forwards; i--)
    HLO_TRY(walk_to_operands(&w, computation->instructions[i], error));
  for (int32_t i = x->id + 1; i < computation->instruction_count && forwards; i++)
    HLO_TRY(walk_to_results(&w, computation->instructions[i], error));
  hlo_indexing_table *table;
  known_table *known;
  HLO_ALLOC(table, analysis->arena, 1, error);
  HLO_ALLOC(known, analysis->arena, 1, error);
  *table = (hlo_indexing_table){computation, w.starts, w.sets};
  *known = (known_table){analysis->known, x, leaf, forwards, table};
  analysis->known = known;
  *out = table;
  return HLO_OK;
}

hlo_status hlo_indexing_from(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                             int32_t leaf, const hlo_indexing_table **out, hlo_error *error) {
  return find_table(analysis, x, leaf, false, out, error);
}

hlo_status hlo_indexing_to(hlo_indexing_analysis *analysis, const hlo_instruction *x, int32_t leaf,
                           const hlo_indexing_table **out, hlo_error *error) {
  return find_table(analysis, x, leaf, true, out, error);
}

// --- calls and fusions: parameters are the operands, leaf by leaf ---

static const hlo_computation *callee_of(const hlo_instruction *x) {
  const hlo_computation *callee = hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  return callee != NULL ? callee : hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
}

hlo_status call_to_operands(rule_request *r, hlo_error *error) {
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

hlo_status call_to_results(rule_request *r, hlo_error *error) {
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
