// Copies bytes quickly: the memcpy of wasm's C library goes word by word.
#ifndef HLO_BASE_COPY_H
#define HLO_BASE_COPY_H

#include "base/machine.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// From this many bytes on, memory.copy, which engines implement by the machine's best copy, is
// worth its call.
void hlo_copy_in_bulk(void *to, const void *from, size_t count);

// The areas must not overlap.
static inline void hlo_copy_bytes(void *to, const void *from, size_t count) {
  typedef uint8_t block __attribute__((vector_size(16)));
  char *t = to;
  const char *f = from;
  if (count >= HLO_COPY_IN_BULK) {
    hlo_copy_in_bulk(to, from, count);
    return;
  }
  for (; count >= sizeof(block); count -= sizeof(block)) {
    block a;
    memcpy(&a, f, sizeof a);
    memcpy(t, &a, sizeof a);
    t += sizeof a;
    f += sizeof a;
  }
  if (count > 0) memcpy(t, f, count);
}

#endif
