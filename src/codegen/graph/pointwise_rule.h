// Rules of pointwise operations: what value_pointwise.c and value_integers.c share.
#ifndef HLO_CODEGEN_GRAPH_POINTWISE_RULE_H
#define HLO_CODEGEN_GRAPH_POINTWISE_RULE_H

#include "codegen/graph/value.h"

// One part of an operation: operands a and b (a again for unary ones) in, a vector out.
typedef struct operation {
  hlo_graph *g;
  hlo_opcode opcode;
  hlo_type type;
  bool wide, is_signed, is_float;
} operation;

typedef struct rule rule;
typedef hlo_node part_function(const operation *o, const rule *r, hlo_node a, hlo_node b);

enum { INTEGERS = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED, BITS = INTEGERS | HLO_CLASS_PRED };

// An instruction for each kind of lanes, or a function; for which classes of types. `exact` results
// need no rounding to narrow floats; `wraps` says that integers may leave their range.
struct rule {
  hlo_opcode opcode;
  int32_t classes;
  uint16_t i32, i64, f32, f64;
  part_function *function;
  bool exact, wraps;
};

static inline hlo_node op2(const operation *o, uint32_t narrow, uint32_t wide, hlo_node a,
                           hlo_node b) {
  return hlo_graph_2(o->g, o->wide ? wide : narrow, a, b);
}

static inline hlo_node splat(const operation *o, uint64_t value) {
  return o->wide ? hlo_graph_splat64(o->g, value) : hlo_graph_splat32(o->g, (uint32_t)value);
}

static inline hlo_node select_by(const operation *o, hlo_node mask, hlo_node a, hlo_node b) {
  return hlo_graph_select(o->g, mask, a, b);
}

static inline hlo_node is_equal(const operation *o, hlo_node a, hlo_node b) {
  return op2(o, SIMD_I32X4_EQ, SIMD_I64X2_EQ, a, b);
}

// a > b, or a < b by swapping. 64-bit lanes know only signed order.
static inline hlo_node is_above(const operation *o, hlo_node a, hlo_node b) {
  if (!o->wide) return hlo_graph_2(o->g, o->is_signed ? SIMD_I32X4_GT_S : SIMD_I32X4_GT_U, a, b);
  if (!o->is_signed) {
    hlo_node top = splat(o, UINT64_C(1) << 63);
    a = hlo_graph_2(o->g, SIMD_XOR, a, top);
    b = hlo_graph_2(o->g, SIMD_XOR, b, top);
  }
  return hlo_graph_2(o->g, SIMD_I64X2_GT_S, a, b);
}

// --- value_integers.c ---

part_function hlo_divide_integers, hlo_remainder_of_integers, hlo_shift_left,
    hlo_shift_right_logical, hlo_shift_right_arithmetic, hlo_count_ones, hlo_count_leading_zeros;

#endif
