// Guard zones: the gaps between and after allocations, where nothing may be written. Under
// AddressSanitizer they are poisoned; a build with HLO_GUARDS fills them with a pattern and checks
// it when memory is given back; other builds have none.
#ifndef HLO_BASE_GUARD_H
#define HLO_BASE_GUARD_H

#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define HLO_IS_SANITIZED 1
#endif
#endif
#ifndef HLO_IS_SANITIZED
#define HLO_IS_SANITIZED 0
#endif
#ifndef HLO_GUARDS
#define HLO_GUARDS 0
#endif

// Bytes of a guard between two allocations of an arena, a multiple of their alignment.
enum { HLO_GUARD_SIZE = HLO_IS_SANITIZED || HLO_GUARDS ? 16 : 0 };

static inline void hlo_guard_close(void *from, size_t size) {
#if HLO_IS_SANITIZED
  __asan_poison_memory_region(from, size);
#elif HLO_GUARDS
  for (size_t i = 0; i < size; i++) ((volatile uint8_t *)from)[i] = 0xc5;
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

// Poisons the gaps of released allocations again; a pattern needs no such step, since it is
// rewritten by the next allocation.
static inline void hlo_guard_reclose(void *from, size_t size) {
  if (HLO_IS_SANITIZED) hlo_guard_close(from, size);
}

// Aborts if the guard has been overwritten.
static inline void hlo_guard_check(const void *from, size_t size) {
#if HLO_GUARDS && !HLO_IS_SANITIZED
  for (size_t i = 0; i < size; i++)
    if (((const volatile uint8_t *)from)[i] != 0xc5) __builtin_trap();
#else
  (void)from, (void)size;
#endif
}

#endif
