// Conversions between element types, as kernels/elementwise/convert.c defines them: integers wrap,
// floats to integers truncate and saturate with NaN as 0, everything else rounds once. See
// value.h.
#include "codegen/graph/value.h"

// Halves of two vectors side by side: their first 64 bits.
static hlo_node concatenate_low(hlo_graph *g, hlo_node a, hlo_node b) {
  return hlo_graph_lanes32(g, a, b, 0, 1, 4, 5);
}
static hlo_node high_half(hlo_graph *g, hlo_node a) {
  return hlo_graph_lanes32(g, a, a, 2, 3, 2, 3);
}

static bool is_unsigned(hlo_type type) { return hlo_type_get_class(type) == HLO_CLASS_UNSIGNED; }

// The low 32 bits of 64-bit lanes.
static hlo_node low_words(hlo_graph *g, hlo_value value) {
  return hlo_graph_lanes32(g, value.part[0], value.part[1], 0, 2, 4, 6);
}

static hlo_value integer_to_integer(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value) {
  if (hlo_value_is_wide(from)) {
    if (hlo_value_is_wide(to)) return value;
    return (hlo_value){{hlo_value_wrap(g, to, low_words(g, value))}};
  }
  hlo_node x = value.part[0];
  if (hlo_value_is_wide(to)) {
    bool extends_zero = is_unsigned(from);
    return (hlo_value){
        {hlo_graph_1(g, extends_zero ? SIMD_I64X2_EXTEND_LOW_U : SIMD_I64X2_EXTEND_LOW_S, x),
         hlo_graph_1(g, extends_zero ? SIMD_I64X2_EXTEND_HIGH_U : SIMD_I64X2_EXTEND_HIGH_S, x)}};
  }
  bool holds = is_unsigned(from) == is_unsigned(to) && hlo_type_bits(from) <= hlo_type_bits(to);
  return (hlo_value){{holds ? x : hlo_value_wrap(g, to, x)}};
}

static hlo_value widen_f32(hlo_graph *g, hlo_node x) {
  return (hlo_value){
      {hlo_graph_1(g, SIMD_F64X2_PROMOTE, x), hlo_graph_1(g, SIMD_F64X2_PROMOTE, high_half(g, x))}};
}

// The lower bits of 64-bit lanes become the one above them if any is set (rounding to odd). Rounded
// to far fewer bits, that is what all of them would be.
static hlo_node without_low_bits(hlo_graph *g, hlo_node x, int32_t bits) {
  hlo_node low = hlo_graph_splat64(g, (UINT64_C(1) << bits) - 1);
  hlo_node carry = hlo_graph_2(g, SIMD_I64X2_ADD, hlo_graph_2(g, SIMD_AND, x, low), low);
  return hlo_graph_2(g, SIMD_ANDNOT, hlo_graph_2(g, SIMD_OR, x, carry), low);
}

// Magnitudes from 2^bits on in 64-bit lanes; those below 0 are taken for their complement.
static hlo_node is_large(hlo_graph *g, bool is_signed, hlo_node x, uint32_t bits) {
  hlo_node sign = hlo_graph_shift(g, SIMD_I64X2_SHR_S, x, 63);
  hlo_node size = is_signed ? hlo_graph_2(g, SIMD_XOR, x, sign) : x;
  hlo_node above = hlo_graph_shift(g, SIMD_I64X2_SHR_U, size, bits);
  return hlo_graph_2(g, SIMD_I64X2_NE, above, hlo_graph_splat32(g, 0));
}

// Integers of 32 and 64 bits as f32 that a narrow float rounds as it does the integers: if that is
// infinite there by 2^20, they are bounded by it; else, as bf16, f64 rounded to odd.
static hlo_node integer_to_wider_f32(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value) {
  enum { LARGEST_EXPONENT = 20, F64_BITS = 53, LOW_BITS = 12, F32_LOW_BITS = 29 };
  const hlo_float_format *format = hlo_type_float_format(to);
  bool is_signed = !is_unsigned(from), wide = hlo_value_is_wide(from);
  if (format->exponent_bits < 8) {
    hlo_node x = value.part[0], most = hlo_graph_splat32(g, 1 << LARGEST_EXPONENT);
    hlo_node least = hlo_graph_splat32(g, -(1u << LARGEST_EXPONENT));
    for (int i = 0; i < 2 && wide; i++) {
      hlo_node sign = hlo_graph_shift(g, SIMD_I64X2_SHR_S, value.part[i], 63);
      hlo_node bound = is_signed ? hlo_graph_2(g, SIMD_XOR, sign, most) : most;
      hlo_node beyond = is_large(g, is_signed, value.part[i], LARGEST_EXPONENT);
      value.part[i] = hlo_graph_select(g, beyond, bound, value.part[i]);
    }
    if (wide) x = low_words(g, value);
    else x = hlo_graph_2(g, is_signed ? SIMD_I32X4_MIN_S : SIMD_I32X4_MIN_U, x, most);
    if (is_signed) x = hlo_graph_2(g, SIMD_I32X4_MAX_S, x, least);
    return hlo_graph_1(g, SIMD_F32X4_CONVERT_S, x);
  }
  for (int i = 0; i < 2 && wide; i++) {
    hlo_node x = value.part[i], odd = without_low_bits(g, x, LOW_BITS);
    value.part[i] = hlo_graph_select(g, is_large(g, is_signed, x, F64_BITS), odd, x);
  }
  hlo_value_convert(g, HLO_F64, from, value, &value);
  for (int i = 0; i < 2; i++)
    value.part[i] =
        hlo_graph_1(g, SIMD_F32X4_DEMOTE, without_low_bits(g, value.part[i], F32_LOW_BITS));
  return concatenate_low(g, value.part[0], value.part[1]);
}

