// Layout functions shared by shape.c and the text files; elsewhere use shape.h.
#ifndef HLO_SHAPE_LAYOUT_H
#define HLO_SHAPE_LAYOUT_H

#include "shape/shape.h"

// Whether the layout equals the default one (as NULL does): XLA would print it as {1,0}.
bool hlo_layout_is_plain(const hlo_layout *layout);
// A copy in the arena of a validated layout.
hlo_status hlo_layout_copy(hlo_arena *arena, const hlo_layout *layout, const hlo_layout **out,
                           hlo_error *error);
// The layout may be that of the shape (whose own layout is not looked at). HLO_SHAPE_ERROR if not.
hlo_status hlo_layout_validate(const hlo_shape *shape, const hlo_layout *layout, hlo_error *error);
// Removes properties that an array of this type cannot have: packing, a padding value of another
// type.
void hlo_layout_fit_type(hlo_layout *layout, hlo_type type);

// Prints "{1,0:T(8,128)}" (layout_text.c).
void hlo_layout_print(hlo_string *out, const hlo_layout *layout);

#endif
