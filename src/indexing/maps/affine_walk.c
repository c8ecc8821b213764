// Walks over expressions: values, substitution, the variables in them, and their text.
// See affine.h.
#include "indexing/maps/affine_sum.h"
#include "indexing/maps/interval.h"

// --- values ---
//
// Expressions mean integers of any size. Simplifying may regroup them, so that a sum on the way no
// longer fits 64 bits although all results do: values on the way have 128.

typedef __int128 wide;

static hlo_status overflows(hlo_error *error) {
  return hlo_fail(error, HLO_RUNTIME_ERROR, "an index expression overflows 64 bits");
}

static hlo_status evaluate(const hlo_affine *a, const hlo_affine_values *values, wide *out,
                           hlo_error *error);

static hlo_status evaluate_divided(const hlo_affine *a, wide left, wide right, wide *out,
                                   hlo_error *error) {
  if (right == 0) return hlo_fail(error, HLO_RUNTIME_ERROR, "an index expression divides by 0");
  bool is_mod = a->kind == HLO_AFFINE_MOD;
  if (right == -1) {
    *out = 0;
    return is_mod || !__builtin_sub_overflow((wide)0, left, out) ? HLO_OK : overflows(error);
  }
  wide quotient = left / right, rest = left % right;
  bool rounds_up = rest != 0 && (rest < 0) != (right < 0);
  if (is_mod) *out = rounds_up ? rest + right : rest;
  else *out = rounds_up ? quotient - 1 : quotient;
  return HLO_OK;
}

static hlo_status evaluate_sum(const hlo_affine *a, const hlo_affine_values *values, wide *out,
                               hlo_error *error) {
  wide sum = a->constant, value;
  for (int32_t i = 0; i < a->term_count; i++) {
    HLO_TRY(evaluate(a->terms[i].atom, values, &value, error));
    if (__builtin_mul_overflow(value, (wide)a->terms[i].factor, &value) ||
        __builtin_add_overflow(sum, value, &sum))
      return overflows(error);
  }
  *out = sum;
  return HLO_OK;
}

static hlo_status evaluate(const hlo_affine *a, const hlo_affine_values *values, wide *out,
                           hlo_error *error) {
  if (hlo_affine_is_variable(a)) {
    *out = values->values[a->kind][a->index];
    return HLO_OK;
  }
  if (a->kind == HLO_AFFINE_SUM) return evaluate_sum(a, values, out, error);
  wide left, right;
  HLO_TRY(evaluate(a->left, values, &left, error));
  HLO_TRY(evaluate(a->right, values, &right, error));
  if (a->kind != HLO_AFFINE_PRODUCT) return evaluate_divided(a, left, right, out, error);
  return __builtin_mul_overflow(left, right, out) ? overflows(error) : HLO_OK;
}

hlo_status hlo_affine_evaluate(const hlo_affine *a, const hlo_affine_values *values, int64_t *out,
                               hlo_error *error) {
  wide value;
  HLO_TRY(evaluate(a, values, &value, error));
  if (value < INT64_MIN || value > INT64_MAX) return overflows(error);
  *out = (int64_t)value;
  return HLO_OK;
}

// --- substitution ---

typedef struct substitution {
  hlo_affine_context *context;
  const hlo_affine_replacements *replacements;
  hlo_affine_table done;
} substitution;

static const hlo_affine *substitute(substitution *s, const hlo_affine *a);

static const hlo_affine *substitute_parts(substitution *s, const hlo_affine *a) {
  if (a->kind == HLO_AFFINE_SUM) {
    hlo_affine_sum sum = hlo_affine_sum_start(s->context);
    hlo_affine_sum_add_constant(&sum, a->constant);
    for (int32_t i = 0; i < a->term_count; i++)
      hlo_affine_sum_add(&sum, substitute(s, a->terms[i].atom), a->terms[i].factor);
    return hlo_affine_sum_finish(&sum);
  }
  const hlo_affine *left = substitute(s, a->left), *right = substitute(s, a->right);
  if (a->kind == HLO_AFFINE_PRODUCT) return hlo_affine_multiply(s->context, left, right);
  return a->kind == HLO_AFFINE_MOD ? hlo_affine_mod(s->context, left, right)
                                   : hlo_affine_floordiv(s->context, left, right);
}

static const hlo_affine *substitute(substitution *s, const hlo_affine *a) {
  if (hlo_affine_is_variable(a)) {
    const hlo_affine *const *by = s->replacements->by[a->kind];
    return by == NULL || by[a->index] == NULL ? a : by[a->index];
  }
  if (a->variables == 0) return a;
  const hlo_affine *result = hlo_affine_table_get(&s->done, a);
  if (result != NULL) return result;
  result = substitute_parts(s, a);
  hlo_affine_table_insert(&s->done, a, result);
  return result;
}

