// Codes of floats of 8 bits and below, by operations on bits: those of math/float_formats.c. See
// value.h.
#include "codegen/graph/value.h"

#include "codegen/graph/narrow_bits.h"
#include "shape/literal.h"

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
