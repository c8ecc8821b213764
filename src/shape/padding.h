// The value in the padding of arrays.
#ifndef HLO_SHAPE_PADDING_H
#define HLO_SHAPE_PADDING_H

#include "shape/shape.h"

// The element that the array's padding holds; zero bits if the layout names none. element has room
// for any type. Fails only for a layout that hlo_shape_validate rejects.
hlo_status hlo_padding_value(const hlo_shape *shape, void *element, hlo_error *error);

#endif
