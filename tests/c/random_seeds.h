// Tests of random cases: a source of choices, and a number of seeds, each of which makes the same
// case every time. SEEDS=1000 tries that many, SEED=17 that one, or from that one on.
#ifndef HLO_TESTS_C_RANDOM_SEEDS_H
#define HLO_TESTS_C_RANDOM_SEEDS_H

#include "check.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

// splitmix64 (S. Vigna, public domain)
static inline uint64_t random_bits(void) {
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// One of 0 … n - 1; 0 if there is none.
static inline int random_below(int n) { return n < 1 ? 0 : (int)(random_bits() % (uint64_t)n); }

static inline int random_between(int low, int high) { return low + random_below(high - low + 1); }

static inline uint64_t seed_setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text == NULL || *text == '\0' ? otherwise : strtoull(text, NULL, 10);
}

// Checks so many seeds, unless the environment wants others, up to the first that fails. `file` is
// the test's: what repeats the failure names it.
static inline void for_each_seed(const char *file, uint64_t count, void (*check)(void)) {
  uint64_t first = seed_setting("SEED", 1);
  uint64_t end = first + seed_setting("SEEDS", getenv("SEED") == NULL ? count : 1);
  const char *name = strrchr(file, '/') == NULL ? file : strrchr(file, '/') + 1;
  for (uint64_t seed = first; seed < end; seed++) {
    int before = check_failures;
    random_state = seed;
    check();
    if (check_failures == before) continue;
    printf("seed %" PRIu64 " (repeat: SEED=%" PRIu64 " make test-native ONLY=%.*s)\n", seed, seed,
           (int)strcspn(name, "."), name);
    return;
  }
}

#endif
