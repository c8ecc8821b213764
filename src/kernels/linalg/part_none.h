// Takes back the parameters of the text of factorisations, before others are given. No include
// guard. See dense.h.
#undef PART
#undef BITS
#undef ELEMENT_TYPE
#undef MATRIX
#undef VECTOR
#undef NAME
#undef MATRIX_NAME
#undef SMALL_PRODUCT
#undef SMALLEST_NORM
#undef LARGE_POWER
#undef NORM_LOSS
