// The pointwise kernels of pred and the integers of 8 to 64 bits.
#include "kernels/elementwise/pointwise_integer.h"
#include "kernels/elementwise/pointwise.h"

// Any byte but 0 is true.
#define SUFFIX  pred
#define COLUMN  pred
#define T       uint8_t
#define LOAD(x) ((uint8_t)((x) != 0))
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        s8
#define COLUMN        signed
#define T             int8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          8
#define LOOP_HINT(id) INTEGER_HINT(id)
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        s32
#define COLUMN        signed
#define T             int32_t
#define SIGNED_T      int32_t
#define WIDE_T        uint32_t
#define BITS          32
#define LOOP_HINT(id) INTEGER_HINT(id)
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        u8
#define COLUMN        unsigned
#define T             uint8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          8
#define LOOP_HINT(id) INTEGER_HINT(id)
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        u32
#define COLUMN        unsigned
#define T             uint32_t
#define SIGNED_T      int32_t
#define WIDE_T        uint32_t
#define BITS          32
#define LOOP_HINT(id) INTEGER_HINT(id)
#include "kernels/elementwise/pointwise_loops.h"
