// Prints MLIR's types, names and dense values; tuples as the values they consist of. See printer.h.
#include "base/decimal.h"
#include "text/stablehlo/print/printer.h"

#include <string.h>

enum { MOST_LISTED_ELEMENTS = 100 }; // MLIR prints larger values in hexadecimal

// --- types ---

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

// --- literals ---

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

// --- names ---

void hlo_print_names(hlo_string *out, const stablehlo_values *values) {
  for (int32_t i = 0; i < values->count; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    hlo_string_add(out, values->items[i]->name);
  }
}

void hlo_print_indent(stablehlo_printer *p) {
  for (int32_t i = 0; i < p->indent; i++) hlo_string_add(p->out, "  ");
}

// prefix and number, and part ("#2") unless it is negative.
static hlo_status make_name(stablehlo_printer *p, const char *prefix, int32_t number, int32_t part,
                            const char **out, hlo_error *error) {
  hlo_string text = {0};
  hlo_string_add(&text, prefix);
  if (number >= 0) hlo_string_add_int(&text, number);
  if (part >= 0) hlo_string_add_format(&text, "#%d", part);
  hlo_status status = hlo_string_status(&text, error);
  if (status == HLO_OK) {
    *out = hlo_arena_copy_text(&p->arena, text.text, text.length);
    if (*out == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(&text);
  return status;
}

hlo_status hlo_print_new_value(stablehlo_printer *p, const char *name, const hlo_shape *shape,
                               const stablehlo_value **out, hlo_error *error) {
  stablehlo_value *value;
  HLO_ALLOC(value, &p->arena, 1, error);
  value->name = name;
  value->shape = shape;
  *out = value;
  return HLO_OK;
}

hlo_status hlo_print_new_argument(stablehlo_printer *p, const hlo_shape *shape,
                                  const stablehlo_value **out, hlo_error *error) {
  const char *name;
  HLO_TRY(make_name(p, "%arg", p->next_argument++, -1, &name, error));
  return hlo_print_new_value(p, name, shape, out, error);
}

hlo_status hlo_print_new_tuple(stablehlo_printer *p, const hlo_shape *shape,
                               const stablehlo_value **elements, const stablehlo_value **out,
                               hlo_error *error) {
  stablehlo_value *value;
  HLO_ALLOC(value, &p->arena, 1, error);
  value->shape = shape;
  value->elements = elements;
  *out = value;
  return HLO_OK;
}

hlo_status hlo_print_new_name(stablehlo_printer *p, stablehlo_name name, const char **out,
                              hlo_error *error) {
  static const char *const names[][2] = {
      {"%cst", "%cst_"}, {"%c", "%c_"}, {"%iterArg", "%iterArg_"}};
  bool is_first = (p->used_names >> name & 1) == 0;
  p->used_names |= 1u << name;
  return make_name(p, names[name][!is_first], is_first ? -1 : p->next_suffix++, -1, out, error);
}

hlo_status hlo_print_begin(stablehlo_printer *p, const char *name, int32_t count,
                           const hlo_shape *const *shapes, stablehlo_values *results,
                           hlo_error *error) {
  if (name == NULL && count > 0) HLO_TRY(make_name(p, "%", p->next_number++, -1, &name, error));
  hlo_print_indent(p);
  if (count > 1) hlo_string_add_format(p->out, "%s:%d = ", name, count);
  else if (count == 1) hlo_string_add_format(p->out, "%s = ", name);
  HLO_TRY(hlo_print_new_list(p, count, results, error));
  for (int32_t i = 0; i < count; i++) {
    const char *result = name;
    if (count > 1) HLO_TRY(make_name(p, name, -1, i, &result, error));
    HLO_TRY(hlo_print_new_value(p, result, shapes[i], &results->items[results->count++], error));
  }
  return HLO_OK;
}

// --- tuples ---

hlo_status hlo_print_new_list(stablehlo_printer *p, int64_t count, stablehlo_values *out,
                              hlo_error *error) {
  out->count = 0;
  HLO_ALLOC(out->items, &p->arena, count, error);
  return HLO_OK;
}

hlo_status hlo_print_tuple_of(stablehlo_printer *p, const hlo_instruction *x,
                              const hlo_shape *shape, const stablehlo_values *elements,
                              const stablehlo_value **out, hlo_error *error) {
  stablehlo_values results;
  HLO_TRY(hlo_print_begin(p, NULL, 1, &shape, &results, error));
  hlo_string_add(p->out, elements->count > 0 ? "stablehlo.tuple " : "stablehlo.tuple");
  hlo_print_names(p->out, elements);
  if (x != NULL) HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_mlir_type(p, shape, error));
  hlo_string_add_char(p->out, '\n');
  *out = results.items[0];
  return HLO_OK;
}

// One "tuple" operation for each level, the innermost first.
hlo_status hlo_print_single(stablehlo_printer *p, const stablehlo_value *value,
                            const stablehlo_value **out, hlo_error *error) {
  *out = value;
  if (value->name != NULL) return HLO_OK;
  stablehlo_values elements;
  HLO_TRY(hlo_print_new_list(p, value->shape->element_count, &elements, error));
  for (int32_t i = 0; i < value->shape->element_count; i++)
    HLO_TRY(hlo_print_single(p, value->elements[i], &elements.items[elements.count++], error));
  return hlo_print_tuple_of(p, NULL, value->shape, &elements, out, error);
}

hlo_status hlo_print_element_of(stablehlo_printer *p, const hlo_instruction *x,
                                const stablehlo_value *tuple, int32_t index,
                                const stablehlo_value **out, hlo_error *error) {
  stablehlo_values results, operand = {1, &tuple};
  HLO_TRY(hlo_print_begin(p, NULL, 1, &tuple->shape->elements[index], &results, error));
  hlo_string_add_format(p->out, "stablehlo.get_tuple_element %s[%d]", tuple->name, index);
  if (x != NULL) HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_function_type(p, &operand, &results, error));
  hlo_string_add_char(p->out, '\n');
  *out = results.items[0];
  return HLO_OK;
}

