// The allocator of arenas, arrays and whatever lives by itself: malloc with accounting, a limit,
// and a test hook. Small blocks stand apart from large ones (small_blocks.h).
#ifndef HLO_BASE_MEMORY_H
#define HLO_BASE_MEMORY_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
  HLO_MEMORY_ALIGNMENT = 64,
  // Readable bytes after every block: loops load whole vectors, even for the last elements.
  HLO_MEMORY_SLACK = 64,
};

// Leaves the bytes as they are. NULL beyond the limit.
void *hlo_memory_alloc(size_t size);
void hlo_memory_release(void *pointer);
size_t hlo_memory_in_use(void);
size_t hlo_memory_peak(void);
void hlo_memory_set_limit(size_t bytes);
hlo_status hlo_fail_out_of_memory(hlo_error *error);

// A piece of work that makes new objects and changes none that there are, but for what it can put
// back. If an exception of the host ends it, nobody has the addresses of its blocks any more: then
// abandon releases those that it still had. Attempts do not nest.
void hlo_memory_begin_attempt(void);
void hlo_memory_end_attempt(void); // its blocks are like all others
void hlo_memory_abandon_attempt(void);

// Test hook: the n-th allocation from now on fails (1 = the next one), 0 switches it off.
void hlo_memory_fail_after(int64_t n);

#endif
