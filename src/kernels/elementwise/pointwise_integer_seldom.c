// The pointwise kernels of the integers that few programs use, apart from the others because
// of where they stand in wasm (wasm/flags.mk).
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

#define SUFFIX   u64
#define COLUMN   unsigned
#define T        uint64_t
#define SIGNED_T int64_t
#define WIDE_T   uint64_t
#define BITS     64
#include "kernels/elementwise/pointwise_loops.h"
