// Prints the attributes of custom calls. See printer.h.
#include "text/stablehlo/print/printer.h"

#include <string.h>

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

// Text in quotes with C's escapes, of which MLIR knows some.
static void print_quoted_again(hlo_string *out, const char *at) {
  hlo_string_add_char(out, '"');
  for (at++; *at != '\0' && (*at != '"' || at[1] != '\0');) {
    int32_t value = 0, digits = 0;
    if (*at != '\\' || at[1] == '\0') {
      hlo_string_add_char(out, *at++);
      continue;
    }
    for (at++; digits < 3 && at[digits] >= '0' && at[digits] <= '7'; digits++)
      value = value * 8 + (at[digits] - '0');
    if (digits > 0)
      hlo_string_add_format(out, "\\%c%c", "0123456789ABCDEF"[value >> 4 & 15],
                            "0123456789ABCDEF"[value & 15]);
    else if (*at == 'r') hlo_string_add(out, "\\0D");
    else if (*at == '\'') hlo_string_add_char(out, '\'');
    else hlo_string_add_format(out, "\\%c", *at);
    at += digits > 0 ? digits : 1;
  }
  hlo_string_add_char(out, '"');
}

// The typed interface has its dictionary in backend_config, where others have a string.
static hlo_status print_backend_config(stablehlo_printer *p, stablehlo_dictionary *dictionary,
                                       const hlo_instruction *x, int32_t version,
                                       hlo_error *error) {
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_BACKEND_CONFIG);
  if (text == NULL || text[0] == '\0' || strcmp(text, "\"\"") == 0) return HLO_OK;
  bool is_typed = version == 4;
  if (!is_mlir_dictionary(text)) {
    hlo_print_entry(p, dictionary, "backend_config");
    if (text[0] == '"') {
      print_quoted_again(p->out, text);
      return HLO_OK;
    }
    return hlo_print_text_of(p, x, HLO_ATTRIBUTE_BACKEND_CONFIG, error);
  }
  hlo_print_entry(p, dictionary, is_typed ? "backend_config" : "mhlo.backend_config");
  hlo_string_add(p->out, text);
  return HLO_OK;
}

// The "{0, 1}" at the cursor as "[0, 1]"; moves past it.
static const char *print_index_list(hlo_string *out, const char *at) {
  hlo_string_add_char(out, '[');
  for (at += *at == '{'; *at != '}' && *at != '\0'; at++) hlo_string_add_char(out, *at);
  hlo_string_add_char(out, ']');
  return *at == '}' ? at + 1 : at;
}

// "{{0}: (1, {}), …}": the result's part lies in the memory of the operand's part.
static void print_aliases(stablehlo_printer *p, stablehlo_dictionary *dictionary,
                          const char *text) {
  if (text == NULL || text[0] != '{' || strchr(text, ':') == NULL) return;
  hlo_print_entry(p, dictionary, "output_operand_aliases");
  hlo_string_add_char(p->out, '[');
  int32_t count = 0;
  for (const char *at = strchr(text + 1, '{'); at != NULL; at = strchr(at, '{')) {
    hlo_string_add(p->out, count++ > 0 ? ", " : "");
    hlo_string_add(p->out, "#stablehlo.output_operand_alias<output_tuple_indices = ");
    at = print_index_list(p->out, at);
    at += strcspn(at, "0123456789");
    size_t digits = strspn(at, "0123456789");
    hlo_string_add_format(p->out, ", operand_index = %.*s, operand_tuple_indices = ", (int)digits,
                          at);
    at += digits;
    at += strcspn(at, "{");
    at = print_index_list(p->out, at);
    hlo_string_add_char(p->out, '>');
  }
  hlo_string_add_char(p->out, ']');
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

// An array's, or the empty list of a token.
static bool has_layout_list(const hlo_shape *shape) { return !hlo_shape_is_tuple(shape); }

static hlo_status fail_layouts(const hlo_instruction *x, hlo_error *error) {
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                              "StableHLO has no layouts of tuples: it cannot say "
                              "operand_layout_constraints");
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
    if (status != HLO_OK || !has_layout_list(shapes[k])) return fail_layouts(x, error);
  }
  *out = shapes;
  return HLO_OK;
}

// Layouts are written for operands and results together, or for neither.
static hlo_status print_layouts(stablehlo_printer *p, stablehlo_dictionary *dictionary,
                                const hlo_instruction *x, hlo_error *error) {
  const hlo_shape **operands, *const *results;
  HLO_TRY(constrained_shapes(p, x, &operands, error));
  if (operands == NULL) return HLO_OK;
  int32_t count = hlo_print_result_shapes(&x->shape, &results);
  for (int32_t i = 0; i < count; i++)
    if (!has_layout_list(results[i])) return fail_layouts(x, error);
  hlo_print_entry(p, dictionary, "operand_layouts");
  hlo_string_add_char(p->out, '[');
  for (int32_t k = 0; k < x->operand_count; k++) {
    hlo_string_add(p->out, k > 0 ? ", " : "");
    print_layout(p->out, operands[k]);
  }
  hlo_string_add_char(p->out, ']');
  hlo_print_entry(p, dictionary, "result_layouts");
  hlo_string_add_char(p->out, '[');
  for (int32_t i = 0; i < count; i++) {
    hlo_string_add(p->out, i > 0 ? ", " : "");
    print_layout(p->out, results[i]);
  }
  hlo_string_add_char(p->out, ']');
  return HLO_OK;
}

hlo_status hlo_print_custom_attributes(stablehlo_printer *p, const hlo_instruction *x,
                                       hlo_error *error) {
  stablehlo_dictionary dictionary = {0};
  const hlo_attribute *called = hlo_find_attribute(x, HLO_ATTRIBUTE_CALLED_COMPUTATIONS);
  int32_t version = api_version_number(hlo_get_text(x, HLO_ATTRIBUTE_API_VERSION));
  if (version != 0) {
    hlo_print_entry(p, &dictionary, "api_version");
    hlo_string_add_format(p->out, "%d : i32", version);
  }
  HLO_TRY(print_backend_config(p, &dictionary, x, version, error));
  if (called != NULL && called->count > 0) {
    hlo_print_entry(p, &dictionary, "called_computations");
    hlo_string_add_char(p->out, '[');
    for (int32_t i = 0; i < called->count; i++)
      hlo_string_add_format(p->out, i > 0 ? ", %s" : "%s",
                            hlo_print_function_name(p, called->computations[i]));
    hlo_string_add_char(p->out, ']');
  }
  if (hlo_get_int(x, HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 0) != 0) {
    hlo_print_entry(p, &dictionary, "has_side_effect");
    hlo_string_add(p->out, "true");
  }
  HLO_TRY(print_layouts(p, &dictionary, x, error));
  print_aliases(p, &dictionary, hlo_get_text(x, HLO_ATTRIBUTE_OUTPUT_TO_OPERAND_ALIASING));
  return hlo_print_close(p, x, &dictionary, error);
}
