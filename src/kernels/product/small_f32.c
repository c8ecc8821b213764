// Products of many small matrices of f32.
#include "kernels/simd/multiply_add.h"

#define ELEMENT                 float
#define MASK                    int32_t
#define MULTIPLY_ADD(a, b, sum) hlo_multiply_add(a, b, sum)
#define NAME(x)                 x##_f32
#include "kernels/product/small_kernels.h"
