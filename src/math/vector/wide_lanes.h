// Instance of wide_math_template.h on four lanes of double, which are two vectors for processors
// and so two independent chains of operations, for source files that make loops of it.
#ifndef HLO_MATH_VECTOR_WIDE_LANES_H
#define HLO_MATH_VECTOR_WIDE_LANES_H

#include <stdbool.h>
#include <stdint.h>

// The context is for other instances.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wpsabi" // functions of these vectors are known here alone
#endif

typedef double f64x4 __attribute__((vector_size(32)));
typedef int64_t signed4 __attribute__((vector_size(32)));

#define LANES     f64x4
#define LANE      double
#define LANE_BITS uint64_t
#include "math/vector/lanes.h"

static inline f64x4 square_root(f64x4 a) {
  return (f64x4){__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]),
                 __builtin_sqrt(a[3])};
}

static inline f64x4 floor_of(f64x4 a) {
  return (f64x4){__builtin_floor(a[0]), __builtin_floor(a[1]), __builtin_floor(a[2]),
                 __builtin_floor(a[3])};
}

static inline int any_lane(f64x4 mask) {
  bits4 m = (bits4)mask;
  return (m[0] | m[1] | m[2] | m[3]) != 0;
}

#define WM_T               f64x4
#define WM_M               f64x4
#define WM_C               unknown_zero
#define WM_NAME(f)         wide_##f
#define WM_F64(x)          splat(c, x)
#define WM_I64(x)          splat_bits(c, (uint64_t)(x))
#define WM_ADD(a, b)       ((a) + (b))
#define WM_SUB(a, b)       ((a) - (b))
#define WM_MUL(a, b)       ((a) * (b))
#define WM_DIV(a, b)       ((a) / (b))
#define WM_SQRT(a)         square_root(a)
#define WM_FLOOR(a)        floor_of(a)
#define WM_PMIN(a, b)      select4(WM_LT(b, a), b, a)
#define WM_PMAX(a, b)      select4(WM_LT(a, b), b, a)
#define WM_AND(a, b)       ((f64x4)((bits4)(a) & (bits4)(b)))
#define WM_OR(a, b)        ((f64x4)((bits4)(a) | (bits4)(b)))
#define WM_XOR(a, b)       ((f64x4)((bits4)(a) ^ (bits4)(b)))
#define WM_IADD(a, b)      ((f64x4)((bits4)(a) + (bits4)(b)))
#define WM_ISUB(a, b)      ((f64x4)((bits4)(a) - (bits4)(b)))
#define WM_IMUL(a, b)      ((f64x4)((bits4)(a) * (bits4)(b)))
#define WM_SHL(a, n)       ((f64x4)((bits4)(a) << (n)))
#define WM_SHRU(a, n)      ((f64x4)((bits4)(a) >> (n)))
#define WM_LT(a, b)        ((f64x4)((a) < (b)))
#define WM_EQ(a, b)        ((f64x4)((a) == (b)))
#define WM_IS_ODD(a)       ((f64x4)((signed4)WM_SHL(a, 63) >> 63))
#define WM_IS_NEGATIVE(a)  ((f64x4)((signed4)(a) >> 63))
#define WM_BOTH(m, n)      WM_AND(m, n)
#define WM_EITHER(m, n)    WM_OR(m, n)
#define WM_NOT(m)          ((f64x4)(~(bits4)(m)))
#define WM_SELECT(m, a, b) select4(m, a, b)
#include "math/vector/wide_math_template.h"

#endif
