// Sums and products of floats in the order in which XLA's CPU backend makes them, each rounded to
// its type, for reductions where order and rounding show: all of floats below 32 bits, and short
// ones of others.
#ifndef HLO_KERNELS_REDUCE_IN_ORDER_H
#define HLO_KERNELS_REDUCE_IN_ORDER_H

#include "kernels/reduce/fold.h"

// Whether reducing `steps` elements into one by the op goes by the functions below: always for
// narrow floats, whose every rounding shows; for others up to as many elements as given, beyond
// which speed counts more than the last bits of a sum.
bool hlo_goes_in_order(hlo_opcode opcode, hlo_type type, int64_t steps, int64_t most);

// Folds what windows hold into `results` in row-major order of the window. fields:
// HLO_WINDOW_FIELDS for each dimension; as many operands and results as the folder has values.
hlo_status hlo_fold_windows(hlo_folder *folder, const int64_t *fields, const hlo_view *operands,
                            const hlo_view *results, hlo_error *error);

// The same of one operand of a narrow float type, by an op: add or multiply. fold_narrow.c.
hlo_status hlo_fold_narrow_windows(hlo_folder *folder, const int64_t *fields,
                                   const hlo_view *operand, const hlo_view *result,
                                   hlo_error *error);

// Whether the windows of the function below, of several dimensions, would hold more than 128
// elements, whose sum in XLA's order loses much of what a narrow float holds.
bool hlo_has_long_windows(const hlo_view *view, int32_t count, const int64_t *dimensions);

// Brings the reduced dimensions to 32 elements each: those with more are combined in windows of 32,
// padded alike on both sides, as often as it takes. *out is the operand, or in scratch memory.
hlo_status hlo_reduce_long_dimensions(const hlo_evaluator *evaluator, hlo_opcode opcode,
                                      const hlo_view *operand, int32_t count,
                                      const int64_t *dimensions, hlo_view *out, hlo_error *error);

// The cumulative reduction along a dimension, everything up to each element or from it on: blocks
// of 16 by themselves, then what the other blocks hold, found alike. initial may be NULL.
hlo_status hlo_cumulate_in_order(hlo_folder *folder, int32_t dimension, bool backwards,
                                 const hlo_view *elements, const hlo_view *initial,
                                 const hlo_view *result, hlo_error *error);

#endif
