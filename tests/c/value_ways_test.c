// Which operations generated code computes in vectors, in which types: what calls a function for
// each element of a vector, or has no code, is listed here.
#include "check.h"

#include "codegen/graph/value.h"
#include "kernels/eval.h"

#include <string.h>

typedef enum way { VECTORS, CALLS, NONE } way;

static way way_of(hlo_opcode opcode, hlo_type type) {
  hlo_arena arena = {0};
  hlo_graph graph = {.arena = &arena, .target = {.relaxed_simd = true}};
  hlo_value x[2], out;
  for (int k = 0; k < 2; k++) {
    x[k] = (hlo_value){{0}};
    for (int32_t i = 0; i < hlo_value_parts(type); i++) x[k].part[i] = hlo_graph_parameter(&graph);
  }
  way found = hlo_value_pointwise(&graph, opcode, type, true, x, &out) ? VECTORS : NONE;
  for (int32_t i = 1; i < graph.count && found == VECTORS; i++) {
    uint8_t kind = graph.nodes[i].kind;
    if (kind == HLO_NODE_LOOP || kind == HLO_NODE_CALL) found = CALLS;
  }
  hlo_arena_free(&arena);
  return found;
}

enum {
  FLOATS = HLO_CLASS_FLOAT,
  INTEGERS = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED,
  COMPLEX = HLO_CLASS_COMPLEX,
};

// Of types of a class, from so many bits to so many.
static const struct {
  const char *name;
  int32_t classes, least_bits, most_bits;
  way way;
} exceptions[] = {
    {"acos", FLOATS | COMPLEX, 64, 128, CALLS},
    {"acosh", COMPLEX, 64, 128, CALLS},
    {"asin", FLOATS | COMPLEX, 64, 128, CALLS},
    {"asinh", COMPLEX, 64, 128, CALLS},
    {"atan2", COMPLEX, 64, 128, CALLS},
    {"atanh", COMPLEX, 64, 128, CALLS},
    {"bessel-i1e", FLOATS, 64, 64, CALLS},
    {"cbrt", COMPLEX, 64, 128, CALLS},
    {"cosh", COMPLEX, 128, 128, CALLS},
    {"cosine", COMPLEX, 128, 128, CALLS},
    {"digamma", FLOATS, 64, 64, CALLS},
    {"exponential-minus-one", COMPLEX, 128, 128, CALLS},
    {"lgamma", FLOATS, 64, 64, CALLS},
    {"log-plus-one", COMPLEX, 128, 128, CALLS},
    {"logistic", COMPLEX, 64, 128, CALLS},
    {"maximum", COMPLEX, 64, 128, CALLS},
    {"minimum", COMPLEX, 64, 128, CALLS},
    {"mulhi", INTEGERS, 32, 64, CALLS},
    {"mulhi", INTEGERS, 2, 16, NONE},
    {"polygamma", FLOATS, 4, 64, CALLS},
    {"power", INTEGERS | COMPLEX, 2, 128, CALLS},
    {"remainder", FLOATS, 4, 64, CALLS}, // by what is not a constant power of 2
    {"rsqrt", COMPLEX, 128, 128, CALLS},
    {"sign", COMPLEX, 128, 128, CALLS},
    {"sine", COMPLEX, 128, 128, CALLS},
    {"sinh", COMPLEX, 128, 128, CALLS},
    {"tan", COMPLEX, 128, 128, CALLS},
    {"tanh", COMPLEX, 128, 128, CALLS},
    {"zeta", FLOATS, 4, 64, CALLS},
};

static way expected(const char *name, hlo_type type) {
  int32_t bits = hlo_type_bits(type);
  for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
    if (strcmp(exceptions[i].name, name) == 0 &&
        (exceptions[i].classes & (int32_t)hlo_type_get_class(type)) &&
        bits >= exceptions[i].least_bits && bits <= exceptions[i].most_bits)
      return exceptions[i].way;
  }
  return VECTORS;
}

int main(void) {
  static const char *const ways[] = {"in vectors", "by calls", "not at all"};
  for (int32_t opcode = 0; opcode < HLO_OP_COUNT; opcode++) {
    for (int32_t type = 0; type < HLO_TYPE_COUNT; type++) {
      if (!hlo_op_is_pointwise((hlo_opcode)opcode) || hlo_value_parts((hlo_type)type) == 0 ||
          hlo_pointwise_get((hlo_opcode)opcode, (hlo_type)type) == NULL)
        continue;
      const char *name = hlo_op_get((hlo_opcode)opcode)->name;
      way found = way_of((hlo_opcode)opcode, (hlo_type)type), want = expected(name, (hlo_type)type);
      CHECK_MESSAGE(found == want, "%s of %s: %s, not %s", name, hlo_type_name((hlo_type)type),
                    ways[found], ways[want]);
    }
  }
  return CHECK_RESULT();
}
