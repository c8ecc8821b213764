// The platform index argument that jax.export prepends for programs of several platforms: it
// becomes a constant, so that programs have the function's own signature and branches for other
// platforms are dead. See import.h. Source: "Exporting and serializing staged-out computations"
// (docs.jax.dev).
#include "text/stablehlo/import/import.h"

#include <string.h>

static bool is_platform_index(int32_t count, const mlir_entry *entries) {
  for (int32_t i = 0; i < count; i++) {
    const mlir_attribute *value = entries[i].value;
    if (strcmp(entries[i].name, "jax.global_constant") == 0 && value->kind == MLIR_STRING)
      return strcmp(value->text, "_platform_index") == 0;
  }
  return false;
}

// What the first argument's attributes say, next to it or in the list of all arguments'.
static bool has_platform_index(const mlir_operation *op) {
  const mlir_region *region = op->regions[0];
  const mlir_attribute *all = hlo_mlir_find_attribute(op, "arg_attrs");
  if (region->argument_count == 0 || region->first == NULL) return false;
  const mlir_value *first = &region->arguments[0];
  hlo_type type = first->type->kind == MLIR_TYPE_SHAPED ? first->type->shape->type : HLO_TUPLE;
  if ((type != HLO_S32 && type != HLO_S64) || !hlo_shape_is_scalar(first->type->shape))
    return false;
  if (is_platform_index(first->attribute_count, first->attributes)) return true;
  return all != NULL && all->kind == MLIR_ARRAY && all->count > 0 &&
         all->elements[0]->kind == MLIR_DICTIONARY &&
         is_platform_index(all->elements[0]->count, all->elements[0]->entries);
}

// A constant whose result is the value, in front of the region's operations.
static hlo_status define_value(stablehlo_importer *im, mlir_region *region, mlir_value *value,
                               int64_t number, hlo_error *error) {
  mlir_operation *op;
  mlir_attribute *dense;
  hlo_literal *literal;
  HLO_ALLOC(op, &im->parser->tree, 1, error);
  HLO_ALLOC(literal, &im->module->arena, 1, error);
  HLO_ALLOC(literal->data, &im->module->arena, 8, error);
  literal->shape = value->type->shape;
  memcpy(literal->data, &number, (size_t)hlo_type_bytes(literal->shape->type)); // little endian
  HLO_TRY(hlo_mlir_new_attribute(im->parser, MLIR_DENSE, &dense, error));
  dense->type = value->type;
  dense->literal = literal;
  op->name = "stablehlo.constant";
  op->at = value->at;
  op->line = region->first->line;
  op->column = region->first->column;
  op->result_count = 1;
  op->results = value;
  op->next = region->first;
  region->first = op;
  return hlo_mlir_add_attribute(im->parser, op, "value", dense, error);
}

hlo_status hlo_import_choose_platform(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  mlir_attribute *attribute =
      (mlir_attribute *)(uintptr_t)hlo_mlir_find_attribute(op, "function_type");
  mlir_region *region = op->regions[0];
  if (!has_platform_index(op) || attribute == NULL || attribute->type == NULL ||
      attribute->type->kind != MLIR_TYPE_FUNCTION ||
      attribute->type->input_count != region->argument_count)
    return HLO_OK;
  mlir_type *type;
  HLO_ALLOC(type, &im->parser->tree, 1, error);
  *type = *attribute->type;
  type->inputs++;
  type->input_count--;
  attribute->type = type;
  HLO_TRY(define_value(im, region, region->arguments, im->options->platform_index, error));
  region->arguments++;
  region->argument_count--;
  return HLO_OK;
}
