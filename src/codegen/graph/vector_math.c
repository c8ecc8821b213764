// Elementary functions of f32 in emitted code.
#include "codegen/graph/vector_math.h"

#include "codegen/graph/vector_instance.h"

// --- what is known to be not above 0, or NaN ---

static bool is_op(const hlo_graph *g, hlo_node node, uint32_t op) {
  return g->nodes[node].kind == HLO_NODE_SIMD && g->nodes[node].op == op;
}

static bool is_never_below_0(const hlo_graph *g, hlo_node x) {
  const hlo_node *operands = g->nodes[x].operands;
  return is_op(g, x, SIMD_F32X4_ABS) || (is_op(g, x, SIMD_F32X4_MUL) && operands[0] == operands[1]);
}

static bool is_below_0(const hlo_graph *g, hlo_node x) {
  uint32_t bits;
  return hlo_graph_is_splat32(g, x, &bits) && bits >> 31 != 0;
}

static bool is_never_above_0(const hlo_graph *g, hlo_node x) {
  const hlo_node a = g->nodes[x].operands[0], b = g->nodes[x].operands[1];
  if (is_op(g, x, SIMD_F32X4_SUB)) return g->nodes[b].above == a;
  if (is_op(g, x, SIMD_F32X4_NEG)) return is_never_below_0(g, a);
  if (!is_op(g, x, SIMD_F32X4_MUL)) return false;
  return (is_never_below_0(g, a) && is_below_0(g, b)) ||
         (is_never_below_0(g, b) && is_below_0(g, a));
}

// A difference of its own for the exponential: what it is made of may forget the sign of a zero.
static hlo_node exponent(hlo_graph *g, hlo_node x) {
  hlo_graph_node own = g->nodes[x];
  if (is_op(g, x, SIMD_F32X4_SUB)) own.index = HLO_SIMD_EXPONENT;
  return hlo_graph_like(g, &own, own.operands);
}

typedef hlo_node build(hlo_graph *graph, hlo_node x);

bool hlo_vector_math(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node *out) {
  static const struct {
    hlo_opcode opcode;
    build *build;
  } functions[] = {
#define FUNCTION(id, name) {HLO_OP_##id, graph_##name},
      HLO_VECTOR_FUNCTIONS(FUNCTION)
#undef FUNCTION
  };
  if (opcode == HLO_OP_EXP && x != 0 && is_never_above_0(graph, x)) {
    hlo_node own = exponent(graph, x);
    *out = graph_exp_below(graph, own);
    if (*out == 0) return true;
    graph->nodes[*out].exponent = own;
    graph->nodes[*out].is_below = is_op(graph, x, SIMD_F32X4_SUB);
    return true;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (functions[i].opcode != opcode) continue;
    *out = functions[i].build(graph, x);
    if (opcode == HLO_OP_EXP && *out != 0) graph->nodes[*out].exponent = x;
    return true;
  }
  return false;
}

bool hlo_scalar_math(hlo_graph *graph, hlo_opcode opcode, bool wide, hlo_node x, hlo_node y,
                     hlo_node *out) {
  if (wide) return hlo_scalar_math_f64(graph, opcode, x, y, out);
  if (opcode != HLO_OP_REMAINDER) return false;
  *out = hlo_graph_call(graph, (void (*)(void))hlo_fmod_f32, false, x, y);
  return true;
}
