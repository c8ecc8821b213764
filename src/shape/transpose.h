// Transposes whole tiles of elements in vector registers. Must not know what the elements mean.
#ifndef HLO_SHAPE_TRANSPOSE_H
#define HLO_SHAPE_TRANSPOSE_H

#include <stdint.h>

enum { HLO_TRANSPOSE_TILE = 32 }; // rows and columns

// to[j][i] = from[i][j] for a tile of elements of `size` bytes; rows are that many bytes apart.
// Both sides are touched in whole cache lines, once each. False, and nothing happens, for sizes
// other than 4 and 8.
int hlo_transpose_tile(int32_t size, char *to, int64_t to_stride, const char *from,
                       int64_t from_stride);

#endif
