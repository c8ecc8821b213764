// Products of many small matrices of 64-bit integers.
#define ELEMENT                 uint64_t
#define MASK                    int64_t
#define MULTIPLY_ADD(a, b, sum) ((a) * (b) + (sum))
#define NAME(x)                 x##_u64
#include "kernels/product/small_kernels.h"
