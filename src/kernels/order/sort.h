// Shared by the two strategies of Sort: merge sort by any comparator, radix sort by integer keys.
#ifndef HLO_KERNELS_ORDER_SORT_H
#define HLO_KERNELS_ORDER_SORT_H

#include "kernels/eval.h"

// Operands as columns: rows of `length` elements, dense, of which several are sorted together.
// Element i of row r is at position r * length + i. Rows are sorted each by itself, stably.
typedef struct hlo_sort_table {
  int32_t count; // of columns
  int64_t length, rows;
  const hlo_type *types;
  const char **columns;
  // The outcome: the position of what comes at each position, or (not NULL) the only column sorted.
  const int64_t *order;
  const void *sorted;
} hlo_sort_table;

// Copies elements of `size` bytes from those positions.
void hlo_sort_collect(int32_t size, char *out, const char *column, const int64_t *positions,
                      int64_t n);

// Sorts by any comparator, whatever it says.
typedef struct hlo_merge_sorter hlo_merge_sorter;
hlo_status hlo_merge_sorter_create(const hlo_evaluator *evaluator,
                                   const hlo_computation *comparator, const hlo_sort_table *table,
                                   int64_t capacity, hlo_merge_sorter **out, hlo_error *error);
// For at most `capacity` elements of a column.
hlo_status hlo_merge_sorter_run(hlo_merge_sorter *sorter, hlo_sort_table *table, hlo_error *error);

// One key of a comparator: rows are ordered by the value of this instruction, evaluated on the
// even-numbered parameters.
typedef struct hlo_sort_key {
  const hlo_instruction *value;
  bool descending;
  bool total; // floats are in total order; else zeros are equal, and NaN have no place
} hlo_sort_key;

enum { HLO_SORT_MAX_KEYS = 8 };

// Recognises comparators that compare the same functions of both rows lexicographically. Returns
// the number of keys; 0 for any other comparator, and when memory is out.
int32_t hlo_sort_keys_match(const hlo_computation *comparator, hlo_arena *scratch,
                            hlo_sort_key *keys);

// Sorts by keys.
typedef struct hlo_key_sorter hlo_key_sorter;
// *out is NULL for a comparator without such keys.
hlo_status hlo_key_sorter_create(const hlo_evaluator *evaluator, const hlo_computation *comparator,
                                 const hlo_sort_table *table, int64_t capacity,
                                 hlo_key_sorter **out, hlo_error *error);
// *done is false, and nothing is sorted, if NaN among the keys make the order depend on the
// comparator.
hlo_status hlo_key_sorter_run(hlo_key_sorter *sorter, hlo_sort_table *table, bool *done,
                              hlo_error *error);

// Sorts n items by their high 32 bits, or all n numbers; overwrites both arrays and returns the one
// with the result. Stable. Large inputs use all threads of the backend (NULL: one).
uint64_t *hlo_radix_sort_items(const hlo_backend *backend, uint64_t *items, uint64_t *other,
                               int64_t n);
uint32_t *hlo_radix_sort_numbers(const hlo_backend *backend, uint32_t *numbers, uint32_t *other,
                                 int64_t n);

#endif
