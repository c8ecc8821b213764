// See parts.h.
#include "kernels/parts.h"

static void count_along_split(hlo_parts *parts) {
  int64_t left = parts->dims[parts->split] - parts->index[parts->split];
  parts->count = left < parts->step ? left : parts->step;
}

void hlo_parts_start(hlo_parts *parts, int32_t rank, const int64_t *dims, int64_t most) {
  parts->rank = rank;
  parts->split = rank > 0 ? rank - 1 : 0;
  parts->inner = 1;
  parts->dims[0] = 1; // a space without dimensions has one index
  parts->index[0] = 0;
  for (int32_t i = 0; i < rank; i++) {
    parts->dims[i] = dims[i];
    parts->index[i] = 0;
  }
  while (parts->split > 0 && parts->dims[parts->split] <= most / parts->inner) {
    parts->inner *= parts->dims[parts->split--];
  }
  parts->step = most / parts->inner;
  if (parts->step < 1) parts->step = 1;
  if (parts->step > parts->dims[parts->split]) parts->step = parts->dims[parts->split];
  count_along_split(parts);
}

bool hlo_parts_next(hlo_parts *parts) {
  parts->index[parts->split] += parts->step;
  bool more = parts->index[parts->split] < parts->dims[parts->split];
  if (!more) {
    parts->index[parts->split] = 0;
    more = hlo_next_index(parts->split, parts->dims, parts->index);
  }
  count_along_split(parts);
  return more;
}

void hlo_parts_of_view(const hlo_parts *parts, const hlo_view *view, hlo_view *out) {
  int64_t offset = 0;
  out->type = view->type;
  out->rank = 0;
  for (int32_t i = 0; i < view->rank; i++) {
    if (i < parts->rank && i <= parts->split) offset += parts->index[i] * view->strides[i];
    if (i < parts->rank && i < parts->split) continue;
    bool is_split = i < parts->rank && i == parts->split;
    out->dims[out->rank] = is_split ? parts->count : view->dims[i];
    out->strides[out->rank++] = view->strides[i];
  }
  out->data = (char *)view->data + offset * hlo_type_bytes(view->type);
}
