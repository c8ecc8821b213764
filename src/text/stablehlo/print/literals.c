// Prints MLIR's types and dense values. See printer.h.
#include "base/decimal.h"
#include "text/stablehlo/print/printer.h"

#include <string.h>

enum { MOST_LISTED_ELEMENTS = 100 }; // MLIR prints larger values in hexadecimal

static void print_tensor(hlo_string *out, const hlo_shape *shape) {
  hlo_string_add(out, "tensor<");
  for (int32_t i = 0; i < shape->rank; i++) {
    if (shape->dynamic != NULL && shape->dynamic[i]) hlo_string_add_char(out, '?');
    else hlo_string_add_int(out, shape->dims[i]);
    hlo_string_add_char(out, 'x');
  }
  hlo_string_add(out, hlo_type_mlir_name(shape->type));
  if (hlo_shape_is_dynamic(shape)) {
    hlo_string_add(out, ", #stablehlo.bounds<");
    for (int32_t i = 0; i < shape->rank; i++) {
      if (i > 0) hlo_string_add(out, ", ");
      if (shape->dynamic[i]) hlo_string_add_int(out, shape->dims[i]);
      else hlo_string_add_char(out, '?');
    }
    hlo_string_add_char(out, '>');
  }
  hlo_string_add_char(out, '>');
}

hlo_status hlo_print_mlir_type(stablehlo_printer *p, const hlo_shape *shape, hlo_error *error) {
  if (hlo_shape_is_array(shape)) {
    print_tensor(p->out, shape);
    return HLO_OK;
  }
  if (shape->type == HLO_TOKEN) {
    hlo_string_add(p->out, "!stablehlo.token");
    return HLO_OK;
  }
  if (!hlo_shape_is_tuple(shape)) {
    return hlo_fail(error, HLO_UNSUPPORTED, "StableHLO has no type for %s",
                    hlo_type_name(shape->type));
  }
  p->elements_left -= shape->element_count;
  if (p->elements_left < 0)
    return hlo_fail(error, HLO_UNSUPPORTED,
                    "with all its tuple types written out the program is too long");
  hlo_string_add(p->out, "tuple<");
  for (int32_t i = 0; i < shape->element_count; i++) {
    if (i > 0) hlo_string_add(p->out, ", ");
    HLO_TRY(hlo_print_mlir_type(p, shape->elements[i], error));
  }
  hlo_string_add_char(p->out, '>');
  return HLO_OK;
}

hlo_status hlo_print_mlir_types(stablehlo_printer *p, const stablehlo_values *values,
                                hlo_error *error) {
  for (int32_t i = 0; i < values->count; i++) {
    if (i > 0) hlo_string_add(p->out, ", ");
    HLO_TRY(hlo_print_mlir_type(p, values->items[i]->shape, error));
  }
  return HLO_OK;
}

hlo_status hlo_print_function_type(stablehlo_printer *p, const stablehlo_values *operands,
                                   const stablehlo_values *results, hlo_error *error) {
  hlo_string_add_char(p->out, '(');
  HLO_TRY(hlo_print_mlir_types(p, operands, error));
  hlo_string_add(p->out, results->count == 1 ? ") -> " : ") -> (");
  HLO_TRY(hlo_print_mlir_types(p, results, error));
  if (results->count != 1) hlo_string_add_char(p->out, ')');
  return HLO_OK;
}

void hlo_print_mlir_quoted(hlo_string *out, const char *text) {
  hlo_string_add_char(out, '"');
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') hlo_string_add_format(out, "\\%c", c);
    else if (c < ' ' || c == 0x7f)
      hlo_string_add_format(out, "\\%c%c", "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]);
    else hlo_string_add_char(out, *text);
  }
  hlo_string_add_char(out, '"');
}

static void print_hex(hlo_string *out, const unsigned char *bytes, int64_t count, bool reversed) {
  static const char digits[] = "0123456789ABCDEF";
  for (int64_t i = 0; i < count; i++) {
    unsigned char byte = bytes[reversed ? count - 1 - i : i];
    hlo_string_add_char(out, digits[byte >> 4]);
    hlo_string_add_char(out, digits[byte & 15]);
  }
}

