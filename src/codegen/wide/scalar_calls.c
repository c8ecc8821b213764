// Functions of f64 that have no vector form, in emitted code: a call for each lane. See
// codegen/graph/vector_math.h.
#include "codegen/graph/vector_math.h"

#include "math/elementary.h"

// FUNCTION(HLO_OP_ suffix, name): functions of f64 that double_math.c does not build.
#define SCALAR_FUNCTIONS(FUNCTION)                                                                 \
  FUNCTION(ACOS, acos)                                                                             \
  FUNCTION(ASIN, asin)                                                                             \
  FUNCTION(BESSEL_I1E, bessel_i1e)                                                                 \
  FUNCTION(REMAINDER, fmod)

bool hlo_scalar_math_f64(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node y,
                         hlo_node *out) {
  typedef void function(void);
  static const struct {
    hlo_opcode opcode;
    function *function;
  } functions[] = {
#define FUNCTION(id, name) {HLO_OP_##id, (function *)hlo_##name##_f64},
      SCALAR_FUNCTIONS(FUNCTION)
#undef FUNCTION
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (functions[i].opcode != opcode) continue;
    *out = hlo_graph_call(graph, functions[i].function, true, x, y);
    return true;
  }
  return false;
}
