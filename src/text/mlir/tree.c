// Queries on the tree of a program: attributes by name, types, unread parts. See tree.h.
#include "text/mlir/parser.h"

#include <string.h>

hlo_status hlo_mlir_new_attribute(mlir_parser *p, mlir_attribute_kind kind, mlir_attribute **out,
                                  hlo_error *error) {
  HLO_ALLOC(*out, &p->tree, 1, error);
  (*out)->kind = kind;
  (*out)->at = p->token.at;
  return HLO_OK;
}

const mlir_attribute *hlo_mlir_find_entry(const mlir_attribute *dictionary, const char *name) {
  if (dictionary == NULL || dictionary->kind != MLIR_DICTIONARY) return NULL;
  for (int32_t i = 0; i < dictionary->count; i++)
    if (strcmp(dictionary->entries[i].name, name) == 0) return dictionary->entries[i].value;
  return NULL;
}

const char *hlo_mlir_unread_reason(const char *at, size_t length, size_t *reason_length) {
  static const char begin[] = MLIR_UNREAD_END "<\"";
  const char *end = at + length, *name = memchr(at, '<', length), *quote;
  size_t tail = sizeof begin - 1, before = tail - 2;
  if (length == 0 || (*at != '#' && *at != '!') || name == NULL || (size_t)(name - at) < before)
    return NULL;
  const char *reason = name - before + tail;
  if (reason > end || memcmp(name - before, begin, tail) != 0) return NULL;
  quote = memchr(reason, '"', (size_t)(end - reason));
  *reason_length = (size_t)((quote == NULL ? end : quote) - reason);
  return reason;
}

static const char *unread_in(const mlir_attribute *a, size_t *length) {
  const char *found = NULL;
  if (a->kind == MLIR_DIALECT) return hlo_mlir_unread_reason(a->at, a->source_length, length);
  for (int32_t i = 0; a->kind == MLIR_ARRAY && i < a->count && found == NULL; i++)
    found = unread_in(a->elements[i], length);
  for (int32_t i = 0; a->kind == MLIR_DICTIONARY && i < a->count && found == NULL; i++)
    found = unread_in(a->entries[i].value, length);
  return found;
}

const char *hlo_mlir_unread_attribute(const mlir_operation *operation, size_t *length) {
  const char *found = NULL;
  for (int32_t i = 0; i < operation->attribute_count && found == NULL; i++) {
    const mlir_entry *entry = &operation->attributes[i];
    if (strchr(entry->name, '.') == NULL) found = unread_in(entry->value, length); // its own
  }
  return found;
}

const mlir_attribute *hlo_mlir_find_attribute(const mlir_operation *operation, const char *name) {
  for (int32_t i = 0; i < operation->attribute_count; i++)
    if (strcmp(operation->attributes[i].name, name) == 0) return operation->attributes[i].value;
  return NULL;
}

bool hlo_mlir_same_quantization(const mlir_quantization *a, const mlir_quantization *b) {
  if (a == b) return true;
  if (a == NULL || b == NULL || !hlo_mlir_same_storage(a, b) || a->dimension != b->dimension ||
      a->count != b->count)
    return false;
  for (int32_t i = 0; i < a->count; i++)
    if (a->scales[i] != b->scales[i] || a->zero_points[i] != b->zero_points[i]) return false;
  return true;
}

bool hlo_mlir_same_storage(const mlir_quantization *a, const mlir_quantization *b) {
  return a->storage == b->storage && a->expressed == b->expressed && a->minimum == b->minimum &&
         a->maximum == b->maximum;
}

bool hlo_mlir_same_type(const mlir_type *a, const mlir_type *b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  if (!hlo_mlir_same_quantization(a->quantization, b->quantization)) return false;
  if (a->shape != NULL) return hlo_shape_equal(a->shape, b->shape);
  if (a->kind == MLIR_TYPE_FUNCTION) {
    if (a->input_count != b->input_count || a->result_count != b->result_count) return false;
    for (int32_t i = 0; i < a->input_count; i++)
      if (!hlo_mlir_same_type(a->inputs[i], b->inputs[i])) return false;
    for (int32_t i = 0; i < a->result_count; i++)
      if (!hlo_mlir_same_type(a->results[i], b->results[i])) return false;
    return true;
  }
  return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}
