// Builders of replacements and queries for constants. See simplify.h.
#include "passes/simplify/simplify.h"

#include "hlo/builder.h"
#include "kernels/machine.h"

#include <string.h>

bool hlo_simplify_is_dynamic(const hlo_instruction *x) {
  if (hlo_shape_is_dynamic(x->shape)) return true;
  // Only the element matters; checking the whole tuple for each of its elements would be quadratic.
  if (x->opcode == HLO_OP_GET_TUPLE_ELEMENT) return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (hlo_shape_is_dynamic(x->operands[k]->shape)) return true;
  }
  return false;
}

hlo_status hlo_simplify_build(const hlo_instruction *x, hlo_opcode opcode, const hlo_shape *shape,
                              int32_t operand_count, hlo_instruction *const *operands,
                              int32_t attribute_count, const hlo_attribute *attributes,
                              hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_build(x->computation, opcode, shape, operand_count, operands, attribute_count,
                    attributes, out, error));
  (*out)->line = x->line;
  (*out)->column = x->column;
  return HLO_OK;
}

hlo_status hlo_simplify_build_with_ints(const hlo_instruction *x, hlo_opcode opcode,
                                        const hlo_shape *shape, int32_t operand_count,
                                        hlo_instruction *const *operands, hlo_attribute_id id,
                                        int32_t count, const int64_t *ints, hlo_instruction **out,
                                        hlo_error *error) {
  hlo_attribute attribute;
  HLO_TRY(
      hlo_attribute_make_ints(&x->computation->module->arena, id, count, ints, &attribute, error));
  return hlo_simplify_build(x, opcode, shape, operand_count, operands, 1, &attribute, out, error);
}

hlo_status hlo_simplify_use(const hlo_instruction *x, hlo_instruction *y, hlo_instruction **out,
                            hlo_error *error) {
  *out = y;
  if (hlo_shape_equal(x->shape, y->shape)) return HLO_OK;
  return hlo_simplify_build(x, HLO_OP_COPY, x->shape, 1, &y, 0, NULL, out, error);
}

hlo_status hlo_simplify_broadcast(hlo_instruction *scalar, const hlo_shape *shape,
                                  hlo_instruction **out, hlo_error *error) {
  *out = scalar;
  if (hlo_shape_is_scalar(shape)) return HLO_OK;
  return hlo_simplify_build_with_ints(scalar, HLO_OP_BROADCAST, shape, 1, &scalar,
                                      HLO_ATTRIBUTE_DIMENSIONS, 0, NULL, out, error);
}

hlo_status hlo_simplify_sum(const hlo_instruction *x, hlo_instruction *array,
                            const hlo_shape *shape, int32_t count, const int64_t *dimensions,
                            hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &x->computation->module->arena;
  char zero[16] = {0};
  const hlo_literal literal = {.shape = hlo_shape_scalar(shape->type), .data = zero};
  hlo_instruction *operands[2] = {array};
  hlo_computation *sum;
  hlo_attribute attributes[2];
  HLO_TRY(hlo_build_constant(x->computation, &literal, &operands[1], error));
  HLO_TRY(hlo_build_reducer(x->computation->module, HLO_OP_ADD, shape->type, &sum, error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, count, dimensions,
                                  &attributes[0], error));
  HLO_TRY(
      hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_TO_APPLY, sum, &attributes[1], error));
  return hlo_simplify_build(x, HLO_OP_REDUCE, shape, 2, operands, 2, attributes, out, error);
}

hlo_status hlo_simplify_slice_one(const hlo_instruction *x, hlo_instruction *array,
                                  int64_t dimension, int64_t at, hlo_instruction **out,
                                  hlo_error *error) {
  int64_t slice[3 * HLO_MAX_RANK];
  int32_t rank = array->shape->rank;
  for (int32_t d = 0; d < rank; d++) {
    slice[3 * d] = d == dimension ? at : 0;
    slice[3 * d + 1] = d == dimension ? at + 1 : array->shape->dims[d];
    slice[3 * d + 2] = 1;
  }
  return hlo_simplify_build_with_ints(x, HLO_OP_SLICE, NULL, 1, &array, HLO_ATTRIBUTE_SLICE,
                                      3 * rank, slice, out, error);
}

hlo_status hlo_simplify_integer(const hlo_instruction *x, int64_t value, hlo_instruction **out,
                                hlo_error *error) {
  char element[16];
  hlo_instruction *scalar;
  hlo_literal literal = {.shape = hlo_shape_scalar(x->shape->type), .data = element};
  hlo_number number = {.type_class = HLO_CLASS_SIGNED, .i = value};
  hlo_element_set(x->shape->type, element, number);
  HLO_TRY(hlo_build_constant(x->computation, &literal, &scalar, error));
  return hlo_simplify_broadcast(scalar, x->shape, out, error);
}

bool hlo_simplify_splat_value(const hlo_instruction *x, hlo_number *out) {
  while (x->opcode == HLO_OP_BROADCAST || x->opcode == HLO_OP_RESHAPE) x = x->operands[0];
  if (x->opcode != HLO_OP_CONSTANT || x->literal == NULL || x->literal->data == NULL) return false;
  int64_t elements = hlo_shape_elements(x->shape);
  if (elements < 1 || elements > HLO_SMALL_CONSTANT) return false;
  const char *data = x->literal->data;
  size_t size = (size_t)hlo_type_bytes(x->shape->type);
  if (hlo_shape_bytes(x->shape) != elements * (int64_t)size) return false; // padded or packed
  for (int64_t i = 1; i < elements; i++) {
    if (memcmp(data, data + (size_t)i * size, size) != 0) return false;
  }
  *out = hlo_element_get(x->shape->type, data);
  return true;
}

bool hlo_simplify_is_integer(const hlo_instruction *x, int64_t value) {
  hlo_number number;
  if (hlo_type_is_complex(x->shape->type) || !hlo_simplify_splat_value(x, &number)) return false;
  if (number.type_class == HLO_CLASS_SIGNED) return number.i == value;
  if (number.type_class == HLO_CLASS_FLOAT) {
    return number.re == (double)value && (number.re != 0 || !__builtin_signbit(number.re));
  }
  return number.u == (uint64_t)value;
}

hlo_opcode hlo_simplify_applied_op(const hlo_computation *reducer, bool *swapped) {
  const hlo_instruction *root = reducer->root;
  if (reducer->parameter_count != 2 || root->operand_count != 2) return HLO_OP_COUNT;
  if (!hlo_op_is_pointwise(root->opcode)) return HLO_OP_COUNT;
  hlo_instruction *const *p = reducer->parameters;
  *swapped = root->operands[0] == p[1] && root->operands[1] == p[0];
  bool straight = root->operands[0] == p[0] && root->operands[1] == p[1];
  bool same_types = p[0]->shape->type == p[1]->shape->type;
  return same_types && (straight || *swapped) ? root->opcode : HLO_OP_COUNT;
}
