// Transposes a square of elements that are vectors of 16 bytes side by side.
#ifndef HLO_SHAPE_TRANSPOSE_SQUARE_H
#define HLO_SHAPE_TRANSPOSE_SQUARE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t hlo_u8_vector __attribute__((vector_size(16)));
typedef uint16_t hlo_u16_vector __attribute__((vector_size(16)));
typedef uint32_t hlo_u32_vector __attribute__((vector_size(16)));
typedef uint64_t hlo_u64_vector __attribute__((vector_size(16)));

// Elements of a and b in turn, from their lower or upper halves.
#define LOW_1(a, b)                                                                                \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_1(a, b)                                                                               \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_2(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_8(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH_8(a, b) __builtin_shufflevector(a, b, 1, 3)

// A square of `side` vectors, rows of which are those strides in bytes apart: row i and row
// i + side / 2 dealt out in turn, as often as halving side takes to reach 1, is the transpose (a
// perfect shuffle moves the bits of an index around).
#define DEFINE_SQUARE(size, vector, side)                                                          \
  static inline __attribute__((always_inline)) void hlo_transpose_square_##size(                   \
      char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride) {                    \
    vector rows[side], dealt[side];                                                                \
    _Pragma("unroll") for (int i = 0; i < side; i++, from += from_stride) {                        \
      memcpy(&rows[i], from, sizeof rows[i]);                                                      \
    }                                                                                              \
    _Pragma("unroll") for (int left = side; left > 1; left /= 2) {                                 \
      _Pragma("unroll") for (int i = 0; i < side / 2; i++) {                                       \
        dealt[2 * i] = LOW_##size(rows[i], rows[i + side / 2]);                                    \
        dealt[2 * i + 1] = HIGH_##size(rows[i], rows[i + side / 2]);                               \
      }                                                                                            \
      _Pragma("unroll") for (int i = 0; i < side; i++) rows[i] = dealt[i];                         \
    }                                                                                              \
    _Pragma("unroll") for (int i = 0; i < side; i++, to += to_stride) {                            \
      memcpy(to, &rows[i], sizeof rows[i]);                                                        \
    }                                                                                              \
  }
DEFINE_SQUARE(1, hlo_u8_vector, 16)
DEFINE_SQUARE(2, hlo_u16_vector, 8)
DEFINE_SQUARE(4, hlo_u32_vector, 4)
DEFINE_SQUARE(8, hlo_u64_vector, 2)

#endif
