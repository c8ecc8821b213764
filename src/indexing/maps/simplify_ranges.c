// Which values an expression can take, and what a bound on an expression says about its variables.
// See simplifier.h.
#include "indexing/maps/simplifier.h"

void hlo_simplifier_forget(hlo_simplifier *s) {
  hlo_affine_table_clear(&s->simple);
  hlo_affine_table_clear(&s->quotients);
  hlo_affine_table_clear(&s->finished);
  hlo_affine_table_clear(&s->expanded);
  hlo_affine_table_clear(&s->interval);
}

void hlo_simplifier_ignore(hlo_simplifier *s, int32_t constraint) {
  if (s->ignored == constraint) return;
  s->ignored = constraint;
  hlo_simplifier_forget(s);
}

// --- from variables to expressions ---

static hlo_interval range_of_sum(hlo_simplifier *s, const hlo_affine *a) {
  hlo_interval range = hlo_interval_make(a->constant, a->constant);
  for (int32_t i = 0; i < a->term_count; i++) {
    hlo_interval atom = hlo_simplifier_range(s, a->terms[i].atom);
    range = hlo_interval_add(range, hlo_interval_scale(atom, a->terms[i].factor));
  }
  return range;
}

static hlo_interval range_of_quotient(hlo_interval a, hlo_interval b) {
  if (hlo_interval_is_point(b) && b.lower > 0) return hlo_interval_floordiv(a, b.lower);
  if (hlo_interval_is_point(b) && b.lower < 0 && b.lower != INT64_MIN)
    return hlo_interval_floordiv(hlo_interval_negate(a), -b.lower);
  if (b.lower <= 0 || hlo_interval_is_unbounded(a)) return hlo_interval_unbounded();
  hlo_interval low = hlo_interval_floordiv(a, b.lower), high = hlo_interval_floordiv(a, b.upper);
  return (hlo_interval){low.lower < high.lower ? low.lower : high.lower,
                        low.upper > high.upper ? low.upper : high.upper};
}

// The values of a mod n are those that a has modulo the common divisor of its factors and n.
static hlo_interval range_of_rest(const hlo_affine *a, int64_t n) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a);
  int64_t divisor = n;
  for (int32_t i = 0; i < terms.count; i++) divisor = hlo_gcd(divisor, terms.terms[i].factor);
  int64_t least = hlo_floor_mod(terms.constant, divisor);
  return hlo_interval_make(least, n - divisor + least);
}

static hlo_interval range_of_mod(hlo_simplifier *s, const hlo_affine *a) {
  hlo_interval left = hlo_simplifier_range(s, a->left), right = hlo_simplifier_range(s, a->right);
  if (right.lower <= 0) return hlo_interval_unbounded();
  if (left.lower >= 0 && left.upper < right.lower) return left;
  int64_t n = right.lower;
  if (!hlo_interval_is_point(right))
    return hlo_interval_make(0, right.upper == INT64_MAX ? INT64_MAX : right.upper - 1);
  hlo_interval quotient = hlo_interval_floordiv(left, n);
  if (left.lower != INT64_MIN && left.upper != INT64_MAX && hlo_interval_is_point(quotient))
    return hlo_interval_make(hlo_floor_mod(left.lower, n), hlo_floor_mod(left.upper, n));
  return range_of_rest(a->left, n);
}

// v mod n for a v mod m, m a multiple of n, that stays within one multiple of n.
static hlo_interval refine_mod(const hlo_affine *a, const hlo_map_constraint *constraint,
                               hlo_interval range) {
  const hlo_affine *bounded = constraint->expression;
  int64_t n = hlo_affine_divisor(a), m = hlo_affine_divisor(bounded);
  if (bounded->kind != HLO_AFFINE_MOD || a->left != bounded->left || n <= 0 || m <= 0 || m % n != 0)
    return range;
  hlo_interval rests = hlo_interval_intersect(constraint->range, hlo_interval_make(0, m - 1));
  if (hlo_interval_is_empty(rests) || !hlo_interval_is_point(hlo_interval_floordiv(rests, n)))
    return range;
  rests = hlo_interval_make(hlo_floor_mod(rests.lower, n), hlo_floor_mod(rests.upper, n));
  return hlo_interval_intersect(range, rests);
}

