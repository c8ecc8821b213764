// Bits of floats below 32 bits, in lanes of 32, for value*.c.
#ifndef HLO_CODEGEN_GRAPH_NARROW_BITS_H
#define HLO_CODEGEN_GRAPH_NARROW_BITS_H

#include "codegen/graph/graph.h"
#include "math/float_formats.h"

static inline hlo_node and_bits(hlo_graph *g, hlo_node x, uint32_t bits) {
  return hlo_graph_2(g, SIMD_AND, x, hlo_graph_splat32(g, bits));
}
static inline hlo_node above(hlo_graph *g, hlo_node x, uint32_t bits) {
  return hlo_graph_2(g, SIMD_I32X4_GT_S, x, hlo_graph_splat32(g, bits));
}
static inline hlo_node power_of_2(hlo_graph *g, int exponent) {
  return hlo_graph_splat32(g, (uint32_t)(127 + exponent) << 23);
}

// What is known of a format besides its sizes: bits of the magnitude, and the code of infinity or
// of what stands in its place above all numbers.
static inline uint32_t magnitude_of(const hlo_float_format *f) {
  return (1u << (f->exponent_bits + f->mantissa_bits)) - 1;
}
static inline uint32_t top_of(const hlo_float_format *f) {
  uint32_t all = magnitude_of(f);
  return f->kind == HLO_FLOAT_IEEE   ? all >> f->mantissa_bits << f->mantissa_bits
         : f->kind == HLO_FLOAT_FNUZ ? all + 1
                                     : all;
}

#endif
