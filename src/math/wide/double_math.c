// The functions of double_math_template.h as loops over doubles.
#include "math/elementary.h"
#include "math/elementary/simple_power.h"
#include "math/vector/wide_lanes.h"
#include "math/vector_math.h"

#include <stddef.h>
#include <string.h>

#include "math/vector/double_math_template.h"

#include "math/vector/double_erf_template.h"

// What is computed for four numbers; functions of one do without y.
typedef f64x4 four(unknown_zero c, f64x4 x, f64x4 y);

// Over n numbers, the last ones padded with ones. The function is known where this is inlined.
static inline __attribute__((always_inline)) void fours(four *function, double *r, const double *x,
                                                        const double *y, int64_t n) {
  const unknown_zero c = {always_zero};
  for (int64_t i = 0; i < n; i += 4) {
    f64x4 v = {1, 1, 1, 1}, w = v;
    size_t bytes = (size_t)(n - i < 4 ? n - i : 4) * sizeof *x;
    if (bytes == sizeof v) {
      memcpy(&v, x + i, sizeof v);
      memcpy(&w, y + i, sizeof w);
    } else {
      memcpy(&v, x + i, bytes);
      memcpy(&w, y + i, bytes);
    }
    v = function(c, v, w);
    if (bytes == sizeof v) memcpy(r + i, &v, sizeof v);
    else memcpy(r + i, &v, bytes);
  }
}

#define DEFINE_LOOP(name)                                                                          \
  void hlo_##name##_f64_loop(double *r, const double *x, int64_t n) {                              \
    fours(four_##name, r, x, x, n);                                                                \
  }

#define DEFINE(id, name)                                                                           \
  static inline f64x4 four_##name(unknown_zero c, f64x4 x, f64x4 y) {                              \
    return wide_##name##_f64(c, x);                                                                \
  }                                                                                                \
  DEFINE_LOOP(name)
HLO_DOUBLE_FUNCTIONS(DEFINE)

// Those that are left out one by one.
static __attribute__((noinline)) f64x4 patch(f64x4 value, f64x4 is_rare, double (*function)(double),
                                             f64x4 x) {
  bits4 m = (bits4)is_rare;
  for (int i = 0; i < 4; i++) {
    if (m[i] != 0) value[i] = function(x[i]);
  }
  return value;
}

#define DEFINE_OF_ANGLE(id, name)                                                                  \
  static inline f64x4 four_##name(unknown_zero c, f64x4 x, f64x4 y) {                              \
    f64x4 value = wide_##name##_f64(c, x);                                                         \
    f64x4 is_rare = WM_NOT(WM_LT(WM_ABS(x), WM_F64(HLO_DOUBLE_ANGLE)));                            \
    return any_lane(is_rare) ? patch(value, is_rare, hlo_##name##_f64, x) : value;                 \
  }                                                                                                \
  DEFINE_LOOP(name)
HLO_DOUBLE_ANGLE_FUNCTIONS(DEFINE_OF_ANGLE)

static inline f64x4 four_pow(unknown_zero c, f64x4 x, f64x4 y) {
  f64x4 value = wide_pow_f64(c, x, y);
  for (int i = 0; i < 4; i++) {
    double power;
    if (simple_power(x[i], y[i], false, &power)) value[i] = power;
  }
  return value;
}
void hlo_pow_f64_loop(double *r, const double *x, const double *y, int64_t n) {
  fours(four_pow, r, x, y, n);
}

static inline f64x4 four_atan2(unknown_zero c, f64x4 y, f64x4 x) {
  f64x4 value = wide_atan2_f64(c, y, x);
  bits4 is_rare = (bits4)WM_NOT(wide_pair_in_range(c, WM_ABS(y), WM_ABS(x)));
  for (int i = 0; i < 4 && any_lane((f64x4)is_rare); i++) {
    if (is_rare[i] != 0) value[i] = hlo_atan2_f64(y[i], x[i]);
  }
  return value;
}
void hlo_atan2_f64_loop(double *r, const double *y, const double *x, int64_t n) {
  fours(four_atan2, r, y, x, n);
}
