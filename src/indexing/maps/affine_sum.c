// Sums under construction, the order of expressions, and tables keyed by them. See affine_sum.h.
#include "indexing/maps/affine_context.h"
#include "indexing/maps/interval.h"

#include <string.h>

// --- order ---

static int order(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

// Variables, products, floordivs, mods, sums.
static int rank_of(const hlo_affine *a) { return hlo_affine_is_variable(a) ? 0 : (int)a->kind; }

static int compare_sums(const hlo_affine *a, const hlo_affine *b) {
  for (int32_t i = 0; i < a->term_count && i < b->term_count; i++) {
    int result = hlo_affine_compare(a->terms[i].atom, b->terms[i].atom);
    if (result == 0) result = order(a->terms[i].factor, b->terms[i].factor);
    if (result != 0) return result;
  }
  int result = order(a->term_count, b->term_count);
  return result != 0 ? result : order(a->constant, b->constant);
}

int hlo_affine_compare(const hlo_affine *a, const hlo_affine *b) {
  if (a == b) return 0;
  int result = order((b->variables >> HLO_AFFINE_DIM) & 1, (a->variables >> HLO_AFFINE_DIM) & 1);
  if (result == 0) result = order(rank_of(a), rank_of(b));
  if (result != 0) return result;
  if (hlo_affine_is_variable(a)) {
    result = order((int64_t)a->kind, (int64_t)b->kind);
    return result != 0 ? result : order(a->index, b->index);
  }
  if (a->kind == HLO_AFFINE_SUM) return compare_sums(a, b);
  result = hlo_affine_compare(a->left, b->left);
  return result != 0 ? result : hlo_affine_compare(a->right, b->right);
}

// --- sums ---

static hlo_affine_term *terms_in(hlo_affine_sum *sum) {
  return sum->terms == NULL ? sum->first : sum->terms;
}

hlo_affine_term *hlo_affine_sum_term(hlo_affine_sum *sum, int32_t i) { return &terms_in(sum)[i]; }

void hlo_affine_sum_add_constant(hlo_affine_sum *sum, int64_t value) {
  if (!hlo_checked_add(sum->constant, value, &sum->constant))
    hlo_affine_fail_overflow(sum->context);
}

static bool grow(hlo_affine_sum *sum) {
  int32_t capacity = sum->terms == NULL ? HLO_AFFINE_SUM_INLINE : sum->capacity;
  if (sum->count < capacity) return true;
  hlo_affine_term *terms =
      hlo_arena_array(sum->context->arena, (size_t)capacity * 2, sizeof *terms);
  if (terms == NULL) {
    hlo_affine_fail(sum->context, AFFINE_OUT_OF_MEMORY);
    return false;
  }
  memcpy(terms, terms_in(sum), sizeof *terms * (size_t)sum->count);
  sum->terms = terms;
  sum->capacity = capacity * 2;
  return true;
}

void hlo_affine_sum_add_atom(hlo_affine_sum *sum, const hlo_affine *atom, int64_t factor) {
  if (factor == 0 || hlo_affine_has_failed(sum->context)) return;
  hlo_affine_term *terms = terms_in(sum);
  for (int32_t i = 0; i < sum->count; i++) {
    if (terms[i].atom != atom) continue;
    if (!hlo_checked_add(terms[i].factor, factor, &terms[i].factor))
      hlo_affine_fail_overflow(sum->context);
    return;
  }
  if (grow(sum)) *hlo_affine_sum_term(sum, sum->count++) = (hlo_affine_term){atom, factor};
}

void hlo_affine_sum_add(hlo_affine_sum *sum, const hlo_affine *a, int64_t factor) {
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, a);
  int64_t product;
  for (int32_t i = -1; i < terms.count; i++) {
    if (!hlo_checked_mul(i < 0 ? terms.constant : terms.terms[i].factor, factor, &product))
      hlo_affine_fail_overflow(sum->context);
    else if (i < 0) hlo_affine_sum_add_constant(sum, product);
    else hlo_affine_sum_add_atom(sum, terms.terms[i].atom, product);
  }
}

