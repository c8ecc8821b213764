// Rounding values to fewer bits: floats of 8 bits and below, f8e8m0fnu, reduce-precision,
// stochastic-convert. The bits are those
// of math/float_formats.c, kernels/elementwise/narrow/reduce_precision.c and
// kernels/elementwise/narrow/stochastic_convert.c. See value.h.
#include "codegen/graph/value.h"

#include "codegen/graph/narrow_bits.h"
#include "kernels/elementwise/narrow.h"
#include "shape/literal.h"

// --- f8e8m0fnu: the exponent field of f32 ---

hlo_node hlo_value_decode_exponent(hlo_graph *g, hlo_node code) {
  hlo_node power = hlo_graph_shift(g, SIMD_I32X4_SHL, code, 23);
  hlo_node least = hlo_graph_splat32(g, 0x00400000); // 2^-127, which f32 has as a subnormal number
  hlo_node is_least = hlo_graph_2(g, SIMD_I32X4_EQ, power, hlo_graph_splat32(g, 0));
  hlo_node is_nan = hlo_graph_2(g, SIMD_I32X4_EQ, power, hlo_graph_splat32(g, 0x7f800000));
  return hlo_graph_select(g, is_nan, hlo_graph_splat32(g, 0x7fc00000),
                          hlo_graph_select(g, is_least, least, power));
}

static hlo_node encode_exponent(hlo_graph *g, hlo_node value) {
  // Halfway goes up, but 2^-127, which is halfway between nothing and 2^-126, stays.
  hlo_node is_subnormal =
      hlo_graph_2(g, SIMD_I32X4_LT_S, value, hlo_graph_splat32(g, 0x00800000)); // ones are -1
  hlo_node raised = hlo_graph_2(g, SIMD_I32X4_ADD, value, hlo_graph_splat32(g, 0x00400000));
  hlo_node code = hlo_graph_shift(g, SIMD_I32X4_SHR_U,
                                  hlo_graph_2(g, SIMD_I32X4_ADD, raised, is_subnormal), 23);
  // Positive and finite, as one comparison of unsigned numbers.
  hlo_node below = hlo_graph_2(g, SIMD_I32X4_SUB, value, hlo_graph_splat32(g, 1));
  hlo_node has_code = hlo_graph_2(g, SIMD_I32X4_LT_U, below, hlo_graph_splat32(g, 0x7f7fffff));
  return hlo_graph_select(g, has_code, code, hlo_graph_splat32(g, 0xff));
}

// --- other floats of 8 bits and below ---

// Of formats that are not IEEE's. Rounded once: numbers by adding to their bits what carries, those
// that become subnormal by a sum whose last bit is theirs.
hlo_node hlo_value_encode_other(hlo_graph *g, hlo_type type, hlo_node value) {
  const hlo_float_format *f = hlo_type_float_format(type);
  if (f->kind == HLO_FLOAT_EXPONENT_ONLY) return encode_exponent(g, value);
  uint32_t all = magnitude_of(f), top = top_of(f), shift = 23 - (uint32_t)f->mantissa_bits;
  hlo_node sign = hlo_graph_shift(g, SIMD_I32X4_SHR_U, value,
                                  31u - f->exponent_bits - (uint32_t)f->mantissa_bits);
  sign = and_bits(g, sign, all + 1);
  hlo_node magnitude = and_bits(g, value, 0x7fffffff);
  hlo_node odd = and_bits(g, hlo_graph_shift(g, SIMD_I32X4_SHR_U, magnitude, shift), 1);
  uint32_t rounding = (1u << (shift - 1)) - 1 - (uint32_t)((127 - f->bias) << 23);
  hlo_node normal = hlo_graph_2(g, SIMD_I32X4_ADD, magnitude, hlo_graph_splat32(g, rounding));
  normal = hlo_graph_shift(g, SIMD_I32X4_SHR_U, hlo_graph_2(g, SIMD_I32X4_ADD, normal, odd), shift);
  hlo_node last = power_of_2(g, 24 - f->bias - f->mantissa_bits);
  hlo_node subnormal =
      hlo_graph_2(g, SIMD_I32X4_SUB, hlo_graph_2(g, SIMD_F32X4_ADD, magnitude, last), last);
  hlo_node is_small = hlo_graph_2(g, SIMD_I32X4_LT_S, magnitude, power_of_2(g, 1 - f->bias));
  hlo_node code = hlo_graph_select(g, is_small, subnormal, normal);
  code = hlo_graph_2(g, SIMD_I32X4_MIN_S, code, hlo_graph_splat32(g, top));
  hlo_node is_nan = above(g, magnitude, 0x7f800000);
  hlo_node nan = hlo_graph_splat32(g, f->kind == HLO_FLOAT_FINITE ? 0 : top);
  code = hlo_graph_select(g, is_nan, nan, code);
  if (f->kind == HLO_FLOAT_FINITE) { // a zero of the other sign
    sign = hlo_graph_2(g, SIMD_XOR, sign, and_bits(g, is_nan, all + 1));
  }
  if (f->kind == HLO_FLOAT_FNUZ) { // only numbers but 0 have a sign
    hlo_node is_number = hlo_graph_2(g, SIMD_I32X4_LT_S, code, hlo_graph_splat32(g, top));
    hlo_node is_zero = hlo_graph_2(g, SIMD_I32X4_EQ, code, hlo_graph_splat32(g, 0));
    sign = hlo_graph_2(g, SIMD_AND, sign, hlo_graph_2(g, SIMD_ANDNOT, is_number, is_zero));
  }
  return hlo_graph_2(g, SIMD_OR, code, sign);
}

