// Constraints: solved for variables, merged, dropped. See simplifier.h.
//
// A constraint's expression loses its constant, its common factor and its leading minus to the
// interval, and floordivs are undone, until a variable is left (whose range takes the interval), or
// a mod, a product or a sum of several terms. Every step keeps the set of assignments that satisfy
// ranges and constraints together.
#include "indexing/maps/simplifier.h"

// --- one constraint ---

// Takes constant, common factor and sign of a sum out. False when nothing was left to do.
static bool peel_sum(hlo_simplifier *s, hlo_map_constraint *c) {
  const hlo_affine *a = c->expression;
  if (a->kind != HLO_AFFINE_SUM || a->term_count == 0 || a->constant == INT64_MIN) return false;
  int64_t common = 0;
  for (int32_t i = 0; i < a->term_count; i++) {
    if (a->terms[i].factor == INT64_MIN) return false;
    common = hlo_gcd(common, a->terms[i].factor);
  }
  if (a->terms[0].factor < 0) common = -common;
  if (common == 1 && a->constant == 0) return false;
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  for (int32_t i = 0; i < a->term_count; i++)
    hlo_affine_sum_add_atom(&sum, a->terms[i].atom, a->terms[i].factor / common);
  hlo_interval range = hlo_interval_shift(c->range, -a->constant);
  *c = (hlo_map_constraint){hlo_affine_sum_finish(&sum), hlo_interval_undo_scale(range, common)};
  return true;
}

static bool peel_floordiv(hlo_map_constraint *c) {
  int64_t divisor = hlo_affine_divisor(c->expression);
  if (c->expression->kind != HLO_AFFINE_FLOORDIV || divisor <= 0) return false;
  *c = (hlo_map_constraint){c->expression->left, hlo_interval_undo_floordiv(c->range, divisor)};
  return true;
}

// x with a * x ≡ 1 modulo n, by Euclid; 0 if there is none. 1 < n.
static int64_t modular_inverse(int64_t a, int64_t n) {
  int64_t old_rest = n, rest = hlo_floor_mod(a, n), old_factor = 0, factor = 1;
  while (rest != 0) {
    int64_t quotient = old_rest / rest, next = old_rest - quotient * rest;
    old_rest = rest;
    rest = next;
    next = old_factor - quotient * factor;
    old_factor = factor;
    factor = next;
  }
  return old_rest == 1 ? hlo_floor_mod(old_factor, n) : 0;
}

// (a * x + k) mod n in [r, r], with one variable and a ≠ 1, is x mod n in [q, q].
static void solve_rest(hlo_simplifier *s, hlo_map_constraint *c) {
  hlo_affine_terms terms;
  int64_t n = hlo_affine_divisor(c->expression), rest;
  if (c->expression->kind != HLO_AFFINE_MOD || n <= 1 || !hlo_interval_is_point(c->range) ||
      !hlo_interval_has(hlo_interval_make(0, n - 1), c->range.lower))
    return;
  hlo_affine_terms_of(&terms, c->expression->left);
  if (terms.count != 1 || terms.terms[0].factor == 1 ||
      !hlo_affine_is_variable(terms.terms[0].atom))
    return;
  int64_t inverse = modular_inverse(terms.terms[0].factor, n);
  if (inverse == 0 || !hlo_checked_sub(c->range.lower, terms.constant, &rest) ||
      !hlo_checked_mul(hlo_floor_mod(rest, n), inverse, &rest))
    return;
  rest = hlo_floor_mod(rest, n);
  c->expression = hlo_affine_divided(s->context, HLO_AFFINE_MOD, terms.terms[0].atom, n);
  c->range = hlo_interval_make(rest, rest);
}

// Each step makes the expression shorter, except that what simplifies to may begin with another
// minus.
enum { MOST_STEPS = 2 * HLO_AFFINE_MAX_DEPTH };

static void solve(hlo_simplifier *s, int32_t index, hlo_map_constraint *c) {
  hlo_simplifier_ignore(s, index);
  c->expression = hlo_simplifier_simplify(s, c->expression);
  for (int step = 0; step < MOST_STEPS && !hlo_affine_has_failed(s->context); step++) {
    if (!peel_sum(s, c) && !peel_floordiv(c)) break;
    c->expression = hlo_simplifier_simplify(s, c->expression);
  }
  solve_rest(s, c);
}

static void remove_constraint(hlo_simplifier *s, int32_t index) {
  for (int32_t i = index; i + 1 < s->constraint_count; i++)
    s->constraints[i] = s->constraints[i + 1];
  s->constraint_count--;
  hlo_simplifier_ignore(s, IGNORE_NOTHING);
  hlo_simplifier_forget(s);
}

