// Operations that make each element of the result from the operands' elements at the same place.
// Source of semantics: the sections of the operation semantics that are named.
#include "base/bits.h"
#include "hlo/infer/constraint.h"
#include "reference/operation.h"

static hlo_scalar truth(bool value) {
  return hlo_scalar_of(HLO_PRED, (hlo_number){.type_class = HLO_CLASS_PRED, .u = value});
}

// The rows of ops.def. A function whose result_accuracy asks for more than it has is computed in
// the wider type.
hlo_scalar hlo_reference_pointwise(const hlo_operation *x, const int64_t *at) {
  const hlo_instruction *instruction = x->instruction;
  hlo_number numbers[2] = {{0}};
  hlo_type type = x->operands->type;
  bool is_accurate = hlo_find_attribute(instruction, HLO_ATTRIBUTE_RESULT_ACCURACY) != NULL &&
                     hlo_wants_highest_accuracy(instruction);
  if (is_accurate) type = type == HLO_F32 ? HLO_F64 : type == HLO_C64 ? HLO_C128 : type;
  for (int32_t k = 0; k < instruction->operand_count; k++)
    numbers[k] = hlo_number_at(&x->operands[k], at);
  return hlo_reference_value(instruction->opcode, type, numbers, x->results->type);
}

// --- Compare ---

