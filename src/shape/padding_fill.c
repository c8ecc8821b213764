// Fills the padding of arrays that are about to be written. See literal.h.
#include "shape/literal.h"
#include "shape/padding.h"
#include "shape/view.h"

// Sets count elements (unpacked) to the one given.
static void fill(hlo_type type, void *data, int64_t count, const void *element) {
  hlo_view to = {.type = type, .rank = 1, .dims = {count}, .strides = {1}, .data = data};
  hlo_view from = to;
  from.strides[0] = 0;
  from.data = (void *)(uintptr_t)element; // hlo_view_copy only reads it
  hlo_view_copy(&to, &from);
}

hlo_status hlo_fill_padding(const hlo_shape *shape, void *data, hlo_error *error) {
  int64_t memory_elements = hlo_shape_memory_elements(shape);
  if (memory_elements == hlo_shape_elements(shape)) return HLO_OK;
  char padding[16] = {0};
  HLO_TRY(hlo_padding_value(shape, padding, error));
  fill(shape->type, data, memory_elements, padding);
  return HLO_OK;
}
