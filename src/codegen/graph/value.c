// Values: their form in vectors and in memory. See value.h.
#include "codegen/graph/value.h"

#include "codegen/graph/narrow_bits.h"
#include "kernels/elementwise/narrow.h"

#include <string.h>

int32_t hlo_value_parts(hlo_type type) {
  static const uint8_t parts[HLO_TYPE_COUNT] = {
      [HLO_S2] = 1,       [HLO_S4] = 1,         [HLO_U2] = 1,         [HLO_U4] = 1,
      [HLO_F4E2M1FN] = 1, [HLO_F8E5M2] = 1,     [HLO_F8E4M3] = 1,     [HLO_F8E4M3FN] = 1,
      [HLO_F8E3M4] = 1,   [HLO_F8E5M2FNUZ] = 1, [HLO_F8E4M3FNUZ] = 1, [HLO_F8E4M3B11FNUZ] = 1,
      [HLO_PRED] = 1,     [HLO_S8] = 1,         [HLO_S16] = 1,        [HLO_S32] = 1,
      [HLO_S64] = 2,      [HLO_U8] = 1,         [HLO_U16] = 1,        [HLO_U32] = 1,
      [HLO_U64] = 2,      [HLO_BF16] = 1,       [HLO_F16] = 1,        [HLO_F32] = 1,
      [HLO_F64] = 2,      [HLO_C64] = 2,        [HLO_F8E8M0FNU] = 1,  [HLO_C128] = 4,
      [HLO_F6E2M3FN] = 1, [HLO_F6E3M2FN] = 1};
  return type >= 0 && type < HLO_TYPE_COUNT ? parts[type] : 0;
}

bool hlo_value_is_wide(hlo_type type) {
  return hlo_value_parts(type) == 2 && !hlo_type_is_complex(type);
}
bool hlo_value_is_narrow(hlo_type type) { return hlo_type_is_narrow_float(type); }

hlo_node hlo_value_wrap(hlo_graph *g, hlo_type type, hlo_node lanes) {
  int32_t bits = hlo_type_bits(type);
  if (bits >= 32) return lanes;
  if (hlo_type_get_class(type) != HLO_CLASS_SIGNED) {
    return hlo_graph_2(g, SIMD_AND, lanes, hlo_graph_splat32(g, (1u << bits) - 1));
  }
  uint32_t spare = 32 - (uint32_t)bits;
  return hlo_graph_shift(g, SIMD_I32X4_SHR_S, hlo_graph_shift(g, SIMD_I32X4_SHL, lanes, spare),
                         spare);
}

hlo_node hlo_value_unwrap(const hlo_graph *g, hlo_type type, hlo_node lanes) {
  int32_t bits = hlo_type_bits(type);
  hlo_type_class type_class = hlo_type_get_class(type);
  bool is_integer = type_class == HLO_CLASS_SIGNED || type_class == HLO_CLASS_UNSIGNED;
  uint32_t mask;
  if (lanes == 0 || bits >= 32 || !is_integer) return lanes;
  const hlo_graph_node *node = &g->nodes[lanes], *inner = &g->nodes[node->operands[0]];
  bool is_masked = node->kind == HLO_NODE_SIMD && node->op == SIMD_AND &&
                   hlo_graph_is_splat32(g, node->operands[1], &mask) && mask == (1u << bits) - 1;
  bool is_extended = node->kind == HLO_NODE_SHIFT && node->op == SIMD_I32X4_SHR_S &&
                     inner->kind == HLO_NODE_SHIFT && inner->op == SIMD_I32X4_SHL &&
                     node->operand_count == 1 && inner->operand_count == 1 &&
                     node->immediate[0] == 32 - bits && inner->immediate[0] == 32 - bits;
  return is_masked ? node->operands[0] : is_extended ? inner->operands[0] : lanes;
}

// --- floats below 32 bits ---

