// The value in the padding of arrays.
#ifndef HLO_SHAPE_PADDING_H
#define HLO_SHAPE_PADDING_H

#include "shape/shape.h"

// The element that a layout's padding_value stands for: one of XLA's names (ZERO_PAD, ONE_PAD,
// LOWEST_PAD, HIGHEST_PAD: infinite where the type has infinities; UNKNOWN_PAD: zero bits), or an
// element's text. element has room for any type. A NULL error is allowed.
hlo_status hlo_padding_parse(hlo_type type, const char *text, void *element, hlo_error *error);
// The element that the array's padding holds; zero bits if the layout names none. element has room
// for any type. Fails only for a layout that hlo_shape_validate rejects.
hlo_status hlo_padding_value(const hlo_shape *shape, void *element, hlo_error *error);

#endif
