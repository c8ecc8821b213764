// Sort: any number of operands by any comparator, always stable. Source of semantics: "Sort" of the
// operation semantics. Merge sort; with a backend, radix sort for comparators that amount to
// comparing integers. Both give the same result.
#include "kernels/order/sort.h"

#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/structural.h"

typedef struct view_sorter {
  const hlo_evaluator *evaluator;
  const hlo_computation *comparator;
  int64_t dimension, capacity;
  const hlo_view *operands, *results;
  hlo_parts parts;
  hlo_sort_table table;
  char **copies; // of columns that are not dense; of each as many elements as the capacity
  char *sorted;
  hlo_key_sorter *by_keys;
  hlo_merge_sorter *by_merging;
} view_sorter;

// The current rows of a view, with the sorted dimension last.
static hlo_view rows_of(const view_sorter *s, const hlo_view *view) {
  hlo_view out = *view, part;
  int32_t rank = 0;
  for (int32_t d = 0; d < view->rank; d++) {
    int32_t to = d == s->dimension ? view->rank - 1 : rank++;
    out.dims[to] = view->dims[d];
    out.strides[to] = view->strides[d];
  }
  hlo_parts_of_view(&s->parts, &out, &part);
  return part;
}

static hlo_view dense_like(const hlo_view *view, void *memory) {
  hlo_view dense = *view;
  dense.data = memory;
  hlo_view_set_row_major(&dense);
  return dense;
}

static hlo_status allocate(const view_sorter *s, hlo_type type, char **out, hlo_error *error) {
  *out =
      hlo_arena_array_raw(s->evaluator->scratch, (size_t)s->capacity, (size_t)hlo_type_bytes(type));
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

static hlo_status collect_rows(view_sorter *s, hlo_error *error) {
  for (int32_t k = 0; k < s->table.count; k++) {
    hlo_view rows = rows_of(s, &s->operands[k]);
    s->table.columns[k] = rows.data;
    if (hlo_view_is_row_major(&rows)) continue;
    if (s->copies[k] == NULL) HLO_TRY(allocate(s, rows.type, &s->copies[k], error));
    hlo_view copy = dense_like(&rows, s->copies[k]);
    hlo_view_copy(&copy, &rows);
    s->table.columns[k] = s->copies[k];
  }
  return HLO_OK;
}

static hlo_status sort_rows(view_sorter *s, hlo_error *error) {
  bool done = false;
  if (s->by_keys != NULL) HLO_TRY(hlo_key_sorter_run(s->by_keys, &s->table, &done, error));
  if (done) return HLO_OK;
  if (s->by_merging == NULL) {
    HLO_TRY(hlo_merge_sorter_create(s->evaluator, s->comparator, &s->table, s->capacity,
                                    &s->by_merging, error));
  }
  return hlo_merge_sorter_run(s->by_merging, &s->table, error);
}

static hlo_status store_rows(view_sorter *s, hlo_error *error) {
  const hlo_sort_table *table = &s->table;
  for (int32_t k = 0; k < table->count; k++) {
    hlo_view rows = rows_of(s, &s->results[k]);
    int32_t size = hlo_type_bytes(rows.type);
    int64_t n = table->rows * table->length;
    if (table->sorted != NULL) {
      hlo_view from = dense_like(&rows, (void *)(uintptr_t)table->sorted);
      hlo_copy_view(s->evaluator, &rows, &from);
    } else if (hlo_view_is_row_major(&rows)) {
      hlo_sort_collect(size, rows.data, table->columns[k], table->order, n);
    } else {
      if (s->sorted == NULL) HLO_TRY(allocate(s, HLO_C128, &s->sorted, error)); // of any type
      hlo_view from = dense_like(&rows, s->sorted);
      hlo_sort_collect(size, s->sorted, table->columns[k], table->order, n);
      hlo_view_copy(&rows, &from);
    }
  }
  return HLO_OK;
}

static hlo_status sort_views(view_sorter *s, int32_t count, hlo_error *error) {
  hlo_type *types;
  HLO_ALLOC(types, s->evaluator->scratch, count, error);
  HLO_ALLOC(s->table.columns, s->evaluator->scratch, count, error);
  HLO_ALLOC(s->copies, s->evaluator->scratch, count, error);
  for (int32_t k = 0; k < count; k++) types[k] = s->operands[k].type;
  s->table.types = types;
  s->table.count = count;
  s->table.length = s->operands[0].dims[s->dimension];
  int64_t dims[HLO_MAX_RANK], rank = 0;
  for (int32_t d = 0; d < s->operands[0].rank; d++) {
    if (d != s->dimension) dims[rank++] = s->operands[0].dims[d];
  }
  hlo_parts_start(&s->parts, (int32_t)rank, dims, HLO_SORT_ROW_BLOCK / s->table.length);
  s->capacity = hlo_parts_capacity(&s->parts) * s->table.length;
  if (s->evaluator->backend != NULL) {
    HLO_TRY(hlo_key_sorter_create(s->evaluator, s->comparator, &s->table, s->capacity, &s->by_keys,
                                  error));
  }
  do {
    s->table.rows = hlo_parts_size(&s->parts);
    HLO_TRY(collect_rows(s, error));
    HLO_TRY(sort_rows(s, error));
    HLO_TRY(store_rows(s, error));
  } while (hlo_parts_next(&s->parts));
  return HLO_OK;
}

hlo_status hlo_eval_sort(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                         const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  if (hlo_view_elements(&operands[0]) == 0) return HLO_OK;
  int32_t dimension_count;
  view_sorter s = {.evaluator = evaluator,
                   .comparator = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY),
                   .dimension =
                       *hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &dimension_count),
                   .operands = operands,
                   .results = results};
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = sort_views(&s, instruction->operand_count, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
