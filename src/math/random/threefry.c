// Threefry2x32-20 for eight counters at a time, in two vectors that need not wait for each other.
// See threefry.h.
#include "math/random/threefry.h"

#include <stdbool.h>
#include <string.h>

typedef uint32_t words __attribute__((vector_size(16)));

enum { LANES = 4, VECTORS = HLO_THREEFRY_PAIRS / LANES };

static inline words splat(uint32_t x) { return (words){x, x, x, x}; }

#define EACH_VECTOR _Pragma("unroll") for (int v = 0; v < VECTORS; v++)

static inline void mix(words x[VECTORS], words y[VECTORS], int bits) {
  EACH_VECTOR {
    x[v] += y[v];
    y[v] = (y[v] << bits | y[v] >> (32 - bits)) ^ x[v];
  }
}

// Twenty rounds over counters x and y, to which the keys have not been added yet.
static inline __attribute__((always_inline)) void
encrypt(words x[VECTORS], words y[VECTORS], const words key0[VECTORS], const words key1[VECTORS]) {
  words keys[3][VECTORS];
  EACH_VECTOR {
    keys[0][v] = key0[v];
    keys[1][v] = key1[v];
    keys[2][v] = key0[v] ^ key1[v] ^ splat(0x1bd11bda);
    x[v] += key0[v];
    y[v] += key1[v];
  }
  _Pragma("unroll") for (uint32_t injection = 1; injection <= 5; injection++) {
    bool odd = injection % 2 == 1;
    mix(x, y, odd ? 13 : 17);
    mix(x, y, odd ? 15 : 29);
    mix(x, y, odd ? 26 : 16);
    mix(x, y, odd ? 6 : 24);
    EACH_VECTOR {
      x[v] += keys[injection % 3][v];
      y[v] += keys[(injection + 1) % 3][v] + splat(injection);
    }
  }
}

void hlo_threefry_2x32(uint64_t counter, uint64_t key, int64_t times, uint32_t *first,
                       uint32_t *second) {
  words key0[VECTORS], key1[VECTORS];
  EACH_VECTOR {
    key0[v] = splat((uint32_t)key);
    key1[v] = splat((uint32_t)(key >> 32));
  }
  for (; times > 0; times--, first += HLO_THREEFRY_PAIRS, second += HLO_THREEFRY_PAIRS) {
    words x[VECTORS], y[VECTORS];
    EACH_VECTOR {
      uint32_t low = (uint32_t)counter;
      x[v] = splat(low) + (words){0, 1, 2, 3};
      words carry = (words)(x[v] < splat(low)); // all bits set where one is carried
      y[v] = splat((uint32_t)(counter >> 32)) - carry;
      counter += LANES;
    }
    encrypt(x, y, key0, key1);
    memcpy(first, x, sizeof x);
    memcpy(second, y, sizeof y);
  }
}

void hlo_threefry_2x32_pairs(const uint32_t keys[2][HLO_THREEFRY_PAIRS],
                             uint32_t pairs[2][HLO_THREEFRY_PAIRS]) {
  words key[2][VECTORS], pair[2][VECTORS];
  memcpy(key, keys, sizeof key);
  memcpy(pair, pairs, sizeof pair);
  encrypt(pair[0], pair[1], key[0], key[1]);
  memcpy(pairs, pair, sizeof pair);
}
