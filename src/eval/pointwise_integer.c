// The pointwise kernels of pred and the usual integers. Must not know about views or other types.
#include "eval/pointwise.h"
#include "eval/pointwise_expressions.h"

// WebAssembly's vectors divide no integers and shift all lanes alike: lanes would be taken out, and
// put back one by one.
#define IS_SCALAR_DIVIDE                 MARK
#define IS_SCALAR_REMAINDER              MARK
#define IS_SCALAR_SHIFT_LEFT             MARK
#define IS_SCALAR_SHIFT_RIGHT_ARITHMETIC MARK
#define IS_SCALAR_SHIFT_RIGHT_LOGICAL    MARK
#define HINT(is_scalar)                  PICK(is_scalar, LANES_ARE_INDEPENDENT, ONE_BY_ONE)

// Any byte but 0 is true.
#define SUFFIX  pred
#define COLUMN  pred
#define T       uint8_t
#define LOAD(x) ((uint8_t)((x) != 0))
#include "eval/pointwise_loops.h"

#define SUFFIX        s8
#define COLUMN        signed
#define T             int8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          8
#define LOOP_HINT(id) HINT(IS_MARKED(IS_SCALAR_##id))
#include "eval/pointwise_loops.h"

#define SUFFIX        s32
#define COLUMN        signed
#define T             int32_t
#define SIGNED_T      int32_t
#define WIDE_T        uint32_t
#define BITS          32
#define LOOP_HINT(id) HINT(IS_MARKED(IS_SCALAR_##id))
#include "eval/pointwise_loops.h"

#define SUFFIX        s64
#define COLUMN        signed
#define T             int64_t
#define SIGNED_T      int64_t
#define WIDE_T        uint64_t
#define BITS          64
#define LOOP_HINT(id) HINT(IS_MARKED(IS_SCALAR_##id))
#include "eval/pointwise_loops.h"

#define SUFFIX        u8
#define COLUMN        unsigned
#define T             uint8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          8
#define LOOP_HINT(id) HINT(IS_MARKED(IS_SCALAR_##id))
#include "eval/pointwise_loops.h"

#define SUFFIX        u32
#define COLUMN        unsigned
#define T             uint32_t
#define SIGNED_T      int32_t
#define WIDE_T        uint32_t
#define BITS          32
#define LOOP_HINT(id) HINT(IS_MARKED(IS_SCALAR_##id))
#include "eval/pointwise_loops.h"
