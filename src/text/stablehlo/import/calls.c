// Imports custom calls, and the operations of test programs (check.*, interpreter.*), which become
// custom calls: src/run knows the targets. See import.h.
#include "base/decimal.h"
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

static hlo_status add_text(stablehlo_importer *im, hlo_attribute_id id, const char *text,
                           hlo_attribute *out, int32_t *count, hlo_error *error) {
  const char *copy = hlo_arena_copy_text(&im->module->arena, text, strlen(text));
  if (copy == NULL) return hlo_fail_out_of_memory(error);
  out[(*count)++] = hlo_attribute_make_text(id, copy);
  return HLO_OK;
}

static hlo_status emit_custom_call(stablehlo_importer *im, const mlir_operation *op,
                                   const hlo_shape *shape, int32_t operand_count,
                                   hlo_instruction *const *operands, int32_t count,
                                   const hlo_attribute *attributes, hlo_error *error) {
  hlo_instruction *result;
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_CUSTOM_CALL, shape, operand_count, operands, count, attributes,
                          &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- check.*, interpreter.* ---

// The bits of a float in hexadecimal as a decimal number with a point.
static void add_decimal(hlo_string *text, double value) {
  char digits[HLO_FORMAT_SIZE];
  hlo_format_f64(digits, value);
  size_t whole = strcspn(digits, ".e");
  hlo_string_add_bytes(text, digits, whole);
  if (digits[whole] != '.') hlo_string_add(text, ".0");
  hlo_string_add_format(text, "%s : f64", digits + whole);
}

// ", tolerance = 0.001 : f64", as the program writes it but for bits.
static void add_setting(hlo_string *text, const mlir_entry *entry) {
  const mlir_attribute *value = entry->value;
  if (strchr(entry->name, '"') != NULL) return;
  hlo_string_add_format(text, ", %s = ", entry->name);
  bool is_bits = value->kind == MLIR_FLOAT && value->source_length > 1 && value->at[1] == 'x';
  if (value->kind == MLIR_UNIT) hlo_string_add(text, "true");
  else if (is_bits) add_decimal(text, value->real);
  else hlo_string_add_bytes(text, value->at, value->source_length);
}

static bool is_braced(const char *text) {
  size_t length = strlen(text);
  return length > 2 && text[0] == '{' && text[length - 1] == '}';
}

// {form = "op", tolerance = 0.001}: everything that the operation, or the dictionary in its
// backend_config, says besides what all custom calls say.
static hlo_status expectation_config(stablehlo_importer *im, const mlir_operation *op,
                                     const char *form, const char **out, hlo_error *error) {
  static const char *const known[] = {"value",         "call_target_name", "has_side_effect",
                                      "api_version",   "backend_config",   "operand_layouts",
                                      "result_layouts"};
  const mlir_attribute *config = hlo_mlir_find_attribute(op, "backend_config");
  hlo_string text = {0};
  hlo_string_add_format(&text, "{form = \"%s\"", form);
  for (int32_t i = 0; i < op->attribute_count; i++) {
    bool skipped = strncmp(op->attributes[i].name, "mhlo.", 5) == 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      skipped = skipped || strcmp(known[k], op->attributes[i].name) == 0;
    if (!skipped) add_setting(&text, &op->attributes[i]);
  }
  if (config != NULL && config->kind == MLIR_DICTIONARY)
    for (int32_t i = 0; i < config->count; i++) add_setting(&text, &config->entries[i]);
  // a dictionary as text, which older forms of custom calls have in its place
  if (config != NULL && config->kind == MLIR_STRING && is_braced(config->text))
    hlo_string_add_format(&text, ", %s", config->text + 1);
  else hlo_string_add_char(&text, '}');
  return hlo_import_keep(im, &text, out, error);
}

static hlo_status import_expectation(stablehlo_importer *im, const mlir_operation *op,
                                     const char *target, const char *form, hlo_error *error) {
  hlo_instruction **operands, **all;
  hlo_attribute attributes[3];
  const char *config;
  int32_t count = 0, operand_count = op->operand_count;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_ALLOC(all, &im->parser->tree, (int64_t)operand_count + 1, error);
  for (int32_t i = 0; i < operand_count; i++) all[i] = operands[i];
  const mlir_attribute *value = hlo_mlir_find_attribute(op, "value");
  if (value != NULL && value->kind == MLIR_DENSE) {
    HLO_TRY(
        hlo_import_constant(im, value->literal, value->type->shape, &all[operand_count++], error));
  }
  HLO_TRY(expectation_config(im, op, form, &config, error));
  HLO_TRY(add_text(im, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, target, attributes, &count, error));
  attributes[count++] = hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1);
  attributes[count++] = hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, config);
  const hlo_shape *shape;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  return emit_custom_call(im, op, shape, operand_count, all, count, attributes, error);
}

