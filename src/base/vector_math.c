// Instance of vector_math_template.h on four lanes of clang's vector extension, as scalar functions
// and as loops.
#include "base/vector_math.h"

#include "base/elementary.h"

#include <string.h>

// The context is for other instances.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-parameter"
#endif

typedef uint32_t bits4 __attribute__((vector_size(16)));
typedef int32_t signed4 __attribute__((vector_size(16)));

typedef struct no_context {
  char unused;
} no_context;

static inline hlo_f32x4 splat(float x) {
#if defined(__wasm__)
  // Keeps constants in locals outside of loops: LLVM would put v128.const inside, which is slow.
  __asm__("" : "+r"(x));
#endif
  return (hlo_f32x4){x, x, x, x};
}

static inline hlo_f32x4 splat_bits(uint32_t x) {
  union {
    uint32_t bits;
    float value;
  } u = {x};
  return splat(u.value);
}

static inline hlo_f32x4 select4(hlo_f32x4 mask, hlo_f32x4 a, hlo_f32x4 b) {
  return (hlo_f32x4)(((bits4)mask & (bits4)a) | (~(bits4)mask & (bits4)b));
}

static inline hlo_f32x4 square_root(hlo_f32x4 a) {
  return (hlo_f32x4){__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]),
                     __builtin_sqrtf(a[3])};
}

static __attribute__((noinline)) hlo_f32x4 patch(hlo_f32x4 mask, hlo_f32x4 value,
                                                 float (*function)(float), hlo_f32x4 x) {
  for (int i = 0; i < 4; i++) {
    if (((bits4)mask)[i] != 0) value[i] = function(x[i]);
  }
  return value;
}

static inline int any(hlo_f32x4 mask) {
  bits4 m = (bits4)mask;
  return (m[0] | m[1] | m[2] | m[3]) != 0;
}

#define VM_T                       hlo_f32x4
#define VM_C                       no_context
#define VM_NAME(f)                 vector_##f
#define VM_F32(x)                  splat(x)
#define VM_I32(x)                  splat_bits((uint32_t)(x))
#define VM_ADD(a, b)               ((a) + (b))
#define VM_SUB(a, b)               ((a) - (b))
#define VM_MUL(a, b)               ((a) * (b))
#define VM_DIV(a, b)               ((a) / (b))
#define VM_SQRT(a)                 square_root(a)
#define VM_LT(a, b)                ((hlo_f32x4)((a) < (b)))
#define VM_EQ(a, b)                ((hlo_f32x4)((a) == (b)))
#define VM_PMIN(a, b)              select4(VM_LT(b, a), b, a)
#define VM_PMAX(a, b)              select4(VM_LT(a, b), b, a)
#define VM_AND(a, b)               ((hlo_f32x4)((bits4)(a) & (bits4)(b)))
#define VM_OR(a, b)                ((hlo_f32x4)((bits4)(a) | (bits4)(b)))
#define VM_XOR(a, b)               ((hlo_f32x4)((bits4)(a) ^ (bits4)(b)))
#define VM_ANDNOT(a, b)            ((hlo_f32x4)((bits4)(a) & ~(bits4)(b)))
#define VM_SELECT                  select4
#define VM_IADD(a, b)              ((hlo_f32x4)((bits4)(a) + (bits4)(b)))
#define VM_ISUB(a, b)              ((hlo_f32x4)((bits4)(a) - (bits4)(b)))
#define VM_SHL(a, n)               ((hlo_f32x4)((bits4)(a) << (n)))
#define VM_SHRU(a, n)              ((hlo_f32x4)((bits4)(a) >> (n)))
#define VM_SHRS(a, n)              ((hlo_f32x4)((signed4)(a) >> (n)))
#define VM_FROM_I32(a)             __builtin_convertvector((signed4)(a), hlo_f32x4)
#define VM_RARE(mask, value, f, x) (any(mask) ? patch(mask, value, hlo_##f##_f32, x) : (value))
#include "base/vector_math_template.h"

// Also instead of a loop over a tail: what is beyond n is neither read nor written.
#define DEFINE(id, name)                                                                           \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n) {                                \
    const no_context c = {0};                                                                      \
    hlo_f32x4 v = {0, 0, 0, 0};                                                                    \
    int64_t i = 0;                                                                                 \
    for (; i + 4 <= n; i += 4) {                                                                   \
      memcpy(&v, x + i, sizeof v);                                                                 \
      v = vector_##name(c, v);                                                                     \
      memcpy(r + i, &v, sizeof v);                                                                 \
    }                                                                                              \
    if (i == n) return;                                                                            \
    memcpy(&v, x + i, (size_t)(n - i) * sizeof *x);                                                \
    v = vector_##name(c, v);                                                                       \
    memcpy(r + i, &v, (size_t)(n - i) * sizeof *x);                                                \
  }
HLO_VECTOR_FUNCTIONS(DEFINE)
