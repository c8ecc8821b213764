// Philox4x32-10 for four counters at a time, one in each lane. See philox.h.
#include "math/random/philox.h"

#include <string.h>

typedef uint32_t words __attribute__((vector_size(16)));
typedef uint32_t half_of_words __attribute__((vector_size(8)));
typedef uint64_t products __attribute__((vector_size(16)));

enum { ROUNDS = 10, LANES = HLO_PHILOX_BLOCKS };

static inline words splat(uint32_t x) { return (words){x, x, x, x}; }

// Both halves of the products, each in its lane.
static inline void multiply(words a, words b, words *low, words *high) {
#define WIDE(v, i, j)                                                                              \
  __builtin_convertvector((half_of_words)__builtin_shufflevector(v, v, i, j), products)
  words first = (words)(WIDE(a, 0, 1) * WIDE(b, 0, 1));
  words second = (words)(WIDE(a, 2, 3) * WIDE(b, 2, 3));
#undef WIDE
  *low = __builtin_shufflevector(first, second, 0, 2, 4, 6);
  *high = __builtin_shufflevector(first, second, 1, 3, 5, 7);
}

// The counter and the next three, from the lowest word on.
static inline void count(hlo_philox_counter counter, words x[4]) {
  const uint32_t parts[4] = {(uint32_t)counter.low, (uint32_t)(counter.low >> 32),
                             (uint32_t)counter.high, (uint32_t)(counter.high >> 32)};
  x[0] = splat(parts[0]) + (words){0, 1, 2, 3};
  words carry = (words)(x[0] < splat(parts[0])); // all bits set where one is carried
  for (int i = 1; i < 4; i++) {
    x[i] = splat(parts[i]) - carry;
    carry &= (words)(x[i] == splat(0));
  }
}

static inline void store_blocks(const words x[4], uint32_t *out) {
  words even = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5);
  words odd = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
  words even_above = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  words odd_above = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  const words blocks[LANES] = {__builtin_shufflevector(even, odd, 0, 1, 4, 5),
                               __builtin_shufflevector(even, odd, 2, 3, 6, 7),
                               __builtin_shufflevector(even_above, odd_above, 0, 1, 4, 5),
                               __builtin_shufflevector(even_above, odd_above, 2, 3, 6, 7)};
  memcpy(out, blocks, sizeof blocks);
}

void hlo_philox_4x32(hlo_philox_counter counter, uint64_t key, int64_t times, uint32_t *out) {
  // As if unknown, so that they are in locals and not made anew in each round.
  static const volatile uint32_t multipliers[2] = {0xd2511f53, 0xcd9e8d57};
  const words multiplier0 = splat(multipliers[0]), multiplier1 = splat(multipliers[1]);
  const uint32_t weyl0 = 0x9e3779b9, weyl1 = 0xbb67ae85; // golden ratio and sqrt(3) - 1, of 2^32
  for (; times > 0; times--, out += HLO_PHILOX_WORDS) {
    words x[4];
    count(counter, x);
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
    for (int round = 0; round < ROUNDS; round++) {
      words low0, high0, low1, high1;
      multiply(x[0], multiplier0, &low0, &high0);
      multiply(x[2], multiplier1, &low1, &high1);
      x[0] = high1 ^ x[1] ^ splat(key0);
      x[1] = low1;
      x[2] = high0 ^ x[3] ^ splat(key1);
      x[3] = low0;
      key0 += weyl0;
      key1 += weyl1;
    }
    store_blocks(x, out);
    counter = hlo_philox_advance(counter, LANES);
  }
}
