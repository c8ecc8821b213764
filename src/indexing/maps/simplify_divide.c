// floordiv by a constant, split as far as divisibility and ranges allow. See simplifier.h.
//
// y floordiv m for y = Σ c·a + k goes through these steps; each makes a smaller problem:
//   whole multiples      (16·d0 + d1) / 8           = 2·d0 + d1 / 8
//   mods that m divides  (d0 mod 12) / 4            = d0 / 4 - 3·(d0 / 12)
//   sign                 (-d0) / 4                  = -((d0 + 3) / 4)
//   common divisor       (6·d0 + 9) / 18            = (2·d0 + 3) / 6
//   range                (d0 + 16) / 8              = 2          for d0 in [0, 7]
//   low digits           (4·d0 + d1) / 8            = d0 / 2     for d1 in [0, 3]
//   nesting              (d0 / 8 + 2·d1) / 3        = (d0 + 16·d1) / 24
//   hidden digits        (d0 + 2·(d0 / 3)) / 5      = (5·(d0 / 3) + d0 mod 3) / 5 = d0 / 3
#include "indexing/maps/simplifier.h"

typedef struct division {
  hlo_simplifier *s;
  const hlo_affine *dividend;
  int64_t divisor;
  hlo_affine_terms terms;
} division;

static const hlo_affine *divided_sum(hlo_simplifier *s, hlo_affine_sum *sum, int64_t divisor) {
  return hlo_simplifier_divide(s, hlo_affine_sum_finish(sum), divisor);
}

// --- whole multiples, of terms and of the constant; mods whose modulus times factor is one ---

static bool is_mod_of_multiple(const hlo_affine_term *term, int64_t divisor, int64_t *quotient) {
  int64_t modulus, product;
  if (term->atom->kind != HLO_AFFINE_MOD) return false;
  modulus = hlo_affine_divisor(term->atom);
  if (modulus <= 0 || !hlo_checked_mul(modulus, term->factor, &product)) return false;
  if (product % divisor != 0) return false;
  *quotient = product / divisor;
  return true;
}

static bool has_multiples(const division *d) {
  int64_t quotient;
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    if (term->factor / d->divisor != 0 || is_mod_of_multiple(term, d->divisor, &quotient))
      return true;
  }
  return d->terms.constant < 0 || d->terms.constant >= d->divisor;
}

static const hlo_affine *extract_multiples(division *d) {
  hlo_affine_sum inside = hlo_affine_sum_start(d->s->context), outside = inside;
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    int64_t quotient = term->factor / d->divisor;
    if (quotient == 0 && is_mod_of_multiple(term, d->divisor, &quotient)) {
      const hlo_affine *mod = term->atom;
      hlo_affine_sum_add(&inside, mod->left, term->factor);
      hlo_affine_sum_add(&outside, hlo_simplifier_divide(d->s, mod->left, mod->right->constant),
                         hlo_bound_negate(quotient));
    } else {
      hlo_affine_sum_add_atom(&outside, term->atom, quotient);
      hlo_affine_sum_add_atom(&inside, term->atom, term->factor - quotient * d->divisor);
    }
  }
  hlo_affine_sum_add_constant(&outside, hlo_floor_div(d->terms.constant, d->divisor));
  hlo_affine_sum_add_constant(&inside, hlo_floor_mod(d->terms.constant, d->divisor));
  hlo_affine_sum_add(&outside, divided_sum(d->s, &inside, d->divisor), 1);
  return hlo_affine_sum_finish(&outside);
}

// --- sign: the first factor is positive ---

static const hlo_affine *negate(division *d) {
  hlo_affine_sum negative = hlo_affine_sum_start(d->s->context);
  hlo_affine_sum_add(&negative, d->dividend, -1);
  hlo_affine_sum_add_constant(&negative, d->divisor - 1);
  const hlo_affine *quotient = divided_sum(d->s, &negative, d->divisor);
  return hlo_affine_scale(d->s->context, quotient, -1);
}

// --- a divisor common to all factors and to m ---

static int64_t common_divisor(const division *d) {
  int64_t common = d->divisor;
  for (int32_t i = 0; i < d->terms.count && common != 1; i++)
    common = hlo_gcd(common, d->terms.terms[i].factor);
  return common;
}