hlo_status hlo_print_flatten(stablehlo_printer *p, const stablehlo_value *value,
                             stablehlo_values *out, hlo_error *error) {
  if (!hlo_shape_is_tuple(value->shape)) {
    out->items[out->count++] = value;
    return HLO_OK;
  }
  for (int32_t i = 0; i < value->shape->element_count; i++) {
    const stablehlo_value *element;
    if (value->name == NULL) element = value->elements[i];
    else HLO_TRY(hlo_print_element_of(p, NULL, value, i, &element, error));
    HLO_TRY(hlo_print_flatten(p, element, out, error));
  }
  return HLO_OK;
}

hlo_status hlo_print_unflatten(stablehlo_printer *p, const hlo_shape *shape,
                               const stablehlo_values *leaves, int32_t *next,
                               const stablehlo_value **out, hlo_error *error) {
  if (!hlo_shape_is_tuple(shape)) {
    *out = leaves->items[(*next)++];
    return HLO_OK;
  }
  const stablehlo_value **elements;
  HLO_ALLOC(elements, &p->arena, shape->element_count, error);
  for (int32_t i = 0; i < shape->element_count; i++)
    HLO_TRY(hlo_print_unflatten(p, shape->elements[i], leaves, next, &elements[i], error));
  return hlo_print_new_tuple(p, shape, elements, out, error);
}

static void collect_leaves(const hlo_shape *shape, int32_t *count, const hlo_shape **out) {
  if (!hlo_shape_is_tuple(shape)) out[(*count)++] = shape;
  else
    for (int32_t i = 0; i < shape->element_count; i++)
      collect_leaves(shape->elements[i], count, out);
}

hlo_status hlo_print_leaf_shapes(stablehlo_printer *p, const hlo_shape *shape, int32_t *count,
                                 const hlo_shape ***out, hlo_error *error) {
  *count = 0;
  HLO_ALLOC(*out, &p->arena, hlo_shape_leaf_count(shape), error);
  collect_leaves(shape, count, *out);
  return HLO_OK;
}

int32_t hlo_print_result_shapes(const hlo_shape *const *shape, const hlo_shape *const **out) {
  bool is_list = hlo_shape_is_tuple(*shape) && (*shape)->element_count != 1;
  *out = is_list ? (*shape)->elements : shape;
  return is_list ? (*shape)->element_count : 1;
}
