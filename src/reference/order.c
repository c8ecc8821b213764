// Sort and TopK. Source of semantics: their sections of the operation semantics. Both are stable.
#include "reference/operation.h"

// Positions along one dimension, and what says which of two comes first.
typedef struct sorting {
  const hlo_operation *x;
  const hlo_computation *comparator; // NULL: in total order, from the largest unless !is_largest
  bool is_largest;
  int64_t dimension;
  int32_t count;         // operands that are sorted side by side
  int64_t *at;           // of the row: its index, but along the dimension
  int64_t *order, *work; // positions
  hlo_scalar *pairs;     // the comparator's arguments
} sorting;

static hlo_scalar element(const sorting *s, int32_t k, int64_t position) {
  s->at[s->dimension] = position;
  return hlo_scalar_at(&s->x->operands[k], s->at);
}

// Whether the elements at position a have to stand before those at b.
static hlo_status is_before(const sorting *s, int64_t a, int64_t b, bool *out, hlo_error *error) {
  if (s->comparator == NULL) {
    int order = hlo_reference_total_order(element(s, 0, a), element(s, 0, b));
    *out = s->is_largest ? order > 0 : order < 0;
    return HLO_OK;
  }
  for (int32_t k = 0; k < s->count; k++) {
    s->pairs[2 * k] = element(s, k, a);
    s->pairs[2 * k + 1] = element(s, k, b);
  }
  hlo_scalar result;
  HLO_TRY(hlo_reference_apply(s->x->reference, s->comparator, s->pairs, &result, error));
  *out = result.bytes[0] != 0;
  return HLO_OK;
}

// Merge sort of the positions from `start` up to `stop`.
static hlo_status merge_sort(const sorting *s, int64_t start, int64_t stop, hlo_error *error) {
  int64_t middle = start + (stop - start) / 2, left = start, right = middle;
  if (stop - start < 2) return HLO_OK;
  HLO_TRY(merge_sort(s, start, middle, error));
  HLO_TRY(merge_sort(s, middle, stop, error));
  for (int64_t i = start; i < stop; i++) {
    bool takes_right = left == middle;
    if (!takes_right && right < stop)
      HLO_TRY(is_before(s, s->order[right], s->order[left], &takes_right, error));
    s->work[i] = takes_right ? s->order[right++] : s->order[left++];
  }
  memcpy(s->order + start, s->work + start, (size_t)(stop - start) * sizeof *s->order);
  return HLO_OK;
}

static void store_sorted(const sorting *s) {
  for (int32_t k = 0; k < s->count; k++) {
    for (int64_t i = 0; i < s->x->results[k].dims[s->dimension]; i++) {
      hlo_scalar value = element(s, k, s->order[i]);
      s->at[s->dimension] = i;
      hlo_store_scalar(&s->x->results[k], s->at, value);
      if (s->comparator == NULL) // TopK: and where it was
        hlo_store_number(&s->x->results[1], s->at, hlo_signed_number(s->order[i]));
    }
  }
}

static hlo_status sort_rows(sorting *s, hlo_error *error) {
  int64_t length = s->x->operands->dims[s->dimension];
  hlo_index row = hlo_index_over(s->x->operands);
  hlo_index_fix(&row, s->dimension, 0);
  HLO_ALLOC(s->order, s->x->reference->arena, length, error);
  HLO_ALLOC(s->work, s->x->reference->arena, length, error);
  HLO_ALLOC(s->pairs, s->x->reference->arena, 2 * (int64_t)s->count, error);
  while (hlo_index_next(&row)) {
    s->at = row.at;
    for (int64_t i = 0; i < length; i++) s->order[i] = i;
    HLO_TRY(merge_sort(s, 0, length, error));
    store_sorted(s);
    row.at[s->dimension] = 0;
  }
  return HLO_OK;
}

// Sort: the rows of all operands in the order that the comparator says.
hlo_status hlo_reference_sort(const hlo_operation *x, hlo_error *error) {
  sorting s = {.x = x,
               .comparator = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY),
               .dimension = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0],
               .count = x->instruction->operand_count};
  return sort_rows(&s, error);
}

// TopK: the k largest (or smallest) elements of each row in total order, and where they were.
hlo_status hlo_reference_topk(const hlo_operation *x, hlo_error *error) {
  bool is_largest = hlo_get_int(x->instruction, HLO_ATTRIBUTE_LARGEST, 1) != 0;
  return sort_rows(
      &(sorting){.x = x, .is_largest = is_largest, .dimension = x->operands->rank - 1, .count = 1},
      error);
}
