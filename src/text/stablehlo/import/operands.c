// Queries on an operation: operands, shapes, names; and errors about it. Creates no instructions.
// See import.h.
#include "text/stablehlo/import/import.h"

#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

hlo_status hlo_import_fail(const mlir_operation *op, hlo_status status, hlo_error *error,
                           const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  hlo_format(message, sizeof message, format, arguments);
  va_end(arguments);
  return hlo_fail_at(error, status, op->line, op->column, "%.*s: %s", 100, op->name, message);
}

const char *hlo_import_name_from(const char *name, char *buffer, size_t size) {
  char first = (char)(name[0] | 0x20);
  if ((first < 'a' || first > 'z') && name[0] != '_') return NULL;
  size_t length = strlen(name);
  if (length >= size) length = size - 1;
  memcpy(buffer, name, length);
  buffer[length] = '\0';
  for (size_t i = 0; i < length; i++) {
    char c = (char)(buffer[i] | 0x20);
    bool valid = (c >= 'a' && c <= 'z') || (buffer[i] >= '0' && buffer[i] <= '9') ||
                 strchr("_.-", buffer[i]) != NULL;
    if (!valid) buffer[i] = '_';
  }
  return buffer;
}

hlo_status hlo_import_operand(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                              hlo_instruction **out, hlo_error *error) {
  hlo_instruction *instruction = op->operands[index]->instruction;
  if (instruction == NULL || instruction->computation != im->computation) {
    return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                           "a value from outside of the region, %%%.*s, that is no constant is not "
                           "supported here",
                           100, op->operands[index]->name);
  }
  *out = instruction;
  return HLO_OK;
}

hlo_status hlo_import_operands(stablehlo_importer *im, const mlir_operation *op,
                               hlo_instruction ***out, hlo_error *error) {
  HLO_ALLOC(*out, &im->parser->tree, op->operand_count, error);
  for (int32_t i = 0; i < op->operand_count; i++)
    HLO_TRY(hlo_import_operand(im, op, i, &(*out)[i], error));
  return HLO_OK;
}

hlo_status hlo_import_operand_count(const mlir_operation *op, int32_t count, hlo_error *error) {
  if (op->operand_count == count) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes %d operand%s, not %d", count,
                         count == 1 ? "" : "s", op->operand_count);
}

hlo_status hlo_import_value_shape(const mlir_operation *op, const mlir_value *value,
                                  const hlo_shape **out, hlo_error *error) {
  *out = value->type->shape;
  if (value->type->kind == MLIR_TYPE_SHAPED || (*out != NULL && hlo_sizes_is(op->name)))
    return HLO_OK;
  if (value->type->why != NULL)
    return hlo_fail_at(error, HLO_UNSUPPORTED, value->type->line, value->type->column, "%s",
                       value->type->why);
  size_t length;
  const char *why = hlo_mlir_unread_reason(value->type->at, value->type->length, &length);
  if (why != NULL) return hlo_import_fail(op, HLO_UNSUPPORTED, error, "%.*s", (int)length, why);
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "values of type %.*s are not supported",
                         (int)(value->type->length < 100 ? value->type->length : 100),
                         value->type->at);
}

hlo_status hlo_import_shape_like(stablehlo_importer *im, const hlo_shape *like, hlo_type type,
                                 const hlo_shape **out, hlo_error *error) {
  return hlo_shape_with_type(&im->module->arena, like, type, false, out, error);
}

bool hlo_import_fits(const hlo_shape *type, const hlo_shape *shape) {
  bool fits = type->type == shape->type && type->rank == shape->rank &&
              type->element_count == shape->element_count;
  for (int32_t i = 0; fits && i < type->rank; i++)
    fits = hlo_import_is_open(type, i) || type->dims[i] == shape->dims[i];
  for (int32_t i = 0; fits && i < type->element_count; i++)
    fits = hlo_import_fits(type->elements[i], shape->elements[i]);
  return fits;
}
