// Identities of arithmetic, logic, comparison and conversion; for floats only those that keep every
// bit: x + 0 turns -0 into +0 and stays, x - 0 goes. See simplify.h.
#include "passes/simplify/simplify.h"

#include "base/bits.h"
#include "hlo/builder.h"

#include <string.h>

static bool is_integral(const hlo_instruction *x) {
  hlo_type_class type_class = hlo_type_get_class(x->shape->type);
  return type_class == HLO_CLASS_SIGNED || type_class == HLO_CLASS_UNSIGNED ||
         type_class == HLO_CLASS_PRED;
}

static bool is_negative_zero(const hlo_instruction *x) {
  hlo_number number;
  return hlo_type_is_float(x->shape->type) && hlo_simplify_splat_value(x, &number) &&
         number.re == 0 && __builtin_signbit(number.re);
}

static bool is_all_ones(const hlo_instruction *x) {
  hlo_number number;
  if (!is_integral(x) || !hlo_simplify_splat_value(x, &number)) return false;
  if (number.type_class == HLO_CLASS_SIGNED) return number.i == -1;
  if (number.type_class == HLO_CLASS_PRED) return number.u != 0;
  int32_t bits = hlo_type_bits(x->shape->type);
  return number.u == (bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1);
}

static hlo_status build_unary(const hlo_instruction *x, hlo_opcode opcode, hlo_instruction *operand,
                              hlo_instruction **out, hlo_error *error) {
  return hlo_simplify_build(x, opcode, x->shape, 1, &operand, 0, NULL, out, error);
}

hlo_status hlo_simplify_add(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  for (int k = 0; k < 2; k++) {
    const hlo_instruction *side = x->operands[k];
    bool nothing = is_integral(side) ? hlo_simplify_is_integer(side, 0) : is_negative_zero(side);
    if (nothing) return hlo_simplify_use(x, x->operands[1 - k], out, error);
  }
  return hlo_simplify_sum_of_iotas(x, out, error);
}

hlo_status hlo_simplify_subtract(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *a = x->operands[0], *b = x->operands[1];
  if (hlo_simplify_is_integer(b, 0)) return hlo_simplify_use(x, a, out, error);
  if (!is_integral(x)) return HLO_OK;
  if (a == b) return hlo_simplify_integer(x, 0, out, error);
  if (hlo_simplify_is_integer(a, 0)) return build_unary(x, HLO_OP_NEGATE, b, out, error);
  return HLO_OK;
}

hlo_status hlo_simplify_multiply(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  for (int k = 0; k < 2; k++) {
    if (hlo_simplify_is_integer(x->operands[k], 1)) {
      return hlo_simplify_use(x, x->operands[1 - k], out, error);
    }
    if (is_integral(x) && hlo_simplify_is_integer(x->operands[k], 0)) {
      return hlo_simplify_use(x, x->operands[k], out, error);
    }
  }
  return HLO_OK;
}

// x / 2^n = x * 2^-n where 2^-n is a normal number: both are the same real number rounded once.
static hlo_status multiply_by_inverse(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  enum { MANTISSA_BITS = 52, BIAS = 1023, LARGEST = 120 }; // of f64; LARGEST is normal in f32 too
  hlo_type type = x->shape->type;
  hlo_number number;
  if (type != HLO_F32 && type != HLO_F64) return HLO_OK;
  if (!hlo_simplify_splat_value(x->operands[1], &number)) return HLO_OK;
  uint64_t bits = bits_of_double(number.re);
  int exponent = (int)(bits >> MANTISSA_BITS & 0x7ff) - BIAS;
  if (bits << (64 - MANTISSA_BITS) != 0 || exponent > LARGEST || exponent < -LARGEST) return HLO_OK;
  double inverse = 1 / number.re;
  char element[8];
  hlo_literal literal = {.shape = hlo_shape_scalar(type), .data = element};
  hlo_element_set(type, element, (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = inverse});
  hlo_instruction *operands[2] = {x->operands[0]};
  HLO_TRY(hlo_build_constant(x->computation, &literal, &operands[1], error));
  HLO_TRY(hlo_simplify_broadcast(operands[1], x->shape, &operands[1], error));
  return hlo_simplify_build(x, HLO_OP_MULTIPLY, x->shape, 2, operands, 0, NULL, out, error);
}

hlo_status hlo_simplify_divide(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  if (hlo_simplify_is_integer(x->operands[1], 1)) {
    return hlo_simplify_use(x, x->operands[0], out, error);
  }
  return multiply_by_inverse(x, out, error);
}

