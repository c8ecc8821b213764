// A view: elements of one type at strided positions in memory. What evaluator functions, kernels
// and relayout work on.
#ifndef HLO_SHAPE_VIEW_H
#define HLO_SHAPE_VIEW_H

#include "shape/shape.h"

// strides are in elements and may be 0 (broadcast) or negative (reverse). data points at the
// element with index 0,...,0.
typedef struct hlo_view {
  hlo_type type;
  int32_t rank;
  int64_t dims[HLO_MAX_RANK];
  int64_t strides[HLO_MAX_RANK];
  void *data;
} hlo_view;

// The view of an unpacked array of this shape (its layout and padding) at data. shape is an
// array's.
hlo_view hlo_view_of(const hlo_shape *shape, void *data);
// The same in place: a view has room for many dimensions, and copying all of it takes longer than a
// small operation.
void hlo_view_set(hlo_view *view, const hlo_shape *shape, void *data);
// Elements of the view: product of dims.
int64_t hlo_view_elements(const hlo_view *view);
// Elements lie densely in row-major order (sizes 1 aside).
bool hlo_view_is_row_major(const hlo_view *view);
// Sets the strides of a dense row-major array.
void hlo_view_set_row_major(hlo_view *view);
// The address of the element at that distance from the view's first.
static inline void *hlo_view_at(const hlo_view *view, int64_t offset) {
  return (char *)view->data + offset * hlo_type_bytes(view->type);
}
// Both views visit memory in the same order without gaps: a linear loop over both serves.
bool hlo_views_are_parallel(const hlo_view *a, const hlo_view *b);
// Copies all elements; both have the same dims and element size. Any strides. Serves relayout,
// transpose, broadcast, slice, reverse: whatever a strided view can say. Blocks so that both sides
// stay in cache.
void hlo_view_copy(const hlo_view *to, const hlo_view *from);
// Sets all elements to the one at value.
void hlo_view_fill(const hlo_view *to, const void *value);

#endif
