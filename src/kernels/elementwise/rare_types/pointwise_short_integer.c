// The pointwise kernels of integers below 32 bits, but for those of a byte.
#include "kernels/elementwise/pointwise.h"
#include "kernels/elementwise/pointwise_expressions.h"

#define SUFFIX        s2
#define COLUMN        signed
#define T             int8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          2
#define LOAD(x)       EXTENDED(x)
#define LOOP_HINT(id) ONE_BY_ONE
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        s4
#define COLUMN        signed
#define T             int8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          4
#define LOAD(x)       EXTENDED(x)
#define LOOP_HINT(id) ONE_BY_ONE
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX   s16
#define COLUMN   signed
#define T        int16_t
#define SIGNED_T int16_t
#define WIDE_T   uint32_t
#define BITS     16
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        u2
#define COLUMN        unsigned
#define T             uint8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          2
#define LOAD(x)       EXTENDED(x)
#define LOOP_HINT(id) ONE_BY_ONE
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX        u4
#define COLUMN        unsigned
#define T             uint8_t
#define SIGNED_T      int8_t
#define WIDE_T        uint32_t
#define BITS          4
#define LOAD(x)       EXTENDED(x)
#define LOOP_HINT(id) ONE_BY_ONE
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX   u16
#define COLUMN   unsigned
#define T        uint16_t
#define SIGNED_T int16_t
#define WIDE_T   uint32_t
#define BITS     16
#include "kernels/elementwise/pointwise_loops.h"
