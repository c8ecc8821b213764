// Sums: first without mods, so that terms cancel; then differences become mods again.
// See simplifier.h.
#include "indexing/maps/simplifier.h"

// --- without mods ---

static const hlo_affine *without_mods(hlo_simplifier *s, const hlo_affine *a);

// c · (v mod n) = c·v - c·n · (v floordiv n)
static void add_without_mods(hlo_simplifier *s, hlo_affine_sum *sum, const hlo_affine_term *term) {
  const hlo_affine *atom = term->atom;
  int64_t n = atom->kind == HLO_AFFINE_MOD ? hlo_affine_divisor(atom) : 0, factor;
  if (n <= 0) {
    hlo_affine_sum_add_atom(sum, atom, term->factor);
    return;
  }
  if (!hlo_checked_mul(term->factor, n, &factor) || factor == INT64_MIN) {
    hlo_affine_fail_overflow(s->context);
    return;
  }
  hlo_affine_sum_add(sum, without_mods(s, atom->left), term->factor);
  hlo_affine_sum_add(sum, without_mods(s, hlo_simplifier_divide(s, atom->left, n)), -factor);
}

static const hlo_affine *without_mods(hlo_simplifier *s, const hlo_affine *a) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a);
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add_constant(&sum, terms.constant);
  for (int32_t i = 0; i < terms.count && !hlo_affine_has_failed(s->context); i++)
    add_without_mods(s, &sum, &terms.terms[i]);
  return hlo_affine_sum_finish(&sum);
}

// --- what constraints of the form u mod n in [r, r] say: n · (u floordiv n) = u - r ---

// The only quotient in q = sign · quotient + terms.
static const hlo_affine *only_quotient(const hlo_affine *q, int64_t *sign) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, q);
  const hlo_affine *found = NULL;
  for (int32_t i = 0; i < terms.count; i++) {
    if (terms.terms[i].atom->kind != HLO_AFFINE_FLOORDIV) continue;
    *sign = terms.terms[i].factor;
    if (found != NULL || (*sign != 1 && *sign != -1)) return NULL;
    found = terms.terms[i].atom;
  }
  return found;
}

static void use_rest(hlo_simplifier *s, hlo_affine_sum *sum, const hlo_map_constraint *constraint) {
  const hlo_affine *mod = constraint->expression;
  int64_t n = mod->kind == HLO_AFFINE_MOD ? hlo_affine_divisor(mod) : 0, sign = 0;
  if (n <= 0 || !hlo_interval_is_point(constraint->range)) return;
  const hlo_affine *quotient = without_mods(s, hlo_simplifier_divide(s, mod->left, n));
  const hlo_affine *atom = only_quotient(quotient, &sign);
  int64_t factor = atom == NULL ? 0 : hlo_affine_sum_factor(sum, atom);
  if (factor == 0 || factor == INT64_MIN || factor % n != 0) return;
  // factor · atom = factor · sign · (quotient - (quotient - sign · atom))
  factor *= sign;
  hlo_affine_sum_add(sum, quotient, -factor);
  hlo_affine_sum_add(sum, without_mods(s, mod->left), factor / n);
  int64_t rest;
  if (!hlo_checked_mul(factor / n, hlo_floor_mod(constraint->range.lower, n), &rest) ||
      rest == INT64_MIN)
    hlo_affine_fail_overflow(s->context);
  else hlo_affine_sum_add_constant(sum, -rest);
}

// --- quotients with one divisor whose dividends differ by multiples of it ---

// a floordiv m = sign · (b floordiv m) + difference?
static bool differ_by_multiple(hlo_simplifier *s, const hlo_affine *a, const hlo_affine *b,
                               int64_t sign, hlo_affine_sum *difference) {
  int64_t m = a->right->constant;
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add(&sum, a->left, 1);
  hlo_affine_sum_add(&sum, b->left, -sign);
  if (sign < 0) hlo_affine_sum_add_constant(&sum, 1 - m); // -(y / m) = (-y + m - 1) / m
  hlo_affine_sum_tidy(&sum);
  if (hlo_affine_has_failed(s->context) || sum.constant % m != 0) return false;
  *difference = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add_constant(difference, sum.constant / m);
  for (int32_t i = 0; i < sum.count; i++) {
    const hlo_affine_term *term = hlo_affine_sum_term(&sum, i);
    if (term->factor % m != 0) return false;
    hlo_affine_sum_add_atom(difference, term->atom, term->factor / m);
  }
  return true;
}

