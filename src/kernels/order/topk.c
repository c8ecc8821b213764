// TopK: the k largest or smallest elements of each row, and where they were. Source of semantics:
// "TopK" of the operation semantics; floats are in total order (-NaN, -inf, …, -0, +0, …, NaN), as
// XLA has them.
#include "kernels/machine.h"
#include "kernels/order/order_keys.h"
#include "kernels/structural.h"

#include <string.h>

// A candidate; the better of two has the larger key, or the smaller index where keys are equal.
typedef struct candidate {
  uint64_t key;
  int64_t index;
} candidate;

typedef uint32_t four_keys __attribute__((vector_size(16), aligned(4)));

// Order-preserving keys, the best being largest, narrow or wide depending on the type.
typedef struct top_k {
  int64_t length, k;
  int64_t together; // rows
  bool largest;
  hlo_type type;
  uint32_t *narrow_keys; // NULL where they are wide
  uint64_t *wide_keys;
  candidate *candidates; // the best first
} top_k;

// The keys of a row; one of the two is NULL.
typedef struct row_keys {
  const uint32_t *narrow;
  const uint64_t *wide;
} row_keys;

static uint64_t key_at(row_keys keys, int64_t i) {
  return keys.narrow != NULL ? keys.narrow[i] : keys.wide[i];
}

static void compute_keys(const top_k *t, const void *rows, int64_t count) {
  if (t->narrow_keys == NULL) {
    hlo_order_keys_64(t->type, rows, count, t->wide_keys);
    for (int64_t i = 0; i < count && !t->largest; i++) t->wide_keys[i] = ~t->wide_keys[i];
  } else {
    hlo_order_keys_32(t->type, rows, count, t->narrow_keys);
    for (int64_t i = 0; i < count && !t->largest; i++) t->narrow_keys[i] = ~t->narrow_keys[i];
  }
}

static four_keys largest_of(four_keys a, four_keys b) {
  four_keys is_above = (four_keys)(a > b);
  return (a & is_above) | (b & ~is_above);
}

static bool has_better(const uint32_t *keys, uint32_t key) {
  const four_keys *four = (const four_keys *)(const void *)keys;
  four_keys most = largest_of(largest_of(four[0], four[1]), largest_of(four[2], four[3]));
  four_keys found = (four_keys)(most > key);
  return (found[0] | found[1] | found[2] | found[3]) != 0;
}

// The first position from i on with a larger key, or the end. Once the candidates are good, larger
// keys are rare, so vectors of keys are skipped at a time.
static int64_t next_larger_key(row_keys keys, int64_t i, int64_t end, uint64_t key) {
  if (keys.narrow == NULL) {
    while (i < end && keys.wide[i] <= key) i++;
    return i;
  }
  ptrdiff_t at = (ptrdiff_t)i, last = (ptrdiff_t)end;
  uint32_t narrow = (uint32_t)key;
  for (;;) {
    while (at + HLO_TOPK_CHUNK <= last && !has_better(keys.narrow + at, narrow))
      at += HLO_TOPK_CHUNK;
    ptrdiff_t stop = at + HLO_TOPK_CHUNK < last ? at + HLO_TOPK_CHUNK : last;
    while (at < stop && keys.narrow[at] <= narrow) at++;
    if (at < stop || at == last) return at;
  }
}

static bool is_better(candidate a, candidate b) {
  return a.key != b.key ? a.key > b.key : a.index < b.index;
}

// Sifts an element down from the gap at `at` in a binary heap of `size` with the worst candidate
// first.
static void sift(candidate *heap, int64_t size, int64_t at, candidate element) {
  for (int64_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && is_better(heap[child], heap[child + 1])) child++;
    if (is_better(heap[child], element)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = element;
}

// Selects the best k of a row by a heap, best first.
static void select_best(const top_k *t, row_keys keys) {
  candidate *heap = t->candidates;
  for (int64_t i = 0; i < t->k; i++) heap[i] = (candidate){key_at(keys, i), i};
  for (int64_t i = t->k / 2 - 1; i >= 0; i--) sift(heap, t->k, i, heap[i]);
  for (int64_t i = t->k; (i = next_larger_key(keys, i, t->length, heap[0].key)) < t->length; i++)
    sift(heap, t->k, 0, (candidate){key_at(keys, i), i});
  for (int64_t size = t->k - 1; size > 0; size--) { // the worst goes after all better ones
    candidate worst = heap[0], last = heap[size];
    heap[size] = worst;
    sift(heap, size, 0, last);
  }
}

// Inserts a candidate into the sorted list of the `count` best. Candidates come by ascending index,
// so that only a larger key is better.
static void insert(candidate *best, ptrdiff_t count, candidate next) {
  ptrdiff_t at = count;
  for (; at > 0 && best[at - 1].key < next.key; at--) best[at] = best[at - 1];
  best[at] = next;
}

// The same for small k, by insertion.
static void select_few(const top_k *t, row_keys keys) {
  candidate *best = t->candidates;
  ptrdiff_t k = (ptrdiff_t)t->k;
  for (ptrdiff_t i = 0; i < k; i++) insert(best, i, (candidate){key_at(keys, i), i});
  for (int64_t i = k; (i = next_larger_key(keys, i, t->length, best[k - 1].key)) < t->length; i++)
    insert(best, k - 1, (candidate){key_at(keys, i), i});
}

#define GATHER(bytes)                                                                              \
  for (int64_t i = 0; i < t->k; i++)                                                               \
  memcpy(values + i * bytes, row + t->candidates[i].index * bytes, bytes)
static void gather_values(const top_k *t, const char *row, char *values) {
  int32_t size = hlo_type_bytes(t->type);
  if (size == 4) GATHER(4);
  else if (size == 8) GATHER(8);
  else if (size == 2) GATHER(2);
  else GATHER(1);
}

// All arrays are dense.
static void select_rows(const top_k *t, int64_t rows, const char *from, char *values,
                        int32_t *indices) {
  int64_t size = hlo_type_bytes(t->type);
  for (int64_t first = 0; first < rows; first += t->together) {
    int64_t count = rows - first < t->together ? rows - first : t->together;
    compute_keys(t, from, count * t->length);
    for (int64_t i = 0; i < count; i++) {
      int64_t row = i * t->length;
      row_keys keys = {t->narrow_keys == NULL ? NULL : t->narrow_keys + row,
                       t->narrow_keys == NULL ? t->wide_keys + row : NULL};
      (t->k <= HLO_TOPK_FEW ? select_few : select_best)(t, keys);
      gather_values(t, from, values);
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
  size_t count = (size_t)(t->together * t->length);
  bool is_wide = hlo_order_key_bits(t->type) == 64;
  void *keys = hlo_arena_array_raw(evaluator->scratch, count, is_wide ? 8 : 4);
  if (keys == NULL) return hlo_fail_out_of_memory(error);
  t->narrow_keys = is_wide ? NULL : keys;
  t->wide_keys = is_wide ? keys : NULL;
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
             .together = HLO_TOPK_TOGETHER / operand->dims[last] + 1,
             .largest = hlo_get_int(instruction, HLO_ATTRIBUTE_LARGEST, 1) != 0,
             .type = operand->type};
  if (t.together > rows) t.together = rows;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = select_all(evaluator, &t, operand, results, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
