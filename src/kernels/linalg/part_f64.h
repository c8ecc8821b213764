// The parameters of the text of factorisations for parts in f64. No include guard. See dense.h.
#include "kernels/linalg/part_none.h"

#define PART              double
#define BITS              int64_t
#define ELEMENT_TYPE      HLO_F64
#define MATRIX            hlo_matrix
#define VECTOR            hlo_vector
#define NAME(name)        hlo_##name
#define MATRIX_NAME(name) hlo_matrix_##name
#define SMALL_PRODUCT     HLO_LINALG_SMALL_PRODUCT
#define SMALLEST_NORM     0x1p-960 // the reciprocal of less might be infinite
#define LARGE_POWER       0x1p600
#define NORM_LOSS         1e-8 // the square root of rounding's unit
