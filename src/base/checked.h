// Integer arithmetic that reports overflow instead of wrapping.
#ifndef HLO_BASE_CHECKED_H
#define HLO_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

// Each returns false, and leaves *result unspecified, when the exact result does not fit.
static inline bool hlo_checked_add(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_add_overflow(a, b, result);
}
static inline bool hlo_checked_sub(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_sub_overflow(a, b, result);
}
static inline bool hlo_checked_mul(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_mul_overflow(a, b, result);
}

#endif