// Solves one constraint. True if it is gone; *changed is set if anything changed.
static bool solve_one(hlo_simplifier *s, int32_t index, bool *changed) {
  hlo_map_constraint c = s->constraints[index], before = c;
  solve(s, index, &c);
  if (hlo_affine_has_failed(s->context)) return false;
  hlo_interval range = hlo_simplifier_range(s, c.expression);
  if (hlo_interval_is_empty(hlo_interval_intersect(range, c.range))) s->known_empty = true;
  bool is_redundant = hlo_interval_contains(c.range, range);
  if (!is_redundant && hlo_affine_is_variable(c.expression)) {
    hlo_simplifier_narrow(s, c.expression, c.range);
    is_redundant = true;
  }
  if (is_redundant || s->known_empty) {
    *changed = true;
    remove_constraint(s, index);
    return true;
  }
  hlo_simplifier_ignore(s, IGNORE_ALL_CONSTRAINTS);
  c.range = hlo_interval_intersect(c.range, hlo_simplifier_range(s, c.expression));
  hlo_simplifier_ignore(s, index);
  if (s->narrows_variables) *changed |= hlo_simplifier_narrow(s, c.expression, c.range);
  if (c.expression != before.expression || !hlo_interval_equal(c.range, before.range)) {
    s->constraints[index] = c;
    *changed = true;
    hlo_simplifier_forget(s);
  }
  return s->known_empty;
}

// --- two constraints ---

typedef struct rest_class { // v mod n is r, v without constant
  const hlo_affine *v;
  int64_t n, r;
} rest_class;

static bool is_rest_class(hlo_simplifier *s, const hlo_map_constraint *c, rest_class *out) {
  const hlo_affine *a = c->expression;
  if (a->kind != HLO_AFFINE_MOD || hlo_affine_divisor(a) <= 1 || !hlo_interval_is_point(c->range) ||
      !hlo_interval_has(hlo_interval_make(0, hlo_affine_divisor(a) - 1), c->range.lower))
    return false;
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a->left);
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add(&sum, a->left, 1);
  sum.constant = 0;
  out->v = hlo_affine_sum_finish(&sum);
  out->n = hlo_affine_divisor(a);
  int64_t rest;
  if (!hlo_checked_sub(c->range.lower, terms.constant, &rest)) return false;
  out->r = hlo_floor_mod(rest, out->n);
  return true;
}

// v ≡ a.r (mod a.n) and v ≡ b.r (mod b.n) is one class modulo the least common multiple, or none.
// False when that overflows.
static bool merge_classes(const rest_class *a, const rest_class *b, rest_class *out,
                          bool *contradict) {
  int64_t common = hlo_gcd(a->n, b->n), multiple, steps;
  *contradict = (b->r - a->r) % common != 0;
  if (*contradict) return true;
  if (!hlo_checked_mul(a->n, b->n / common, &multiple)) return false;
  int64_t n = b->n / common, inverse = n == 1 ? 0 : modular_inverse(a->n / common, n);
  if (!hlo_checked_mul(hlo_floor_mod((b->r - a->r) / common, n), inverse, &steps)) return false;
  *out = (rest_class){a->v, multiple, a->r + a->n * hlo_floor_mod(steps, n)};
  return true;
}

static bool merge_pair(hlo_simplifier *s, int32_t i, int32_t j) {
  hlo_map_constraint *a = &s->constraints[i], *b = &s->constraints[j];
  rest_class class_a, class_b, both;
  bool contradict = false;
  if (a->expression == b->expression) {
    a->range = hlo_interval_intersect(a->range, b->range);
    contradict = hlo_interval_is_empty(a->range);
  } else {
    if (!is_rest_class(s, a, &class_a) || !is_rest_class(s, b, &class_b) ||
        class_a.v != class_b.v || !merge_classes(&class_a, &class_b, &both, &contradict))
      return false;
    if (!contradict) {
      a->expression = hlo_affine_divided(s->context, HLO_AFFINE_MOD, both.v, both.n);
      a->range = hlo_interval_make(both.r, both.r);
    }
  }
  if (contradict) s->known_empty = true;
  remove_constraint(s, j);
  return true;
}

static bool merge_constraints(hlo_simplifier *s) {
  bool changed = false;
  for (int32_t i = 0; i < s->constraint_count; i++)
    for (int32_t j = i + 1; j < s->constraint_count && !s->known_empty;)
      if (merge_pair(s, i, j)) changed = true;
      else j++;
  return changed;
}

bool hlo_simplifier_solve_constraints(hlo_simplifier *s) {
  bool changed = merge_constraints(s);
  for (int32_t i = 0; i < s->constraint_count && !hlo_affine_has_failed(s->context);)
    if (!solve_one(s, i, &changed)) i++;
    else if (s->known_empty) break;
  hlo_simplifier_ignore(s, IGNORE_NOTHING);
  return changed;
}
