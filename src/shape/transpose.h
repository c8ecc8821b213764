// Transposes whole tiles of elements in vector registers. Must not know what the elements mean.
#ifndef HLO_SHAPE_TRANSPOSE_H
#define HLO_SHAPE_TRANSPOSE_H

#include <stdbool.h>
#include <stdint.h>

// to[j][i] = from[i][j] for count rows and columns, a multiple of 16, of elements of `size` bytes;
// rows are that many bytes apart. False, and nothing happens, for sizes above 8.
bool hlo_transpose_tile(int32_t size, int64_t count, char *to, int64_t to_stride, const char *from,
                        int64_t from_stride);

#endif
