// The frequent functions of vector_math_template.h as loops.
#include "math/vector/vector_loops.h"

HLO_FREQUENT_FUNCTIONS(DEFINE)