// A float's bits, with those below 16 bits as f32 (formats differ in where NaN stands), as an
// integer that grows with the number.
static int64_t order_of(hlo_scalar a) {
  uint64_t bits = 0;
  int32_t width = hlo_type_bits(a.type);
  memcpy(&bits, a.bytes, (size_t)hlo_type_bytes(a.type));
  if (width < 16) {
    bits = bits_of_float(hlo_float_format_decode(hlo_type_float_format(a.type), (uint16_t)bits));
    width = 32;
  }
  uint64_t sign = UINT64_C(1) << (width - 1);
  return bits & sign ? -(int64_t)(bits ^ sign) - 1 : (int64_t)bits;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

int hlo_reference_total_order(hlo_scalar a, hlo_scalar b) {
  if (hlo_type_is_float(a.type)) return ORDER(order_of(a), order_of(b));
  hlo_number x = hlo_number_of(a), y = hlo_number_of(b);
  if (hlo_type_is_complex(a.type)) return x.re == y.re ? ORDER(x.im, y.im) : ORDER(x.re, y.re);
  return x.type_class == HLO_CLASS_SIGNED ? ORDER(x.i, y.i) : ORDER(x.u, y.u);
}

static bool is_nan(hlo_scalar a) {
  hlo_number x = hlo_number_of(a);
  return x.re != x.re || x.im != x.im;
}

// Compare: floats as IEEE 754 compares them (NaN is unequal to all, -0 equals +0) or, by type
// TOTALORDER, in total order; complex numbers by real parts, then imaginary ones.
hlo_scalar hlo_reference_compare(const hlo_operation *x, const int64_t *at) {
  const char *direction = hlo_get_text(x->instruction, HLO_ATTRIBUTE_DIRECTION);
  const char *type = hlo_get_text(x->instruction, HLO_ATTRIBUTE_TYPE);
  bool total = type != NULL && strcmp(type, "TOTALORDER") == 0;
  hlo_scalar a = hlo_scalar_at(&x->operands[0], at), b = hlo_scalar_at(&x->operands[1], at);
  bool is_unordered = !total && (is_nan(a) || is_nan(b));
  hlo_number p = hlo_number_of(a), q = hlo_number_of(b);
  int order =
      hlo_type_is_float(a.type) && !total ? ORDER(p.re, q.re) : hlo_reference_total_order(a, b);
  if (strcmp(direction, "NE") == 0) return truth(is_unordered || order != 0);
  if (is_unordered) return truth(false);
  if (strcmp(direction, "EQ") == 0) return truth(order == 0);
  if (strcmp(direction, "LT") == 0) return truth(order < 0);
  if (strcmp(direction, "LE") == 0) return truth(order <= 0);
  return truth(strcmp(direction, "GT") == 0 ? order > 0 : order >= 0);
}

// --- ConvertElementType, Select, Clamp ---

hlo_scalar hlo_reference_convert(const hlo_operation *x, const int64_t *at) {
  return hlo_scalar_of(x->results->type, hlo_number_at(x->operands, at));
}

// Select: operand 1 where operand 0 is true, else operand 2.
hlo_scalar hlo_reference_select(const hlo_operation *x, const int64_t *at) {
  return hlo_scalar_at(&x->operands[hlo_number_at(x->operands, at).u != 0 ? 1 : 2], at);
}

// Clamp(low, x, high) = minimum(maximum(low, x), high).
hlo_scalar hlo_reference_clamp(const hlo_operation *x, const int64_t *at) {
  hlo_type type = x->operands->type;
  hlo_number pair[2] = {hlo_number_at(&x->operands[0], at), hlo_number_at(&x->operands[1], at)};
  pair[0] = hlo_number_of(hlo_reference_value(HLO_OP_MAXIMUM, type, pair, type));
  pair[1] = hlo_number_at(&x->operands[2], at);
  return hlo_reference_value(HLO_OP_MINIMUM, type, pair, type);
}

// --- ReducePrecision ---

// Rounds a float of that many bits to nearest even in its bits (a carry raises the exponent, and at
// the top gives infinity); beyond the smaller range of exponents lie infinity and zero.
static uint64_t reduce_bits(uint64_t bits, int32_t exponent_bits, int32_t mantissa_bits,
                            int64_t to_exponent_bits, int64_t to_mantissa_bits) {
  uint64_t sign = bits & UINT64_C(1) << (exponent_bits + mantissa_bits), magnitude = bits ^ sign;
  uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << mantissa_bits;
  if (magnitude >= infinity) return bits;
  if (to_mantissa_bits < mantissa_bits) {
    int64_t dropped = mantissa_bits - to_mantissa_bits;
    uint64_t half = UINT64_C(1) << (dropped - 1), is_odd = magnitude >> dropped & 1;
    magnitude = (magnitude + half - 1 + is_odd) >> dropped << dropped;
  }
  if (to_exponent_bits < exponent_bits) {
    int64_t bias = (INT64_C(1) << (exponent_bits - 1)) - 1;
    int64_t largest = (INT64_C(1) << (to_exponent_bits - 1)) - 1;
    int64_t exponent = (int64_t)(magnitude >> mantissa_bits) - bias;
    if (exponent > largest) magnitude = infinity;
    if (exponent < 1 - largest) magnitude = 0;
  }
  return sign | magnitude;
}

// ReducePrecision. Types of a byte by way of one that has all their numbers, and infinities.
hlo_scalar hlo_reference_reduce_precision(const hlo_operation *x, const int64_t *at) {
  hlo_scalar value = hlo_scalar_at(x->operands, at);
  hlo_type type = value.type, via = type;
  if (hlo_type_bytes(type) == 1) via = type == HLO_F8E8M0FNU ? HLO_BF16 : HLO_F16;
  if (via != type) value = hlo_scalar_of(via, hlo_number_of(value));
  int32_t exponent_bits = via == HLO_F64 ? 11 : via == HLO_F16 ? 5 : 8;
  uint64_t bits = 0;
  memcpy(&bits, value.bytes, (size_t)hlo_type_bytes(via));
  bits = reduce_bits(bits, exponent_bits, hlo_type_bits(via) - 1 - exponent_bits,
                     hlo_get_int(x->instruction, HLO_ATTRIBUTE_EXPONENT_BITS, 11),
                     hlo_get_int(x->instruction, HLO_ATTRIBUTE_MANTISSA_BITS, 52));
  memcpy(value.bytes, &bits, (size_t)hlo_type_bytes(via));
  return via == type ? value : hlo_scalar_of(type, hlo_number_of(value));
}

// StochasticConvert to an integer: away from zero with the probability that the fraction says,
// which is when it exceeds the random bits as a fraction of their range (as XLA's CPU backend
// does).
hlo_scalar hlo_reference_stochastic_convert(const hlo_operation *x, const int64_t *at) {
  hlo_number value = hlo_number_at(x->operands, at);
  double magnitude = __builtin_fabs(value.re), whole = __builtin_trunc(magnitude);
  if (magnitude < 0x1p53) {
    double scale = __builtin_ldexp(1, hlo_type_bits(x->operands->type));
    bool is_away = hlo_number_at(&x->operands[1], at).u < (uint64_t)((magnitude - whole) * scale);
    value.re = __builtin_copysign(whole + (is_away ? 1 : 0), value.re);
  }
  return hlo_scalar_of(x->results->type, value);
}
