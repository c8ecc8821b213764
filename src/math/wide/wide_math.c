// The functions of wide_math_template.h as loops over floats and c64.
#include "math/complex.h"
#include "math/elementary.h"
#include "math/vector/wide_lanes.h"
#include "math/vector_math.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define WIDE(x)   __builtin_convertvector(x, f64x4)
#define NARROW(x) __builtin_convertvector(x, hlo_f32x4)

// --- f32 ---

// What is computed for four floats; functions of one do without y.
typedef hlo_f32x4 four(unknown_zero c, hlo_f32x4 x, hlo_f32x4 y);

// Over all fours of n floats. The function is known where this is inlined.
static inline __attribute__((always_inline)) void fours(four *function, float *r, const float *x,
                                                        const float *y, int64_t n) {
  const unknown_zero c = {always_zero};
  hlo_f32x4 v, w;
  for (int64_t i = 0; i + 4 <= n; i += 4) {
    memcpy(&v, x + i, sizeof v);
    memcpy(&w, y + i, sizeof w);
    v = function(c, v, w);
    memcpy(r + i, &v, sizeof v);
  }
}

// The remaining floats, padded with zeros to a whole vector, by the loop itself.
static void finish(void (*loop)(float *, const float *, int64_t), float *r, const float *x,
                   int64_t n) {
  float rest[4] = {0};
  size_t left = (size_t)n % 4, bytes = left * sizeof *x;
  if (left == 0) return;
  memcpy(rest, x + n - left, bytes);
  loop(rest, rest, 4);
  memcpy(r + n - left, rest, bytes);
}

