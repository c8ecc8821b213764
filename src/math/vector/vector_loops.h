// Instance of vector_math_template.h on four lanes of clang's vector extension, and DEFINE(id,
// name), which makes a loop of a function. For source files that define loops.
#include "math/vector_math.h"

#include "math/elementary.h"
#include "math/elementary/cores.h"

#include <string.h>

// The context is for other instances.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-parameter"
#endif

#define LANES     hlo_f32x4
#define LANE      float
#define LANE_BITS uint32_t
#include "math/vector/lanes.h"

typedef int32_t signed4 __attribute__((vector_size(16)));

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

typedef signed char bytes16 __attribute__((vector_size(16)));

// The table of VM_CHOOSE: bytes, or numbers in native code.
static inline hlo_f32x4 piece_of(const uint8_t *numbers, hlo_f32x4 a) {
#if defined(__wasm_simd128__)
  bytes16 table, all = (bytes16)a;
  memcpy(&table, numbers, sizeof table);
  bytes16 lowest =
      __builtin_shufflevector(all, all, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  bits4 number = (bits4)__builtin_wasm_swizzle_i8x16(table, lowest) << 2;
  return (hlo_f32x4)(number + 0x03020100);
#else
  bits4 bits = (bits4)a;
  for (int i = 0; i < 4; i++) bits[i] = (bits[i] & 0xff) > 15 ? 0 : numbers[bits[i] & 15];
  return (hlo_f32x4)bits;
#endif
}

static inline hlo_f32x4 choose(const float *four, hlo_f32x4 piece) {
#if defined(__wasm_simd128__)
  bytes16 table;
  memcpy(&table, four, sizeof table);
  return (hlo_f32x4)__builtin_wasm_swizzle_i8x16(table, (bytes16)piece);
#else
  bits4 bits = (bits4)piece;
  return (hlo_f32x4){four[bits[0]], four[bits[1]], four[bits[2]], four[bits[3]]};
#endif
}

#define VM_T                   hlo_f32x4
#define VM_C                   unknown_zero
#define VM_NAME(f)             vector_##f
#define VM_F32(x)              splat(c, x)
#define VM_I32(x)              splat_bits(c, (uint32_t)(x))
#define VM_ADD(a, b)           ((a) + (b))
#define VM_SUB(a, b)           ((a) - (b))
#define VM_MUL(a, b)           ((a) * (b))
#define VM_DIV(a, b)           ((a) / (b))
#define VM_MADD(a, b, sum)     ((a) * (b) + (sum)) // of exact products: one rounding either way
#define VM_NMADD(a, b, from)   ((from) - (a) * (b))
#define VM_SQRT(a)             square_root(a)
#define VM_LT(a, b)            ((hlo_f32x4)((a) < (b)))
#define VM_EQ(a, b)            ((hlo_f32x4)((a) == (b)))
#define VM_PMIN(a, b)          select4(VM_LT(b, a), b, a)
#define VM_PMAX(a, b)          select4(VM_LT(a, b), b, a)
#define VM_AND(a, b)           ((hlo_f32x4)((bits4)(a) & (bits4)(b)))
#define VM_OR(a, b)            ((hlo_f32x4)((bits4)(a) | (bits4)(b)))
#define VM_XOR(a, b)           ((hlo_f32x4)((bits4)(a) ^ (bits4)(b)))
#define VM_ANDNOT(a, b)        ((hlo_f32x4)((bits4)(a) & ~(bits4)(b)))
#define VM_SELECT              select4
#define VM_IADD(a, b)          ((hlo_f32x4)((bits4)(a) + (bits4)(b)))
#define VM_ISUB(a, b)          ((hlo_f32x4)((bits4)(a) - (bits4)(b)))
#define VM_SHL(a, n)           ((hlo_f32x4)((bits4)(a) << (n)))
#define VM_SHRU(a, n)          ((hlo_f32x4)((bits4)(a) >> (n)))
#define VM_SHRS(a, n)          ((hlo_f32x4)((signed4)(a) >> (n)))
#define VM_FROM_I32(a)         __builtin_convertvector((signed4)(a), hlo_f32x4)
#define VM_PIECE(numbers, a)   piece_of(numbers, a)
#define VM_CHOOSE(four, piece) choose(four, piece)
#define VM_RARE(mask, value, f, x)                                                                 \
  (any(mask) ? patch(mask, value, hlo_##f##_of_large_f32, x) : (value))
#include "math/vector/vector_math_template.h"

#define DEFINE(id, name)                                                                           \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n) {                                \
    const unknown_zero c = {always_zero};                                                          \
    hlo_f32x4 v = {0, 0, 0, 0};                                                                    \
    size_t left = (size_t)n;                                                                       \
    for (; left >= 4; left -= 4, x += 4, r += 4) {                                                 \
      memcpy(&v, x, sizeof v);                                                                     \
      v = vector_##name(c, v);                                                                     \
      memcpy(r, &v, sizeof v);                                                                     \
    }                                                                                              \
    if (left == 0) return;                                                                         \
    float rest[4] = {0};                                                                           \
    memcpy(rest, x, left * sizeof *x);                                                             \
    memcpy(&v, rest, sizeof v);                                                                    \
    v = vector_##name(c, v);                                                                       \
    memcpy(rest, &v, sizeof v);                                                                    \
    memcpy(r, rest, left * sizeof *r);                                                             \
  }