static bool integer_to_float(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value,
                             hlo_value *out) {
  hlo_node x = value.part[0];
  bool from_unsigned = is_unsigned(from);
  if (hlo_value_is_narrow(to) && hlo_type_bits(from) > 16) {
    value.part[0] = integer_to_wider_f32(g, to, from, value);
    *out = hlo_value_round(g, to, (hlo_value){{value.part[0]}});
    return true;
  }
  if (hlo_value_is_wide(from)) {
    bool wide = to == HLO_F64;
    uint32_t op = wide ? (from_unsigned ? WASM_F64_CONVERT_I64_U : WASM_F64_CONVERT_I64_S)
                       : (from_unsigned ? WASM_F32_CONVERT_I64_U : WASM_F32_CONVERT_I64_S);
    uint32_t replace = wide ? SIMD_F64X2_REPLACE : SIMD_F32X4_REPLACE;
    for (int i = 0; i < 2; i++) {
      out->part[i] = hlo_graph_by_lane(g, op, SIMD_I64X2_EXTRACT, replace, 2, value.part[i], 0);
    }
    if (!wide) *out = (hlo_value){{concatenate_low(g, out->part[0], out->part[1])}};
    return true;
  }
  if (to == HLO_F64) {
    uint32_t op = from_unsigned ? SIMD_F64X2_CONVERT_U : SIMD_F64X2_CONVERT_S;
    *out = (hlo_value){{hlo_graph_1(g, op, x), hlo_graph_1(g, op, high_half(g, x))}};
    return true;
  }
  bool full = from_unsigned && hlo_type_bits(from) == 32; // that is eight machine instructions
  out->part[0] = hlo_graph_1(g, full ? SIMD_F32X4_CONVERT_U : SIMD_F32X4_CONVERT_S, x);
  if (out->part[0] != 0) g->nodes[out->part[0]].is_byte = hlo_type_bits(from) <= 8;
  *out = hlo_value_round(g, to, *out);
  return true;
}

// f32 to less than 32 bits: as floats within them, and 0 for NaN, conversions need no care.
static hlo_node float_to_short(hlo_graph *g, bool to_unsigned, int32_t bits, hlo_node x) {
  float most = (float)(1 << (to_unsigned ? bits : bits - 1)), least = to_unsigned ? 0 : -most;
  hlo_node low = hlo_graph_f32(g, least), high = hlo_graph_f32(g, most - 1);
  if (!to_unsigned) x = hlo_graph_2(g, SIMD_AND, x, hlo_graph_2(g, SIMD_F32X4_EQ, x, x));
  x = hlo_graph_2(g, SIMD_F32X4_PMIN, hlo_graph_2(g, SIMD_F32X4_PMAX, low, x), high);
  return hlo_graph_truncate(g, x);
}

