// Sums, products and divisions of expressions. See affine.h.
#include "indexing/maps/affine_context.h"
#include "indexing/maps/interval.h"

const hlo_affine *hlo_affine_add_scaled(hlo_affine_context *context, const hlo_affine *a,
                                        const hlo_affine *b, int64_t factor) {
  hlo_affine_sum sum = hlo_affine_sum_start(context);
  hlo_affine_sum_add(&sum, a, 1);
  hlo_affine_sum_add(&sum, b, factor);
  return hlo_affine_sum_finish(&sum);
}

const hlo_affine *hlo_affine_add(hlo_affine_context *context, const hlo_affine *a,
                                 const hlo_affine *b) {
  return hlo_affine_add_scaled(context, a, b, 1);
}

const hlo_affine *hlo_affine_scale(hlo_affine_context *context, const hlo_affine *a,
                                   int64_t factor) {
  return hlo_affine_add_scaled(context, &context->zero, a, factor);
}

const hlo_affine *hlo_affine_shift(hlo_affine_context *context, const hlo_affine *a, int64_t by) {
  hlo_affine_sum sum = hlo_affine_sum_start(context);
  hlo_affine_sum_add(&sum, a, 1);
  hlo_affine_sum_add_constant(&sum, by);
  return hlo_affine_sum_finish(&sum);
}

// What is computed for both: constants, and divisors of 1 and -1. NULL: nothing.
static const hlo_affine *fold_division(hlo_affine_context *context, hlo_affine_kind kind,
                                       const hlo_affine *a, const hlo_affine *b) {
  if (!hlo_affine_is_constant(b)) return NULL;
  int64_t divisor = b->constant;
  if (divisor == 0) {
    hlo_affine_fail(context, AFFINE_DIVISION_BY_ZERO);
    return &context->zero;
  }
  bool is_mod = kind == HLO_AFFINE_MOD;
  if (divisor == 1 || divisor == -1)
    return is_mod ? &context->zero : hlo_affine_scale(context, a, divisor);
  if (!hlo_affine_is_constant(a)) return NULL;
  return hlo_affine_constant(context, is_mod ? hlo_floor_mod(a->constant, divisor)
                                             : hlo_floor_div(a->constant, divisor));
}

static const hlo_affine *divide(hlo_affine_context *context, hlo_affine_kind kind,
                                const hlo_affine *a, const hlo_affine *b) {
  const hlo_affine *folded = fold_division(context, kind, a, b);
  return folded != NULL
             ? folded
             : hlo_affine_intern(context, (hlo_affine){.kind = kind, .left = a, .right = b});
}

const hlo_affine *hlo_affine_floordiv(hlo_affine_context *context, const hlo_affine *a,
                                      const hlo_affine *b) {
  return divide(context, HLO_AFFINE_FLOORDIV, a, b);
}

const hlo_affine *hlo_affine_mod(hlo_affine_context *context, const hlo_affine *a,
                                 const hlo_affine *b) {
  return divide(context, HLO_AFFINE_MOD, a, b);
}

static int32_t collect_factors(const hlo_affine *a, const hlo_affine **factors, int32_t count) {
  for (; a->kind == HLO_AFFINE_PRODUCT; a = a->left) {
    if (count >= AFFINE_MOST_FACTORS) return count + 1;
    factors[count++] = a->right;
  }
  if (count < AFFINE_MOST_FACTORS) factors[count] = a;
  return count + 1;
}

// The product of two atoms: its factors in order, the first one innermost.
static const hlo_affine *multiply_atoms(hlo_affine_context *context, const hlo_affine *a,
                                        const hlo_affine *b) {
  const hlo_affine *factors[AFFINE_MOST_FACTORS];
  int32_t count = collect_factors(a, factors, 0);
  if (count < AFFINE_MOST_FACTORS) count = collect_factors(b, factors, count);
  else count = AFFINE_MOST_FACTORS + 1;
  if (count > AFFINE_MOST_FACTORS) {
    hlo_affine_fail(context, AFFINE_TOO_MANY_FACTORS);
    return &context->zero;
  }
  for (int32_t i = 1; i < count; i++) {
    const hlo_affine *factor = factors[i];
    int32_t j = i;
    for (; j > 0 && hlo_affine_compare(factor, factors[j - 1]) < 0; j--)
      factors[j] = factors[j - 1];
    factors[j] = factor;
  }
  const hlo_affine *product = factors[0];
  for (int32_t i = 1; i < count; i++)
    product = hlo_affine_intern(
        context, (hlo_affine){.kind = HLO_AFFINE_PRODUCT, .left = product, .right = factors[i]});
  return product;
}

static void add_product(hlo_affine_sum *sum, const hlo_affine *a, int64_t factor_a,
                        const hlo_affine *b, int64_t factor_b) {
  int64_t factor;
  if (!hlo_checked_mul(factor_a, factor_b, &factor)) hlo_affine_fail_overflow(sum->context);
  else if (b == NULL) hlo_affine_sum_add_atom(sum, a, factor);
  else hlo_affine_sum_add_atom(sum, multiply_atoms(sum->context, a, b), factor);
}

const hlo_affine *hlo_affine_multiply(hlo_affine_context *context, const hlo_affine *a,
                                      const hlo_affine *b) {
  if (hlo_affine_is_constant(a)) return hlo_affine_scale(context, b, a->constant);
  if (hlo_affine_is_constant(b)) return hlo_affine_scale(context, a, b->constant);
  hlo_affine_terms left, right;
  hlo_affine_terms_of(&left, a);
  hlo_affine_terms_of(&right, b);
  hlo_affine_sum sum = hlo_affine_sum_start(context);
  hlo_affine_sum_add(&sum, b, left.constant);
  for (int32_t i = 0; i < left.count; i++) {
    const hlo_affine_term *l = &left.terms[i];
    add_product(&sum, l->atom, l->factor, NULL, right.constant);
    for (int32_t j = 0; j < right.count; j++)
      add_product(&sum, l->atom, l->factor, right.terms[j].atom, right.terms[j].factor);
  }
  return hlo_affine_sum_finish(&sum);
}
