// The functions of vector_math_template.h that few programs need, as loops.
#include "math/vector/vector_loops.h"

HLO_SELDOM_FUNCTIONS(DEFINE)
