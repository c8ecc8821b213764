// See copy.h.
#include "base/copy.h"

#if defined(__wasm__)
__attribute__((target("bulk-memory")))
#endif
void hlo_copy_in_bulk(void *to, const void *from, size_t count) {
  __builtin_memcpy(to, from, count);
}
