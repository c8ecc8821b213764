// Instance of math/vector/vector_math_template.h that builds nodes of a graph, for source files
// that make functions of it: elementary functions in emitted code. The context is the graph.
#ifndef HLO_CODEGEN_GRAPH_VECTOR_INSTANCE_H
#define HLO_CODEGEN_GRAPH_VECTOR_INSTANCE_H

#include "base/bits.h"
#include "codegen/graph/graph.h"
#include "math/elementary.h"
#include "math/vector_math.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif

// Where the bytes are in what choose() looks up: all first ones of four numbers, all second ones, …
static hlo_node piece_of(hlo_graph *g, const uint8_t *numbers, hlo_node a) {
  // As a lookup, since V8 makes the constant of a shuffle anew in every step.
  static const uint8_t lowest[16] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
  a = hlo_graph_lookup(g, a, hlo_graph_bytes(g, lowest));
  hlo_node number = hlo_graph_lookup(g, hlo_graph_bytes(g, numbers), a);
  return hlo_graph_2(g, SIMD_I32X4_ADD, number, hlo_graph_splat32(g, 0x0c080400));
}

static hlo_node choose(hlo_graph *g, const float *four, hlo_node piece) {
  uint8_t bytes[16];
  for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(bits_of_float(four[i % 4]) >> i / 4 * 8);
  return hlo_graph_lookup(g, hlo_graph_bytes(g, bytes), piece);
}

#define VM_T                       hlo_node
#define VM_C                       hlo_graph *
#define VM_NAME(f)                 graph_##f
#define VM_F32(x)                  hlo_graph_f32(c, x)
#define VM_I32(x)                  hlo_graph_splat32(c, (uint32_t)(x))
#define VM_ADD(a, b)               hlo_graph_2(c, SIMD_F32X4_ADD, a, b)
#define VM_SUB(a, b)               hlo_graph_2(c, SIMD_F32X4_SUB, a, b)
#define VM_MUL(a, b)               hlo_graph_2(c, SIMD_F32X4_MUL, a, b)
#define VM_DIV(a, b)               hlo_graph_2(c, SIMD_F32X4_DIV, a, b)
#define VM_MADD(a, b, sum)         hlo_graph_add_product(c, a, b, sum)
#define VM_NMADD(a, b, from)       hlo_graph_subtract_product(c, a, b, from)
#define VM_SQRT(a)                 hlo_graph_1(c, SIMD_F32X4_SQRT, a)
#define VM_LT(a, b)                hlo_graph_2(c, SIMD_F32X4_LT, a, b)
#define VM_EQ(a, b)                hlo_graph_2(c, SIMD_F32X4_EQ, a, b)
#define VM_PMIN(a, b)              hlo_graph_2(c, SIMD_F32X4_PMIN, a, b)
#define VM_PMAX(a, b)              hlo_graph_2(c, SIMD_F32X4_PMAX, a, b)
#define VM_AND(a, b)               hlo_graph_2(c, SIMD_AND, a, b)
#define VM_OR(a, b)                hlo_graph_2(c, SIMD_OR, a, b)
#define VM_XOR(a, b)               hlo_graph_2(c, SIMD_XOR, a, b)
#define VM_ANDNOT(a, b)            hlo_graph_2(c, SIMD_ANDNOT, a, b)
#define VM_SELECT(mask, a, b)      hlo_graph_select(c, mask, a, b)
#define VM_IADD(a, b)              hlo_graph_2(c, SIMD_I32X4_ADD, a, b)
#define VM_ISUB(a, b)              hlo_graph_2(c, SIMD_I32X4_SUB, a, b)
#define VM_SHL(a, n)               hlo_graph_shift(c, SIMD_I32X4_SHL, a, n)
#define VM_SHRU(a, n)              hlo_graph_shift(c, SIMD_I32X4_SHR_U, a, n)
#define VM_SHRS(a, n)              hlo_graph_shift(c, SIMD_I32X4_SHR_S, a, n)
#define VM_FROM_I32(a)             hlo_graph_1(c, SIMD_F32X4_CONVERT_S, a)
#define VM_PIECE(numbers, a)       piece_of(c, numbers, a)
#define VM_CHOOSE(four, piece)     choose(c, four, piece)
#define VM_RARE(mask, value, f, x) hlo_graph_patch(c, mask, value, hlo_##f##_f32, x)
#include "math/vector/vector_math_template.h"

#endif
