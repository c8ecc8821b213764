// Counting the values of expressions. See image.h.
//
// The terms of a sum fall into groups without common variables. A term with a variable of its own
// gives a progression of values; other groups are enumerated. Groups then combine like digits of a
// number: one whose values lie further apart than all smaller digits reach multiplies the count,
// and progressions that overlap without gaps make a longer one.
#include "indexing/maps/image.h"

#include "indexing/maps/affine_sum.h"

uint64_t hlo_affine_variable_mask(const hlo_affine *a, hlo_affine_kind kind) {
  if ((a->variables >> kind & 1) == 0) return 0;
  if (hlo_affine_is_variable(a))
    return a->index < IMAGE_MOST_VARIABLES ? UINT64_C(1) << a->index : UINT64_MAX;
  uint64_t mask = 0;
  if (a->kind == HLO_AFFINE_SUM)
    for (int32_t i = 0; i < a->term_count; i++)
      mask |= hlo_affine_variable_mask(a->terms[i].atom, kind);
  else mask = hlo_affine_variable_mask(a->left, kind) | hlo_affine_variable_mask(a->right, kind);
  return mask;
}

static uint64_t ranges_in(const hlo_affine *a) {
  return hlo_affine_variable_mask(a, HLO_AFFINE_RANGE);
}

static bool has_runtime(const hlo_affine *a) { return (a->variables >> HLO_AFFINE_RUNTIME & 1); }

static hlo_interval range_of_variable(const hlo_image_domain *domain, int32_t i) {
  return domain->map->variables[HLO_AFFINE_RANGE][i].range;
}

static int64_t width_of(hlo_interval range) {
  return hlo_upper_add(hlo_upper_add(range.upper, hlo_bound_negate(range.lower)), 1);
}

// Adds the variables that constraints tie to those in mask. True if there are such constraints.
static bool tie(const hlo_image_domain *domain, uint64_t *mask) {
  const hlo_map *map = domain->map;
  bool is_constrained = false;
  for (uint64_t before = 0; *mask != before;) {
    before = *mask;
    for (int32_t k = 0; k < map->constraint_count; k++) {
      uint64_t other = ranges_in(map->constraints[k].expression);
      if ((other & *mask) == 0) continue;
      *mask |= other;
      is_constrained = true;
    }
  }
  return is_constrained;
}

static int64_t product_of_widths(const hlo_image_domain *domain, uint64_t variables) {
  int64_t product = 1;
  int32_t count = domain->map->variable_count[HLO_AFFINE_RANGE];
  for (int32_t i = 0; i < count && i < IMAGE_MOST_VARIABLES; i++)
    if (variables >> i & 1)
      product = hlo_saturating_mul(product, width_of(range_of_variable(domain, i)));
  return product;
}

// --- trying out ---

static bool satisfies(const hlo_image_domain *domain, uint64_t variables,
                      const hlo_affine_values *values, bool *out) {
  hlo_error ignored = {0};
  *out = true;
  for (int32_t i = 0; i < domain->map->constraint_count && *out; i++) {
    const hlo_map_constraint *c = &domain->map->constraints[i];
    int64_t value;
    if ((ranges_in(c->expression) & variables) == 0) continue;
    if (has_runtime(c->expression) ||
        hlo_affine_evaluate(c->expression, values, &value, &ignored) != HLO_OK)
      return false;
    *out = hlo_interval_has(c->range, value);
  }
  return true;
}

// Calls visit for every assignment; false when there are more than the budget allows, a runtime
// variable decides, or a value overflows: then some calls may be missing.
static bool each_assignment(hlo_image_domain *domain, uint64_t variables,
                            void (*visit)(void *host, const hlo_affine_values *values),
                            void *host) {
  int64_t values[IMAGE_MOST_VARIABLES] = {0}, size = product_of_widths(domain, variables);
  int32_t count = domain->map->variable_count[HLO_AFFINE_RANGE], i;
  const hlo_affine_values all = {{NULL, values, NULL}};
  if (count > IMAGE_MOST_VARIABLES || size > domain->budget) return false;
  domain->budget -= size;
  for (i = 0; i < count; i++) values[i] = range_of_variable(domain, i).lower;
  do {
    bool holds;
    if (!satisfies(domain, variables, &all, &holds)) return false;
    if (holds) visit(host, &all);
    for (i = count - 1; i >= 0; i--) {
      if ((variables >> i & 1) == 0) continue;
      if (++values[i] <= range_of_variable(domain, i).upper) break;
      values[i] = range_of_variable(domain, i).lower;
    }
  } while (i >= 0);
  return true;
}

