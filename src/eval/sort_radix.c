// Radix sort by the bytes of 32-bit keys from the lowest up, and insertion sort of a few. See
// sort.h.
#include "eval/sort.h"

#include <string.h>

enum {
  FEW = 40,        // are sorted by insertion
  CHUNK = 1 << 14, // items in a call: optimised code takes over between calls
  DIGITS = 4,
  VALUES = 256,
};

// Counts of a digit's values become places. False if all items have the same.
static bool place_digit(uint32_t *counts, int64_t n) {
  uint32_t place = 0;
  for (int32_t value = 0; value < VALUES; value++) {
    uint32_t count = counts[value];
    if (count == n) return false;
    counts[value] = place;
    place += count;
  }
  return true;
}

// ITEM: the type of items; SHIFT: where their keys begin.
#define DEFINE_RADIX_SORT(suffix, ITEM, SHIFT)                                                     \
  static void insert_##suffix(ITEM *items, int64_t n) {                                            \
    for (int64_t i = 1; i < n; i++) {                                                              \
      ITEM item = items[i];                                                                        \
      int64_t to = i;                                                                              \
      for (; to > 0 && items[to - 1] >> SHIFT > item >> SHIFT; to--) items[to] = items[to - 1];    \
      items[to] = item;                                                                            \
    }                                                                                              \
  }                                                                                                \
  static __attribute__((noinline)) void count_##suffix(const ITEM *items, int64_t n,               \
                                                       uint32_t(*counts)[VALUES]) {                \
    for (int64_t i = 0; i < n; i++) {                                                              \
      uint32_t key = (uint32_t)(items[i] >> SHIFT);                                                \
      counts[0][key & 255]++;                                                                      \
      counts[1][key >> 8 & 255]++;                                                                 \
      counts[2][key >> 16 & 255]++;                                                                \
      counts[3][key >> 24]++;                                                                      \
    }                                                                                              \
  }                                                                                                \
  static __attribute__((noinline)) void distribute_##suffix(                                       \
      const ITEM *items, int64_t n, int32_t shift, uint32_t *places, ITEM *to) {                   \
    for (int64_t i = 0; i < n; i++) {                                                              \
      ITEM item = items[i];                                                                        \
      to[places[(uint32_t)(item >> shift) & 255]++] = item;                                        \
    }                                                                                              \
  }                                                                                                \
  ITEM *hlo_radix_sort_##suffix(ITEM *items, ITEM *other, int64_t n) {                             \
    uint32_t counts[DIGITS][VALUES];                                                               \
    if (n <= FEW) {                                                                                \
      insert_##suffix(items, n);                                                                   \
      return items;                                                                                \
    }                                                                                              \
    memset(counts, 0, sizeof counts);                                                              \
    for (int64_t i = 0; i < n; i += CHUNK) {                                                       \
      count_##suffix(items + i, n - i < CHUNK ? n - i : CHUNK, counts);                            \
    }                                                                                              \
    for (int32_t digit = 0; digit < DIGITS; digit++) {                                             \
      if (!place_digit(counts[digit], n)) continue;                                                \
      for (int64_t i = 0; i < n; i += CHUNK) {                                                     \
        distribute_##suffix(items + i, n - i < CHUNK ? n - i : CHUNK, SHIFT + 8 * digit,           \
                            counts[digit], other);                                                 \
      }                                                                                            \
      ITEM *sorted = other;                                                                        \
      other = items;                                                                               \
      items = sorted;                                                                              \
    }                                                                                              \
    return items;                                                                                  \
  }

DEFINE_RADIX_SORT(items, uint64_t, 32)
DEFINE_RADIX_SORT(numbers, uint32_t, 0)
