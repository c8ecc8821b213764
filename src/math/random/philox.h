// Philox4x32-10: blocks of four random words from counters and a key. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
#ifndef HLO_MATH_RANDOM_PHILOX_H
#define HLO_MATH_RANDOM_PHILOX_H

#include <stdint.h>

enum { HLO_PHILOX_BLOCKS = 4, HLO_PHILOX_WORDS = 4 * HLO_PHILOX_BLOCKS };

// 128 bits.
typedef struct hlo_philox_counter {
  uint64_t low, high;
} hlo_philox_counter;

static inline hlo_philox_counter hlo_philox_advance(hlo_philox_counter counter, uint64_t steps) {
  counter.low += steps;
  counter.high += counter.low < steps;
  return counter;
}

// Writes so many times HLO_PHILOX_WORDS words: the blocks of the counter and the following ones.
void hlo_philox_4x32(hlo_philox_counter counter, uint64_t key, int64_t times, uint32_t *out);

#endif
