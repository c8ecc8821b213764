// What lies between the elements of a padded array. See padding.h.
#include "shape/padding.h"

#include "math/float_formats.h"
#include "shape/literal.h"

#include <string.h>

// The least (sign -1) or greatest (sign 1) value of a type whose values are ordered.
static void set_extreme(hlo_type type, double sign, void *element) {
  const hlo_float_format *format = hlo_type_float_format(type);
  if (format == NULL || hlo_type_bits(type) > 8) {
    // Integers saturate. pred has no sign.
    bool is_pred = type == HLO_PRED;
    hlo_number number = {.type_class = is_pred ? HLO_CLASS_PRED : HLO_CLASS_FLOAT,
                         .u = sign > 0,
                         .re = sign * __builtin_inf()};
    hlo_element_set(type, element, number);
    return;
  }
  // Few narrow floats have infinities: the extreme one of their 256 values at most.
  double extreme = -__builtin_inf();
  for (uint32_t bits = 0; bits < 1u << hlo_type_bits(type); bits++) {
    double value = sign * (double)hlo_float_format_decode(format, (uint16_t)bits);
    if (!(value >= extreme)) continue; // NaN is neither
    extreme = value;
    *(uint8_t *)element = (uint8_t)bits;
  }
}

hlo_status hlo_padding_parse(hlo_type type, const char *text, void *element, hlo_error *error) {
  memset(element, 0, (size_t)hlo_type_bytes(type));
  bool is_pred = type == HLO_PRED;
  if (strcmp(text, "UNKNOWN_PAD") == 0) return HLO_OK;
  if (strcmp(text, "ZERO_PAD") == 0) text = is_pred ? "false" : "0";
  if (strcmp(text, "ONE_PAD") == 0) text = is_pred ? "true" : "1";
  double sign = strcmp(text, "LOWEST_PAD") == 0 ? -1 : strcmp(text, "HIGHEST_PAD") == 0 ? 1 : 0;
  if (sign == 0 || hlo_type_is_complex(type))
    return hlo_element_parse(type, text, strlen(text), element, error);
  set_extreme(type, sign, element);
  return HLO_OK;
}

hlo_status hlo_padding_value(const hlo_shape *shape, void *element, hlo_error *error) {
  const char *text = shape->layout == NULL ? NULL : shape->layout->padding_value;
  memset(element, 0, (size_t)hlo_type_bytes(shape->type));
  if (text == NULL) return HLO_OK;
  return hlo_padding_parse(shape->type, text, element, error);
}