// --- reduce-precision ---

// Bits of a format in lanes of 32 or 64 bits, and the constants and instructions for them.
typedef struct bit_lanes {
  hlo_graph *g;
  bool wide;
  int32_t exponent_bits, mantissa_bits;
} bit_lanes;

static hlo_node splat(const bit_lanes *f, uint64_t bits) {
  return f->wide ? hlo_graph_splat64(f->g, bits) : hlo_graph_splat32(f->g, (uint32_t)bits);
}
static hlo_node add(const bit_lanes *f, hlo_node a, hlo_node b) {
  return hlo_graph_2(f->g, f->wide ? SIMD_I64X2_ADD : SIMD_I32X4_ADD, a, b);
}
static hlo_node is_above(const bit_lanes *f, hlo_node a, uint64_t bound) {
  return hlo_graph_2(f->g, f->wide ? SIMD_I64X2_GT_S : SIMD_I32X4_GT_S, a, splat(f, bound));
}

// Rounds in the bits, to even, as kernels/elementwise/narrow/reduce_precision.c does; then
// flushes what lies outside of the smaller exponent range.
static hlo_node reduce_bits(const bit_lanes *f, hlo_node bits, int32_t exponent_bits,
                            int32_t mantissa_bits) {
  hlo_graph *g = f->g;
  uint64_t sign_bit = UINT64_C(1) << (f->exponent_bits + f->mantissa_bits);
  uint64_t infinity = ((UINT64_C(1) << f->exponent_bits) - 1) << f->mantissa_bits;
  hlo_node sign = hlo_graph_2(g, SIMD_AND, bits, splat(f, sign_bit));
  hlo_node whole = hlo_graph_2(g, SIMD_AND, bits, splat(f, sign_bit - 1)), magnitude = whole;
  int32_t dropped = f->mantissa_bits - mantissa_bits;
  if (dropped > 0) {
    uint32_t shift = f->wide ? SIMD_I64X2_SHR_U : SIMD_I32X4_SHR_U;
    hlo_node odd = hlo_graph_shift(g, shift, magnitude, (uint32_t)dropped);
    odd = hlo_graph_2(g, SIMD_AND, odd, splat(f, 1));
    magnitude = add(f, add(f, magnitude, splat(f, (UINT64_C(1) << (dropped - 1)) - 1)), odd);
    magnitude = hlo_graph_2(g, SIMD_AND, magnitude, splat(f, UINT64_MAX << dropped));
  }
  if (exponent_bits < f->exponent_bits) {
    uint64_t bias = (UINT64_C(1) << (f->exponent_bits - 1)) - 1;
    uint64_t largest = (UINT64_C(1) << (exponent_bits - 1)) - 1;
    uint64_t beyond = (bias + largest + 1) << f->mantissa_bits;
    uint64_t least = (bias + 1 - largest) << f->mantissa_bits;
    hlo_node overflows = is_above(f, magnitude, beyond - 1);
    magnitude = hlo_graph_2(g, SIMD_AND, magnitude, is_above(f, magnitude, least - 1));
    magnitude = hlo_graph_select(g, overflows, splat(f, infinity), magnitude);
  }
  magnitude = hlo_graph_2(g, SIMD_OR, magnitude, sign);
  return hlo_graph_select(g, is_above(f, whole, infinity - 1), bits, magnitude);
}

hlo_value hlo_value_reduce_precision(hlo_graph *g, hlo_type type, hlo_value value,
                                     int64_t exponent_bits, int64_t mantissa_bits) {
  int32_t exponent = exponent_bits > 11 ? 11 : (int32_t)exponent_bits;
  int32_t mantissa = mantissa_bits > 52 ? 52 : (int32_t)mantissa_bits;
  bit_lanes f = {g, type == HLO_F64, 8, 23};
  if (f.wide) f.exponent_bits = 11, f.mantissa_bits = 52;
  // In the bits of f16 for it and what it has all numbers of; others as f32.
  bool is_byte = hlo_type_bytes(type) == 1,
       by_code = type == HLO_F16 || (is_byte && type != HLO_F8E8M0FNU);
  if (by_code) {
    f.exponent_bits = 5, f.mantissa_bits = 10;
    value = hlo_value_to_memory(g, HLO_F16, value);
  }
  for (int32_t i = 0; i < hlo_value_parts(type); i++)
    value.part[i] = reduce_bits(&f, value.part[i], exponent, mantissa);
  if (by_code) value = hlo_value_from_memory(g, HLO_F16, value);
  return is_byte ? hlo_value_round(g, type, value) : value;
}

