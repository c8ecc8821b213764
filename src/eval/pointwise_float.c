// The pointwise kernels of f32 and f64. Must not know about views or other types.
#include "eval/pointwise.h"
#include "eval/pointwise_expressions.h"

// Rows of one instruction wait for memory alone. With less beside that instruction the processor
// looks further ahead, so that more of memory is on its way.
#define IS_SHORT_ADD      ~, 1
#define IS_SHORT_SUBTRACT ~, 1
#define IS_SHORT_MULTIPLY ~, 1
#define IS_SHORT(...)     SECOND(__VA_ARGS__, 0, )
#define HINT_0            LANES_ARE_INDEPENDENT
#define HINT_1            LANES_ARE_INDEPENDENT MANY_LANES_AT_A_TIME
#define HINT(short)       HINT_OF(short)
#define HINT_OF(short)    HINT_##short

#define SUFFIX        f32
#define COLUMN        float
#define T             float
#define COMPLEX_T     hlo_c64
#define LOOP_HINT(id) HINT(IS_SHORT(IS_SHORT_##id))
#include "eval/pointwise_loops.h"

#define SUFFIX    f64
#define COLUMN    float
#define T         double
#define COMPLEX_T hlo_c128
#include "eval/pointwise_loops.h"
