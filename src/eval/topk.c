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

enum {
  FEW = 16,        // candidates that stay in order, each in its place
  TOGETHER = 4096, // keys that are made at a time, of several rows if those are short
};

typedef struct top_k {
  int64_t length, k;
  int64_t together; // rows
  bool largest;
  hlo_type type;
  uint32_t *narrow_keys; // room for keys of 32 bits
  uint64_t *keys;        // in the order of the elements, the best being largest
  candidate *candidates; // the best first
} top_k;

static void make_keys(const top_k *t, const void *rows, int64_t count) {
  uint64_t flip = t->largest ? 0 : ~(uint64_t)0;
  if (hlo_order_key_bits(t->type) == 64) {
    hlo_order_keys_64(t->type, rows, count, t->keys);
    for (int64_t i = 0; i < count; i++) t->keys[i] ^= flip;
  } else {
    hlo_order_keys_32(t->type, rows, count, t->narrow_keys);
    for (int64_t i = 0; i < count; i++) t->keys[i] = t->narrow_keys[i] ^ flip;
  }
}

static bool is_better(candidate a, candidate b) {
  return a.key != b.key ? a.key > b.key : a.index < b.index;
}

// Puts an element where the heap has a gap: below `at`, in a heap of `size` with the worst in
// front.
static void sift(candidate *heap, int64_t size, int64_t at, candidate element) {
  for (int64_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && is_better(heap[child], heap[child + 1])) child++;
    if (is_better(heap[child], element)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = element;
}

// The best k of a row, the best of all first.
static void select_best(const top_k *t, const uint64_t *keys) {
  candidate *heap = t->candidates;
  for (int64_t i = 0; i < t->k; i++) heap[i] = (candidate){keys[i], i};
  for (int64_t i = t->k / 2 - 1; i >= 0; i--) sift(heap, t->k, i, heap[i]);
  for (int64_t i = t->k; i < t->length; i++) {
    candidate next = {keys[i], i};
    if (is_better(next, heap[0])) sift(heap, t->k, 0, next);
  }
  for (int64_t size = t->k - 1; size > 0; size--) { // the worst goes behind all better ones
    candidate worst = heap[0], last = heap[size];
    heap[size] = worst;
    sift(heap, size, 0, last);
  }
}

// The same for few. What comes later is better by its key alone.
static void select_few(const top_k *t, const uint64_t *keys) {
  candidate *best = t->candidates;
  ptrdiff_t count = 0, k = (ptrdiff_t)t->k, length = (ptrdiff_t)t->length;
  for (ptrdiff_t i = 0; i < length; i++) {
    candidate next = {keys[i], i};
    if (count == k && next.key <= best[k - 1].key) continue;
    ptrdiff_t at = count < k ? count++ : k - 1;
    for (; at > 0 && best[at - 1].key < next.key; at--) best[at] = best[at - 1];
    best[at] = next;
  }
}

#define GIVE(bytes)                                                                                \
  for (int64_t i = 0; i < t->k; i++)                                                               \
  memcpy(values + i * bytes, row + t->candidates[i].index * bytes, bytes)
static void give_values(const top_k *t, const char *row, char *values) {
  int32_t size = hlo_type_bytes(t->type);
  if (size == 4) GIVE(4);
  else if (size == 8) GIVE(8);
  else if (size == 2) GIVE(2);
  else GIVE(1);
}

// All arrays are dense.
static void select_rows(const top_k *t, int64_t rows, const char *from, char *values,
                        int32_t *indices) {
  int64_t size = hlo_type_bytes(t->type);
  for (int64_t first = 0; first < rows; first += t->together) {
    int64_t count = rows - first < t->together ? rows - first : t->together;
    make_keys(t, from, count * t->length);
    for (int64_t i = 0; i < count; i++) {
      (t->k <= FEW ? select_few : select_best)(t, t->keys + i * t->length);
      give_values(t, from, values);
      for (int64_t j = 0; j < t->k; j++) indices[j] = (int32_t)t->candidates[j].index;
      from += t->length * size;
      values += t->k * size;
      indices += t->k;
    }
  }
}

// The view if it is dense, else one of scratch memory with its dims.
static hlo_status dense_view(const hlo_evaluator *evaluator, const hlo_view *view, hlo_view *out,
                             hlo_error *error) {
  *out = *view;
  if (hlo_view_is_row_major(view)) return HLO_OK;
  return hlo_scratch_view(evaluator, view->type, view->rank, view->dims, out, error);
}

static hlo_status select_all(const hlo_evaluator *evaluator, top_k *t, const hlo_view *operand,
                             const hlo_view *results, hlo_error *error) {
  hlo_view from, to[2];
  t->narrow_keys = hlo_arena_array_raw(evaluator->scratch, (size_t)(t->together * t->length),
                                       sizeof *t->narrow_keys);
  t->keys =
      hlo_arena_array_raw(evaluator->scratch, (size_t)(t->together * t->length), sizeof *t->keys);
  if (t->narrow_keys == NULL || t->keys == NULL) return hlo_fail_out_of_memory(error);
  HLO_ALLOC(t->candidates, evaluator->scratch, t->k, error);
  HLO_TRY(dense_view(evaluator, operand, &from, error));
  if (from.data != operand->data) hlo_view_copy(&from, operand);
  for (int i = 0; i < 2; i++) HLO_TRY(dense_view(evaluator, &results[i], &to[i], error));
  select_rows(t, hlo_view_elements(operand) / t->length, from.data, to[0].data, to[1].data);
  for (int i = 0; i < 2; i++) {
    if (to[i].data != results[i].data) hlo_view_copy(&results[i], &to[i]);
  }
  return HLO_OK;
}

hlo_status hlo_eval_topk(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                         const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  const hlo_view *operand = &operands[0];
  int32_t last = operand->rank - 1;
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  int64_t rows = hlo_view_elements(&results[0]) / results[0].dims[last];
  top_k t = {.length = operand->dims[last],
             .k = results[0].dims[last],
             .together = TOGETHER / operand->dims[last] + 1,
             .largest = hlo_get_int(instruction, HLO_ATTRIBUTE_LARGEST, 1) != 0,
             .type = operand->type};
  if (t.together > rows) t.together = rows;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = select_all(evaluator, &t, operand, results, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
