// Names of values, and tuples as the values they consist of. See printer.h.
#include "text/stablehlo/print/printer.h"

#include <string.h>

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
static hlo_status format_name(stablehlo_printer *p, const char *prefix, int32_t number,
                              int32_t part, const char **out, hlo_error *error) {
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
  HLO_TRY(format_name(p, "%arg", p->next_argument++, -1, &name, error));
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
  return format_name(p, names[name][!is_first], is_first ? -1 : p->next_suffix++, -1, out, error);
}

hlo_status hlo_print_begin(stablehlo_printer *p, const char *name, int32_t count,
                           const hlo_shape *const *shapes, stablehlo_values *results,
                           hlo_error *error) {
  if (name == NULL && count > 0) HLO_TRY(format_name(p, "%", p->next_number++, -1, &name, error));
  hlo_print_indent(p);
  if (count > 1) hlo_string_add_format(p->out, "%s:%d = ", name, count);
  else if (count == 1) hlo_string_add_format(p->out, "%s = ", name);
  HLO_TRY(hlo_print_new_list(p, count, results, error));
  for (int32_t i = 0; i < count; i++) {
    const char *result = name;
    if (count > 1) HLO_TRY(format_name(p, name, -1, i, &result, error));
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
