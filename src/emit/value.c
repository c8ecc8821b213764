// Values: their form in vectors and in memory. See value.h.
#include "emit/value.h"

#include <string.h>

int32_t hlo_value_parts(hlo_type type) {
  static const uint8_t parts[HLO_TYPE_COUNT] = {
      [HLO_PRED] = 1, [HLO_S8] = 1,  [HLO_S16] = 1, [HLO_S32] = 1, [HLO_S64] = 2,
      [HLO_U8] = 1,   [HLO_U16] = 1, [HLO_U32] = 1, [HLO_U64] = 2, [HLO_BF16] = 1,
      [HLO_F16] = 1,  [HLO_F32] = 1, [HLO_F64] = 2, [HLO_C64] = 2};
  return type >= 0 && type < HLO_TYPE_COUNT ? parts[type] : 0;
}

bool hlo_value_is_wide(hlo_type type) {
  return hlo_value_parts(type) == 2 && !hlo_type_is_complex(type);
}
bool hlo_value_is_narrow(hlo_type type) { return type == HLO_BF16 || type == HLO_F16; }

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

// --- bf16 and f16 ---

// As float_formats.c does it.
static hlo_node decode_f16(hlo_graph *g, hlo_node bits) {
  hlo_node magnitude = hlo_graph_shift(
      g, SIMD_I32X4_SHL, hlo_graph_2(g, SIMD_AND, bits, hlo_graph_splat32(g, 0x7fff)), 13);
  hlo_node sign = hlo_graph_shift(g, SIMD_I32X4_SHL,
                                  hlo_graph_2(g, SIMD_AND, bits, hlo_graph_splat32(g, 0x8000)), 16);
  hlo_node scaled = hlo_graph_2(g, SIMD_F32X4_MUL, magnitude, hlo_graph_f32(g, 0x1p112f));
  hlo_node special = hlo_graph_2(g, SIMD_OR, magnitude, hlo_graph_splat32(g, 0x7f800000));
  hlo_node is_special =
      hlo_graph_2(g, SIMD_I32X4_GE_S, magnitude, hlo_graph_splat32(g, 0x7c00 << 13));
  return hlo_graph_2(g, SIMD_OR, hlo_graph_select(g, is_special, special, scaled), sign);
}

static hlo_node encode_f16(hlo_graph *g, hlo_node value) {
  hlo_node sign = hlo_graph_2(g, SIMD_AND, hlo_graph_shift(g, SIMD_I32X4_SHR_U, value, 16),
                              hlo_graph_splat32(g, 0x8000));
  hlo_node magnitude = hlo_graph_2(g, SIMD_AND, value, hlo_graph_splat32(g, 0x7fffffff));
  hlo_node odd = hlo_graph_2(g, SIMD_AND, hlo_graph_shift(g, SIMD_I32X4_SHR_U, magnitude, 13),
                             hlo_graph_splat32(g, 1));
  hlo_node biased =
      hlo_graph_2(g, SIMD_I32X4_ADD, magnitude, hlo_graph_splat32(g, 0xfff - (112u << 23)));
  hlo_node normal =
      hlo_graph_shift(g, SIMD_I32X4_SHR_U, hlo_graph_2(g, SIMD_I32X4_ADD, biased, odd), 13);
  hlo_node half = hlo_graph_f32(g, 0.5f);
  hlo_node subnormal =
      hlo_graph_2(g, SIMD_I32X4_SUB, hlo_graph_2(g, SIMD_F32X4_ADD, magnitude, half), half);
  hlo_node code = hlo_graph_select(
      g, hlo_graph_2(g, SIMD_I32X4_LT_S, magnitude, hlo_graph_splat32(g, 0x38800000)), subnormal,
      normal);
  code = hlo_graph_select(
      g, hlo_graph_2(g, SIMD_I32X4_GE_S, magnitude, hlo_graph_splat32(g, 0x47800000)),
      hlo_graph_splat32(g, 0x7c00), code);
  code = hlo_graph_select(
      g, hlo_graph_2(g, SIMD_I32X4_GT_S, magnitude, hlo_graph_splat32(g, 0x7f800000)),
      hlo_graph_splat32(g, 0x7e00), code);
  return hlo_graph_2(g, SIMD_OR, code, sign);
}

static hlo_node round_bf16(hlo_graph *g, hlo_node value) {
  hlo_node odd = hlo_graph_2(g, SIMD_AND, hlo_graph_shift(g, SIMD_I32X4_SHR_U, value, 16),
                             hlo_graph_splat32(g, 1));
  hlo_node raised = hlo_graph_2(g, SIMD_I32X4_ADD, hlo_graph_2(g, SIMD_I32X4_ADD, value, odd),
                                hlo_graph_splat32(g, 0x7fff));
  hlo_node nan = hlo_graph_2(g, SIMD_OR, value, hlo_graph_splat32(g, 0x7fc00000));
  hlo_node chosen = hlo_graph_select(g, hlo_graph_2(g, SIMD_F32X4_EQ, value, value), raised, nan);
  return hlo_graph_2(g, SIMD_AND, chosen, hlo_graph_splat32(g, 0xffff0000));
}

