// Radix sort by the bytes of 32-bit keys from the lowest up, and insertion sort of a few. See
// sort.h.
#include "kernels/machine.h"
#include "kernels/order/sort.h"

#include <stddef.h>
#include <string.h>

enum {
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

// Each part of the items has counts of its own: those with a value go after those of the parts
// before.
static bool place_digit_of_parts(uint32_t (*counts)[VALUES], int32_t parts, int64_t n) {
  uint32_t place = 0;
  for (int32_t value = 0; value < VALUES; value++) {
    uint32_t start = place;
    for (int32_t part = 0; part < parts; part++) {
      uint32_t count = counts[part][value];
      counts[part][value] = place;
      place += count;
    }
    if (place - start == n) return false;
  }
  return true;
}

typedef struct digit_work {
  const void *items;
  void *to;
  int64_t n, share; // of a part
  int32_t shift;
  uint32_t (*counts)[VALUES]; // of each part, then places
} digit_work;

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
  static void count_part_##suffix(void *data, int32_t part, int32_t thread) {                      \
    const digit_work *work = data;                                                                 \
    int64_t first = part * work->share, left = work->n - first;                                    \
    const ITEM *items = (const ITEM *)work->items + first;                                         \
    ptrdiff_t count = (ptrdiff_t)(left < work->share ? left : work->share);                        \
    int32_t shift = work->shift;                                                                   \
    uint32_t counts[2][VALUES] = {0};                                                              \
    (void)thread;                                                                                  \
    for (ptrdiff_t i = 0; i + 1 < count; i += 2) {                                                 \
      counts[0][(uint32_t)(items[i] >> shift) & 255]++;                                            \
      counts[1][(uint32_t)(items[i + 1] >> shift) & 255]++;                                        \
    }                                                                                              \
    if (count % 2 != 0) counts[0][(uint32_t)(items[count - 1] >> shift) & 255]++;                  \
    for (int i = 0; i < VALUES; i++) work->counts[part][i] = counts[0][i] + counts[1][i];          \
  }                                                                                                \
  static void distribute_part_##suffix(void *data, int32_t part, int32_t thread) {                 \
    const digit_work *work = data;                                                                 \
    int64_t first = part * work->share, left = work->n - first;                                    \
    (void)thread;                                                                                  \
    distribute_##suffix((const ITEM *)work->items + first,                                         \
                        left < work->share ? left : work->share, work->shift, work->counts[part],  \
                        work->to);                                                                 \
  }                                                                                                \
  static ITEM *sort_in_parts_##suffix(const hlo_backend *backend, int32_t parts, ITEM *items,      \
                                      ITEM *other, int64_t n) {                                    \
    uint32_t counts[HLO_SORT_MOST_PARTS][VALUES];                                                  \
    if (parts > HLO_SORT_MOST_PARTS) parts = HLO_SORT_MOST_PARTS;                                  \
    digit_work work = {.n = n, .share = (n + parts - 1) / parts, .counts = counts};                \
    parts = (int32_t)((n + work.share - 1) / work.share);                                          \
    for (int32_t digit = 0; digit < DIGITS; digit++) {                                             \
      work.items = items;                                                                          \
      work.to = other;                                                                             \
      work.shift = SHIFT + 8 * digit;                                                              \
      hlo_backend_parallel(backend, count_part_##suffix, &work, parts);                            \
      if (!place_digit_of_parts(counts, parts, n)) continue;                                       \
      hlo_backend_parallel(backend, distribute_part_##suffix, &work, parts);                       \
      other = items;                                                                               \
      items = work.to;                                                                             \
    }                                                                                              \
    return items;                                                                                  \
  }                                                                                                \
  ITEM *hlo_radix_sort_##suffix(const hlo_backend *backend, ITEM *items, ITEM *other, int64_t n) { \
    uint32_t counts[DIGITS][VALUES];                                                               \
    if (n <= HLO_SORT_FEW) {                                                                       \
      insert_##suffix(items, n);                                                                   \
      return items;                                                                                \
    }                                                                                              \
    int32_t parts =                                                                                \
        n < HLO_SORT_MANY ? 1 : hlo_backend_parts(backend, n, (double)n * HLO_SORT_PASS_NS);       \
    if (parts > 1) return sort_in_parts_##suffix(backend, parts, items, other, n);                 \
    memset(counts, 0, sizeof counts);                                                              \
    for (int64_t i = 0; i < n; i += HLO_CALL_ELEMENTS) {                                           \
      count_##suffix(items + i, n - i < HLO_CALL_ELEMENTS ? n - i : HLO_CALL_ELEMENTS, counts);    \
    }                                                                                              \
    for (int32_t digit = 0; digit < DIGITS; digit++) {                                             \
      if (!place_digit(counts[digit], n)) continue;                                                \
      for (int64_t i = 0; i < n; i += HLO_CALL_ELEMENTS) {                                         \
        distribute_##suffix(items + i, n - i < HLO_CALL_ELEMENTS ? n - i : HLO_CALL_ELEMENTS,      \
                            SHIFT + 8 * digit, counts[digit], other);                              \
      }                                                                                            \
      ITEM *sorted = other;                                                                        \
      other = items;                                                                               \
      items = sorted;                                                                              \
    }                                                                                              \
    return items;                                                                                  \
  }

DEFINE_RADIX_SORT(items, uint64_t, 32)
DEFINE_RADIX_SORT(numbers, uint32_t, 0)
