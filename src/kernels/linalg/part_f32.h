// The parameters of the text of factorisations for parts in f32. No include guard. See dense.h.
#include "kernels/linalg/part_none.h"

#define PART              float
#define BITS              int32_t
#define ELEMENT_TYPE      HLO_F32
#define MATRIX            hlo_single
#define VECTOR            hlo_single_vector
#define NAME(name)        hlo_single_##name
#define MATRIX_NAME(name) hlo_single_##name
#define SMALL_PRODUCT     HLO_SINGLE_SMALL_PRODUCT
#define SMALLEST_NORM     0x1p-120F // the reciprocal of less might be infinite
#define LARGE_POWER       0x1p100F
#define NORM_LOSS         3e-4 // the square root of rounding's unit