// The name without "_const", whose value is the second operand.
static hlo_status expectation_target(stablehlo_importer *im, const char *name, const char **out,
                                     hlo_error *error) {
  static const char suffix[] = "_const";
  size_t length = strlen(name), tail = sizeof suffix - 1;
  if (length > tail && strcmp(name + length - tail, suffix) == 0) length -= tail;
  *out = hlo_arena_copy_text(&im->parser->tree, name, length);
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

hlo_status hlo_import_check(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  const char *target;
  HLO_TRY(expectation_target(im, op->name, &target, error));
  return import_expectation(im, op, target, "op", error);
}

// --- custom calls ---

static const char *api_version_name(int64_t version) {
  switch (version) {
  case 2:
    return "API_VERSION_STATUS_RETURNING";
  case 3:
    return "API_VERSION_STATUS_RETURNING_UNIFIED";
  case 4:
    return "API_VERSION_TYPED_FFI";
  default:
    return NULL; // unspecified and original
  }
}

// Bytes with zeros among them, in quotes with C's escapes: a structure of a library's, in older
// calls.
static void add_quoted_bytes(hlo_string *out, const mlir_attribute *value) {
  size_t length = strlen(value->text);
  if (value->text_length > length) length = value->text_length;
  hlo_string_add_char(out, '"');
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)value->text[i];
    if (c == '"' || c == '\\') hlo_string_add_char(out, '\\');
    if (c == '\n') hlo_string_add(out, "\\n");
    else if (c >= ' ' && c < 0x7f) hlo_string_add_char(out, (char)c);
    else hlo_string_add_format(out, "\\%d%d%d", c >> 6, c >> 3 & 7, c & 7);
  }
  hlo_string_add_char(out, '"');
}

// backend_config as HLO text has it: a quoted string, or the dictionary of the typed interface,
// whether the program says that it means that or not; JAX also writes it as mhlo.backend_config.
static hlo_status backend_config(stablehlo_importer *im, const mlir_operation *op, int64_t *version,
                                 hlo_attribute *out, int32_t *count, hlo_error *error) {
  const mlir_attribute *config = hlo_mlir_find_attribute(op, "backend_config");
  const mlir_attribute *typed = hlo_mlir_find_attribute(op, "mhlo.backend_config");
  bool is_empty = config == NULL || (config->kind == MLIR_STRING && config->text[0] == '\0' &&
                                     config->text_length == 0);
  if (is_empty && typed != NULL) config = typed;
  else if (is_empty) return HLO_OK;
  if (config == typed || config->kind == MLIR_DICTIONARY) *version = 4;
  // Of anything else, a type say, HLO has only the text.
  const char *kept = config->text;
  if (config->kind != MLIR_STRING) {
    kept = hlo_arena_copy_text(&im->parser->tree, config->at, config->source_length);
    if (kept == NULL) return hlo_fail_out_of_memory(error);
  }
  hlo_string text = {0};
  if (config->kind == MLIR_DICTIONARY) hlo_string_add(&text, kept);
  else if (config->kind == MLIR_STRING && config->text_length > strlen(kept))
    add_quoted_bytes(&text, config);
  else hlo_import_add_config(&text, kept);
  HLO_TRY(hlo_import_keep(im, &text, &kept, error));
  out[(*count)++] = hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, kept);
  return HLO_OK;
}

static hlo_status called_computations(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_attribute *out, int32_t *count, hlo_error *error) {
  const mlir_attribute *called = hlo_mlir_find_attribute(op, "called_computations");
  if (called == NULL || called->kind != MLIR_ARRAY || called->count == 0) return HLO_OK;
  hlo_computation **computations;
  HLO_ALLOC(computations, &im->parser->tree, called->count, error);
  for (int32_t i = 0; i < called->count; i++) {
    HLO_TRY(hlo_import_callee(im, op, called->elements[i], 0, NULL, &computations[i], error));
  }
  return hlo_attribute_make_computations(&im->module->arena, HLO_ATTRIBUTE_CALLED_COMPUTATIONS,
                                         called->count, computations, &out[(*count)++], error);
}

