// Comparisons of values. See value.h.
#include "codegen/graph/value.h"

#include <string.h>

enum { EQ, NE, LT, GT, LE, GE };

// Instructions by direction; 0: made of others.
static const uint8_t signed_32[] = {SIMD_I32X4_EQ,   SIMD_I32X4_NE,   SIMD_I32X4_LT_S,
                                    SIMD_I32X4_GT_S, SIMD_I32X4_LE_S, SIMD_I32X4_GE_S};
static const uint8_t unsigned_32[] = {SIMD_I32X4_EQ,   SIMD_I32X4_NE,   SIMD_I32X4_LT_U,
                                      SIMD_I32X4_GT_U, SIMD_I32X4_LE_U, SIMD_I32X4_GE_U};
static const uint8_t signed_64[] = {SIMD_I64X2_EQ,   SIMD_I64X2_NE,   SIMD_I64X2_LT_S,
                                    SIMD_I64X2_GT_S, SIMD_I64X2_LE_S, SIMD_I64X2_GE_S};
static const uint8_t float_32[] = {SIMD_F32X4_EQ, SIMD_F32X4_NE, SIMD_F32X4_LT,
                                   SIMD_F32X4_GT, SIMD_F32X4_LE, SIMD_F32X4_GE};
static const uint8_t float_64[] = {SIMD_F64X2_EQ, SIMD_F64X2_NE, SIMD_F64X2_LT,
                                   SIMD_F64X2_GT, SIMD_F64X2_LE, SIMD_F64X2_GE};

static int direction_of(const char *name) {
  static const char *const names[] = {"EQ", "NE", "LT", "GT", "LE", "GE"};
  for (int i = 0; name != NULL && i < 6; i++) {
    if (strcmp(name, names[i]) == 0) return i;
  }
  return -1;
}

// Floats in total order as integers: sign and magnitude to two's complement.
static hlo_node key(hlo_graph *g, bool wide, hlo_node x) {
  if (wide) {
    hlo_node sign = hlo_graph_shift(g, SIMD_I64X2_SHR_S, x, 63);
    return hlo_graph_2(g, SIMD_XOR, x, hlo_graph_shift(g, SIMD_I64X2_SHR_U, sign, 1));
  }
  hlo_node sign = hlo_graph_shift(g, SIMD_I32X4_SHR_S, x, 31);
  return hlo_graph_2(g, SIMD_XOR, x, hlo_graph_shift(g, SIMD_I32X4_SHR_U, sign, 1));
}

bool hlo_value_compare(hlo_graph *g, hlo_type type, const char *direction_name, bool total,
                       hlo_value a, hlo_value b, hlo_node *mask) {
  int direction = direction_of(direction_name);
  bool wide = hlo_value_is_wide(type), is_float = hlo_type_is_float(type);
  if (direction < 0 || hlo_value_parts(type) == 0) return false;
  // Lanes may hold other bits for NaN than arrays of these would.
  if (is_float && total && hlo_type_bits(type) <= 8) return false;
  if (hlo_type_is_complex(type)) {
    if (direction > NE || total) return false;
    hlo_node masks[2];
    for (int32_t i = 0; i < 2; i++) {
      if (!hlo_value_compare(g, hlo_type_complex_part(type), direction_name, false,
                             hlo_value_complex_part(type, a, i), hlo_value_complex_part(type, b, i),
                             &masks[i]))
        return false;
    }
    *mask = hlo_graph_2(g, direction == EQ ? SIMD_AND : SIMD_OR, masks[0], masks[1]);
    return true;
  }
  const uint8_t *ops = is_float && !total ? (wide ? float_64 : float_32)
                       : wide             ? signed_64
                                          : signed_32;
  if (type == HLO_U32) ops = unsigned_32;
  hlo_value masks = {{0}};
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    hlo_node x = a.part[i], y = b.part[i];
    if (is_float && total) x = key(g, wide, x), y = key(g, wide, y);
    if (type == HLO_U64) {
      hlo_node top = hlo_graph_splat64(g, UINT64_C(1) << 63);
      x = hlo_graph_2(g, SIMD_XOR, x, top), y = hlo_graph_2(g, SIMD_XOR, y, top);
    }
    if (type == HLO_PRED) { // false below true
      x = hlo_graph_2(g, SIMD_AND, x, hlo_graph_splat32(g, 1));
      y = hlo_graph_2(g, SIMD_AND, y, hlo_graph_splat32(g, 1));
    }
    masks.part[i] = hlo_graph_2(g, ops[direction], x, y);
  }
  *mask = wide ? hlo_value_narrow_mask(g, masks) : masks.part[0];
  return true;
}
