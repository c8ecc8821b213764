// Removes the packing of 4-bit and 2-bit elements from a shape. See shape.h.
#include "shape/shape.h"

hlo_status hlo_shape_unpacked(hlo_arena *arena, const hlo_shape *shape, const hlo_shape **out,
                              hlo_error *error) {
  *out = shape;
  if (shape->layout == NULL || shape->layout->element_bits == 0) return HLO_OK;
  hlo_layout layout = *shape->layout;
  layout.element_bits = 0;
  return hlo_shape_with_layout(arena, shape, &layout, out, error);
}
