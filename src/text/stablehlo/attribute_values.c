// Reads single attributes of StableHLO operations: integers and lists of them, words. See
// text/stablehlo/import/import.h.
#include "text/stablehlo/import/import.h"

#include <string.h>

hlo_status hlo_import_wrong_kind(stablehlo_importer *im, const mlir_attribute *a,
                                 const char *wanted, hlo_error *error) {
  return hlo_mlir_fail_at(im->parser, a->at, HLO_PARSE_ERROR, error, "expected %s", wanted);
}

bool hlo_import_is_of_type(const mlir_attribute *a, hlo_type type) {
  if (a->kind == MLIR_DENSE_ARRAY)
    return a->element_type == type || a->element_type == HLO_TYPE_INVALID;
  return a->type == NULL || (a->type->shape != NULL && a->type->shape->type == type);
}

hlo_status hlo_import_int_of_type(stablehlo_importer *im, const mlir_attribute *a, hlo_type type,
                                  int64_t *out, hlo_error *error) {
  if (a->kind != MLIR_INTEGER || !hlo_import_is_of_type(a, type))
    return hlo_import_wrong_kind(
        im, a, type == HLO_S64 ? "an integer of type i64" : "an integer of type i32", error);
  *out = a->integer;
  return HLO_OK;
}

hlo_status hlo_import_int(stablehlo_importer *im, const mlir_attribute *a, int64_t *out,
                          hlo_error *error) {
  return hlo_import_int_of_type(im, a, HLO_S64, out, error);
}

hlo_status hlo_import_bool(stablehlo_importer *im, const mlir_attribute *a, bool *out,
                           hlo_error *error) {
  bool is_i1 = a->kind == MLIR_INTEGER && a->type != NULL && hlo_import_is_of_type(a, HLO_PRED);
  if (a->kind != MLIR_UNIT && a->kind != MLIR_BOOL && !is_i1)
    return hlo_import_wrong_kind(im, a, "true or false", error);
  *out = a->kind == MLIR_UNIT || a->integer != 0;
  return HLO_OK;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char word_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

hlo_status hlo_import_word(stablehlo_importer *im, const mlir_attribute *a, const char **out,
                           hlo_error *error) {
  const char *text = a->text;
  size_t length = text == NULL ? 0 : strlen(text);
  if (a->kind == MLIR_DIALECT && a->body != NULL) { // the last word of "comparison_direction LT"
    text = a->body;
    length = a->body_length;
    while (length > 0 && is_blank(text[length - 1])) length--;
    size_t start = length;
    while (start > 0 && !is_blank(text[start - 1])) start--;
    text += start;
    length -= start;
  }
  if (length == 0 || strspn(text, word_characters) < length)
    return hlo_import_wrong_kind(im, a, "a word", error);
  char *copy = hlo_arena_copy_text(&im->module->arena, text, length);
  if (copy == NULL) return hlo_fail_out_of_memory(error);
  *out = copy;
  return HLO_OK;
}

typedef struct int_list {
  int32_t count, capacity;
  int64_t *ints;
} int_list;

static hlo_status add_int(stablehlo_importer *im, int_list *list, int64_t value, hlo_error *error) {
  HLO_GROW_LIST(list->ints, &im->parser->tree, list->count, list->capacity, error);
  list->ints[list->count++] = value;
  return HLO_OK;
}

static hlo_status flatten(stablehlo_importer *im, const mlir_attribute *a, int_list *list,
                          hlo_error *error) {
  int64_t value;
  switch (a->kind) {
  case MLIR_INTEGER:
    HLO_TRY(hlo_import_int(im, a, &value, error));
    return add_int(im, list, value, error);
  case MLIR_BOOL:
    return add_int(im, list, a->integer, error);
  case MLIR_ARRAY:
    for (int32_t i = 0; i < a->count; i++) HLO_TRY(flatten(im, a->elements[i], list, error));
    return HLO_OK;
  default:
    return hlo_import_wrong_kind(im, a, "a list of integers", error);
  }
}

// A list in an attribute is never long; a splat of a huge type must not make it so.
enum { LONGEST_SPLAT = 1 << 16 };

static hlo_status dense_ints(stablehlo_importer *im, const mlir_attribute *a, int_list *list,
                             hlo_error *error) {
  const hlo_shape *shape = a->type->shape;
  int64_t elements = hlo_shape_elements(shape);
  if (a->is_splat && elements > LONGEST_SPLAT)
    return hlo_import_wrong_kind(im, a, "a shorter list", error);
  const char *data = a->literal->data;
  int32_t width = hlo_type_bytes(shape->type);
  for (int64_t i = 0; i < elements; i++) {
    hlo_number n = hlo_element_get(shape->type, data + (a->is_splat ? 0 : i * width));
    HLO_TRY(add_int(im, list, shape->type == HLO_S64 ? n.i : (int64_t)n.u, error));
  }
  return HLO_OK;
}

hlo_status hlo_import_ints(stablehlo_importer *im, const mlir_attribute *a, int32_t *count,
                           const int64_t **out, hlo_error *error) {
  *count = 0;
  *out = NULL;
  if (a == NULL) return HLO_OK;
  int_list list = {0};
  if (!hlo_import_is_of_type(a, HLO_S64) && !hlo_import_is_of_type(a, HLO_PRED))
    return hlo_import_wrong_kind(im, a, "integers of type i64", error);
  if (a->kind == MLIR_DENSE_ARRAY) {
    *count = a->count;
    *out = a->ints;
    return HLO_OK;
  }
  if (a->kind == MLIR_DENSE) HLO_TRY(dense_ints(im, a, &list, error));
  else if (a->kind == MLIR_ARRAY) HLO_TRY(flatten(im, a, &list, error));
  else return hlo_import_wrong_kind(im, a, "a list of integers", error);
  *count = list.count;
  *out = list.ints;
  return HLO_OK;
}

hlo_status hlo_import_named_ints(stablehlo_importer *im, const mlir_operation *op, const char *name,
                                 int32_t *count, const int64_t **out, hlo_error *error) {
  return hlo_import_ints(im, hlo_mlir_find_attribute(op, name), count, out, error);
}
