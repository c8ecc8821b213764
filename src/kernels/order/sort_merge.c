// Sorting by any comparator, always stable: a bottom-up merge sort in which all merges of a pass
// advance in lockstep, so that the comparator is applied to many lanes. With few runs each merge is
// split into pieces along its merge path (O. Green, S. Odeh, Y. Birk: Merge Path, 2014). Memory
// accesses stay in bounds even if the comparator is inconsistent. See sort.h.
#include "kernels/elementwise/apply.h"
#include "kernels/machine.h"
#include "kernels/order/sort.h"

#include <string.h>

enum {
  LANES = HLO_APPLY_BLOCK,
};

// One column: the current rows, and buffers for the comparator's parameters of this operand.
typedef struct sort_column {
  int32_t size;
  const char *rows;
  char *first, *second;
  bool first_used, second_used; // by the comparator
} sort_column;

// A merge of two adjacent runs, or pieces of them: their positions in the current order, and the
// output position in the next one.
typedef struct sort_merge {
  int64_t left, left_end, right, right_end, out;
} sort_merge;

// Bounds of a bisection: low … high elements of the left run are among the first `taken` of a
// merge.
typedef struct sort_cut {
  sort_merge merge;
  int64_t taken, low, high;
} sort_cut;

struct hlo_merge_sorter {
  hlo_applier *comparator;
  int32_t count;
  sort_column *columns;
  const void **arguments;            // of the comparator: left and right of each column
  int64_t length, rows;              // of a row; how many there are at hand
  int64_t *order, *next;             // positions in the columns, before and after a pass
  int64_t left[LANES], right[LANES]; // positions to compare
  uint8_t less[LANES];               // whether right is less than left
  int32_t merge_count;
  sort_merge merges[LANES];
  sort_cut cuts[LANES];
  int32_t open[LANES]; // cuts that are not found yet
};

void hlo_sort_collect(int32_t size, char *out, const char *column, const int64_t *positions,
                      int64_t n) {
#define COLLECT(bytes)                                                                             \
  case bytes:                                                                                      \
    for (int64_t i = 0; i < n; i++) memcpy(out + i * bytes, column + positions[i] * bytes, bytes); \
    break;
  switch (size) {
    COLLECT(1)
    COLLECT(2)
    COLLECT(4)
    COLLECT(8)
    COLLECT(16)
  }
#undef COLLECT
}

// less[i] = comparator(right[i], left[i]): stable, since the left element yields only to a smaller
// one.
static hlo_status compare(hlo_merge_sorter *s, int64_t lanes, hlo_error *error) {
  void *results[1] = {s->less};
  for (int32_t k = 0; k < s->count; k++) {
    const sort_column *c = &s->columns[k];
    if (c->first_used) hlo_sort_collect(c->size, c->first, c->rows, s->right, lanes);
    if (c->second_used) hlo_sort_collect(c->size, c->second, c->rows, s->left, lanes);
  }
  return hlo_applier_run(s->comparator, lanes, s->arguments, results, error);
}

// --- one pass ---

// Advances all merges in lockstep until one run of each is exhausted, then appends the rest of the
// other.
static hlo_status run_merges(hlo_merge_sorter *s, hlo_error *error) {
  while (s->merge_count > 0) {
    int32_t lanes = s->merge_count;
    for (int32_t i = 0; i < lanes; i++) {
      s->left[i] = s->order[s->merges[i].left];
      s->right[i] = s->order[s->merges[i].right];
    }
    HLO_TRY(compare(s, lanes, error));
    s->merge_count = 0;
    for (int32_t i = 0; i < lanes; i++) {
      sort_merge m = s->merges[i];
      s->next[m.out++] = s->order[s->less[i] != 0 ? m.right++ : m.left++];
      if (m.left < m.left_end && m.right < m.right_end) {
        s->merges[s->merge_count++] = m;
        continue;
      }
      while (m.left < m.left_end) s->next[m.out++] = s->order[m.left++];
      while (m.right < m.right_end) s->next[m.out++] = s->order[m.right++];
    }
  }
  return HLO_OK;
}

// Adds a merge; completes it at once if one run is empty.
static void add_merge(hlo_merge_sorter *s, sort_merge m) {
  if (m.left < m.left_end && m.right < m.right_end) {
    s->merges[s->merge_count++] = m;
    return;
  }
  while (m.left < m.left_end) s->next[m.out++] = s->order[m.left++];
  while (m.right < m.right_end) s->next[m.out++] = s->order[m.right++];
}

// The merge of runs of `width` that starts at element `start` of a row.
static sort_merge merge_at(const hlo_merge_sorter *s, int64_t row, int64_t start, int64_t width) {
  int64_t first = row * s->length, end = first + s->length;
  sort_merge m = {.left = first + start, .out = first + start};
  m.left_end = end - m.left < width ? end : m.left + width;
  m.right = m.left_end;
  m.right_end = end - m.right < width ? end : m.right + width;
  return m;
}