// What a constraint on `bounded` says about a = factor * bounded + rest, if there are such a factor
// and rest with fewer terms.
static hlo_interval refine(hlo_simplifier *s, const hlo_affine *a,
                           const hlo_map_constraint *constraint, hlo_interval range) {
  const hlo_affine *bounded = constraint->expression;
  if (a == bounded) return hlo_interval_intersect(range, constraint->range);
  if (a->kind == HLO_AFFINE_MOD) return refine_mod(a, constraint, range);
  hlo_affine_terms whole, part;
  hlo_affine_terms_of(&whole, a);
  hlo_affine_terms_of(&part, bounded);
  if (part.count == 0 || part.count > whole.count || hlo_affine_has_failed(s->context))
    return range;
  hlo_affine_sum rest = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add(&rest, a, 1);
  int64_t factor = hlo_affine_sum_factor(&rest, part.terms[0].atom);
  if (factor == 0 || factor == INT64_MIN || factor % part.terms[0].factor != 0) return range;
  factor /= part.terms[0].factor;
  hlo_affine_sum_add(&rest, bounded, -factor);
  hlo_affine_sum_tidy(&rest);
  if (hlo_affine_forgive(s->context) || rest.count > whole.count - part.count) return range;
  hlo_interval sum = hlo_interval_scale(constraint->range, factor);
  sum = hlo_interval_shift(sum, rest.constant);
  for (int32_t i = 0; i < rest.count; i++) {
    const hlo_affine_term *term = hlo_affine_sum_term(&rest, i);
    sum = hlo_interval_add(sum,
                           hlo_interval_scale(hlo_simplifier_range(s, term->atom), term->factor));
  }
  return hlo_interval_intersect(range, sum);
}

static hlo_interval range_from_parts(hlo_simplifier *s, const hlo_affine *a) {
  switch (a->kind) {
  case HLO_AFFINE_SUM:
    return range_of_sum(s, a);
  case HLO_AFFINE_PRODUCT:
    return hlo_interval_multiply(hlo_simplifier_range(s, a->left),
                                 hlo_simplifier_range(s, a->right));
  case HLO_AFFINE_FLOORDIV:
    return range_of_quotient(hlo_simplifier_range(s, a->left), hlo_simplifier_range(s, a->right));
  case HLO_AFFINE_MOD:
    return range_of_mod(s, a);
  default:
    return s->variables[a->kind][a->index].range;
  }
}

hlo_interval hlo_simplifier_range(hlo_simplifier *s, const hlo_affine *a) {
  if (hlo_affine_is_constant(a)) return hlo_interval_make(a->constant, a->constant);
  if (hlo_affine_is_variable(a)) return s->variables[a->kind][a->index].range;
  const hlo_interval *known = hlo_affine_table_get(&s->interval, a);
  if (known != NULL) return *known;
  hlo_interval range = range_from_parts(s, a);
  if (s->ignored != IGNORE_ALL_CONSTRAINTS)
    for (int32_t i = 0; i < s->constraint_count; i++)
      if (i != s->ignored) range = refine(s, a, &s->constraints[i], range);
  hlo_interval *stored = hlo_arena_array(hlo_affine_arena(s->context), 1, sizeof *stored);
  if (stored == NULL) return range;
  *stored = range;
  hlo_affine_table_insert(&s->interval, a, stored);
  return range;
}

// --- from expressions to variables ---

bool hlo_simplifier_is_shifted_variable(const hlo_affine *v, const hlo_affine **variable,
                                        int64_t *sign, int64_t *constant) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, v);
  if (terms.count != 1 || !hlo_affine_is_variable(terms.terms[0].atom)) return false;
  *variable = terms.terms[0].atom;
  *sign = terms.terms[0].factor;
  *constant = terms.constant;
  return (*sign == 1 || *sign == -1) && *constant != INT64_MIN;
}

