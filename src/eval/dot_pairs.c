// See dot_pairs.h.
#include "eval/dot_pairs.h"

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
      for (int64_t j = 0; j < columns; j++) {                                                      \
        to[2 * j] = from[j];                                                                       \
        to[2 * j + 1] = (int16_t)(next[j] & keep);                                                 \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE(signed, int8_t)
DEFINE(unsigned, uint8_t)

void hlo_pairs_along_rows(int64_t rows, int64_t k, const void *from, int64_t stride, bool is_signed,
                          void *to) {
  if (is_signed) rows_of_signed(rows, k, from, stride, to);
  else rows_of_unsigned(rows, k, from, stride, to);
}

void hlo_pairs_along_columns(int64_t k, int64_t columns, const void *from, int64_t stride,
                             bool is_signed, void *to) {
  if (is_signed) columns_of_signed(k, columns, from, stride, to);
  else columns_of_unsigned(k, columns, from, stride, to);
}
