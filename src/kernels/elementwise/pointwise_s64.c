// The pointwise kernels of s64, which programs of text have as indices, apart from the others
// because of where they stand in wasm (wasm/flags.mk).
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
