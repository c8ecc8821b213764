// Threefry2x32-20: a pair of random words from a counter and a key. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011). Knows nothing of
// arrays.
#ifndef HLO_BASE_THREEFRY_H
#define HLO_BASE_THREEFRY_H

#include <stdint.h>

// Of each pair of words the first is the low half.
static inline uint64_t hlo_threefry_2x32(uint64_t counter, uint64_t key) {
  static const int rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const uint32_t parity = 0x1bd11bda;
  const uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
  const uint32_t keys[3] = {key0, key1, key0 ^ key1 ^ parity};
  uint32_t x = (uint32_t)counter + key0, y = (uint32_t)(counter >> 32) + key1;
  for (uint32_t round = 0; round < 20; round++) {
    int count = rotations[round % 8];
    x += y;
    y = (y << count | y >> (32 - count)) ^ x;
    if (round % 4 != 3) continue;
    uint32_t injection = round / 4 + 1;
    x += keys[injection % 3];
    y += keys[(injection + 1) % 3] + injection;
  }
  return x | (uint64_t)y << 32;
}

#endif
