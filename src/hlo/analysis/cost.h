// The cost of a program: operations on elements and memory traffic in bytes, by instruction.
// Derived from shapes and attributes; no estimate of time.
//
// Units. An operation is one application to one element, whatever the element type: an addition, a
// comparison, a multiplication (so a multiply-add is two), a conversion. A call of an elementary
// function (exp, tanh, power; a POINTWISE row whose float expression is M(…)) counts as a
// transcendental instead. Data movement has none.
// - dot, convolution: two for each product that is not with padding
// - reduce, reduce-window, scatter, map …: the function's operations for each time it is applied
// - sort, topk: the comparator's for n log2(n) comparisons per row
// - fft: 5 n log2(n), half of that for real data; cholesky n^3 / 3; triangular-solve n^2 per column
// - while: body and condition for each time that they run; conditional: its dearest branch
// Bytes: each operand is read once and each result written once; slices read only what they take,
// updates of slices touch only what they write; what is only renamed (tuple, reshape) or is there
// anyway (parameter, constant) takes none. A fusion's values inside take none.
#ifndef HLO_HLO_ANALYSIS_COST_H
#define HLO_HLO_ANALYSIS_COST_H

#include "hlo/hlo.h"

typedef struct hlo_cost {
  double operations, transcendentals;
  double bytes_read, bytes_written;
  // Set where the counts are less than what happens: a loop whose number of rounds cannot be seen
  // counts as one, a custom call as none.
  bool is_incomplete;
} hlo_cost;

// Costs of a module's computations by their index, and of their instructions by id.
typedef struct hlo_cost_table {
  hlo_cost *computations;
  hlo_cost **instructions;
} hlo_cost_table;
hlo_status hlo_cost_of_module(const hlo_module *module, hlo_arena *arena, hlo_cost_table *out,
                              hlo_error *error);

// How often a while loop's body runs, where it counts an integer of its state from one constant up
// or down to another; -1 where that cannot be seen.
int64_t hlo_trip_count(const hlo_instruction *loop);

#endif
