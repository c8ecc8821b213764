// Loops over indices, and elements by their index.
#ifndef HLO_REFERENCE_INDEX_H
#define HLO_REFERENCE_INDEX_H

#include "shape/literal.h"
#include "shape/view.h"

#include <string.h>

// A walk over indices in row-major order:
//   for (hlo_index i = hlo_index_over(view); hlo_index_next(&i);) … i.at[d] …
typedef struct hlo_index {
  int32_t rank;
  bool begun;
  int64_t at[HLO_MAX_RANK], first[HLO_MAX_RANK], end[HLO_MAX_RANK];
} hlo_index;

static inline hlo_index hlo_index_within(int32_t rank, const int64_t *dims) {
  hlo_index index;
  index.rank = rank;
  index.begun = false;
  for (int32_t d = 0; d < rank; d++) index.first[d] = 0, index.end[d] = dims[d];
  return index;
}

static inline hlo_index hlo_index_over(const hlo_view *view) {
  return hlo_index_within(view->rank, view->dims);
}

// Leaves one position along a dimension.
static inline void hlo_index_fix(hlo_index *index, int64_t dimension, int64_t position) {
  index->first[dimension] = position;
  index->end[dimension] = position + 1;
}

// Steps to the first index, then to the next; false when there is none.
static inline bool hlo_index_next(hlo_index *index) {
  bool any = true;
  for (int32_t d = 0; d < index->rank && !index->begun; d++) {
    index->at[d] = index->first[d];
    any = any && index->first[d] < index->end[d];
  }
  if (!index->begun) {
    index->begun = true;
    return any;
  }
  for (int32_t d = index->rank - 1; d >= 0; d--) {
    if (++index->at[d] < index->end[d]) return true;
    index->at[d] = index->first[d];
  }
  return false;
}

// One element of some type, bit by bit.
typedef struct hlo_scalar {
  hlo_type type;
  _Alignas(8) unsigned char bytes[16];
} hlo_scalar;

// Of a scalar, at any index.
static inline void *hlo_element_at(const hlo_view *view, const int64_t *at) {
  int64_t offset = 0;
  for (int32_t d = 0; d < view->rank; d++) offset += at[d] * view->strides[d];
  return (char *)view->data + offset * hlo_type_bytes(view->type);
}

static inline hlo_scalar hlo_scalar_at(const hlo_view *view, const int64_t *at) {
  hlo_scalar scalar = {.type = view->type};
  memcpy(scalar.bytes, hlo_element_at(view, at), (size_t)hlo_type_bytes(view->type));
  return scalar;
}

static inline void hlo_store_scalar(const hlo_view *view, const int64_t *at, hlo_scalar scalar) {
  memcpy(hlo_element_at(view, at), scalar.bytes, (size_t)hlo_type_bytes(view->type));
}

static inline hlo_number hlo_number_at(const hlo_view *view, const int64_t *at) {
  return hlo_element_get(view->type, hlo_element_at(view, at));
}

static inline void hlo_store_number(const hlo_view *view, const int64_t *at, hlo_number number) {
  hlo_element_set(view->type, hlo_element_at(view, at), number);
}

// The real part alone where the type is not complex.
static inline void hlo_store_complex(const hlo_view *view, const int64_t *at, double re,
                                     double im) {
  hlo_type_class type_class = hlo_type_is_complex(view->type) ? HLO_CLASS_COMPLEX : HLO_CLASS_FLOAT;
  hlo_store_number(view, at, (hlo_number){.type_class = type_class, .re = re, .im = im});
}

static inline hlo_number hlo_signed_number(int64_t value) {
  return (hlo_number){.type_class = HLO_CLASS_SIGNED, .i = value};
}

static inline hlo_number hlo_number_of(hlo_scalar scalar) {
  return hlo_element_get(scalar.type, scalar.bytes);
}

static inline hlo_scalar hlo_scalar_of(hlo_type type, hlo_number number) {
  hlo_scalar scalar = {.type = type};
  hlo_element_set(type, scalar.bytes, number);
  return scalar;
}

// An integer, as indices and sizes are given; beyond 63 bits: the largest.
static inline int64_t hlo_integer_of(hlo_number number) {
  if (number.type_class == HLO_CLASS_SIGNED) return number.i;
  return number.u > INT64_MAX ? INT64_MAX : (int64_t)number.u;
}

#endif