static hlo_value float_to_integer(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value) {
  bool to_unsigned = is_unsigned(to), wide = from == HLO_F64;
  int32_t bits = hlo_type_bits(to);
  if (bits == 64) {
    uint32_t op = wide ? (to_unsigned ? WASM_I64_TRUNC_F64_U : WASM_I64_TRUNC_F64_S)
                       : (to_unsigned ? WASM_I64_TRUNC_F32_U : WASM_I64_TRUNC_F32_S);
    hlo_node low = value.part[0], high = wide ? value.part[1] : high_half(g, low);
    uint32_t extract = wide ? SIMD_F64X2_EXTRACT : SIMD_F32X4_EXTRACT;
    return (hlo_value){{hlo_graph_by_lane(g, op, extract, SIMD_I64X2_REPLACE, 2, low, 0),
                        hlo_graph_by_lane(g, op, extract, SIMD_I64X2_REPLACE, 2, high, 0)}};
  }
  if (!wide && bits < 32) return (hlo_value){{float_to_short(g, to_unsigned, bits, value.part[0])}};
  bool full_unsigned = to_unsigned && bits == 32;
  hlo_node x;
  if (wide) {
    uint32_t op = full_unsigned ? SIMD_I32X4_TRUNC_F64_U : SIMD_I32X4_TRUNC_F64_S;
    x = concatenate_low(g, hlo_graph_1(g, op, value.part[0]), hlo_graph_1(g, op, value.part[1]));
  } else {
    x = hlo_graph_1(g, full_unsigned ? SIMD_I32X4_TRUNC_F32_U : SIMD_I32X4_TRUNC_F32_S,
                    value.part[0]);
  }
  if (bits == 32) return (hlo_value){{x}};
  uint32_t most = to_unsigned ? (1u << bits) - 1 : (1u << (bits - 1)) - 1;
  x = hlo_graph_2(g, SIMD_I32X4_MIN_S, x, hlo_graph_splat32(g, most));
  return (hlo_value){
      {hlo_graph_2(g, SIMD_I32X4_MAX_S, x, hlo_graph_splat32(g, to_unsigned ? 0 : ~most))}};
}

static bool float_to_float(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value,
                           hlo_value *out) {
  if (from == HLO_F64) {
    for (int i = 0; i < 2; i++) {
      value.part[i] = to == HLO_F32 ? hlo_graph_1(g, SIMD_F32X4_DEMOTE, value.part[i])
                                    : hlo_value_demote_to_odd(g, value.part[i]);
    }
    value.part[0] = concatenate_low(g, value.part[0], value.part[1]);
    *out = hlo_value_round(g, to, value);
  } else if (to == HLO_F64) {
    *out = widen_f32(g, value.part[0]);
  } else {
    *out = to == HLO_F32 ? value : hlo_value_round(g, to, value);
  }
  return true;
}

static hlo_value to_pred(hlo_graph *g, hlo_type from, hlo_value value) {
  hlo_node zero = hlo_graph_splat32(g, 0);
  if (hlo_value_is_wide(from)) {
    uint32_t op = from == HLO_F64 ? SIMD_F64X2_NE : SIMD_I64X2_NE;
    hlo_value masks = {
        {hlo_graph_2(g, op, value.part[0], zero), hlo_graph_2(g, op, value.part[1], zero)}};
    return (hlo_value){{hlo_value_narrow_mask(g, masks)}};
  }
  uint32_t op = hlo_type_is_float(from) ? SIMD_F32X4_NE : SIMD_I32X4_NE;
  return (hlo_value){{hlo_graph_2(g, op, value.part[0], zero)}};
}

static bool convert_complex(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value,
                            hlo_value *out) {
  hlo_type from_part = hlo_type_complex_part(from), to_part = hlo_type_complex_part(to);
  hlo_node zero = hlo_graph_splat32(g, 0);
  hlo_value re = value, im = {{zero, zero}};
  if (hlo_type_is_complex(from)) {
    re = hlo_value_complex_part(from, value, 0);
    im = hlo_value_complex_part(from, value, 1);
  }
  if (!hlo_value_convert(g, to_part, from_part, re, &re)) return false;
  if (hlo_type_is_complex(to) && hlo_type_is_complex(from) &&
      !hlo_value_convert(g, to_part, from_part, im, &im))
    return false;
  *out = hlo_type_is_complex(to) ? hlo_value_complex(to, re, im) : re;
  return true;
}

bool hlo_value_convert(hlo_graph *g, hlo_type to, hlo_type from, hlo_value value, hlo_value *out) {
  *out = value;
  if (hlo_value_parts(to) == 0 || hlo_value_parts(from) == 0) return false;
  if (to == from) return true;
  if (hlo_type_is_complex(from) || hlo_type_is_complex(to))
    return convert_complex(g, to, from, value, out);
  if (to == HLO_PRED) {
    *out = to_pred(g, from, value);
    return true;
  }
  if (from == HLO_PRED) {
    value.part[0] = hlo_graph_2(g, SIMD_AND, value.part[0], hlo_graph_splat32(g, 1));
    from = HLO_U8;
  }
  bool from_float = hlo_type_is_float(from), to_float = hlo_type_is_float(to);
  if (from_float && to_float) return float_to_float(g, to, from, value, out);
  if (to_float) return integer_to_float(g, to, from, value, out);
  *out = from_float ? float_to_integer(g, to, from, value) : integer_to_integer(g, to, from, value);
  return true;
}
