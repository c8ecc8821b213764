// One expression from the bottom up. See simplifier.h.
#include "indexing/maps/simplifier.h"

// Divisors that are not constant: all that can be said is when the dividend is smaller.
static const hlo_affine *simplify_by_unknown(hlo_simplifier *s, const hlo_affine *a,
                                             const hlo_affine *left, const hlo_affine *right) {
  hlo_interval dividend = hlo_simplifier_range(s, left), divisor = hlo_simplifier_range(s, right);
  bool is_mod = a->kind == HLO_AFFINE_MOD;
  if (dividend.lower >= 0 && dividend.upper < divisor.lower)
    return is_mod ? left : hlo_affine_constant(s->context, 0);
  if (left == right && divisor.lower > 0) return hlo_affine_constant(s->context, is_mod ? 0 : 1);
  return is_mod ? hlo_affine_mod(s->context, left, right)
                : hlo_affine_floordiv(s->context, left, right);
}

// x floordiv -n = (-x) floordiv n, and x mod n = x - n * (x floordiv n) for every n.
static const hlo_affine *simplify_divided(hlo_simplifier *s, const hlo_affine *a) {
  const hlo_affine *left = hlo_simplifier_simplify(s, a->left);
  const hlo_affine *right = hlo_simplifier_simplify(s, a->right);
  if (!hlo_affine_is_constant(right)) return simplify_by_unknown(s, a, left, right);
  int64_t divisor = right->constant;
  if (divisor == 0 || divisor == INT64_MIN)
    return a->kind == HLO_AFFINE_MOD ? hlo_affine_mod(s->context, left, right)
                                     : hlo_affine_floordiv(s->context, left, right);
  const hlo_affine *dividend = left;
  if (divisor < 0) {
    dividend = hlo_simplifier_finish(s, hlo_affine_scale(s->context, left, -1));
    divisor = -divisor;
  }
  const hlo_affine *quotient = hlo_simplifier_divide(s, dividend, divisor);
  if (a->kind == HLO_AFFINE_MOD)
    quotient = hlo_affine_add_scaled(s->context, left, quotient, hlo_bound_negate(right->constant));
  return hlo_simplifier_finish(s, quotient);
}

static const hlo_affine *simplify_sum(hlo_simplifier *s, const hlo_affine *a) {
  hlo_affine_sum sum = hlo_affine_sum_start(s->context);
  hlo_affine_sum_add_constant(&sum, a->constant);
  for (int32_t i = 0; i < a->term_count; i++)
    hlo_affine_sum_add(&sum, hlo_simplifier_simplify(s, a->terms[i].atom), a->terms[i].factor);
  return hlo_simplifier_finish(s, hlo_affine_sum_finish(&sum));
}

static bool keeps_point(const hlo_simplifier *s, const hlo_affine *variable) {
  return s->variables[variable->kind][variable->index].is_gate ||
         ((s->flags & HLO_SIMPLIFY_KEEP_POINTS) != 0 && variable->kind != HLO_AFFINE_RANGE);
}

static const hlo_affine *simplify_variable(hlo_simplifier *s, const hlo_affine *a) {
  hlo_interval range = hlo_simplifier_range(s, a);
  if (!hlo_interval_is_point(range) || keeps_point(s, a)) return a;
  return hlo_affine_constant(s->context, range.lower);
}

const hlo_affine *hlo_simplifier_simplify(hlo_simplifier *s, const hlo_affine *a) {
  if (hlo_affine_is_constant(a) || hlo_affine_has_failed(s->context)) return a;
  if (hlo_affine_is_variable(a)) return simplify_variable(s, a);
  const hlo_affine *result = hlo_affine_table_get(&s->simple, a);
  if (result != NULL) return result;
  if (a->kind == HLO_AFFINE_SUM) result = simplify_sum(s, a);
  else if (a->kind != HLO_AFFINE_PRODUCT) result = simplify_divided(s, a);
  else {
    const hlo_affine *left = hlo_simplifier_simplify(s, a->left);
    result = hlo_affine_multiply(s->context, left, hlo_simplifier_simplify(s, a->right));
    result = hlo_simplifier_finish(s, result);
  }
  hlo_affine_table_insert(&s->simple, a, result);
  return result;
}
