// Instance of math/vector/wide_math_template.h that builds nodes of a graph, for source files that
// make functions of it: elementary functions that compute in double, in emitted code. The context
// is the graph.
#ifndef HLO_CODEGEN_GRAPH_WIDE_INSTANCE_H
#define HLO_CODEGEN_GRAPH_WIDE_INSTANCE_H

#include "codegen/graph/graph.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif

#define WM_T               hlo_node
#define WM_M               hlo_node
#define WM_C               hlo_graph *
#define WM_NAME(f)         graph_##f
#define WM_F64(x)          hlo_graph_f64(c, x)
#define WM_I64(x)          hlo_graph_splat64(c, (uint64_t)(x))
#define WM_ADD(a, b)       hlo_graph_2(c, SIMD_F64X2_ADD, a, b)
#define WM_SUB(a, b)       hlo_graph_2(c, SIMD_F64X2_SUB, a, b)
#define WM_MUL(a, b)       hlo_graph_2(c, SIMD_F64X2_MUL, a, b)
#define WM_DIV(a, b)       hlo_graph_2(c, SIMD_F64X2_DIV, a, b)
#define WM_SQRT(a)         hlo_graph_1(c, SIMD_F64X2_SQRT, a)
#define WM_FLOOR(a)        hlo_graph_1(c, SIMD_F64X2_FLOOR, a)
#define WM_PMIN(a, b)      hlo_graph_2(c, SIMD_F64X2_PMIN, a, b)
#define WM_PMAX(a, b)      hlo_graph_2(c, SIMD_F64X2_PMAX, a, b)
#define WM_AND(a, b)       hlo_graph_2(c, SIMD_AND, a, b)
#define WM_OR(a, b)        hlo_graph_2(c, SIMD_OR, a, b)
#define WM_XOR(a, b)       hlo_graph_2(c, SIMD_XOR, a, b)
#define WM_IADD(a, b)      hlo_graph_2(c, SIMD_I64X2_ADD, a, b)
#define WM_ISUB(a, b)      hlo_graph_2(c, SIMD_I64X2_SUB, a, b)
#define WM_IMUL(a, b)      hlo_graph_2(c, SIMD_I64X2_MUL, a, b)
#define WM_SHL(a, n)       hlo_graph_shift(c, SIMD_I64X2_SHL, a, n)
#define WM_SHRU(a, n)      hlo_graph_shift(c, SIMD_I64X2_SHR_U, a, n)
#define WM_LT(a, b)        hlo_graph_2(c, SIMD_F64X2_LT, a, b)
#define WM_EQ(a, b)        hlo_graph_2(c, SIMD_F64X2_EQ, a, b)
#define WM_IS_ODD(a)       hlo_graph_shift(c, SIMD_I64X2_SHR_S, WM_SHL(a, 63), 63)
#define WM_IS_NEGATIVE(a)  hlo_graph_shift(c, SIMD_I64X2_SHR_S, a, 63)
#define WM_BOTH(m, n)      WM_AND(m, n)
#define WM_EITHER(m, n)    WM_OR(m, n)
#define WM_NOT(m)          hlo_graph_1(c, SIMD_NOT, m)
#define WM_SELECT(m, a, b) hlo_graph_select(c, m, a, b)
#include "math/vector/wide_math_template.h"

#endif
