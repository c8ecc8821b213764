// Products of many small matrices of 32-bit integers.
#define ELEMENT                 uint32_t
#define MASK                    int32_t
#define MULTIPLY_ADD(a, b, sum) ((a) * (b) + (sum))
#define NAME(x)                 x##_u32
#include "kernels/product/small_kernels.h"