// (Σ of the terms that `common` divides) / common + constant, over m / common.
static const hlo_affine *reduce(division *d, int64_t common, int64_t constant) {
  hlo_affine_sum sum = hlo_affine_sum_start(d->s->context);
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    if (term->factor % common == 0)
      hlo_affine_sum_add_atom(&sum, term->atom, term->factor / common);
  }
  hlo_affine_sum_add_constant(&sum, constant);
  return divided_sum(d->s, &sum, d->divisor / common);
}

// --- low digits: what `common` does not divide stays within one multiple of it ---

static bool rest_is_low_digit(const division *d, int64_t common, int64_t *digit) {
  hlo_affine_sum rest = hlo_affine_sum_start(d->s->context);
  hlo_affine_sum_add_constant(&rest, d->terms.constant);
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    if (term->factor % common != 0) hlo_affine_sum_add_atom(&rest, term->atom, term->factor);
  }
  hlo_interval range = hlo_simplifier_range(d->s, hlo_affine_sum_finish(&rest));
  if (range.lower == INT64_MIN || range.upper == INT64_MAX) return false;
  hlo_interval digits = hlo_interval_floordiv(range, common);
  *digit = digits.lower;
  return hlo_interval_is_point(digits);
}

// The largest divisor of m, among those that factors share with it, with a low digit below; 0 when
// there is none. (Divisors shared by two factors, but by no single one, come from pairs.)
static int64_t low_digit_divisor(const division *d, int64_t *digit) {
  int64_t best = 0, best_digit = 0, previous = 0;
  for (int32_t i = 0; i < d->terms.count; i++) {
    for (int32_t j = i; j < d->terms.count; j++) {
      int64_t common =
          hlo_gcd(hlo_gcd(d->divisor, d->terms.terms[i].factor), d->terms.terms[j].factor);
      if (common <= 1 || common <= best || common == previous) continue;
      previous = common;
      if (!rest_is_low_digit(d, common, digit)) continue;
      best = common;
      best_digit = *digit;
    }
  }
  *digit = best_digit;
  return best;
}

// --- nesting: one term is a quotient itself ---

static const hlo_affine *match_quotient(const division *d) {
  const hlo_affine *found = NULL;
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    if (term->atom->kind != HLO_AFFINE_FLOORDIV || hlo_affine_divisor(term->atom) <= 0 ||
        (term->factor != 1 && term->factor != -1))
      continue;
    if (found != NULL) return NULL; // of two, neither is the one to merge
    found = term->atom;
  }
  return found;
}

// Is one of the other terms part of the quotient too? Then merging would hide what they share:
// d0 - d0 / 10.
static bool shares_terms(const division *d, const hlo_affine *quotient) {
  hlo_affine_terms inner;
  hlo_affine_terms_of(&inner, quotient->left);
  for (int32_t i = 0; i < inner.count; i++)
    for (int32_t j = 0; j < d->terms.count; j++)
      if (inner.terms[i].atom == d->terms.terms[j].atom) return true;
  return false;
}

// y = ±(u / n) + z: n·y is ±u + n·z plus something in [0, n - 1], or for the minus sign in
// [1 - n, 0], which n - 1 more makes the same.
static const hlo_affine *merge_quotient(division *d, const hlo_affine *quotient) {
  int64_t n = quotient->right->constant, sign = 0, divisor;
  if (!hlo_checked_mul(n, d->divisor, &divisor)) return NULL;
  hlo_affine_sum sum = hlo_affine_sum_start(d->s->context);
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    int64_t factor;
    if (term->atom == quotient) sign = term->factor;
    else if (!hlo_checked_mul(term->factor, n, &factor)) return NULL;
    else hlo_affine_sum_add_atom(&sum, term->atom, factor);
  }
  int64_t constant;
  if (!hlo_checked_mul(d->terms.constant, n, &constant)) return NULL;
  hlo_affine_sum_add_constant(&sum, constant);
  hlo_affine_sum_add(&sum, quotient->left, sign);
  if (sign < 0) hlo_affine_sum_add_constant(&sum, n - 1);
  return divided_sum(d->s, &sum, divisor);
}

// --- hidden digits: k·v + c·(v / n) is (c + k·n)·(v / n) + k·(v mod n), where the last is low ---

