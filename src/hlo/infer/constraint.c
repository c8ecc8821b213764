// See constraint.h.
#include "hlo/infer/constraint.h"

#include <string.h>

enum { LONGEST_NAME_SHOWN = 200 };

hlo_status hlo_fail_about(const hlo_instruction *x, const char *message, const hlo_shape *a,
                          const hlo_shape *b, hlo_error *error) {
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (b == NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s: %s", message,
                                hlo_shape_to_text(text_a, a));
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s: %s and %s", message,
                              hlo_shape_to_text(text_a, a), hlo_shape_to_text(text_b, b));
}

hlo_status hlo_fail_choice(const hlo_instruction *x, hlo_attribute_id id, const char *choices,
                           hlo_error *error) {
  const char *text = hlo_get_text(x, id);
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s must be %s, not %.*s",
                              hlo_attribute_name(id), choices, LONGEST_NAME_SHOWN,
                              text == NULL ? "empty" : text);
}

hlo_status hlo_require_array(const hlo_instruction *x, int32_t k, uint32_t classes,
                             hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, k);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (!hlo_shape_is_array(shape))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "operand %d must be an array: %s", k,
                                hlo_shape_to_text(text, shape));
  if ((classes & (uint32_t)hlo_type_get_class(shape->type)) == 0)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "operand %d may not have elements of type %s: %s", k,
                                hlo_type_name(shape->type), hlo_shape_to_text(text, shape));
  return HLO_OK;
}

hlo_status hlo_require_same_type(const hlo_instruction *x, int32_t j, int32_t k, hlo_error *error) {
  const hlo_shape *a = hlo_operand_shape(x, j), *b = hlo_operand_shape(x, k);
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (a->type == b->type) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "operands %d and %d must have the same element type: %s and %s", j, k,
                              hlo_shape_to_text(text_a, a), hlo_shape_to_text(text_b, b));
}

hlo_status hlo_require_same_dimensions(const hlo_instruction *x, int32_t j, int32_t k,
                                       hlo_error *error) {
  const hlo_shape *a = hlo_operand_shape(x, j), *b = hlo_operand_shape(x, k);
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (hlo_shape_same_dimensions(a, b)) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "operands %d and %d must have the same dimensions: %s and %s", j, k,
                              hlo_shape_to_text(text_a, a), hlo_shape_to_text(text_b, b));
}

hlo_status hlo_require_scalar(const hlo_instruction *x, int32_t k, hlo_type type,
                              hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, k);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (hlo_shape_is_scalar(shape) && shape->type == type) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "operand %d must be a scalar %s[]: %s", k,
                              hlo_type_name(type), hlo_shape_to_text(text, shape));
}

hlo_status hlo_require_arrays_and_starts(const hlo_instruction *x, hlo_error *error) {
  if (x->operand_count % 2 != 0)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes as many start values as arrays: %d operands in all",
                                x->operand_count);
  int32_t count = x->operand_count / 2;
  for (int32_t k = 0; k < count; k++) {
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
    HLO_TRY(hlo_require_same_dimensions(x, 0, k, error));
    HLO_TRY(hlo_require_scalar(x, count + k, hlo_operand_shape(x, k)->type, error));
  }
  return HLO_OK;
}

hlo_status hlo_require_dimension(const hlo_instruction *x, hlo_attribute_id id, int64_t dimension,
                                 const hlo_shape *shape, hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  if (dimension >= 0 && dimension < shape->rank) return HLO_OK;
  return hlo_instruction_fail(
      x, HLO_SHAPE_ERROR, error, "dimension %lld in %s is out of range for shape %s",
      (long long)dimension, hlo_attribute_name(id), hlo_shape_to_text(text, shape));
}

hlo_status hlo_require_distinct(const hlo_instruction *x, hlo_attribute_id id,
                                const hlo_shape *shape, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, id, &count);
  uint64_t seen = 0; // a rank is at most 64
  for (int32_t i = 0; i < count; i++) {
    HLO_TRY(hlo_require_dimension(x, id, dimensions[i], shape, error));
    uint64_t bit = (uint64_t)1 << dimensions[i];
    if (seen & bit)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "dimension %lld stands twice in %s",
                                  (long long)dimensions[i], hlo_attribute_name(id));
    seen |= bit;
  }
  return HLO_OK;
}

