// TopK: the k largest or smallest elements of each row, and where they were. Source of semantics:
// "TopK" of the operation semantics; floats are in total order (-NaN, -inf, …, -0, +0, …, NaN), as
// XLA has them.
#include "eval/order_keys.h"
#include "eval/structural.h"

#include <string.h>

// A candidate; the better of two has the larger key, or the smaller index where keys are equal.
typedef struct candidate {
  uint64_t key;
  int64_t index;
} candidate;

typedef struct top_k {
  int64_t length, k;
  bool largest;
  hlo_type type;
  char *row;             // its elements
  uint32_t *narrow_keys; // room for keys of 32 bits
  uint64_t *keys;        // in the order of the elements, the best being largest
  candidate *candidates; // a heap with the worst of the best k in front
} top_k;

static void make_keys(top_k *t) {
  uint64_t flip = t->largest ? 0 : ~(uint64_t)0;
  if (hlo_order_key_bits(t->type) == 64) {
    hlo_order_keys_64(t->type, t->row, t->length, t->keys);
    for (int64_t i = 0; i < t->length; i++) t->keys[i] ^= flip;
  } else {
    hlo_order_keys_32(t->type, t->row, t->length, t->narrow_keys);
    for (int64_t i = 0; i < t->length; i++) t->keys[i] = t->narrow_keys[i] ^ flip;
  }
}

static bool is_better(candidate a, candidate b) {
  return a.key != b.key ? a.key > b.key : a.index < b.index;
}

// Puts an element where the heap has a gap: below `at`, in a heap of `size`.
static void sift(candidate *heap, int64_t size, int64_t at, candidate element) {
  for (int64_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && is_better(heap[child], heap[child + 1])) child++;
    if (is_better(heap[child], element)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = element;
}

// The best k, the best of all first.
static void select_best(top_k *t) {
  candidate *heap = t->candidates;
  for (int64_t i = 0; i < t->k; i++) heap[i] = (candidate){t->keys[i], i};
  for (int64_t i = t->k / 2 - 1; i >= 0; i--) sift(heap, t->k, i, heap[i]);
  for (int64_t i = t->k; i < t->length; i++) {
    candidate next = {t->keys[i], i};
    if (is_better(next, heap[0])) sift(heap, t->k, 0, next);
  }
  for (int64_t size = t->k - 1; size > 0; size--) { // the worst goes behind all better ones
    candidate worst = heap[0], last = heap[size];
    heap[size] = worst;
    sift(heap, size, 0, last);
  }
}

static hlo_view row_of(const hlo_view *view, const int64_t *index) {
  int32_t last = view->rank - 1;
  int64_t offset = 0;
  for (int32_t d = 0; d < last; d++) offset += index[d] * view->strides[d];
  hlo_view row = {.type = view->type, .rank = 1, .data = hlo_view_at(view, offset)};
  row.dims[0] = view->dims[last];
  row.strides[0] = view->strides[last];
  return row;
}

static void select_row(top_k *t, const hlo_view *operand, const hlo_view *results,
                       const int64_t *index) {
  hlo_view from = row_of(operand, index), row = from;
  row.data = t->row;
  row.strides[0] = 1;
  hlo_view_copy(&row, &from);
  make_keys(t);
  select_best(t);
  hlo_view values = row_of(&results[0], index), indices = row_of(&results[1], index);
  int32_t size = hlo_type_bytes(t->type);
  for (int64_t i = 0; i < t->k; i++) {
    int32_t found = (int32_t)t->candidates[i].index;
    memcpy(hlo_view_at(&values, i * values.strides[0]), t->row + found * (int64_t)size,
           (size_t)size);
    memcpy(hlo_view_at(&indices, i * indices.strides[0]), &found, sizeof found);
  }
}

hlo_status hlo_eval_topk(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                         const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  const hlo_view *operand = &operands[0];
  int32_t last = operand->rank - 1;
  top_k t = {.length = operand->dims[last],
             .k = results[0].dims[last],
             .largest = hlo_get_int(instruction, HLO_ATTRIBUTE_LARGEST, 1) != 0,
             .type = operand->type};
  int64_t index[HLO_MAX_RANK] = {0};
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  t.row = hlo_arena_array(evaluator->scratch, (size_t)t.length, (size_t)hlo_type_bytes(t.type));
  if (t.row == NULL) return hlo_fail_out_of_memory(error);
  HLO_ALLOC(t.narrow_keys, evaluator->scratch, t.length, error);
  HLO_ALLOC(t.keys, evaluator->scratch, t.length, error);
  HLO_ALLOC(t.candidates, evaluator->scratch, t.k, error);
  do select_row(&t, operand, results, index);
  while (hlo_next_index(last, operand->dims, index));
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}
