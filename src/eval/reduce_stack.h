// Loops of hlo_reduce_by_op that keep running results in registers, for the ops and types that are
// reduced most. Must not know about views.
#ifndef HLO_EVAL_REDUCE_STACK_H
#define HLO_EVAL_REDUCE_STACK_H

#include "hlo/hlo.h"

enum { HLO_REDUCE_PARTIALS = 32 };

// partials[j] = partials[j] op elements[i * 32 + j] for each of `rows` i, ascending, and 32 j: the
// bits of the op's pointwise kernel.
typedef void hlo_reduce_stack(void *partials, const void *elements, int64_t rows);
// NULL where there is none.
hlo_reduce_stack *hlo_reduce_stack_get(hlo_opcode opcode, hlo_type type);

#endif
