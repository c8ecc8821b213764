// Instance of wide_math_template.h and double_math_template.h on single numbers.
#ifndef HLO_MATH_ELEMENTARY_SINGLE_NUMBER_H
#define HLO_MATH_ELEMENTARY_SINGLE_NUMBER_H

#include "math/elementary/double_double.h"

// The context is for other instances: a 0 here.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-parameter"
#endif

#define WM_T               double
#define WM_M               bool
#define WM_C               int
#define WM_NAME(f)         one_##f
#define WM_F64(x)          ((double)(x))
#define WM_I64(x)          double_of_bits((uint64_t)(x))
#define WM_ADD(a, b)       ((a) + (b))
#define WM_SUB(a, b)       ((a) - (b))
#define WM_MUL(a, b)       ((a) * (b))
#define WM_DIV(a, b)       ((a) / (b))
#define WM_SQRT(a)         __builtin_sqrt(a)
#define WM_FLOOR(a)        __builtin_floor(a)
#define WM_PMIN(a, b)      one_smaller(a, b)
#define WM_PMAX(a, b)      one_larger(a, b)
#define WM_AND(a, b)       double_of_bits(bits_of_double(a) & bits_of_double(b))
#define WM_OR(a, b)        double_of_bits(bits_of_double(a) | bits_of_double(b))
#define WM_XOR(a, b)       double_of_bits(bits_of_double(a) ^ bits_of_double(b))
#define WM_IADD(a, b)      double_of_bits(bits_of_double(a) + bits_of_double(b))
#define WM_ISUB(a, b)      double_of_bits(bits_of_double(a) - bits_of_double(b))
#define WM_IMUL(a, b)      double_of_bits(bits_of_double(a) * bits_of_double(b))
#define WM_SHL(a, n)       double_of_bits(bits_of_double(a) << (n))
#define WM_SHRU(a, n)      double_of_bits(bits_of_double(a) >> (n))
#define WM_LT(a, b)        ((a) < (b))
#define WM_EQ(a, b)        ((a) == (b))
#define WM_IS_ODD(a)       ((bits_of_double(a) & 1) != 0)
#define WM_IS_NEGATIVE(a)  is_negative(a)
#define WM_BOTH(m, n)      ((m) && (n))
#define WM_EITHER(m, n)    ((m) || (n))
#define WM_NOT(m)          (!(m))
#define WM_SELECT(m, a, b) ((m) ? (a) : (b))

static inline double one_smaller(double a, double b) { return b < a ? b : a; }
static inline double one_larger(double a, double b) { return a < b ? b : a; }
#include "math/vector/wide_math_template.h"

#include "math/vector/double_math_template.h"

#endif