#define DEFINE_LOOP(name)                                                                          \
  void hlo_##name##_f32_loop(float *r, const float *x, int64_t n) {                                \
    fours(four_##name, r, x, x, n);                                                                \
    finish(hlo_##name##_f32_loop, r, x, n);                                                        \
  }

#define DEFINE(id, name)                                                                           \
  static hlo_f32x4 four_##name(unknown_zero c, hlo_f32x4 x, hlo_f32x4 y) {                         \
    return NARROW(wide_##name(c, WIDE(x)));                                                        \
  }                                                                                                \
  DEFINE_LOOP(name)
HLO_WIDE_FUNCTIONS(DEFINE)

// Those out of bounds one by one.
static __attribute__((noinline)) hlo_f32x4 patch(hlo_f32x4 value, float least, float most,
                                                 float (*function)(float), hlo_f32x4 x) {
  for (int i = 0; i < 4; i++) {
    if (x[i] < least || x[i] > most) value[i] = function(x[i]);
  }
  return value;
}

typedef uint32_t mask4 __attribute__((vector_size(16)));
static inline int any(mask4 mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

#define DEFINE_LIMITED(id, name, least, most)                                                      \
  static hlo_f32x4 four_##name(unknown_zero c, hlo_f32x4 x, hlo_f32x4 y) {                         \
    hlo_f32x4 value = NARROW(wide_##name(c, WIDE(x)));                                             \
    int is_rare = any((mask4)(x > (most)) | (mask4)(x < (least)));                                 \
    return is_rare ? patch(value, least, most, hlo_##name##_f32, x) : value;                       \
  }                                                                                                \
  DEFINE_LOOP(name)
HLO_LIMITED_FUNCTIONS(DEFINE_LIMITED)

static hlo_f32x4 four_atan2(unknown_zero c, hlo_f32x4 y, hlo_f32x4 x) {
  return NARROW(wide_atan2(c, WIDE(y), WIDE(x)));
}
void hlo_atan2_f32_loop(float *r, const float *y, const float *x, int64_t n) {
  float rest[2][4] = {{0}};
  size_t left = (size_t)n % 4, bytes = left * sizeof *x;
  fours(four_atan2, r, y, x, n);
  if (left == 0) return;
  memcpy(rest[0], y + n - left, bytes);
  memcpy(rest[1], x + n - left, bytes);
  hlo_atan2_f32_loop(rest[0], rest[0], rest[1], 4);
  memcpy(r + n - left, rest[0], bytes);
}

// --- c64 ---

typedef struct parts4 {
  hlo_f32x4 re, im;
} parts4;

// What is computed for four numbers; functions of one do without y.
typedef parts4 four_complex(unknown_zero c, parts4 x, parts4 y);

static inline parts4 load_parts(const hlo_c64 *x) {
  hlo_f32x4 v[2];
  memcpy(v, x, sizeof v);
  return (parts4){__builtin_shufflevector(v[0], v[1], 0, 2, 4, 6),
                  __builtin_shufflevector(v[0], v[1], 1, 3, 5, 7)};
}

static inline void store_parts(hlo_c64 *r, parts4 x) {
  hlo_f32x4 v[2] = {__builtin_shufflevector(x.re, x.im, 0, 4, 1, 5),
                    __builtin_shufflevector(x.re, x.im, 2, 6, 3, 7)};
  memcpy(r, v, sizeof v);
}

static inline __attribute__((always_inline)) void
complex_fours(four_complex *function, hlo_c64 *r, const hlo_c64 *x, const hlo_c64 *y, int64_t n) {
  const unknown_zero c = {always_zero};
  for (int64_t i = 0; i + 4 <= n; i += 4)
    store_parts(r + i, function(c, load_parts(x + i), load_parts(y + i)));
}

// The remaining numbers, padded with zeros to a whole vector, by the loop itself.
static void complex_finish(void (*loop)(hlo_c64 *, const hlo_c64 *, const hlo_c64 *, int64_t),
                           hlo_c64 *r, const hlo_c64 *x, const hlo_c64 *y, int64_t n) {
  hlo_c64 rest[2][4] = {{{0}}};
  size_t left = (size_t)n % 4, bytes = left * sizeof *x;
  if (left == 0) return;
  memcpy(rest[0], x + n - left, bytes);
  memcpy(rest[1], y + n - left, bytes);
  loop(rest[0], rest[0], rest[1], 4);
  memcpy(r + n - left, rest[0], bytes);
}

// A loop over pairs of numbers; those of one number are given it twice.
#define DEFINE_COMPLEX_LOOP(name)                                                                  \
  static void name##_loop(hlo_c64 *r, const hlo_c64 *x, const hlo_c64 *y, int64_t n) {             \
    complex_fours(four_##name, r, x, y, n);                                                        \
    complex_finish(name##_loop, r, x, y, n);                                                       \
  }

// A function of one number, as a loop over many.
#define DEFINE_COMPLEX_FUNCTION(name)                                                              \
  static parts4 four_##name(unknown_zero c, parts4 x, parts4 y) {                                  \
    f64x4 re, im;                                                                                  \
    wide_##name##_complex(c, WIDE(x.re), WIDE(x.im), &re, &im);                                    \
    return (parts4){NARROW(re), NARROW(im)};                                                       \
  }                                                                                                \
  DEFINE_COMPLEX_LOOP(name)                                                                        \
  void hlo_##name##_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n) { name##_loop(r, x, x, n); }

DEFINE_COMPLEX_FUNCTION(log)
DEFINE_COMPLEX_FUNCTION(sqrt)

static __attribute__((noinline)) parts4 patch_complex(parts4 value, mask4 is_rare,
                                                      hlo_c64 (*function)(hlo_c64), parts4 x) {
  for (int i = 0; i < 4; i++) {
    if (is_rare[i] == 0) continue;
    hlo_c64 own = function((hlo_c64){x.re[i], x.im[i]});
    value.re[i] = own.re;
    value.im[i] = own.im;
  }
  return value;
}

#define DEFINE_COMPLEX_BUT_NAN(id, name)                                                           \
  static parts4 four_##name##_complex(unknown_zero c, parts4 x, parts4 y) {                        \
    f64x4 re, im;                                                                                  \
    wide_##name##_complex(c, WIDE(x.re), WIDE(x.im), &re, &im);                                    \
    parts4 value = {NARROW(re), NARROW(im)};                                                       \
    mask4 is_rare = (mask4)(value.re != value.re) | (mask4)(value.im != value.im);                 \
    return any(is_rare) ? patch_complex(value, is_rare, hlo_##name##_c64_where_nan, x) : value;    \
  }                                                                                                \
  static void name##_complex_loop(hlo_c64 *r, const hlo_c64 *x, const hlo_c64 *y, int64_t n) {     \
    complex_fours(four_##name##_complex, r, x, y, n);                                              \
    complex_finish(name##_complex_loop, r, x, y, n);                                               \
  }                                                                                                \
  void hlo_##name##_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n) {                            \
    name##_complex_loop(r, x, x, n);                                                               \
  }
HLO_COMPLEX_FUNCTIONS(DEFINE_COMPLEX_BUT_NAN)

static __attribute__((noinline)) parts4 patch_quotient(parts4 value, mask4 is_rare, parts4 x,
                                                       parts4 y) {
  for (int i = 0; i < 4; i++) {
    if (is_rare[i] == 0) continue;
    value.re[i] = hlo_real_of_quotient(x.re[i], x.im[i], y.re[i], y.im[i]);
    value.im[i] = hlo_imaginary_of_quotient(x.re[i], x.im[i], y.re[i], y.im[i]);
  }
  return value;
}

static parts4 four_div(unknown_zero c, parts4 x, parts4 y) {
  f64x4 re, im;
  wide_divide_complex(c, WIDE(x.re), WIDE(x.im), WIDE(y.re), WIDE(y.im), &re, &im);
  parts4 value = {NARROW(re), NARROW(im)};
  mask4 is_rare = (mask4)(value.re != value.re) | (mask4)(value.im != value.im);
  return any(is_rare) ? patch_quotient(value, is_rare, x, y) : value;
}
DEFINE_COMPLEX_LOOP(div)
void hlo_div_c64_loop(hlo_c64 *r, const hlo_c64 *x, const hlo_c64 *y, int64_t n) {
  div_loop(r, x, y, n);
}

// y: cosine and sine of imaginary parts of x that are large.
static parts4 four_exp(unknown_zero c, parts4 x, parts4 y) {
  f64x4 re, im;
  wide_exp_complex(c, WIDE(x.re), WIDE(x.im), WIDE(y.re), WIDE(y.im), &re, &im);
  return (parts4){NARROW(re), NARROW(im)};
}
DEFINE_COMPLEX_LOOP(exp)
void hlo_exp_c64_loop(hlo_c64 *r, const hlo_c64 *x, int64_t n) {
  enum { BLOCK = 64 }; // numbers whose directions are on the stack
  hlo_c64 directions[BLOCK];
  for (int64_t done = 0; done < n; done += BLOCK) {
    int64_t count = n - done < BLOCK ? n - done : BLOCK;
    for (int64_t i = 0; i < count; i++) {
      float angle = x[done + i].im;
      bool is_large = __builtin_fabsf(angle) > HLO_WIDE_ANGLE;
      directions[i] =
          is_large ? (hlo_c64){hlo_cos_f32(angle), hlo_sin_f32(angle)} : (hlo_c64){0, 0};
    }
    exp_loop(r + done, x + done, directions, count);
  }
}

void hlo_abs_c64_loop(float *r, const hlo_c64 *x, int64_t n) {
  const unknown_zero c = {always_zero};
  for (; n >= 4; n -= 4, x += 4, r += 4) {
    parts4 z = load_parts(x);
    z.re = NARROW(wide_abs_complex(c, WIDE(z.re), WIDE(z.im)));
    memcpy(r, &z.re, sizeof z.re);
  }
  if (n == 0) return;
  hlo_c64 rest[4] = {{0}};
  float values[4];
  memcpy(rest, x, (size_t)n * sizeof *x);
  hlo_abs_c64_loop(values, rest, 4);
  memcpy(r, values, (size_t)n * sizeof *r);
}
