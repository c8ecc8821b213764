// For the files of this folder that build and take apart expressions: sums under construction, the
// raw makers, and tables from expressions to results.
#ifndef HLO_INDEXING_MAPS_AFFINE_SUM_H
#define HLO_INDEXING_MAPS_AFFINE_SUM_H

#include "indexing/maps/affine.h"

enum { HLO_AFFINE_SUM_INLINE = 6 };

// Zero-initialise but for context. Grows into the context's arena.
typedef struct hlo_affine_sum {
  hlo_affine_context *context;
  int64_t constant;
  int32_t count, capacity;
  hlo_affine_term *terms; // distinct atoms in no order, factors may be 0
  hlo_affine_term first[HLO_AFFINE_SUM_INLINE];
} hlo_affine_sum;

static inline hlo_affine_sum hlo_affine_sum_start(hlo_affine_context *context) {
  return (hlo_affine_sum){.context = context};
}
void hlo_affine_sum_add_constant(hlo_affine_sum *sum, int64_t value);
void hlo_affine_sum_add_atom(hlo_affine_sum *sum, const hlo_affine *atom, int64_t factor);
void hlo_affine_sum_add(hlo_affine_sum *sum, const hlo_affine *a, int64_t factor);
hlo_affine_term *hlo_affine_sum_term(hlo_affine_sum *sum, int32_t i);
int64_t hlo_affine_sum_factor(hlo_affine_sum *sum,
                              const hlo_affine *atom); // 0 when it does not occur
// Removes the terms with factor 0 and brings the others into order.
void hlo_affine_sum_tidy(hlo_affine_sum *sum);
const hlo_affine *hlo_affine_sum_finish(hlo_affine_sum *sum); // tidies

// Terms of any expression: a sum's own, or the expression as its only one.
typedef struct hlo_affine_terms {
  const hlo_affine_term *terms;
  int32_t count;
  int64_t constant;
  hlo_affine_term own;
} hlo_affine_terms;
void hlo_affine_terms_of(hlo_affine_terms *out, const hlo_affine *a);

// FLOORDIV or MOD by a constant, looked at no further.
const hlo_affine *hlo_affine_divided(hlo_affine_context *context, hlo_affine_kind kind,
                                     const hlo_affine *a, int64_t divisor);
void hlo_affine_fail_overflow(hlo_affine_context *context);
bool hlo_affine_has_failed(const hlo_affine_context *context);

// From expressions to pointers, emptied at once. Zero-initialise but for context.
typedef struct hlo_affine_table {
  hlo_affine_context *context;
  uint32_t count, capacity;
  const hlo_affine **keys;
  const void **values;
} hlo_affine_table;
const void *hlo_affine_table_get(const hlo_affine_table *table,
                                 const hlo_affine *key); // NULL: absent
void hlo_affine_table_insert(hlo_affine_table *table, const hlo_affine *key, const void *value);
void hlo_affine_table_clear(hlo_affine_table *table);

#endif
