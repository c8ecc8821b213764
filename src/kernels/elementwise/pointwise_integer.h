// LOOP_HINT of pointwise_loops.h for integers of 8 to 64 bits.
#ifndef HLO_KERNELS_ELEMENTWISE_POINTWISE_INTEGER_H
#define HLO_KERNELS_ELEMENTWISE_POINTWISE_INTEGER_H

#include "kernels/elementwise/pointwise_expressions.h"

// WebAssembly SIMD has no integer division and no per-lane shift counts: vector code would extract
// and insert lanes one by one.
#define IS_SCALAR_DIVIDE                 MARK
#define IS_SCALAR_REMAINDER              MARK
#define IS_SCALAR_SHIFT_LEFT             MARK
#define IS_SCALAR_SHIFT_RIGHT_ARITHMETIC MARK
#define IS_SCALAR_SHIFT_RIGHT_LOGICAL    MARK
#define INTEGER_HINT(id)                 PICK(IS_MARKED(IS_SCALAR_##id), LANES_ARE_INDEPENDENT, ONE_BY_ONE)

#endif
