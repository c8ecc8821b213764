// Checks the loops of math/vector_math.h and math/complex.h against the functions of single numbers
// (some of which are loops over one): the same bits wherever an argument stands and whatever stands
// beside it, in place too, and nothing written beyond. What the numbers are is for
// elementary_test.c and complex_test.c.
#include "base/bits.h"
#include "math/complex.h"
#include "math/elementary.h"
#include "math/vector_math.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

// The same number with the same sign of zero, or both NaN.
static bool same(double a, double b) {
  return bits_of_double(a) == bits_of_double(b) || (a != a && b != b);
}

static uint64_t random_state = 88172645463325252;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

// A loop gives what the scalar function gives, for any length, in place too, and writes no more.
static void check_loop(const char *name, void (*loop)(float *, const float *, int64_t),
                       float (*scalar)(float)) {
  enum { MOST = 21 };
  random_state = 77;
  for (int n = 0; n < MOST; n++) {
    float arguments[MOST], x[MOST], y[MOST + 1];
    for (int i = 0; i < MOST; i++) arguments[i] = float_of_bits((uint32_t)(random_bits() >> 32));
    if (n > 4) arguments[n / 2] = -0.0f, arguments[n / 3] = 3e5f, arguments[n - 1] = 1.25f;
    memcpy(x, arguments, sizeof x);
    memset(y, 0xa5, sizeof y);
    loop(y, x, n);
    loop(x, x, n);
    CHECK(float_of_bits(0xa5a5a5a5) == y[n]);
    for (int i = 0; i < n; i++) {
      CHECK_MESSAGE(memcmp(&x[i], &y[i], sizeof *x) == 0, "%s in place, n = %d", name, n);
      CHECK_MESSAGE(same(y[i], scalar(arguments[i])), "%s(%a)", name, arguments[i]);
    }
  }
}

// The same of two arguments; in place of either.
static void check_pair_loop(const char *name,
                            void (*loop)(float *, const float *, const float *, int64_t),
                            float (*scalar)(float, float)) {
  enum { MOST = 21, RUNS = 500 };
  for (int run = 0; run < RUNS; run++) {
    int n = run % MOST;
    float x[MOST], y[MOST], left[MOST], right[MOST], got[MOST + 1];
    for (int i = 0; i < MOST; i++) {
      x[i] = float_of_bits((uint32_t)(random_bits() >> 32));
      y[i] = float_of_bits((uint32_t)(random_bits() >> 32));
      if (i % 3 == 0) x[i] = (float)(random_bits() % 100) / 7, y[i] = (float)(int)(i - 10) / 2;
    }
    memcpy(left, x, sizeof x);
    memcpy(right, y, sizeof y);
    memset(got, 0xa5, sizeof got);
    loop(got, x, y, n);
    loop(left, left, y, n);
    loop(right, x, right, n);
    CHECK(float_of_bits(0xa5a5a5a5) == got[n]);
    for (int i = 0; i < n; i++) {
      CHECK_MESSAGE(same(got[i], scalar(x[i], y[i])), "%s(%a, %a)", name, x[i], y[i]);
      CHECK(same(got[i], left[i]) && same(got[i], right[i]));
    }
  }
}

// Loops of doubles give the same bits as their functions, wherever an argument stands, of tiny,
// common, large and special ones; in place of either.
static double any_argument(int kind) {
  static const double special[] = {0,
                                   -0.0,
                                   1,
                                   -1,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   0x1p20,
                                   -0x1p20,
                                   0x1p53,
                                   0x1p-1022,
                                   0x1p-1074,
                                   0x1p-27,
                                   0.5,
                                   -0x1.8p-54,
                                   710.2,
                                   -745.2,
                                   0x1.fffffffffffffp1023,
                                   0x1.6a09e667f3bcdp0,
                                   3,
                                   -3};
  uint64_t bits = random_bits();
  double fraction = (double)(bits >> 12) * 0x1p-52;
  if (kind == 0) return double_of_bits(bits);
  if (kind == 1) return special[bits % (sizeof special / sizeof *special)];
  if (kind == 2) return (fraction - 0.5) * 1600;
  return kind == 3 ? (fraction - 0.5) * 4 : exp(20 * fraction - 10) * (bits & 1 ? 1 : -1);
}

static void check_double_loop(const char *name, void (*loop)(double *, const double *, int64_t),
                              void (*pair_loop)(double *, const double *, const double *, int64_t),
                              double (*scalar)(double), double (*pair)(double, double)) {
  enum { MOST = 13, RUNS = 2000 };
  for (int run = 0; run < RUNS; run++) {
    int n = run % MOST;
    double x[MOST], y[MOST], left[MOST], right[MOST], got[MOST + 1];
    for (int i = 0; i < MOST; i++)
      x[i] = any_argument((int)(random_bits() % 5)), y[i] = any_argument((int)(random_bits() % 5));
    memcpy(left, x, sizeof x);
    memcpy(right, y, sizeof y);
    memset(got, 0xa5, sizeof got);
    if (pair == NULL) loop(got, x, n), loop(left, left, n), memcpy(right, left, sizeof left);
    else pair_loop(got, x, y, n), pair_loop(left, left, y, n), pair_loop(right, x, right, n);
    CHECK(bits_of_double(got[n]) == UINT64_C(0xa5a5a5a5a5a5a5a5));
    for (int i = 0; i < n; i++) {
      double expected = pair == NULL ? scalar(x[i]) : pair(x[i], y[i]);
      CHECK_MESSAGE(same(got[i], expected), "%s(%a, %a): %a, not %a", name, x[i], y[i], got[i],
                    expected);
      CHECK(same(got[i], left[i]) && same(got[i], right[i]));
    }
  }
}

