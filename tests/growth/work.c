// How much the engine has worked, in basic blocks: the same number at each run of the same calls,
// so that a test can tell how work grows. The compiler calls trace_pc in every block; what is
// copied and filled in bulk is a block per 16 bytes.
#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

#define UNCOUNTED __attribute__((no_sanitize("coverage")))

void __sanitizer_cov_trace_pc(void);
void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t count);
void *__wrap_memmove(void *to, const void *from, size_t count);
void *__wrap_memset(void *to, int byte, size_t count);
__attribute__((used, visibility("default"))) double hlo_api_work(void);
__attribute__((used, visibility("default"))) void hlo_api_write_behind(int32_t place);

static uint64_t work;

UNCOUNTED void __sanitizer_cov_trace_pc(void) { work++; }

void *__real_memcpy(void *restrict to, const void *restrict from, size_t count);
void *__real_memmove(void *to, const void *from, size_t count);
void *__real_memset(void *to, int byte, size_t count);

UNCOUNTED void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t count) {
  work += count / 16;
  return __real_memcpy(to, from, count);
}

UNCOUNTED void *__wrap_memmove(void *to, const void *from, size_t count) {
  work += count / 16;
  return __real_memmove(to, from, count);
}

UNCOUNTED void *__wrap_memset(void *to, int byte, size_t count) {
  work += count / 16;
  return __real_memset(to, byte, count);
}

UNCOUNTED double hlo_api_work(void) { return (double)work; }

// Writes a byte at a place after an allocation of 5 bytes, for a test that guards notice it.
void hlo_api_write_behind(int32_t place) {
  hlo_arena arena = {0};
  volatile char *bytes = hlo_arena_array(&arena, 5, 1);
  if (bytes != NULL) bytes[place] = 1;
  hlo_arena_free(&arena);
}
