// Removes range and runtime variables that nothing depends on, and numbers the others anew.
// See simplifier.h.
#include "indexing/maps/simplifier.h"

// Assignments tried to find out whether constraints can be satisfied at all.
enum { MOST_ASSIGNMENTS = 1 << 12 };

typedef struct usage {
  hlo_simplifier *s;
  bool *is_used[HLO_AFFINE_VARIABLE_KINDS];
  bool found; // by any_used
} usage;

static void mark_used(void *host, hlo_affine_kind kind, int32_t index) {
  usage *u = host;
  u->is_used[kind][index] = true;
}

static void any_used(void *host, hlo_affine_kind kind, int32_t index) {
  usage *u = host;
  if (u->is_used[kind][index]) u->found = true;
}

static bool touches_used(usage *u, const hlo_affine *a) {
  u->found = false;
  hlo_affine_each_variable(u->s->context, a, any_used, u);
  return u->found;
}

// Dims are used, and gates; so is what results depend on, and what stands in a constraint with such
// a variable.
static hlo_status mark_all_used(usage *u, hlo_error *error) {
  hlo_simplifier *s = u->s;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    HLO_ALLOC(u->is_used[kind], hlo_affine_arena(s->context), s->variable_count[kind], error);
    for (int32_t i = 0; i < s->variable_count[kind]; i++)
      u->is_used[kind][i] = kind == HLO_AFFINE_DIM || s->variables[kind][i].is_gate;
  }
  bool keeps_gates = (s->flags & HLO_SIMPLIFY_KEEP_GATES) != 0;
  for (int32_t i = 0; i < s->constraint_count && keeps_gates; i++)
    if (s->constraints[i].expression->variables >> HLO_AFFINE_RUNTIME & 1)
      hlo_affine_each_variable(s->context, s->constraints[i].expression, mark_used, u);
  for (int32_t i = 0; i < s->result_count; i++)
    hlo_affine_each_variable(s->context, s->results[i], mark_used, u);
  bool *is_done;
  HLO_ALLOC(is_done, hlo_affine_arena(s->context), s->constraint_count, error);
  for (bool changed = true; changed;) {
    changed = false;
    for (int32_t i = 0; i < s->constraint_count; i++) {
      if (is_done[i] || !touches_used(u, s->constraints[i].expression)) continue;
      hlo_affine_each_variable(s->context, s->constraints[i].expression, mark_used, u);
      is_done[i] = changed = true;
    }
  }
  return HLO_OK;
}

// --- can the constraints on unused variables be satisfied? ---

typedef struct witness_search {
  usage *u;
  int64_t *values[HLO_AFFINE_VARIABLE_KINDS];
  bool *is_free[HLO_AFFINE_VARIABLE_KINDS]; // stands in such a constraint
  bool is_complete;                         // every assignment can be tried
} witness_search;

static void mark_free(void *host, hlo_affine_kind kind, int32_t index) {
  witness_search *w = host;
  w->is_free[kind][index] = true;
}

static int64_t first_value(hlo_interval range) {
  if (range.lower != INT64_MIN) return range.lower;
  return range.upper < 0 ? range.upper : 0;
}

// The next assignment, the last variable fastest; false after the last one.
static bool next_assignment(witness_search *w) {
  for (int kind = HLO_AFFINE_VARIABLE_KINDS - 1; kind >= 0; kind--) {
    for (int32_t i = w->u->s->variable_count[kind] - 1; i >= 0; i--) {
      if (!w->is_free[kind][i]) continue;
      hlo_interval range = w->u->s->variables[kind][i].range;
      if (range.lower == INT64_MIN || range.upper == INT64_MAX) w->is_complete = false;
      if (w->values[kind][i] < range.upper) {
        w->values[kind][i]++;
        return true;
      }
      w->values[kind][i] = first_value(range);
    }
  }
  return false;
}

