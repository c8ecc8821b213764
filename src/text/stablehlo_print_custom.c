// Prints what a custom call says beside its operands. See stablehlo_printer.h. Must not know what
// targets do.
#include "text/stablehlo_printer.h"

#include <string.h>

typedef struct attribute_list {
  hlo_string *out;
  int32_t count;
} attribute_list;

static void next_attribute(attribute_list *list, const char *name) {
  hlo_string_add_format(list->out, list->count++ > 0 ? ", %s" : " {%s", name);
}

// A dictionary as MLIR writes it, in contrast to JSON, whose keys are in quotes.
static bool is_mlir_dictionary(const char *text) {
  if (text[0] != '{') return false;
  text += 1 + strspn(text + 1, " ");
  return *text == '}' || ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z');
}

static int32_t api_version_number(const char *name) {
  if (name == NULL) return 0;
  if (strstr(name, "TYPED_FFI") != NULL) return 4;
  if (strstr(name, "UNIFIED") != NULL) return 3;
  return strstr(name, "RETURNING") != NULL ? 2 : 0;
}

// The typed interface has its dictionary in backend_config, where others have a string.
static void print_backend_config(attribute_list *list, const hlo_instruction *x, int32_t version) {
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_BACKEND_CONFIG);
  if (text == NULL || text[0] == '\0') return;
  bool is_dictionary = is_mlir_dictionary(text);
  bool is_typed = version == 4;
  next_attribute(list, is_dictionary && !is_typed ? "mhlo.backend_config = " : "backend_config = ");
  if (is_dictionary || text[0] == '"') hlo_string_add(list->out, text);
  else hlo_print_mlir_quoted(list->out, text);
}

// The "{0, 1}" at the cursor as "[0, 1]"; moves behind it.
static const char *print_index_list(hlo_string *out, const char *at) {
  hlo_string_add_char(out, '[');
  for (at += *at == '{'; *at != '}' && *at != '\0'; at++) hlo_string_add_char(out, *at);
  hlo_string_add_char(out, ']');
  return *at == '}' ? at + 1 : at;
}

// "{{0}: (1, {}), …}": the result's part lies in the memory of the operand's part.
static void print_aliases(attribute_list *list, const char *text) {
  if (text == NULL || text[0] != '{' || strchr(text, ':') == NULL) return;
  next_attribute(list, "output_operand_aliases = [");
  int32_t count = 0;
  for (const char *at = strchr(text + 1, '{'); at != NULL; at = strchr(at, '{')) {
    hlo_string_add(list->out, count++ > 0 ? ", " : "");
    hlo_string_add(list->out, "#stablehlo.output_operand_alias<output_tuple_indices = ");
    at = print_index_list(list->out, at);
    at += strcspn(at, "0123456789");
    size_t digits = strspn(at, "0123456789");
    hlo_string_add_format(list->out,
                          ", operand_index = %.*s, operand_tuple_indices = ", (int)digits, at);
    at += digits;
    at += strcspn(at, "{");
    at = print_index_list(list->out, at);
    hlo_string_add_char(list->out, '>');
  }
  hlo_string_add_char(list->out, ']');
}

// "dense<[0, 1]> : tensor<2xindex>": the dimensions of an array, the fastest first.
static void print_layout(hlo_string *out, const hlo_shape *shape) {
  hlo_string_add(out, shape->rank > 0 ? "dense<[" : "dense<");
  for (int32_t d = 0; d < shape->rank; d++) {
    int64_t dimension =
        shape->layout == NULL ? shape->rank - 1 - d : shape->layout->minor_to_major[d];
    hlo_string_add_format(out, d > 0 ? ", %lld" : "%lld", (long long)dimension);
  }
  hlo_string_add_format(out, "%s : tensor<%dxindex>", shape->rank > 0 ? "]>" : ">",
                        (int)shape->rank);
}

// The shapes in operand_layout_constraints={f32[2]{0}, …}, one for each operand.
static hlo_status constrained_shapes(stablehlo_printer *p, const hlo_instruction *x,
                                     const hlo_shape ***out, hlo_error *error) {
  const char *at = hlo_get_text(x, HLO_ATTRIBUTE_OPERAND_LAYOUT_CONSTRAINTS);
  *out = NULL;
  if (at == NULL || *at != '{') return HLO_OK;
  const char *end = at + strlen(at);
  at++;
  const hlo_shape **shapes;
  HLO_ALLOC(shapes, &p->arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    at += strspn(at, ", ");
    hlo_error ignored = {0};
    hlo_status status = hlo_shape_parse(&p->arena, &at, end, &shapes[k], &ignored);
    if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
    if (status != HLO_OK || !hlo_shape_is_array(shapes[k])) return HLO_OK;
  }
  *out = shapes;
  return HLO_OK;
}

