// Loops of hlo_reduce_by_op that keep running results in registers, for the ops and types that are
// reduced most.
#ifndef HLO_KERNELS_REDUCE_REDUCE_STACK_H
#define HLO_KERNELS_REDUCE_REDUCE_STACK_H

#include "hlo/hlo.h"

enum { HLO_REDUCE_PARTIALS = 32 };

// partials[j] = partials[j] op elements[i * 32 + j] for each of `rows` i, ascending, and 32 j: the
// bits of the op's pointwise kernel.
typedef void hlo_reduce_stack(void *partials, const void *elements, int64_t rows);
// running[j] = running[j] op rows[i][j] for each of `count` rows, ascending, `distance` bytes
// apart, and `lanes` j: the same.
typedef void hlo_reduce_rows(void *running, const void *rows, int64_t distance, int64_t count,
                             int64_t lanes);

typedef struct hlo_reduce_loops {
  hlo_reduce_stack *stack;
  hlo_reduce_rows *rows;
} hlo_reduce_loops;
// NULL where there are none.
const hlo_reduce_loops *hlo_reduce_loops_get(hlo_opcode opcode, hlo_type type);

#endif