hlo_status hlo_require_entries(const hlo_instruction *x, hlo_attribute_id id, int64_t wanted,
                               hlo_error *error) {
  int32_t count;
  hlo_get_ints(x, id, &count);
  if (count == wanted) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "%s must have %lld numbers, one for each dimension: it has %d",
                              hlo_attribute_name(id), (long long)wanted, count);
}

hlo_status hlo_require_declared_array(const hlo_instruction *x, const hlo_shape *declared,
                                      hlo_error *error) {
  if (declared == NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "the shape of the result must be given: it does not follow from "
                                "the operands");
  if (!hlo_shape_is_array(declared))
    return hlo_fail_about(x, "the result must be an array", declared, NULL, error);
  return HLO_OK;
}

hlo_status hlo_require_array_of_declared_type(const hlo_instruction *x, const hlo_shape *declared,
                                              hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  if (shape->type == declared->type) return HLO_OK;
  return hlo_fail_about(x, "operand and result must have the same element type", shape, declared,
                        error);
}

hlo_status hlo_require_callee(const hlo_instruction *x, hlo_attribute_id id,
                              const hlo_computation *callee, int32_t count, hlo_error *error) {
  if (callee == NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s must name a computation",
                                hlo_attribute_name(id));
  if (callee->root == NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s=%%%.*s has no root",
                                hlo_attribute_name(id), LONGEST_NAME_SHOWN, callee->name);
  if (callee->parameter_count != count)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s=%%%.*s takes %d parameters, not %d",
                                hlo_attribute_name(id), LONGEST_NAME_SHOWN, callee->name,
                                callee->parameter_count, count);
  return HLO_OK;
}

hlo_status hlo_require_parameter(const hlo_instruction *x, hlo_attribute_id id,
                                 const hlo_computation *callee, int32_t number,
                                 const hlo_shape *shape, hlo_error *error) {
  const hlo_shape *actual = callee->parameters[number]->shape;
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (hlo_shape_compatible(actual, shape)) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "parameter %d of %s=%%%.*s has shape %s, but gets %s", number,
                              hlo_attribute_name(id), LONGEST_NAME_SHOWN, callee->name,
                              hlo_shape_to_text(text_a, actual), hlo_shape_to_text(text_b, shape));
}

hlo_status hlo_require_result(const hlo_instruction *x, hlo_attribute_id id,
                              const hlo_computation *callee, const hlo_shape *shape,
                              hlo_error *error) {
  const hlo_shape *actual = callee->root->shape;
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (hlo_shape_compatible(actual, shape)) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "the result of %s=%%%.*s must have shape %s, not %s",
                              hlo_attribute_name(id), LONGEST_NAME_SHOWN, callee->name,
                              hlo_shape_to_text(text_a, shape), hlo_shape_to_text(text_b, actual));
}

hlo_status hlo_require_reducer(const hlo_instruction *x, hlo_attribute_id id, int32_t count,
                               hlo_arena *arena, hlo_error *error) {
  const hlo_computation *reducer = hlo_get_computation(x, id);
  HLO_TRY(hlo_require_callee(x, id, reducer, 2 * count, error));
  const hlo_shape **scalars, *result;
  HLO_ALLOC(scalars, arena, count, error);
  for (int32_t k = 0; k < count; k++) {
    scalars[k] = hlo_shape_scalar(hlo_operand_shape(x, k)->type);
    HLO_TRY(hlo_require_parameter(x, id, reducer, k, scalars[k], error));
    HLO_TRY(hlo_require_parameter(x, id, reducer, count + k, scalars[k], error));
  }
  HLO_TRY(hlo_result_shapes(x, arena, count, scalars, &result, error));
  return hlo_require_result(x, id, reducer, result, error);
}

