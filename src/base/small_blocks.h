// Small blocks in regions of their own: those that live long would split the memory between large
// ones, so that none fits any more where many were. Two-level segregated fit (M. Masmano et al.,
// TLSF: a new dynamic memory allocator, 2004): constant time, neighbours that are free are joined.
#ifndef HLO_BASE_SMALL_BLOCKS_H
#define HLO_BASE_SMALL_BLOCKS_H

#include <stddef.h>

// Bytes of the largest small block: an arena's largest with what stands in front of it.
enum { HLO_SMALL_BLOCKS_LARGEST = (1 << 20) + (1 << 12) };

// At most so many bytes, aligned as by malloc; NULL when memory is out.
void *hlo_small_blocks_alloc(size_t size);
void hlo_small_blocks_release(void *pointer);

// Bytes of all regions. Each is as large as those before it together, within limits, so that there
// are few, far apart. One that is empty is given back, except for the first.
size_t hlo_small_blocks_size(void);

#endif
