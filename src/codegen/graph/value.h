// Values of four elements of an element type as nodes of a graph, and what elementwise operations
// make of them: the same bits as the kernels'.
//
// In a vector: pred as masks of 32 bits; integers up to 32 bits as 32-bit lanes, extended by their
// type's sign rule; floats below 32 bits as f32 lanes that hold only values of the type; 64-bit
// types as two vectors; complex ones as the vectors of real and then those of imaginary parts.
#ifndef HLO_CODEGEN_GRAPH_VALUE_H
#define HLO_CODEGEN_GRAPH_VALUE_H

#include "codegen/graph/graph.h"
#include "hlo/hlo.h"

enum { HLO_VALUE_PARTS = 4 };

typedef struct hlo_value {
  hlo_node part[HLO_VALUE_PARTS];
} hlo_value;

// Vectors that four elements take; 0 for types that no code is emitted for.
int32_t hlo_value_parts(hlo_type type);
bool hlo_value_is_wide(hlo_type type);   // 64-bit lanes
bool hlo_value_is_narrow(hlo_type type); // floats below 32 bits

// From and to what loads give and stores take, by bytes of an element: 1 and 2: the low bits of
// 32-bit lanes (above them zeros after a load, anything before a store); 4: the lanes; 8: two
// vectors of two elements; 16: four of one.
hlo_value hlo_value_from_memory(hlo_graph *graph, hlo_type type, hlo_value memory);
hlo_value hlo_value_to_memory(hlo_graph *graph, hlo_type type, hlo_value value);

// The real (0) or imaginary (1) parts of complex values, as values of hlo_type_complex_part, and
// complex values of both.
hlo_value hlo_value_complex_part(hlo_type type, hlo_value value, int32_t which);
hlo_value hlo_value_complex(hlo_type type, hlo_value re, hlo_value im);

// An element in memory, as a value whose lanes are all alike.
hlo_value hlo_value_constant(hlo_graph *graph, hlo_type type, const void *element);
// Rounds f32 lanes to a float below 32 bits; other types as they are.
hlo_value hlo_value_round(hlo_graph *graph, hlo_type type, hlo_value value);
// The same of what an operation makes of values of that type: a NaN is an operand's or the one that
// arithmetic makes, both of which fit into the type.
hlo_value hlo_value_round_result(hlo_graph *graph, hlo_type type, hlo_value value);
// a where the mask of 32-bit lanes is set, else b.
hlo_value hlo_value_select(hlo_graph *graph, hlo_type type, hlo_node mask, hlo_value a,
                           hlo_value b);
// The value's elements in another order: element i is that of number order[i].
hlo_value hlo_value_reorder(hlo_graph *graph, hlo_type type, hlo_value value, const int order[4]);
// A mask of 64-bit lanes (two parts) as one of 32-bit lanes.
hlo_node hlo_value_narrow_mask(hlo_graph *graph, hlo_value mask);

// False where no code is made for the types.
bool hlo_value_convert(hlo_graph *graph, hlo_type to, hlo_type from, hlo_value value,
                       hlo_value *out);
// A POINTWISE row on operands of `type`. round: results of narrow types are rounded to them.
bool hlo_value_pointwise(hlo_graph *graph, hlo_opcode opcode, hlo_type type, bool round,
                         const hlo_value *operands, hlo_value *out);
// The same of complex types; false where other ways are left. value_complex.c.
bool hlo_value_complex_pointwise(hlo_graph *graph, hlo_opcode opcode, hlo_type type,
                                 const hlo_value *operands, hlo_value *out);
// EQ, NE, LT, LE, GT or GE; total: by total order.
bool hlo_value_compare(hlo_graph *graph, hlo_type type, const char *direction, bool total,
                       hlo_value a, hlo_value b, hlo_node *mask);

// Wraps integers below 32 bits to their type.
hlo_node hlo_value_wrap(hlo_graph *graph, hlo_type type, hlo_node lanes);
// What was wrapped, for who looks at no more than the type's bits.
hlo_node hlo_value_unwrap(const hlo_graph *graph, hlo_type type, hlo_node lanes);

// --- value_rounding.c ---
// Floats rounded to so many bits; at least 1 and 0.
hlo_value hlo_value_reduce_precision(hlo_graph *graph, hlo_type type, hlo_value value,
                                     int64_t exponent_bits, int64_t mantissa_bits);
// Floats to integers, rounded as random bits of as many bits say.
bool hlo_value_stochastic_convert(hlo_graph *graph, hlo_type to, hlo_type from, hlo_value value,
                                  hlo_value random, hlo_value *out);
hlo_value hlo_value_next_after(hlo_graph *graph, hlo_type type, hlo_value x, hlo_value y);
// Floats of formats that are not IEEE's as the low bits of lanes, from f32.
hlo_node hlo_value_encode_other(hlo_graph *graph, hlo_type type, hlo_node value);
// f32 from f8e8m0fnu as the low bits of lanes.
hlo_node hlo_value_decode_exponent(hlo_graph *graph, hlo_node code);
// Two f64 as f32 in the first lanes (and again after them), rounded to odd: rounded to fewer bits,
// they are what the f64 would be.
hlo_node hlo_value_demote_to_odd(hlo_graph *graph, hlo_node value);

#endif
