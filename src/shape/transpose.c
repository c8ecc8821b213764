// See transpose.h. A tile passes through a small copy of its own: rows that are a power of two
// apart share so few places in the cache that they would push each other out.
#include "shape/transpose.h"

#include "base/copy.h"

enum { TILE = HLO_TRANSPOSE_TILE };

typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

#define LOW_WORDS(a, b)  ((words2)__builtin_shufflevector(a, b, 0, 4, 1, 5))
#define HIGH_WORDS(a, b) ((words2)__builtin_shufflevector(a, b, 2, 6, 3, 7))
#define LOW_HALF(a, b)   __builtin_shufflevector(a, b, 0, 2)
#define HIGH_HALF(a, b)  __builtin_shufflevector(a, b, 1, 3)

static words4 load(const char *from) {
  words4 value;
  memcpy(&value, from, sizeof value);
  return value;
}

static void store(char *to, words2 value) { memcpy(to, &value, sizeof value); }

static void turn_4(char *to, int64_t to_stride, const char *from, int64_t from_stride) {
  words4 a = load(from), b = load(from + from_stride), c = load(from + 2 * from_stride),
         d = load(from + 3 * from_stride);
  words2 ab_low = LOW_WORDS(a, b), ab_high = HIGH_WORDS(a, b);
  words2 cd_low = LOW_WORDS(c, d), cd_high = HIGH_WORDS(c, d);
  store(to, LOW_HALF(ab_low, cd_low));
  store(to + to_stride, HIGH_HALF(ab_low, cd_low));
  store(to + 2 * to_stride, LOW_HALF(ab_high, cd_high));
  store(to + 3 * to_stride, HIGH_HALF(ab_high, cd_high));
}

static void turn_8(char *to, int64_t to_stride, const char *from, int64_t from_stride) {
  words2 a = (words2)load(from), b = (words2)load(from + from_stride);
  store(to, LOW_HALF(a, b));
  store(to + to_stride, HIGH_HALF(a, b));
}

// side: rows and columns of 16 bytes that are turned at once.
#define DEFINE_TILE(size, side)                                                                    \
  static void tile_##size(char *to, int64_t to_stride, const char *from, int64_t from_stride) {    \
    char copy[TILE * TILE * size];                                                                 \
    for (int i = 0; i < TILE; i += side) {                                                         \
      for (int j = 0; j < TILE; j += side) {                                                       \
        turn_##size(copy + (j * TILE + i) * size, TILE * size, from + i * from_stride + j * size,  \
                    from_stride);                                                                  \
      }                                                                                            \
    }                                                                                              \
    for (int j = 0; j < TILE; j++) {                                                               \
      hlo_copy_bytes(to + j * to_stride, copy + j * TILE * size, TILE * size);                     \
    }                                                                                              \
  }
DEFINE_TILE(4, 4)
DEFINE_TILE(8, 2)

int hlo_transpose_tile(int32_t size, char *to, int64_t to_stride, const char *from,
                       int64_t from_stride) {
  if (size == 4) tile_4(to, to_stride, from, from_stride);
  else if (size == 8) tile_8(to, to_stride, from, from_stride);
  else return 0;
  return 1;
}
