// Iotas, and the counters of random numbers that are computed from them: sums that number an
// array's elements in order become one iota, and conditions beyond its range are known. See
// simplify.h.
#include "passes/simplify/simplify.h"

enum { MOST_DEPTH = 8, FEWEST_BITS = 32 };

// An iota along a dimension of size 1 is 0.
hlo_status hlo_simplify_iota(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int64_t along = hlo_get_int(x, HLO_ATTRIBUTE_IOTA_DIMENSION, 0);
  return x->shape->dims[along] == 1 ? hlo_simplify_integer(x, 0, out, error) : HLO_OK;
}

static bool is_wide_integer(const hlo_shape *shape) {
  hlo_type_class type_class = hlo_type_get_class(shape->type);
  return (type_class == HLO_CLASS_SIGNED || type_class == HLO_CLASS_UNSIGNED) &&
         hlo_type_bits(shape->type) >= FEWEST_BITS && hlo_shape_elements(shape) <= INT32_MAX;
}

// Whether x is a linear combination of indices along dimensions; adds the coefficients, times
// `times`, to `factors`.
static bool add_factors(const hlo_instruction *x, int64_t times, int32_t depth, int64_t *factors) {
  hlo_number number;
  if (depth > MOST_DEPTH || times < 0 || times > INT32_MAX) return false;
  if (x->opcode == HLO_OP_IOTA) {
    factors[hlo_get_int(x, HLO_ATTRIBUTE_IOTA_DIMENSION, 0)] += times;
    return true;
  }
  if (x->opcode == HLO_OP_ADD)
    return add_factors(x->operands[0], times, depth + 1, factors) &&
           add_factors(x->operands[1], times, depth + 1, factors);
  for (int k = 0; k < 2 && x->opcode == HLO_OP_MULTIPLY; k++) {
    if (!hlo_simplify_splat_value(x->operands[k], &number)) continue;
    uint64_t by = number.type_class == HLO_CLASS_SIGNED ? (uint64_t)number.i : number.u;
    return by <= INT32_MAX &&
           add_factors(x->operands[1 - k], times * (int64_t)by, depth + 1, factors);
  }
  return false;
}

hlo_status hlo_simplify_build_iota(const hlo_instruction *x, hlo_type type, const hlo_shape *dims,
                                   int64_t along, hlo_instruction **out, hlo_error *error) {
  const hlo_attribute attribute = hlo_attribute_make_int(HLO_ATTRIBUTE_IOTA_DIMENSION, along);
  const hlo_shape *shape;
  HLO_TRY(
      hlo_shape_make(&x->computation->module->arena, type, dims->rank, dims->dims, &shape, error));
  return hlo_simplify_build(x, HLO_OP_IOTA, shape, 0, NULL, 1, &attribute, out, error);
}

// The row-major element number as an iota of x's shape.
static hlo_status build_element_numbers(const hlo_instruction *x, const hlo_shape *dims,
                                        int64_t along, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_simplify_build_iota(x, x->shape->type, dims, along, out, error));
  return hlo_simplify_build(x, HLO_OP_RESHAPE, x->shape, 1, out, 0, NULL, out, error);
}

hlo_status hlo_simplify_sum_of_iotas(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int64_t factors[HLO_MAX_RANK] = {0}, stride = 1;
  if (!is_wide_integer(x->shape) || hlo_simplify_is_dynamic(x) ||
      !hlo_layout_is_default(x->shape->layout) || !add_factors(x, 1, 0, factors))
    return HLO_OK;
  for (int32_t d = x->shape->rank - 1; d >= 0; stride *= x->shape->dims[d--]) {
    if (factors[d] != stride && x->shape->dims[d] > 1) return HLO_OK;
  }
  const hlo_shape all = {.rank = 1, .dims = &stride};
  return build_element_numbers(x, &all, 0, out, error);
}

// The iota that x reshapes; NULL: none.
static const hlo_instruction *iota_of(const hlo_instruction *x) {
  while (x->opcode == HLO_OP_RESHAPE) x = x->operands[0];
  return x->opcode == HLO_OP_IOTA && is_wide_integer(x->shape) && !hlo_simplify_is_dynamic(x)
             ? x
             : NULL;
}

// Element numbers have at most 31 bits.
hlo_status hlo_simplify_shift_of_iota(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  bool is_beyond =
      x->opcode == HLO_OP_SHIFT_RIGHT_LOGICAL && iota_of(x->operands[0]) != NULL &&
      (hlo_simplify_is_integer(x->operands[1], 31) || hlo_simplify_is_integer(x->operands[1], 32));
  return is_beyond ? hlo_simplify_integer(x, 0, out, error) : HLO_OK;
}

hlo_status hlo_simplify_convert_of_iota(hlo_instruction *x, hlo_instruction **out,
                                        hlo_error *error) {
  const hlo_instruction *iota = iota_of(x->operands[0]);
  if (iota == NULL || !is_wide_integer(x->shape) || !hlo_layout_is_default(x->shape->layout) ||
      !hlo_layout_is_default(x->operands[0]->shape->layout))
    return HLO_OK;
  return build_element_numbers(x, iota->shape, hlo_get_int(iota, HLO_ATTRIBUTE_IOTA_DIMENSION, 0),
                               out, error);
}
