// Elementary functions of f32 lanes as nodes of a graph.
#ifndef HLO_EMIT_VECTOR_MATH_H
#define HLO_EMIT_VECTOR_MATH_H

#include "emit/graph.h"
#include "hlo/hlo.h"

// False if the function has no form that can be built; the same bits as the evaluator's otherwise.
bool hlo_vector_math(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node *out);

#endif
