// Floating-point sums and products in the evaluation order of XLA's CPU backend, rounded to the
// type after each step: all reductions of floats below 32 bits, and short ones of wider floats.
#ifndef HLO_KERNELS_REDUCE_IN_ORDER_H
#define HLO_KERNELS_REDUCE_IN_ORDER_H

#include "kernels/reduce/fold.h"

// Whether to reduce `steps` elements by the functions below: always for narrow floats, where every
// rounding is visible; for others up to `most` elements, beyond which speed matters more than the
// last bits of a sum.
bool hlo_reduces_in_order(hlo_opcode opcode, hlo_type type, int64_t steps, int64_t most);

// Folds the elements of each window into `results` in row-major order of the window. fields:
// HLO_WINDOW_FIELDS for each dimension; as many operands and results as the folder has values.
hlo_status hlo_fold_windows(hlo_folder *folder, const int64_t *fields, const hlo_view *operands,
                            const hlo_view *results, hlo_error *error);

// The same of one operand of a narrow float type, by an op: add or multiply. fold_narrow.c.
hlo_status hlo_fold_narrow_windows(hlo_folder *folder, const int64_t *fields,
                                   const hlo_view *operand, const hlo_view *result,
                                   hlo_error *error);

// Whether the windows of the function below would hold more than 128 elements over several
// dimensions: summed in XLA's order, a narrow float would lose most of its precision.
bool hlo_has_long_windows(const hlo_view *view, int32_t count, const int64_t *dimensions);

// Shrinks the reduced dimensions to at most 32 elements each: longer ones are combined repeatedly
// in windows of 32 with symmetric padding. *out is the operand, or in scratch memory.
hlo_status hlo_reduce_long_dimensions(const hlo_evaluator *evaluator, hlo_opcode opcode,
                                      const hlo_view *operand, int32_t count,
                                      const int64_t *dimensions, hlo_view *out, hlo_error *error);

// Inclusive scan along a dimension, forwards or backwards: blocks of 16 are scanned separately,
// then combined with the recursively scanned block totals. initial may be NULL.
hlo_status hlo_cumulate_in_order(hlo_folder *folder, int32_t dimension, bool backwards,
                                 const hlo_view *elements, const hlo_view *initial,
                                 const hlo_view *result, hlo_error *error);

#endif