static const hlo_affine *divide_digits(division *d, const hlo_affine_term *quotient) {
  hlo_affine_context *context = d->s->context;
  const hlo_affine *v = quotient->atom->left;
  int64_t n = hlo_affine_divisor(quotient->atom), whole;
  hlo_affine_terms parts;
  hlo_affine_terms_of(&parts, v);
  if (n <= 1 || parts.count == 0 || d->terms.count < 2) return NULL;
  hlo_affine_sum rest = hlo_affine_sum_start(context), sum = rest;
  hlo_affine_sum_add(&rest, d->dividend, 1);
  int64_t k = hlo_affine_sum_factor(&rest, parts.terms[0].atom);
  if (k == 0 || k % parts.terms[0].factor != 0) return NULL;
  k /= parts.terms[0].factor;
  if (!hlo_checked_mul(k, n, &whole) || !hlo_checked_add(whole, quotient->factor, &whole))
    return NULL;
  int64_t common = hlo_gcd(whole, d->divisor);
  if (common <= 1) return NULL;
  hlo_affine_sum_add(&rest, v, hlo_bound_negate(k));
  hlo_affine_sum_add_atom(&rest, quotient->atom, hlo_bound_negate(quotient->factor));
  hlo_affine_sum_add_atom(&rest, hlo_affine_divided(context, HLO_AFFINE_MOD, v, n), k);
  const hlo_affine *low = hlo_affine_sum_finish(&rest);
  if (hlo_affine_forgive(context)) return NULL;
  hlo_interval range = hlo_simplifier_range(d->s, low);
  hlo_interval digits = hlo_interval_floordiv(range, common);
  if (hlo_interval_is_unbounded(range) || !hlo_interval_is_point(digits)) return NULL;
  hlo_affine_sum_add_atom(&sum, quotient->atom, whole / common);
  hlo_affine_sum_add_constant(&sum, digits.lower);
  return divided_sum(d->s, &sum, d->divisor / common);
}

static const hlo_affine *match_hidden_digits(division *d) {
  for (int32_t i = 0; i < d->terms.count; i++) {
    const hlo_affine_term *term = &d->terms.terms[i];
    if (term->atom->kind != HLO_AFFINE_FLOORDIV) continue;
    const hlo_affine *result = divide_digits(d, term);
    if (result != NULL) return result;
  }
  return NULL;
}

// No step applies: a quotient that stays, of a dividend in its final form.
static const hlo_affine *keep(division *d, const hlo_affine *key) {
  hlo_affine_table_insert(&d->s->quotients, key, key); // for when the final form leads back here
  const hlo_affine *final = hlo_simplifier_finish(d->s, d->dividend);
  return final == d->dividend ? key : hlo_simplifier_divide(d->s, final, d->divisor);
}

static const hlo_affine *divide(division *d, const hlo_affine *key) {
  int64_t digit;
  if (has_multiples(d)) return extract_multiples(d);
  if (d->terms.count == 0) return hlo_affine_constant(d->s->context, 0);
  if (d->terms.terms[0].factor < 0) return negate(d);
  int64_t common = common_divisor(d);
  if (common > 1) return reduce(d, common, hlo_floor_div(d->terms.constant, common));
  hlo_interval range = hlo_simplifier_range(d->s, d->dividend);
  hlo_interval quotients = hlo_interval_floordiv(range, d->divisor);
  if (hlo_interval_is_point(quotients) && !hlo_interval_is_unbounded(range))
    return hlo_affine_constant(d->s->context, quotients.lower);
  common = low_digit_divisor(d, &digit);
  if (common > 1) return reduce(d, common, digit);
  const hlo_affine *hidden = match_hidden_digits(d);
  if (hidden != NULL) return hidden;
  const hlo_affine *quotient = match_quotient(d);
  if (quotient != NULL && !shares_terms(d, quotient)) {
    const hlo_affine *merged = merge_quotient(d, quotient);
    if (merged != NULL) return merged;
  }
  return keep(d, key);
}

const hlo_affine *hlo_simplifier_divide(hlo_simplifier *s, const hlo_affine *a, int64_t divisor) {
  if (divisor == 1 || hlo_affine_has_failed(s->context)) return a;
  if (hlo_affine_is_constant(a))
    return hlo_affine_constant(s->context, hlo_floor_div(a->constant, divisor));
  const hlo_affine *key = hlo_affine_divided(s->context, HLO_AFFINE_FLOORDIV, a, divisor);
  const hlo_affine *result = hlo_affine_table_get(&s->quotients, key);
  if (result != NULL) return result;
  division d = {.s = s, .dividend = a, .divisor = divisor};
  hlo_affine_terms_of(&d.terms, a);
  result = divide(&d, key);
  hlo_affine_table_insert(&s->quotients, key, result);
  return result;
}
