// The pointwise kernels of f32, f64 and the complex types. Must not know about views or other
// types.
#include "eval/pointwise.h"
#include "eval/pointwise_expressions.h"

#define SUFFIX    f32
#define COLUMN    float
#define T         float
#define COMPLEX_T hlo_c64
#include "eval/pointwise_loops.h"

#define SUFFIX    f64
#define COLUMN    float
#define T         double
#define COMPLEX_T hlo_c128
#include "eval/pointwise_loops.h"

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