// Of floats the square is left to the power function: a product may be rounded otherwise.
hlo_status hlo_simplify_power(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  if (!is_integral(x)) return HLO_OK;
  hlo_instruction *base = x->operands[0];
  if (hlo_simplify_is_integer(x->operands[1], 0)) return hlo_simplify_integer(x, 1, out, error);
  if (hlo_simplify_is_integer(x->operands[1], 1)) return hlo_simplify_use(x, base, out, error);
  if (!hlo_simplify_is_integer(x->operands[1], 2)) return HLO_OK;
  hlo_instruction *operands[2] = {base, base};
  return hlo_simplify_build(x, HLO_OP_MULTIPLY, x->shape, 2, operands, 0, NULL, out, error);
}

// max(x, -inf) and min(x, inf) are x, NaN included.
hlo_status hlo_simplify_extremum(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  double neutral = x->opcode == HLO_OP_MAXIMUM ? -__builtin_inf() : __builtin_inf();
  if (x->operands[0] == x->operands[1]) return hlo_simplify_use(x, x->operands[0], out, error);
  for (int k = 0; k < 2 && hlo_type_is_float(x->shape->type); k++) {
    hlo_number number;
    if (!hlo_simplify_splat_value(x->operands[k], &number) || number.re != neutral) continue;
    return hlo_simplify_use(x, x->operands[1 - k], out, error);
  }
  return HLO_OK;
}

hlo_status hlo_simplify_logic(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  bool is_and = x->opcode == HLO_OP_AND, is_or = x->opcode == HLO_OP_OR;
  hlo_instruction *a = x->operands[0], *b = x->operands[1];
  if (a == b) {
    if (is_and || is_or) return hlo_simplify_use(x, a, out, error);
    return hlo_simplify_integer(x, 0, out, error);
  }
  for (int k = 0; k < 2; k++) {
    hlo_instruction *side = x->operands[k], *other = x->operands[1 - k];
    bool zero = hlo_simplify_is_integer(side, 0), ones = is_all_ones(side);
    if ((is_and && ones) || (!is_and && zero)) return hlo_simplify_use(x, other, out, error);
    if ((is_and && zero) || (is_or && ones)) return hlo_simplify_use(x, side, out, error);
    if (!is_and && !is_or && ones) return build_unary(x, HLO_OP_NOT, other, out, error);
  }
  return HLO_OK;
}

// An involution applied twice is the identity.
hlo_status hlo_simplify_involution(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  if (x->operands[0]->opcode != x->opcode) return HLO_OK;
  return hlo_simplify_use(x, x->operands[0]->operands[0], out, error);
}

hlo_status hlo_simplify_shift(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  if (hlo_simplify_is_integer(x->operands[1], 0))
    return hlo_simplify_use(x, x->operands[0], out, error);
  return hlo_simplify_shift_of_iota(x, out, error);
}

// --- comparison and selection ---

hlo_status hlo_simplify_compare(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *a = x->operands[0], *b = x->operands[1];
  const char *direction = hlo_get_text(x, HLO_ATTRIBUTE_DIRECTION);
  bool is_equal = strcmp(direction, "EQ") == 0, is_different = strcmp(direction, "NE") == 0;
  if (!is_integral(a)) return HLO_OK;
  if (a == b) {
    bool holds = is_equal || strcmp(direction, "LE") == 0 || strcmp(direction, "GE") == 0;
    return hlo_simplify_integer(x, holds, out, error);
  }
  if (a->shape->type != HLO_PRED || (!is_equal && !is_different)) return HLO_OK;
  if (is_all_ones(b) ? is_equal : (is_different && hlo_simplify_is_integer(b, 0))) {
    return hlo_simplify_use(x, a, out, error);
  }
  if (is_all_ones(b) || hlo_simplify_is_integer(b, 0)) {
    return build_unary(x, HLO_OP_NOT, a, out, error);
  }
  return HLO_OK;
}

static hlo_status use_selected(hlo_instruction *x, hlo_instruction *choice, hlo_instruction **out,
                               hlo_error *error) {
  if (!hlo_shape_compatible(x->shape, choice->shape)) return HLO_OK;
  return hlo_simplify_use(x, choice, out, error);
}

