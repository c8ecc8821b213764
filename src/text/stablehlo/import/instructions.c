// Creates the instructions of imported operations: operands, names and results. See import.h.
#include "text/stablehlo/import/import.h"

#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

void hlo_import_name_next(stablehlo_importer *im, const mlir_operation *op) {
  im->name = op->result_count == 0 ? NULL
                                   : hlo_import_name_from(op->results[0].name, im->name_buffer,
                                                          sizeof im->name_buffer);
}

hlo_status hlo_import_emit(stablehlo_importer *im, hlo_opcode opcode, const hlo_shape *shape,
                           int32_t operand_count, hlo_instruction *const *operands,
                           int32_t attribute_count, const hlo_attribute *attributes,
                           hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_instruction_create(im->computation, opcode, im->name, shape, operand_count, operands,
                                 attribute_count, attributes, out, error));
  im->name = NULL;
  if (im->operation != NULL) {
    (*out)->line = im->operation->line;
    (*out)->column = im->operation->column;
  }
  return hlo_shape_is_unbounded(shape) ? hlo_import_refine(im, *out, error) : HLO_OK;
}

hlo_status hlo_import_result_shape(stablehlo_importer *im, const mlir_operation *op,
                                   const hlo_shape **out, hlo_error *error) {
  const hlo_shape **shapes;
  HLO_ALLOC(shapes, &im->parser->tree, op->result_count, error);
  for (int32_t i = 0; i < op->result_count; i++)
    HLO_TRY(hlo_import_value_shape(op, &op->results[i], &shapes[i], error));
  hlo_status status = HLO_OK;
  if (op->result_count == 1) *out = shapes[0];
  else status = hlo_shape_make_tuple(&im->module->arena, op->result_count, shapes, out, error);
  if (status == HLO_OK && hlo_shape_is_unbounded(*out))
    status = hlo_import_open_result(im, op, out, error);
  if (status != HLO_OK) hlo_error_locate(error, op->line, op->column);
  return status;
}

hlo_status hlo_import_element(stablehlo_importer *im, hlo_instruction *tuple, int32_t index,
                              hlo_instruction **out, hlo_error *error) {
  hlo_attribute attribute = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, index);
  return hlo_import_emit(im, HLO_OP_GET_TUPLE_ELEMENT, tuple->shape->elements[index], 1, &tuple, 1,
                         &attribute, out, error);
}

hlo_status hlo_import_set_result(const mlir_operation *op, int32_t index,
                                 hlo_instruction *instruction, hlo_error *error) {
  const hlo_shape *stated;
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  HLO_TRY(hlo_import_value_shape(op, &op->results[index], &stated, error));
  if (!hlo_import_fits(stated, instruction->shape))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "result %d has shape %s, but %s is stated",
                           index, hlo_shape_to_text(text_a, instruction->shape),
                           hlo_shape_to_text(text_b, stated));
  op->results[index].instruction = instruction;
  return HLO_OK;
}

hlo_status hlo_import_set_results(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_instruction *instruction, hlo_error *error) {
  if (op->result_count == 1) return hlo_import_set_result(op, 0, instruction, error);
  for (int32_t i = 0; i < op->result_count; i++) {
    hlo_instruction *element;
    HLO_TRY(hlo_import_element(im, instruction, i, &element, error));
    HLO_TRY(hlo_import_set_result(op, i, element, error));
  }
  return HLO_OK;
}

hlo_status hlo_import_tuple(stablehlo_importer *im, int32_t count, hlo_instruction *const *elements,
                            hlo_instruction **out, hlo_error *error) {
  if (count == 1) {
    *out = elements[0];
    return HLO_OK;
  }
  const hlo_shape **shapes, *shape;
  HLO_ALLOC(shapes, &im->parser->tree, count, error);
  for (int32_t i = 0; i < count; i++) shapes[i] = elements[i]->shape;
  HLO_TRY(hlo_shape_make_tuple(&im->module->arena, count, shapes, &shape, error));
  return hlo_import_emit(im, HLO_OP_TUPLE, shape, count, elements, 0, NULL, out, error);
}
