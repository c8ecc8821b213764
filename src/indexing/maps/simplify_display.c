// Last of all: constants and signs as one would write them. What is known equal keeps one form, so
// this depends on nothing but the simplified expression and the ranges.
//   (d0 + 1) floordiv 2 - 1        → (d0 - 1) floordiv 2
//   -((d0 + 7) floordiv 8)         → (-d0) floordiv 8
//   (d0 + 4) mod 7, d0 ≥ 3         → (d0 - 3) mod 7
//   -((d0 + 3) mod 4) + 3          → (-d0) mod 4
//   (d0 * 2 + d1) floordiv 3 + d0  → (d0 * 5 + d1) floordiv 3
// See simplifier.h.
#include "indexing/maps/simplifier.h"

typedef struct sum_display {
  hlo_simplifier *s;
  hlo_affine_sum sum;  // what is displayed, atoms replaced one by one
  hlo_affine_sum left; // the dividend of the atom under way
  int64_t divisor, factor;
} sum_display;

static void negate_dividend(sum_display *d, int64_t constant) {
  for (int32_t i = 0; i < d->left.count; i++) {
    hlo_affine_term *term = hlo_affine_sum_term(&d->left, i);
    if (term->factor == INT64_MIN) hlo_affine_fail_overflow(d->s->context);
    else term->factor = -term->factor;
  }
  d->left.constant = constant;
  d->factor = -d->factor;
}

// A term of the dividend whose whole multiples stand outside takes them back, so that what linear
// index is divided can be seen. d0 + d0 floordiv 4 is none, and stays.
static void absorb_multiples(sum_display *d) {
  if (d->left.count < 2) return;
  for (int32_t i = 0; i < d->left.count; i++) {
    hlo_affine_term *term = hlo_affine_sum_term(&d->left, i);
    int64_t outside = hlo_affine_sum_factor(&d->sum, term->atom), multiple;
    if (outside == 0 || outside == INT64_MIN || outside % d->factor != 0) continue;
    int64_t quotient = outside / d->factor;
    if ((quotient < 0) != (term->factor < 0) || !hlo_checked_mul(quotient, d->divisor, &multiple) ||
        !hlo_checked_add(term->factor, multiple, &multiple))
      continue;
    term->factor = multiple;
    hlo_affine_sum_add_atom(&d->sum, term->atom, -outside);
  }
}

static void display_quotient(sum_display *d) {
  absorb_multiples(d);
  if (d->factor < 0 && d->left.constant == d->divisor - 1) negate_dividend(d, 0);
  int64_t moved;
  bool is_opposite = (d->factor < 0) != (d->sum.constant < 0) && d->sum.constant != 0;
  if (d->left.constant > 0 && is_opposite && hlo_checked_add(d->sum.constant, d->factor, &moved) &&
      (moved == 0 || (moved < 0) == (d->sum.constant < 0))) {
    d->left.constant -= d->divisor;
    d->sum.constant = moved;
  }
}

static int64_t magnitude(int64_t a) { return a == INT64_MIN ? INT64_MAX : a < 0 ? -a : a; }

// c · (v mod b) = -c · ((b - 1 - v) mod b) + c · (b - 1)
static void display_rest(sum_display *d) {
  int64_t others, outside;
  if (d->factor < 0 && d->left.constant > 0 &&
      hlo_checked_mul(d->factor, d->divisor - 1, &others) &&
      hlo_checked_add(d->sum.constant, others, &outside) &&
      magnitude(outside) < magnitude(d->sum.constant)) {
    negate_dividend(d, d->divisor - 1 - d->left.constant);
    d->sum.constant = outside;
    for (int32_t i = 0; i < d->left.count; i++) { // of two factors the smaller
      int64_t *factor = &hlo_affine_sum_term(&d->left, i)->factor;
      if (*factor < 0 && d->divisor + *factor <= -*factor) *factor += d->divisor;
    }
  }
  if (d->left.constant <= 0 || hlo_affine_has_failed(d->s->context)) return;
  hlo_affine_sum shifted = d->left;
  shifted.constant -= d->divisor;
  hlo_interval range = hlo_simplifier_range(d->s, hlo_affine_sum_finish(&shifted));
  if (range.lower >= 0) d->left.constant -= d->divisor;
}

static void display_atom(sum_display *d, const hlo_affine *atom) {
  d->factor = hlo_affine_sum_factor(&d->sum, atom);
  d->divisor = hlo_affine_divisor(atom);
  if (d->divisor <= 1 || d->factor == 0 || d->factor == INT64_MIN) return;
  hlo_affine_sum_add_atom(&d->sum, atom, -d->factor);
  d->left = hlo_affine_sum_start(d->s->context);
  hlo_affine_sum_add(&d->left, atom->left, 1);
  if (atom->kind == HLO_AFFINE_MOD) display_rest(d);
  else display_quotient(d);
  const hlo_affine *left = hlo_simplifier_display(d->s, hlo_affine_sum_finish(&d->left));
  hlo_affine_sum_add_atom(&d->sum, hlo_affine_divided(d->s->context, atom->kind, left, d->divisor),
                          d->factor);
}

const hlo_affine *hlo_simplifier_display(hlo_simplifier *s, const hlo_affine *a) {
  if (hlo_affine_is_variable(a) || hlo_affine_is_constant(a) || hlo_affine_has_failed(s->context))
    return a;
  if (a->kind == HLO_AFFINE_PRODUCT) {
    const hlo_affine *left = hlo_simplifier_display(s, a->left);
    return hlo_affine_multiply(s->context, left, hlo_simplifier_display(s, a->right));
  }
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a);
  sum_display d = {.s = s, .sum = hlo_affine_sum_start(s->context)};
  hlo_affine_sum_add(&d.sum, a, 1);
  for (int32_t i = 0; i < terms.count; i++) {
    hlo_affine_kind kind = terms.terms[i].atom->kind;
    if (kind == HLO_AFFINE_FLOORDIV || kind == HLO_AFFINE_MOD)
      display_atom(&d, terms.terms[i].atom);
  }
  return hlo_affine_sum_finish(&d.sum);
}