// Layouts are written for operands and results together, or for neither.
static hlo_status print_layouts(stablehlo_printer *p, attribute_list *list,
                                const hlo_instruction *x, hlo_error *error) {
  const hlo_shape **operands, *const *results;
  HLO_TRY(constrained_shapes(p, x, &operands, error));
  int32_t count = hlo_print_result_shapes(&x->shape, &results);
  for (int32_t i = 0; i < count; i++)
    if (!hlo_shape_is_array(results[i])) return HLO_OK;
  if (operands == NULL) return HLO_OK;
  next_attribute(list, "operand_layouts = [");
  for (int32_t k = 0; k < x->operand_count; k++) {
    hlo_string_add(list->out, k > 0 ? ", " : "");
    print_layout(list->out, operands[k]);
  }
  hlo_string_add_char(list->out, ']');
  next_attribute(list, "result_layouts = [");
  for (int32_t i = 0; i < count; i++) {
    hlo_string_add(list->out, i > 0 ? ", " : "");
    print_layout(list->out, results[i]);
  }
  hlo_string_add_char(list->out, ']');
  return HLO_OK;
}

// {key="value",…}, whose escapes MLIR has too.
static hlo_status print_frontend_attributes(attribute_list *list, const char *text,
                                            hlo_error *error) {
  if (text == NULL || text[0] != '{' || text[1] == '}') return HLO_OK;
  hlo_string all = {0};
  int32_t count = 0;
  bool is_plain = true;
  for (const char *at = text + 1; is_plain && *at != '}' && *at != '\0';) {
    at += strspn(at, ", ");
    size_t key = strcspn(at, "=");
    const char *value = at + key + 1;
    is_plain = at[key] == '=' && *value == '"' && memchr(at, '"', key) == NULL;
    if (!is_plain) break;
    const char *end = value + 1;
    while (*end != '"' && *end != '\0') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    is_plain = *end == '"';
    hlo_string_add(&all, count++ > 0 ? ", " : "");
    hlo_string_add_bytes(&all, at, key);
    hlo_string_add(&all, " = ");
    hlo_string_add_bytes(&all, value, (size_t)(end - value) + is_plain);
    at = end + is_plain;
  }
  hlo_status status = hlo_string_status(&all, error);
  if (is_plain && count > 0 && status == HLO_OK) {
    next_attribute(list, "mhlo.frontend_attributes = {");
    hlo_string_add_bytes(list->out, all.text, all.length);
    hlo_string_add_char(list->out, '}');
  }
  hlo_string_free(&all);
  return status;
}

hlo_status hlo_print_custom_attributes(stablehlo_printer *p, const hlo_instruction *x,
                                       hlo_error *error) {
  attribute_list list = {p->out, 0};
  const hlo_attribute *called = hlo_find_attribute(x, HLO_ATTRIBUTE_CALLED_COMPUTATIONS);
  int32_t version = api_version_number(hlo_get_text(x, HLO_ATTRIBUTE_API_VERSION));
  if (version != 0) {
    next_attribute(&list, "api_version = ");
    hlo_string_add_format(p->out, "%d : i32", version);
  }
  print_backend_config(&list, x, version);
  if (called != NULL && called->count > 0) {
    next_attribute(&list, "called_computations = [");
    for (int32_t i = 0; i < called->count; i++)
      hlo_string_add_format(p->out, i > 0 ? ", %s" : "%s",
                            hlo_print_function_name(p, called->computations[i]));
    hlo_string_add_char(p->out, ']');
  }
  if (hlo_get_int(x, HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 0) != 0)
    next_attribute(&list, "has_side_effect = true");
  const char *sharding = hlo_get_text(x, HLO_ATTRIBUTE_SHARDING);
  HLO_TRY(
      print_frontend_attributes(&list, hlo_get_text(x, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES), error));
  if (sharding != NULL) {
    next_attribute(&list, "mhlo.sharding = ");
    hlo_print_mlir_quoted(p->out, sharding);
  }
  HLO_TRY(print_layouts(p, &list, x, error));
  print_aliases(&list, hlo_get_text(x, HLO_ATTRIBUTE_OUTPUT_TO_OPERAND_ALIASING));
  if (list.count > 0) hlo_string_add_char(p->out, '}');
  return HLO_OK;
}