// --- digits ---

// A set of values in one place of the number: neighbours at least `gap` apart, first and last
// `span` apart.
typedef struct digit {
  int64_t gap, span, count, lower;
  bool is_progression; // then all neighbours are gap apart
} digit;

static bool init_progression(digit *out, int64_t lower, int64_t step, int64_t count) {
  *out = (digit){.gap = step, .count = count, .lower = lower, .is_progression = true};
  return hlo_checked_mul(step, count - 1, &out->span);
}

// factor * variable
static bool variable_digit(const hlo_image_domain *domain, const hlo_affine_term *term,
                           digit *out) {
  hlo_interval range = range_of_variable(domain, term->atom->index);
  if (range.lower == INT64_MIN || range.upper == INT64_MAX || term->factor == INT64_MIN)
    return false;
  int64_t first = term->factor < 0 ? range.upper : range.lower;
  return hlo_checked_mul(first, term->factor, &first) &&
         init_progression(out, first, term->factor < 0 ? -term->factor : term->factor,
                          width_of(range));
}

// factor * (v floordiv n) or factor * (v mod n) for a progression v.
static bool divided_digit(const hlo_affine_term *term, const hlo_index_image *v, digit *out) {
  int64_t n = hlo_affine_divisor(term->atom), lower, upper, step;
  if (n <= 0 || !v->is_exact || !v->is_placed || !v->is_progression || term->factor == INT64_MIN)
    return false;
  if (term->atom->kind == HLO_AFFINE_FLOORDIV) {
    if (v->stride > n) return false;
    lower = hlo_floor_div(v->lower, n);
    upper = hlo_floor_div(v->upper, n);
    step = 1;
  } else {
    step = hlo_gcd(v->stride, n);
    if (v->count < n / step) return false;
    lower = hlo_floor_mod(v->lower, step);
    upper = n - step + lower;
  }
  int64_t first = term->factor < 0 ? upper : lower;
  int64_t count = (upper - lower) / step + 1;
  return hlo_checked_mul(first, term->factor, &first) &&
         hlo_checked_mul(step, term->factor < 0 ? -term->factor : term->factor, &step) &&
         init_progression(out, first, step, count);
}

typedef struct trial {
  const hlo_affine_term *const *terms;
  int32_t term_count;
  int64_t *values;
  int64_t count;
  bool overflows;
} trial;

static void add_value(void *host, const hlo_affine_values *values) {
  trial *t = host;
  hlo_error ignored = {0};
  int64_t sum = 0, value;
  for (int32_t i = 0; i < t->term_count; i++)
    if (hlo_affine_evaluate(t->terms[i]->atom, values, &value, &ignored) != HLO_OK ||
        !hlo_checked_mul(value, t->terms[i]->factor, &value) || !hlo_checked_add(sum, value, &sum))
      t->overflows = true;
  t->values[t->count++] = sum;
}

static void sift_down(int64_t *values, int64_t root, int64_t count) {
  for (int64_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && values[child] < values[child + 1]) child++;
    if (values[root] >= values[child]) return;
    int64_t kept = values[root];
    values[root] = values[child];
    values[child] = kept;
  }
}

static void sort(int64_t *values, int64_t count) {
  for (int64_t root = count / 2 - 1; root >= 0; root--) sift_down(values, root, count);
  for (int64_t last = count - 1; last > 0; last--) {
    int64_t kept = values[0];
    values[0] = values[last];
    values[last] = kept;
    sift_down(values, 0, last);
  }
}

// The digit of sorted values.
static bool digit_of_values(const int64_t *values, int64_t count, digit *out) {
  *out = (digit){.gap = 1, .count = 1, .lower = values[0], .is_progression = true};
  int64_t gap;
  if (!hlo_checked_sub(values[count - 1], values[0], &out->span)) return false;
  for (int64_t i = 1; i < count; i++) {
    gap = values[i] - values[i - 1];
    if (gap == 0) continue;
    if (out->count > 1 && gap != out->gap) out->is_progression = false;
    if (out->count == 1 || gap < out->gap) out->gap = gap;
    out->count++;
  }
  return true;
}

