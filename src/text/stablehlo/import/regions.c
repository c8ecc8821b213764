// Imports regions as computations. A region may use values from outside, a computation may not:
// constants are made anew inside. See import.h.
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

hlo_status hlo_import_operations(stablehlo_importer *im, const mlir_region *region,
                                 hlo_error *error) {
  for (const mlir_operation *op = region->first; op != NULL && op->next != NULL; op = op->next)
    HLO_TRY(hlo_import_operation(im, op, error));
  return HLO_OK;
}

hlo_status hlo_import_finish(stablehlo_importer *im, const mlir_region *region,
                             const char *terminator, hlo_error *error) {
  const mlir_operation *last = region->last;
  hlo_instruction **operands;
  bool ends = last != NULL && (strcmp(last->name, terminator) == 0 ||
                               strcmp(last->name, "stablehlo.return") == 0); // in functions too
  if (!ends) {
    const mlir_operation *at = last != NULL ? last : im->operation;
    return hlo_import_fail(at, HLO_PARSE_ERROR, error, "the region does not end with %s",
                           terminator);
  }
  im->operation = last;
  HLO_TRY(hlo_import_operands(im, last, &operands, error));
  HLO_TRY(hlo_import_tuple(im, last->operand_count, operands, &im->computation->root, error));
  HLO_TRY(hlo_computation_collect_parameters(im->computation, error));
  return hlo_mlir_list_add(im->parser, &im->finished, im->computation, error);
}

// Whether x is a constant, or a broadcast of one.
bool hlo_import_is_constant(const hlo_instruction *x) {
  if (x->opcode == HLO_OP_BROADCAST || x->opcode == HLO_OP_RESHAPE) x = x->operands[0];
  return x->opcode == HLO_OP_CONSTANT;
}

static hlo_status copy_constant(stablehlo_importer *im, const hlo_instruction *x,
                                hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = NULL;
  if (x->operand_count == 1) HLO_TRY(copy_constant(im, x->operands[0], &operand, error));
  HLO_TRY(hlo_instruction_create(im->computation, x->opcode, x->name, x->shape, x->operand_count,
                                 &operand, x->attribute_count, x->attributes, out, error));
  (*out)->literal = x->literal;
  (*out)->line = x->line;
  (*out)->column = x->column;
  return HLO_OK;
}

static void save_value(stablehlo_saved_state *saved, mlir_value *value) {
  saved->values[saved->count] = value;
  saved->instructions[saved->count++] = value->instruction;
}

// carried may be NULL.
hlo_status hlo_import_enter_region(stablehlo_importer *im, const mlir_operation *op,
                                   const mlir_region *region, const mlir_list *carried,
                                   stablehlo_saved_state *saved, hlo_error *error) {
  int32_t carried_count = carried == NULL ? 0 : carried->count;
  int64_t count = (int64_t)region->capture_count + carried_count;
  *saved = (stablehlo_saved_state){.computation = im->computation, .operation = op};
  HLO_ALLOC(saved->values, &im->parser->tree, count, error);
  HLO_ALLOC(saved->instructions, &im->parser->tree, count, error);
  for (int32_t i = 0; i < region->capture_count; i++) save_value(saved, region->captures[i]);
  for (int32_t i = 0; i < carried_count; i++) save_value(saved, carried->items[i]);
  const char *dot = strrchr(op->name, '.');
  return hlo_computation_create(im->module, dot == NULL ? "region" : dot + 1, &im->computation,
                                error);
}

void hlo_import_leave_region(stablehlo_importer *im, const stablehlo_saved_state *saved) {
  im->computation = saved->computation;
  im->operation = saved->operation;
  for (int32_t i = 0; i < saved->count; i++) saved->values[i]->instruction = saved->instructions[i];
}

// The region's operations and return, then back to the outer computation.
hlo_status hlo_import_finish_region(stablehlo_importer *im, const mlir_region *region,
                                    const stablehlo_saved_state *saved, hlo_computation **out,
                                    hlo_error *error) {
  HLO_TRY(hlo_import_operations(im, region, error));
  bool is_sdy = strncmp(saved->operation->name, "sdy.", 4) == 0;
  HLO_TRY(hlo_import_finish(im, region, is_sdy ? "sdy.return" : "stablehlo.return", error));
  *out = im->computation;
  hlo_import_leave_region(im, saved);
  return HLO_OK;
}

hlo_status hlo_import_copy_constants(stablehlo_importer *im, const mlir_region *region,
                                     hlo_error *error) {
  for (int32_t i = 0; i < region->capture_count; i++) {
    hlo_instruction *outside = region->captures[i]->instruction, *inside;
    bool is_inside = outside == NULL || outside->computation == im->computation;
    if (is_inside || !hlo_import_is_constant(outside)) continue;
    HLO_TRY(copy_constant(im, outside, &inside, error));
    region->captures[i]->instruction = inside;
  }
  return HLO_OK;
}

hlo_status hlo_import_add_parameter(stablehlo_importer *im, int32_t number, const hlo_shape *shape,
                                    hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_emit(im, HLO_OP_PARAMETER, shape, 0, NULL, 0, NULL, out, error));
  (*out)->parameter_number = number;
  return HLO_OK;
}

hlo_status hlo_import_reducer(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                              hlo_computation **out, hlo_error *error) {
  const mlir_region *region = op->regions[index];
  stablehlo_saved_state saved;
  HLO_TRY(hlo_import_enter_region(im, op, region, NULL, &saved, error));
  for (int32_t i = 0; i < region->argument_count; i++) {
    const hlo_shape *shape;
    hlo_instruction *parameter;
    HLO_TRY(hlo_import_value_shape(op, &region->arguments[i], &shape, error));
    HLO_TRY(hlo_import_add_parameter(im, i, shape, &parameter, error));
    region->arguments[i].instruction = parameter;
  }
  HLO_TRY(hlo_import_copy_constants(im, region, error));
  return hlo_import_finish_region(im, region, &saved, out, error);
}