// The exponent is put where that of f32 is and corrected by a product, which is exact.
static hlo_node decode(hlo_graph *g, hlo_type type, hlo_node bits) {
  const hlo_float_format *f = hlo_type_float_format(type);
  if (f->kind == HLO_FLOAT_EXPONENT_ONLY) return hlo_value_decode_exponent(g, bits);
  uint32_t all = magnitude_of(f), shift = 23 - (uint32_t)f->mantissa_bits;
  hlo_node magnitude = hlo_graph_shift(g, SIMD_I32X4_SHL, and_bits(g, bits, all), shift);
  hlo_node sign = and_bits(g, bits, all + 1);
  sign =
      hlo_graph_shift(g, SIMD_I32X4_SHL, sign, 31u - f->exponent_bits - (uint32_t)f->mantissa_bits);
  hlo_node scaled = hlo_graph_2(g, SIMD_F32X4_MUL, magnitude, power_of_2(g, 127 - f->bias));
  if (f->kind == HLO_FLOAT_IEEE || f->kind == HLO_FLOAT_FN) {
    hlo_node is_special = above(g, magnitude, (top_of(f) << shift) - 1);
    scaled = hlo_graph_2(g, SIMD_OR, scaled, and_bits(g, is_special, 0x7f800000));
  }
  if (f->kind == HLO_FLOAT_FNUZ) { // what would be -0 is not a number
    hlo_node is_nan = hlo_graph_2(g, SIMD_I32X4_EQ, and_bits(g, bits, 2 * all + 1),
                                  hlo_graph_splat32(g, all + 1));
    scaled = hlo_graph_select(g, is_nan, hlo_graph_splat32(g, 0x7fc00000), scaled);
  }
  return hlo_graph_2(g, SIMD_OR, scaled, sign);
}

// What is a number of the format already, of which infinity is the largest.
static hlo_node encode_ieee(hlo_graph *g, const hlo_float_format *f, hlo_node value) {
  uint32_t all = magnitude_of(f), shift = 23 - (uint32_t)f->mantissa_bits;
  hlo_node magnitude = and_bits(g, value, 0x7fffffff);
  hlo_node scaled = hlo_graph_2(g, SIMD_F32X4_MUL, magnitude, power_of_2(g, f->bias - 127));
  hlo_node code = hlo_graph_shift(g, SIMD_I32X4_SHR_U, scaled, shift);
  // A NaN, which the product made quiet, is infinity's code and what the format has of the payload.
  hlo_node nan = hlo_graph_2(g, SIMD_F32X4_NE, value, value);
  hlo_node payload = hlo_graph_shift(g, SIMD_I32X4_SHR_U, nan, 32u - f->mantissa_bits);
  payload = hlo_graph_2(g, SIMD_AND, payload, code);
  code = hlo_graph_2(g, SIMD_I32X4_MIN_S, code, hlo_graph_splat32(g, top_of(f)));
  code = hlo_graph_2(g, SIMD_OR, code, payload);
  hlo_node sign = hlo_graph_shift(g, SIMD_I32X4_SHR_U, value,
                                  31u - f->exponent_bits - (uint32_t)f->mantissa_bits);
  return hlo_graph_2(g, SIMD_OR, code, and_bits(g, sign, all + 1));
}

// A NaN whose lower half is empty stays one without being looked for.
static hlo_node round_bf16(hlo_graph *g, hlo_node value, bool nan_fits) {
  hlo_node odd = and_bits(g, hlo_graph_shift(g, SIMD_I32X4_SHR_U, value, 16), 1);
  hlo_node rounded = hlo_graph_2(g, SIMD_I32X4_ADD, hlo_graph_2(g, SIMD_I32X4_ADD, value, odd),
                                 hlo_graph_splat32(g, 0x7fff));
  if (!nan_fits) {
    hlo_node nan = hlo_graph_2(g, SIMD_OR, value, hlo_graph_splat32(g, 0x7fc00000));
    hlo_node is_number = hlo_graph_2(g, SIMD_F32X4_EQ, value, value);
    rounded = hlo_graph_select(g, is_number, rounded, nan);
  }
  return and_bits(g, rounded, 0xffff0000);
}

// As decode(encode(value)): the sum with a number whose last bit is
// the result's, at least the last one of subnormal numbers, is rounded as the result is to be; then
// a product overflows where the format does, and another one goes back.
static hlo_node round_ieee(hlo_graph *g, const hlo_float_format *f, hlo_node value) {
  uint32_t shift = 23 - (uint32_t)f->mantissa_bits;
  hlo_node sign = and_bits(g, value, 0x80000000), power = and_bits(g, value, 0x7f800000);
  power = hlo_graph_2(g, SIMD_I32X4_MAX_S, power, power_of_2(g, 1 - f->bias));
  power = hlo_graph_2(g, SIMD_I32X4_MIN_S, power, power_of_2(g, f->bias + 1));
  hlo_node large =
      hlo_graph_2(g, SIMD_I32X4_ADD, power, hlo_graph_splat32(g, shift << 23 | 1u << 22));
  hlo_node rounded =
      hlo_graph_2(g, SIMD_F32X4_SUB, hlo_graph_2(g, SIMD_F32X4_ADD, value, large), large);
  rounded = hlo_graph_2(g, SIMD_F32X4_MUL, rounded, power_of_2(g, 127 - f->bias));
  rounded = hlo_graph_2(g, SIMD_F32X4_MUL, rounded, power_of_2(g, f->bias - 127));
  // Of a NaN's payload what the format has; numbers have no other bits.
  rounded = and_bits(g, rounded, ~((1u << shift) - 1));
  return hlo_graph_2(g, SIMD_OR, rounded, sign);
}

