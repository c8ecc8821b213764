// Loops over slices of updates: what a scatter does with each.
#ifndef HLO_KERNELS_INDEXED_FOLD_SLICES_H
#define HLO_KERNELS_INDEXED_FOLD_SLICES_H

#include "hlo/hlo.h"

#include <stddef.h>

enum { HLO_SLICE_OUTSIDE = -1 };

// Combines `count` slices of `elements` each, from `from` on and `step` bytes apart, with those of
// the array at these offsets in bytes; HLO_SLICE_OUTSIDE: with none.
typedef void hlo_combine_slices(char *array, const ptrdiff_t *offsets, const char *from,
                                ptrdiff_t step, ptrdiff_t count, ptrdiff_t elements);

// By addition, multiplication, maximum or minimum. NULL for other operations, and for types that
// have no loop.
hlo_combine_slices *hlo_slice_fold(hlo_opcode opcode, hlo_type type);

#endif
