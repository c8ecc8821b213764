// Parsing a layout's text, for shape_text.c.
#ifndef HLO_SHAPE_LAYOUT_TEXT_H
#define HLO_SHAPE_LAYOUT_TEXT_H

#include "shape/scan.h"
#include "shape/shape.h"

// Parses "{...}" at scan->at and gives the shape with that layout, checked. Never inlined: its
// frame is large, and it is called from a recursion.
__attribute__((noinline)) hlo_status hlo_layout_parse(hlo_scan *scan, hlo_arena *arena,
                                                      const hlo_shape *shape,
                                                      const hlo_shape **out);

#endif