hlo_value hlo_value_round(hlo_graph *g, hlo_type type, hlo_value value) {
  if (type == HLO_BF16) value.part[0] = round_bf16(g, value.part[0]);
  if (type == HLO_F16) value.part[0] = decode_f16(g, encode_f16(g, value.part[0]));
  return value;
}

// --- memory ---

hlo_value hlo_value_from_memory(hlo_graph *g, hlo_type type, hlo_value memory) {
  hlo_node x = memory.part[0], y = memory.part[1];
  if (type == HLO_PRED) {
    return (hlo_value){{hlo_graph_2(g, SIMD_I32X4_NE, x, hlo_graph_splat32(g, 0))}};
  }
  if (type == HLO_BF16) return (hlo_value){{hlo_graph_shift(g, SIMD_I32X4_SHL, x, 16)}};
  if (type == HLO_F16) return (hlo_value){{decode_f16(g, x)}};
  if (hlo_type_is_complex(type)) {
    return (hlo_value){
        {hlo_graph_lanes32(g, x, y, 0, 2, 4, 6), hlo_graph_lanes32(g, x, y, 1, 3, 5, 7)}};
  }
  if (hlo_type_get_class(type) == HLO_CLASS_SIGNED && hlo_type_bits(type) < 32) {
    return (hlo_value){{hlo_value_wrap(g, type, x)}};
  }
  return memory;
}

hlo_value hlo_value_to_memory(hlo_graph *g, hlo_type type, hlo_value value) {
  hlo_node x = value.part[0], y = value.part[1];
  if (type == HLO_PRED) {
    return (hlo_value){{hlo_graph_2(g, SIMD_AND, x, hlo_graph_splat32(g, 1))}};
  }
  if (type == HLO_BF16) return (hlo_value){{hlo_graph_shift(g, SIMD_I32X4_SHR_U, x, 16)}};
  if (type == HLO_F16) return (hlo_value){{encode_f16(g, x)}};
  if (hlo_type_is_complex(type)) {
    return (hlo_value){
        {hlo_graph_lanes32(g, x, y, 0, 4, 1, 5), hlo_graph_lanes32(g, x, y, 2, 6, 3, 7)}};
  }
  return value;
}

hlo_value hlo_value_constant(hlo_graph *g, hlo_type type, const void *element) {
  uint64_t bits = 0;
  memcpy(&bits, element, (size_t)hlo_type_bytes(type));
  hlo_value out = {{0}};
  if (hlo_type_is_complex(type)) {
    out.part[0] = hlo_graph_splat32(g, (uint32_t)bits);
    out.part[1] = hlo_graph_splat32(g, (uint32_t)(bits >> 32));
  } else if (hlo_value_is_wide(type)) {
    out.part[0] = out.part[1] = hlo_graph_splat64(g, bits);
  } else if (type == HLO_PRED) {
    out.part[0] = hlo_graph_splat32(g, bits != 0 ? UINT32_MAX : 0);
  } else if (type == HLO_BF16 || type == HLO_F16) {
    uint16_t code = (uint16_t)bits;
    out.part[0] = hlo_graph_f32(g, type == HLO_BF16 ? hlo_bf16_to_f32(code) : hlo_f16_to_f32(code));
  } else {
    uint32_t spare = 32 - (uint32_t)hlo_type_bits(type), raised = (uint32_t)bits << spare;
    bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
    out.part[0] =
        hlo_graph_splat32(g, is_signed ? (uint32_t)((int32_t)raised >> spare) : raised >> spare);
  }
  return out;
}

// --- masks and orders ---

hlo_value hlo_value_widen_mask(hlo_graph *g, hlo_node mask) {
  return (hlo_value){
      {hlo_graph_lanes32(g, mask, mask, 0, 0, 1, 1), hlo_graph_lanes32(g, mask, mask, 2, 2, 3, 3)}};
}

hlo_node hlo_value_narrow_mask(hlo_graph *g, hlo_value mask) {
  return hlo_graph_lanes32(g, mask.part[0], mask.part[1], 0, 2, 4, 6);
}

hlo_value hlo_value_select(hlo_graph *g, hlo_type type, hlo_node mask, hlo_value a, hlo_value b) {
  hlo_value masks = {{mask, mask}}, out = {{0}};
  if (hlo_value_is_wide(type)) masks = hlo_value_widen_mask(g, mask);
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    out.part[i] = a.part[i] == b.part[i] ? a.part[i]
                                         : hlo_graph_select(g, masks.part[i], a.part[i], b.part[i]);
  }
  return out;
}

hlo_value hlo_value_reorder(hlo_graph *g, hlo_type type, hlo_value value, const int order[4]) {
  hlo_value out = {{0}};
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