// Writes the later of two such quotients in terms of the earlier. True if there were two.
static bool collect_pair(hlo_simplifier *s, hlo_affine_sum *sum, int32_t i, int32_t j) {
  const hlo_affine *kept = hlo_affine_sum_term(sum, i)->atom,
                   *gone = hlo_affine_sum_term(sum, j)->atom;
  if (kept->kind != HLO_AFFINE_FLOORDIV || gone->kind != HLO_AFFINE_FLOORDIV ||
      kept->right != gone->right || hlo_affine_divisor(kept) <= 0)
    return false;
  hlo_affine_sum difference;
  int64_t sign = 1, factor = hlo_affine_sum_term(sum, j)->factor;
  if (!differ_by_multiple(s, gone, kept, 1, &difference)) {
    sign = -1;
    if (!differ_by_multiple(s, gone, kept, -1, &difference)) return false;
  }
  if (factor == INT64_MIN) return false;
  hlo_affine_sum_add_atom(sum, gone, -factor);
  hlo_affine_sum_add_atom(sum, kept, sign * factor);
  hlo_affine_sum_add(sum, without_mods(s, hlo_affine_sum_finish(&difference)), factor);
  hlo_affine_sum_tidy(sum);
  return true;
}

static void collect_quotients(hlo_simplifier *s, hlo_affine_sum *sum) {
  hlo_affine_sum_tidy(sum);
  for (int32_t i = 0; i < sum->count; i++)
    for (int32_t j = i + 1; j < sum->count && !hlo_affine_has_failed(s->context); j++)
      if (collect_pair(s, sum, i, j)) {
        i = -1; // the sum is another one now
        break;
      }
}

// The sum with mods by constants written as differences, and equal quotients collected.
static const hlo_affine *expand(hlo_simplifier *s, const hlo_affine *a) {
  const hlo_affine *result = hlo_affine_table_get(&s->expanded, a);
  if (result != NULL) return result;
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add(&sum, without_mods(s, a), 1);
  if (s->ignored != IGNORE_ALL_CONSTRAINTS)
    for (int32_t i = 0; i < s->constraint_count; i++)
      if (i != s->ignored) use_rest(s, &sum, &s->constraints[i]);
  collect_quotients(s, &sum);
  result = hlo_affine_sum_finish(&sum);
  hlo_affine_table_insert(&s->expanded, a, result);
  return result;
}

// --- with mods again ---
//
// A term e · (w floordiv M) in a sum that also has c·v, where v = w floordiv (M / b), can become
// c · (v mod b) + (e + c·b) · (w floordiv M): best when the last factor is 0. Where b does not
// divide M, w and M have lost a common factor k, and v = k·w floordiv (k·M / b).

typedef struct contraction {
  const hlo_affine *quotient; // the atom w floordiv M; NULL: nothing found
  const hlo_affine *v, *expanded_v;
  int64_t c, b;
  int64_t left;    // e + c·b
  int32_t removed; // terms of the sum that vanish
} contraction;

static int64_t magnitude(int64_t a) { return a == INT64_MIN ? INT64_MAX : a < 0 ? -a : a; }

// Is c·v part of the sum? Counts the terms that vanish with it.
static bool is_part(hlo_affine_sum *sum, const hlo_affine *v, int64_t c, int32_t *removed) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, v);
  *removed = 0;
  for (int32_t i = 0; i < terms.count; i++) {
    int64_t part, whole = hlo_affine_sum_factor(sum, terms.terms[i].atom);
    if (!hlo_checked_mul(terms.terms[i].factor, c, &part) || (part < 0) != (whole < 0) ||
        magnitude(part) > magnitude(whole))
      return false;
    if (part == whole) ++*removed;
  }
  return terms.count > 0;
}

static bool is_better(const contraction *a, const contraction *b) {
  if (b->quotient == NULL) return true;
  if ((a->left == 0) != (b->left == 0)) return a->left == 0;
  if (a->left != b->left) return magnitude(a->left) < magnitude(b->left);
  if (a->removed != b->removed) return a->removed > b->removed;
  return a->b > b->b;
}

// The best of two factors of equal size is the positive one, with a positive c.
static bool is_acceptable(int64_t left, int64_t e) {
  return magnitude(left) < magnitude(e) || (magnitude(left) == magnitude(e) && left > 0);
}

static void consider_factor(hlo_affine_sum *sum, contraction candidate, int64_t e, int64_t c,
                            contraction *best) {
  int64_t product;
  if (c == 0 || (c < 0) == (e < 0) || !hlo_checked_mul(c, candidate.b, &product) ||
      !hlo_checked_add(e, product, &candidate.left) || !is_acceptable(candidate.left, e) ||
      !is_part(sum, candidate.expanded_v, c, &candidate.removed))
    return;
  candidate.c = c;
  if (is_better(&candidate, best)) *best = candidate;
}

// v for the quotient w floordiv m and modulus b; NULL when it overflows.
static const hlo_affine *solve_v(hlo_simplifier *s, const hlo_affine *w, int64_t m, int64_t b) {
  int64_t common = hlo_gcd(m, b), k = b / common, product;
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, w);
  if (k > 1) {
    for (int32_t i = 0; i < terms.count; i++)
      if (!hlo_checked_mul(terms.terms[i].factor, k, &product)) return NULL;
    if (!hlo_checked_mul(terms.constant, k, &product)) return NULL;
    w = hlo_affine_scale(s->context, w, k);
  }
  return hlo_simplifier_divide(s, w, m / common);
}

