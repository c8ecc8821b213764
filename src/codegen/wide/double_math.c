// Elementary functions of f64 in emitted code. See vector_math.h.
#include "codegen/graph/vector_math.h"

#include "codegen/graph/wide_instance.h"
#include "math/elementary.h"
#include "math/vector_math.h"

#include "math/vector/double_math_template.h"

#include "math/vector/double_erf_template.h"

typedef void function(void);

// Of what is left to a call: where the template has no number of its own.
static hlo_node patch(hlo_graph *g, hlo_node is_in_range, hlo_node value, function *call, int count,
                      const hlo_node *x) {
  hlo_node is_rare = hlo_graph_1(g, SIMD_NOT, is_in_range);
  return hlo_graph_patch_many(g, is_rare, value, call, true, count, x);
}

static hlo_node of_angle(hlo_graph *g, hlo_node (*build)(hlo_graph *, hlo_node), function *call,
                         hlo_node x) {
  hlo_node size = hlo_graph_1(g, SIMD_F64X2_ABS, x);
  hlo_node is_in_range = hlo_graph_2(g, SIMD_F64X2_LT, size, hlo_graph_f64(g, HLO_DOUBLE_ANGLE));
  return patch(g, is_in_range, build(g, x), call, 1, &x);
}

static hlo_node atan2_of(hlo_graph *g, hlo_node y, hlo_node x) {
  const hlo_node pair[] = {y, x};
  hlo_node is_in_range =
      graph_pair_in_range(g, hlo_graph_1(g, SIMD_F64X2_ABS, y), hlo_graph_1(g, SIMD_F64X2_ABS, x));
  return patch(g, is_in_range, graph_atan2_f64(g, y, x), (function *)hlo_atan2_f64, 2, pair);
}

bool hlo_double_math(hlo_graph *g, hlo_opcode opcode, hlo_node x, hlo_node y, hlo_node *out) {
  *out = 0;
#define BUILD(id, name)                                                                            \
  if (opcode == HLO_OP_##id) *out = graph_##name##_f64(g, x);
  HLO_DOUBLE_FUNCTIONS(BUILD)
#define BUILD_OF_ANGLE(id, name)                                                                   \
  if (opcode == HLO_OP_##id)                                                                       \
    *out = of_angle(g, graph_##name##_f64, (function *)hlo_##name##_f64, x);
  HLO_DOUBLE_ANGLE_FUNCTIONS(BUILD_OF_ANGLE)
  if (opcode == HLO_OP_POWER) *out = hlo_patch_simple_powers(g, true, graph_pow_f64(g, x, y), x, y);
  if (opcode == HLO_OP_ATAN2) *out = atan2_of(g, x, y);
  return *out != 0;
}
