// The pointwise kernels of the complex types.
#include "kernels/elementwise/pointwise.h"
#include "kernels/elementwise/pointwise_expressions.h"

#define SUFFIX c64
#define COLUMN complex
#define T      hlo_c64
#define PART_T float
#include "kernels/elementwise/pointwise_loops.h"

#define SUFFIX c128
#define COLUMN complex
#define T      hlo_c128
#define PART_T double
#include "kernels/elementwise/pointwise_loops.h"
