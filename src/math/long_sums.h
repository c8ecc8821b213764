// Blocked compensated summation: the rounding error of adding each block's sum is accumulated
// separately, so that errors do not grow with the number of blocks (two-sum: O. Møller, "Quasi
// double-precision in floating point addition", 1965; D. Knuth, TAOCP 2, 4.2.2).
#ifndef HLO_MATH_LONG_SUMS_H
#define HLO_MATH_LONG_SUMS_H

#include <stdint.h>

enum {
  // Terms that are added one after the other. Of equal ones, whose roundings all go one way, 256 of
  // f32 are off by up to 8e-7, 512 by 4e-6.
  HLO_SUM_BLOCK = 256,
  // The same where they have the order, and so the bits, of XLA's CPU backend.
  HLO_LONGEST_SUM_IN_ORDER = 4096,
  // Blocks whose sums are added one after the other: so many lose less than one of them does.
  HLO_BLOCKS_IN_ORDER = 32,
};

// Per type: continues n running sums, sums[i] += part[i], accumulating the rounding errors in
// lost[i]; and ends them, sums[i] += lost[i]. Infinite, NaN and zero sums (which keep their sign)
// have no error. Integers wrap exactly.
#define HLO_DEFINE_LONG_SUMS(suffix, type)                                                         \
  static inline void hlo_add_block_##suffix(int64_t n, const type *restrict part,                  \
                                            type *restrict sums, type *restrict lost) {            \
    for (int64_t i = 0; i < n; i++) {                                                              \
      type a = sums[i], b = part[i], sum = a + b, added = sum - a;                                 \
      sums[i] = sum;                                                                               \
      lost[i] += (a - (sum - added)) + (b - added);                                                \
    }                                                                                              \
  }                                                                                                \
  static inline void hlo_end_sums_##suffix(int64_t n, const type *restrict lost,                   \
                                           type *restrict sums) {                                  \
    for (int64_t i = 0; i < n; i++) {                                                              \
      type rest = lost[i];                                                                         \
      sums[i] = ((rest < 0) | (rest > 0)) ? sums[i] + rest : sums[i];                              \
    }                                                                                              \
  }

#endif
