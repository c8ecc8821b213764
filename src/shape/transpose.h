// Transposes whole tiles of elements in vector registers.
#ifndef HLO_SHAPE_TRANSPOSE_H
#define HLO_SHAPE_TRANSPOSE_H

#include "base/machine.h"

#include <stdbool.h>
#include <stdint.h>

// Whether the rows of a tile of elements of `size` bytes conflict in the cache: rows about a
// multiple of HLO_SET_STRIDE bytes apart share few sets, and tiles of bytes have many rows.
static inline bool hlo_rows_share_places(int32_t size, int64_t stride) {
  int64_t apart = size == 1 ? HLO_BYTE_SET_STRIDE : HLO_SET_STRIDE;
  return ((stride + 8) & (apart - 1)) < 16;
}

// to[j][i] = from[i][j] for elements of `size` bytes, which follow each other in the rows of both;
// rows are those strides in bytes apart. Rows and columns are multiples of as many as make up
// HLO_LINE_BYTES bytes. Goes along the source's rows, or else along the result's. False, and
// nothing happens, for sizes above 8.
bool hlo_transpose_tiles(int32_t size, char *to, int64_t to_stride, const char *from,
                         int64_t from_stride, int64_t rows, int64_t columns, bool by_source);

// The same of a matrix with `narrow` elements, which follow each other on one side, and `count` on
// the other: pixels into planes, where from_stride is the size of a pixel, or planes into pixels,
// where to_stride is. Returns how many of the first of `count` are done: 0 where it cannot,
// and never the last few.
int64_t hlo_transpose_strip(int32_t size, char *to, int64_t to_stride, const char *from,
                            int64_t from_stride, int64_t narrow, int64_t count);

#endif