// Seven digits where they say the value exactly, else as many as always do; the bits of what is
// not finite.
void hlo_print_mlir_float(hlo_string *out, hlo_type type, const void *element) {
  double value = hlo_element_get(type, element).re;
  int32_t width = hlo_type_bytes(type);
  if (value - value != 0) {
    hlo_string_add(out, "0x");
    print_hex(out, element, width, true);
    return;
  }
  char digits[HLO_FORMAT_SIZE];
  uint64_t back = 0;
  hlo_error ignored = {0};
  size_t length = hlo_format_scientific(digits, value, 7);
  hlo_status status = hlo_element_parse(type, digits, length, &back, &ignored);
  if (status != HLO_OK || memcmp(&back, element, (size_t)width) != 0)
    hlo_format_scientific(digits, value, type == HLO_F64 ? 17 : 9);
  hlo_string_add(out, digits);
}

static void print_element(hlo_string *out, hlo_type type, const char *element) {
  hlo_number number = hlo_element_get(type, element);
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_PRED:
    hlo_string_add(out, *element != 0 ? "true" : "false");
    break;
  case HLO_CLASS_SIGNED:
    hlo_string_add_int(out, number.i);
    break;
  case HLO_CLASS_UNSIGNED:
    hlo_string_add_unsigned(out, number.u);
    break;
  case HLO_CLASS_COMPLEX: {
    hlo_type part = hlo_type_complex_part(type);
    hlo_string_add_char(out, '(');
    hlo_print_mlir_float(out, part, element);
    hlo_string_add_char(out, ',');
    hlo_print_mlir_float(out, part, element + hlo_type_bytes(part));
    hlo_string_add_char(out, ')');
    break;
  }
  default:
    hlo_print_mlir_float(out, type, element);
  }
}

// In row-major order, whatever the literal's layout.
static void print_lists(hlo_string *out, const hlo_shape *shape, const char *data) {
  int64_t index[HLO_MAX_RANK] = {0};
  int32_t rank = shape->rank, width = hlo_type_bytes(shape->type);
  bool more = true;
  for (int32_t i = 0; i < rank; i++) hlo_string_add_char(out, '[');
  while (more) {
    print_element(out, shape->type, data + hlo_linear_index(shape, index) * width);
    more = hlo_next_index(rank, shape->dims, index);
    if (!more) break;
    int32_t closed = 0; // lists that end here: their index is 0 again
    while (closed < rank && index[rank - 1 - closed] == 0) closed++;
    for (int32_t i = 0; i < closed; i++) hlo_string_add_char(out, ']');
    hlo_string_add(out, ", ");
    for (int32_t i = 0; i < closed; i++) hlo_string_add_char(out, '[');
  }
  for (int32_t i = 0; i < rank; i++) hlo_string_add_char(out, ']');
}

hlo_status hlo_print_dense(stablehlo_printer *p, const hlo_literal *literal, hlo_error *error) {
  const hlo_shape *shape = literal->shape;
  int64_t elements = hlo_shape_elements(shape);
  hlo_string_add(p->out, "dense<");
  bool in_order = hlo_layout_is_default(shape->layout);
  if (elements == 0) {
    ;
  } else if (elements == 1) {
    int64_t zero[HLO_MAX_RANK] = {0};
    int64_t at = hlo_linear_index(shape, zero) * hlo_type_bytes(shape->type);
    print_element(p->out, shape->type, (const char *)literal->data + at);
  } else if (elements > MOST_LISTED_ELEMENTS && in_order && hlo_type_bits(shape->type) >= 8) {
    hlo_string_add(p->out, "\"0x");
    print_hex(p->out, literal->data, elements * hlo_type_bytes(shape->type), false);
    hlo_string_add_char(p->out, '"');
  } else {
    print_lists(p->out, shape, literal->data);
  }
  hlo_string_add(p->out, "> : ");
  return hlo_print_mlir_type(p, shape, error);
}