static bool satisfies_unused(witness_search *w) {
  hlo_simplifier *s = w->u->s;
  hlo_affine_values values = {{w->values[0], w->values[1], w->values[2]}};
  for (int32_t i = 0; i < s->constraint_count; i++) {
    const hlo_map_constraint *c = &s->constraints[i];
    hlo_error error = {0};
    int64_t value;
    if (touches_used(w->u, c->expression)) continue;
    if (hlo_affine_evaluate(c->expression, &values, &value, &error) != HLO_OK ||
        !hlo_interval_has(c->range, value))
      return false;
  }
  return true;
}

typedef enum search_result { SATISFIABLE, UNSATISFIABLE, UNDECIDED } search_result;

static hlo_status search(usage *u, search_result *out, hlo_error *error) {
  hlo_simplifier *s = u->s;
  witness_search w = {.u = u, .is_complete = true};
  bool has_any = false;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    HLO_ALLOC(w.values[kind], hlo_affine_arena(s->context), s->variable_count[kind], error);
    HLO_ALLOC(w.is_free[kind], hlo_affine_arena(s->context), s->variable_count[kind], error);
    for (int32_t i = 0; i < s->variable_count[kind]; i++)
      w.values[kind][i] = first_value(s->variables[kind][i].range);
  }
  for (int32_t i = 0; i < s->constraint_count; i++) {
    if (touches_used(u, s->constraints[i].expression)) continue;
    has_any = true;
    hlo_affine_each_variable(s->context, s->constraints[i].expression, mark_free, &w);
  }
  *out = has_any ? UNDECIDED : SATISFIABLE;
  for (int32_t tried = 0; tried < MOST_ASSIGNMENTS && *out == UNDECIDED; tried++) {
    if (satisfies_unused(&w)) *out = SATISFIABLE;
    else if (!next_assignment(&w)) *out = w.is_complete ? UNSATISFIABLE : UNDECIDED;
    else continue;
    break;
  }
  return HLO_OK;
}

hlo_status hlo_simplifier_drop_unused(hlo_simplifier *s, hlo_error *error) {
  usage u = {.s = s};
  HLO_TRY(mark_all_used(&u, error));
  search_result result;
  HLO_TRY(search(&u, &result, error));
  if (result == UNSATISFIABLE) s->known_empty = true;
  int32_t kept = 0;
  for (int32_t i = 0; i < s->constraint_count; i++) {
    hlo_map_constraint c = s->constraints[i];
    bool is_kept = touches_used(&u, c.expression);
    if (result == UNDECIDED && !is_kept) {
      hlo_affine_each_variable(s->context, c.expression, mark_used, &u);
      is_kept = true;
    }
    if (is_kept) s->constraints[kept++] = c;
  }
  s->constraint_count = kept;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) s->is_used[kind] = u.is_used[kind];
  return HLO_OK;
}

hlo_status hlo_simplifier_renumber(hlo_simplifier *s, hlo_map_origins *origins, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(s->context);
  hlo_affine_replacements replacements = {0};
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    int32_t count = 0, *of;
    const hlo_affine **moved;
    HLO_ALLOC(of, arena, s->variable_count[kind], error);
    HLO_ALLOC(moved, arena, s->variable_count[kind], error);
    for (int32_t i = 0; i < s->variable_count[kind]; i++) {
      if (!s->is_used[kind][i]) continue;
      moved[i] = hlo_affine_variable(s->context, (hlo_affine_kind)kind, count);
      s->variables[kind][count] = s->variables[kind][i];
      of[count++] = i;
    }
    s->variable_count[kind] = count;
    origins->of[kind] = of;
    replacements.by[kind] = moved;
  }
  for (int32_t i = 0; i < s->result_count; i++)
    s->results[i] = hlo_affine_substitute(s->context, s->results[i], &replacements);
  for (int32_t i = 0; i < s->constraint_count; i++)
    s->constraints[i].expression =
        hlo_affine_substitute(s->context, s->constraints[i].expression, &replacements);
  return HLO_OK;
}