static hlo_status tried_digit(hlo_image_domain *domain, uint64_t variables,
                              const hlo_affine_term *const *terms, int32_t term_count, digit *out,
                              bool *found, hlo_error *error) {
  *found = false;
  trial t = {.terms = terms, .term_count = term_count};
  int64_t size = product_of_widths(domain, variables);
  if (size > domain->budget) return HLO_OK;
  hlo_arena arena = {0};
  t.values = hlo_arena_array(&arena, (size_t)size, sizeof *t.values);
  if (t.values == NULL) return hlo_fail_out_of_memory(error);
  if (each_assignment(domain, variables, add_value, &t) && !t.overflows) {
    sort(t.values, t.count);
    *found = t.count > 0 && digit_of_values(t.values, t.count, out);
    if (t.count == 0) {
      *out = (digit){.gap = 1, .is_progression = true};
      *found = true;
    }
  }
  hlo_arena_free(&arena);
  return HLO_OK;
}

// --- groups ---

typedef struct grouping {
  hlo_image_domain *domain;
  hlo_affine_terms terms;
  const hlo_affine_term **group; // room for all terms
  bool *is_done;
} grouping;

// Takes the terms that are tied to term i, by variables or constraints.
static uint64_t collect_group(grouping *g, int32_t i, int32_t *count, bool *is_constrained) {
  uint64_t mask = ranges_in(g->terms.terms[i].atom), before = 0;
  *count = 0;
  *is_constrained = false;
  while (mask != before) {
    before = mask;
    *is_constrained |= tie(g->domain, &mask);
    for (int32_t k = 0; k < g->terms.count; k++) {
      uint64_t other = ranges_in(g->terms.terms[k].atom);
      if (g->is_done[k] || (other & mask) == 0) continue;
      mask |= other;
      g->is_done[k] = true;
      g->group[(*count)++] = &g->terms.terms[k];
    }
  }
  return mask;
}

static hlo_status group_digit(grouping *g, uint64_t mask, int32_t count, bool is_constrained,
                              digit *out, bool *found, hlo_error *error) {
  const hlo_affine_term *first = g->group[0];
  *found = false;
  for (int32_t k = 0; k < count; k++)
    if (has_runtime(g->group[k]->atom)) return HLO_OK;
  if (count == 1 && !is_constrained) {
    if (hlo_affine_is_variable(first->atom)) {
      *found = variable_digit(g->domain, first, out);
      return HLO_OK;
    }
    if (hlo_affine_divisor(first->atom) > 0) {
      hlo_index_image v;
      HLO_TRY(hlo_image_of(g->domain, first->atom->left, &v, error));
      *found = divided_digit(first, &v, out);
      if (*found) return HLO_OK;
    }
  }
  return tried_digit(g->domain, mask, g->group, count, out, found, error);
}

// --- putting digits together, from the one with the smallest gap on ---

typedef struct number {
  int64_t count, reach; // of the digits below the top one: values, and from the first to the last
  digit top;            // its gap is larger than reach
  int64_t lower;
} number;

// False when values of two digits may coincide in no regular way.
static bool add_digit(number *n, const digit *d) {
  int64_t span, steps;
  digit *top = &n->top;
  if (!hlo_checked_add(n->lower, d->lower, &n->lower)) return false;
  if (d->count == 0) n->count = 0;
  if (d->count <= 1) return true;
  if (!hlo_checked_add(n->reach, top->span, &span)) return false;
  bool are_progressions = top->is_progression && d->is_progression;
  if (d->gap > span) {
    if (are_progressions && (top->count == 1 || d->gap / top->count == top->gap) &&
        d->gap % top->count == 0) { // goes on where the top one ends
      int64_t gap = top->count == 1 ? d->gap : top->gap;
      return hlo_checked_mul(top->count, d->count, &steps) &&
             init_progression(top, top->lower, gap, steps);
    }
    n->count = hlo_saturating_mul(n->count, top->count);
    n->reach = span;
    *top = *d;
    return true;
  }
  if (!are_progressions || d->gap % top->gap != 0) return false;
  return hlo_checked_mul(d->gap / top->gap, d->count - 1, &steps) &&
         hlo_checked_add(top->count, steps, &steps) &&
         init_progression(top, top->lower, top->gap, steps);
}

static bool add_digits(const digit *digits, int32_t count, int64_t constant, number *n) {
  *n = (number){.count = 1, .lower = constant};
  n->top = (digit){.gap = 1, .count = 1, .is_progression = true};
  for (int32_t i = 0; i < count; i++)
    if (!add_digit(n, &digits[i])) return false;
  return true;
}

static void insert(digit *digits, int32_t *count, const digit *d) {
  int32_t i = (*count)++;
  for (; i > 0 && d->gap < digits[i - 1].gap; i--) digits[i] = digits[i - 1];
  digits[i] = *d;
}

