// Imports a function as a computation. See import.h.
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

bool hlo_import_has_body(const stablehlo_function *function) {
  const mlir_operation *op = function->operation;
  const mlir_attribute *visibility = hlo_mlir_find_attribute(op, "sym_visibility");
  bool is_private = visibility != NULL && visibility->kind == MLIR_STRING &&
                    strcmp(visibility->text, "private") == 0;
  return op->region_count > 0 && !(is_private && op->regions[0]->first == NULL);
}

hlo_status hlo_import_resolve_function(stablehlo_importer *im, const mlir_operation *op,
                                       const mlir_attribute *symbol, stablehlo_function **out,
                                       hlo_error *error) {
  if (symbol == NULL || symbol->kind != MLIR_SYMBOL)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "names no function");
  *out = hlo_name_table_find(&im->functions, symbol->text, strlen(symbol->text));
  if (*out == NULL) {
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "there is no function @%.*s", 200,
                           symbol->text);
  }
  if ((*out)->left_out != NULL) {
    if (error != NULL) *error = *(*out)->left_out;
    return (*out)->left_out->status;
  }
  if (!hlo_import_has_body(*out)) {
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "the function @%.*s has no body", 200,
                           symbol->text);
  }
  return HLO_OK;
}

const char *hlo_import_function_name(const mlir_operation *op) {
  const mlir_attribute *name = hlo_mlir_find_attribute(op, "sym_name");
  return name != NULL && name->text != NULL ? name->text : "";
}

// What the argument's location calls it: the parameter's name in the program that was exported, as
// XLA keeps it.
static hlo_status add_label(stablehlo_importer *im, const mlir_value *argument,
                            hlo_instruction *parameter, hlo_error *error) {
  const char *name = argument->location == NULL ? NULL : argument->location->text;
  hlo_string text = {0};
  if (name == NULL || name[0] == '\0' || argument->location->kind != MLIR_OTHER) return HLO_OK;
  hlo_string_add(&text, "{op_name=");
  hlo_import_add_quoted(&text, name);
  hlo_string_add_char(&text, '}');
  const char *kept;
  HLO_TRY(hlo_import_keep(im, &text, &kept, error));
  HLO_ALLOC(parameter->attributes, &im->module->arena, 1, error);
  parameter->attributes[parameter->attribute_count++] =
      hlo_attribute_make_text(HLO_ATTRIBUTE_METADATA, kept);
  return HLO_OK;
}

// shapes may be NULL.
static hlo_status add_parameters(stablehlo_importer *im, const mlir_operation *op,
                                 const mlir_region *region, const hlo_shape *const *shapes,
                                 hlo_error *error) {
  for (int32_t i = 0; i < region->argument_count; i++) {
    hlo_instruction *parameter;
    const hlo_shape *shape;
    char buffer[100];
    const char *name = hlo_import_name_from(region->arguments[i].name, buffer, sizeof buffer);
    if (shapes != NULL) HLO_TRY(hlo_shape_copy(&im->module->arena, shapes[i], &shape, error));
    else HLO_TRY(hlo_import_value_shape(op, &region->arguments[i], &shape, error));
    HLO_TRY(hlo_instruction_create(im->computation, HLO_OP_PARAMETER, name, shape, 0, NULL, 0, NULL,
                                   &parameter, error));
    parameter->parameter_number = i;
    parameter->line = op->line;
    parameter->column = op->column;
    region->arguments[i].instruction = parameter;
    if (im->entry != NULL && im->entry->operation == op)
      HLO_TRY(add_label(im, &region->arguments[i], parameter, error));
    HLO_TRY(hlo_import_argument_attributes(im, op, i, parameter, error));
  }
  return HLO_OK;
}

// The values that the function returns are those of its type.
static hlo_status check_return(const mlir_operation *op, hlo_error *error) {
  const mlir_attribute *attribute = hlo_mlir_find_attribute(op, "function_type");
  const mlir_region *region = op->regions[0];
  const mlir_type *type = attribute == NULL ? NULL : attribute->type;
  if (type == NULL || type->kind != MLIR_TYPE_FUNCTION)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no function type");
  bool same = type->input_count == region->argument_count;
  for (int32_t i = 0; same && i < type->input_count; i++)
    same = hlo_mlir_same_type(type->inputs[i], region->arguments[i].type);
  if (!same)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "the arguments are not those of its type");
  const mlir_operation *last = region->last;
  if (last == NULL || strcmp(last->name, "func.return") != 0) return HLO_OK; // found later
  if (type->result_count != last->operand_count) {
    return hlo_import_fail(last, HLO_PARSE_ERROR, error,
                           "returns %d values, the function's type has %d", last->operand_count,
                           type->result_count);
  }
  for (int32_t i = 0; i < type->result_count; i++) {
    if (!hlo_mlir_same_type(type->results[i], last->operands[i]->type))
      return hlo_import_fail(last, HLO_PARSE_ERROR, error,
                             "value %d has another type than the function's result", i);
  }
  return HLO_OK;
}

hlo_status hlo_import_function_for(stablehlo_importer *im, stablehlo_function *function,
                                   const hlo_shape *const *shapes, const stablehlo_known *values,
                                   hlo_computation **out, hlo_error *error) {
  const mlir_operation *op = function->operation;
  const mlir_region *region = op->regions[0];
  char buffer[200];
  const char *name = hlo_import_name_from(hlo_import_function_name(op), buffer, sizeof buffer);
  HLO_TRY(hlo_import_check_region(region, error));
  HLO_TRY(check_return(op, error));
  HLO_TRY(hlo_computation_create(im->module, name == NULL ? "function" : name, &im->computation,
                                 error));
  im->computation->is_function = true;
  *out = im->computation;
  im->operation = op;
  HLO_TRY(add_parameters(im, op, region, shapes, error));
  if (values != NULL) {
    stablehlo_environment *environment;
    HLO_TRY(hlo_import_environment(im, im->computation, &environment, error));
    environment->parameters = values;
  }
  HLO_TRY(hlo_import_operations(im, region, error));
  HLO_TRY(hlo_import_finish(im, region, "func.return", error));
  return hlo_import_result_attributes(im, op, region->last->operand_count, (*out)->root, error);
}

hlo_status hlo_import_whole_function(stablehlo_importer *im, stablehlo_function *function,
                                     hlo_error *error) {
  stablehlo_mark mark = hlo_import_get_mark(im);
  hlo_status status =
      hlo_import_function_for(im, function, NULL, NULL, &function->computation, error);
  if (status != HLO_UNSUPPORTED || im->entry == NULL || function->is_called || error == NULL)
    return status;
  HLO_ALLOC(function->left_out, &im->parser->tree, 1, error);
  *function->left_out = *error;
  hlo_error_clear(error);
  hlo_import_rewind(im, mark);
  function->computation = NULL;
  return HLO_OK;
}
