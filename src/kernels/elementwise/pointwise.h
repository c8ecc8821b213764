// The kernel tables of each type, shared by the pointwise files. Elsewhere use hlo_pointwise_get of
// eval.h.
#ifndef HLO_KERNELS_ELEMENTWISE_POINTWISE_H
#define HLO_KERNELS_ELEMENTWISE_POINTWISE_H

// LANES_ARE_INDEPENDENT is a hint: no warning where clang cannot vectorise. Stands before the first
// inclusion of ops.def, where clang locates the loops that are made from it.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#include "kernels/eval.h"

// Tells the vectoriser that element i of the result meets only element i of the operands in memory
// (the result may be an operand, so restrict would be wrong).
#if defined(__clang__)
#define LANES_ARE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define MANY_LANES_AT_A_TIME  _Pragma("clang loop interleave_count(4)")
#define ONE_BY_ONE            _Pragma("clang loop vectorize(disable) unroll(disable)")
#elif defined(__GNUC__)
#define LANES_ARE_INDEPENDENT _Pragma("GCC ivdep")
#define MANY_LANES_AT_A_TIME
#define ONE_BY_ONE
#else
#define LANES_ARE_INDEPENDENT
#define MANY_LANES_AT_A_TIME
#define ONE_BY_ONE
#endif

// NULL where ops.def says NA. One function per element type, made by pointwise_loops.h.
hlo_pointwise_kernel *hlo_pointwise_pred(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_s2(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_s4(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_s8(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_s16(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_s32(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_s64(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_u2(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_u4(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_u8(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_u16(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_u32(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_u64(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_f32(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_f64(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_c64(hlo_opcode opcode);
hlo_pointwise_kernel *hlo_pointwise_c128(hlo_opcode opcode);
// Those of c64 that take several numbers at a time, with the same bits, else hlo_pointwise_c64's.
hlo_pointwise_kernel *hlo_pointwise_c64_vectors(hlo_opcode opcode);
// Floats below 32 bits.
hlo_pointwise_kernel *hlo_pointwise_narrow(hlo_opcode opcode, hlo_type type);

#endif