const hlo_affine *hlo_affine_substitute(hlo_affine_context *context, const hlo_affine *a,
                                        const hlo_affine_replacements *replacements) {
  substitution s = {context, replacements, {.context = context}};
  return substitute(&s, a);
}

// --- variables ---

typedef struct variable_walk {
  void (*visit)(void *host, hlo_affine_kind kind, int32_t index);
  void *host;
  hlo_affine_table seen;
} variable_walk;

static void each_variable(variable_walk *walk, const hlo_affine *a) {
  if (a->variables == 0 || hlo_affine_table_get(&walk->seen, a) != NULL) return;
  hlo_affine_table_insert(&walk->seen, a, a);
  if (hlo_affine_is_variable(a)) walk->visit(walk->host, a->kind, a->index);
  else if (a->kind == HLO_AFFINE_SUM)
    for (int32_t i = 0; i < a->term_count; i++) each_variable(walk, a->terms[i].atom);
  else {
    each_variable(walk, a->left);
    each_variable(walk, a->right);
  }
}

void hlo_affine_each_variable(hlo_affine_context *context, const hlo_affine *a,
                              void (*visit)(void *host, hlo_affine_kind kind, int32_t index),
                              void *host) {
  variable_walk walk = {visit, host, {.context = context}};
  each_variable(&walk, a);
}

// --- text ---

void hlo_affine_print_variable(hlo_string *out, hlo_affine_kind kind, int32_t index,
                               const hlo_affine_names *names) {
  static const char *const prefixes[HLO_AFFINE_VARIABLE_KINDS] = {"d", "s", "rt"};
  if (names != NULL && names->names[kind] != NULL && names->names[kind][index] != NULL) {
    hlo_string_add(out, names->names[kind][index]);
  } else {
    hlo_string_add(out, prefixes[kind]);
    hlo_string_add_int(out, index);
  }
}

// An operand of anything but a sum stands in parentheses unless it is a variable or a number.
static void print(hlo_string *out, const hlo_affine *a, bool is_operand,
                  const hlo_affine_names *names);

static void print_term(hlo_string *out, const hlo_affine_term *term, bool is_first,
                       const hlo_affine_names *names) {
  int64_t factor = term->factor;
  bool is_subtracted = factor < 0 && factor != INT64_MIN && (!is_first || factor == -1);
  if (is_subtracted) factor = -factor;
  if (!is_first) hlo_string_add(out, is_subtracted ? " - " : " + ");
  else if (is_subtracted) hlo_string_add(out, "-");
  print(out, term->atom, factor != 1 || (is_first && is_subtracted), names);
  if (factor == 1) return;
  hlo_string_add(out, " * ");
  hlo_string_add_int(out, factor);
}

static void print_sum(hlo_string *out, const hlo_affine *a, const hlo_affine_names *names) {
  for (int32_t i = 0; i < a->term_count; i++) print_term(out, &a->terms[i], i == 0, names);
  if (a->term_count == 0) hlo_string_add_int(out, a->constant);
  else if (a->constant == INT64_MIN) hlo_string_add(out, " + -9223372036854775808");
  else if (a->constant != 0) {
    hlo_string_add(out, a->constant < 0 ? " - " : " + ");
    hlo_string_add_int(out, a->constant < 0 ? -a->constant : a->constant);
  }
}

static void print(hlo_string *out, const hlo_affine *a, bool is_operand,
                  const hlo_affine_names *names) {
  if (hlo_affine_is_variable(a)) {
    hlo_affine_print_variable(out, a->kind, a->index, names);
    return;
  }
  bool is_bracketed = is_operand && !hlo_affine_is_constant(a);
  if (is_bracketed) hlo_string_add_char(out, '(');
  if (a->kind == HLO_AFFINE_SUM) print_sum(out, a, names);
  else {
    // A minus in front of a product would be taken to negate it all.
    bool is_negative = hlo_affine_is_constant(a->left) && a->left->constant < 0;
    if (is_negative) hlo_string_add_char(out, '(');
    print(out, a->left, true, names);
    if (is_negative) hlo_string_add_char(out, ')');
    hlo_string_add(out, a->kind == HLO_AFFINE_PRODUCT    ? " * "
                        : a->kind == HLO_AFFINE_FLOORDIV ? " floordiv "
                                                         : " mod ");
    print(out, a->right, true, names);
  }
  if (is_bracketed) hlo_string_add_char(out, ')');
}

void hlo_affine_print(hlo_string *out, const hlo_affine *a, const hlo_affine_names *names) {
  print(out, a, false, names);
}
