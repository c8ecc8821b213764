// Literals: shapes with values, as constants, inputs, outputs. Their text form is XLA's
// ("{ { 1, 2 }, { 3, 4 } }"). Must not know about operations.
#ifndef HLO_SHAPE_LITERAL_H
#define HLO_SHAPE_LITERAL_H

#include "shape/shape.h"
#include "shape/view.h"

// data holds an array's elements under its shape's layout (unpacked: one element per storage unit
// even when the layout says E(4)); NULL for tuples, which have elements, and for tokens.
typedef struct hlo_literal {
  const hlo_shape *shape;
  void *data;
  struct hlo_literal *elements; // shape->element_count of them
} hlo_literal;

// Zeroed memory for the shape (padding holds the layout's padding value) in the arena.
hlo_status hlo_literal_make(hlo_arena *arena, const hlo_shape *shape, hlo_literal *out,
                            hlo_error *error);
// Values as text. Arrays of rank r have r levels of braces. `pretty` breaks lines as XLA does.
void hlo_literal_print(hlo_string *out, const hlo_literal *literal);
// One element: shortest digits that read back as the same value; "true", "(1, -2)", "nan".
void hlo_element_print(hlo_string *out, hlo_type type, const void *element);
// Parses the values of `shape` at *cursor (moves behind). Positions in errors as hlo_shape_parse.
hlo_status hlo_literal_parse(hlo_arena *arena, const hlo_shape *shape, const char **cursor,
                             const char *end, hlo_literal *out, hlo_error *error);
// Parses one element's text ("-1.5", "0x1p3", "inf", "true", "(1, 2)") rounding once. Integers out
// of the type's range are an error.
hlo_status hlo_element_parse(hlo_type type, const char *text, size_t length, void *element,
                             hlo_error *error);
// Copies between two memory images of the same logical array; from and to shapes have compatible
// type and dims, any layouts, padding (filled in `to`), packing of 4- and 2-bit types where a
// layout asks for it.
hlo_status hlo_relayout(const hlo_shape *to_shape, void *to, const hlo_shape *from_shape,
                        const void *from, hlo_error *error);
// Fills an unpacked array's whole memory with its layout's padding value when the layout pads at
// all; else does nothing. For makers of results, before the elements are written.
hlo_status hlo_fill_padding(const hlo_shape *shape, void *data, hlo_error *error);
// One element as a number of any type from and to the widest: real part and imaginary part.
typedef struct hlo_number {
  hlo_type_class type_class; // which member counts: integer classes i/u, else re and im
  int64_t i;
  uint64_t u;
  double re, im;
} hlo_number;
hlo_number hlo_element_get(hlo_type type, const void *element);
void hlo_element_set(hlo_type type, void *element, hlo_number number); // converts as Convert does

#endif