static void add_index_list(hlo_string *text, const mlir_attribute *list) {
  hlo_string_add_char(text, '{');
  for (int32_t i = 0; list != NULL && list->kind == MLIR_ARRAY && i < list->count; i++) {
    if (i > 0) hlo_string_add_char(text, ',');
    hlo_string_add_int(text, list->elements[i]->integer);
  }
  hlo_string_add_char(text, '}');
}

// {{0}: (1, {}), …}: which result lies in the memory of which operand.
static hlo_status aliases(stablehlo_importer *im, const mlir_operation *op, hlo_attribute *out,
                          int32_t *count, hlo_error *error) {
  const mlir_attribute *list = hlo_mlir_find_attribute(op, "output_operand_aliases");
  if (list == NULL || list->kind != MLIR_ARRAY || list->count == 0) return HLO_OK;
  hlo_string text = {0};
  hlo_status status = HLO_OK;
  hlo_string_add_char(&text, '{');
  for (int32_t i = 0; status == HLO_OK && i < list->count; i++) {
    const mlir_attribute *fields = NULL;
    status = hlo_mlir_struct(im->parser, list->elements[i], &fields, error);
    if (status != HLO_OK) break;
    const mlir_attribute *operand = hlo_mlir_find_entry(fields, "operand_index");
    if (i > 0) hlo_string_add(&text, ", ");
    add_index_list(&text, hlo_mlir_find_entry(fields, "output_tuple_indices"));
    hlo_string_add_format(&text, ": (%lld, ", operand == NULL ? 0LL : (long long)operand->integer);
    add_index_list(&text, hlo_mlir_find_entry(fields, "operand_tuple_indices"));
    hlo_string_add_char(&text, ')');
  }
  hlo_string_add_char(&text, '}');
  if (status != HLO_OK) {
    hlo_string_free(&text);
    return status;
  }
  const char *kept;
  HLO_TRY(hlo_import_keep(im, &text, &kept, error));
  out[(*count)++] = hlo_attribute_make_text(HLO_ATTRIBUTE_OUTPUT_TO_OPERAND_ALIASING, kept);
  return HLO_OK;
}

// Operands that only give sizes of results are not passed to the callee.
static hlo_status drop_shape_operands(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_instruction **operands, int32_t *operand_count,
                                      hlo_error *error) {
  int32_t count, kept = 0;
  const int64_t *indices;
  HLO_TRY(hlo_import_named_ints(im, op, "indices_of_shape_operands", &count, &indices, error));
  for (int32_t i = 0; i < op->operand_count; i++) {
    bool says_sizes = false;
    for (int32_t k = 0; k < count; k++) says_sizes = says_sizes || indices[k] == i;
    if (!says_sizes) operands[kept++] = operands[i];
  }
  *operand_count = kept;
  return HLO_OK;
}

hlo_status hlo_import_module_attributes(stablehlo_importer *im, const mlir_operation *op,
                                        hlo_error *error) {
  return hlo_import_frontend(im, hlo_mlir_find_attribute(op, "mhlo.frontend_attributes"),
                             ", frontend_attributes=", NULL, &im->module->attributes_text, error);
}

// The shape laid out as the list of dimensions says, the fastest first.
static hlo_status laid_out(stablehlo_importer *im, const mlir_operation *op,
                           const mlir_attribute *list, const hlo_shape *shape,
                           const hlo_shape **out, hlo_error *error) {
  hlo_layout layout = {0};
  HLO_TRY(hlo_import_ints(im, list, &layout.rank, &layout.minor_to_major, error));
  if (!hlo_shape_is_array(shape)) {
    *out = shape; // of a token an empty list
    if (layout.rank == 0) return HLO_OK;
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "only arrays have layouts");
  }
  hlo_status status = hlo_shape_with_layout(&im->module->arena, shape, &layout, out, error);
  if (status != HLO_OK) hlo_error_locate(error, op->line, op->column);
  return status;
}

static hlo_status operand_layouts(stablehlo_importer *im, const mlir_operation *op,
                                  const mlir_attribute *lists, hlo_instruction *const *operands,
                                  hlo_attribute *out, int32_t *count, hlo_error *error) {
  hlo_string text = {0};
  const hlo_shape *shape;
  const char *kept;
  hlo_status status = HLO_OK;
  for (int32_t k = 0; k < lists->count && status == HLO_OK; k++) {
    status = laid_out(im, op, lists->elements[k], operands[k]->shape, &shape, error);
    if (status != HLO_OK) break;
    hlo_string_add(&text, k > 0 ? ", " : "{");
    hlo_shape_print(&text, shape, true);
  }
  hlo_string_add(&text, lists->count > 0 ? "}" : "{}");
  if (status == HLO_OK) status = hlo_import_keep(im, &text, &kept, error);
  else hlo_string_free(&text);
  if (status == HLO_OK)
    out[(*count)++] = hlo_attribute_make_text(HLO_ATTRIBUTE_OPERAND_LAYOUT_CONSTRAINTS, kept);
  return status;
}

