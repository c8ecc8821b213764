// The pointwise kernels of 64-bit integers.
#include "kernels/elementwise/pointwise.h"
#include "kernels/elementwise/pointwise_integer.h"

#define SUFFIX        s64
#define COLUMN        signed
#define T             int64_t
#define SIGNED_T      int64_t
#define WIDE_T        uint64_t
#define BITS          64
#define LOOP_HINT(id) INTEGER_HINT(id)
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX   u64
#define COLUMN   unsigned
#define T        uint64_t
#define SIGNED_T int64_t
#define WIDE_T   uint64_t
#define BITS     64
#include "kernels/elementwise/pointwise_loops.h"
