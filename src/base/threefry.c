// Threefry2x32-20 for eight counters at a time, in two vectors that need not wait for each other.
// See threefry.h.
#include "base/threefry.h"

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

void hlo_threefry_2x32(uint64_t counter, uint64_t key, int64_t times, uint32_t *first,
                       uint32_t *second) {
  const uint32_t parity = 0x1bd11bda, key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
  const uint32_t keys[3] = {key0, key1, key0 ^ key1 ^ parity};
  for (; times > 0; times--, first += HLO_THREEFRY_PAIRS, second += HLO_THREEFRY_PAIRS) {
    words x[VECTORS], y[VECTORS];
    EACH_VECTOR {
      uint32_t low = (uint32_t)counter;
      words counters = splat(low) + (words){0, 1, 2, 3};
      words carry = (words)(counters < splat(low)); // all bits set where one is carried
      x[v] = counters + splat(key0);
      y[v] = splat((uint32_t)(counter >> 32) + key1) - carry;
      counter += LANES;
    }
    _Pragma("unroll") for (uint32_t injection = 1; injection <= 5; injection++) {
      bool odd = injection % 2 == 1;
      mix(x, y, odd ? 13 : 17);
      mix(x, y, odd ? 15 : 29);
      mix(x, y, odd ? 26 : 16);
      mix(x, y, odd ? 6 : 24);
      words to_x = splat(keys[injection % 3]);
      words to_y = splat(keys[(injection + 1) % 3] + injection);
      EACH_VECTOR {
        x[v] += to_x;
        y[v] += to_y;
      }
    }
    memcpy(first, x, sizeof x);
    memcpy(second, y, sizeof y);
  }
}