// --- stochastic-convert ---

// Rounded away from zero where the random bits are less than the fraction; what is not finite has
// none.
static hlo_node round_f32(hlo_graph *g, int32_t bits, hlo_node x, hlo_node random) {
  hlo_node size = hlo_graph_1(g, SIMD_F32X4_ABS, x), whole = hlo_graph_1(g, SIMD_F32X4_TRUNC, size);
  hlo_node fraction = hlo_graph_2(g, SIMD_F32X4_SUB, size, whole);
  hlo_node units = hlo_graph_splat32(g, (uint32_t)(127 + bits) << 23);
  fraction =
      hlo_graph_1(g, SIMD_I32X4_TRUNC_F32_U, hlo_graph_2(g, SIMD_F32X4_MUL, fraction, units));
  hlo_node is_more = hlo_graph_2(g, SIMD_I32X4_LT_U, random, fraction);
  hlo_node one = hlo_graph_2(g, SIMD_AND, is_more, hlo_graph_f32(g, 1));
  return hlo_graph_2(g, SIMD_OR, hlo_graph_2(g, SIMD_F32X4_ADD, whole, one),
                     and_bits(g, x, UINT32_C(1) << 31));
}

static hlo_node round_f64(hlo_graph *g, hlo_node x, hlo_node random) {
  hlo_node sign = hlo_graph_splat64(g, UINT64_C(1) << 63);
  hlo_node size = hlo_graph_1(g, SIMD_F64X2_ABS, x), whole = hlo_graph_1(g, SIMD_F64X2_TRUNC, size);
  hlo_node fraction = hlo_graph_2(g, SIMD_F64X2_SUB, size, whole);
  fraction = hlo_graph_2(g, SIMD_F64X2_MUL, fraction, hlo_graph_f64(g, 0x1p64));
  fraction = hlo_graph_by_lane(g, WASM_I64_TRUNC_F64_U, SIMD_F64X2_EXTRACT, SIMD_I64X2_REPLACE, 2,
                               fraction, 0);
  hlo_node is_more =
      hlo_graph_2(g, SIMD_I64X2_LT_S, hlo_graph_2(g, SIMD_XOR, random, sign), // as unsigned
                  hlo_graph_2(g, SIMD_XOR, fraction, sign));
  hlo_node one = hlo_graph_2(g, SIMD_AND, is_more, hlo_graph_f64(g, 1));
  return hlo_graph_2(g, SIMD_OR, hlo_graph_2(g, SIMD_F64X2_ADD, whole, one),
                     hlo_graph_2(g, SIMD_AND, x, sign));
}

bool hlo_value_stochastic_convert(hlo_graph *g, hlo_type to, hlo_type from, hlo_value x,
                                  hlo_value random, hlo_value *out) {
  if (!hlo_type_is_float(from) || !hlo_type_is_integer(to)) return false;
  bool wide = from == HLO_F64;
  for (int32_t i = 0; i < hlo_value_parts(from); i++) {
    x.part[i] = wide ? round_f64(g, x.part[i], random.part[i])
                     : round_f32(g, hlo_type_bits(from), x.part[i], random.part[i]);
  }
  return hlo_value_convert(g, to, wide ? HLO_F64 : HLO_F32, x, out);
}

// --- to floats below 32 bits ---

hlo_node hlo_value_demote_to_odd(hlo_graph *g, hlo_node x) {
  hlo_node near = hlo_graph_1(g, SIMD_F32X4_DEMOTE, x);
  hlo_node back = hlo_graph_1(g, SIMD_F64X2_PROMOTE, near);
  hlo_node is_inexact = hlo_graph_2(g, SIMD_F64X2_NE, back, x); // a NaN too, which stays one
  hlo_node is_beyond = hlo_graph_2(g, SIMD_F64X2_GT, hlo_graph_1(g, SIMD_F64X2_ABS, back),
                                   hlo_graph_1(g, SIMD_F64X2_ABS, x));
  // Masks of 64 bits, over the two lanes of 32.
  is_inexact = hlo_graph_lanes32(g, is_inexact, is_inexact, 0, 2, 0, 2);
  is_beyond = hlo_graph_lanes32(g, is_beyond, is_beyond, 0, 2, 0, 2);
  hlo_node below = hlo_graph_2(g, SIMD_I32X4_ADD, near, is_beyond); // toward zero
  return hlo_graph_2(g, SIMD_OR, below, and_bits(g, is_inexact, 1));
}
