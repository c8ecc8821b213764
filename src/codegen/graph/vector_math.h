// Elementary functions of lanes as nodes of a graph.
#ifndef HLO_CODEGEN_GRAPH_VECTOR_MATH_H
#define HLO_CODEGEN_GRAPH_VECTOR_MATH_H

#include "codegen/graph/value.h"

// False if the function has no form that can be built; the same bits as the evaluator's otherwise.
bool hlo_vector_math(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node *out);

// The same for functions that compute in double; y is 0 for
// functions of one number. codegen/graph/wide_math.c.
bool hlo_wide_math(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node y, hlo_node *out);

// The power of a template but where hlo_pow_f32 or, if wide, hlo_pow_f64 leave it (simple_power.h).
// An exponent that is a constant has been looked at before.
hlo_node hlo_patch_simple_powers(hlo_graph *graph, bool wide, hlo_node power, hlo_node x,
                                 hlo_node y);

// The same for functions of c64.
bool hlo_wide_complex(hlo_graph *graph, hlo_opcode opcode, const hlo_value *operands,
                      hlo_value *out);

// The same for functions of c128. codegen/wide/double_complex.c.
bool hlo_double_complex(hlo_graph *graph, hlo_opcode opcode, const hlo_value *operands,
                        hlo_value *out);

// (a + bi) (x + yi) of c128: the parts of two numbers.
void hlo_wide_product(hlo_graph *graph, hlo_node a, hlo_node b, hlo_node x, hlo_node y,
                      hlo_node *re, hlo_node *im);

// The same for functions of f64. codegen/wide/double_math.c.
bool hlo_double_math(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node y, hlo_node *out);

// By calls of the evaluator's scalar functions, one for each lane of f32, or f64 if wide; y is 0
// for functions of one number. False if there is none.
bool hlo_scalar_math(hlo_graph *graph, hlo_opcode opcode, bool wide, hlo_node x, hlo_node y,
                     hlo_node *out);
// Those of f64. codegen/wide/scalar_calls.c.
bool hlo_scalar_math_f64(hlo_graph *graph, hlo_opcode opcode, hlo_node x, hlo_node y,
                         hlo_node *out);

#endif
