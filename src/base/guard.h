// Guard zones: the gaps between and after allocations, where nothing may be written. Under
// AddressSanitizer they are poisoned; other builds have none.
#ifndef HLO_BASE_GUARD_H
#define HLO_BASE_GUARD_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define HLO_IS_SANITIZED 1
#endif
#endif
#ifndef HLO_IS_SANITIZED
#define HLO_IS_SANITIZED 0
#endif

// Bytes of a guard between two allocations of an arena, a multiple of their alignment.
enum { HLO_GUARD_SIZE = HLO_IS_SANITIZED ? 16 : 0 };

static inline void hlo_guard_close(void *from, size_t size) {
#if HLO_IS_SANITIZED
  __asan_poison_memory_region(from, size);
#else
  (void)from, (void)size;
#endif
}

static inline void hlo_guard_open(void *from, size_t size) {
#if HLO_IS_SANITIZED
  __asan_unpoison_memory_region(from, size);
#else
  (void)from, (void)size;
#endif
}

#endif
