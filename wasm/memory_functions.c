// memcpy and memset of the wasm builds, in place of those of wasm's C library, which go word by
// word: structures of some hundred bytes are cleared and copied all the time. Source of semantics:
// C11, 7.24.
#include "base/copy.h"

#include <stdint.h>
#include <string.h>

typedef uint8_t block __attribute__((vector_size(16)));

enum { BLOCK = sizeof(block), FILLED_IN_BULK = 512 };

// Less than a block is moved in two parts, which overlap where they have to.
#define MOVE_IN_TWO(size)                                                                          \
  if (count >= (size)) {                                                                           \
    char first[size], last[size];                                                                  \
    __builtin_memcpy_inline(first, from, size);                                                    \
    __builtin_memcpy_inline(last, from + count - (size), size);                                    \
    __builtin_memcpy_inline(to, first, size);                                                      \
    __builtin_memcpy_inline(to + count - (size), last, size);                                      \
    return result;                                                                                 \
  }

__attribute__((no_builtin)) void *memcpy(void *restrict result, const void *restrict source,
                                         size_t count) {
  char *to = result;
  const char *from = source;
  if (count >= HLO_COPY_IN_BULK) {
    hlo_copy_in_bulk(to, from, count);
    return result;
  }
  if (count >= BLOCK) {
    for (size_t at = 0; at < count - BLOCK; at += BLOCK)
      __builtin_memcpy_inline(to + at, from + at, BLOCK);
    __builtin_memcpy_inline(to + count - BLOCK, from + count - BLOCK, BLOCK);
    return result;
  }
  MOVE_IN_TWO(8)
  MOVE_IN_TWO(4)
  MOVE_IN_TWO(2)
  if (count > 0) *to = *from;
  return result;
}

#if defined(__wasm__)
__attribute__((target("bulk-memory")))
#endif
static void
fill_in_bulk(void *to, int value, size_t count) {
  __builtin_memset(to, value, count);
}

#define FILL_IN_TWO(size)                                                                          \
  if (count >= (size)) {                                                                           \
    __builtin_memcpy_inline(to, &bytes, size);                                                     \
    __builtin_memcpy_inline(to + count - (size), &bytes, size);                                    \
    return result;                                                                                 \
  }

__attribute__((no_builtin)) void *memset(void *result, int value, size_t count) {
  char *to = result;
  block bytes = (block){0} + (uint8_t)value;
  if (count >= FILLED_IN_BULK) {
    fill_in_bulk(to, value, count);
    return result;
  }
  if (count >= BLOCK) {
    for (size_t at = 0; at < count - BLOCK; at += BLOCK)
      __builtin_memcpy_inline(to + at, &bytes, BLOCK);
    __builtin_memcpy_inline(to + count - BLOCK, &bytes, BLOCK);
    return result;
  }
  FILL_IN_TWO(8)
  FILL_IN_TWO(4)
  FILL_IN_TWO(2)
  if (count > 0) *to = (char)value;
  return result;
}
