// memcpy and memset of the wasm builds, under other names: all lengths around those where they
// change their way, at all distances from a multiple of a block.
#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void *tested_memcpy(void *restrict result, const void *restrict source, size_t count);
void *tested_memset(void *result, int value, size_t count);
#define memcpy tested_memcpy
#define memset tested_memset
#include "../../wasm/memory_functions.c"
#undef memcpy
#undef memset

enum { LONGEST = 600, MOST_APART = 17, SIZE = LONGEST + 2 * MOST_APART };

static uint8_t number_at(size_t i) { return (uint8_t)(i * 37 + 11); }

// What is before and behind stays.
static void check_bytes(const uint8_t *bytes, size_t start, size_t count, bool is_filled) {
  size_t wrong = 0;
  for (size_t i = 0; i < SIZE; i++) {
    bool inside = i >= start && i < start + count;
    uint8_t want = !inside ? 0xEE : is_filled ? 0xA5 : number_at(i - start);
    wrong += bytes[i] != want;
  }
  CHECK_MESSAGE(wrong == 0, "%zu bytes at %zu: %zu are wrong", count, start, wrong);
}

static void try_count(size_t count) {
  uint8_t from[SIZE], to[SIZE];
  for (size_t start = 0; start < MOST_APART; start++) {
    for (size_t i = 0; i < SIZE; i++) {
      from[i] = i < MOST_APART - start ? 0 : number_at(i - (MOST_APART - start));
      to[i] = 0xEE;
    }
    CHECK_MESSAGE(tested_memcpy(to + start, from + MOST_APART - start, count) == to + start,
                  "%zu bytes: not where they are", count);
    check_bytes(to, start, count, false);
    for (size_t i = 0; i < SIZE; i++) to[i] = 0xEE;
    CHECK_MESSAGE(tested_memset(to + start, 0x7FA5, count) == to + start,
                  "%zu bytes: not where they are", count);
    check_bytes(to, start, count, true);
  }
}

int main(void) {
  for (size_t count = 0; count <= 100; count++) try_count(count);
  for (size_t count = 240; count <= 272; count++) try_count(count);
  for (size_t count = 500; count <= 530; count++) try_count(count);
  return CHECK_RESULT();
}