// Bisects the first `count` cuts in lockstep.
static hlo_status bisect_cuts(hlo_merge_sorter *s, int32_t count, hlo_error *error) {
  for (;;) {
    int32_t open = 0;
    for (int32_t i = 0; i < count; i++) {
      const sort_cut *cut = &s->cuts[i];
      if (cut->low == cut->high) continue;
      int64_t middle = cut->low + (cut->high - cut->low) / 2;
      s->left[open] = s->order[cut->merge.left + middle];
      s->right[open] = s->order[cut->merge.right + cut->taken - 1 - middle];
      s->open[open++] = i;
    }
    if (open == 0) return HLO_OK;
    HLO_TRY(compare(s, open, error));
    for (int32_t i = 0; i < open; i++) {
      sort_cut *cut = &s->cuts[s->open[i]];
      int64_t middle = cut->low + (cut->high - cut->low) / 2;
      if (s->less[i] != 0) cut->high = middle;
      else cut->low = middle + 1;
    }
  }
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

// Splits each merge of a pass into that many pieces, which become separate merges.
static hlo_status add_pieces(hlo_merge_sorter *s, int64_t width, int64_t pieces, hlo_error *error) {
  sort_cut *cuts = s->cuts;
  int32_t count = 0;
  for (int64_t row = 0; row < s->rows; row++) {
    for (int64_t start = 0; start < s->length; start += 2 * width) {
      sort_merge m = merge_at(s, row, start, width);
      int64_t left = m.left_end - m.left, right = m.right_end - m.right, total = left + right;
      for (int64_t i = 1; i <= pieces; i++) {
        int64_t taken = total / pieces * i + total % pieces * i / pieces;
        int64_t low = larger(0, taken - right), high = smaller(taken, left);
        cuts[count++] = (sort_cut){m, taken, low, high};
      }
    }
  }
  HLO_TRY(bisect_cuts(s, count, error));
  for (int32_t i = 0; i < count; i++) {
    sort_merge m = cuts[i].merge;
    bool is_first = i % pieces == 0;
    int64_t before = is_first ? 0 : cuts[i - 1].taken, from = is_first ? 0 : cuts[i - 1].low;
    int64_t right = m.right_end - m.right, left = m.left_end - m.left;
    // An inconsistent comparator may give cuts that are not monotonic: clamp them.
    int64_t to = larger(cuts[i].low, larger(from, cuts[i].taken - right));
    to = smaller(to, smaller(from + cuts[i].taken - before, left));
    cuts[i].low = to;
    add_merge(s, (sort_merge){m.left + from, m.left + to, m.right + before - from,
                              m.right + cuts[i].taken - to, m.out + before});
  }
  return HLO_OK;
}

// Merges runs of `width` into runs of 2 * width, in all rows.
static hlo_status run_pass(hlo_merge_sorter *s, int64_t width, hlo_error *error) {
  int64_t per_row = (s->length - 1) / (2 * width) + 1;
  int64_t pieces = LANES / (per_row * s->rows);
  pieces = smaller(pieces, 2 * width / HLO_SORT_SHORTEST_PIECE);
  if (pieces > 1) {
    HLO_TRY(add_pieces(s, width, pieces, error));
    return run_merges(s, error);
  }
  for (int64_t row = 0; row < s->rows; row++) {
    for (int64_t start = 0; start < s->length; start += 2 * width) {
      add_merge(s, merge_at(s, row, start, width));
      if (s->merge_count == LANES) HLO_TRY(run_merges(s, error));
    }
  }
  return run_merges(s, error);
}

static hlo_status run_passes(hlo_merge_sorter *s, hlo_error *error) {
  for (int64_t i = 0; i < s->rows * s->length; i++) s->order[i] = i;
  for (int64_t width = 1; width < s->length; width *= 2) {
    HLO_TRY(run_pass(s, width, error));
    int64_t *swapped = s->order;
    s->order = s->next;
    s->next = swapped;
  }
  return HLO_OK;
}

// used: by instruction id.
static void mark_used(const hlo_computation *computation, bool *used) {
  used[computation->root->id] = true;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    for (int32_t k = 0; k < instruction->operand_count; k++)
      used[instruction->operands[k]->id] = true;
  }
}

hlo_status hlo_merge_sorter_create(const hlo_evaluator *evaluator,
                                   const hlo_computation *comparator, const hlo_sort_table *table,
                                   int64_t capacity, hlo_merge_sorter **out, hlo_error *error) {
  hlo_arena *scratch = evaluator->scratch;
  hlo_merge_sorter *s;
  HLO_ALLOC(s, scratch, 1, error);
  HLO_TRY(hlo_applier_create(evaluator, comparator, LANES, &s->comparator, error));
  s->count = table->count;
  HLO_ALLOC(s->columns, scratch, s->count, error);
  HLO_ALLOC(s->arguments, scratch, 2 * (int64_t)s->count, error);
  HLO_ALLOC(s->order, scratch, capacity, error);
  HLO_ALLOC(s->next, scratch, capacity, error);
  bool *used;
  HLO_ALLOC(used, scratch, comparator->instruction_count, error);
  mark_used(comparator, used);
  for (int32_t k = 0; k < s->count; k++) {
    sort_column *c = &s->columns[k];
    c->size = hlo_type_bytes(table->types[k]);
    c->first = hlo_arena_array(scratch, LANES, (size_t)c->size);
    c->second = hlo_arena_array(scratch, LANES, (size_t)c->size);
    if (c->first == NULL || c->second == NULL) return hlo_fail_out_of_memory(error);
    c->first_used = used[comparator->parameters[2 * k]->id];
    c->second_used = used[comparator->parameters[2 * k + 1]->id];
    s->arguments[2 * k] = c->first;
    s->arguments[2 * k + 1] = c->second;
  }
  *out = s;
  return HLO_OK;
}

hlo_status hlo_merge_sorter_run(hlo_merge_sorter *s, hlo_sort_table *table, hlo_error *error) {
  s->length = table->length;
  s->rows = table->rows;
  for (int32_t k = 0; k < s->count; k++) s->columns[k].rows = table->columns[k];
  HLO_TRY(run_passes(s, error));
  table->order = s->order;
  table->sorted = NULL;
  return HLO_OK;
}