hlo_status hlo_require_precision(const hlo_instruction *x, hlo_error *error) {
  static const char *const names[] = {"default", "high", "highest", "packed_nibble"};
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_OPERAND_PRECISION);
  int32_t count = 0;
  for (const char *word = text; word != NULL && *word != '\0'; count++) {
    size_t length = strcspn(word, ","), i = 0;
    while (i < 4 && (strlen(names[i]) != length || strncmp(names[i], word, length) != 0)) i++;
    if (i == 4)
      return hlo_fail_choice(x, HLO_ATTRIBUTE_OPERAND_PRECISION,
                             "a list of default, high, highest and packed_nibble", error);
    word += length + (word[length] == ',');
  }
  if (count <= 2) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "operand_precision has %d entries for two operands", count);
}

// Whether no number is the same in both types but by chance: one is exact, the other complex, …
static bool differ_in_kind(hlo_type a, hlo_type b) {
  bool integers = hlo_type_is_integer(a) && hlo_type_is_integer(b);
  return !integers && hlo_type_get_class(a) != hlo_type_get_class(b);
}

hlo_status hlo_product_type(const hlo_instruction *x, const hlo_shape *lhs, const hlo_shape *rhs,
                            const hlo_shape *declared, hlo_type *out, hlo_error *error) {
  if (declared != NULL && hlo_shape_is_array(declared)) {
    if (declared->type == HLO_PRED && (lhs->type != HLO_PRED || rhs->type != HLO_PRED))
      return hlo_fail_about(x, "elements of the operands do not add up to the result's",
                            lhs->type == HLO_PRED ? rhs : lhs, declared, error);
    *out = declared->type;
    return HLO_OK;
  }
  int32_t lhs_bits = hlo_type_bits(lhs->type), rhs_bits = hlo_type_bits(rhs->type);
  bool alike = lhs_bits == rhs_bits && lhs->type != rhs->type;
  if (alike || differ_in_kind(lhs->type, rhs->type))
    return hlo_fail_about(x, "the result's element type must be given", lhs, rhs, error);
  *out = rhs_bits > lhs_bits ? rhs->type : lhs->type;
  return HLO_OK;
}

hlo_status hlo_result_shapes(const hlo_instruction *x, hlo_arena *arena, int32_t count,
                             const hlo_shape *const *elements, const hlo_shape **out,
                             hlo_error *error) {
  if (count == 1) {
    *out = elements[0];
    return HLO_OK;
  }
  hlo_error reason;
  hlo_error_clear(&reason);
  hlo_status status = hlo_shape_make_tuple(arena, count, elements, out, &reason);
  if (status == HLO_OK) return HLO_OK;
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  return hlo_instruction_fail(x, status, error, "result: %s", reason.message);
}

hlo_status hlo_result_shape(const hlo_instruction *x, hlo_arena *arena, hlo_type type, int32_t rank,
                            const int64_t *dims, const bool *dynamic, const hlo_shape **out,
                            hlo_error *error) {
  hlo_error reason;
  hlo_error_clear(&reason);
  hlo_status status = hlo_shape_make_dynamic(arena, type, rank, dims, dynamic, out, &reason);
  if (status == HLO_OK) return HLO_OK;
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  return hlo_instruction_fail(x, status, error, "result: %s", reason.message);
}

hlo_status hlo_result_shape_like(const hlo_instruction *x, hlo_arena *arena, const hlo_shape *shape,
                                 hlo_type type, const hlo_shape **out, hlo_error *error) {
  return hlo_result_shape(x, arena, type, shape->rank, shape->dims, shape->dynamic, out, error);
}

hlo_status hlo_elementwise_shape(const hlo_instruction *x, hlo_arena *arena, int32_t count,
                                 hlo_type type, const hlo_shape **out, hlo_error *error) {
  const hlo_shape *first = hlo_operand_shape(x, 0);
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < first->rank; d++) {
    dynamic[d] = false;
    for (int32_t k = 0; k < count; k++)
      dynamic[d] |= hlo_shape_is_dynamic_in(hlo_operand_shape(x, k), d);
  }
  return hlo_result_shape(x, arena, type, first->rank, first->dims, dynamic, out, error);
}
