// Philox4x32-10: a block of four random words from a counter and a key. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011). Knows nothing of
// distributions.
#ifndef HLO_BASE_PHILOX_H
#define HLO_BASE_PHILOX_H

#include <stdint.h>

static inline void hlo_philox_4x32(const uint32_t counter[4], const uint32_t key[2],
                                   uint32_t out[4]) {
  enum { ROUNDS = 10 };
  const uint64_t multiplier0 = 0xd2511f53, multiplier1 = 0xcd9e8d57;
  const uint32_t weyl0 = 0x9e3779b9, weyl1 = 0xbb67ae85; // golden ratio and sqrt(3) - 1, of 2^32
  uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
  uint32_t key0 = key[0], key1 = key[1];
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t product0 = multiplier0 * x0, product1 = multiplier1 * x2;
    x0 = (uint32_t)(product1 >> 32) ^ x1 ^ key0;
    x1 = (uint32_t)product1;
    x2 = (uint32_t)(product0 >> 32) ^ x3 ^ key1;
    x3 = (uint32_t)product0;
    key0 += weyl0;
    key1 += weyl1;
  }
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = x3;
}

#endif