int64_t hlo_affine_sum_factor(hlo_affine_sum *sum, const hlo_affine *atom) {
  const hlo_affine_term *terms = terms_in(sum);
  for (int32_t i = 0; i < sum->count; i++)
    if (terms[i].atom == atom) return terms[i].factor;
  return 0;
}

void hlo_affine_sum_tidy(hlo_affine_sum *sum) {
  hlo_affine_term *terms = terms_in(sum);
  int32_t count = 0;
  for (int32_t i = 0; i < sum->count; i++) {
    hlo_affine_term term = terms[i];
    if (term.factor == 0) continue;
    int32_t j = count++;
    for (; j > 0 && hlo_affine_compare(term.atom, terms[j - 1].atom) < 0; j--)
      terms[j] = terms[j - 1];
    terms[j] = term;
  }
  sum->count = count;
}

const hlo_affine *hlo_affine_sum_finish(hlo_affine_sum *sum) {
  hlo_affine_sum_tidy(sum);
  const hlo_affine_term *terms = terms_in(sum);
  if (sum->count == 1 && sum->constant == 0 && terms[0].factor == 1) return terms[0].atom;
  return hlo_affine_intern(sum->context, (hlo_affine){.kind = HLO_AFFINE_SUM,
                                                      .constant = sum->constant,
                                                      .term_count = sum->count,
                                                      .terms = sum->count == 0 ? NULL : terms});
}

void hlo_affine_terms_of(hlo_affine_terms *out, const hlo_affine *a) {
  if (a->kind == HLO_AFFINE_SUM) {
    *out = (hlo_affine_terms){.terms = a->terms, .count = a->term_count, .constant = a->constant};
  } else {
    *out = (hlo_affine_terms){.count = 1, .own = {a, 1}};
    out->terms = &out->own;
  }
}

// --- tables ---

static uint32_t find_slot(const hlo_affine_table *table, const hlo_affine *key) {
  uint32_t slot = key->hash % table->capacity;
  while (table->keys[slot] != NULL && table->keys[slot] != key) slot = (slot + 1) % table->capacity;
  return slot;
}

const void *hlo_affine_table_get(const hlo_affine_table *table, const hlo_affine *key) {
  if (table->count == 0) return NULL;
  uint32_t slot = find_slot(table, key);
  return table->keys[slot] == NULL ? NULL : table->values[slot];
}

static bool resize(hlo_affine_table *table, uint32_t capacity) {
  hlo_affine_table larger = {
      .context = table->context, .count = table->count, .capacity = capacity};
  larger.keys = hlo_arena_array(table->context->arena, capacity, sizeof *larger.keys);
  larger.values = hlo_arena_array(table->context->arena, capacity, sizeof *larger.values);
  if (larger.keys == NULL || larger.values == NULL) {
    hlo_affine_fail(table->context, AFFINE_OUT_OF_MEMORY);
    return false;
  }
  for (uint32_t i = 0; i < table->capacity; i++) {
    if (table->keys[i] == NULL) continue;
    uint32_t slot = find_slot(&larger, table->keys[i]);
    larger.keys[slot] = table->keys[i];
    larger.values[slot] = table->values[i];
  }
  *table = larger;
  return true;
}

void hlo_affine_table_insert(hlo_affine_table *table, const hlo_affine *key, const void *value) {
  if (table->count + 1 > table->capacity / 2 &&
      !resize(table, table->capacity == 0 ? 64 : table->capacity * 2))
    return;
  uint32_t slot = find_slot(table, key);
  if (table->keys[slot] == NULL) table->count++;
  table->keys[slot] = key;
  table->values[slot] = value;
}

void hlo_affine_table_clear(hlo_affine_table *table) {
  if (table->count > 0) memset(table->keys, 0, sizeof *table->keys * table->capacity);
  table->count = 0;
}
