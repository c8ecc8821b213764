// Transposes whole tiles of elements in vector registers. Must not know what the elements mean.
#ifndef HLO_SHAPE_TRANSPOSE_H
#define HLO_SHAPE_TRANSPOSE_H

#include <stdbool.h>
#include <stdint.h>

// Rows a multiple of HLO_SHARED_PLACES bytes apart share so few places in the cache that they push
// each other out.
enum { HLO_TRANSPOSE_LINE = 64, HLO_SHARED_PLACES = 2048 };

// to[j][i] = from[i][j] for as many rows and columns as elements of `size` bytes make up
// HLO_TRANSPOSE_LINE bytes; rows are those strides in bytes apart. False, and nothing happens, for
// sizes above 8.
bool hlo_transpose_tile(int32_t size, char *to, int64_t to_stride, const char *from,
                        int64_t from_stride);

#endif
