// Scalar computations prepared once and applied to many lanes.
#ifndef HLO_KERNELS_ELEMENTWISE_APPLY_H
#define HLO_KERNELS_ELEMENTWISE_APPLY_H

#include "kernels/elementwise/lanes.h"

typedef struct hlo_applier hlo_applier;

// Prepares a computation whose parameters and root leaves are scalars, in scratch memory, for runs
// over at most max_lanes lanes at once.
hlo_status hlo_applier_create(const hlo_evaluator *evaluator, const hlo_computation *computation,
                              int64_t max_lanes, hlo_applier **out, hlo_error *error);
// As hlo_apply. Results may be arguments of the same type.
hlo_status hlo_applier_run(hlo_applier *applier, int64_t lanes, const void *const *arguments,
                           void *const *results, hlo_error *error);

// The op of a computation that only applies an associative and commutative op to its two scalar
// parameters of that type; HLO_OP_COUNT for any other.
hlo_opcode hlo_applied_op(const hlo_computation *computation, hlo_type type);

#endif