static void set_image(const number *n, bool is_placed, hlo_index_image *out) {
  *out = (hlo_index_image){.is_exact = true, .is_placed = is_placed, .lower = n->lower};
  out->count = hlo_saturating_mul(n->count, n->top.count);
  out->is_progression = n->count == 1 && n->top.is_progression;
  out->stride = out->is_progression ? n->top.gap : 1;
  out->is_exact = hlo_checked_add(n->lower, n->reach, &out->upper) &&
                  hlo_checked_add(out->upper, n->top.span, &out->upper);
}

// All groups' digits; *found is false when some group has none.
static hlo_status compute_digits(grouping *g, digit *digits, int32_t *count, bool *is_placed,
                                 bool *found, hlo_error *error) {
  *found = *is_placed = true;
  *count = 0;
  for (int32_t i = 0; i < g->terms.count && *found; i++) {
    const hlo_affine *atom = g->terms.terms[i].atom;
    if (g->is_done[i]) continue;
    if (ranges_in(atom) == 0) { // a runtime value
      *is_placed = false;
      *found = (hlo_affine_variable_mask(atom, HLO_AFFINE_RUNTIME) & g->domain->varying) == 0;
      continue;
    }
    digit d;
    int32_t size;
    bool is_constrained;
    uint64_t mask = collect_group(g, i, &size, &is_constrained);
    HLO_TRY(group_digit(g, mask, size, is_constrained, &d, found, error));
    if (*found) insert(digits, count, &d);
  }
  return HLO_OK;
}

hlo_status hlo_image_of(hlo_image_domain *domain, const hlo_affine *a, hlo_index_image *out,
                        hlo_error *error) {
  *out = (hlo_index_image){.count = product_of_widths(domain, ranges_in(a))};
  if (domain->map->variable_count[HLO_AFFINE_RANGE] > IMAGE_MOST_VARIABLES) return HLO_OK;
  grouping g = {.domain = domain};
  hlo_affine_terms_of(&g.terms, a);
  hlo_arena arena = {0};
  digit *digits = hlo_arena_array(&arena, (size_t)g.terms.count, sizeof *digits);
  g.group = hlo_arena_array(&arena, (size_t)g.terms.count, sizeof *g.group);
  g.is_done = hlo_arena_array(&arena, (size_t)g.terms.count, sizeof *g.is_done);
  hlo_status status = HLO_OK;
  if (digits == NULL || g.group == NULL || g.is_done == NULL)
    status = hlo_fail_out_of_memory(error);
  int32_t count;
  bool is_placed, found;
  number n;
  if (status == HLO_OK) status = compute_digits(&g, digits, &count, &is_placed, &found, error);
  if (status == HLO_OK && found && add_digits(digits, count, g.terms.constant, &n)) {
    set_image(&n, is_placed, out);
  } else if (status == HLO_OK && found && is_placed) { // tangled digits
    for (int32_t i = 0; i < g.terms.count; i++) g.group[i] = &g.terms.terms[i];
    uint64_t mask = ranges_in(a);
    tie(domain, &mask);
    status = tried_digit(domain, mask, g.group, g.terms.count, digits, &found, error);
    if (status == HLO_OK && found && add_digits(digits, 1, g.terms.constant, &n))
      set_image(&n, true, out);
  }
  hlo_arena_free(&arena);
  return status;
}

// --- assignments ---

static void count_one(void *host, const hlo_affine_values *values) {
  (void)values;
  ++*(int64_t *)host;
}

void hlo_image_count_assignments(hlo_image_domain *domain, int64_t *count, bool *is_exact) {
  const hlo_map *map = domain->map;
  uint64_t done = 0;
  *count = 1;
  *is_exact = map->variable_count[HLO_AFFINE_RANGE] <= IMAGE_MOST_VARIABLES;
  for (int32_t i = 0; i < map->variable_count[HLO_AFFINE_RANGE]; i++) {
    uint64_t mask = i < IMAGE_MOST_VARIABLES ? UINT64_C(1) << i : 0;
    if (mask == 0) *count = hlo_saturating_mul(*count, width_of(range_of_variable(domain, i)));
    if ((mask & done) != 0 || mask == 0) continue;
    bool is_constrained = tie(domain, &mask);
    done |= mask;
    int64_t of_group = 0;
    if (!is_constrained || !each_assignment(domain, mask, count_one, &of_group)) {
      of_group = product_of_widths(domain, mask);
      if (is_constrained) *is_exact = false;
    }
    *count = hlo_saturating_mul(*count, of_group);
  }
}
