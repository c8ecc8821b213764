// Order-preserving maps of elements to unsigned integers: the keys of sorting and selection.
#ifndef HLO_KERNELS_ORDER_ORDER_KEYS_H
#define HLO_KERNELS_ORDER_ORDER_KEYS_H

#include "kernels/eval.h"

// 32 or 64 for types that have keys of so many bits: integers, pred, floats. 0: complex numbers.
int32_t hlo_order_key_bits(hlo_type type);
// keys[i] of elements[i]. Floats are in total order: -NaN, -inf, …, -0, +0, …, +inf, NaN.
void hlo_order_keys_32(hlo_type type, const void *elements, int64_t n, uint32_t *keys);
void hlo_order_keys_64(hlo_type type, const void *elements, int64_t n, uint64_t *keys);
// The inverse, for types of 32 bits.
void hlo_order_keys_undo_32(hlo_type type, const uint32_t *keys, int64_t n, void *elements);

#endif
