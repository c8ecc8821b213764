// Literals: shapes with values, as constants, inputs, outputs. Their text form is XLA's
// ("{ { 1, 2 }, { 3, 4 } }").
#ifndef HLO_SHAPE_LITERAL_H
#define HLO_SHAPE_LITERAL_H

#include "math/float_formats.h"
#include "shape/shape.h"
#include "shape/view.h"

// data holds an array's elements under its shape's layout (unpacked: one element per storage unit
// even when the layout says E(4)); NULL for tuples, which have elements, and for tokens. Types
// below 8 bits are stored sign- or zero-extended to a byte; readers look at the low bits only.
typedef struct hlo_literal {
  const hlo_shape *shape;
  void *data;
  struct hlo_literal *elements; // shape->element_count of them
} hlo_literal;

// Zeroed memory for the shape (padding holds the layout's padding value) in the arena.
// HLO_OUT_OF_MEMORY also if the address space is too small.
hlo_status hlo_literal_make(hlo_arena *arena, const hlo_shape *shape, hlo_literal *out,
                            hlo_error *error);
// Values as XLA writes them on one line: 1, {1, 2}, { { 1, 2 }, { 3, 4 } }, ( 1, {2, 3} ), with
// /*i0=1*/ comments from rank 4 on; pred true and false as scalars, 1 and 0 in arrays.
void hlo_literal_print(hlo_string *out, const hlo_literal *literal);
// One element in XLA's notation, which reads back as the same value: "0.1", "1e+06", "true",
// "(1, -2)", "-nan", "nan(0x1)" for a NaN with other mantissa bits than the default one.
void hlo_element_print(hlo_string *out, hlo_type type, const void *element);
// Parses the values of `shape` at *cursor, which it advances. Positions in errors as
// hlo_shape_parse. Every level of braces has as many items as its dimension, except that an array
// without elements may also be written "{}". "..." (values left out when the text was printed) is
// an error. *out is the arena's and refers to `shape`.
hlo_status hlo_literal_parse(hlo_arena *arena, const hlo_shape *shape, const char **cursor,
                             const char *end, hlo_literal *out, hlo_error *error);
// Parses one element's text ("-1.5", "0x1p3", "inf", "true", "(1, 2)") rounding once; blanks around
// it are an error. So are, as in XLA, integers out of the type's range and finite numbers that
// overflow (f4e2m1fn, which cannot overflow, saturates). inf and nan become the type's
// encoding of them. "nan(0x1)" gives the mantissa bits, "nan(0x7fc00001)" all bits. Of a complex
// number the imaginary part may be missing. A NULL error is allowed here.
hlo_status hlo_element_parse(hlo_type type, const char *text, size_t length, void *element,
                             hlo_error *error);
// Copies between two memory images of the same logical array; from and to shapes have compatible
// type and dims, any layouts, padding (filled in `to`), packing of types below 8 bits where a
// layout asks for it (lowest bits first; unused bits of the last byte become 0). The images hold
// hlo_shape_bytes each and do not overlap. HLO_SHAPE_ERROR when the shapes do not agree.
hlo_status hlo_relayout(const hlo_shape *to_shape, void *to, const hlo_shape *from_shape,
                        const void *from, hlo_error *error);
// Fills an unpacked array's whole memory with its layout's padding value when the layout pads at
// all; else does nothing. For makers of results, before the elements are written.
hlo_status hlo_fill_padding(const hlo_shape *shape, void *data, hlo_error *error);
// One element as a number of any type from and to the widest: real part and imaginary part.
typedef struct hlo_number {
  hlo_type_class type_class; // which member counts: SIGNED i, UNSIGNED and PRED u, else re and im
  int64_t i;
  uint64_t u;
  double re, im;
} hlo_number;
hlo_number hlo_element_get(hlo_type type, const void *element);
// Converts as Convert does: integers wrap, to pred is "not zero", floats to integers truncate and
// saturate (NaN gives 0), complex to real drops the imaginary part, everything else rounds once.
void hlo_element_set(hlo_type type, void *element, hlo_number number);
// The encoding of a float type with at most 16 bits; NULL for every other type.
const hlo_float_format *hlo_type_float_format(hlo_type type);

#endif
