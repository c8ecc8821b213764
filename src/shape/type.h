// Element types and their properties, made from types.def.
#ifndef HLO_SHAPE_TYPE_H
#define HLO_SHAPE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hlo_type {
  HLO_TYPE_INVALID = 0,
#define TYPE(id, name, mlir, class, bits, bytes) HLO_##id,
#include "shape/types.def"
#undef TYPE
  HLO_TYPE_COUNT
} hlo_type;

// Classes are single bits so that sets of them can be written as masks.
typedef enum hlo_type_class {
  HLO_CLASS_PRED = 1,
  HLO_CLASS_SIGNED = 2,
  HLO_CLASS_UNSIGNED = 4,
  HLO_CLASS_FLOAT = 8,
  HLO_CLASS_COMPLEX = 16,
  HLO_CLASS_OTHER = 32, // tuple, token, opaque: not elements of arrays
} hlo_type_class;

const char *hlo_type_name(hlo_type type);      // "f32"; "invalid" for anything else
const char *hlo_type_mlir_name(hlo_type type); // "complex<f32>", "ui8"
// HLO_TYPE_INVALID when the text is no type's name.
hlo_type hlo_type_from_name(const char *text, size_t length);
hlo_type_class hlo_type_get_class(hlo_type type);
int32_t hlo_type_bits(hlo_type type);    // 1 for pred, 4 for s4, 64 for c64
int32_t hlo_type_bytes(hlo_type type);   // storage of one unpacked element
bool hlo_type_is_array(hlo_type type);   // an element type, not tuple, token or opaque
bool hlo_type_is_integer(hlo_type type); // signed or unsigned, not pred
bool hlo_type_is_float(hlo_type type);
bool hlo_type_is_complex(hlo_type type);
hlo_type hlo_type_complex_part(hlo_type type);    // c64 → f32, c128 → f64, else the type itself
hlo_type hlo_type_complex_of(hlo_type part_type); // f32 → c64, f64 → c128, else invalid

#endif
