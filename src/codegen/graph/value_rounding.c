// What goes by the bits of floats: reduce-precision, stochastic-convert, next-after. As
// kernels/elementwise/narrow/reduce_precision.c and
// kernels/elementwise/narrow/stochastic_convert.c. See value.h.
#include "codegen/graph/value.h"

#include "codegen/graph/narrow_bits.h"
#include "kernels/elementwise/narrow.h"
#include "shape/literal.h"

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

// --- next-after ---

// The neighbour of x on the side of y, in the bits of the type's codes, whose order is that of
// magnitudes.
hlo_value hlo_value_next_after(hlo_graph *g, hlo_type type, hlo_value x, hlo_value y) {
  bool wide = type == HLO_F64, narrow = hlo_value_is_narrow(type);
  const hlo_float_format *format = narrow ? hlo_type_float_format(type) : NULL;
  const bit_lanes f = {.g = g, .wide = wide};
  bool has_sign = !narrow || format->kind != HLO_FLOAT_EXPONENT_ONLY;
  int32_t bits = narrow ? format->exponent_bits + format->mantissa_bits : wide ? 63 : 31;
  uint64_t sign_bit = has_sign ? UINT64_C(1) << bits : 0;
  uint32_t lt = wide ? SIMD_F64X2_LT : SIMD_F32X4_LT, eq = wide ? SIMD_F64X2_EQ : SIMD_F32X4_EQ;
  hlo_value codes = hlo_value_to_memory(g, type, x), out = codes;
  hlo_node zero = splat(&f, 0), one = splat(&f, 1);
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    hlo_node a = x.part[i], b = y.part[i];
    hlo_node grows =
        hlo_graph_2(g, SIMD_XOR, hlo_graph_2(g, lt, a, b), hlo_graph_2(g, lt, a, zero));
    hlo_node step = hlo_graph_2(g, SIMD_OR, hlo_graph_1(g, SIMD_NOT, grows), one); // 1 or -1
    hlo_node next = add(&f, codes.part[i], step);
    if (narrow && format->kind == HLO_FLOAT_FNUZ) { // which has no -0
      hlo_node is_minus_0 = hlo_graph_2(g, SIMD_I32X4_EQ, next, splat(&f, sign_bit));
      next = hlo_graph_2(g, SIMD_ANDNOT, next, is_minus_0);
    }
    hlo_node below = hlo_graph_2(g, SIMD_AND, hlo_graph_2(g, lt, b, zero), splat(&f, sign_bit));
    hlo_node least = hlo_graph_2(g, SIMD_OR, below, one);
    out.part[i] = hlo_graph_select(g, hlo_graph_2(g, eq, a, zero), least, next);
  }
  out = hlo_value_from_memory(g, type, out);
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    hlo_node a = x.part[i], b = y.part[i];
    hlo_node is_ordered =
        hlo_graph_2(g, SIMD_AND, hlo_graph_2(g, eq, a, a), hlo_graph_2(g, eq, b, b));
    hlo_node nan = hlo_graph_2(g, wide ? SIMD_F64X2_ADD : SIMD_F32X4_ADD, a, b);
    if (narrow) nan = hlo_graph_select(g, hlo_graph_2(g, eq, a, a), b, a);
    hlo_node number = hlo_graph_select(g, hlo_graph_2(g, eq, a, b), b, out.part[i]);
    out.part[i] = hlo_graph_select(g, is_ordered, number, nan);
  }
  return out;
}