static void consider_modulus(hlo_simplifier *s, hlo_affine_sum *sum, const hlo_affine_term *term,
                             int64_t b, contraction *best) {
  int64_t e = term->factor;
  if (b < 2 || e == INT64_MIN || hlo_affine_has_failed(s->context)) return;
  contraction candidate = {.quotient = term->atom, .b = b};
  candidate.v = solve_v(s, term->atom->left, term->atom->right->constant, b);
  if (candidate.v == NULL) return;
  candidate.expanded_v = expand(s, candidate.v);
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, candidate.expanded_v);
  if (e % b == 0) consider_factor(sum, candidate, e, -(e / b), best);
  for (int32_t i = 0; i < terms.count; i++) {
    int64_t whole = hlo_affine_sum_factor(sum, terms.terms[i].atom), part = terms.terms[i].factor;
    if (whole != INT64_MIN && whole % part == 0)
      consider_factor(sum, candidate, e, whole / part, best);
  }
}

// Which moduli could there be? M itself, those that leave the divisor of another quotient in the
// sum, and those that a factor in the sum asks for.
static contraction match_contraction(hlo_simplifier *s, hlo_affine_sum *sum) {
  contraction best = {0};
  for (int32_t i = 0; i < sum->count; i++) {
    hlo_affine_term term = *hlo_affine_sum_term(sum, i);
    int64_t m = term.atom->kind == HLO_AFFINE_FLOORDIV ? hlo_affine_divisor(term.atom) : 0;
    if (m <= 0) continue;
    consider_modulus(s, sum, &term, m, &best);
    for (int32_t j = 0; j < sum->count; j++) {
      hlo_affine_term other = *hlo_affine_sum_term(sum, j);
      int64_t n = other.atom->kind == HLO_AFFINE_FLOORDIV ? hlo_affine_divisor(other.atom) : 0;
      if (j == i || term.factor == INT64_MIN) continue;
      if (n > 1 && n < m && m % n == 0) consider_modulus(s, sum, &term, m / n, &best);
      if (term.factor % other.factor == 0)
        consider_modulus(s, sum, &term, -(term.factor / other.factor), &best);
    }
  }
  return best;
}

// v with factors and constant as small as they can be when only v mod b counts.
static const hlo_affine *reduce_modulo(hlo_simplifier *s, const hlo_affine *v, int64_t b) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, v);
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add_constant(&sum, hlo_floor_mod(terms.constant, b));
  for (int32_t i = 0; i < terms.count; i++) {
    int64_t factor = terms.terms[i].factor % b;
    if (factor < 0 && b + factor <= -factor) factor += b; // the smaller one of two
    hlo_affine_sum_add_atom(&sum, terms.terms[i].atom, factor);
  }
  return hlo_affine_sum_finish(&sum);
}

// c · (v mod b). Reducing v may tear mods in it apart: so both orders are tried.
static void add_mod(hlo_simplifier *s, hlo_affine_sum *sum, const contraction *found) {
  const hlo_affine *final = hlo_simplifier_finish(s, reduce_modulo(s, found->v, found->b));
  const hlo_affine *whole = reduce_modulo(s, hlo_simplifier_finish(s, found->v), found->b);
  if (whole->nodes < final->nodes) final = whole;
  const hlo_affine *mod = hlo_affine_divided(s->context, HLO_AFFINE_MOD, final, found->b);
  if (hlo_affine_has_failed(s->context)) return;
  hlo_interval range = hlo_simplifier_range(s, mod);
  if (hlo_interval_is_point(range))
    hlo_affine_sum_add(sum, hlo_affine_constant(s->context, range.lower), found->c);
  else hlo_affine_sum_add_atom(sum, mod, found->c);
}

static const hlo_affine *contract(hlo_simplifier *s, const hlo_affine *expanded) {
  hlo_affine_sum sum = hlo_affine_sum_start(s->context), mods = sum;
  hlo_affine_sum_add(&sum, expanded, 1);
  for (;;) {
    hlo_affine_sum_tidy(&sum);
    contraction found = match_contraction(s, &sum);
    if (found.quotient == NULL || hlo_affine_has_failed(s->context)) break;
    hlo_affine_sum_add(&sum, found.expanded_v, -found.c);
    hlo_affine_sum_add_atom(&sum, found.quotient,
                            found.left - hlo_affine_sum_factor(&sum, found.quotient));
    add_mod(s, &mods, &found);
  }
  hlo_affine_sum_add(&sum, hlo_affine_sum_finish(&mods), 1);
  return hlo_affine_sum_finish(&sum);
}

const hlo_affine *hlo_simplifier_finish(hlo_simplifier *s, const hlo_affine *a) {
  const hlo_affine *result = hlo_affine_table_get(&s->finished, a);
  if (result != NULL) return result;
  result = contract(s, expand(s, a));
  // Linear terms of several mods may have cancelled without making anything shorter.
  if (a->nodes < result->nodes) result = a;
  hlo_affine_table_insert(&s->finished, a, result);
  return result;
}
