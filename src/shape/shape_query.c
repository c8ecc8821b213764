// Queries about shapes: sizes, leaves, equality.
#include "shape/shape.h"

#include <string.h>

static bool is_dynamic(const hlo_shape *shape, int32_t dimension) {
  return shape->dynamic != NULL && shape->dynamic[dimension];
}

bool hlo_shape_is_dynamic(const hlo_shape *shape) {
  for (int32_t i = 0; i < shape->rank; i++) {
    if (is_dynamic(shape, i)) return true;
  }
  for (int32_t i = 0; i < shape->element_count; i++) {
    if (hlo_shape_is_dynamic(shape->elements[i])) return true;
  }
  return false;
}

bool hlo_shape_is_unbounded(const hlo_shape *shape) {
  for (int32_t i = 0; i < shape->rank; i++) {
    if (is_dynamic(shape, i) && shape->dims[i] == HLO_UNBOUNDED) return true;
  }
  for (int32_t i = 0; i < shape->element_count; i++) {
    if (hlo_shape_is_unbounded(shape->elements[i])) return true;
  }
  return false;
}

int32_t hlo_shape_true_rank(const hlo_shape *shape) {
  int32_t count = 0;
  for (int32_t i = 0; i < shape->rank; i++) count += shape->dims[i] > 1;
  return count;
}

// A zero anywhere makes the product zero; the others cannot overflow on the way (check_size).
static int64_t product(int32_t rank, const int64_t *dims) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; i++) {
    if (dims[i] == 0) return 0;
  }
  for (int32_t i = 0; i < rank; i++) count *= dims[i];
  return count;
}

int64_t hlo_shape_elements(const hlo_shape *shape) { return product(shape->rank, shape->dims); }

int64_t hlo_shape_memory_elements(const hlo_shape *shape) {
  const hlo_layout *layout = shape->layout;
  bool padded = layout != NULL && layout->padded_dims != NULL;
  return product(shape->rank, padded ? layout->padded_dims : shape->dims);
}

int32_t hlo_shape_packed_bits(const hlo_shape *shape) {
  int32_t bits = shape->layout == NULL ? 0 : shape->layout->element_bits;
  return bits > 0 && bits < 8 ? bits : 0;
}

int64_t hlo_shape_bytes(const hlo_shape *shape) {
  if (hlo_shape_is_tuple(shape)) {
    int64_t sum = 0;
    for (int32_t i = 0; i < shape->element_count; i++) {
      int64_t bytes = hlo_shape_bytes(shape->elements[i]);
      sum = bytes > INT64_MAX - sum ? INT64_MAX : sum + bytes;
    }
    return sum;
  }
  int64_t elements = hlo_shape_memory_elements(shape);
  int32_t bits = hlo_shape_packed_bits(shape);
  if (bits == 0) return elements * hlo_type_bytes(shape->type);
  int32_t per_byte = 8 / bits;
  return elements / per_byte + (elements % per_byte != 0);
}

const hlo_shape *hlo_shape_element(const hlo_shape *shape, int32_t index) {
  return hlo_shape_is_tuple(shape) ? shape->elements[index] : shape;
}

int32_t hlo_shape_leaves_before(const hlo_shape *shape, int32_t element) {
  return element == 0 ? 0 : shape->leaf_ends[element - 1];
}

int32_t hlo_shape_leaf_count(const hlo_shape *shape) {
  return hlo_shape_is_tuple(shape) ? hlo_shape_leaves_before(shape, shape->element_count) : 1;
}

int32_t hlo_shape_element_at(const hlo_shape *shape, int32_t leaf) {
  int32_t low = 0, high = shape->element_count - 1; // the first element that ends after the leaf
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (shape->leaf_ends[middle] > leaf) high = middle;
    else low = middle + 1;
  }
  return low;
}

const hlo_shape *hlo_shape_leaf(const hlo_shape *shape, int32_t index) {
  if (index < 0 || index >= hlo_shape_leaf_count(shape)) return NULL;
  while (hlo_shape_is_tuple(shape)) {
    int32_t element = hlo_shape_element_at(shape, index);
    index -= hlo_shape_leaves_before(shape, element);
    shape = shape->elements[element];
  }
  return shape;
}

int32_t hlo_shape_leaves(const hlo_shape *shape, const hlo_shape **out) {
  if (!hlo_shape_is_tuple(shape)) {
    *out = shape;
    return 1;
  }
  int32_t count = 0;
  for (int32_t i = 0; i < shape->element_count; i++)
    count += hlo_shape_leaves(shape->elements[i], out + count);
  return count;
}

static bool same_sizes(const hlo_shape *a, const hlo_shape *b) {
  if (a->rank != b->rank) return false;
  return a->rank == 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0;
}

bool hlo_shape_same_dimensions(const hlo_shape *a, const hlo_shape *b) {
  return hlo_shape_is_array(a) && hlo_shape_is_array(b) && same_sizes(a, b);
}

bool hlo_shape_same_order(const hlo_shape *a, const hlo_shape *b) {
  if (!hlo_shape_same_dimensions(a, b)) return false;
  return hlo_layout_equal(a->layout, b->layout) ||
         (hlo_layout_is_default(a->layout) && hlo_layout_is_default(b->layout));
}

bool hlo_shape_compatible(const hlo_shape *a, const hlo_shape *b) {
  if (a->type != b->type || !same_sizes(a, b) || a->element_count != b->element_count) return false;
  for (int32_t i = 0; i < a->element_count; i++) {
    if (!hlo_shape_compatible(a->elements[i], b->elements[i])) return false;
  }
  return true;
}

bool hlo_shape_admits(const hlo_shape *a, const hlo_shape *b) {
  if (hlo_shape_compatible(a, b)) return true;
  if (!hlo_shape_is_array(a) || a->type != b->type || a->rank != b->rank) return false;
  for (int32_t i = 0; i < a->rank; i++) {
    if (a->dims[i] != b->dims[i] && (!is_dynamic(a, i) || b->dims[i] > a->dims[i])) return false;
  }
  return true;
}

bool hlo_shape_equal(const hlo_shape *a, const hlo_shape *b) {
  if (a->type != b->type || !same_sizes(a, b) || a->element_count != b->element_count) return false;
  for (int32_t i = 0; i < a->rank; i++) {
    if (is_dynamic(a, i) != is_dynamic(b, i)) return false;
  }
  if (!hlo_layout_equal(a->layout, b->layout)) return false;
  for (int32_t i = 0; i < a->element_count; i++) {
    if (!hlo_shape_equal(a->elements[i], b->elements[i])) return false;
  }
  return true;
}
