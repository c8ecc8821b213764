// Imports an operation as its HLO counterpart with the same operands, regions as computations,
// attributes by the table: the one rule for most operations. A reduction whose computation works on
// a wider type of the same kind than the operands, or on numbers that are quantized otherwise, has
// them converted first: the specification promotes the elements ("is_promotable"), HLO wants that
// said. See import.h.
#include "text/stablehlo/import/import.h"

// The parameter of the computation that takes elements of operand k; -1: none.
static int32_t parameter_of(hlo_opcode opcode, int32_t k, const mlir_operation *op) {
  static const hlo_opcode one_by_one[] = {HLO_OP_REDUCE, HLO_OP_REDUCE_WINDOW};
  static const hlo_opcode all_alike[] = {HLO_OP_ALL_REDUCE, HLO_OP_REDUCE_SCATTER};
  for (size_t i = 0; i < 2; i++) {
    if (one_by_one[i] == opcode) return k;
    if (all_alike[i] == opcode) return 0;
  }
  // The last operand may be the roots: each of the others has a result.
  if (opcode == HLO_OP_COLLECTIVE_REDUCE) return k < op->result_count ? 0 : -1;
  int32_t inputs = (op->operand_count - 1) / 2; // of a scatter, then the indices, then the updates
  if (opcode != HLO_OP_SCATTER || k == inputs) return -1;
  return k < inputs ? k : k - 1;
}

static bool is_promotable(hlo_type from, hlo_type to) {
  return from != to && hlo_type_get_class(from) == hlo_type_get_class(to) &&
         hlo_type_bits(from) < hlo_type_bits(to);
}

// Numbers that the region takes quantized otherwise.
static hlo_status requantize(stablehlo_importer *im, const mlir_operation *op, int32_t operand,
                             int32_t argument, hlo_instruction **x, hlo_error *error) {
  const mlir_quantization *from = op->operands[operand]->type->quantization;
  const mlir_quantization *to = op->regions[0]->arguments[argument].type->quantization;
  if (from == NULL || to == NULL || hlo_mlir_same_quantization(from, to)) return HLO_OK;
  return hlo_import_requantize(im, from, to, x, error);
}

hlo_status hlo_import_promote(stablehlo_importer *im, const mlir_operation *op, hlo_opcode opcode,
                              const hlo_computation *computation, hlo_instruction **operands,
                              hlo_error *error) {
  for (int32_t k = 0; computation != NULL && k < op->operand_count; k++) {
    int32_t number = parameter_of(opcode, k, op);
    if (number < 0 || number >= computation->parameter_count) continue;
    if (number < op->regions[0]->argument_count)
      HLO_TRY(requantize(im, op, k, number, &operands[k], error));
    const hlo_shape *from = operands[k]->shape, *to = computation->parameters[number]->shape;
    if (!hlo_shape_is_array(from) || !hlo_shape_is_array(to)) continue;
    if (!is_promotable(from->type, to->type)) continue;
    HLO_TRY(hlo_import_shape_like(im, from, to->type, &to, error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, to, 1, &operands[k], 0, NULL, &operands[k], error));
  }
  return HLO_OK;
}

// Regions nest, and the stack is small: large locals must not be live during the next region.
__attribute__((noinline)) static hlo_status emit_direct(stablehlo_importer *im,
                                                        const mlir_operation *op, hlo_opcode opcode,
                                                        hlo_computation *const computations[2],
                                                        hlo_error *error) {
  static const hlo_attribute_id two[] = {HLO_ATTRIBUTE_SELECT, HLO_ATTRIBUTE_SCATTER};
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  hlo_instruction **operands, *instruction;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_promote(im, op, opcode, computations[0], operands, error));
  HLO_TRY(hlo_import_attributes(im, opcode, op, attributes, &count, error));
  for (int32_t i = 0; i < op->region_count; i++) {
    hlo_attribute_id id = op->region_count == 2 ? two[i] : HLO_ATTRIBUTE_TO_APPLY;
    HLO_TRY(hlo_attribute_make_computation(&im->module->arena, id, computations[i],
                                           &attributes[count++], error));
  }
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, opcode, shape, op->operand_count, operands, count, attributes,
                          &instruction, error));
  return hlo_import_set_results(im, op, instruction, error);
}

// The one rule for most operations: their HLO counterpart with the same operands, regions as
// computations, attributes by the table.
hlo_status hlo_import_direct(stablehlo_importer *im, const mlir_operation *op, hlo_opcode opcode,
                             hlo_error *error) {
  hlo_computation *computations[2] = {NULL, NULL};
  if (op->region_count > 2)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has %d regions", op->region_count);
  for (int32_t i = 0; i < op->region_count; i++)
    HLO_TRY(hlo_import_reducer(im, op, i, &computations[i], error));
  return emit_direct(im, op, opcode, computations, error);
}
