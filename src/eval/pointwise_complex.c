// The pointwise kernels of the complex types. Must not know about views or other types.
#include "eval/pointwise.h"
#include "eval/pointwise_expressions.h"

#define SUFFIX c64
#define COLUMN complex
#define T      hlo_c64
#define PART_T float
#include "eval/pointwise_loops.h"

#define SUFFIX c128
#define COLUMN complex
#define T      hlo_c128
#define PART_T double
#include "eval/pointwise_loops.h"
