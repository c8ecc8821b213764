// Index arithmetic: where the element with a given index lies in memory, and back. Source:
// "Indexing into arrays" and "Padding" of "Shapes and Layout".
#include "shape/shape.h"

// The dimension that varies i-th fastest.
static int32_t minor_dimension(const hlo_shape *shape, int32_t i) {
  const hlo_layout *layout = shape->layout;
  return layout == NULL ? shape->rank - 1 - i : (int32_t)layout->minor_to_major[i];
}

// The number of positions along the dimension, padding included.
static int64_t width_of(const hlo_shape *shape, int32_t dimension) {
  const hlo_layout *layout = shape->layout;
  bool padded = layout != NULL && layout->padded_dims != NULL;
  return padded ? layout->padded_dims[dimension] : shape->dims[dimension];
}

void hlo_shape_strides(const hlo_shape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t i = 0; i < shape->rank; i++) {
    int32_t d = minor_dimension(shape, i);
    int64_t width = width_of(shape, d);
    strides[d] = stride;
    stride *= width > 1 ? width : 1;
  }
}

int64_t hlo_linear_index(const hlo_shape *shape, const int64_t *index) {
  int64_t linear = 0;
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    int32_t d = minor_dimension(shape, i);
    linear = linear * width_of(shape, d) + index[d];
  }
  return linear;
}

bool hlo_multi_index(const hlo_shape *shape, int64_t linear, int64_t *index) {
  bool inside = linear >= 0;
  if (!inside) linear = 0;
  for (int32_t i = 0; i < shape->rank; i++) {
    int32_t d = minor_dimension(shape, i);
    int64_t width = width_of(shape, d);
    index[d] = width == 0 ? 0 : linear % width;
    linear = width == 0 ? linear : linear / width;
    if (index[d] >= shape->dims[d]) inside = false;
  }
  return inside && linear == 0;
}

bool hlo_next_index(int32_t rank, const int64_t *dims, int64_t *index) {
  for (int32_t i = rank - 1; i >= 0; i--) {
    if (++index[i] < dims[i]) return true;
    index[i] = 0;
  }
  return false;
}