hlo_status hlo_simplify_select(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *chosen = x->operands[0];
  if (x->operands[1] == x->operands[2]) return use_selected(x, x->operands[1], out, error);
  if (is_all_ones(chosen)) return use_selected(x, x->operands[1], out, error);
  if (hlo_simplify_is_integer(chosen, 0)) return use_selected(x, x->operands[2], out, error);
  if (x->shape->type == HLO_PRED && hlo_shape_same_dimensions(x->shape, chosen->shape)) {
    bool yes = is_all_ones(x->operands[1]), no = is_all_ones(x->operands[2]);
    if (yes && hlo_simplify_is_integer(x->operands[2], 0)) {
      return hlo_simplify_use(x, chosen, out, error);
    }
    if (no && hlo_simplify_is_integer(x->operands[1], 0)) {
      return build_unary(x, HLO_OP_NOT, chosen, out, error);
    }
  }
  if (chosen->opcode != HLO_OP_NOT) return HLO_OK;
  hlo_instruction *operands[3] = {chosen->operands[0], x->operands[2], x->operands[1]};
  return hlo_simplify_build(x, HLO_OP_SELECT, x->shape, 3, operands, 0, NULL, out, error);
}

// --- conversion ---

// Whether `to` represents every value of `from`. (Conservative: true for common pairs only.)
static bool converts_exactly(hlo_type from, hlo_type to) {
  hlo_type_class a = hlo_type_get_class(from), b = hlo_type_get_class(to);
  int32_t from_bits = hlo_type_bits(from), to_bits = hlo_type_bits(to);
  if (from == to) return true;
  if (to == HLO_F32 || to == HLO_F64) {
    if (a == HLO_CLASS_FLOAT) return from_bits < to_bits;
    return (a == HLO_CLASS_SIGNED || a == HLO_CLASS_UNSIGNED || a == HLO_CLASS_PRED) &&
           from_bits <= to_bits / 2 && from_bits < (to == HLO_F32 ? 24 : 53);
  }
  if (a == HLO_CLASS_PRED) return b == HLO_CLASS_SIGNED || b == HLO_CLASS_UNSIGNED;
  if (b == HLO_CLASS_SIGNED) {
    return (a == HLO_CLASS_SIGNED && from_bits <= to_bits) ||
           (a == HLO_CLASS_UNSIGNED && from_bits < to_bits);
  }
  return a == HLO_CLASS_UNSIGNED && b == HLO_CLASS_UNSIGNED && from_bits <= to_bits;
}

// Whether from -> between -> to equals from -> to: integers wrap and floats saturate at the
// intermediate type.
static bool may_skip(hlo_type from, hlo_type between, hlo_type to) {
  if (!converts_exactly(from, between)) return false;
  bool floats = hlo_type_is_float(from) == hlo_type_is_float(between);
  return floats || hlo_type_is_float(to) || converts_exactly(from, to);
}

// Strips clamps that the conversion of a float to that integer type implies: it saturates, and maps
// NaN, which clamps keep, to 0.
static hlo_instruction *strip_clamps(hlo_instruction *x, hlo_type to) {
  bool is_signed = hlo_type_get_class(to) == HLO_CLASS_SIGNED;
  double half = (double)(UINT64_C(1) << (hlo_type_bits(to) - 1));
  double least = is_signed ? -half : 0, most = is_signed ? half - 1 : 2 * half - 1;
  hlo_number bound, high;
  for (;;) {
    hlo_instruction **operands = x->operands;
    if (x->opcode == HLO_OP_CLAMP) {
      if (!hlo_simplify_splat_value(operands[0], &bound) || !(bound.re <= least) ||
          !hlo_simplify_splat_value(operands[2], &high) || !(high.re >= most))
        return x;
      x = operands[1];
      continue;
    }
    if (x->opcode != HLO_OP_MAXIMUM && x->opcode != HLO_OP_MINIMUM) return x;
    bool is_first = hlo_simplify_splat_value(operands[0], &bound);
    if (!is_first && !hlo_simplify_splat_value(operands[1], &bound)) return x;
    if (!(x->opcode == HLO_OP_MAXIMUM ? bound.re <= least : bound.re >= most)) return x;
    x = operands[is_first];
  }
}

static bool is_float_to_integer(const hlo_instruction *x) {
  hlo_type_class to = hlo_type_get_class(x->shape->type);
  return hlo_type_is_float(x->operands[0]->shape->type) &&
         (to == HLO_CLASS_SIGNED || to == HLO_CLASS_UNSIGNED);
}

hlo_status hlo_simplify_convert(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0];
  hlo_type to = x->shape->type;
  if (operand->shape->type == to) return hlo_simplify_use(x, operand, out, error);
  hlo_instruction *free = is_float_to_integer(x) ? strip_clamps(operand, to) : operand;
  if (free != operand) return build_unary(x, HLO_OP_CONVERT, free, out, error);
  if (operand->opcode != HLO_OP_CONVERT) return hlo_simplify_convert_of_iota(x, out, error);
  hlo_instruction *source = operand->operands[0];
  if (!may_skip(source->shape->type, operand->shape->type, to)) return HLO_OK;
  if (source->shape->type == to) return hlo_simplify_use(x, source, out, error);
  return build_unary(x, HLO_OP_CONVERT, source, out, error);
}

