// The pointwise kernels of f32 and f64.
#include "kernels/elementwise/pointwise.h"
#include "kernels/elementwise/pointwise_expressions.h"

// Rows of one instruction are memory-bound. A loop with less overhead lets out-of-order execution
// reach further ahead, so that more cache misses are in flight.
#define IS_SHORT_ADD      MARK
#define IS_SHORT_SUBTRACT MARK
#define IS_SHORT_MULTIPLY MARK
#define HINT(is_short)                                                                             \
  PICK(is_short, LANES_ARE_INDEPENDENT, LANES_ARE_INDEPENDENT MANY_LANES_AT_A_TIME)

#define SUFFIX        f32
#define COLUMN        float
#define T             float
#define COMPLEX_T     hlo_c64
#define LOOP_HINT(id) HINT(IS_MARKED(IS_SHORT_##id))
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX    f64
#define COLUMN    float
#define T         double
#define COMPLEX_T hlo_c128
#include "kernels/elementwise/pointwise_loops.h"
