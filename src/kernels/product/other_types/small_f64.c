// Products of many small matrices of f64.
#define ELEMENT                 double
#define MASK                    int64_t
#define MULTIPLY_ADD(a, b, sum) ((a) * (b) + (sum))
#define NAME(x)                 x##_f64
#include "kernels/product/small_kernels.h"
