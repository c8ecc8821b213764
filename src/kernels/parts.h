// Iterates over an index space in parts of limited size: whole inner dimensions, and a piece of the
// next one.
#ifndef HLO_KERNELS_PARTS_H
#define HLO_KERNELS_PARTS_H

#include "shape/view.h"

typedef struct hlo_parts {
  int32_t rank, split; // dimensions before `split` are taken one by one, `split` in pieces
  int64_t dims[HLO_MAX_RANK];
  int64_t step, inner;         // of a whole piece; indices for each step along split
  int64_t index[HLO_MAX_RANK]; // where the current part starts
  int64_t count;               // along split, of the current part
} hlo_parts;

// The first part, of at most `most` indices (but at least one). The space must not be empty.
void hlo_parts_start(hlo_parts *parts, int32_t rank, const int64_t *dims, int64_t most);
bool hlo_parts_next(hlo_parts *parts); // false after the last
// Indices in the current part, and in the largest one.
static inline int64_t hlo_parts_size(const hlo_parts *parts) { return parts->count * parts->inner; }
static inline int64_t hlo_parts_capacity(const hlo_parts *parts) {
  return parts->step * parts->inner;
}
// The current part of a view whose first dimensions are the space's. Dimensions that it may have
// beyond those stay whole.
void hlo_parts_of_view(const hlo_parts *parts, const hlo_view *view, hlo_view *out);

#endif
