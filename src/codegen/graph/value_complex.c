// Operations on complex values that are made of others on their parts. See value.h.
#include "codegen/graph/value.h"
#include "codegen/graph/vector_math.h"

// x y joined with z by an operation of f64x2 and rounded once, as in hlo_mul_c64.
static bool combine_exact_product(hlo_graph *g, uint32_t op, hlo_node x, hlo_node y, hlo_node z,
                                  hlo_node *out) {
  hlo_node in[] = {x, y, z};
  hlo_value wide[3], sum = {{0}};
  for (int i = 0; i < 3; i++) {
    if (!hlo_value_convert(g, HLO_F64, HLO_F32, (hlo_value){{in[i]}}, &wide[i])) return false;
  }
  for (int i = 0; i < 2; i++) {
    hlo_node product = hlo_graph_2(g, SIMD_F64X2_MUL, wide[0].part[i], wide[1].part[i]);
    sum.part[i] = hlo_graph_2(g, op, product, wide[2].part[i]);
  }
  if (!hlo_value_convert(g, HLO_F32, HLO_F64, sum, &sum)) return false;
  *out = sum.part[0];
  return true;
}

// (ac - bd) + (ad + bc)i.
static bool multiply_complex(hlo_graph *g, hlo_type type, const hlo_value *x, hlo_value *out) {
  if (type == HLO_C64) {
    hlo_node a = x[0].part[0], b = x[0].part[1], c = x[1].part[0], d = x[1].part[1];
    hlo_node bd = hlo_graph_2(g, SIMD_F32X4_MUL, b, d), ad = hlo_graph_2(g, SIMD_F32X4_MUL, a, d);
    return combine_exact_product(g, SIMD_F64X2_SUB, a, c, bd, &out->part[0]) &&
           combine_exact_product(g, SIMD_F64X2_ADD, b, c, ad, &out->part[1]);
  }
  for (int32_t i = 0; i < 2; i++) {
    hlo_wide_product(g, x[0].part[i], x[0].part[2 + i], x[1].part[i], x[1].part[2 + i],
                     &out->part[i], &out->part[2 + i]);
  }
  return true;
}

bool hlo_value_complex_pointwise(hlo_graph *g, hlo_opcode opcode, hlo_type type, const hlo_value *x,
                                 hlo_value *out) {
  if (opcode == HLO_OP_REAL || opcode == HLO_OP_IMAG) {
    *out = hlo_value_complex_part(type, x[0], opcode == HLO_OP_IMAG);
  } else if (opcode == HLO_OP_MULTIPLY) {
    return multiply_complex(g, type, x, out);
  } else {
    return type == HLO_C64 ? hlo_wide_complex(g, opcode, x, out)
                           : hlo_double_complex(g, opcode, x, out);
  }
  return true;
}