// The same of c128.
static bool same_number(hlo_c128 a, hlo_c128 b) { return same(a.re, b.re) && same(a.im, b.im); }

static hlo_c128 any_number(void) {
  double re = any_argument((int)(random_bits() % 5)), im = any_argument((int)(random_bits() % 5));
  uint64_t kind = random_bits() % 8; // near the unit circle, and numbers whose parts are far apart
  if (kind == 0) return (hlo_c128){cos(re) * (1 + 1e-9 * sin(im)), sin(re)};
  if (kind == 1) return (hlo_c128){re, im * 0x1p-400};
  return (hlo_c128){re, im};
}

static void
check_complex_loop(const char *name, void (*loop)(hlo_c128 *, const hlo_c128 *, int64_t),
                   void (*pair_loop)(hlo_c128 *, const hlo_c128 *, const hlo_c128 *, int64_t),
                   hlo_c128 (*scalar)(hlo_c128), hlo_c128 (*pair)(hlo_c128, hlo_c128)) {
  enum { MOST = 9, RUNS = 4000 };
  for (int run = 0; run < RUNS; run++) {
    int n = run % MOST;
    hlo_c128 x[MOST], y[MOST], in_place[MOST], got[MOST + 1];
    for (int i = 0; i < MOST; i++) x[i] = any_number(), y[i] = any_number();
    memcpy(in_place, x, sizeof x);
    memset(got, 0xa5, sizeof got);
    if (pair == NULL) loop(got, x, n), loop(in_place, in_place, n);
    else pair_loop(got, x, y, n), pair_loop(in_place, in_place, y, n);
    CHECK(bits_of_double(got[n].re) == UINT64_C(0xa5a5a5a5a5a5a5a5));
    for (int i = 0; i < n; i++) {
      hlo_c128 expected = pair == NULL ? scalar(x[i]) : pair(x[i], y[i]);
      CHECK_MESSAGE(same_number(got[i], expected), "%s((%a, %a), (%a, %a)): (%a, %a), not (%a, %a)",
                    name, x[i].re, x[i].im, y[i].re, y[i].im, got[i].re, got[i].im, expected.re,
                    expected.im);
      CHECK(same_number(got[i], in_place[i]));
    }
  }
}

static void check_moduli(void) {
  for (int run = 0; run < 4000; run++) {
    hlo_c128 x[9];
    double got[10] = {0};
    int n = run % 9;
    for (int i = 0; i < 9; i++) x[i] = any_number();
    got[n] = 7;
    hlo_abs_c128_loop(got, x, n);
    CHECK(got[n] == 7);
    for (int i = 0; i < n; i++) CHECK(same(got[i], hlo_abs_c128(x[i])));
  }
}

int main(void) {
#define CHECK_LOOP(id, name, ...) check_loop(#name, hlo_##name##_f32_loop, hlo_##name##_f32);
  HLO_VECTOR_FUNCTIONS(CHECK_LOOP)
  HLO_WIDE_FUNCTIONS(CHECK_LOOP)
  HLO_LIMITED_FUNCTIONS(CHECK_LOOP)
  check_pair_loop("atan2", hlo_atan2_f32_loop, hlo_atan2_f32);
#define CHECK_DOUBLE(id, name)                                                                     \
  check_double_loop(#name, hlo_##name##_f64_loop, NULL, hlo_##name##_f64, NULL);
  HLO_DOUBLE_FUNCTIONS(CHECK_DOUBLE)
  HLO_DOUBLE_ANGLE_FUNCTIONS(CHECK_DOUBLE)
#define CHECK_DOUBLE_PAIR(id, name)                                                                \
  check_double_loop(#name, NULL, hlo_##name##_f64_loop, NULL, hlo_##name##_f64);
  HLO_PAIR_FUNCTIONS(CHECK_DOUBLE_PAIR)
#define CHECK_COMPLEX(id, name, in_range)                                                          \
  check_complex_loop(#name, hlo_##name##_c128_loop, NULL, hlo_##name##_c128, NULL);
  HLO_DOUBLE_COMPLEX_FUNCTIONS(CHECK_COMPLEX)
  check_complex_loop("div", NULL, hlo_div_c128_loop, NULL, hlo_div_c128);
  check_complex_loop("mul", NULL, hlo_mul_c128_loop, NULL, hlo_mul_c128);
  check_moduli();
  return CHECK_RESULT();
}
