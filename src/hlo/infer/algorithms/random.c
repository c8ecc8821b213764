// Inference rules of random numbers and of dynamic dimension sizes.
// Source: "Operation Semantics" of XLA's documentation.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

#include <string.h>

hlo_status hlo_infer_rng(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                         const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  const char *distribution = hlo_get_text(x, HLO_ATTRIBUTE_DISTRIBUTION);
  bool normal = distribution != NULL && strcmp(distribution, "rng_normal") == 0;
  if (!normal && (distribution == NULL || strcmp(distribution, "rng_uniform") != 0))
    return hlo_fail_choice(x, HLO_ATTRIBUTE_DISTRIBUTION, "rng_normal or rng_uniform", error);
  hlo_type_class type_class = hlo_type_get_class(declared->type);
  if (type_class == HLO_CLASS_COMPLEX || (normal && type_class != HLO_CLASS_FLOAT))
    return hlo_fail_about(x, "the result may not have elements of this type", declared, NULL,
                          error);
  for (int32_t k = 0; k < 2; k++) HLO_TRY(hlo_require_scalar(x, k, declared->type, error));
  *out = declared;
  return HLO_OK;
}

static hlo_status check_state(const hlo_instruction *x, const char *algorithm, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_UNSIGNED, error));
  const hlo_shape *state = hlo_operand_shape(x, 0);
  bool three_fry = strcmp(algorithm, "rng_three_fry") == 0;
  bool philox = strcmp(algorithm, "rng_philox") == 0;
  if (!three_fry && !philox && strcmp(algorithm, "rng_default") != 0)
    return hlo_fail_choice(x, HLO_ATTRIBUTE_ALGORITHM, "rng_default, rng_three_fry or rng_philox",
                           error);
  bool fits = state->rank == 1 && (state->type == HLO_U64 || (!three_fry && !philox));
  if (fits && three_fry) fits = state->dims[0] == 2;
  if (fits && philox) fits = state->dims[0] == 2 || state->dims[0] == 3;
  if (fits) return HLO_OK;
  return hlo_fail_about(x,
                        three_fry ? "the state must be u64[2]"
                        : philox  ? "the state must be u64[3], or u64[2]"
                                  : "the state must be a vector",
                        state, NULL, error);
}

// The new state, and random bits in the shape that the program states.
hlo_status hlo_infer_rng_bit_generator(const hlo_instruction *x, const hlo_shape *declared,
                                       hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)arena;
  const char *algorithm = hlo_get_text(x, HLO_ATTRIBUTE_ALGORITHM);
  HLO_TRY(check_state(x, algorithm == NULL ? "" : algorithm, error));
  if (declared == NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "the shape of the result must be given");
  if (!hlo_shape_is_tuple(declared) || declared->element_count != 2 ||
      !hlo_shape_compatible(declared->elements[0], hlo_operand_shape(x, 0)))
    return hlo_fail_about(x, "the result must be the state and the random bits",
                          hlo_operand_shape(x, 0), declared, error);
  const hlo_shape *bits = declared->elements[1];
  uint32_t classes = HLO_CLASSES_INTEGER | HLO_CLASS_FLOAT;
  if (!hlo_shape_is_array(bits) || (hlo_type_get_class(bits->type) & classes) == 0)
    return hlo_fail_about(x, "random bits must be integers or floats", bits, NULL, error);
  *out = declared;
  return HLO_OK;
}

// The state of the device before delta is added to it.
hlo_status hlo_infer_rng_get_and_update_state(const hlo_instruction *x, const hlo_shape *declared,
                                              hlo_arena *arena, const hlo_shape **out,
                                              hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  if (declared->type != HLO_U64)
    return hlo_fail_about(x, "the state must have elements of type u64", declared, NULL, error);
  *out = declared;
  return HLO_OK;
}

static hlo_status one_dimension(const hlo_instruction *x, int32_t *out, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (count != 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "dimensions must name one dimension: it has %d", count);
  HLO_TRY(hlo_require_dimension(x, HLO_ATTRIBUTE_DIMENSIONS, dimensions[0], hlo_operand_shape(x, 0),
                                error));
  *out = (int32_t)dimensions[0];
  return HLO_OK;
}

hlo_status hlo_infer_get_dimension_size(const hlo_instruction *x, const hlo_shape *declared,
                                        hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  int32_t dimension;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(one_dimension(x, &dimension, error));
  *out = hlo_shape_scalar(HLO_S32);
  return HLO_OK;
}

// Operands: the array, and a scalar for the size of each dimension of the result, whose bounds and
// dynamic dimensions the program states.
hlo_status hlo_infer_dynamic_reshape(const hlo_instruction *x, const hlo_shape *declared,
                                     hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_array_of_declared_type(x, declared, error));
  if (x->operand_count != 1 + declared->rank)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes a size for each of %d dimensions of the result, not %d",
                                declared->rank, x->operand_count - 1);
  for (int32_t k = 1; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_INTEGER, error));
    HLO_TRY(hlo_require_scalar(x, k, hlo_operand_shape(x, k)->type, error));
  }
  *out = declared;
  return HLO_OK;
}

hlo_status hlo_infer_set_dimension_size(const hlo_instruction *x, const hlo_shape *declared,
                                        hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  int32_t dimension;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_scalar(x, 1, HLO_S32, error));
  HLO_TRY(one_dimension(x, &dimension, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++)
    dynamic[d] = d == dimension || hlo_shape_is_dynamic_in(shape, d);
  return hlo_result_shape(x, arena, shape->type, shape->rank, shape->dims, dynamic, out, error);
}
