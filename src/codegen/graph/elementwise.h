// Elementwise instructions on values.
#ifndef HLO_CODEGEN_GRAPH_ELEMENTWISE_H
#define HLO_CODEGEN_GRAPH_ELEMENTWISE_H

#include "codegen/graph/value.h"

// The value of an instruction from those of its operands. False for what no code is made for.
bool hlo_emit_elementwise(hlo_graph *graph, const hlo_instruction *instruction,
                          const hlo_value *operands, hlo_value *out);
// The root's leaves of a computation of scalar elementwise instructions, from its parameters.
// values has room for one value per instruction.
bool hlo_emit_scalar_computation(hlo_graph *graph, const hlo_computation *computation,
                                 const hlo_value *arguments, hlo_value *values, int32_t leaves,
                                 hlo_value *out);

#endif
