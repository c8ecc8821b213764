// See transpose.h. Must not know what the elements mean.
//
// A tile of rows that push each other out of the cache is made beside and written a whole line at a
// time.
#include "shape/transpose.h"

#include <stddef.h>
#include <string.h>

typedef uint8_t u8_vector __attribute__((vector_size(16)));
typedef uint16_t u16_vector __attribute__((vector_size(16)));
typedef uint32_t u32_vector __attribute__((vector_size(16)));
typedef uint64_t u64_vector __attribute__((vector_size(16)));

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

enum { LINE = HLO_TRANSPOSE_LINE, VECTOR = 16 };

// A square of `side` vectors: row i and row i + side / 2 dealt out in turn, as often as halving
// side takes to reach 1, is the transpose (a perfect shuffle moves the bits of an index around).
//
// A tile is as many rows and columns as elements fill a cache line. Loops stay loops where that
// keeps the addresses in registers.
#define DEFINE_TILE(size, vector, side)                                                            \
  static inline __attribute__((always_inline)) void turn_##size(                                   \
      char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride) {                    \
    vector rows[side], dealt[side];                                                                \
    _Pragma("unroll") for (int i = 0; i < side; i++, from += from_stride) {                        \
      memcpy(&rows[i], from, VECTOR);                                                              \
    }                                                                                              \
    _Pragma("unroll") for (int left = side; left > 1; left /= 2) {                                 \
      _Pragma("unroll") for (int i = 0; i < side / 2; i++) {                                       \
        dealt[2 * i] = LOW_##size(rows[i], rows[i + side / 2]);                                    \
        dealt[2 * i + 1] = HIGH_##size(rows[i], rows[i + side / 2]);                               \
      }                                                                                            \
      _Pragma("unroll") for (int i = 0; i < side; i++) rows[i] = dealt[i];                         \
    }                                                                                              \
    _Pragma("unroll") for (int i = 0; i < side; i++, to += to_stride) {                            \
      memcpy(to, &rows[i], VECTOR);                                                                \
    }                                                                                              \
  }                                                                                                \
  static void tile_##size(char *to, ptrdiff_t to_stride, const char *from,                         \
                          ptrdiff_t from_stride) {                                                 \
    _Alignas(LINE) char lines[LINE / size * LINE];                                                 \
    bool is_beside =                                                                               \
        hlo_rows_share_places(size, to_stride) || hlo_rows_share_places(size, from_stride);        \
    char *made = is_beside ? lines : to;                                                           \
    ptrdiff_t stride = is_beside ? LINE : to_stride;                                               \
    _Pragma("clang loop unroll(disable)") for (int i = 0; i < LINE / VECTOR; i++) {                \
      _Pragma("clang loop unroll(disable)") for (int j = 0; j < LINE / VECTOR; j++) {              \
        turn_##size(made + i * VECTOR + j * side * stride, stride, from + j * VECTOR,              \
                    from_stride);                                                                  \
      }                                                                                            \
      from += side * from_stride;                                                                  \
    }                                                                                              \
    for (int i = 0; is_beside && i < LINE / size; i++) {                                           \
      memcpy(to + i * to_stride, lines + i * LINE, LINE);                                          \
    }                                                                                              \
  }
DEFINE_TILE(1, u8_vector, 16)
DEFINE_TILE(2, u16_vector, 8)
DEFINE_TILE(4, u32_vector, 4)
DEFINE_TILE(8, u64_vector, 2)

// Squares whose narrow side lacks rows or columns. What is too much of them is overwritten by what
// comes next: the rest of a pixel by the next pixel, the planes that are missing, which go where
// the first one goes on, by the next square.
int64_t hlo_transpose_strip(int32_t size, char *to, int64_t to_stride, const char *from,
                            int64_t from_stride, int64_t narrow, int64_t count) {
  enum { SIDE = 4, SIZE = 4 };
  bool deals = from_stride == narrow * SIZE, joins = to_stride == narrow * SIZE;
  ptrdiff_t in[SIDE], out[SIDE];
  int64_t at = 0;
  if (size != SIZE || narrow < 2 || narrow > SIDE || deals == joins) return 0;
  for (int i = 0; i < SIDE; i++) {
    in[i] = (ptrdiff_t)(deals || i < narrow ? i * from_stride : 0);
    out[i] = (ptrdiff_t)(joins || i < narrow ? i * to_stride : VECTOR);
  }
  ptrdiff_t in_step = deals ? SIDE * in[1] : VECTOR, out_step = joins ? SIDE * out[1] : VECTOR;
  for (; at + 2 * SIDE <= count; at += SIDE, from += in_step, to += out_step) {
    u32_vector a, b, c, d;
    memcpy(&a, from + in[0], VECTOR);
    memcpy(&b, from + in[1], VECTOR);
    memcpy(&c, from + in[2], VECTOR);
    memcpy(&d, from + in[3], VECTOR);
    u32_vector ac = LOW_4(a, c), bd = LOW_4(b, d), ac2 = HIGH_4(a, c), bd2 = HIGH_4(b, d);
    a = LOW_4(ac, bd);
    b = HIGH_4(ac, bd);
    c = LOW_4(ac2, bd2);
    d = HIGH_4(ac2, bd2);
    memcpy(to + out[0], &a, VECTOR);
    memcpy(to + out[1], &b, VECTOR);
    memcpy(to + out[2], &c, VECTOR);
    memcpy(to + out[3], &d, VECTOR);
  }
  return at;
}

int64_t hlo_reverse_row(int32_t size, char *to, const char *from, int64_t count) {
  int64_t at = 0;
  if (size != 4) return 0;
  for (; at + 4 <= count; at += 4, to += VECTOR, from -= VECTOR) {
    u32_vector x;
    memcpy(&x, from - VECTOR + size, VECTOR);
    x = __builtin_shufflevector(x, x, 3, 2, 1, 0);
    memcpy(to, &x, VECTOR);
  }
  return at;
}

bool hlo_transpose_tile(int32_t size, char *to, int64_t to_stride, const char *from,
                        int64_t from_stride) {
  ptrdiff_t to_step = (ptrdiff_t)to_stride, from_step = (ptrdiff_t)from_stride;
  if (size == 1) tile_1(to, to_step, from, from_step);
  else if (size == 2) tile_2(to, to_step, from, from_step);
  else if (size == 4) tile_4(to, to_step, from, from_step);
  else if (size == 8) tile_8(to, to_step, from, from_step);
  else return false;
  return true;
}