static hlo_value round_lanes(hlo_graph *g, hlo_type type, hlo_value value, bool nan_fits) {
  hlo_node *x = &value.part[0];
  if (!hlo_value_is_narrow(type)) return value;
  const hlo_float_format *format = hlo_type_float_format(type);
  if (type == HLO_BF16) *x = round_bf16(g, *x, nan_fits);
  else if (format->kind == HLO_FLOAT_IEEE) *x = round_ieee(g, format, *x);
  else *x = decode(g, type, hlo_value_encode_other(g, type, *x));
  return value;
}

hlo_value hlo_value_round(hlo_graph *g, hlo_type type, hlo_value value) {
  return round_lanes(g, type, value, false);
}

hlo_value hlo_value_round_result(hlo_graph *g, hlo_type type, hlo_value value) {
  return round_lanes(g, type, value, true);
}

// --- complex numbers ---

hlo_value hlo_value_complex_part(hlo_type type, hlo_value value, int32_t which) {
  if (type == HLO_C64) return (hlo_value){{value.part[which]}};
  return (hlo_value){{value.part[2 * which], value.part[2 * which + 1]}};
}

hlo_value hlo_value_complex(hlo_type type, hlo_value re, hlo_value im) {
  if (type == HLO_C64) return (hlo_value){{re.part[0], im.part[0]}};
  return (hlo_value){{re.part[0], re.part[1], im.part[0], im.part[1]}};
}

// The first (0) or second (1) halves of two vectors.
static hlo_node halves(hlo_graph *g, hlo_node a, hlo_node b, int which) {
  return hlo_graph_lanes32(g, a, b, 2 * which, 2 * which + 1, 4 + 2 * which, 5 + 2 * which);
}

// --- memory ---

hlo_value hlo_value_from_memory(hlo_graph *g, hlo_type type, hlo_value memory) {
  hlo_node x = memory.part[0], y = memory.part[1];
  if (type == HLO_PRED) {
    return (hlo_value){{hlo_graph_2(g, SIMD_I32X4_NE, x, hlo_graph_splat32(g, 0))}};
  }
  if (type == HLO_BF16) return (hlo_value){{hlo_graph_shift(g, SIMD_I32X4_SHL, x, 16)}};
  if (hlo_value_is_narrow(type)) return (hlo_value){{decode(g, type, x)}};
  if (type == HLO_C64) {
    return (hlo_value){
        {hlo_graph_lanes32(g, x, y, 0, 2, 4, 6), hlo_graph_lanes32(g, x, y, 1, 3, 5, 7)}};
  }
  if (type == HLO_C128) {
    hlo_node z = memory.part[2], w = memory.part[3];
    return (hlo_value){
        {halves(g, x, y, 0), halves(g, z, w, 0), halves(g, x, y, 1), halves(g, z, w, 1)}};
  }
  if (hlo_type_get_class(type) == HLO_CLASS_SIGNED && hlo_type_bits(type) < 32 && x != 0) {
    hlo_graph_node load = g->nodes[x];
    load.immediate[0] = 1; // extends the sign
    bool is_load = load.kind == HLO_NODE_LOAD && hlo_type_bits(type) >= 8;
    return (hlo_value){{is_load ? hlo_graph_add(g, &load) : hlo_value_wrap(g, type, x)}};
  }
  return memory;
}

