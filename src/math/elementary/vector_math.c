// The functions of vector_math_template.h as loops.
#include "math/vector/vector_loops.h"

HLO_VECTOR_FUNCTIONS(DEFINE)
