// Operations on quantized numbers. An array of them is the array of the integers that are stored;
// what only moves elements or applies a region to them works on those, and everything else is
// imported as the operation on the numbers that they stand for, between a conversion of its
// operands and one of its results ("dequantize_op_quantize" of the specification, whose
// uniform_quantize and uniform_dequantize are these conversions). See import.h.
#include "text/stablehlo/import/import.h"

#include <string.h>

static const mlir_quantization *quantization_of(const mlir_value *value) {
  return value->type->quantization;
}

static bool computes(const char *name) {
  static const char *const names[] = {"uniform_quantize",
                                      "uniform_dequantize",
                                      "batch_norm_grad",
                                      "batch_norm_inference",
                                      "cholesky",
                                      "batch_norm_training",
                                      "convolution",
                                      "dot",
                                      "dot_general",
                                      "dynamic_conv",
                                      "dynamic_iota",
                                      "einsum",
                                      "iota",
                                      "reduce_precision",
                                      "triangular_solve",
                                      "unary_einsum"};
  static const char *const stablehlo = "stablehlo.";
  if (strncmp(name, "chlo.", 5) == 0) return true;
  if (strncmp(name, stablehlo, strlen(stablehlo)) != 0) return false;
  name += strlen(stablehlo);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  hlo_opcode opcode = hlo_op_from_stablehlo_name(name, strlen(name));
  return opcode != HLO_OP_COUNT && hlo_op_is_elementwise(opcode);
}

// A select between numbers that are quantized alike only moves them.
static bool is_move(const mlir_operation *op) {
  if (strcmp(op->name, "stablehlo.select") != 0 || op->operand_count != 3 || op->result_count != 1)
    return false;
  const mlir_quantization *q = quantization_of(&op->results[0]);
  return hlo_mlir_same_quantization(quantization_of(op->operands[1]), q) &&
         hlo_mlir_same_quantization(quantization_of(op->operands[2]), q);
}

bool hlo_import_computes_quantized(const mlir_operation *op) {
  return op->region_count == 0 && computes(op->name) && !is_move(op);
}

// An array like the shape with a number for each index of the quantized dimension: its zero point
// or its scale.
static hlo_status parameters(stablehlo_importer *im, const mlir_quantization *q, bool zero_points,
                             const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  hlo_literal *literal;
  const hlo_shape *row;
  int64_t dimension = q->dimension, count = q->count;
  if (dimension < 0)
    return hlo_import_number(im, shape, zero_points ? (double)q->zero_points[0] : q->scales[0], out,
                             error);
  HLO_TRY(hlo_shape_make(&im->module->arena, shape->type, 1, &count, &row, error));
  HLO_ALLOC(literal, &im->module->arena, 1, error);
  HLO_TRY(hlo_literal_make(&im->module->arena, row, literal, error));
  for (int32_t i = 0; i < q->count; i++) {
    double value = zero_points ? (double)q->zero_points[i] : q->scales[i];
    hlo_number number = {HLO_CLASS_FLOAT, 0, 0, value, 0};
    hlo_element_set(row->type, (char *)literal->data + i * hlo_type_bytes(row->type), number);
  }
  HLO_TRY(hlo_import_constant(im, literal, row, out, error));
  return hlo_import_broadcast_to(im, *out, shape, 1, &dimension, out, error);
}

static hlo_status binary(stablehlo_importer *im, hlo_opcode opcode, hlo_instruction *a,
                         hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[] = {a, b};
  return hlo_import_emit(im, opcode, a->shape, 2, operands, 0, NULL, out, error);
}

// Zero points are subtracted as integers, since floats need not hold what is stored.
static hlo_status dequantize(stablehlo_importer *im, const mlir_quantization *q, hlo_instruction *x,
                             hlo_instruction **out, hlo_error *error) {
  const hlo_shape *whole, *shape;
  hlo_instruction *zero, *scale;
  bool is_symmetric = true;
  for (int32_t i = 0; i < q->count; i++) is_symmetric = is_symmetric && q->zero_points[i] == 0;
  if (!is_symmetric) {
    hlo_type wide = hlo_type_bits(q->storage) <= 16 ? HLO_S32 : HLO_S64;
    HLO_TRY(hlo_import_shape_like(im, x->shape, wide, &whole, error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, whole, 1, &x, 0, NULL, &x, error));
    HLO_TRY(parameters(im, q, true, whole, &zero, error));
    HLO_TRY(binary(im, HLO_OP_SUBTRACT, x, zero, &x, error));
  }
  HLO_TRY(hlo_import_shape_like(im, x->shape, q->expressed, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, shape, 1, &x, 0, NULL, &x, error));
  HLO_TRY(parameters(im, q, false, shape, &scale, error));
  return binary(im, HLO_OP_MULTIPLY, x, scale, out, error);
}

