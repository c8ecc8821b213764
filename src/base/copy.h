// Copies bytes in vectors: the memcpy of wasm's C library goes word by word. Must not know what is
// copied.
#ifndef HLO_BASE_COPY_H
#define HLO_BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The areas must not overlap.
static inline void hlo_copy_bytes(void *to, const void *from, size_t count) {
  typedef uint8_t block __attribute__((vector_size(16)));
  char *t = to;
  const char *f = from;
  for (; count >= 4 * sizeof(block); count -= 4 * sizeof(block)) {
    block a, b, c, d;
    memcpy(&a, f, sizeof a);
    memcpy(&b, f + 16, sizeof b);
    memcpy(&c, f + 32, sizeof c);
    memcpy(&d, f + 48, sizeof d);
    memcpy(t, &a, sizeof a);
    memcpy(t + 16, &b, sizeof b);
    memcpy(t + 32, &c, sizeof c);
    memcpy(t + 48, &d, sizeof d);
    t += 4 * sizeof(block);
    f += 4 * sizeof(block);
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
