// See copy.h.
#include "base/copy.h"

#if defined(__wasm__)
__attribute__((target("bulk-memory")))
#endif
void hlo_copy_in_bulk(void *to, const void *from, size_t count) {
  __builtin_memcpy(to, from, count);
}

#if defined(__wasm__)
__attribute__((target("bulk-memory")))
#endif
void hlo_copy_blocks_in_bulk(char *to, const char *const *from, ptrdiff_t blocks, size_t count) {
  for (ptrdiff_t i = 0; i < blocks; i++, to += count) __builtin_memcpy(to, from[i], count);
}