static bool narrow_variable(hlo_simplifier *s, const hlo_affine *a, hlo_interval interval) {
  hlo_interval *range = &s->variables[a->kind][a->index].range;
  hlo_interval both = hlo_interval_intersect(*range, interval);
  if (hlo_interval_equal(both, *range)) return false;
  *range = both;
  if (a->kind == HLO_AFFINE_RUNTIME && (s->flags & HLO_SIMPLIFY_KEEP_GATES) != 0)
    s->variables[a->kind][a->index].is_gate = true;
  if (hlo_interval_is_empty(both)) s->known_empty = true;
  hlo_simplifier_forget(s);
  return true;
}

// Each term gets what the others leave for it.
static bool narrow_sum(hlo_simplifier *s, const hlo_affine *a, hlo_interval interval) {
  bool changed = false;
  if (a->constant == INT64_MIN) return false;
  for (int32_t i = 0; i < a->term_count && !s->known_empty; i++) {
    hlo_interval left = hlo_interval_shift(interval, -a->constant);
    for (int32_t j = 0; j < a->term_count; j++) {
      if (j == i) continue;
      hlo_interval other = hlo_simplifier_range(s, a->terms[j].atom);
      other = hlo_interval_scale(other, a->terms[j].factor);
      left = hlo_interval_add(left, hlo_interval_negate(other));
    }
    // lower(left) is interval.lower - Σ upper(others), which hlo_interval_negate has swapped in.
    changed |= hlo_simplifier_narrow(s, a->terms[i].atom,
                                     hlo_interval_undo_scale(left, a->terms[i].factor));
  }
  return changed;
}

// The first and the last u in range with u mod n in the interval, which lies in [0, n - 1].
static hlo_interval narrow_to_rests(hlo_interval range, int64_t n, hlo_interval interval) {
  if (range.lower != INT64_MIN) {
    int64_t rest = hlo_floor_mod(range.lower, n);
    if (rest < interval.lower) range.lower = hlo_lower_add(range.lower, interval.lower - rest);
    else if (rest > interval.upper)
      range.lower = hlo_lower_add(range.lower, n - rest + interval.lower);
  }
  if (range.upper != INT64_MAX) {
    int64_t rest = hlo_floor_mod(range.upper, n);
    if (rest > interval.upper) range.upper = hlo_upper_add(range.upper, interval.upper - rest);
    else if (rest < interval.lower)
      range.upper = hlo_upper_add(range.upper, interval.upper - rest - n);
  }
  return range;
}

static bool narrow_mod(hlo_simplifier *s, const hlo_affine *a, hlo_interval interval) {
  int64_t n = hlo_affine_divisor(a), sign, constant;
  const hlo_affine *variable;
  if (n <= 0 || !hlo_simplifier_is_shifted_variable(a->left, &variable, &sign, &constant))
    return false;
  interval = hlo_interval_intersect(interval, hlo_interval_make(0, n - 1));
  if (hlo_interval_is_empty(interval)) {
    s->known_empty = true;
    return true;
  }
  hlo_interval range = hlo_simplifier_range(s, variable);
  range = hlo_interval_shift(hlo_interval_scale(range, sign), constant);
  range = narrow_to_rests(range, n, interval);
  range = hlo_interval_shift(range, -constant);
  return narrow_variable(s, variable, hlo_interval_scale(range, sign));
}

bool hlo_simplifier_narrow(hlo_simplifier *s, const hlo_affine *a, hlo_interval interval) {
  if (hlo_interval_is_unbounded(interval) || hlo_affine_has_failed(s->context)) return false;
  if (hlo_affine_is_variable(a)) return narrow_variable(s, a, interval);
  if (a->kind == HLO_AFFINE_SUM) return narrow_sum(s, a, interval);
  if (a->kind == HLO_AFFINE_MOD) return narrow_mod(s, a, interval);
  int64_t divisor = hlo_affine_divisor(a);
  if (a->kind != HLO_AFFINE_FLOORDIV || divisor <= 0) return false;
  return hlo_simplifier_narrow(s, a->left, hlo_interval_undo_floordiv(interval, divisor));
}
