// Fills the padding of arrays that are about to be written. See literal.h.
#include "shape/literal.h"
#include "shape/relayout.h"

hlo_status hlo_fill_padding(const hlo_shape *shape, void *data, hlo_error *error) {
  int64_t memory_elements = hlo_shape_memory_elements(shape);
  if (memory_elements == hlo_shape_elements(shape)) return HLO_OK;
  char padding[16] = {0};
  HLO_TRY(hlo_padding_value(shape, padding, error));
  hlo_fill(shape->type, data, memory_elements, padding);
  return HLO_OK;
}
