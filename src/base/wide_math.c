// Instance of wide_math_template.h on four lanes of double, which are two vectors for processors
// and so two independent chains of operations, as loops over floats.
#include "base/elementary.h"
#include "base/vector_math.h"

#include <stddef.h>
#include <string.h>

// The context is for other instances.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wpsabi" // functions of these vectors are known here alone
#endif

typedef double f64x4 __attribute__((vector_size(32)));
typedef int64_t signed4 __attribute__((vector_size(32)));
typedef uint64_t bits4 __attribute__((vector_size(32)));

// See vector_math.c: a zero that no compiler knows to be one keeps constants outside of loops.
typedef struct unknown_zero {
  uint64_t bits;
} unknown_zero;

static volatile uint64_t always_zero;

static inline f64x4 splat_bits(unknown_zero c, uint64_t x) {
  bits4 v = {x, x, x, x};
  return (f64x4)(v ^ (bits4){c.bits, c.bits, c.bits, c.bits});
}

static inline f64x4 splat(unknown_zero c, double x) {
  union {
    double value;
    uint64_t bits;
  } u = {x};
  return splat_bits(c, u.bits);
}

static inline f64x4 select4(f64x4 mask, f64x4 a, f64x4 b) {
  return (f64x4)(((bits4)mask & (bits4)a) | (~(bits4)mask & (bits4)b));
}

static inline f64x4 square_root(f64x4 a) {
  return (f64x4){__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]),
                 __builtin_sqrt(a[3])};
}

static inline f64x4 floor_of(f64x4 a) {
  return (f64x4){__builtin_floor(a[0]), __builtin_floor(a[1]), __builtin_floor(a[2]),
                 __builtin_floor(a[3])};
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
#include "base/wide_math_template.h"

#define WIDE(x)   __builtin_convertvector(x, f64x4)
#define NARROW(x) __builtin_convertvector(x, hlo_f32x4)

// What is computed for four floats; functions of one do without y.
typedef hlo_f32x4 four(unknown_zero c, hlo_f32x4 x, hlo_f32x4 y);

// Over n floats, four at a time, the rest beside zeros. The function is known where this is
// inlined.
static inline __attribute__((always_inline)) void loop(four *function, float *r, const float *x,
                                                       const float *y, int64_t n) {
  const unknown_zero c = {always_zero};
  hlo_f32x4 v, w;
  size_t left = (size_t)n;
  for (; left >= 4; left -= 4, x += 4, y += 4, r += 4) {
    memcpy(&v, x, sizeof v);
    memcpy(&w, y, sizeof w);
    v = function(c, v, w);
    memcpy(r, &v, sizeof v);
  }
  if (left == 0) return;
  float rest[2][4] = {{0}};
  memcpy(rest[0], x, left * sizeof *x);
  memcpy(rest[1], y, left * sizeof *y);
  memcpy(&v, rest[0], sizeof v);
  memcpy(&w, rest[1], sizeof w);
  v = function(c, v, w);
  memcpy(r, &v, left * sizeof *r);
}

#define DEFINE(id, name)                                                                           \
  static hlo_f32x4 four_##name(unknown_zero c, hlo_f32x4 x, hlo_f32x4 y) {                         \
    return NARROW(wide_##name(c, WIDE(x)));                                                        \
  }                                                                                                \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n) { loop(four_##name, r, x, x, n); }
HLO_WIDE_FUNCTIONS(DEFINE)

// Those that are too large one by one.
static __attribute__((noinline)) hlo_f32x4 patch(hlo_f32x4 value, float limit,
                                                 float (*function)(float), hlo_f32x4 x) {
  for (int i = 0; i < 4; i++) {
    if (__builtin_fabsf(x[i]) > limit) value[i] = function(x[i]);
  }
  return value;
}

typedef uint32_t mask4 __attribute__((vector_size(16)));
static inline int any(mask4 mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

#define DEFINE_LIMITED(id, name, limit)                                                            \
  static hlo_f32x4 four_##name(unknown_zero c, hlo_f32x4 x, hlo_f32x4 y) {                         \
    const hlo_f32x4 most = {limit, limit, limit, limit};                                           \
    hlo_f32x4 value = NARROW(wide_##name(c, WIDE(x)));                                             \
    int is_rare = any((mask4)(x > most) | (mask4)(x < -most));                                     \
    return is_rare ? patch(value, limit, hlo_##name##_f32, x) : value;                             \
  }                                                                                                \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n) { loop(four_##name, r, x, x, n); }
HLO_LIMITED_FUNCTIONS(DEFINE_LIMITED)

static hlo_f32x4 four_atan2(unknown_zero c, hlo_f32x4 y, hlo_f32x4 x) {
  return NARROW(wide_atan2(c, WIDE(y), WIDE(x)));
}
void hlo_atan2_f32_loop(float *r, const float *y, const float *x, int64_t n) {
  loop(four_atan2, r, y, x, n);
}
