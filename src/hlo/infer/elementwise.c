// Inference rules of the structural ops that work element by element: compare, convert, select,
// clamp, reduce-precision, map, copy. Source: "Operation Semantics" of XLA's documentation.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

#include <string.h>

static bool is_one_of(const char *text, const char *const *names, size_t count) {
  for (size_t i = 0; text != NULL && i < count; i++)
    if (strcmp(text, names[i]) == 0) return true;
  return false;
}

// The type attribute says how to compare; each element type has one way, floats have two. Complex
// numbers are ordered by their real parts, then by the imaginary ones, as StableHLO has it.
static bool comparison_fits(const char *comparison, hlo_type type) {
  hlo_type_class type_class = hlo_type_get_class(type);
  if (strcmp(comparison, "FLOAT") == 0) return (type_class & HLO_CLASSES_INEXACT) != 0;
  if (strcmp(comparison, "TOTALORDER") == 0) return type_class == HLO_CLASS_FLOAT;
  if (strcmp(comparison, "SIGNED") == 0) return type_class == HLO_CLASS_SIGNED;
  if (strcmp(comparison, "UNSIGNED") == 0)
    return (type_class & (HLO_CLASS_UNSIGNED | HLO_CLASS_PRED)) != 0;
  return false;
}

hlo_status hlo_infer_compare(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  (void)declared;
  for (int32_t k = 0; k < 2; k++) HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_same_type(x, 0, 1, error));
  HLO_TRY(hlo_require_same_dimensions(x, 0, 1, error));
  const char *direction = hlo_get_text(x, HLO_ATTRIBUTE_DIRECTION);
  const char *comparison = hlo_get_text(x, HLO_ATTRIBUTE_TYPE);
  hlo_type type = hlo_operand_shape(x, 0)->type;
  if (!is_one_of(direction, directions, sizeof directions / sizeof *directions))
    return hlo_fail_choice(x, HLO_ATTRIBUTE_DIRECTION, "EQ, NE, GE, GT, LE or LT", error);
  if (comparison != NULL && !comparison_fits(comparison, type))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "elements of type %s do not compare as type=%s",
                                hlo_type_name(type), comparison);
  return hlo_elementwise_shape(x, arena, 2, HLO_PRED, out, error);
}

hlo_status hlo_infer_convert(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  return hlo_result_shape_like(x, arena, hlo_operand_shape(x, 0), declared->type, out, error);
}

// Tuples count as scalars here: a scalar pred selects between two tuples of one shape.
hlo_status hlo_infer_select(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                            const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_shape *pred = hlo_operand_shape(x, 0), *on_true = hlo_operand_shape(x, 1),
                  *on_false = hlo_operand_shape(x, 2);
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_PRED, error));
  if (!hlo_shape_compatible(on_true, on_false))
    return hlo_fail_about(x, "operands 1 and 2 must have the same shape", on_true, on_false, error);
  if (hlo_shape_is_tuple(on_true)) {
    HLO_TRY(hlo_require_scalar(x, 0, HLO_PRED, error));
    *out = on_true;
    return HLO_OK;
  }
  HLO_TRY(hlo_require_array(x, 1, HLO_CLASSES_ANY, error));
  if (pred->rank != 0) HLO_TRY(hlo_require_same_dimensions(x, 0, 1, error));
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < on_true->rank; d++)
    dynamic[d] = hlo_shape_is_dynamic_in(on_true, d) || hlo_shape_is_dynamic_in(on_false, d);
  return hlo_result_shape(x, arena, on_true->type, on_true->rank, on_true->dims, dynamic, out,
                          error);
}

hlo_status hlo_infer_clamp(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                           const hlo_shape **out, hlo_error *error) {
  (void)declared;
  for (int32_t k = 0; k < 3; k++) HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  for (int32_t k = 0; k < 3; k++) {
    HLO_TRY(hlo_require_same_type(x, 1, k, error));
    if (hlo_operand_shape(x, k)->rank != 0) HLO_TRY(hlo_require_same_dimensions(x, 1, k, error));
  }
  return hlo_result_shape_like(x, arena, hlo_operand_shape(x, 1), hlo_operand_shape(x, 1)->type,
                               out, error);
}

hlo_status hlo_infer_reduce_precision(const hlo_instruction *x, const hlo_shape *declared,
                                      hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_FLOAT, error));
  int64_t exponent = hlo_get_int(x, HLO_ATTRIBUTE_EXPONENT_BITS, 0);
  int64_t mantissa = hlo_get_int(x, HLO_ATTRIBUTE_MANTISSA_BITS, -1);
  if (exponent < 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "exponent_bits must be at least 1: %lld",
                                (long long)exponent);
  if (mantissa < 0)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "mantissa_bits must not be negative: %lld", (long long)mantissa);
  return hlo_result_shape_like(x, arena, hlo_operand_shape(x, 0), hlo_operand_shape(x, 0)->type,
                               out, error);
}

// Random bits, as many as the float has, decide which way each element is rounded.
hlo_status hlo_infer_stochastic_convert(const hlo_instruction *x, const hlo_shape *declared,
                                        hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_FLOAT, error));
  HLO_TRY(hlo_require_array(x, 1, HLO_CLASS_UNSIGNED, error));
  HLO_TRY(hlo_require_same_dimensions(x, 0, 1, error));
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  const hlo_shape *operand = hlo_operand_shape(x, 0), *random = hlo_operand_shape(x, 1);
  if (hlo_type_bits(operand->type) != hlo_type_bits(random->type))
    return hlo_fail_about(x, "the random bits must have as many bits as the elements", operand,
                          random, error);
  if (!hlo_type_is_integer(declared->type) && !hlo_type_is_float(declared->type))
    return hlo_fail_about(x, "the result must have integers or floats", declared, NULL, error);
  return hlo_elementwise_shape(x, arena, 2, declared->type, out, error);
}

hlo_status hlo_infer_map(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                         const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_computation *callee = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_TO_APPLY, callee, x->operand_count, error));
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
    HLO_TRY(hlo_require_same_dimensions(x, 0, k, error));
    HLO_TRY(hlo_require_parameter(x, HLO_ATTRIBUTE_TO_APPLY, callee, k,
                                  hlo_shape_scalar(hlo_operand_shape(x, k)->type), error));
  }
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_DIMENSIONS, hlo_operand_shape(x, 0)->rank, error));
  for (int32_t i = 0; i < count; i++)
    if (dimensions[i] != i)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "dimensions must be 0, 1, … in order: entry %d is %lld", i,
                                  (long long)dimensions[i]);
  const hlo_shape *result = callee->root->shape;
  if (!hlo_shape_is_scalar(result))
    return hlo_fail_about(x, "the result of to_apply must be a scalar", result, NULL, error);
  return hlo_elementwise_shape(x, arena, x->operand_count, result->type, out, error);
}

// The operand's shape as it is, tuples and layouts included: also for optimization barriers.
hlo_status hlo_infer_copy(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  (void)error;
  *out = hlo_operand_shape(x, 0);
  return HLO_OK;
}
