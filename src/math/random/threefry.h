// Threefry2x32-20: pairs of random words from counters and a key. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
#ifndef HLO_MATH_RANDOM_THREEFRY_H
#define HLO_MATH_RANDOM_THREEFRY_H

#include <stdint.h>

enum { HLO_THREEFRY_PAIRS = 8 };

// Writes the first and the second words of so many times HLO_THREEFRY_PAIRS pairs: those of the
// counter and the following ones, which wrap from 2^64 - 1 to 0.
void hlo_threefry_2x32(uint64_t counter, uint64_t key, int64_t times, uint32_t *first,
                       uint32_t *second);
// The same of any counters, each with its own key: first words, then second ones. The pairs
// take the place of the counters.
void hlo_threefry_2x32_pairs(const uint32_t keys[2][HLO_THREEFRY_PAIRS],
                             uint32_t pairs[2][HLO_THREEFRY_PAIRS]);

#endif