static hlo_status result_layouts(stablehlo_importer *im, const mlir_operation *op,
                                 const mlir_attribute *lists, const hlo_shape **shape,
                                 hlo_error *error) {
  const hlo_shape **shapes;
  if (lists->count == 1 && op->result_count == 1)
    return laid_out(im, op, lists->elements[0], *shape, shape, error);
  HLO_ALLOC(shapes, &im->parser->tree, lists->count, error);
  for (int32_t i = 0; i < lists->count; i++)
    HLO_TRY(laid_out(im, op, lists->elements[i], (*shape)->elements[i], &shapes[i], error));
  return hlo_shape_make_tuple(&im->module->arena, lists->count, shapes, shape, error);
}

// operand_layouts and result_layouts stand together.
static hlo_status layouts(stablehlo_importer *im, const mlir_operation *op, int32_t operand_count,
                          hlo_instruction *const *operands, const hlo_shape **shape,
                          hlo_attribute *out, int32_t *count, hlo_error *error) {
  const mlir_attribute *of_operands = hlo_mlir_find_attribute(op, "operand_layouts");
  const mlir_attribute *of_results = hlo_mlir_find_attribute(op, "result_layouts");
  if ((of_operands == NULL && of_results == NULL) || hlo_shape_is_unbounded(*shape)) return HLO_OK;
  // Programs of any size say layouts of operands that only said sizes, too: those are all default.
  if (operand_count != op->operand_count) return HLO_OK;
  bool fits = of_operands != NULL && of_results != NULL && of_operands->kind == MLIR_ARRAY &&
              of_results->kind == MLIR_ARRAY && of_operands->count == operand_count &&
              of_results->count == op->result_count;
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "operand_layouts and result_layouts must have a layout for each operand "
                           "and each result");
  HLO_TRY(operand_layouts(im, op, of_operands, operands, out, count, error));
  return of_results->count == 0 ? HLO_OK : result_layouts(im, op, of_results, shape, error);
}

hlo_status hlo_import_custom_call(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  const mlir_attribute *target = hlo_mlir_find_attribute(op, "call_target_name");
  if (target == NULL || (target->kind != MLIR_STRING && target->kind != MLIR_SYMBOL))
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no call_target_name");
  if (strncmp(target->text, "check.", 6) == 0)
    return import_expectation(im, op, target->text, "custom_call", error);
  if (strncmp(target->text, "mhlo.", 5) == 0) return hlo_import_chlo(im, op, error);
  if (strcmp(target->text, "ApproxTopK") == 0) return hlo_import_approx_top_k(im, op, error);
  hlo_import_function *dynamic = hlo_import_dynamic_call(target->text);
  if (dynamic != NULL) return dynamic(im, op, error);
  hlo_instruction **operands;
  hlo_attribute attributes[10];
  const hlo_shape *shape;
  int32_t count = 0, operand_count;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(drop_shape_operands(im, op, operands, &operand_count, error));
  HLO_TRY(add_text(im, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, target->text, attributes, &count, error));
  const mlir_attribute *side_effect = hlo_mlir_find_attribute(op, "has_side_effect");
  bool has_side_effect = false;
  if (side_effect != NULL) HLO_TRY(hlo_import_bool(im, side_effect, &has_side_effect, error));
  if (has_side_effect)
    attributes[count++] = hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1);
  HLO_TRY(aliases(im, op, attributes, &count, error));
  const mlir_attribute *stated = hlo_mlir_find_attribute(op, "api_version");
  int64_t version = stated == NULL ? 0 : stated->integer;
  HLO_TRY(called_computations(im, op, attributes, &count, error));
  HLO_TRY(backend_config(im, op, &version, attributes, &count, error));
  const char *version_name = api_version_name(version);
  if (version_name != NULL)
    attributes[count++] = hlo_attribute_make_text(HLO_ATTRIBUTE_API_VERSION, version_name);
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(layouts(im, op, operand_count, operands, &shape, attributes, &count, error));
  return emit_custom_call(im, op, shape, operand_count, operands, count, attributes, error);
}