hlo_status hlo_simplify_copy(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  (void)error;
  if (hlo_shape_equal(x->shape, x->operands[0]->shape)) *out = x->operands[0];
  return HLO_OK;
}

// An elementwise function of broadcasts of one kind is the broadcast of the function.
hlo_status hlo_simplify_splat(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_instruction *first = x->operands[0];
  const hlo_attribute *dimensions = hlo_find_attribute(first, HLO_ATTRIBUTE_DIMENSIONS);
  hlo_instruction *operands[3];
  if (x->operand_count < 1 || x->operand_count > 3 || x->opcode == HLO_OP_MAP) return HLO_OK;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k];
    if (operand->opcode != HLO_OP_BROADCAST) return HLO_OK;
    const hlo_attribute *other = hlo_find_attribute(operand, HLO_ATTRIBUTE_DIMENSIONS);
    operands[k] = operand->operands[0];
    if (!hlo_shape_same_dimensions(operand->shape, x->shape) ||
        !hlo_shape_same_dimensions(operands[k]->shape, operands[0]->shape) ||
        other->count != dimensions->count) {
      return HLO_OK;
    }
    for (int32_t i = 0; i < other->count; i++) {
      if (other->ints[i] != dimensions->ints[i]) return HLO_OK;
    }
  }
  if (hlo_shape_elements(first->operands[0]->shape) >= hlo_shape_elements(x->shape)) return HLO_OK;
  const hlo_shape *shape;
  hlo_instruction *inner;
  HLO_TRY(hlo_shape_with_type(&x->computation->module->arena, operands[0]->shape, x->shape->type,
                              false, &shape, error));
  HLO_TRY(hlo_simplify_build(x, x->opcode, shape, x->operand_count, operands, x->attribute_count,
                             x->attributes, &inner, error));
  return hlo_simplify_build(x, HLO_OP_BROADCAST, x->shape, 1, &inner, 1, dimensions, out, error);
}

// Whether the shapes are equal except for dimensions of size 1.
static bool same_but_for_ones(const hlo_shape *a, const hlo_shape *b) {
  int32_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->rank && a->dims[i] == 1) i++;
    while (k < b->rank && b->dims[k] == 1) k++;
    if (i == a->rank || k == b->rank) return i == a->rank && k == b->rank;
    if (a->dims[i] != b->dims[k]) return false;
  }
}

static bool is_scalar_broadcast(const hlo_instruction *x) {
  return x->opcode == HLO_OP_BROADCAST && hlo_shape_is_scalar(x->operands[0]->shape);
}

// Reshapes that insert dimensions of size 1 move from before elementwise work to after it, where
// they often cancel against a reshape that removes them. (Means and variances of JAX keep
// dimensions.)
hlo_status hlo_simplify_ones(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_shape *inner = NULL, *shape;
  hlo_instruction *operands[3], *result;
  if (x->operand_count < 1 || x->operand_count > 3 || x->opcode == HLO_OP_MAP) return HLO_OK;
  if (!hlo_layout_is_default(x->shape->layout)) return HLO_OK;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k];
    if (!hlo_shape_same_dimensions(operand->shape, x->shape)) return HLO_OK;
    if (is_scalar_broadcast(operand)) continue;
    if (operand->opcode != HLO_OP_RESHAPE) return HLO_OK;
    shape = operand->operands[0]->shape;
    if (inner == NULL) inner = shape;
    if (!hlo_layout_is_default(shape->layout) || !hlo_shape_same_dimensions(shape, inner) ||
        !same_but_for_ones(shape, x->shape)) {
      return HLO_OK;
    }
  }
  if (inner == NULL) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  for (int32_t k = 0; k < x->operand_count; k++) {
    operands[k] = x->operands[k]->operands[0];
    if (!is_scalar_broadcast(x->operands[k])) continue;
    HLO_TRY(hlo_shape_with_type(arena, inner, operands[k]->shape->type, false, &shape, error));
    HLO_TRY(hlo_simplify_broadcast(operands[k], shape, &operands[k], error));
  }
  HLO_TRY(hlo_shape_with_type(arena, inner, x->shape->type, false, &shape, error));
  HLO_TRY(hlo_simplify_build(x, x->opcode, shape, x->operand_count, operands, x->attribute_count,
                             x->attributes, &result, error));
  return hlo_simplify_build(x, HLO_OP_RESHAPE, x->shape, 1, &result, 0, NULL, out, error);
}
