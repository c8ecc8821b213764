// Matrices of bytes as pairs of s16 along the contracting dimension, as hlo_backend's dot_pairs
// wants them. Where that dimension is odd, the last pair ends with 0.
#ifndef HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_PAIRS_H
#define HLO_KERNELS_PRODUCT_OTHER_TYPES_DOT_PAIRS_H

#include "kernels/backend.h"

// to: [rows][(k + 1) / 2] pairs.
void hlo_pairs_along_rows(const hlo_backend *backend, int64_t rows, int64_t k, const void *from,
                          int64_t stride, bool is_signed, void *to);
// to: [(k + 1) / 2][columns] pairs.
void hlo_pairs_along_columns(const hlo_backend *backend, int64_t k, int64_t columns,
                             const void *from, int64_t stride, bool is_signed, void *to);

#endif
