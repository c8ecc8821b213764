// Inclusive scans: each element becomes the combination of all elements up to itself, or of all
// from itself on.
#ifndef HLO_KERNELS_CUMULATIVE_CUMULATIVE_H
#define HLO_KERNELS_CUMULATIVE_CUMULATIVE_H

#include "kernels/reduce/fold.h"

// results[k][…, i, …] = the initial scalar k, then elements[k] at 0 … i along the dimension
// (backwards: i … end) combined in that order, for all k at once. Results are overwritten; views
// have the same dims.
hlo_status hlo_cumulate(hlo_folder *folder, int32_t dimension, bool backwards,
                        const hlo_view *elements, const hlo_view *initial, const hlo_view *results,
                        hlo_error *error);

// The same for one operand and a single op; false, and nothing is computed, if the views are not
// dense enough. There must be elements.
bool hlo_cumulate_by_op(const hlo_folder *folder, int32_t dimension, bool backwards,
                        const hlo_view *elements, const hlo_view *initial, const hlo_view *results);

// --- sums of f32, f64 and complex types, by blocks: cumulative_sums.c ---
bool hlo_cumulates_sums(const hlo_folder *folder);
// Along `size` rows of n adjacent elements, or elements; steps from one to the next are in
// elements. From and to may be the same. initial: one element.
void hlo_sum_rows(hlo_type type, int64_t size, int64_t n, const void *from, int64_t from_step,
                  void *to, int64_t to_step, const void *initial);
void hlo_sum_line(hlo_type type, int64_t size, const void *from, int64_t from_step, void *to,
                  int64_t to_step, const void *initial);

#endif