static hlo_status quantize(stablehlo_importer *im, const mlir_quantization *q, hlo_instruction *x,
                           hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape = x->shape;
  hlo_instruction *zero, *scale, *low, *high;
  HLO_TRY(parameters(im, q, false, shape, &scale, error));
  HLO_TRY(binary(im, HLO_OP_DIVIDE, x, scale, &x, error));
  HLO_TRY(parameters(im, q, true, shape, &zero, error));
  HLO_TRY(binary(im, HLO_OP_ADD, x, zero, &x, error));
  HLO_TRY(hlo_import_number(im, shape, (double)q->minimum, &low, error));
  HLO_TRY(hlo_import_number(im, shape, (double)q->maximum, &high, error));
  HLO_TRY(binary(im, HLO_OP_MAXIMUM, x, low, &x, error));
  HLO_TRY(binary(im, HLO_OP_MINIMUM, x, high, &x, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_ROUND_NEAREST_EVEN, shape, 1, &x, 0, NULL, &x, error));
  HLO_TRY(hlo_import_shape_like(im, shape, q->storage, &shape, error));
  return hlo_import_emit(im, HLO_OP_CONVERT, shape, 1, &x, 0, NULL, out, error);
}

hlo_status hlo_import_requantize(stablehlo_importer *im, const mlir_quantization *from,
                                 const mlir_quantization *to, hlo_instruction **x,
                                 hlo_error *error) {
  HLO_TRY(dequantize(im, from, *x, x, error));
  return quantize(im, to, *x, x, error);
}

// The value with the type of the numbers that it stands for.
static hlo_status set_expressed_type(stablehlo_importer *im, mlir_value *value, hlo_error *error) {
  const mlir_quantization *q = quantization_of(value);
  mlir_type *type;
  if (q == NULL) return HLO_OK;
  HLO_ALLOC(type, &im->parser->tree, 1, error);
  *type = *value->type;
  type->quantization = NULL;
  HLO_TRY(hlo_import_shape_like(im, type->shape, q->expressed, &type->shape, error));
  value->type = type;
  return HLO_OK;
}

hlo_status hlo_import_dequantize(stablehlo_importer *im, const mlir_operation *op,
                                 mlir_operation **out, hlo_error *error) {
  mlir_operation *real;
  HLO_ALLOC(real, &im->parser->tree, 1, error);
  *real = *op;
  real->next = NULL;
  HLO_ALLOC(real->operands, &im->parser->tree, op->operand_count, error);
  HLO_ALLOC(real->results, &im->parser->tree, op->result_count, error);
  for (int32_t i = 0; i < op->operand_count; i++) {
    hlo_instruction *x;
    mlir_value *value;
    HLO_ALLOC(value, &im->parser->tree, 1, error);
    real->operands[i] = value;
    *value = *op->operands[i];
    HLO_TRY(set_expressed_type(im, value, error));
    const mlir_quantization *q = quantization_of(op->operands[i]);
    if (q == NULL) continue;
    HLO_TRY(hlo_import_operand(im, op, i, &x, error));
    HLO_TRY(dequantize(im, q, x, &x, error));
    value->instruction = x;
  }
  for (int32_t i = 0; i < op->result_count; i++) {
    real->results[i] = op->results[i];
    HLO_TRY(set_expressed_type(im, &real->results[i], error));
  }
  *out = real;
  return HLO_OK;
}

hlo_status hlo_import_quantize(stablehlo_importer *im, const mlir_operation *op,
                               const mlir_operation *real, hlo_error *error) {
  im->operation = op;
  for (int32_t i = 0; i < op->result_count; i++) {
    const mlir_quantization *q = quantization_of(&op->results[i]);
    hlo_instruction *x = real->results[i].instruction;
    if (q != NULL) HLO_TRY(quantize(im, q, x, &x, error));
    HLO_TRY(hlo_import_set_result(op, i, x, error));
  }
  return HLO_OK;
}

static bool is_quantize(const mlir_operation *op) {
  return strcmp(op->name, "stablehlo.uniform_quantize") == 0;
}

bool hlo_import_is_conversion(const mlir_operation *op) {
  return is_quantize(op) || strcmp(op->name, "stablehlo.uniform_dequantize") == 0;
}

hlo_status hlo_import_convert(const mlir_operation *op, const mlir_operation *real,
                              hlo_error *error) {
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  bool fits =
      op->result_count == 1 && (quantization_of(&op->results[0]) != NULL) == is_quantize(op);
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the result should%s be quantized",
                           is_quantize(op) ? "" : " not");
  return hlo_import_set_result(real, 0, real->operands[0]->instruction, error);
}