hlo_value hlo_value_to_memory(hlo_graph *g, hlo_type type, hlo_value value) {
  hlo_node x = value.part[0], y = value.part[1];
  if (type == HLO_PRED) {
    return (hlo_value){{hlo_graph_2(g, SIMD_AND, x, hlo_graph_splat32(g, 1))}};
  }
  if (type == HLO_BF16) return (hlo_value){{hlo_graph_shift(g, SIMD_I32X4_SHR_U, x, 16)}};
  if (hlo_value_is_narrow(type)) {
    const hlo_float_format *format = hlo_type_float_format(type);
    bool is_ieee = format->kind == HLO_FLOAT_IEEE;
    return (hlo_value){{is_ieee ? encode_ieee(g, format, x) : hlo_value_encode_other(g, type, x)}};
  }
  if (type == HLO_C64) {
    return (hlo_value){
        {hlo_graph_lanes32(g, x, y, 0, 4, 1, 5), hlo_graph_lanes32(g, x, y, 2, 6, 3, 7)}};
  }
  if (type == HLO_C128) {
    hlo_node z = value.part[2], w = value.part[3];
    return (hlo_value){
        {halves(g, x, z, 0), halves(g, x, z, 1), halves(g, y, w, 0), halves(g, y, w, 1)}};
  }
  if (hlo_type_bits(type) >= 8) value.part[0] = hlo_value_unwrap(g, type, x);
  return value;
}

hlo_value hlo_value_constant(hlo_graph *g, hlo_type type, const void *element) {
  uint64_t bits = 0;
  hlo_value out = {{0}};
  if (hlo_type_is_complex(type)) {
    hlo_type part = hlo_type_complex_part(type);
    const char *im = (const char *)element + hlo_type_bytes(part);
    return hlo_value_complex(type, hlo_value_constant(g, part, element),
                             hlo_value_constant(g, part, im));
  }
  memcpy(&bits, element, (size_t)hlo_type_bytes(type));
  if (hlo_value_is_wide(type)) {
    out.part[0] = out.part[1] = hlo_graph_splat64(g, bits);
  } else if (type == HLO_PRED) {
    out.part[0] = hlo_graph_splat32(g, bits != 0 ? UINT32_MAX : 0);
  } else if (hlo_value_is_narrow(type)) {
    const hlo_float_format *format = hlo_type_float_format(type);
    out.part[0] = hlo_graph_f32(g, hlo_float_format_decode(format, (uint16_t)bits));
  } else {
    uint32_t spare = 32 - (uint32_t)hlo_type_bits(type), raised = (uint32_t)bits << spare;
    bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
    out.part[0] =
        hlo_graph_splat32(g, is_signed ? (uint32_t)((int32_t)raised >> spare) : raised >> spare);
  }
  return out;
}

// --- masks and orders ---

// A mask of 32-bit lanes as one of 64-bit lanes (two parts).
static hlo_value widen_mask(hlo_graph *g, hlo_node mask) {
  return (hlo_value){
      {hlo_graph_lanes32(g, mask, mask, 0, 0, 1, 1), hlo_graph_lanes32(g, mask, mask, 2, 2, 3, 3)}};
}

hlo_node hlo_value_narrow_mask(hlo_graph *g, hlo_value mask) {
  return hlo_graph_lanes32(g, mask.part[0], mask.part[1], 0, 2, 4, 6);
}

hlo_value hlo_value_select(hlo_graph *g, hlo_type type, hlo_node mask, hlo_value a, hlo_value b) {
  hlo_value masks = {{mask, mask}}, out = {{0}};
  if (hlo_value_is_wide(hlo_type_complex_part(type))) {
    masks = widen_mask(g, mask);
    masks.part[2] = masks.part[0], masks.part[3] = masks.part[1];
  }
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    out.part[i] = a.part[i] == b.part[i] ? a.part[i]
                                         : hlo_graph_select(g, masks.part[i], a.part[i], b.part[i]);
  }
  return out;
}

hlo_value hlo_value_reorder(hlo_graph *g, hlo_type type, hlo_value value, const int order[4]) {
  hlo_value out = {{0}};
  if (type == HLO_C128) {
    hlo_value re = hlo_value_complex_part(type, value, 0),
              im = hlo_value_complex_part(type, value, 1);
    return hlo_value_complex(type, hlo_value_reorder(g, HLO_F64, re, order),
                             hlo_value_reorder(g, HLO_F64, im, order));
  }
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    if (!hlo_value_is_wide(type)) {
      out.part[i] = hlo_graph_lanes32(g, value.part[i], value.part[i], order[0], order[1], order[2],
                                      order[3]);
      continue;
    }
    int x = order[2 * i] * 2, y = order[2 * i + 1] * 2;
    out.part[i] = hlo_graph_lanes32(g, value.part[0], value.part[1], x, x + 1, y, y + 1);
  }
  return out;
}
