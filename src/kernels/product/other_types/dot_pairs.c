// See dot_pairs.h.
#include "kernels/product/other_types/dot_pairs.h"

#include "kernels/machine.h"

#include <string.h>

// Eight columns at a time; compilers do not vectorise this loop.
typedef int8_t signed_bytes __attribute__((vector_size(8)));
typedef uint8_t unsigned_bytes __attribute__((vector_size(8)));
typedef int16_t eight __attribute__((vector_size(16)));
enum { EIGHT = 8 };

#define DEFINE(name, byte)                                                                         \
  static void rows_of_##name(int64_t rows, int64_t k, const byte *from, int64_t stride,            \
                             int16_t *to) {                                                        \
    for (int64_t r = 0; r < rows; r++, from += stride) {                                           \
      for (int64_t i = 0; i < k; i++) to[i] = from[i];                                             \
      if (k % 2 != 0) to[k] = 0;                                                                   \
      to += k + k % 2;                                                                             \
    }                                                                                              \
  }                                                                                                \
  static void columns_of_##name(int64_t k, int64_t columns, const byte *from, int64_t stride,      \
                                int16_t *to) {                                                     \
    for (int64_t i = 0; i < k; i += 2, from += 2 * stride, to += 2 * columns) {                    \
      bool is_whole = i + 1 < k;                                                                   \
      const byte *next = is_whole ? from + stride : from;                                          \
      int16_t keep = is_whole ? -1 : 0;                                                            \
      int64_t j = 0;                                                                               \
      for (; j + EIGHT <= columns; j += EIGHT) {                                                   \
        name##_bytes x, y;                                                                         \
        memcpy(&x, from + j, sizeof x);                                                            \
        memcpy(&y, next + j, sizeof y);                                                            \
        eight a = __builtin_convertvector(x, eight), b = __builtin_convertvector(y, eight) & keep; \
        eight low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);                       \
        eight high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);                    \
        memcpy(to + 2 * j, &low, sizeof low);                                                      \
        memcpy(to + 2 * j + EIGHT, &high, sizeof high);                                            \
      }                                                                                            \
      for (; j < columns; j++) {                                                                   \
        to[2 * j] = from[j];                                                                       \
        to[2 * j + 1] = (int16_t)(next[j] & keep);                                                 \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE(signed, int8_t)
DEFINE(unsigned, uint8_t)

// The interleaving of a matrix, `share` rows per work share.
typedef struct pairs_work {
  bool along_rows, is_signed;
  int64_t rows, share, length, stride; // of the operand: rows, columns, bytes between rows
  const char *from;
  int16_t *to;
} pairs_work;

static void interleave_share(void *data, int32_t part, int32_t thread) {
  const pairs_work *w = data;
  int64_t first = part * w->share, left = w->rows - first, rows = left < w->share ? left : w->share;
  const void *from = w->from + first * w->stride;
  int16_t *to = w->to + first * (w->along_rows ? w->length + w->length % 2 : w->length);
  (void)thread;
  if (w->along_rows && w->is_signed) rows_of_signed(rows, w->length, from, w->stride, to);
  else if (w->along_rows) rows_of_unsigned(rows, w->length, from, w->stride, to);
  else if (w->is_signed) columns_of_signed(rows, w->length, from, w->stride, to);
  else columns_of_unsigned(rows, w->length, from, w->stride, to);
}

static void interleave_pairs(const hlo_backend *backend, pairs_work *w) {
  int64_t couples = (w->rows + 1) / 2; // of rows, which stay together
  double time = (double)w->rows * (double)w->length / HLO_CONVERTED_PER_NS;
  int64_t parts = hlo_backend_parts(backend, couples, time);
  w->share = (couples + parts - 1) / parts * 2;
  if (w->rows == 0) return;
  hlo_backend_parallel(backend, interleave_share, w,
                       (int32_t)((w->rows + w->share - 1) / w->share));
}

void hlo_pairs_along_rows(const hlo_backend *backend, int64_t rows, int64_t k, const void *from,
                          int64_t stride, bool is_signed, void *to) {
  pairs_work work = {true, is_signed, rows, 0, k, stride, from, to};
  interleave_pairs(backend, &work);
}

void hlo_pairs_along_columns(const hlo_backend *backend, int64_t k, int64_t columns,
                             const void *from, int64_t stride, bool is_signed, void *to) {
  pairs_work work = {false, is_signed, k, 0, columns, stride, from, to};
  interleave_pairs(backend, &work);
}
