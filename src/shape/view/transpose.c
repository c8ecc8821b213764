// See transpose.h.
//
// A tile whose rows conflict in the cache is transposed into a buffer and written a whole line at a
// time.
#include "shape/transpose.h"

#include "base/machine.h"
#include "shape/transpose_square.h"

// A tile has as many rows and columns as elements fill a cache line. Adjacent squares of wide
// elements are unrolled; other loops are not, which keeps the addresses in registers.
#define IN_ONE_GO  _Pragma("clang loop unroll(full)")
#define ONE_BY_ONE _Pragma("clang loop unroll(disable)")
#define DEFINE_TILE(size, squares)                                                                 \
  static inline __attribute__((always_inline)) void tile_##size(                                   \
      char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride, bool is_beside) {    \
    enum { SIDE = HLO_VECTOR_BYTES / size };                                                       \
    _Alignas(HLO_LINE_BYTES) char lines[HLO_LINE_BYTES / size * HLO_LINE_BYTES];                   \
    char *made = is_beside ? lines : to;                                                           \
    ptrdiff_t stride = is_beside ? HLO_LINE_BYTES : to_stride;                                     \
    ONE_BY_ONE for (int i = 0; i < HLO_LINE_BYTES / HLO_VECTOR_BYTES;                              \
                    i++, from += SIDE * from_stride) {                                             \
      squares for (int j = 0; j < HLO_LINE_BYTES / HLO_VECTOR_BYTES; j++) {                        \
        hlo_transpose_square_##size(made + i * HLO_VECTOR_BYTES + j * SIDE * stride, stride,       \
                                    from + j * HLO_VECTOR_BYTES, from_stride);                     \
      }                                                                                            \
    }                                                                                              \
    ONE_BY_ONE for (int i = 0; is_beside && i < HLO_LINE_BYTES / size; i++, to += to_stride) {     \
      memcpy(to, lines + i * HLO_LINE_BYTES, HLO_LINE_BYTES);                                      \
    }                                                                                              \
  }
DEFINE_TILE(1, ONE_BY_ONE)
DEFINE_TILE(2, ONE_BY_ONE)
DEFINE_TILE(4, IN_ONE_GO)
DEFINE_TILE(8, IN_ONE_GO)

// The whole tiles of a matrix. For elements of four bytes the buffered and the direct variant are
// compiled separately: a run-time choice per tile would cost as much as moving its elements.
#define SHARE_PLACES(size)                                                                         \
  (hlo_rows_share_places(size, to_stride) || hlo_rows_share_places(size, from_stride))
#define DEFINE_TILES(name, size, beside)                                                           \
  static void tiles_##name(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride, \
                           ptrdiff_t slow, ptrdiff_t quick, bool by_source) {                      \
    enum { TILE = HLO_LINE_BYTES / size };                                                         \
    bool is_beside = beside;                                                                       \
    ptrdiff_t to_rows = TILE * to_stride, from_rows = TILE * from_stride;                          \
    for (; slow > 0; slow -= TILE) {                                                               \
      for (ptrdiff_t i = 0, out = 0, in = 0; i < quick; i += TILE) {                               \
        tile_##size(to + out, to_stride, from + in, from_stride, is_beside);                       \
        out += by_source ? to_rows : HLO_LINE_BYTES;                                               \
        in += by_source ? HLO_LINE_BYTES : from_rows;                                              \
      }                                                                                            \
      to += by_source ? HLO_LINE_BYTES : to_rows;                                                  \
      from += by_source ? from_rows : HLO_LINE_BYTES;                                              \
    }                                                                                              \
  }
DEFINE_TILES(1, 1, SHARE_PLACES(1))
DEFINE_TILES(2, 2, SHARE_PLACES(2))
DEFINE_TILES(4, 4, false)
DEFINE_TILES(4_beside, 4, true)
DEFINE_TILES(8, 8, SHARE_PLACES(8))

// Squares with missing rows or columns on the narrow side. Surplus writes are overwritten by what
// follows: the rest of a pixel by the next pixel; missing planes, which are directed to the
// continuation of the first one, by the next square.
int64_t hlo_transpose_strip(int32_t size, char *to, int64_t to_stride, const char *from,
                            int64_t from_stride, int64_t narrow, int64_t count) {
  enum { SIDE = 4, SIZE = 4 };
  bool deals = from_stride == narrow * SIZE, joins = to_stride == narrow * SIZE;
  ptrdiff_t in[SIDE], out[SIDE];
  int64_t at = 0;
  if (size != SIZE || narrow < 2 || narrow > SIDE || deals == joins) return 0;
  for (int i = 0; i < SIDE; i++) {
    in[i] = (ptrdiff_t)(deals || i < narrow ? i * from_stride : 0);
    out[i] = (ptrdiff_t)(joins || i < narrow ? i * to_stride : HLO_VECTOR_BYTES);
  }
  ptrdiff_t in_step = deals ? SIDE * in[1] : HLO_VECTOR_BYTES,
            out_step = joins ? SIDE * out[1] : HLO_VECTOR_BYTES;
  for (; at + 2 * SIDE <= count; at += SIDE, from += in_step, to += out_step) {
    hlo_u32_vector a, b, c, d;
    memcpy(&a, from + in[0], HLO_VECTOR_BYTES);
    memcpy(&b, from + in[1], HLO_VECTOR_BYTES);
    memcpy(&c, from + in[2], HLO_VECTOR_BYTES);
    memcpy(&d, from + in[3], HLO_VECTOR_BYTES);
    hlo_u32_vector ac = LOW_4(a, c), bd = LOW_4(b, d), ac2 = HIGH_4(a, c), bd2 = HIGH_4(b, d);
    a = LOW_4(ac, bd);
    b = HIGH_4(ac, bd);
    c = LOW_4(ac2, bd2);
    d = HIGH_4(ac2, bd2);
    memcpy(to + out[0], &a, HLO_VECTOR_BYTES);
    memcpy(to + out[1], &b, HLO_VECTOR_BYTES);
    memcpy(to + out[2], &c, HLO_VECTOR_BYTES);
    memcpy(to + out[3], &d, HLO_VECTOR_BYTES);
  }
  return at;
}

bool hlo_transpose_tiles(int32_t size, char *to, int64_t to_stride, const char *from,
                         int64_t from_stride, int64_t rows, int64_t columns, bool by_source) {
  typedef void tiles(char *, ptrdiff_t, const char *, ptrdiff_t, ptrdiff_t, ptrdiff_t, bool);
  tiles *run = size == 1   ? tiles_1
               : size == 2 ? tiles_2
               : size == 4 ? SHARE_PLACES(4) ? tiles_4_beside : tiles_4
               : size == 8 ? tiles_8
                           : NULL;
  if (run == NULL) return false;
  run(to, (ptrdiff_t)to_stride, from, (ptrdiff_t)from_stride,
      (ptrdiff_t)(by_source ? rows : columns), (ptrdiff_t)(by_source ? columns : rows), by_source);
  return true;
}
