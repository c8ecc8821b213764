// Constraints of operations with quantized operands or results: which of them must be quantized,
// and which must have equal quantization parameters. See import.h. Source: "StableHLO
// Specification", constraints of the operations.
#include "text/stablehlo/import/import.h"

#include <string.h>

static const char *const DIALECT = "stablehlo.";

static const mlir_quantization *operand(const mlir_operation *op, int32_t i) {
  return i < op->operand_count ? op->operands[i]->type->quantization : NULL;
}

static const mlir_quantization *result(const mlir_operation *op) {
  return op->result_count > 0 ? op->results[0].type->quantization : NULL;
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// --- operations that only move elements ---

// Operands [first, end) are elements of the result; end -1: all operands.
typedef struct move {
  const char *name;
  int32_t first, end;
  bool moves_dimension; // of the scales
} move;

static const move moves[] = {
    {"all_gather", 0, 1, false},
    {"all_to_all", 0, 1, false},
    {"broadcast", 0, 1, true},
    {"broadcast_in_dim", 0, 1, true},
    {"collective_broadcast", 0, 1, false},
    {"collective_permute", 0, 1, false},
    {"concatenate", 0, -1, false},
    {"dynamic_broadcast_in_dim", 0, 1, true},
    {"dynamic_gather", 0, 1, false},
    {"dynamic_pad", 0, 2, false},
    {"dynamic_reshape", 0, 1, true},
    {"dynamic_slice", 0, 1, false},
    {"dynamic_update_slice", 0, 2, false},
    {"gather", 0, 1, false},
    {"pad", 0, 2, false},
    {"real_dynamic_slice", 0, 1, false},
    {"reshape", 0, 1, true},
    {"reverse", 0, 1, false},
    {"slice", 0, 1, false},
    {"torch_index_select", 0, 1, false},
    {"transpose", 0, 1, true},
};

// A dimension of one element may become one of many, which all have its scale.
static bool is_moved(const mlir_quantization *from, const mlir_quantization *to,
                     bool moves_dimension) {
  if (from == NULL || to == NULL) return from == to;
  if (!moves_dimension) return hlo_mlir_same_quantization(from, to);
  bool fits = hlo_mlir_same_storage(from, to) && (from->dimension < 0) == (to->dimension < 0) &&
              (from->count == 1 || from->count == to->count);
  for (int32_t i = 0; fits && i < to->count; i++) {
    int32_t k = from->count == 1 ? 0 : i;
    fits = from->scales[k] == to->scales[i] && from->zero_points[k] == to->zero_points[i];
  }
  return fits;
}

static hlo_status check_move(const mlir_operation *op, const move *rule, hlo_error *error) {
  int32_t end = rule->end < 0 || rule->end > op->operand_count ? op->operand_count : rule->end;
  for (int32_t i = rule->first; i < end; i++)
    if (!is_moved(operand(op, i), result(op), rule->moves_dimension))
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "operand %d and the result are quantized differently", i);
  return HLO_OK;
}

// --- elementwise operations ---

static hlo_status check_elementwise(const mlir_operation *op, const char *name, hlo_error *error) {
  static const char *const others[] = {"and",
                                       "complex",
                                       "convert",
                                       "count_leading_zeros",
                                       "imag",
                                       "is_inf",
                                       "map",
                                       "not",
                                       "or",
                                       "popcnt",
                                       "real",
                                       "shift_left",
                                       "stochastic_convert",
                                       "shift_right_arithmetic",
                                       "shift_right_logical",
                                       "xor"};
  bool is_select = strcmp(name, "select") == 0;
  bool gives_pred = strcmp(name, "compare") == 0 || strcmp(name, "is_finite") == 0;
  if (is_one_of(name, others, sizeof others / sizeof *others))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes no quantized numbers");
  for (int32_t i = is_select; i < op->operand_count; i++)
    if (operand(op, i) == NULL)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "operand %d should be quantized", i);
  if ((result(op) == NULL) != gives_pred)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the result should%s be quantized",
                           gives_pred ? " not" : "");
  return HLO_OK;
}

// --- products and convolutions ---

static bool contracts(stablehlo_importer *im, const mlir_operation *op, int32_t dimension,
                      hlo_error *error, hlo_status *status) {
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  *status = hlo_import_attributes(im, HLO_OP_DOT, op, attributes, &count, error);
  for (int32_t i = 0; *status == HLO_OK && i < count; i++)
    for (int32_t k = 0;
         attributes[i].id == HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS && k < attributes[i].count; k++)
      if (attributes[i].ints[k] == dimension) return true;
  return false;
}

// Only output features have scales of their own.
static hlo_status check_features(stablehlo_importer *im, const mlir_operation *op,
                                 const mlir_quantization *kernel, const mlir_quantization *out,
                                 hlo_error *error) {
  int32_t of_kernel, of_result;
  HLO_TRY(hlo_import_output_features(im, op, &of_kernel, &of_result, error));
  if (kernel->dimension >= 0 && kernel->dimension != of_kernel)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "dimension %d of the right-hand side has scales and is not the output "
                           "features",
                           kernel->dimension);
  if (out != NULL && out->dimension >= 0 && out->dimension != of_result)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "dimension %d of the result has scales and is not the features",
                           out->dimension);
  return HLO_OK;
}

static hlo_status check_product(stablehlo_importer *im, const mlir_operation *op, bool is_dot,
                                hlo_error *error) {
  const mlir_quantization *a = operand(op, 0), *b = operand(op, 1), *c = result(op);
  if (b == NULL || (a == NULL) != (c == NULL))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "the right-hand side should be quantized, and the result if the "
                           "left-hand side is");
  for (int32_t i = 0; is_dot && i < b->count; i++)
    if (b->zero_points[i] != 0)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "a zero point of the right-hand side should be 0");
  if (a != NULL && a->storage != b->storage)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "stored are %s and %s, not the same type",
                           hlo_type_name(a->storage), hlo_type_name(b->storage));
  if (a != NULL && b->dimension < 0 && c->dimension >= 0)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "the result has scales per dimension, the right-hand side has not");
  hlo_status status = HLO_OK;
  if (!is_dot && strcmp(op->name, "stablehlo.dot") != 0) // a convolution
    return check_features(im, op, b, c, error);
  if (is_dot && b->dimension >= 0 && contracts(im, op, b->dimension, error, &status))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "dimension %d of the right-hand side has scales and is contracted",
                           b->dimension);
  return status;
}

hlo_status hlo_import_check_quantized(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_error *error) {
  static const char *const products[] = {"dot", "dot_general", "convolution", "dynamic_conv"};
  if (strncmp(op->name, DIALECT, strlen(DIALECT)) != 0) return HLO_OK;
  const char *name = op->name + strlen(DIALECT);
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
    if (strcmp(moves[i].name, name) == 0) return check_move(op, &moves[i], error);
  if (is_one_of(name, products, sizeof products / sizeof *products))
    return check_product(im, op, strcmp(name, "dot_general") == 0, error);
  hlo_opcode opcode = hlo_op_from_stablehlo_name(name, strlen(name));
  if (opcode != HLO_OP_COUNT && hlo_op_is_elementwise(opcode) && op->region_count == 0 &&
      strcmp(name, "reduce_precision") != 0 && strcmp(name, "bitcast_convert") != 0)
    return check_elementwise(op, name, error);
  return HLO_OK;
}
