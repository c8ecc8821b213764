// Properties of element types. See type.h.
#include "shape/type.h"

#include <string.h>

typedef struct type_info {
  const char *name;
  const char *mlir_name;
  hlo_type_class type_class;
  int32_t bits;
  int32_t bytes;
} type_info;

static const type_info types[HLO_TYPE_COUNT] = {
    {"invalid", "invalid", HLO_CLASS_OTHER, 0, 0},
#define TYPE(id, name, mlir, class, bits, bytes) {name, mlir, HLO_CLASS_##class, bits, bytes},
#include "shape/types.def"
#undef TYPE
};

static const type_info *info_of(hlo_type type) {
  return &types[(unsigned)type < HLO_TYPE_COUNT ? type : HLO_TYPE_INVALID];
}

const char *hlo_type_name(hlo_type type) { return info_of(type)->name; }
const char *hlo_type_mlir_name(hlo_type type) { return info_of(type)->mlir_name; }
hlo_type_class hlo_type_get_class(hlo_type type) { return info_of(type)->type_class; }
int32_t hlo_type_bits(hlo_type type) { return info_of(type)->bits; }
int32_t hlo_type_bytes(hlo_type type) { return info_of(type)->bytes; }
bool hlo_type_is_array(hlo_type type) { return info_of(type)->type_class != HLO_CLASS_OTHER; }
bool hlo_type_is_integer(hlo_type type) {
  return (info_of(type)->type_class & (HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED)) != 0;
}
bool hlo_type_is_float(hlo_type type) { return info_of(type)->type_class == HLO_CLASS_FLOAT; }
bool hlo_type_is_complex(hlo_type type) { return info_of(type)->type_class == HLO_CLASS_COMPLEX; }

hlo_type hlo_type_complex_part(hlo_type type) {
  return type == HLO_C64 ? HLO_F32 : type == HLO_C128 ? HLO_F64 : type;
}

hlo_type hlo_type_complex_of(hlo_type part_type) {
  return part_type == HLO_F32 ? HLO_C64 : part_type == HLO_F64 ? HLO_C128 : HLO_TYPE_INVALID;
}

hlo_type hlo_type_from_name(const char *text, size_t length) {
  for (int t = 1; t < HLO_TYPE_COUNT; t++) {
    if (strlen(types[t].name) == length && memcmp(types[t].name, text, length) == 0) {
      return (hlo_type)t;
    }
  }
  return HLO_TYPE_INVALID;
}
